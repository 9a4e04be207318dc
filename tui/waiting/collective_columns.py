"""The columns in which collectives are listed."""

from collections.abc import Sequence

from ...queries.rows import CollectivesRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.peer_name import peer_name
from ..draw.run import Run
from ..draw.safe_text import clean, cut
from ..widgets.figure_columns import (
    NARROW_BAR,
    WIDE_BAR,
    place_column,
    size_column,
    time_column,
)
from ..widgets.row_list import Column
from ..words.spoken import say
from .question_head import inked

WIDE = 96
FULL = 130

GROUP_CELLS = 10
PEER_CELLS = 9


def collective_columns(
    rows: Sequence[CollectivesRow], origin: int, look: Look, width: int
) -> Sequence[Column[CollectivesRow]]:
    """Return the columns for a table of ``width`` cells; places are told from ``origin``, ns.

    The bar of a collective shows how long it waited and moved on the scale of the longest
    of all ``rows``.
    """
    longest = max((row.dur for row in rows), default=0)

    def length(row: CollectivesRow, cells: int) -> Sequence[Run]:
        return inked(parts_of(row), cells, longest, look)

    return (
        Column("name", lambda row, cells: fitted(clean(row.name), cells)),
        Column(
            "group",
            lambda row, cells: cut(clean(row.group or say("unknown")), cells),
            width=GROUP_CELLS,
            from_width=FULL,
        ),
        size_column("bytes", lambda row: row.bytes, width=8, from_width=FULL),
        time_column("length", lambda row: row.dur),
        Column("parts", length, width=WIDE_BAR if width >= FULL else NARROW_BAR),
        time_column("waited", lambda row: row.wait_ns, "longest wait first"),
        time_column("moved", lambda row: row.transfer_ns, "longest transfer first"),
        Column(
            "speed",
            lambda row, _: rate_of(row),
            width=9,
            right=True,
            order=lambda row: row.bytes_per_s,
            ordered="fastest first",
            from_width=WIDE,
        ),
        Column("last", lambda row, _: peer_of(row), width=PEER_CELLS),
        Column(
            "late",
            lambda row, _: late_of(row),
            width=9,
            right=True,
            order=lambda row: row.last_peer_wait_ns,
            ordered="latest peer first",
            from_width=FULL,
        ),
        place_column("at", lambda row: row.ts, origin, from_width=WIDE),
    )


def parts_of(row: CollectivesRow) -> list[tuple[int, bars.Ink]]:
    """Return the parts of a collective with their ink; what is neither is not split."""
    waited, moved = row.wait_ns or 0, row.transfer_ns or 0
    rest = max(0, row.dur - waited - moved)
    return [(moved, bars.MOVING), (rest, bars.UNSPLIT), (waited, bars.WAITING)]


def rate_of(row: CollectivesRow) -> str:
    """Return how fast the message of a collective moved."""
    if row.bytes is None or not row.transfer_ns:
        return numbers.NOT_MEASURED
    return numbers.rate(row.bytes, row.transfer_ns)


def peer_of(row: CollectivesRow) -> str:
    """Return which peer came last."""
    if row.last_number is None:
        return numbers.NOT_MEASURED
    return peer_name(row.last_peer, row.last_number)


def late_of(row: CollectivesRow) -> str:
    """Return how long the last peer was waited for, with a sign."""
    late = row.last_peer_wait_ns
    return numbers.NOT_MEASURED if late is None else f"+{numbers.time(late)}"


def collective_sentence(row: CollectivesRow) -> str:
    """Say what is known of a collective, as clean text for the status line."""
    said = [clean(row.name), numbers.time(row.dur)]
    if row.wait_ns is not None:
        time, share = numbers.time(row.wait_ns), numbers.share(row.wait_ns, row.dur)
        if row.last_number is None:
            said.append(say("waited", time=time, share=share))
        else:
            said.append(say("waited_for", time=time, share=share, peer=peer_of(row)))
    if row.transfer_ns is not None:
        size = numbers.size(row.bytes) if row.bytes is not None else say("unknown_size")
        said.append(say("moved_in", size=size, time=numbers.time(row.transfer_ns)))
    if row.wait_ns is None and row.transfer_ns is None:
        said.append(say("not_told_apart"))
    return "   ".join(said)
