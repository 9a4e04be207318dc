"""Where the row of an answer lies in time: by the names of its columns."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...queries.rows_timeline import GapRow, SliceRow
from ..answers import Answers
from ..draw import numbers
from ..draw.safe_text import clean
from ..focus import Focus, Selection, Window
from ..run import Run
from ..words.spoken import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...queries.query import AnswerColumn
    from .kept_answer import Row


@dataclass(frozen=True, slots=True)
class RowPlace:
    """What a row says of a place; ids and times are those of the store, times in ns."""

    slice_id: int | None = None
    gap_id: int | None = None
    ts: int | None = None
    dur: int | None = None
    rank: int | None = None
    name: str = ""

    @property
    def window(self) -> Window | None:
        """Return the time of the row; None where it does not begin at any."""
        if self.ts is None:
            return None
        return Window(self.ts, self.ts + max(1, self.dur or 0))

    def selection(self, window: Window) -> Selection:
        """Return the row as what is selected in its window."""
        gap = say("gap_time", time=numbers.time(window.dur)) if self.gap_id is not None else ""
        name = gap or clean(self.name) or say("row_selected")
        return Selection(window, name, slice_id=self.slice_id, gap_id=self.gap_id)


def row_place(columns: "Sequence[AnswerColumn]", row: "Row") -> RowPlace:
    """Return the place that a row names: its slice, its gap, its ts and dur.

    The slice of a row is in ``slice_id``, or else in the first column that ends so, such
    as ``longest_slice_id``; then the row's own time is not that of the slice.
    """
    whole: dict[str, int] = {}
    texts: dict[str, str] = {}
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, int) and not isinstance(value, bool):
            whole.setdefault(column.name, value)
        elif isinstance(value, str):
            texts.setdefault(column.name, value)
    others = (value for name, value in whole.items() if name.endswith("_slice_id"))
    own = whole.get("slice_id")
    ts = whole.get("ts")
    return RowPlace(
        slice_id=own if own is not None or ts is not None else next(others, None),
        gap_id=whole.get("gap_id"),
        ts=ts,
        dur=whole.get("dur"),
        rank=whole.get("rank"),
        name=texts.get("name", ""),
    )


def found_place(answers: Answers, place: RowPlace) -> RowPlace:
    """Return a place with what the store knows of its slice or gap; raises as ``Session.run``."""
    if place.slice_id is not None:
        row = answers.first("slice", SliceRow, slice_id=place.slice_id)
        if row is not None:
            return RowPlace(row.slice_id, None, row.ts, row.dur, row.rank, row.name)
    if place.gap_id is not None and (place.ts is None or place.dur is None):
        gap = answers.first("gap", GapRow, gap_id=place.gap_id)
        if gap is not None:
            return RowPlace(None, gap.gap_id, gap.ts, gap.dur, gap.rank, place.name)
    return place


def focus_on(run: Run, focus: Focus, selection: Selection, rank: int | None) -> Focus | None:
    """Return the focus around a selection, in the step that it lies in; None outside the run.

    ``rank`` is the selection's, None for that of the focus.
    """
    rank = focus.rank if rank is None else rank
    extent = run.extent(rank) if rank in run.ranks else None
    if extent is None or not extent.meets(selection.window):
        return None
    here = run.period(rank, focus.step)
    if rank == focus.rank and here is not None and here.meets(selection.window):
        return focus.around(selection)
    steps = (step.step for step in run.steps_of(rank))
    periods = ((step, run.period(rank, step)) for step in steps)
    holding = (step for step, period in periods if period and period.meets(selection.window))
    return Focus(rank, next(holding, None)).around(selection)
