"""The part of time that a canvas shows: a row of cells on the absolute grid.

A cell of level L is 2^L ns wide and starts at a multiple of that (its bucket is
``ts >> L``), as in the store. So cells never have to be resampled, and the same
instant is in the same cell however one came to it.
"""

from dataclasses import dataclass, replace
from typing import Self

FINEST_LEVEL = 0
COARSEST_LEVEL = 62
"""A cell of this level holds all times that the store can."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """``cells`` cells of 2^``level`` ns, from the one of bucket ``first`` on."""

    level: int
    first: int
    cells: int

    @classmethod
    def fit(cls, from_ts: int, to_ts: int, cells: int) -> Self:
        """Return the finest window that shows all of ``[from_ts, to_ts)``.

        It starts in its first cell. An empty interval is shown as its first instant; one
        that holds both -1 and 0 needs two cells at any level.
        """
        cells = max(cells, 1)
        last = max(to_ts - 1, from_ts)
        # At this level the interval is at most twice as many cells as there are.
        level = max((last - from_ts).bit_length() - cells.bit_length(), FINEST_LEVEL)
        while level < COARSEST_LEVEL and (last >> level) - (from_ts >> level) >= cells:
            level += 1
        return cls(level, from_ts >> level, cells)

    @property
    def cell_ns(self) -> int:
        """Width of a cell, ns."""
        return 1 << self.level

    @property
    def from_ts(self) -> int:
        """First instant of the first cell, ns."""
        return self.first << self.level

    @property
    def to_ts(self) -> int:
        """First instant after the last cell, ns."""
        return (self.first + self.cells) << self.level

    @property
    def dur(self) -> int:
        """Width of the window, ns."""
        return self.cells << self.level

    def cell_of(self, ts: int) -> int:
        """Return the cell of an instant; below 0 or from ``cells`` on outside the window."""
        return (ts >> self.level) - self.first

    def ts_of(self, cell: int) -> int:
        """Return the first instant of a cell, ns."""
        return (self.first + cell) << self.level

    def touched(self, ts: int, dur: int) -> range:
        """Return the cells of the window in which ``[ts, ts + dur)`` lies at least in part.

        An instant (``dur`` 0) touches one.
        """
        start = (ts >> self.level) - self.first
        stop = (max(ts + dur - 1, ts) >> self.level) - self.first + 1
        return range(min(max(start, 0), self.cells), max(min(stop, self.cells), 0))

    def within(self, ts: int, dur: int) -> range:
        """Return the cells of the window that lie wholly inside ``[ts, ts + dur)``."""
        start = -(-ts >> self.level) - self.first
        stop = (ts + dur >> self.level) - self.first
        return range(min(max(start, 0), self.cells), max(min(stop, self.cells), 0))

    def shows(self, ts: int, dur: int = 0) -> bool:
        """Return whether anything of ``[ts, ts + dur)`` is in the window."""
        return len(self.touched(ts, dur)) > 0

    def contains(self, ts: int, dur: int = 0) -> bool:
        """Return whether all of ``[ts, ts + dur)`` is in the window."""
        return self.from_ts <= ts and max(ts + dur, ts + 1) <= self.to_ts

    def zoomed(self, about_ts: int, levels: int) -> Self:
        """Return the window ``levels`` levels finer (coarser if negative).

        The instant, or the edge next to it, stays in its cell of the canvas; so zooming
        in and out again is where one was, unless the finest or coarsest level was met.
        """
        about_ts = min(max(about_ts, self.from_ts), self.to_ts - 1)
        level = min(max(self.level - levels, FINEST_LEVEL), COARSEST_LEVEL)
        return replace(self, level=level, first=(about_ts >> level) - self.cell_of(about_ts))

    def panned(self, cells: int) -> Self:
        """Return the window that many cells later, earlier if negative."""
        return replace(self, first=self.first + cells)

    def centred(self, ts: int) -> Self:
        """Return the window with an instant in its middle cell."""
        return replace(self, first=(ts >> self.level) - self.cells // 2)

    def clamped(self, from_ts: int, to_ts: int) -> Self:
        """Return the nearest window that shows nothing but ``[from_ts, to_ts)`` if it can.

        It is no coarser than needed to show all of it, and begins with it if it is wider.
        """
        whole = self.fit(from_ts, to_ts, self.cells)
        if self.level >= whole.level:
            return whole
        first = from_ts >> self.level
        last = max(to_ts - 1, from_ts) >> self.level
        return replace(self, first=max(first, min(self.first, last - self.cells + 1)))

    def buffer(self) -> Self:
        """Return what to load: three windows, this one in the middle."""
        return replace(self, first=self.first - self.cells, cells=3 * self.cells)

    def covers(self, other: "Viewport") -> bool:
        """Return whether all cells of another window are cells of this one."""
        return (
            self.level == other.level
            and self.first <= other.first
            and other.first + other.cells <= self.first + self.cells
        )
