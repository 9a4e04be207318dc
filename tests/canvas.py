"""What rows of the canvas are checked with: made-up lanes, and rows taken apart."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from npuview.tui.draw.cells import Cell, Coverage
from npuview.tui.draw.lane import Block
from npuview.tui.draw.look import Look
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import Attributes, Run
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.draw.viewport import Viewport


class Spot(NamedTuple):
    """One cell of a drawn row; a wide character is in both of its cells."""

    character: str
    role: Role
    filled: bool
    attributes: Attributes


def block(
    ts: int,
    dur: int,
    name: str = "MatMulV2",
    *,
    slice_id: int = 1,
    role: Role = Role.CUBE,
    depth: int = 0,
    unfinished: bool = False,
) -> Block:
    """Return a slice."""
    return Block(slice_id, ts, dur, name, role, depth, 0, unfinished)


def lane_cells(slices: Iterable[tuple[int, int]], level: int) -> list[Cell]:
    """Return the cells of a lane: the union of ``(ts, dur)``, instant by instant."""
    busy: dict[int, set[int]] = {}
    count: dict[int, int] = {}
    for ts, dur in slices:
        count[ts >> level] = count.get(ts >> level, 0) + 1
        for instant in range(ts, ts + dur):
            busy.setdefault(instant >> level, set()).add(instant)
    return [
        Cell(bucket, len(busy.get(bucket, ())), count.get(bucket, 0), Role.CUBE)
        for bucket in sorted(busy.keys() | count.keys())
    ]


def coverage_of(blocks: Sequence[tuple[int, int]], view: Viewport, look: Look) -> Coverage:
    """Return the coverage of slices in the buffer of a view."""
    return Coverage.of(lane_cells(blocks, view.level), view.buffer(), look)


def spots(runs: Iterable[Run]) -> list[Spot]:
    """Return a row cell by cell."""
    return [
        Spot(character, run.role, run.filled, run.attributes)
        for run in runs
        for character in run.text
        for _ in range(cell_len(character))
    ]


def width(runs: Iterable[Run]) -> int:
    """Return the cells of a row."""
    return sum(cell_len(run.text) for run in runs)
