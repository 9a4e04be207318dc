"""Cells in lists equal the questions' cells, and the samples of counters a sweep over them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.pipeline import open_store
from npuview.queries.lane_cells import CounterCells, LaneCells, counter_cells, lane_cells
from npuview.queries.rows_timeline import CellLevelsRow, CellsRow, LanesRow
from npuview.tui.answers import Answers, open_answers
from npuview.tui.focus import Window
from npuview.tui.run import ask_run

CellKey = tuple[int, str | None, int]

shares = st.integers(0, 1000)
"""Where a window begins and ends, in thousandths of the run; beyond it from both sides."""


class Traced:
    """The sample: its lanes, levels and extent, and slices to hold the cells against."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.session = answers.session
        self.extent = ask_run(answers).extent(0) or Window(0, 1)
        self.tracks = sorted({row.track_id for row in answers.rows("lanes", LanesRow)})
        levels = [row.level for row in answers.rows("cell_levels", CellLevelsRow)]
        self.finest, self.coarsest = min(levels), max(levels)

    def window(self, start: int, length: int, whole: int = 0) -> Window:
        """Return a window that begins up to a tenth before the extent.

        It ends where cells of the level ``whole`` do.
        """
        part = self.extent.dur // 900
        from_ts = self.extent.from_ts - self.extent.dur // 10 + start * part
        return Window(from_ts, ((from_ts + length * part >> whole) + 1) << whole)


@pytest.fixture(scope="module")
def traced(sample: Path, places: Path) -> Iterator[Traced]:
    answers = open_answers(open_store(sample, cache_dir=places / "cache").store)
    yield Traced(answers)
    answers.close()


def as_cells(lanes: list[LaneCells]) -> dict[CellKey, tuple[int, int, str | None]]:
    """Return the cells of all lanes; fail if a lane or a cell is there twice."""
    found: dict[CellKey, tuple[int, int, str | None]] = {}
    for lane in lanes:
        assert lane.buckets
        columns = zip(lane.buckets, lane.busy, lane.counts, lane.classes, strict=True)
        for bucket, busy, count, class_ in columns:
            key = (lane.track_id, lane.part, bucket)
            assert key not in found
            found[key] = (busy, count, class_)
    return found


@settings(max_examples=25, deadline=None)
@given(data=st.data(), start=shares, length=shares, whole=st.booleans())
def test_stored_cells_are_those_of_the_question(
    traced: Traced, data: st.DataObject, start: int, length: int, whole: bool
) -> None:
    level = data.draw(st.integers(traced.finest, traced.coarsest))
    chosen = data.draw(st.sets(st.sampled_from(traced.tracks), min_size=1, max_size=6))
    tracks = ",".join(map(str, chosen))
    window = traced.window(start, length, level if whole else 0)
    asked = {"level": level, "from_ts": window.from_ts, "to_ts": window.to_ts}
    rows = traced.answers.rows("cells", CellsRow, tracks=tracks, **asked)
    found = lane_cells(traced.session, level, *window, tracks, stored=True)
    assert as_cells(found) == {
        (row.track_id, row.part, row.bucket): (row.busy, row.count_, row.top_class) for row in rows
    }


@settings(max_examples=25, deadline=None)
@given(data=st.data(), start=shares, length=st.integers(0, 40), whole=st.booleans())
def test_finer_cells_are_those_of_the_question(
    traced: Traced, data: st.DataObject, start: int, length: int, whole: bool
) -> None:
    level = data.draw(st.integers(traced.finest - 6, traced.finest))
    chosen = data.draw(st.sets(st.sampled_from(traced.tracks), min_size=1, max_size=6))
    tracks = ",".join(map(str, chosen))
    window = traced.window(start, length, level if whole else 0)
    asked = {"level": level, "from_ts": window.from_ts, "to_ts": window.to_ts}
    rows = traced.answers.rows("fine_cells", CellsRow, tracks=tracks, **asked)
    found = as_cells(lane_cells(traced.session, level, *window, tracks, stored=False))
    assert {key: cell[:2] for key, cell in found.items()} == {
        (row.track_id, row.part, row.bucket): (row.busy, row.count_) for row in rows
    }
    if level == traced.finest:
        stored = as_cells(lane_cells(traced.session, level, *window, tracks, stored=True))
        assert {key: cell[:2] for key, cell in stored.items()} == {
            key: cell[:2] for key, cell in found.items()
        }


