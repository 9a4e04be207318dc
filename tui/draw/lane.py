"""A lane: how busy each cell is, and over it the slices that are wide enough to read.

A slice of three cells and more is a block: its ground covers the cells that lie
wholly inside it, and its name stands on that ground alone. The cells at its ends keep
the coverage of the lane, so that a full cell is full everywhere.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .block_label import block_label
from .cells import Coverage
from .look import Look
from .mark import Mark, attributes_by_span
from .role import Role
from .run import Attributes, Run, joined
from .viewport import Viewport

BLOCK_CELLS = 3
"""Cells from which on a slice is drawn as a block."""

_COVERAGE = -1
_SIGN = -2
"""Owners of a cell that no block owns; signs count down from there."""


class Block(NamedTuple):
    """A slice that may be wide enough to be drawn by itself."""

    slice_id: int
    ts: int
    dur: int
    name: str
    role: Role
    depth: int = 0
    sublane: int = 0
    unfinished: bool = False


class _Stretch(NamedTuple):
    start: int
    stop: int
    owner: int


def least_block_ns(level: int) -> int:
    """Return the length from which on a slice is a block at a level, ns."""
    return BLOCK_CELLS << level


def lane_row(
    view: Viewport,
    coverage: Coverage,
    blocks: Sequence[Block],
    marks: Sequence[Mark],
    look: Look,
) -> list[Run]:
    """Draw a lane in exactly ``view.cells`` cells.

    ``coverage`` covers the view. Of blocks inside one another the innermost is seen,
    or the one that is selected. A mark of a slice that is no block applies to the
    cells it touches; if it is selected and outside the view, an arrow points there.
    """
    if not blocks and not marks:
        return coverage.runs(view)
    attributes = attributes_by_span(marks)
    selected = {mark.span_id for mark in marks if mark.selected}
    least = least_block_ns(view.level)
    layers = sorted(
        (block for block in blocks if block.dur >= least),
        key=lambda block: (block.slice_id in selected, block.depth, -block.sublane),
    )
    owners = [_COVERAGE] * view.cells
    for at, block in enumerate(layers):
        cells = view.within(block.ts, block.dur)
        owners[cells.start : cells.stop] = [at] * len(cells)
    visible = {layers[at].slice_id for at in set(owners) if at >= 0}

    row = _Lane(view, coverage, layers, owners, look)
    signs = {
        **row.ends(blocks, visible),
        **row.touched([mark for mark in marks if mark.span_id not in visible]),
    }
    for cell in signs:
        owners[cell] = _SIGN - cell
    return joined(row.runs(attributes, signs))


class _Lane:
    """A lane whose cells have been given to blocks."""

    def __init__(
        self,
        view: Viewport,
        coverage: Coverage,
        layers: Sequence[Block],
        owners: list[int],
        look: Look,
    ) -> None:
        self.view = view
        self.coverage = coverage
        self.layers = layers
        self.owners = owners
        self.look = look

    def ends(self, blocks: Sequence[Block], visible: set[int]) -> dict[int, Run]:
        """Return the signs of slices that never ended and are no blocks."""
        signs: dict[int, Run] = {}
        for block in blocks:
            if block.unfinished and block.slice_id not in visible:
                end = self.view.cell_of(max(block.ts + block.dur - 1, block.ts))
                if 0 <= end < self.view.cells:
                    signs[end] = self.sign(end, self.look.signs.unfinished, Attributes.NONE)
        return signs

    def touched(self, marks: Sequence[Mark]) -> dict[int, Run]:
        """Return the cells that marks touch, and the arrows to those outside."""
        by_cell: dict[int, Attributes] = {}
        arrows: dict[int, Run] = {}
        for mark in marks:
            for cell in self.view.touched(mark.ts, mark.dur):
                before = by_cell.get(cell)
                by_cell[cell] = mark.attributes if before is None else before | mark.attributes
            if arrow := mark.arrow(self.view, self.look):
                cell, character = arrow
                arrows[cell] = self.sign(cell, character, Attributes.BOLD)
        touched = {cell: self.sign(cell, None, marked) for cell, marked in by_cell.items()}
        return touched | arrows

    def sign(self, cell: int, character: str | None, attributes: Attributes) -> Run:
        """Return one cell with a character, None for what is there already."""
        owner = self.owners[cell]
        if owner >= 0:
            role = self.layers[owner].role
            return Run(character or " ", role, filled=True, attributes=attributes)
        marked = self.coverage.marked(self.view, cell, attributes, self.look)
        return marked._replace(text=character, filled=False) if character else marked

    def runs(self, attributes: dict[int, Attributes], signs: dict[int, Run]) -> list[Run]:
        """Return the row from left to right."""
        stretches = _stretches(self.owners)
        widest: dict[int, _Stretch] = {}
        for stretch in stretches:
            best = widest.get(stretch.owner)
            if best is None or stretch.stop - stretch.start > best.stop - best.start:
                widest[stretch.owner] = stretch
        runs: list[Run] = []
        for stretch in stretches:
            start, stop, owner = stretch
            if owner == _COVERAGE:
                runs += self.coverage.runs(self.view, start, stop)
            elif owner < _COVERAGE:
                runs.append(signs[start])
            else:
                block = self.layers[owner]
                marked = attributes.get(block.slice_id, Attributes.NONE)
                text = self.text(block, stretch, marked, named=widest[owner] is stretch)
                runs.append(Run(text, block.role, filled=True, attributes=marked))
        return runs

    def text(self, block: Block, stretch: _Stretch, marked: Attributes, *, named: bool) -> str:
        """Return the text of a part of a block; only its widest part is named."""
        signs = self.look.signs
        width = stretch.stop - stretch.start
        end = ""
        if block.unfinished and stretch.stop == self.view.within(block.ts, block.dur).stop:
            end = signs.unfinished
        if not self.look.color and Attributes.REVERSE in marked:
            start = signs.chosen
        elif stretch.start > 0 or block.ts >= self.view.from_ts:
            start = signs.block_start
        else:
            start = " "
        ascii_level = self.look.ascii_level
        if not named:
            return block_label(start, "", None, width - len(end), ascii_level=ascii_level) + end
        dur = None if block.unfinished else block.dur
        return block_label(start, block.name, dur, width - len(end), ascii_level=ascii_level) + end


def _stretches(owners: Sequence[int]) -> list[_Stretch]:
    """Divide a row by owner."""
    stretches: list[_Stretch] = []
    start = 0
    for at, owner in enumerate(owners):
        if owner != owners[start]:
            stretches.append(_Stretch(start, at, owners[start]))
            start = at
    stretches.append(_Stretch(start, len(owners), owners[start]))
    return stretches
