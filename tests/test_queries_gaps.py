"""Gaps one by one and by length."""

from itertools import pairwise
from pathlib import Path

import pytest
from store_build import StoreBuilder, ask

from npuview.ingest.store import Store
from npuview.queries.rows import GapsRow, GapSummaryRow

GAPS = [
    # id, kind, step, ts, dur, wait_ns
    (1, "device", 1, 100, 10, 4),
    (2, "device", 1, 200, 99, 0),
    (3, "device", 1, 400, 100, 100),
    (4, "device", None, 990, 10, 0),
    (5, "compute", 1, 600, 5000, 0),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    builder = StoreBuilder(tmp_path_factory.mktemp("gaps")).rank(0)
    builder.add("step", step=1, kind="train", source="x", inferred=False, ts=0, dur=1000)
    builder.add("slice", slice_id=7, track_id=1, ts=390, dur=10, name="before")
    builder.add("slice", slice_id=8, track_id=1, ts=500, dur=10, name="after")
    for gap, kind, step, ts, dur, wait in GAPS:
        builder.add(
            "gap",
            gap_id=gap,
            device_id=0,
            kind=kind,
            step=step,
            ts=ts,
            dur=dur,
            wait_ns=wait,
            idle_ns=dur - wait,
            step_boundary=False,
            prev_slice_id=7 if gap == 3 else None,
            next_slice_id=8 if gap == 3 else None,
        )
    return builder.build()


def test_gaps_are_those_of_the_device_unless_another_kind_is_asked_for(store: Store) -> None:
    assert [row.gap_id for row in ask(store, "gaps")] == [3, 2, 1, 4]
    assert [row.gap_id for row in ask(store, "gaps", kind="compute")] == [5]
    assert [row.gap_id for row in ask(store, "gaps", kind="")] == [5, 3, 2, 1, 4]


def test_a_gap_names_the_tasks_around_it_and_its_share_of_the_period(store: Store) -> None:
    assert ask(store, "gaps", limit=1) == [
        GapsRow(3, 0, 0, "device", 1, 400, 100, 100, 0, 0.1, None, None, None, False,
                7, "before", 8, "after")
    ]  # fmt: skip


def test_a_gap_outside_all_steps_has_no_share(store: Store) -> None:
    [row] = [row for row in ask(store, "gaps") if row.gap_id == 4]
    assert (row.step, row.period_share, row.prev_name) == (None, None, None)


def test_gaps_of_a_window_are_those_that_overlap_it(store: Store) -> None:
    assert [row.gap_id for row in ask(store, "gaps", from_ts=110, to_ts=201)] == [2]
    assert [row.gap_id for row in ask(store, "gaps", from_ts=109, to_ts=200)] == [1]


def test_short_gaps_can_be_left_out(store: Store) -> None:
    assert [row.gap_id for row in ask(store, "gaps", min_dur=99)] == [3, 2]


def test_gaps_by_length_change_the_bin_exactly_at_a_power_of_ten(store: Store) -> None:
    assert ask(store, "gap_summary") == [
        GapSummaryRow(0, 0, "device", 10, 100, 3, 119, 4, 115, 99, 119 / 219, 119),
        GapSummaryRow(0, 0, "device", 100, 1000, 1, 100, 100, 0, 100, 100 / 219, 100),
    ]


def test_bins_hold_every_gap_once_up_to_the_longest_that_there_can_be(tmp_path: Path) -> None:
    lengths = [1, 9, 10, 999, 1000, 10**17, 10**18, 5 * 10**18]
    builder = StoreBuilder(tmp_path).rank(0)
    for number, dur in enumerate(lengths):
        builder.add(
            "gap",
            gap_id=number,
            device_id=0,
            kind="device",
            ts=0,
            dur=dur,
            wait_ns=0,
            idle_ns=dur,
            step_boundary=False,
        )
    rows = ask(builder.build(), "gap_summary")
    assert sum(row.count_ for row in rows) == len(lengths)
    for row in rows:
        inside = [length for length in lengths if row.from_ns <= length < row.to_ns]
        assert (row.count_, row.total, row.longest) == (len(inside), sum(inside), max(inside))
    assert all(a.to_ns <= b.from_ns for a, b in pairwise(rows))


def test_the_next_gap_begins_after_and_the_one_before_began_before(store: Store) -> None:
    def near(ts: int, **params: object) -> list[int]:
        return [row.gap_id for row in ask(store, "gap_near", ts=ts, **params)]

    assert near(100) == [2]
    assert near(99) == [1]
    assert near(400, forward=False) == [2]
    assert near(990) == []
    assert near(100, forward=False) == []
    assert near(100, min_dur=100) == [3]
    assert near(999, min_dur=50, forward=False) == [3]
    assert near(0, kind="compute") == [5]
    assert near(0, rank=1) == near(0, device_id=1) == []


def test_the_next_gap_is_told_as_gaps_tells_it(store: Store) -> None:
    assert [tuple(row) for row in ask(store, "gap_near", ts=399)] == [
        tuple(row) for row in ask(store, "gaps", limit=1)
    ]


def test_gaps_by_length_can_leave_out_the_short_ones(store: Store) -> None:
    [row] = ask(store, "gap_summary", min_dur=100)
    assert (row.count_, row.total, row.gap_share) == (1, 100, 1.0)


def test_gaps_are_gone_through_by_cost_in_the_order_of_the_list(store: Store) -> None:
    listed = [row.gap_id for row in ask(store, "gaps")]
    assert len(listed) > 2
    for forward, order in ((True, listed), (False, listed[::-1])):
        gone: list[int] = []
        asked: dict[str, object] = {}
        while found := ask(store, "gap_by_cost", forward=forward, **asked):
            gone.append(found[0].gap_id)
            asked = {"dur": found[0].dur, "gap_id": found[0].gap_id}
        assert gone == order


def test_the_gap_next_in_cost_is_told_as_gaps_tells_it_and_as_narrowed(store: Store) -> None:
    [longest] = ask(store, "gaps", limit=1)
    assert [tuple(row) for row in ask(store, "gap_by_cost")] == [tuple(longest)]
    assert ask(store, "gap_by_cost", min_dur=longest.dur + 1) == []
    assert ask(store, "gap_by_cost", rank=1) == ask(store, "gap_by_cost", step=999) == []
