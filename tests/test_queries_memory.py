"""Memory over time."""

from pathlib import Path

import pytest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows_memory import MemoryRow

SAMPLES = 200


def made_up_values(series: int) -> list[tuple[int, int]]:
    """Return instants and values that go up and down without a pattern."""
    return [(1000 + 7 * at, (at + series) ** 7 % 999_983) for at in range(SAMPLES)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    builder = StoreBuilder(tmp_path_factory.mktemp("memory")).rank(0)
    names = ((1, "PTA", "reserved"), (2, "PTA", "allocated"), (3, "APP", "reserved"))
    for series, name, key in names:
        builder.add(
            "counter_series", series_id=series, track_id=1, name=name, key=key, unit="bytes"
        )
        for ts, value in made_up_values(series):
            builder.add("counter", series_id=series, ts=ts, value=float(value))
    builder.add(
        "counter_series", series_id=4, track_id=1, name="AI Core Freq", key="MHz", unit="MHz"
    )
    builder.add("counter", series_id=4, ts=1000, value=1800.0)
    # Another rank, with a clock of its own.
    builder.rank(1).add(
        "counter_series", series_id=1, track_id=1, name="PTA", key="reserved", unit="bytes"
    )
    for ts, value in ((10**15, 1.0), (10**15 + 9, 3.0), (10**15 + 10, 3.0)):
        builder.add("counter", series_id=1, ts=ts, value=value)
    return builder.build()


def test_with_enough_points_every_sample_is_there(store: Store) -> None:
    rows = ask(store, "memory", rank=0, component="PTA", key="reserved", points=10**6)
    assert [(row.ts, row.held_bytes) for row in rows] == made_up_values(1)
    assert rows[0] == MemoryRow(1, 0, None, "PTA", "reserved", *made_up_values(1)[0], 1)


def test_what_is_not_in_bytes_is_not_memory(store: Store) -> None:
    assert {row.component for row in ask(store, "memory")} == {"PTA", "APP"}


@pytest.mark.parametrize("points", [1, 2, 7, 30, 199])
def test_fewer_points_keep_every_peak_and_count_every_sample(points: int, store: Store) -> None:
    rows = ask(store, "memory", rank=0, points=points)
    for series in (1, 2, 3):
        own = [row for row in rows if row.series_id == series]
        values = dict(made_up_values(series))
        assert len(own) <= points
        assert sum(row.samples for row in own) == SAMPLES
        assert max(row.held_bytes for row in own) == max(values.values())
        assert all(values[row.ts] == row.held_bytes for row in own)
        assert [row.ts for row in own] == sorted(row.ts for row in own)


def test_each_rank_is_cut_by_its_own_clock(store: Store) -> None:
    rows = [row for row in ask(store, "memory", points=2) if row.rank == 1]
    # Of equal values the first is shown.
    assert rows == [
        MemoryRow(identifier(1, 1), 1, None, "PTA", "reserved", 10**15, 1, 1),
        MemoryRow(identifier(1, 1), 1, None, "PTA", "reserved", 10**15 + 9, 3, 2),
    ]


def test_a_window_of_memory_ends_before_its_end(store: Store) -> None:
    rows = ask(store, "memory", rank=0, key="allocated", from_ts=1007, to_ts=1021)
    assert [row.ts for row in rows] == [1007, 1014]


def test_a_series_of_one_sample_is_one_point(tmp_path: Path) -> None:
    store = (
        StoreBuilder(tmp_path)
        .rank(0)
        .add("counter_series", series_id=1, track_id=1, name="APP", key="hbm", unit="bytes")
        .add("counter", series_id=1, ts=5, value=8.0)
        .build()
    )
    for points in (0, 1, 1000):
        assert ask(store, "memory", points=points) == [MemoryRow(1, 0, None, "APP", "hbm", 5, 8, 1)]
