"""A row of gaps: where the device had nothing to run.

A gap that is long enough is a frame with its length and cause, a shorter one a dashed
line, and one within a cell only fills its share of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..words.spoken import say
from . import numbers
from .cells import Coverage
from .look import Look
from .mark import Mark, attributes_by_span
from .role import Role
from .run import Attributes, Run, joined
from .safe_text import cell_len, clean
from .viewport import Viewport

FRAME_CELLS = 20
"""Cells from which on a gap has a frame."""


class Gap(NamedTuple):
    """An interval between two tasks, with its cause in words if it is known."""

    gap_id: int
    ts: int
    dur: int
    cause: str | None = None


def least_gap_ns(level: int) -> int:
    """Return the length from which on a gap is drawn by itself at a level, ns."""
    return 1 << level


def gap_row(
    view: Viewport,
    coverage: Coverage,
    gaps: Sequence[Gap],
    marks: Sequence[Mark],
    look: Look,
) -> list[Run]:
    """Draw the gaps of a device in exactly ``view.cells`` cells.

    ``coverage`` covers the view; gaps are in the order of time and do not overlap. Marks
    are as in a lane, by ``gap_id``.
    """
    if not gaps and not marks:
        return coverage.runs(view)
    attributes = attributes_by_span(marks)
    pieces: dict[int, Run] = {}
    """By first cell."""
    lined: set[int] = set()
    drawn: set[int] = set()
    for gap in gaps:
        if cells := view.within(gap.ts, gap.dur):
            marked = attributes.get(gap.gap_id, Attributes.NONE)
            text = _line(view, gap, len(cells), look)
            pieces[cells.start] = Run(text, Role.IDLE, filled=False, attributes=marked)
            lined.update(cells)
            drawn.add(gap.gap_id)
    for mark in marks:
        if mark.span_id not in drawn:
            for cell in view.touched(mark.ts, mark.dur):
                if cell not in lined:
                    pieces[cell] = coverage.marked(view, cell, mark.attributes, look)
        if arrow := mark.arrow(view, look):
            _point(pieces, *arrow)
    return joined(_laid(view, coverage, pieces))


def _line(view: Viewport, gap: Gap, cells: int, look: Look) -> str:
    """Return a gap that has ``cells`` whole cells in the view."""
    signs = look.signs
    if gap.dur < FRAME_CELLS << view.level or cells < 2:
        return signs.gap_line * cells
    start = signs.gap_start if gap.ts >= view.from_ts else signs.gap_line
    end = signs.gap_end if gap.ts + gap.dur <= view.to_ts else signs.gap_line
    label = _label(gap, cells - 4, look)
    room = cells - 2 - cell_len(label)
    return start + signs.gap_line * (room // 2) + label + signs.gap_line * (room - room // 2) + end


def _label(gap: Gap, width: int, look: Look) -> str:
    """Return length and cause, without the cause, or nothing: what fits."""
    length = f" {say('gap_time', time=numbers.time(gap.dur))} "
    texts = [f"{length} {clean(gap.cause)} ", length] if gap.cause else [length]
    fitting = (text for text in map(look.text, texts) if cell_len(text) <= width)
    return next(fitting, "")


def _point(pieces: dict[int, Run], cell: int, character: str) -> None:
    """Put an arrow over the first or last cell of the row; a line there gives way.

    Both ends of a line are signs of one cell.
    """
    start = max((start for start in pieces if start <= cell), default=cell)
    line = pieces.pop(start, None)
    if line is not None and start + cell_len(line.text) <= cell:
        pieces[start] = line
    elif line is not None and len(line.text) > 1:
        rest = line.text[1:] if cell == start else line.text[:-1]
        pieces[start + 1 if cell == start else start] = line._replace(text=rest)
    pieces[cell] = Run(character, Role.IDLE, filled=False, attributes=Attributes.BOLD)


def _laid(view: Viewport, coverage: Coverage, pieces: dict[int, Run]) -> list[Run]:
    """Return the row: the pieces at their cells, coverage between them."""
    runs: list[Run] = []
    at = 0
    for start, piece in sorted(pieces.items()):
        if at < start:
            runs += coverage.runs(view, at, start)
        runs.append(piece)
        at = start + cell_len(piece.text)
    if at < view.cells:
        runs += coverage.runs(view, at)
    return runs
