"""What the timeline has loaded: three windows of cells, and the slices wide enough to name.

A slab is made on the thread that asks, ready to be drawn: panning inside it needs no
question and no arithmetic per event.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, repeat
from typing import TYPE_CHECKING

from ...queries.rows import GapsRow
from ...queries.rows_timeline import CellLevelsRow, DepthCellsRow, LongSlicesRow
from ..answers import Answers
from ..draw.cells import Cell, Coverage
from ..draw.gap_row import Gap, least_gap_ns
from ..draw.lane import Block, least_block_ns
from ..draw.look import Look
from ..draw.role import Role, role_of
from ..draw.viewport import Viewport
from ..words.reasons import cause_words
from .lanes import Lane, LaneKey, Lanes

if TYPE_CHECKING:
    from ...queries.lane_cells import CounterCells, LaneCells

MOST_GAPS = 2000
"""Gaps that are drawn by themselves; of more the longest are."""


@dataclass(frozen=True, slots=True)
class LaneInk:
    """A lane in the window of its slab."""

    coverage: Coverage
    busy_until: tuple[int, ...]
    """Busy ns from the start of the window to that of each cell, and to the end."""
    blocks: Sequence[Block] = ()
    gaps: Sequence[Gap] = ()
    values: Sequence[float | None] = ()
    """Of a counter: the highest value in each cell, None before the first sample."""

    def most(self, view: Viewport) -> float | None:
        """Return the highest value in a view that the window covers; None without a sample."""
        first = view.first - self.coverage.window.first
        seen = (one for one in self.values[first : first + view.cells] if one is not None)
        return max(seen, default=None)

    def busy(self, view: Viewport) -> int:
        """Return the time in which the lane is busy in a view that the window covers, ns."""
        first = view.first - self.coverage.window.first
        return self.busy_until[first + view.cells] - self.busy_until[first]


@dataclass(frozen=True, slots=True)
class Slab:
    """The lanes of a rank in a window; what a lane has no ink for is blank there."""

    rank: int
    window: Viewport
    keys: frozenset[LaneKey]
    """The lanes that were asked for."""
    ink: dict[LaneKey, LaneInk]
    blank: LaneInk

    def of(self, lane: Lane) -> LaneInk:
        """Return the ink of a lane."""
        return self.ink.get(lane.key, self.blank)

    def serves(self, rank: int, view: Viewport, lanes: Sequence[Lane]) -> bool:
        """Tell whether a view of these lanes can be drawn from it."""
        return (
            rank == self.rank
            and self.window.covers(view)
            and all(lane.key in self.keys for lane in lanes)
        )


def finest_level(answers: Answers, rank: int) -> int | None:
    """Return the finest level at which a rank's cells are stored; None without any."""
    levels = [row.level for row in answers.rows("cell_levels", CellLevelsRow, rank=rank)]
    return min(levels, default=None)


def load_slab(
    answers: Answers, rank: int, lanes: Lanes, view: Viewport, finest: int | None, look: Look
) -> Slab:
    """Ask for three windows around a view; raises as ``Session.run`` does."""
    shown = lanes.shown
    window = view.buffer()
    tracks = lanes.tracks
    asked = {"from_ts": window.from_ts, "to_ts": window.to_ts, "tracks": tracks}
    cells = answers.lane_cells(view.level, window, tracks, finest)
    slices = answers.rows("long_slices", LongSlicesRow, min_dur=least_block_ns(view.level), **asked)
    gaps: list[GapsRow] = []
    if any(lane.is_gap for lane in shown):
        gaps = answers.rows(
            "gaps",
            GapsRow,
            rank=rank,
            min_dur=least_gap_ns(view.level),
            from_ts=window.from_ts,
            to_ts=window.to_ts,
            limit=MOST_GAPS,
        )
    ink = _ink(cells, slices, gaps, shown, window, look)
    for lane in shown:
        if lane.depth == 0:
            ink |= _depths(answers, lane, slices, window, look)
    ink |= _counters(answers, [lane for lane in shown if lane.counter], window, look)
    keys = frozenset(lane.key for lane in shown)
    return Slab(rank, window, keys, ink, _lane_ink((), window, look))


def load_whole(
    answers: Answers, tracks: Iterable[int], whole: Viewport, finest: int | None, look: Look
) -> Coverage:
    """Return when the devices of a rank work, in one row over all that there is to see."""
    wanted = ",".join(str(one) for one in tracks)
    cells: list[Cell] = []
    for lane in answers.lane_cells(whole.level, whole, wanted, finest) if wanted else ():
        cells += map(Cell, lane.buckets, lane.busy, lane.counts, repeat(Role.VECTOR))
    return Coverage.of(cells, whole, look)