def test_a_finer_cell_has_the_class_of_its_longest_slice(traced: Traced) -> None:
    tracks = ",".join(map(str, traced.tracks))
    window, level = traced.window(500, 20), traced.finest - 3
    found = as_cells(lane_cells(traced.session, level, *window, tracks, stored=False))
    slices = traced.session.sql(
        "SELECT track_id, part, ts, end_ts, class FROM slice"
        " WHERE ts < $to_ts + (1::BIGINT << $level)"
        " AND end_ts >= $from_ts - (1::BIGINT << $level)",
        {"level": level, "from_ts": window.from_ts, "to_ts": window.to_ts},
    ).rows
    longest: dict[CellKey, tuple[int, set[str | None]]] = {}
    for track, part, ts, end, class_ in slices:
        assert isinstance(track, int)
        assert isinstance(ts, int)
        assert isinstance(end, int)
        assert part is None or isinstance(part, str)
        assert class_ is None or isinstance(class_, str)
        for bucket in range(ts >> level, (max(end - 1, ts) >> level) + 1):
            dur, classes = longest.get((track, part, bucket), (-1, set()))
            if end - ts >= dur:
                longest[track, part, bucket] = (
                    end - ts,
                    {class_} | (classes if end - ts == dur else set()),
                )
    checked = [key for key in found if key in longest]
    assert len(checked) > 100
    for key in checked:
        assert found[key][2] in longest[key][1]


def test_a_lane_that_is_not_asked_for_or_has_nothing_there_is_left_out(traced: Traced) -> None:
    window = Window(traced.extent.from_ts - 10**9, traced.extent.from_ts - 10**8)
    tracks = ",".join(map(str, traced.tracks))
    for stored in (False, True):
        assert lane_cells(traced.session, traced.finest, *window, tracks, stored=stored) == []


@settings(max_examples=25, deadline=None)
@given(data=st.data(), start=shares, length=shares, level=st.integers(8, 30), whole=st.booleans())
def test_samples_of_counters_equal_a_sweep_over_them(
    traced: Traced, data: st.DataObject, start: int, length: int, level: int, whole: bool
) -> None:
    chosen = data.draw(st.sets(st.integers(0, 25)))
    window = traced.window(start, length, level if whole else 0)
    first, last = window.from_ts >> level, (window.to_ts - 1) >> level
    samples = traced.session.sql("SELECT series_id, ts, value FROM counter ORDER BY ts").rows
    expected: list[CounterCells] = []
    for series in sorted(chosen):
        own = [(ts, value) for one, ts, value in samples if one == series]
        before: float | None = None
        most: dict[int, float] = {}
        newest: dict[int, float] = {}
        for ts, value in own:
            assert isinstance(ts, int)
            assert isinstance(value, float)
            bucket = ts >> level
            if bucket < first:
                before = value
            elif bucket <= last:
                most[bucket] = max(value, most.get(bucket, value))
                newest[bucket] = value
        last_ts = max((ts for ts, _ in own if isinstance(ts, int)), default=0)
        lists = list(most), list(most.values()), list(newest.values())
        if most:
            expected.append(CounterCells(series, before, *lists, last_ts))
        elif before is not None:
            expected.append(CounterCells(series, before, None, None, None, last_ts))
    series = ",".join(map(str, chosen)) or "-1"
    found = counter_cells(traced.session, level, *window, series)
    assert sorted(found, key=lambda one: one.series_id) == expected
