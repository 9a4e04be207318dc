"""Where one looks on a timeline: the window on the canvas, and the cursor in it."""

from dataclasses import dataclass, replace
from typing import Self

from ..draw.viewport import Viewport
from ..focus import Window

PAN_PART = 8
"""A pan is this part of the window."""

MARGIN = 0.25
"""Part of its length that is shown on both sides of what the window is fitted to."""


@dataclass(frozen=True, slots=True)
class Position:
    """A window and a cursor, which is always in it."""

    view: Viewport
    cursor_ts: int

    @classmethod
    def fit(cls, window: Window, cells: int, cursor_ts: int | None = None) -> Self:
        """Return the position that shows a window, with the cursor in its middle."""
        view = Viewport.fit(window.from_ts, window.to_ts, cells)
        middle = (window.from_ts + window.to_ts) // 2 if cursor_ts is None else cursor_ts
        return cls(view, _inside(middle, view))

    @property
    def window(self) -> Window:
        """Return the window in time."""
        return Window(self.view.from_ts, self.view.to_ts)

    @property
    def cell(self) -> Window:
        """Return the cell under the cursor in time."""
        first = self.view.ts_of(self.view.cell_of(self.cursor_ts))
        return Window(first, first + self.view.cell_ns)

    def zoomed(self, levels: int, extent: Window) -> Self:
        """Return the position that many levels finer about the cursor, within the extent."""
        view = self.view.zoomed(self.cursor_ts, levels).clamped(*extent)
        return replace(self, view=view, cursor_ts=_inside(self.cursor_ts, view))

    def panned(self, cells: int, extent: Window) -> Self:
        """Return the position that many cells further on.

        The cursor moves with the window; at an end of the extent it moves alone, so that
        one key leads everywhere.
        """
        view = self.view.panned(cells).clamped(*extent)
        cursor = self.cursor_ts + cells * self.view.cell_ns
        cursor = min(max(cursor, extent.from_ts), extent.to_ts - 1)
        return replace(self, view=view, cursor_ts=_inside(cursor, view))

    def seeing(self, window: Window, extent: Window) -> Self:
        """Return the position with the cursor at the start of a window, all of it in sight.

        What is in sight already does not move the window.
        """
        view = self.view
        if not view.contains(window.from_ts, window.dur):
            view = view.centred((window.from_ts + window.to_ts) // 2).clamped(*extent)
        if not view.contains(window.from_ts, window.dur):
            # It is longer than the view, or so long that the grid leaves no room for it.
            around = window.around(MARGIN)
            view = Viewport.fit(around.from_ts, around.to_ts, view.cells).clamped(*extent)
        return replace(self, view=view, cursor_ts=_inside(window.from_ts, view))

    def at(self, ts: int) -> Self:
        """Return the position with the cursor at an instant, as near as it is in sight."""
        return replace(self, cursor_ts=_inside(ts, self.view))

    def beside(self, apart: int) -> Self:
        """Return the same position in another run, whose clock is ``apart`` ns further on.

        Cells of both lie on the grids of their own clocks: its edges are the nearest there
        are, less than a cell away, and the cursor is in the same cell of the canvas.
        """
        view = self.view
        first = (view.from_ts + apart + view.cell_ns // 2) >> view.level
        other = replace(view, first=first)
        cell = view.cell_of(self.cursor_ts)
        least, most = other.ts_of(cell), other.ts_of(cell + 1) - 1
        return replace(self, view=other, cursor_ts=min(max(self.cursor_ts + apart, least), most))


def _inside(ts: int, view: Viewport) -> int:
    return min(max(ts, view.from_ts), view.to_ts - 1)
