"""The columns of the lists of gaps, and of their causes put together."""

from collections.abc import Sequence

from ...queries.rows import GapsRow
from ...queries.rows_stall import CausesRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean, cut
from ..widgets.row_list import Column
from ..words.reasons import cause_words, place_words, stage_words
from ..words.spoken import say

WIDE = 100
ROOM_FOR_WAIT = 140
NARROW_BAR = 8
WIDE_BAR = 20

CAUSE_CELLS = 17


def gap_columns(
    gaps: Sequence[GapsRow], title: str, origin: int, look: Look, width: int
) -> Sequence[Column[GapsRow]]:
    """Return the columns of gaps; ``title`` says what places are told from, ``origin`` ns."""
    longest = max((gap.dur for gap in gaps), default=0)

    def length(gap: GapsRow, cells: int) -> Sequence[Run]:
        return [Run(bars.bar(gap.dur, longest, cells, ascii_level=look.ascii_level), Role.IDLE)]

    known = any(gap.cause is not None for gap in gaps)
    cause: Column[GapsRow] = Column(
        "cause",
        lambda gap, cells: cut(cause_words(gap.cause), cells),
        width=CAUSE_CELLS,
        order=lambda gap: cause_words(gap.cause),
        descending=False,
        ordered="by cause",
    )
    certain: Column[GapsRow] = Column("sure", lambda gap, _: sure(gap), width=8, from_width=WIDE)
    return (
        Column(
            title,
            lambda gap, _: numbers.place(gap.ts - origin, 1000, numbers.MILLISECONDS),
            width=14,
            right=True,
            order=lambda gap: gap.ts,
            descending=False,
            ordered="in time",
        ),
        Column(
            "gap",
            lambda gap, _: numbers.time_field(gap.dur),
            width=8,
            right=True,
            order=lambda gap: gap.dur,
            ordered="longest first",
        ),
        Column("length", length, width=WIDE_BAR if width >= WIDE else NARROW_BAR),
        Column(
            "event wait",
            lambda gap, _: numbers.time_field(gap.wait_ns),
            width=10,
            right=True,
            order=lambda gap: gap.wait_ns,
            ordered="longest wait first",
            from_width=ROOM_FOR_WAIT,
        ),
        *((cause, certain) if known else ()),
        Column(
            "before",
            lambda gap, cells: fitted(clean(gap.prev_name or "-"), cells),
            from_width=WIDE,
        ),
        Column("after", lambda gap, cells: fitted(clean(gap.next_name or "-"), cells)),
    )


def sure(gap: GapsRow) -> str:
    """Return how sure a cause is: a link in the file, a conclusion, or none at all."""
    if gap.cause in {None, "unknown"}:
        return say("unknown")
    return say("inferred" if gap.inferred else "certain")


def group_columns(
    groups: Sequence[CausesRow], title: str, look: Look, width: int
) -> Sequence[Column[CausesRow]]:
    """Return the columns of causes together; ``title`` heads what they are grouped by.

    Empty, they are by cause, with the stage or place of each.
    """
    most = max((one.total for one in groups), default=0)

    def length(one: CausesRow, cells: int) -> Sequence[Run]:
        role = Role.IDLE if one.state == "idle" else Role.WAITING
        return [Run(bars.bar(one.total, most, cells, ascii_level=look.ascii_level), role)]

    cause: Column[CausesRow] = Column(
        "cause",
        lambda one, cells: cut(cause_words(one.cause), cells),
        width=CAUSE_CELLS,
        order=lambda one: cause_words(one.cause),
        descending=False,
        ordered="by cause",
    )
    about: Column[CausesRow] = (
        Column(title, lambda one, cells: fitted(clean(one.name or say("not_recorded")), cells))
        if title
        else Column("where", lambda one, cells: cut(_where(one), cells))
    )
    total: Column[CausesRow] = Column(
        "total",
        lambda one, _: numbers.time_field(one.total),
        width=8,
        right=True,
        order=lambda one: one.total,
        ordered="most time first",
    )
    share: Column[CausesRow] = Column(
        "of all",
        lambda one, _: numbers.share_field(numbers.ratio(one.period_share)),
        width=7,
        right=True,
    )
    count: Column[CausesRow] = Column(
        "count",
        lambda one, _: numbers.count(one.count_),
        width=6,
        right=True,
        order=lambda one: one.count_,
        ordered="most first",
    )
    bar = WIDE_BAR if width >= WIDE else NARROW_BAR
    lengths = (_length("p50"), _length("p95"), _length("longest"))
    return (cause, about, total, Column("", length, width=bar), share, count, *lengths)


def _length(name: str) -> Column[CausesRow]:
    return Column(
        name,
        lambda one, _: numbers.time_field(getattr(one, name)),
        width=8,
        right=True,
        from_width=WIDE,
    )


def _where(one: CausesRow) -> str:
    parts = [place_words(one.place)] if one.place in {"lead_in", "tail"} else []
    return ", ".join([*parts, *([stage_words(one.stage)] if one.stage else [])])
