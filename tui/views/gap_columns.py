"""The columns of the lists of gaps, and of their causes put together."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...queries.rows import GapsRow
from ...queries.rows_stall import CausesRow
from ..draw import numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.safe_text import clean, cut
from ..widgets.figure_columns import (
    bar_column,
    count_column,
    place_column,
    share_column,
    time_column,
)
from ..widgets.row_list import Column
from ..words.reasons import cause_words, place_words, stage_words
from ..words.spoken import say

RowType = TypeVar("RowType")

WIDE = 100
ROOM_FOR_WAIT = 140
CAUSE_CELLS = 17


def gap_columns(
    gaps: Sequence[GapsRow], title: str, origin: int, look: Look, width: int
) -> Sequence[Column[GapsRow]]:
    """Return the columns of gaps; ``title`` says what places are told from, ``origin`` ns."""
    known = any(gap.cause is not None for gap in gaps)
    certain: Column[GapsRow] = Column("sure", lambda gap, _: sure(gap), width=8, from_width=WIDE)
    return (
        place_column(title, lambda gap: gap.ts, origin),
        time_column("gap", lambda gap: gap.dur),
        bar_column("length", gaps, lambda gap: gap.dur, Role.IDLE, look, wide=width >= WIDE),
        time_column(
            "event wait",
            lambda gap: gap.wait_ns,
            "longest wait first",
            width=10,
            from_width=ROOM_FOR_WAIT,
        ),
        *((_cause(lambda gap: gap.cause), certain) if known else ()),
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
    about: Column[CausesRow] = (
        Column(title, lambda one, cells: fitted(clean(one.name or say("not_recorded")), cells))
        if title
        else Column("where", lambda one, cells: cut(_where(one), cells))
    )
    return (
        _cause(lambda one: one.cause),
        about,
        time_column("total", lambda one: one.total, "most time first"),
        bar_column("", groups, lambda one: one.total, _role, look, wide=width >= WIDE),
        share_column("of all", lambda one: numbers.ratio(one.period_share)),
        count_column("count", lambda one: one.count_, "most first", width=6),
        time_column("p50", lambda one: one.p50, "", from_width=WIDE),
        time_column("p95", lambda one: one.p95, "", from_width=WIDE),
        time_column("longest", lambda one: one.longest, "", from_width=WIDE),
    )


def _cause(cause: Callable[[RowType], str | None]) -> Column[RowType]:
    return Column(
        "cause",
        lambda row, cells: cut(cause_words(cause(row)), cells),
        width=CAUSE_CELLS,
        order=lambda row: cause_words(cause(row)),
        descending=False,
        ordered="by cause",
    )


def _role(one: CausesRow) -> Role:
    return Role.IDLE if one.state == "idle" else Role.WAITING


def _where(one: CausesRow) -> str:
    parts = [place_words(one.place)] if one.place in {"lead_in", "tail"} else []
    return say("comma").join([*parts, *([stage_words(one.stage)] if one.stage else [])])
