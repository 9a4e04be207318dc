"""Level-of-detail cells: exact busy time at every level, nothing invisible."""

from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingested
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.pipeline import open_store

spans = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 5_000_000), st.integers(0, 900_000)),
    min_size=1,
    max_size=60,
)


@settings(max_examples=12, deadline=None)
@given(spans)
def test_cells_equal_a_sweep_over_the_slices_at_every_level(
    tmp_path_factory: pytest.TempPathFactory, slices: list[tuple[int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("lod")
    trace = TraceBuilder()
    for tid, ts, dur in slices:
        trace.host_thread(tid).slice("s", ts, dur)
    store = Ingested(open_store(trace.write(folder / "t.json"), cache_dir=folder / "cache"))
    by_track: dict[int, list[tuple[int, int]]] = {}
    for track, ts, dur in store.rows("SELECT track_id, ts, dur FROM slice"):
        by_track.setdefault(track, []).append((ts, ts + dur))
    levels = [level for (level,) in store.rows("SELECT DISTINCT level FROM lod ORDER BY level")]
    assert levels == list(range(levels[0], levels[0] + len(levels)))
    for level in levels:
        expected: dict[tuple[int, int], tuple[int, int]] = {}
        for track, ranges in by_track.items():
            for bucket, busy in sweep(ranges, level).items():
                starts = sum(ts >> level == bucket for ts, _ in ranges)
                expected[track, bucket] = (busy, starts)
        found = store.rows(f"SELECT track_id, bucket, busy, count FROM lod WHERE level = {level}")
        assert {(t, b): (busy, count) for t, b, busy, count in found} == expected


def sweep(ranges: list[tuple[int, int]], level: int) -> dict[int, int]:
    """Return the busy ns of every cell that a range touches or an instant lies in."""
    cells: dict[int, int] = {}
    reached = -1
    for begin, end in sorted(ranges):
        cells.setdefault(begin >> level, 0)
        at = max(begin, reached)
        while at < end:
            edge = min(end, ((at >> level) + 1) << level)
            cells[at >> level] = cells.get(at >> level, 0) + edge - at
            at = edge
        reached = max(reached, end)
    return cells


def test_the_top_of_a_cell_is_the_slice_with_the_most_time_of_its_own(tmp_path: Path) -> None:
    trace = TraceBuilder()
    lane = trace.host_thread()
    lane.slice("step", 0, 4096)
    lane.slice("forward", 0, 4000)
    lane.slice("op", 100, 3000)
    lane.slice("far", 1 << 20, 1)
    store = Ingested(open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache"))
    assert store.rows(
        "SELECT DISTINCT name, top_class FROM lod JOIN slice ON slice_id = top_slice_id"
        " WHERE level >= 12 AND bucket = 0"
    ) == [("op", "host")]


def test_rows_are_in_the_order_in_which_views_read_them(tmp_path: Path) -> None:
    trace = TraceBuilder()
    for number in range(500):
        trace.kernel("k", number * 1000, 500, stream=number % 5)
    store = Ingested(open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache"))
    cells = store.rows("SELECT level, bucket, track_id FROM lod")
    assert cells == sorted(cells)
    ids = [row[0] for row in store.rows("SELECT slice_id FROM slice")]
    assert ids == list(range(500))
