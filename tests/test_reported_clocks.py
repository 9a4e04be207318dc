"""Clocks that other programs mixed up: what has another start, and what has no fine one."""

from pathlib import Path

import pytest
from build import TraceBuilder, torch_profile
from conftest import Ingest

EPOCH_NS = 1_767_262_210_000_000_000
STORED = "SELECT name, count, sample, severity FROM import_stat"


def test_rows_at_zero_that_are_no_slices_are_no_part_of_the_run(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.event(ph="M", name="process_name", pid=9, tid=0, ts=0, args={"name": "P"})
    trace.counter("AI Core Freq", ts=0, values={"MHz": 1800})
    trace.kernel("first", EPOCH_NS, 500)
    trace.kernel("last", EPOCH_NS + 1000, 500)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT ts, dur FROM profile") == [(EPOCH_NS, 1500)]
    assert store.one("SELECT min(bucket << level) > 0 FROM lod")


@pytest.mark.parametrize(
    ("slices", "last", "told"), [(100, 99_000, 1), (100, 99_001, 0), (99, 98_000, 0)]
)
def test_a_file_without_anything_finer_than_microseconds_says_so(
    tmp_path: Path, ingest: Ingest, slices: int, last: int, told: int
) -> None:
    trace = TraceBuilder()
    for number in range(slices - 1):
        trace.kernel("k", 1000 * number, 400 if number % 2 else 0)
    trace.kernel("k", last, 400)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.noticed().get("whole_microseconds", 0) == told * slices
    assert store.one("SELECT count(*) FROM slice") == slices


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, 0), (-50, 0), (50, 0), (-62, 2), (62, 2), (8 * 3600, 2)]
)
def test_a_memory_table_on_another_clock_is_told(
    tmp_path: Path, ingest: Ingest, seconds: int, told: int
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("k", EPOCH_NS, 1000)
    header = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type"
    stamps = [EPOCH_NS // 1000 + 1_000_000 * seconds + at for at in (0, 1)]
    profile.csv("memory_record", header, [["APP", at, "2", "3", "NPU:0"] for at in stamps])
    store = ingest(profile.write())
    said = store.rows(f"{STORED} WHERE name = 'counters_on_another_clock'")
    whole = ("counters_on_another_clock", told, "memory_record: no sample is near the run", "info")
    assert said == ([whole] if told else [])
    assert store.one("SELECT count(*) FROM counter") == 4
    assert store.one("SELECT dur FROM profile") == 1000


def test_without_slices_the_run_is_that_of_the_counters(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    for ts in (0, EPOCH_NS, EPOCH_NS + 5000):
        trace.counter("HBM", ts=ts, values={"Read": ts})
    store = ingest(trace.write(tmp_path / "t.json"))
    known = "SELECT ts, dur, clock, clock_offset FROM profile"
    assert store.rows(known) == [(EPOCH_NS, 5000, "epoch", 0)]
    assert store.rows("SELECT kind, ts, dur FROM step") == [("run", EPOCH_NS, 5000)]
    assert store.rows("FROM lod") == []
    assert store.noticed() == {}


def test_without_slices_and_counters_no_time_is_known(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    trace.event(ph="M", name="process_name", pid=9, tid=0, args={"name": "P"})
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT ts, dur FROM profile") == [(None, None)]


def test_a_shifted_rank_keeps_its_own_times_and_its_arrows(tmp_path: Path, ingest: Ingest) -> None:
    for rank, shift in ((0, 0), (1, 3_000_000)):
        profile = torch_profile(tmp_path, rank=rank)
        trace = profile.trace
        trace.launch(
            trace.kernel("k", EPOCH_NS + shift + 900, 100, connection_id=7), EPOCH_NS + shift, 50
        )
        profile.write()
    store = ingest(tmp_path)
    arrows = (
        "SELECT s.ts - src_ts, d.ts - dst_ts, src_ts FROM flow"
        " JOIN slice AS s ON s.slice_id = src_slice_id"
        " JOIN slice AS d ON d.slice_id = dst_slice_id"
    )
    assert [store.rows(arrows, rank) for rank in (0, 1)] == [
        [(0, 0, EPOCH_NS)],
        [(0, 0, EPOCH_NS + 3_000_000)],
    ]
