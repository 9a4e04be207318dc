"""The columns of what changed between two runs."""

from collections.abc import Sequence

from ..draw import numbers
from ..draw.look import Look
from ..draw.safe_text import clean, cut
from ..widgets.row_list import Column
from .change_rows import Change
from .compared import presence_words
from .figure_lines import WIDE, bar_cells, bar_head, difference_run

TIME_CELLS = 8
CHANGE_CELLS = 8
CALLS_CELLS = 18
VERDICT_CELLS = 24
WHY_CELLS = 48


def change_columns(rows: Sequence[Change], width: int, look: Look) -> Sequence[Column[Change]]:
    """Return the columns for a width; bars are on one scale for all rows."""
    most = max((abs(row.difference or 0) for row in rows), default=0)
    bar = 2 * bar_cells(width) + 1
    return (
        Column("what", lambda row, cells: cut(clean(row.name), cells), descending=False,
               order=lambda row: row.name, ordered="by name"),
        Column("A", lambda row, _: _time(row, "A"), width=TIME_CELLS, right=True,
               order=lambda row: row.base_dur or 0, ordered="longest in A first"),
        Column("B", lambda row, _: _time(row, "B"), width=TIME_CELLS, right=True,
               order=lambda row: row.test_dur or 0, ordered="longest in B first"),
        Column("B - A", lambda row, _: _signed(row), width=TIME_CELLS + 1, right=True,
               order=lambda row: abs(row.difference or 0), ordered="largest change first"),
        Column("change", lambda row, _: changed(row), width=CHANGE_CELLS, right=True),
        Column(bar_head(width, look), lambda row, _: [
            difference_run(row.difference, row.verdict, most, width, look)
        ], width=bar),
        Column("why", lambda row, cells: cut(clean(row.why), cells), width=WHY_CELLS,
               from_width=WIDE + 40),
        Column("calls", lambda row, cells: cut(row.calls, cells), width=CALLS_CELLS,
               right=True, from_width=WIDE + 70),
        Column("verdict", lambda row, cells: cut(row.said, cells), width=VERDICT_CELLS,
               from_width=WIDE + 90),
    )  # fmt: skip


def changed(row: Change) -> str:
    """Return by which share something changed, or that only one run has it."""
    if row.presence in {"new", "gone"}:
        return presence_words(row.presence)
    said = numbers.change(row.base_dur, row.test_dur)
    return presence_words("new") if said == numbers.NEW else said


def _time(row: Change, side: str) -> str:
    # What a run does not have took no time there, but was not measured as 0 either.
    if (side, row.presence) in {("A", "new"), ("B", "gone")}:
        return numbers.NOT_MEASURED
    return numbers.time(row.base_dur if side == "A" else row.test_dur)


def _signed(row: Change) -> str:
    if row.difference is None:
        return numbers.NOT_MEASURED
    sign = "+" if row.difference > 0 else ""
    return f"{sign}{numbers.time(row.difference)}"
