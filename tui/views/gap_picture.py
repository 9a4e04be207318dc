"""A gap drawn: the device, the cause of each piece of it, and the threads that fed the device."""

from collections.abc import Iterable, Sequence

from ...queries.rows_timeline import SliceRow
from ..draw.cells import Cell, Coverage
from ..draw.gap_row import Gap, gap_row
from ..draw.lane import Block, lane_row
from ..draw.look import Look
from ..draw.role import Role, role_of
from ..draw.ruler import Ruler
from ..draw.run import Run
from ..draw.safe_text import clean, cut, pad
from ..draw.viewport import Viewport
from ..widgets.canvas import Line
from ..words.reasons import cause_words
from ..words.spoken import say
from .gap_proof import HostLane, Proof

LABEL_CELLS = 20
ROWS = 5
"""At most: the axis, the device, the causes, and two threads."""


def picture_cells(width: int) -> int:
    """Return how many cells of a panel are time."""
    return max(1, width - LABEL_CELLS - 1)


def picture_lines(proof: Proof, origin: int, look: Look) -> list[Line]:
    """Draw a proof in at most ``ROWS`` rows; places are told from ``origin``, ns."""
    view, gap = proof.view, proof.gap
    ruler = Ruler.over(origin, view.to_ts)
    blank = Coverage.of((), view, look)
    device = Coverage.of(_cells(proof.tasks, view), view, look)
    drawn = Gap(gap.gap_id, gap.ts, gap.dur, cause_words(gap.cause))
    causes = [
        Block(one.stall_id, one.ts, one.dur, cause_words(one.cause), Role.IDLE)
        for one in proof.pieces
    ]
    return [
        _labelled(f"+{ruler.unit.sign}", ruler.row(view, look), look),
        _labelled(say("picture_device"), gap_row(view, device, [drawn], [], look), look),
        _labelled(say("picture_why"), lane_row(view, blank, causes, [], look), look),
        *(_thread(lane, view, look) for lane in proof.lanes),
    ]


def _thread(lane: HostLane, view: Viewport, look: Look) -> Line:
    cells: list[Cell] = []
    if lane.cells is not None:
        one = lane.cells
        roles = (role_of(one.part, class_) for class_ in one.classes)
        cells = list(map(Cell, one.buckets, one.busy, one.counts, roles))
    blocks = [
        Block(
            *(one.slice_id, one.ts, one.dur, one.name, role_of(one.part, one.class_)),
            depth=one.depth,
            sublane=one.sublane,
        )
        for one in lane.slices
    ]
    label = f"{say(f'picture_{lane.stage}')} {clean(lane.thread or '').removeprefix('Thread ')}"
    return _labelled(label, lane_row(view, Coverage.of(cells, view, look), blocks, [], look), look)


def _labelled(label: str, runs: Sequence[Run], look: Look) -> Line:
    text = pad(cut(f"  {label}", LABEL_CELLS), LABEL_CELLS + 1)
    return [Run(look.text(text), Role.DIM), *runs]


def _cells(tasks: Iterable[SliceRow], view: Viewport) -> Iterable[Cell]:
    """Return how much of each cell is busy with one of a few tasks that do not overlap."""
    busy: dict[int, int] = {}
    role = Role.VECTOR
    for task in tasks:
        role = role_of(task.part, task.class_)
        for at in view.touched(task.ts, task.dur):
            begin = view.ts_of(at)
            part = min(begin + view.cell_ns, task.ts + task.dur) - max(begin, task.ts)
            busy[view.first + at] = busy.get(view.first + at, 0) + part
    return [Cell(bucket, min(ns, view.cell_ns), 1, role) for bucket, ns in busy.items()]
