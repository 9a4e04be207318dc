"""The curve of an allocator's memory over time, as rows of blocks.

A cell shows the most that is held in its time: no peak is lost between two cells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..draw import numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run, joined
from ..draw.safe_text import pad
from ..focus import Window

LABEL_CELLS = 11
PEAK = "p"
"""The mark of the peak on the axis: the key that goes there."""


class Level(NamedTuple):
    """What is held from an instant on, in bytes."""

    ts: int
    held: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Levels in the order of time, in a window; ``borders`` are where steps begin.

    ``reserved`` is what the allocator has taken from the device.
    """

    window: Window
    allocated: Sequence[Level]
    reserved: Sequence[Level] = ()
    borders: Sequence[int] = ()

    @property
    def top(self) -> int:
        """Return the most of all, bytes: the upper edge."""
        return max((one.held for one in (*self.allocated, *self.reserved)), default=0)

    @property
    def peak(self) -> Level | None:
        """Return the first of the highest levels; None without any."""
        return max(self.allocated, key=lambda one: (one.held, -one.ts), default=None)

    def at(self, ts: int) -> int | None:
        """Return what is held at an instant; None before the first level."""
        return next((one.held for one in reversed(self.allocated) if one.ts <= ts), None)

    def cell(self, ts: int, cells: int) -> int:
        """Return the cell of an instant; those outside the window are at its ends."""
        at = (ts - self.window.from_ts) * cells // max(1, self.window.dur)
        return min(max(at, 0), cells - 1)

    def start(self, cell: int, cells: int) -> int:
        """Return the first instant of a cell."""
        return self.window.from_ts - (-cell * self.window.dur // cells)

    def stepped(self, ts: int, cells: int, by: int) -> int:
        """Return the instant that shows best what a cell some cells further holds.

        That is when its highest level begins, else the start of the cell.
        """
        cell = min(max(self.cell(ts, cells) + by, 0), cells - 1)
        inside = [one for one in self.allocated if self.cell(one.ts, cells) == cell]
        inside = [one for one in inside if self.window.holds(one.ts)]
        best = max(inside, key=lambda one: (one.held, -one.ts), default=None)
        return self.start(cell, cells) if best is None else best.ts

    def lines(self, width: int, height: int, at_ts: int | None, look: Look) -> list[Sequence[Run]]:
        """Draw the curve in a width and height, with an axis that marks cursor and peak."""
        cells, rows = width - LABEL_CELLS - 2, height - 1
        if cells < 1 or rows < 1:
            return []
        held = _most(self.allocated, self, cells)
        taken = _most(self.reserved, self, cells)
        drawn = [self._row(row, rows, held, taken, look) for row in reversed(range(rows))]
        return [*drawn, self._axis(cells, at_ts, look)]

    def _row(
        self,
        row: int,
        rows: int,
        held: Sequence[int | None],
        taken: Sequence[int | None],
        look: Look,
    ) -> Sequence[Run]:
        ramp, top = look.signs.ramp, max(1, self.top)
        steps = len(ramp) - 1
        runs: list[Run] = []
        for level, limit in zip(held, taken, strict=True):
            fill = -(-(level or 0) * rows * steps // top) - row * steps
            glyph, role = ramp[min(max(fill, 0), steps)], Role.VECTOR
            if glyph == ramp[0] and limit and (limit * rows - 1) // top == row:
                glyph, role = look.signs.rule, Role.DIM
            runs.append(Run(glyph, role))
        label = numbers.memory(self.top) if row == rows - 1 else "0" if row == 0 else ""
        return self._framed(label, joined(runs), look)

    def _axis(self, cells: int, at_ts: int | None, look: Look) -> Sequence[Run]:
        marks = [" "] * cells
        for border in self.borders:
            if self.window.holds(border):
                marks[self.cell(border, cells)] = look.signs.tick
        if self.peak is not None and self.window.holds(self.peak.ts):
            marks[self.cell(self.peak.ts, cells)] = PEAK
        if at_ts is not None and self.window.holds(at_ts):
            marks[self.cell(at_ts, cells)] = look.signs.cursor
        return self._framed("", [Run("".join(marks), Role.PLAIN, attributes=Attributes.BOLD)], look)

    @staticmethod
    def _framed(label: str, runs: Iterable[Run], look: Look) -> Sequence[Run]:
        frame = Run(look.signs.frame, Role.DIM)
        left = Run(pad(label, LABEL_CELLS - 1, right=True) + " ", Role.PLAIN)
        return [left, frame, *runs, frame]


def _most(levels: Sequence[Level], curve: Curve, cells: int) -> list[int | None]:
    """Return the most that is held in each cell; None before the first level."""
    most: list[int | None] = [None] * cells
    last = Level(curve.window.to_ts, 0)
    for one, after in pairwise([*levels, last]):
        if one.ts >= curve.window.to_ts or after.ts <= curve.window.from_ts:
            continue
        first = curve.cell(one.ts, cells)
        until = curve.cell(max(one.ts, after.ts - 1), cells)
        for cell in range(first, until + 1):
            most[cell] = max(most[cell] or 0, one.held)
    return most
