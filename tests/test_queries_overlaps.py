"""Kernels that run past the next one of their stream: counted, and listed by a question."""

from pathlib import Path

from build import TraceBuilder
from conftest import Ingest
from store_build import ask

from npuview.queries.rows import StreamOverlapsRow

OVERLAPPED = "SELECT count, sample, severity FROM import_stat WHERE name = 'kernels_overlap'"


def test_a_kernel_that_runs_past_the_next_of_its_stream_is_listed_and_counts_once(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for ts in range(0, 1000, 100):
        trace.kernel("usual", ts, 80)
    trace.kernel("odd", 290, 600)
    trace.kernel("late", 980, 30)
    store = ingest(trace.write(tmp_path / "t.json"))
    # What runs at once is time once: 80 + 80, 200 to 890, then 900 to 1010.
    assert store.one("SELECT dur FROM ledger WHERE state = 'computing'") == 160 + 690 + 110 - 10
    sample = "odd and others: npuview sql PATH --preset stream_overlaps"
    assert store.rows(OVERLAPPED) == [(1, sample, "info")]
    [row] = ask(store.store, "stream_overlaps")
    assert isinstance(row, StreamOverlapsRow)
    assert (row.name, row.ts, row.dur, row.beside_ns) == ("odd", 290, 600, 590)
    assert (row.next_name, row.stream_id, row.step) == ("usual", 2, 0)


def test_kernels_side_by_side_and_waits_within_each_other_are_no_overlap(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.kernel("a", 0, 50)
    trace.kernel("b", 50, 50)
    trace.kernel("c", 20, 50, stream=3)
    # Tasks of hardware queues do lie within each other.
    trace.task("Notify Wait", 100, 300, task_type="Notify Wait")
    trace.task("Notify Wait", 150, 0, task_type="Notify Wait")
    trace.kernel("d", 200, 50)
    trace.kernel("e", 250, 10)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows(OVERLAPPED) == []
    assert ask(store.store, "stream_overlaps") == []


def test_overlaps_come_longest_first_and_are_those_of_rank_and_step(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for number, ts in ((1, 0), (2, 1000)):
        trace.step(number, ts, 1000)
        trace.kernel("long", ts + 100, 100 * (number + 1))
        trace.kernel("next", ts + 250, 10)
    store = ingest(trace.write(tmp_path / "t.json")).store
    whole = ask(store, "stream_overlaps")
    assert [(row.step, row.beside_ns) for row in whole] == [(2, 150), (1, 50)]
    assert ask(store, "stream_overlaps", step=1) == whole[1:]
    assert ask(store, "stream_overlaps", limit=1) == whole[:1]
    assert ask(store, "stream_overlaps", rank=1) == []
