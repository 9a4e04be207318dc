"""The rows above the lanes: the axis of time, and where the view lies in the whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from ..words.spoken import say
from . import numbers
from .look import Look
from .numbers import Unit
from .role import Role
from .run import Attributes, Run, drawn
from .safe_text import cell_len, clean, cut, pad
from .viewport import Viewport

_AXIS: tuple[Role, Attributes] = (Role.HOST, Attributes.NONE)
_OVER: tuple[Role, Attributes] = (Role.PLAIN, Attributes.BOLD)


@dataclass(frozen=True, slots=True)
class Ruler:
    """Places in time relative to ``origin`` (ns), all of a screen in one unit."""

    origin: int
    unit: Unit

    @classmethod
    def over(cls, origin: int, to_ts: int) -> Self:
        """Return the ruler of ``[origin, to_ts)``, such as a step; it fits any view of it."""
        return cls(origin, numbers.column_unit([to_ts - origin]))

    def place(self, ts: int, view: Viewport) -> str:
        """Return an instant such as ``+41.0 ms``; its last digit changes with each cell."""
        return numbers.place(ts - self.origin, view.cell_ns, self.unit)

    def label(self, where: str, width: int, look: Look) -> str:
        """Return the label of the axis, ``width`` cells: ``+ms in step 50``.

        ``where`` names what starts at the origin; where it does not fit, the unit is left.
        """
        sign = f"+{self.unit.sign}"
        where = clean(where)
        named = {"unit": sign, "where": where}
        texts = (say("axis_in", **named), say("axis_of", **named), sign)
        fitting = (text for text in texts if cell_len(text) <= width)
        return look.text(pad(next(fitting, cut(sign, width)), width))

    def row(
        self,
        view: Viewport,
        look: Look,
        cursor_ts: int | None = None,
        measured: tuple[int, int] | None = None,
    ) -> list[Run]:
        """Draw the axis in exactly ``view.cells`` cells.

        Over it lie the measured range, two instants in any order, and the cursor. A
        label that they would cut is left out: part of a number is another number.
        """
        over = _range(view, measured, look) if measured else {}
        if cursor_ts is not None and 0 <= view.cell_of(cursor_ts) < view.cells:
            over[view.cell_of(cursor_ts)] = look.signs.cursor
        characters = [" "] * view.cells
        for cell, label in self.ticks(view, look):
            characters[cell] = look.signs.tick
            cells = range(cell + 1, cell + 1 + len(label))
            if cells.stop <= view.cells and not any(at in over for at in cells):
                characters[cells.start : cells.stop] = label
        looks = [_AXIS] * view.cells
        for cell, sign in over.items():
            characters[cell] = sign
            looks[cell] = _OVER
        return drawn(characters, looks)

    def tick_ns(self, view: Viewport, letter_cells: int = 1) -> int:
        """Return the distance of ticks, 1, 2 or 5 times a power of ten ns.

        It is the least one at which each label ends a blank before the next tick, where
        a letter takes so many cells.
        """
        return next(
            step
            for step in _round_numbers()
            if step >> view.level >= (self._widest(view, step) + 2) * letter_cells
        )

    def _widest(self, view: Viewport, step: int) -> int:
        """Return the cells of the widest label in a view: at one of its ends, or that of 0."""
        ends = (view.from_ts - self.origin, view.to_ts - self.origin)
        return max(len(self._tick_label(end // step * step, step)) for end in (0, *ends))

    def ticks(self, view: Viewport, look: Look, letter_cells: int = 1) -> Iterator[tuple[int, str]]:
        """Yield the cell and label of each tick in a view."""
        step = self.tick_ns(view, letter_cells)
        first = -(-(view.from_ts - self.origin) // step) * step
        for offset in range(first, view.to_ts - self.origin, step):
            label = look.text(self._tick_label(offset, step))
            yield view.cell_of(self.origin + offset), label

    def _tick_label(self, offset: int, step: int) -> str:
        """Return a label without its unit; only that of the origin has it."""
        if offset == 0:
            return f"0 {self.unit.sign}"
        return numbers.place(offset, step, self.unit).removesuffix(f" {self.unit.sign}")


def view_row(whole: Viewport, view: Viewport, look: Look) -> list[Run]:
    """Draw where a view lies in the whole, in exactly ``whole.cells`` cells.

    A view that is shorter than one of them is a point.
    """
    characters = [" "] * whole.cells
    if view.dur < whole.cell_ns:
        cell = whole.cell_of(view.from_ts + view.dur // 2)
        if 0 <= cell < whole.cells:
            characters[cell] = look.signs.view_point
    else:
        for cell in whole.touched(view.from_ts, view.dur):
            characters[cell] = look.signs.view_line
    return drawn(characters, [(Role.PLAIN, Attributes.NONE)] * whole.cells)


def _range(view: Viewport, measured: tuple[int, int], look: Look) -> dict[int, str]:
    """Return the characters of a measured range by cell, its length inside if it fits."""
    signs = look.signs
    from_ts, to_ts = sorted(measured)
    cells = view.touched(from_ts, to_ts - from_ts)
    if not cells:
        return {}
    if view.cell_of(from_ts) == view.cell_of(max(to_ts - 1, from_ts)):
        return {cells.start: signs.cursor}
    start = signs.range_start if from_ts >= view.from_ts else signs.range_line
    end = signs.range_end if to_ts <= view.to_ts else signs.range_line
    inside = len(cells) - 2
    label = look.text(f" {numbers.time(to_ts - from_ts)} ")
    if len(label) + 2 > inside:
        label = ""
    line = label.center(inside, "\0").replace("\0", signs.range_line)
    return dict(zip(cells, f"{start}{line}{end}", strict=False))


def _round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
