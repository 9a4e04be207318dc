"""Lanes, cells and slices of a window; one slice and what is beside it."""

from itertools import cycle
from pathlib import Path

import pytest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows_timeline import (
    CellLevelsRow,
    CellsRow,
    NeighboursRow,
    SliceArgsRow,
    SliceRow,
    SlicesRow,
    TracksRow,
)

BASE = 4
STORED = (4, 5)
"""Levels that the store holds; a trace of 1 µs goes on to 2^10."""


def made_up_slices() -> list[tuple[int, int, int, int]]:
    """Return id, lane, ts and dur of slices that do not overlap on their lane."""
    slices: list[tuple[int, int, int, int]] = []
    for track, lengths, pauses in (
        (1, cycle((40, 0, 1, 130, 5, 16, 0)), cycle((0, 3, 17, 0, 90))),
        (2, cycle((1, 16, 16, 5, 130, 0)), cycle((17, 0, 0, 3))),
    ):
        at = 11 * track
        while at < 1000:
            dur = next(lengths)
            slices.append((len(slices), track, at, dur))
            at += dur + next(pauses)
    return slices


def cells_by_hand(
    slices: list[tuple[int, int, int, int]], level: int
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return busy ns and starts of each cell of each lane, ns by ns."""
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    for _, track, ts, dur in slices:
        busy, count = cells.get((track, ts >> level), (0, 0))
        cells[track, ts >> level] = (busy, count + 1)
        for instant in range(ts, ts + dur):
            busy, count = cells.get((track, instant >> level), (0, 0))
            cells[track, instant >> level] = (busy + 1, count)
    return cells


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    builder = StoreBuilder(tmp_path_factory.mktemp("timeline")).rank(0)
    builder.add("step", step=1, kind="train", source="x", inferred=False, ts=0, dur=2000)
    builder.add(
        "track", track_id=2, kind="cann", sort_order=0, process_name="CANN", thread_name="Thread 7"
    )
    builder.add(
        "track",
        track_id=1,
        kind="stream",
        device_id=0,
        sort_order=1,
        stream_id=2,
        process_name="Ascend Hardware",
        thread_name="Stream 2",
    )
    for slice_, track, ts, dur in made_up_slices():
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=track,
            ts=ts,
            dur=dur,
            depth=0,
            sublane=0,
            name=f"op {slice_}",
            class_="compute",
            step=1,
            phase="X",
            unfinished=False,
            arg_set_id=slice_ + 100,
        )
        builder.add("slice_arg", arg_set_id=slice_ + 100, args=f'{{"number": {slice_}}}')
    for level in STORED:
        for (track, bucket), (busy, count) in cells_by_hand(made_up_slices(), level).items():
            builder.add(
                "lod",
                track_id=track,
                level=level,
                bucket=bucket,
                busy=busy,
                count=count,
                top_slice_id=3,
                top_class="compute",
            )
    for track in (1, 2):
        builder.add("lane_part", track_id=track, finest=STORED[0], coarsest=STORED[-1])
    builder.rank(9).add("track", track_id=1, kind="stream", sort_order=0, device_id=3)
    builder.add("lane_part", track_id=1, finest=BASE, coarsest=BASE)
    builder.add("lod", track_id=1, level=BASE, bucket=0, busy=16, count=1, top_slice_id=1)
    builder.add(
        "slice",
        slice_id=1,
        track_id=1,
        ts=0,
        dur=16,
        depth=0,
        sublane=0,
        name="other",
        phase="X",
        unfinished=False,
    )
    return builder.build()


def test_lanes_come_from_top_to_bottom_rank_by_rank(store: Store) -> None:
    rows = ask(store, "tracks")
    assert [(row.rank, row.track_id) for row in rows] == [(0, 2), (0, 1), (9, identifier(1, 1))]
    assert rows[1] == TracksRow(
        1, 0, 0, "stream", "Ascend Hardware", None, "Stream 2", None, None, 2, 1, None
    )
    assert [row.track_id for row in ask(store, "tracks", kind="cann")] == [2]


def test_the_stored_levels_are_listed_finest_first(store: Store) -> None:
    sizes = {level: len(cells_by_hand(made_up_slices(), level)) for level in STORED}
    assert ask(store, "cell_levels") == [
        CellLevelsRow(4, sizes[4] + 1),
        CellLevelsRow(5, sizes[5]),
    ]
    assert ask(store, "cell_levels", rank=9) == [CellLevelsRow(4, 1)]
    assert [row.level for row in ask(store, "cell_levels", rank=0)] == [4, 5]


@pytest.mark.parametrize("level", [4, 5, 6, 7, 9, 10, 40])
def test_cells_are_exact_at_every_level_from_the_finest_on(level: int, store: Store) -> None:
    rows = [row for row in ask(store, "cells", level=level) if row.track_id < identifier(1, 0)]
    assert {(r.track_id, r.bucket): (r.busy, r.count_) for r in rows} == cells_by_hand(
        made_up_slices(), level
    )
    assert [(r.track_id, r.bucket) for r in rows] == sorted((r.track_id, r.bucket) for r in rows)


def test_below_the_finest_level_there_are_no_cells(store: Store) -> None:
    assert ask(store, "cells", level=BASE - 1) == []


def test_ranks_with_other_levels_do_not_lose_their_cells(store: Store) -> None:
    # Rank 9 stores level 4 only: at 5 its cell is made of it.
    for level in (4, 5, 6):
        rows = ask(store, "cells", level=level, tracks=str(identifier(1, 1)))
        assert rows == [
            CellsRow(identifier(1, 1), None, 0, 16, 1, identifier(1, 1), "other", None)
        ]  # fmt: skip


@pytest.mark.parametrize("level", [4, 6])
def test_cells_of_a_window_are_those_that_overlap_it(level: int, store: Store) -> None:
    wide = 1 << level
    for begin, end in ((5 * wide, 9 * wide), (5 * wide + 1, 9 * wide + 1)):
        rows = ask(store, "cells", level=level, from_ts=begin, to_ts=end, tracks="1")
        whole = ask(store, "cells", level=level, tracks="1")
        assert rows == [
            row for row in whole if row.bucket * wide < end and (row.bucket + 1) * wide > begin
        ]


def test_cells_before_the_instant_0_are_cells_too(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("lane_part", track_id=1, finest=4, coarsest=4)
    for bucket in (-2, -1, 0):
        builder.add("lod", track_id=1, level=4, bucket=bucket, busy=5, count=1)
    store = builder.build()
    assert [(row.bucket, row.busy) for row in ask(store, "cells", level=5)] == [(-1, 10), (0, 5)]
    assert [row.bucket for row in ask(store, "cells", level=5, from_ts=-32, to_ts=0)] == [-1]


def test_a_cell_names_its_top_slice(store: Store) -> None:
    [row] = ask(store, "cells", level=BASE, from_ts=16 * 30, to_ts=16 * 31, tracks="1")
    assert (row.top_slice_id, row.top_name, row.top_class) == (3, "op 3", "compute")


def test_slices_of_a_window_are_those_that_overlap_it(store: Store) -> None:
    rows = ask(store, "slices", from_ts=200, to_ts=400, track_id=1)
    expected = [
        (slice_, ts)
        for slice_, track, ts, dur in made_up_slices()
        if track == 1 and ts < 400 and (ts + dur > 200 or ts >= 200)
    ]
    assert [(row.slice_id, row.ts) for row in rows] == expected
    assert len(expected) > 1


def test_a_margin_widens_the_window_on_both_sides(store: Store) -> None:
    wide = ask(store, "slices", from_ts=200, to_ts=500)
    assert ask(store, "slices", from_ts=300, to_ts=400, margin=100) == wide
    assert ask(store, "slices", from_ts=300, to_ts=400) != wide


def test_a_slice_without_length_is_in_a_window_that_begins_where_it_stands(store: Store) -> None:
    instants = [
        (slice_, ts) for slice_, track, ts, dur in made_up_slices() if track == 1 and not dur
    ]
    for slice_, ts in instants:
        rows = ask(store, "slices", from_ts=ts, to_ts=ts + 1, track_id=1)
        assert slice_ in [row.slice_id for row in rows]
        rows = ask(store, "slices", from_ts=ts + 1, to_ts=ts + 2, track_id=1)
        assert slice_ not in [row.slice_id for row in rows]


def test_a_full_lane_keeps_its_longest_slices_in_time(store: Store) -> None:
    rows = ask(store, "slices", limit=3, track_id=1)
    longest = sorted(
        (one for one in made_up_slices() if one[1] == 1), key=lambda one: (-one[3], one[0])
    )
    assert [row.slice_id for row in rows] == sorted(one[0] for one in longest[:3])
    assert len(ask(store, "slices", limit=3)) == 3 + 3 + 1


def test_a_slice_of_a_window_has_what_a_screen_needs(store: Store) -> None:
    [row] = ask(store, "slices", track_id=identifier(1, 1))
    assert row == SlicesRow(
        identifier(1, 1), identifier(1, 1), 0, 16, 0, 0, None, "other", None, None, "X", False
    )


def test_a_slice_is_told_with_its_lane_step_parent_and_kernel(tmp_path: Path) -> None:
    store = (
        StoreBuilder(tmp_path)
        .rank(4)
        .add("step", step=7, kind="train", source="x", inferred=False, ts=100, dur=50)
        .add("track", track_id=3, kind="stream", device_id=2, process_name="Ascend Hardware",
             thread_name="Stream 2", sort_order=0)
        .add("slice", slice_id=1, track_id=3, ts=110, dur=30, depth=0, sublane=0, name="outer")
        .add("slice", slice_id=2, track_id=3, ts=112, dur=5, depth=1, sublane=0, parent_id=1,
             name="MatMul", category="kernel", class_="compute", part="cube", task_type="AI_CORE",
             stream_id=2, task_id=11, connection_id=70, step=7, phase="X", unfinished=False,
             arg_set_id=8)
        .add("kernel", kernel_id=5, slice_id=2, name="MatMul", ts=112, dur=5)
        .build()
    )  # fmt: skip
    assert ask(store, "slice", slice_id=2) == [
        SliceRow(2, 4, 2, 3, "stream", "Ascend Hardware", "Stream 2", None, 112, 5, 117, 1, 0, 1,
                 "outer", "MatMul", "kernel", "compute", "cube", "AI_CORE", 2, 11, 70, 7, 100, "X",
                 False, 8, 5)
    ]  # fmt: skip
    assert ask(store, "slice", slice_id=99) == []


def test_the_args_of_a_slice_are_the_text_of_the_file(store: Store) -> None:
    assert ask(store, "slice_args", arg_set_id=103) == [SliceArgsRow(103, '{"number": 3}')]
    assert ask(store, "slice_args", arg_set_id=99) == []


def test_neighbours_tell_the_time_between_slices(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    places = [(1, 0, 10), (2, 15, 5), (3, 20, 0), (4, 20, 30), (5, 40, 5), (6, 60, 1)]
    for slice_, ts, dur in places:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=1,
            ts=ts,
            dur=dur,
            depth=0,
            sublane=0,
            name=f"n{slice_}",
            class_="compute",
        )
    builder.add("slice", slice_id=7, track_id=1, ts=21, dur=1, depth=1, sublane=0, name="inner")
    builder.add("slice", slice_id=8, track_id=2, ts=21, dur=1, depth=0, sublane=0, name="lane")
    store = builder.build()
    assert ask(store, "neighbours", slice_id=4, count=2) == [
        NeighboursRow(-2, 2, 15, 5, 5, "n2", "compute"),
        NeighboursRow(-1, 3, 20, 0, 0, "n3", "compute"),
        NeighboursRow(0, 4, 20, 30, 0, "n4", "compute"),
        NeighboursRow(1, 5, 40, 5, -10, "n5", "compute"),
        NeighboursRow(2, 6, 60, 1, 15, "n6", "compute"),
    ]
    first = ask(store, "neighbours", slice_id=1, count=1)
    assert [(row.position, row.slice_id, row.gap_ns) for row in first] == [(0, 1, None), (1, 2, 5)]
    assert len(ask(store, "neighbours", slice_id=1, count="")) == 6
    assert ask(store, "neighbours", slice_id=99) == []
