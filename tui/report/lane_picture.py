"""The timeline of a window as a picture: a row for each lane, as high as the lane is busy."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...queries.rows_timeline import CountersRow, LanesRow
from ..answers import Answers
from ..draw.look import COLORS, Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.ruler import Ruler
from ..draw.safe_text import clean
from ..draw.viewport import Viewport
from ..timeline.lanes import Lane, Lanes
from ..timeline.slab import LaneInk, finest_level, load_slab
from . import canvas
from .document import Picture

LABEL_CELLS = 20
LABEL_PX = 160
CELLS = 800
"""Cells of the window, a pixel each."""

LETTER_CELLS = 8
"""Cells that a letter of the axis takes, rounded up."""

ROW_PX = 22
INK_PX = 16
"""Of a row that its ink may fill; the rest parts it from the next."""

RULER_PX = 24
MOST_LANES = 16

LEAST_NAMED_PX = 40
"""Of a slice or gap whose name stands on it."""

MARGIN_PX = 3

PLAIN = "#DDDDDD"
"""Of what has no colour of its own."""

_LOOK = Look()


class LanePicture:
    """Draws the lanes of one rank."""

    def __init__(self, answers: Answers, rank: int) -> None:
        self._answers = answers
        self._rank = rank
        self._lanes = Lanes.of(
            answers.rows("lanes", LanesRow, rank=rank),
            answers.rows("counters", CountersRow, rank=rank),
        ).fitted(MOST_LANES)
        self._finest = finest_level(answers, rank)

    def draw(
        self,
        name: str,
        words: str,
        span: tuple[int, int],
        origin: int,
        marked: tuple[int, int] | None = None,
    ) -> Picture:
        """Draw a span from one instant to another, ns; the axis counts from ``origin``.

        ``marked`` is a part of it that is pointed out. Raises as ``Session.run`` does.
        """
        from_ts, to_ts = span
        view = Viewport.fit(from_ts, to_ts, CELLS)
        slab = load_slab(self._answers, self._rank, self._lanes, view, self._finest, _LOOK)
        lanes = self._lanes.shown[:MOST_LANES]
        height = RULER_PX + ROW_PX * len(lanes) + 4
        shapes = [*_axis(Ruler.over(origin, to_ts), view, height)]
        if marked is not None:
            cells = view.touched(marked[0], marked[1] - marked[0])
            left, width = LABEL_PX + cells.start, max(len(cells), 1)
            shapes.insert(0, canvas.box(left, RULER_PX, width, height, canvas.MARK))
        for at, lane in enumerate(lanes):
            shapes += _row(lane, slab.of(lane), view, RULER_PX + at * ROW_PX)
        return Picture(name, words, canvas.picture(LABEL_PX + CELLS + 8, height, words, shapes))


def _axis(ruler: Ruler, view: Viewport, height: int) -> Iterator[str]:
    yield canvas.label(LABEL_PX - 8, RULER_PX - 9, f"+{ruler.unit.sign}", anchor="end")
    for cell, text in ruler.ticks(view, _LOOK, LETTER_CELLS):
        x = LABEL_PX + cell
        yield canvas.line(x, RULER_PX - 6, x, height, canvas.GRID)
        if cell + canvas.width(text) < view.cells:
            # Part of a number is another number.
            yield canvas.label(x + 3, RULER_PX - 9, text)


def _row(lane: Lane, ink: LaneInk, view: Viewport, top: int) -> Iterator[str]:
    base = top + ROW_PX - 3
    yield canvas.label(0, base - 3, lane.label(LABEL_CELLS).rstrip())
    yield canvas.line(LABEL_PX, base + 0.5, LABEL_PX + view.cells, base + 0.5, canvas.GRID)
    first = view.first - ink.coverage.window.first
    start = first
    for stretch in ink.coverage.stretches:
        stop = min(stretch.stop, first + view.cells)
        if stop > start:
            yield from _areas(ink, start, stop, LABEL_PX - first, base, stretch.role)
            start = stop
    yield from _names(ink, view, base - 4)


def _names(ink: LaneInk, view: Viewport, base: int) -> Iterator[str]:
    """Name the slices and gaps that are long enough; of those inside one another the inner."""
    gaps = [(one.ts, one.dur, one.cause or "", Role.IDLE) for one in ink.gaps]
    inner = sorted(ink.blocks, key=lambda one: (-one.depth, one.sublane))
    taken: list[range] = []
    for ts, dur, name, role in (*((one.ts, one.dur, one.name, one.role) for one in inner), *gaps):
        cells = view.within(ts, dur)
        text = fitted(clean(name), canvas.letters(len(cells) - 2 * MARGIN_PX))
        needed = range(cells.start, cells.start + 2 * MARGIN_PX + round(canvas.width(text)))
        if len(cells) < LEAST_NAMED_PX or any(
            needed.start < one.stop and one.start < needed.stop for one in taken
        ):
            continue
        taken.append(needed)
        color = _LOOK.paint(role, filled=True).foreground or canvas.INK
        yield canvas.label(LABEL_PX + cells.start + MARGIN_PX, base, text, color)


def _areas(ink: LaneInk, start: int, stop: int, left: int, base: int, role: Role) -> Iterator[str]:
    """Draw cells ``start`` to ``stop`` of an ink's window, cell 0 of which is at ``left``."""
    nothing = _LOOK.signs.ramp[0]
    glyphs, busy = ink.coverage.glyphs, ink.busy_until
    cell_ns = ink.coverage.window.cell_ns
    for drawn, cells in groupby(range(start, stop), lambda cell: glyphs[cell] != nothing):
        if not drawn:
            continue
        inside = list(cells)
        heights = [
            # What happened is seen, however short it was.
            (left + cell, max(1, INK_PX * (busy[cell + 1] - busy[cell]) // cell_ns))
            for cell in inside
        ]
        yield canvas.area(_outline(heights, base), COLORS.get(role, PLAIN))


def _outline(heights: Sequence[tuple[int, int]], base: int) -> Iterator[tuple[float, float]]:
    """Yield the corners of columns a pixel wide that stand side by side on a base line."""
    yield heights[0][0], base
    for height, columns in groupby(heights, lambda one: one[1]):
        inside = list(columns)
        yield inside[0][0], base - height
        yield inside[-1][0] + 1, base - height
    yield heights[-1][0] + 1, base
