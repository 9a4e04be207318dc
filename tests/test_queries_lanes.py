"""Rows of the timeline, their cells worked out from slices, and what is near an instant."""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import TraceBuilder
from hypothesis import example, given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder, ask
from test_lod import sweep

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.rows_timeline import (
    AtInstantRow,
    FineCellsRow,
    LanesRow,
    LongSlicesRow,
    SliceNearRow,
)

PLACES = [
    # id, lane, part, ts, dur, depth, name; parents are found by containment
    (1, 1, None, 0, 1000, 0, "step"),
    (2, 1, None, 10, 300, 1, "forward"),
    (3, 1, None, 20, 100, 2, "op"),
    (4, 1, None, 400, 0, 1, "mark"),
    (5, 1, None, 500, 300, 1, "backward"),
    (6, 2, "cube", 100, 50, 0, "MatMul"),
    (7, 2, "vector", 120, 60, 0, "Add"),
    (8, 2, "cube", 300, 10, 0, "MatMul"),
    (9, 2, "waiting", 310, 600, 0, "wait"),
    (10, 2, "cube", 910, 20, 0, "Conv"),
]
PARENTS = {2: 1, 3: 2, 4: 1, 5: 1}
PARTS = ("cube", "vector", "compute", "transfer", "waiting", "control")

Near = Callable[..., int | None]


def add_slices(builder: StoreBuilder) -> StoreBuilder:
    for slice_, track, part, ts, dur, depth, name in PLACES:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=track,
            part=part,
            ts=ts,
            dur=dur,
            depth=depth,
            sublane=0,
            parent_id=PARENTS.get(slice_),
            name=name,
            class_="host" if track == 1 else "compute",
            step=1,
        )
    return builder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    builder = StoreBuilder(tmp_path_factory.mktemp("lanes")).rank(0)
    builder.add("track", track_id=1, kind="cann", sort_order=2, process_name="CANN")
    builder.add("track", track_id=2, kind="stream", device_id=0, stream_id=5, sort_order=1)
    builder.add("track", track_id=3, kind="gap", device_id=0, sort_order=3)
    builder.add("track", track_id=4, kind="plane", device_id=0, sort_order=4)
    builder.add("lane_part", track_id=1, slices=5, busy=1000, launches=3, deepest=2, sublanes=1,
                ts=0, dur=1000)  # fmt: skip
    builder.add("lane_part", track_id=2, slices=5, busy=700, deepest=0, sublanes=1)
    for part in reversed(PARTS):
        builder.add("lane_part", track_id=2, part=part, slices=1, busy=1)
    builder.add("lane_part", track_id=3, slices=0, busy=200, ts=180, dur=120)
    builder.add("stretch", track_id=3, ts=180, dur=120)
    add_slices(builder)
    builder.rank(1).add("slice", slice_id=1, track_id=2, ts=5, dur=7, name="MatMul", depth=0)
    builder.add("track", track_id=2, kind="host", sort_order=0)
    builder.add("lane_part", track_id=2, slices=1, busy=7)
    return builder.build()


@pytest.fixture(scope="module")
def near(store: Store) -> Near:
    def ask_near(ts: int, **params: object) -> int | None:
        rows = ask(store, "slice_near", ts=ts, rank=0, **params)
        return rows[0].slice_id if rows else None

    return ask_near


def test_rows_of_the_timeline_are_lanes_and_parts_from_top_to_bottom(store: Store) -> None:
    rows = ask(store, "lanes", rank=0)
    assert [(row.track_id, row.part) for row in rows] == [
        *((2, part) for part in PARTS),
        (1, None),
        (3, None),
    ]
    assert rows[-2] == LanesRow(
        1, None, 0, None, "cann", "CANN", None, None, None, None, None, 2, 5, 1000, 3, 2, 1, 0, 1000
    )
    assert [(row.rank, row.part) for row in ask(store, "lanes")][-1] == (1, None)


def test_whole_lanes_are_one_row_each(store: Store) -> None:
    rows = ask(store, "lanes", rank=0, whole=True)
    assert [(row.track_id, row.part, row.slices) for row in rows] == [
        (2, None, 5),
        (1, None, 5),
        (3, None, 0),
    ]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("level", [0, 3, 6, 9])