def _ink(
    lanes: "Iterable[LaneCells]",
    slices: Iterable[LongSlicesRow],
    gaps: Sequence[GapsRow],
    shown: Sequence[Lane],
    window: Viewport,
    look: Look,
) -> dict[LaneKey, LaneInk]:
    blocks = _blocks(slices)
    gap_lanes = {lane.row.track_id: lane.row.device_id for lane in shown if lane.is_gap}
    ink: dict[LaneKey, LaneInk] = {}
    for lane in lanes:
        track, part = lane.track_id, lane.part
        own: list[GapsRow] = []
        if track in gap_lanes:
            roles: Iterable[Role] = repeat(Role.IDLE)
            own = [gap for gap in gaps if gap.device_id == gap_lanes[track]]
        elif part is not None:
            roles = repeat(role_of(part, None))
        else:
            by_class = {one: role_of(None, one) for one in set(lane.classes)}
            roles = map(by_class.__getitem__, lane.classes)
        cells = list(map(Cell, lane.buckets, lane.busy, lane.counts, roles))
        key = (track, part, None)
        ink[key] = _lane_ink(cells, window, look, blocks.get((track, part), ()), _gaps(own))
    return ink


def _depths(
    answers: Answers,
    lane: Lane,
    slices: Iterable[LongSlicesRow],
    window: Viewport,
    look: Look,
) -> dict[LaneKey, LaneInk]:
    """Return the sub-lanes of an opened lane."""
    row = lane.row
    rows = answers.rows(
        "depth_cells",
        DepthCellsRow,
        level=window.level,
        from_ts=window.from_ts,
        to_ts=window.to_ts,
        track_id=row.track_id,
        part=row.part,
    )
    blocks: dict[int, list[Block]] = {}
    for one in slices:
        if (one.track_id, one.part) == (row.track_id, row.part):
            blocks.setdefault(one.depth, []).append(_block(one))
    ink: dict[LaneKey, LaneInk] = {}
    for depth, of_depth in groupby(rows, lambda one: one.depth):
        cells = [
            Cell(one.bucket, one.busy, one.count_, role_of(row.part, one.top_class))
            for one in of_depth
        ]
        key = (row.track_id, row.part, depth)
        ink[key] = _lane_ink(cells, window, look, blocks.get(depth, ()))
    return ink


def _counters(
    answers: Answers, lanes: Sequence[Lane], window: Viewport, look: Look
) -> dict[LaneKey, LaneInk]:
    """Return the lanes of counters: as full as the value is large, against its most."""
    by_series = {lane.row.track_id: lane for lane in lanes}
    if not by_series:
        return {}
    ink: dict[LaneKey, LaneInk] = {}
    for one in answers.counter_cells(window, ",".join(map(str, by_series))):
        lane = by_series[one.series_id]
        values = _held(one, window)
        most = lane.counter.most if lane.counter else 0.0
        cells = [
            Cell(window.first + at, _part(value, most, window.cell_ns), value > 0, Role.HOST)
            for at, value in enumerate(values)
            if value is not None
        ]
        drawn = _lane_ink(cells, window, look)
        ink[lane.key] = replace(drawn, values=values)
    return ink


def _held(counter: "CounterCells", window: Viewport) -> list[float | None]:
    """Return the highest value of every cell: a value holds until the next sample.

    After the last sample nothing is known.
    """
    end = counter.last_ts >> window.level
    highest = dict(zip(counter.buckets or (), counter.most or (), strict=True))
    last = dict(zip(counter.buckets or (), counter.last or (), strict=True))
    held = counter.before
    values: list[float | None] = []
    for bucket in range(window.first, min(window.first + window.cells, end + 1)):
        sampled = highest.get(bucket)
        known = [one for one in (held, sampled) if one is not None]
        values.append(max(known, default=None))
        held = last.get(bucket, held)
    return values


def _part(value: float, most: float, whole: int) -> int:
    """Return which part of a cell stands for a value; only the most fills it.

    A value below zero has no part: it is told, not drawn.
    """
    if value <= 0:
        return 0
    if value >= most:
        return whole
    return min(whole - 1, int(value / most * whole))


def _lane_ink(
    cells: Sequence[Cell],
    window: Viewport,
    look: Look,
    blocks: Sequence[Block] = (),
    gaps: Sequence[Gap] = (),
) -> LaneInk:
    busy = [0] * window.cells
    for cell in cells:
        at = cell.bucket - window.first
        if 0 <= at < window.cells:
            busy[at] = cell.busy
    sums = tuple(accumulate(busy, initial=0))
    return LaneInk(Coverage.of(cells, window, look), sums, blocks, gaps)


def _blocks(slices: Iterable[LongSlicesRow]) -> dict[tuple[int, str | None], list[Block]]:
    return {
        key: [_block(row) for row in rows]
        for key, rows in groupby(slices, lambda row: (row.track_id, row.part))
    }


def _block(row: LongSlicesRow) -> Block:
    role = role_of(row.part, row.class_)
    return Block(row.slice_id, row.ts, row.dur, row.name, role, row.depth, row.sublane)


def _gaps(rows: Iterable[GapsRow]) -> list[Gap]:
    return sorted(
        (Gap(row.gap_id, row.ts, row.dur, row.cause and cause_words(row.cause)) for row in rows),
        key=lambda gap: gap.ts,
    )
