"""Cells of a lane by depth, and the measured quantities, held against the rows themselves."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from store_build import StoreBuilder, ask, identifier
from test_lod import sweep
from test_queries_lanes import PLACES, add_slices

from npuview.ingest.store import Store
from npuview.queries.rows_timeline import CountersRow, DepthCellsRow

Place = tuple[int, int, str | None, int, int, int, str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    builder = add_slices(StoreBuilder(tmp_path_factory.mktemp("depths")).rank(0))
    add = {"track_id": 3, "name": "x", "sublane": 0, "class_": "host"}
    # Slices of one depth that overlap, one that ends where a cell does, and instants.
    for slice_, (ts, dur, depth) in enumerate(OVERLAPPING, 20):
        builder.add("slice", slice_id=slice_, ts=ts, dur=dur, depth=depth, **add)
    # Another rank has lanes of the same numbers.
    builder.rank(1).add("slice", slice_id=1, track_id=1, ts=0, dur=999, depth=0, name="other")
    return builder.build()


OVERLAPPING = [(0, 64, 0), (32, 96, 0), (40, 8, 1), (64, 0, 1), (128, 0, 0), (130, 5, 0)]


def depths_by_sweep(
    slices: Sequence[tuple[int, int, int]], level: int, from_ts: int, to_ts: int
) -> list[tuple[int, int, int, int]]:
    """Return depth, bucket, busy ns and starts of every cell that a window overlaps."""
    cells: list[tuple[int, int, int, int]] = []
    for depth in sorted({depth for *_, depth in slices}):
        of_depth = [(ts, ts + dur) for ts, dur, one in slices if one == depth]
        for bucket, busy in sorted(sweep(of_depth, level).items()):
            if from_ts >> level <= bucket <= (to_ts - 1) >> level:
                starts = sum(ts >> level == bucket for ts, _ in of_depth)
                cells.append((depth, bucket, busy, starts))
    return cells


@pytest.mark.parametrize("window", [(0, 1024), (64, 128), (63, 65), (129, 130), (300, 800)])
@pytest.mark.parametrize("level", [0, 3, 6, 20])
@pytest.mark.parametrize("track", [1, 3])
def test_the_cells_of_a_depth_equal_a_sweep_over_its_slices(
    track: int, level: int, window: tuple[int, int], store: Store
) -> None:
    slices = OVERLAPPING
    if track == 1:
        slices = [(ts, dur, depth) for _, lane, _, ts, dur, depth, _ in PLACES if lane == track]
    from_ts, to_ts = window
    rows = ask(store, "depth_cells", level=level, from_ts=from_ts, to_ts=to_ts, track_id=track)
    assert [(row.depth, row.bucket, row.busy, row.count_) for row in rows] == depths_by_sweep(
        slices, level, from_ts, to_ts
    )
    assert {row.track_id for row in rows} <= {track}


def test_the_depths_of_a_part_are_those_of_its_slices(store: Store) -> None:
    asked = {"level": 10, "from_ts": 0, "to_ts": 1024, "track_id": 2}
    assert ask(store, "depth_cells", part="cube", **asked) == [
        DepthCellsRow(2, "cube", 0, 0, 80, 3, "compute")
    ]
    [whole] = ask(store, "depth_cells", **asked)
    assert (whole.part, whole.count_) == (None, 5)
    assert ask(store, "depth_cells", part="transfer", **asked) == []


def test_a_cell_of_a_depth_has_the_class_of_the_slice_with_the_most_time(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for slice_, (ts, dur, class_) in enumerate([(0, 3, "wait"), (3, 9, "compute"), (12, 9, "x")]):
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=1,
            ts=ts,
            dur=dur,
            depth=0,
            class_=class_,
        )
    # Of the last one 4 ns are in the first cell.
    rows = ask(builder.build(), "depth_cells", level=4, from_ts=0, to_ts=32, track_id=1)
    assert [(row.bucket, row.top_class) for row in rows] == [(0, "compute"), (1, "x")]


def test_counters_are_memory_first_then_those_with_the_most_samples(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(2)
    builder.add("track", track_id=9, kind="counter", process_name="NPU", sort_order=1)
    series: list[tuple[str, str | None, list[float]]] = [
        ("Freq", "MHz", [1800.0, 800.0, 1200.0]),
        ("HBM", "MB/s", [5.0, -1.0, 2.0, 2.0]),
        ("Memory", "bytes", [7.0]),
        ("never measured", "bytes", []),
        ("Util", None, [0.5, 0.5, 0.5]),
    ]
    for number, (name, unit, values) in enumerate(series):
        builder.add(
            "counter_series", series_id=number, track_id=9, name=name, key="value", unit=unit
        )
        for at, value in enumerate(values):
            builder.add("counter", series_id=number, ts=at, value=value)
    builder.rank(5).add("counter_series", series_id=0, track_id=4, name="Freq", key="MHz")
    builder.add("counter", series_id=0, ts=1, value=3.0)
    store = builder.build()
    rows = ask(store, "counters", rank=2)
    assert [(row.name, row.samples, row.least, row.most) for row in rows] == [
        ("Memory", 1, 7.0, 7.0),
        ("HBM", 4, -1.0, 5.0),
        ("Freq", 3, 800.0, 1800.0),
        ("Util", 3, 0.5, 0.5),
    ]
    assert rows[0].process_name == "NPU"
    other = identifier(1, 0), 5, identifier(1, 4), None, "Freq", "MHz", None, 1, 3.0, 3.0
    assert ask(store, "counters") == [*rows, CountersRow(*other)]
