"""The dock of the timeline: what is selected, or what is under the cursor."""

from collections.abc import Sequence

from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ...queries.rows_timeline import AtInstantRow, CountersRow
from ..draw import numbers
from ..draw.ruler import Ruler
from ..draw.safe_text import clean
from ..draw.viewport import Viewport
from ..focus import Selection, Window
from ..timeline.selected import (
    SelectedSlice,
    counter_lines,
    cursor_lines,
    gap_lines,
    slice_lines,
    slice_title,
    stretch_lines,
)
from ..words.reasons import cause_words
from ..words.spoken import say, shown
from .panel import Panel

UNDER_CURSOR = "Under the cursor"


class Dock(Panel):
    """Tells of one thing at a time; places are told as the axis of the view tells them."""

    def show_slice(self, found: SelectedSlice, ruler: Ruler, view: Viewport) -> None:
        """Tell of a slice."""
        title, count = slice_title(found)
        self.fill(
            lambda width, height: slice_lines(found, ruler, view, width, height),
            title=title,
            count=count,
        )

    def show_gap(
        self, gap: GapsRow, pieces: Sequence[StallsRow] | None, ruler: Ruler, view: Viewport
    ) -> None:
        """Tell of a gap and its cause, once its pieces are known."""
        self.fill(
            lambda width, _: gap_lines(gap, pieces, ruler, view, width),
            title=shown("Selected  gap"),
            count="" if gap.cause is None else cause_words(gap.cause),
        )

    def show_stretch(self, stretch: Selection, ruler: Ruler, view: Viewport) -> None:
        """Tell of a stretch of time that is neither one slice nor one gap."""
        self.fill(
            lambda width, _: stretch_lines(stretch, ruler, view, width),
            title=say("selected", what=clean(stretch.name)),
        )

    def show_counter(
        self, counter: CountersRow, value: float | None, cell: Window, ruler: Ruler, view: Viewport
    ) -> None:
        """Tell of a counter, and of its value in a cell."""
        self.fill(
            lambda width, _: counter_lines(counter, value, width),
            title=shown(UNDER_CURSOR),
            count=ruler.place(cell.from_ts, view),
        )

    def show_cell(
        self, rows: Sequence[AtInstantRow], cell: Window, ruler: Ruler, view: Viewport
    ) -> None:
        """Tell of the slices in a cell of a lane."""
        place = f"{ruler.place(cell.from_ts, view)} … {ruler.place(cell.to_ts, view)}"
        self.fill(
            lambda width, _: cursor_lines(rows, ruler, view, width),
            title=shown(UNDER_CURSOR),
            count=f"{place}   {say('one_cell', time=numbers.time(view.cell_ns))}",
        )