def test_fine_cells_equal_a_sweep_over_the_slices(level: int, whole: bool, store: Store) -> None:
    held: dict[tuple[int, str | None], list[tuple[int, int]]] = {(3, None): [(180, 300)]}
    for _, track, part, ts, dur, *_ in PLACES:
        held.setdefault((track, None if whole else part), []).append((ts, ts + dur))
    expected = {
        (*key, bucket): (busy, sum(ts >> level == bucket for ts, _ in ranges))
        for key, ranges in held.items()
        for bucket, busy in sweep(ranges, level).items()
    }
    for begin, end in ((0, 1000), (130, 131), (305, 650), (1000, 2000), (-50, 1)):
        rows = ask(store, "fine_cells", level=level, from_ts=begin, to_ts=end, whole=whole,
                   tracks="1,2,3")  # fmt: skip
        assert {(r.track_id, r.part, r.bucket): (r.busy, r.count_) for r in rows} == {
            key: cell
            for key, cell in expected.items()
            if key[2] << level < end and (key[2] + 1) << level > begin
        }
        assert rows == sorted(rows, key=lambda row: (row.track_id, row.part or "~", row.bucket))


def test_a_fine_cell_names_the_slice_with_the_most_time_of_its_own(store: Store) -> None:
    def tops(level: int, bucket: int) -> list[str]:
        wide = 1 << level
        rows: list[FineCellsRow] = ask(
            store, "fine_cells", level=level, from_ts=bucket * wide, to_ts=(bucket + 1) * wide,
            tracks="1",
        )  # fmt: skip
        return [f"{row.top_slice_id} {row.top_name} {row.top_class}" for row in rows]

    assert tops(5, 1) == ["3 op host"]
    assert tops(6, 3) == ["2 forward host"]
    # The whole second: step 400 ns of its own, forward 200, op 100, backward 300.
    assert tops(10, 0) == ["1 step host"]
    assert tops(4, 25) == ["1 step host"]


def test_only_the_lanes_asked_for_have_fine_cells(store: Store) -> None:
    rows = ask(store, "fine_cells", level=20, from_ts=0, to_ts=10, tracks="2")
    assert [(row.track_id, row.part, row.busy) for row in rows] == [
        (2, "cube", 80),
        (2, "vector", 60),
        (2, "waiting", 600),
    ]
    assert {row.track_id for row in ask(store, "fine_cells", level=20, from_ts=0, to_ts=10)} > {2}
    assert ask(store, "fine_cells", level=20, from_ts=0, to_ts=10, tracks="99") == []


shapes = st.lists(
    st.tuples(
        st.sampled_from(("host", "MIX_AIC", "AIV", "SDMA", "EVENT_WAIT")),
        st.integers(0, 200_000),
        st.integers(0, 60_000),
    ),
    min_size=1,
    max_size=30,
)


