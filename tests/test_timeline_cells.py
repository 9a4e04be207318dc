"""What the timeline draws, held against the slices: cell by cell, at random places."""

import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, pairwise, product
from pathlib import Path

import pytest
from made_up import MadeUp

from npuview.ingest.pipeline import open_store
from npuview.tui.answers import Answers, open_answers
from npuview.tui.draw.gap_row import gap_row
from npuview.tui.draw.lane import lane_row
from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.run import Run
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.draw.viewport import Viewport
from npuview.tui.focus import Window
from npuview.tui.run import ask_run
from npuview.tui.timeline.lanes import Lane
from npuview.tui.timeline.rank_lanes import load_rank
from npuview.tui.timeline.slab import LaneInk, load_slab

SLABS = 286
PANS = 6
"""Views that are drawn of what was loaded once beside the first one: 2,002 in all."""

CELLS = (71, 94, 134)

ISLANDS = """
WITH reach AS (
  SELECT track_id, part, ts, end_ts, max(end_ts) OVER (
    PARTITION BY track_id, part ORDER BY ts, end_ts
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ) AS reached
  FROM (
    SELECT track_id, part, ts, end_ts FROM slice
    UNION ALL
    SELECT (SELECT track_id FROM track WHERE kind = 'gap' AND device_id = g.device_id),
      NULL, ts, ts + dur FROM gap AS g WHERE kind = 'device'
  )
), numbered AS (
  SELECT *, sum((reached IS NULL OR ts > reached)::INT) OVER (
    PARTITION BY track_id, part ORDER BY ts, end_ts ROWS UNBOUNDED PRECEDING
  ) AS island
  FROM reach
)
SELECT track_id, part, min(ts), max(end_ts) FROM numbered
GROUP BY track_id, part, island ORDER BY 1, 2, 3
"""


