"""Who holds device memory, what grows from step to step, and what stalls for it."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from conftest import Ingest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder, ask

from npuview.ingest.store import Store

MIB = 1 << 20


class MemoryBuilder:
    """A store with one rank and device whose allocator tells its total after every change."""

    def __init__(self, path: Path) -> None:
        self.store = StoreBuilder(path).rank(0)
        self.store.add("track", track_id=1, device_id=0, process_name="memory_record")
        for number, key in enumerate(("allocated", "reserved"), 1):
            self.store.add(
                "counter_series", series_id=number, track_id=1, name="PTA", key=key, unit="bytes"
            )
        self._count = 0

    def level(self, ts: int, allocated: float, reserved: float | None = None) -> "MemoryBuilder":
        self.store.add("counter", series_id=1, ts=ts, value=float(allocated))
        if reserved is not None:
            self.store.add("counter", series_id=2, ts=ts, value=float(reserved))
        return self

    def allocation(
        self,
        name: str,
        size: int,
        ts: int | None,
        release: int | None = None,
        **more: int | str | None,
    ) -> "MemoryBuilder":
        values = {"component": "PTA", "device_id": 0} | more
        self.store.add(
            "allocation",
            allocation_id=self._count,
            name=name,
            bytes=size,
            ts=ts,
            release_ts=release,
            **values,
        )
        self._count += 1
        return self

    def step(self, number: int, ts: int, dur: int, **more: int | bool) -> "MemoryBuilder":
        self.store.add("step", step=number, kind="train", ts=ts, dur=dur, **more)
        return self

    def build(self) -> Store:
        return self.store.build()


def test_the_peak_is_the_first_instant_of_the_most_with_what_was_reserved_then(
    tmp_path: Path,
) -> None:
    made = MemoryBuilder(tmp_path).step(7, 0, 100).step(8, 100, 100)
    made.level(10, 5, 8).level(120, 9, 12).level(130, 4, 16).level(150, 9)
    for phase, dur in (("lead_in", 10), ("body", 80), ("tail", 10)):
        made.store.add(
            "ledger", device_id=0, step=8, phase=phase, state="idle", cause="unknown", dur=dur
        )
    [peak] = ask(made.build(), "memory_peaks", key="allocated")
    assert (peak.peak_bytes, peak.ts, peak.step, peak.phase) == (9, 120, 8, "body")
    assert (peak.reserved_bytes, peak.unused_bytes, peak.unused_share) == (12, 3, 0.25)
    assert (peak.lowest_bytes, peak.last_bytes, peak.samples) == (4, 9, 4)


def test_a_peak_outside_all_steps_is_in_none(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).step(7, 0, 100).level(500, 9)
    [peak] = ask(made.build(), "memory_peaks", key="allocated")
    assert (peak.step, peak.phase, peak.reserved_bytes, peak.unused_bytes) == (None,) * 4


def test_the_memory_that_the_timeline_counts_is_in_bytes_too(tmp_path: Path) -> None:
    store = StoreBuilder(tmp_path).rank(0)
    store.add("track", track_id=1, device_id=0, process_name="NPU MEM")
    store.add("track", track_id=2, device_id=0, process_name="HBM")
    store.add("counter_series", series_id=1, track_id=1, name="APP/HBM", key="KB", unit="KB")
    store.add("counter_series", series_id=2, track_id=2, name="HBM 0/Read", key="R", unit="MB/s")
    store.add("counter", series_id=1, ts=5, value=3.0).add("counter", series_id=2, ts=5, value=1.0)
    [row] = ask(store.build(), "memory_peaks")
    assert (row.source, row.component, row.key, row.peak_bytes) == ("NPU MEM", "APP", "hbm", 3072)


def test_holders_of_the_peak_and_what_they_do_not_explain_are_the_level(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).level(0, 100).level(10, 130).level(20, 150).level(30, 120)
    made.allocation("mm", 30, 10, 30).allocation("add", 20, 20, None, step=3)
    rows = ask(made.build(), "memory_holders")
    assert [(row.name, row.count_, row.held_bytes, row.share) for row in rows] == [
        ("mm", 1, 30, 0.2),
        ("add", 1, 20, pytest.approx(20 / 150)),
        (None, None, 100, pytest.approx(100 / 150)),
    ]
    assert {(row.at_ts, row.level_bytes) for row in rows} == {(20, 150)}
    assert [row.explained_share for row in rows] == [pytest.approx(50 / 150)] * 3
    assert [(row.ts, row.release_ts, row.step) for row in rows] == [
        (10, 30, None),
        (20, None, 3),
        (None, None, None),
    ]


def test_what_is_given_back_at_an_instant_is_not_held_then(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).level(10, 5).level(20, 0)
    store = made.allocation("mm", 5, 10, 20).build()
    assert [row.name for row in ask(store, "memory_holders", at_ts=19)] == ["mm"]
    assert [row.name for row in ask(store, "memory_holders", at_ts=20)] == []
    # Before the first sample nothing is known.
    assert ask(store, "memory_holders", at_ts=9) == []


def test_what_was_taken_before_the_profile_began_is_held_until_it_is_given_back(
    tmp_path: Path,
) -> None:
    store = MemoryBuilder(tmp_path).level(0, 8).level(50, 3).allocation("old", 5, None, 50).build()
    [old, rest] = ask(store, "memory_holders", at_ts=49)
    assert (old.name, old.held_bytes, old.ts, rest.name, rest.held_bytes) == (
        "old",
        5,
        None,
        None,
        3,
    )


def test_allocations_are_listed_one_by_one_where_asked_for(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).level(10, 12)
    made.allocation("mm", 5, 10).allocation("mm", 7, 10)
    store = made.build()
    [summed] = ask(store, "memory_holders")
    assert (summed.count_, summed.held_bytes, summed.largest_bytes) == (2, 12, 7)
    assert [row.held_bytes for row in ask(store, "memory_holders", by="allocation")] == [7, 5]


def test_totals_beside_allocations_tell_the_level_where_nothing_was_sampled(
    tmp_path: Path,
) -> None:
    store = StoreBuilder(tmp_path).rank(0)
    store.add(
        "allocation",
        allocation_id=1,
        name="Conv",
        component="GE",
        bytes=4,
        device_id=0,
        ts=10,
        release_ts=20,
        allocated=6,
        release_allocated=2,
    )
    [conv, rest] = ask(store.build(), "memory_holders")
    assert (conv.held_bytes, conv.level_bytes, rest.held_bytes) == (4, 6, 2)


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["mm", "add", "cat"]),
        st.integers(1, 1000),
        st.one_of(st.none(), st.integers(0, 60)),
        st.one_of(st.none(), st.integers(0, 40)),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(events=EVENTS, base=st.integers(0, 500))
def test_what_is_live_at_any_instant_is_what_a_count_one_by_one_says(
    events: list[tuple[str, int, int | None, int | None]], base: int
) -> None:
    lives = [
        (name, size, ts, None if length is None else (ts or 0) + length + 1)
        for name, size, ts, length in events
    ]

    def live(at: int) -> Counter[str]:
        held: Counter[str] = Counter()
        for name, size, ts, release in lives:
            if (ts is None or ts <= at) and (release is None or release > at):
                held[name] += size
        return held

    instants = sorted({0} | {at for _, _, ts, end in lives for at in (ts, end) if at is not None})
    levels = {at: base + live(at).total() for at in instants}
    with tempfile.TemporaryDirectory() as folder:
        made = MemoryBuilder(Path(folder))
        for at, level in levels.items():
            made.level(at, level)
        for name, size, ts, release in lives:
            made.allocation(name, size, ts, release)
        store = made.build()
        peak = max(levels.values())
        first = min(at for at, level in levels.items() if level == peak)
        asked: list[int | None] = [*instants[:: max(1, len(instants) // 4)], None]
        for given_at in asked:
            at = first if given_at is None else given_at
            rows = ask(store, "memory_holders", at_ts=given_at)
            assert {row.name: row.held_bytes for row in rows if row.name} == live(at)
            assert sum(row.held_bytes for row in rows) == levels[at]
            assert {row.at_ts for row in rows} <= {at}
        [top] = ask(store, "memory_peaks", key="allocated")
        assert (top.peak_bytes, top.ts) == (peak, first)
        kept = sum(size for _, size, _, release in lives if release is None)
        assert sum(row.held_bytes for row in ask(store, "memory_unreleased")) == kept


def test_growth_is_from_the_end_of_one_step_to_that_of_the_next(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path)
    for number, level in enumerate((50, 80, 84, 88), 1):
        at = 100 * number
        made.step(number, at, 100, warmup=number == 1)
        made.level(at + 10, level + 40).level(at + 90, level)
        made.allocation("cat", 4, at + 20, None, step=number)
        made.allocation("mm", 9, at + 20, at + 30, step=number)
    rows = ask(made.build(), "memory_steps")
    assert [(row.step, row.level_bytes, row.growth_bytes, row.peak_bytes) for row in rows] == [
        (1, 50, None, 90),
        (2, 80, 30, 120),
        (3, 84, 4, 124),
        (4, 88, 4, 128),
    ]
    # What warm-up takes is not what a step takes.
    assert {(row.slope_bytes, row.rising, row.growths) for row in rows} == {(4, 2, 2)}
    assert {(row.kept_count, row.kept_bytes, row.kept_name) for row in rows} == {(1, 4, "cat")}


def test_a_step_ends_for_memory_where_the_host_ends_it(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path)
    # The device still works on step 1 when the host takes memory in step 2.
    made.step(1, 0, 150, host_ts=0, host_dur=100).step(2, 150, 100, host_ts=100, host_dur=100)
    made.level(50, 5).level(120, 9)
    assert [row.level_bytes for row in ask(made.build(), "memory_steps")] == [5, 9]


def test_one_step_has_a_level_and_no_growth(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).step(1, 0, 100).level(50, 5)
    [row] = ask(made.build(), "memory_steps")
    assert (row.level_bytes, row.growth_bytes, row.slope_bytes, row.growths) == (
        5,
        None,
        None,
        None,
    )


def test_what_is_never_given_back_is_summed_by_operator_with_its_steps(tmp_path: Path) -> None:
    made = MemoryBuilder(tmp_path).level(0, 100).level(50, 200)
    made.allocation("cat", 10, 10, None, step=1).allocation("cat", 30, 20, None, step=2)
    made.allocation("state", 60, 5, None).allocation("mm", 99, 5, 6)
    store = made.build()
    rows = ask(store, "memory_unreleased")
    assert [(row.name, row.count_, row.held_bytes, row.share, row.steps) for row in rows] == [
        ("state", 1, 60, 0.3, 0),
        ("cat", 2, 40, 0.2, 2),
    ]
    assert (rows[1].first_step, rows[1].last_step, rows[1].ts) == (1, 2, 20)
    assert [row.held_bytes for row in ask(store, "memory_unreleased", step=1)] == [10]


def test_calls_for_memory_count_where_the_device_is_idle_for_them(tmp_path: Path) -> None:
    store = StoreBuilder(tmp_path).rank(0)
    store.add("step", step=1, kind="train", ts=0, dur=1000)
    for number, ts in enumerate((100, 300, 500), 1):
        store.add("slice", slice_id=number, track_id=1, ts=ts, dur=90, name="aclrtMalloc", step=1)
    for number, dur in ((1, 40), (2, 60)):
        store.add(
            "stall",
            stall_id=number,
            device_id=0,
            step=1,
            state="idle",
            dur=dur,
            cause="alloc",
            evidence_slice_id=number,
            ts=100 * number,
        )
    store.add("stall", stall_id=3, device_id=0, step=1, state="idle", cause="gc", ts=700, dur=99)
    [row] = ask(store.build(), "memory_stalls")
    assert (row.name, row.count_, row.total, row.longest, row.ts) == (
        "aclrtMalloc",
        2,
        100,
        60,
        200,
    )
    assert (row.per_step, row.period_share, row.calls, row.calls_ns) == (100, 0.1, 3, 270)


@pytest.mark.shared
def test_the_memory_of_a_real_profile_is_what_reading_it_by_hand_found(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1" / "rank0_ascend_pt").store
    peaks = {
        (row.component, row.key): row
        for row in ask(store, "memory_peaks")
        if row.source == "memory_record"
    }
    reserved, app = peaks["PTA", "reserved"], peaks["APP", "reserved"]
    assert (reserved.peak_bytes, reserved.lowest_bytes) == (1452 * MIB, 1452 * MIB)
    assert round(peaks["PTA", "allocated"].peak_bytes / MIB) == 1188
    assert round(app.peak_bytes / MIB) == 2114
    assert ask(store, "memory_stalls") == []
    holders = [row for row in ask(store, "memory_holders") if row.component == "PTA"]
    assert sum(row.held_bytes for row in holders) == peaks["PTA", "allocated"].peak_bytes
    assert holders[0].name == "aten::_foreach_add"