# Of the kernel around another of the same time nothing is its own.
@example([("MIX_AIC", 0, 2048), ("AIV", 0, 2048)])
@settings(max_examples=6, deadline=None)
@given(shapes)
def test_fine_cells_go_on_where_the_stored_ones_end(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("fine")
    trace = TraceBuilder()
    trace.host_thread().slice("all", 0, 300_000)
    for kind, ts, dur in drawn:
        if kind == "host":
            trace.host_thread().slice("h", ts, dur)
        else:
            trace.task("t", ts, dur, task_type=kind)
    store = open_store(trace.write(folder / "t.json"), cache_dir=folder / "cache").store
    finest = ask(store, "cell_levels")[0].level
    for whole in (False, True):
        for begin, end in ((0, 300_000), (70_001, 150_000)):
            params = {"level": finest, "from_ts": begin, "to_ts": end, "whole": whole}
            assert [tuple(row) for row in ask(store, "fine_cells", **params)] == [
                tuple(row) for row in ask(store, "cells", **params)
            ]


def test_cells_come_by_part_or_by_whole_lane(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for track, part, spent in ((1, None, 9), (1, "cube", 5), (1, "waiting", 7), (2, None, 3)):
        builder.add("lane_part", track_id=track, part=part, finest=4, coarsest=4)
        for bucket in (0, 1):
            builder.add(
                "lod", track_id=track, part=part, level=4, bucket=bucket, busy=spent, count=1
            )
    store = builder.build()

    def busy(level: int, **params: object) -> list[tuple[int, str | None, int]]:
        rows = ask(store, "cells", level=level, to_ts=16, **params)
        return [(row.track_id, row.part, row.busy) for row in rows]

    # Level 6 is not stored: its cell is the sum of both.
    for level, times in ((4, 1), (6, 2)):
        parts = [(1, "cube", 5 * times), (1, "waiting", 7 * times), (2, None, 3 * times)]
        assert busy(level) == parts
        assert busy(level, whole=True) == [(1, None, 9 * times), (2, None, 3 * times)]
        assert busy(level, tracks="2") == [(2, None, 3 * times)]
        assert busy(level, tracks="2,1") == parts


def test_long_slices_of_a_window_reach_into_it_from_before(store: Store) -> None:
    rows = ask(store, "long_slices", from_ts=310, to_ts=500, min_dur=300, tracks="1,2")
    assert rows == [
        LongSlicesRow(1, 0, 1, None, 0, 1000, 0, 0, "step", "host", 1),
        LongSlicesRow(9, 0, 2, "waiting", 310, 600, 0, 0, "wait", "compute", 1),
    ]
    assert [row.slice_id for row in ask(store, "long_slices", from_ts=0, to_ts=1, tracks="1")] == [
        1
    ]


def test_each_row_keeps_its_longest_slices_in_time(store: Store) -> None:
    rows = ask(store, "long_slices", from_ts=0, to_ts=2000, tracks="1,2", limit=2)
    assert [row.slice_id for row in rows] == [1, 2, 6, 10, 7, 9]


def test_at_an_instant_the_longest_slices_come_first(store: Store) -> None:
    rows = ask(store, "at_instant", from_ts=120, to_ts=121, track_id=1)
    assert [row.slice_id for row in rows] == [1, 2]
    rows = ask(store, "at_instant", from_ts=119, to_ts=121, track_id=1)
    assert [row.slice_id for row in rows] == [1, 2, 3]
    assert ask(store, "at_instant", from_ts=100, to_ts=320, track_id=2, part="cube", limit=1) == [
        AtInstantRow(6, 0, 2, "cube", 100, 50, 0, 0, "MatMul", "compute", 1)
    ]


def test_what_takes_no_time_is_found_where_it_stands(store: Store) -> None:
    def found(begin: int, end: int) -> bool:
        rows = [
            *ask(store, "at_instant", from_ts=begin, to_ts=end),
            *ask(store, "long_slices", from_ts=begin, to_ts=end),
        ]
        return [row.slice_id for row in rows].count(4) == 2

    assert found(400, 401)
    assert not found(401, 402)
    assert not found(399, 400)


def test_the_next_slice_begins_after_and_the_one_before_began_before(near: Near) -> None:
    assert near(100, track_id=2) == 7
    assert near(99, track_id=2) == 6
    assert near(310, track_id=2, forward=False) == 8
    assert near(910, track_id=2) is None
    assert near(100, track_id=2, forward=False) is None


def test_the_next_slice_may_be_of_one_part_depth_or_name(near: Near) -> None:
    assert near(100, track_id=2, part="cube") == 8
    assert near(910, track_id=2, part="cube", forward=False) == 8
    assert near(10, track_id=1, depth=1) == 4
    assert near(100, name="MatMul") == 8
    assert near(100, name="Conv", forward=False) is None


def test_slices_that_begin_at_once_are_walked_one_by_one(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for slice_, ts in ((1, 5), (2, 5), (3, 5), (4, 6)):
        builder.add("slice", slice_id=slice_, track_id=1, ts=ts, dur=1, name="n")
    store = builder.build()
    walked = [1]
    at = {1: 5, 2: 5, 3: 5, 4: 6}
    while rows := ask(store, "slice_near", ts=at[walked[-1]], slice_id=walked[-1]):
        walked.append(rows[0].slice_id)
    assert walked == [1, 2, 3, 4]
    back = [4]
    while rows := ask(store, "slice_near", ts=at[back[-1]], slice_id=back[-1], forward=False):
        back.append(rows[0].slice_id)
    assert back == [4, 3, 2, 1]


def test_the_next_slice_has_what_a_screen_needs(store: Store) -> None:
    assert ask(store, "slice_near", ts=10, slice_id=2, track_id=1) == [
        SliceNearRow(3, 0, 1, None, 20, 100, 2, 0, "op", "host", 1)
    ]