class Truth:
    """When a lane is busy, and when its slices begin, by plain SQL over the slices."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.begun: list[int] = []
        self._busy_before: list[int] = []

    def close(self) -> None:
        lengths = (end - start for start, end in zip(self.starts, self.ends, strict=True))
        self._busy_before = list(accumulate(lengths, initial=0))
        self.begun.sort()

    def busy(self, view: Viewport) -> list[int]:
        """Return the busy ns of every cell of a view."""
        until = [self._until(view.ts_of(at)) for at in range(view.cells + 1)]
        return [end - start for start, end in pairwise(until)]

    def count(self, from_ts: int, to_ts: int) -> int:
        return bisect_right(self.begun, to_ts - 1) - bisect_right(self.begun, from_ts - 1)

    def _until(self, ts: int) -> int:
        at = bisect_right(self.starts, ts)
        if at == 0:
            return 0
        return self._busy_before[at - 1] + min(self.ends[at - 1], ts) - self.starts[at - 1]


Truths = dict[tuple[int, str | None], Truth]


def truths(answers: Answers) -> Truths:
    found: Truths = {}
    for track, part, ts, end in answers.session.cursor().execute(ISLANDS).fetchall():
        one = found.setdefault((track, part), Truth())
        one.starts.append(ts)
        one.ends.append(end)
    begun = "SELECT track_id, part, ts FROM slice"
    for track, part, ts in answers.session.cursor().execute(begun).fetchall():
        found[track, part].begun.append(ts)
    for one in found.values():
        one.close()
    return found


def cells_of(row: list[Run]) -> list[Run]:
    """Return a run for every cell of a row; of a wide character the second half is blank."""
    cells: list[Run] = []
    for run in row:
        for character in run.text:
            cells.append(run._replace(text=character))
            cells += [run._replace(text=" ")] * (cell_len(character) - 1)
    return cells


def check_row(
    row: list[Run], lane: Lane, view: Viewport, truth: Truth | None, look: Look
) -> Iterator[str]:
    """Yield what is wrong with a drawn lane."""
    ramp = look.signs.ramp
    steps = len(ramp) - 1
    busy_cells = truth.busy(view) if truth else [0] * view.cells
    cells = cells_of(row)
    if len(cells) != view.cells:
        yield f"{len(cells)} cells instead of {view.cells}"
    for at, cell in enumerate(cells):
        busy = busy_cells[at]
        count = truth.count(view.ts_of(at), view.ts_of(at + 1)) if truth and not busy else 0
        share = busy * steps / view.cell_ns
        # The frame of a gap, with its label, covers only cells that lie wholly in it.
        framed = lane.is_gap and (cell.text not in ramp or busy == view.cell_ns)
        if cell.filled or framed:
            if busy != view.cell_ns:
                yield f"{lane.key} cell {at}: full, but busy {busy} of {view.cell_ns}"
            continue
        step = ramp.index(cell.text)
        if (step == 0) != (busy == 0 and count == 0):
            yield f"{lane.key} cell {at}: {cell.text!r} for busy {busy}, {count} slices"
        elif step == steps and busy != view.cell_ns:
            yield f"{lane.key} cell {at}: full with a gap, busy {busy} of {view.cell_ns}"
        elif abs(step - share) > 1:
            yield f"{lane.key} cell {at}: step {step} for {share}"


def check_lane(
    ink: LaneInk, lane: Lane, view: Viewport, truths: Truths, look: Look
) -> Iterator[str]:
    """Yield what is wrong with a lane in a view, and with the time that is told of it."""
    if lane.is_gap:
        row = gap_row(view, ink.coverage, ink.gaps, (), look)
    else:
        row = lane_row(view, ink.coverage, ink.blocks, (), look)
    truth = truths.get((lane.row.track_id, lane.row.part))
    yield from check_row(row, lane, view, truth, look)
    expected = sum(truth.busy(view)) if truth else 0
    if ink.busy(view) != expected:
        yield f"{lane.key}: busy {ink.busy(view)} instead of {expected}"


def wrong_cells(path: Path, cache: Path, slabs: int, glyphs: Glyphs = "unicode") -> list[str]:
    """Load a profile at random places, pan over each; return what is wrong with the views."""
    look = Look(glyphs)
    answers = open_answers(open_store(path, cache_dir=cache).store)
    wrong: list[str] = []
    try:
        run = ask_run(answers)
        extent = run.extent(run.ranks[0]) or Window(0, 1)
        rank = load_rank(answers, run.ranks[0])
        lanes = rank.lanes
        truth = truths(answers)
        draw = random.Random(50)  # noqa: S311 - a walk that can be repeated, no secret
        for _ in range(slabs):
            cells = draw.choice(CELLS)
            coarsest = Viewport.fit(extent.from_ts, extent.to_ts, cells).level
            level = draw.randint(0, coarsest + 1)
            ts = draw.randint(extent.from_ts - (cells << level) // 2, extent.to_ts)
            view = Viewport(level, ts >> level, cells)
            slab = load_slab(answers, rank.rank, lanes, view, rank.finest, look)
            first, last = slab.window.first, slab.window.first + slab.window.cells - cells
            pans = [view, *(replace(view, first=draw.randint(first, last)) for _ in range(PANS))]
            for lane, panned in product(lanes.shown, pans):
                # A counter shows values, not time.
                if lane.counter is None:
                    wrong += check_lane(slab.of(lane), lane, panned, truth, look)
            if wrong:
                break
    finally:
        answers.close()
    return wrong


def test_every_cell_of_random_views_of_the_sample_tells_the_truth(made_up: MadeUp) -> None:
    assert wrong_cells(made_up().profile, made_up().cache, SLABS) == []


@pytest.mark.parametrize("glyphs", ["blocks", "ascii"])
def test_other_glyphs_tell_the_same_truth(made_up: MadeUp, glyphs: Glyphs) -> None:
    assert wrong_cells(made_up().profile, made_up().cache, SLABS // 10, glyphs) == []


@pytest.mark.shared
def test_every_cell_of_random_views_of_a_real_profile_tells_the_truth(
    shared_data: Path, tmp_path: Path
) -> None:
    profile = shared_data / "torch_npu" / "level1" / "rank0_ascend_pt"
    assert wrong_cells(profile, tmp_path / "cache", SLABS) == []
