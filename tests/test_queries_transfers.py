"""What collectives move over which link, and what of them no compute covers."""

from pathlib import Path

import pytest
from build import torch_profile
from build_trace import TraceBuilder
from conftest import Ingest
from store_build import ask

from npuview.ingest.store import Store
from npuview.queries.rows_communication import (
    ExposedCollectivesRow,
    LinkSizesRow,
    LinksRow,
    PipelineBubblesRow,
)

KB = 1024


def built(tmp_path: Path, ingest: Ingest, trace: TraceBuilder | None = None) -> Store:
    profile = torch_profile(tmp_path, rank=0, world_size=3)
    if trace is not None:
        profile.trace = trace
    return ingest(profile.write()).store


def moving(*messages: tuple[str, int, int, int, int]) -> TraceBuilder:
    """Return a step with an alltoallv whose messages are (task, peer, ts, dur, bytes)."""
    trace = TraceBuilder()
    trace.step(1, 0, 10_000)
    trace.collective(
        0, 9_000, name="hcom_alltoallv__586_0_1", waits={1: (0, 10), 2: (0, 20)}, src=0
    )
    for task, peer, ts, dur, size in messages:
        trace.plane_task(task, peer, ts, dur, size=size)
    return trace


def test_messages_to_a_peer_are_summed_by_task_with_their_rates(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = moving(
        ("Memcpy", 1, 100, 100, 8 * KB),
        ("Memcpy", 1, 300, 400, 8 * KB),
        ("Memcpy", 2, 300, 400, 48 * KB),
        ("Reduce_Inline", 2, 900, 1_000, KB),
    )
    rows: list[LinksRow] = ask(built(tmp_path, ingest, trace), "links")
    told = [(row.task, row.peer, row.count_, row.bytes, row.total) for row in rows]
    assert told == [
        ("Reduce_Inline", 2, 1, KB, 1_000),
        ("Memcpy", 1, 2, 16 * KB, 500),
        ("Memcpy", 2, 1, 48 * KB, 400),
    ]
    first = rows[1]
    assert (first.transport, first.link) == ("SDMA", "HCCS")
    assert first.bytes_per_s == 16 * KB * 1e9 / 500
    assert (first.min_bytes_per_s, first.max_bytes_per_s) == (
        8 * KB * 1e9 / 400,
        8 * KB * 1e9 / 100,
    )
    # The median of two links lies between them.
    assert [round(row.median_ratio or 0, 4) for row in rows] == [1.0, 0.4211, 1.5789]


def test_messages_are_told_by_size_and_operation(tmp_path: Path, ingest: Ingest) -> None:
    trace = moving(
        ("Memcpy", 1, 100, 100, KB),
        ("Memcpy", 2, 300, 100, 2 * KB - 1),
        ("Memcpy", 2, 500, 100, 2 * KB),
        ("Memcpy", 2, 700, 0, 0),
    )
    store = built(tmp_path, ingest, trace)
    rows: list[LinkSizesRow] = ask(store, "link_sizes", operation="hcom_alltoallv")
    assert [(row.from_bytes, row.count_, row.bytes) for row in rows] == [
        (0, 1, 0),
        (KB, 2, 3 * KB - 1),
        (2 * KB, 1, 2 * KB),
    ]
    assert rows[0].bytes_per_s is None
    assert ask(store, "link_sizes", operation="hcom_allReduce") == []
    assert [row.bytes for row in ask(store, "links", least_bytes=2 * KB)] == [2 * KB]


def test_what_no_compute_covers_is_split_into_moving_and_waiting(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 1_000)
    trace.collective(
        100, 400, waits={1: (100, 200)}, moves=[(1, 300, 150)], name="hcom_allReduce__1_0_1"
    )
    trace.kernel("under the wait", 150, 50)
    trace.kernel("under the transfer", 420, 60)
    trace.kernel("outside", 700, 70)
    [row] = ask(built(tmp_path, ingest, trace), "exposed_collectives")
    assert isinstance(row, ExposedCollectivesRow)
    assert (row.exposed_ns, row.exposed_transfer_ns, row.exposed_wait_ns) == (290, 120, 150)
    assert (row.transfer_ns, row.wait_ns, row.could_cover_ns) == (150, 200, 70)
    assert row.period_share == 0.29


def test_without_plane_tasks_what_is_not_covered_is_not_split(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 1_000)
    trace.collective(100, 400)
    trace.kernel("under it", 150, 50)
    [row] = ask(built(tmp_path, ingest, trace), "exposed_collectives")
    assert (row.exposed_ns, row.exposed_transfer_ns, row.exposed_wait_ns) == (350, None, None)


@pytest.mark.parametrize("planes", [True, False])
def test_own_bubbles_are_waits_that_nothing_covers(
    planes: bool, tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 1_000)
    waits = {0: (100, 200)} if planes else None
    trace.collective(100, 300, name="hcom_receive__1_0_1", waits=waits)
    trace.kernel("under it", 150, 50)
    [row] = ask(built(tmp_path, ingest, trace), "pipeline_bubbles")
    assert isinstance(row, PipelineBubblesRow)
    assert (row.receives, row.receive_ns, row.period) == (1, 250, 1_000)
    assert (row.own_ns, row.own_share) == ((150, 0.15) if planes else (None, None))


@pytest.mark.shared
def test_what_no_compute_covers_in_a_real_step_is_the_official_figure(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1" / "rank0_ascend_pt").store
    rows: list[ExposedCollectivesRow] = ask(store, "exposed_collectives")
    # The vendor rounds each of the four.
    assert abs(sum(row.exposed_ns or 0 for row in rows) - 101_963_203) <= len(rows)
    assert sum(row.exposed_transfer_ns or 0 for row in rows) == 3_935_920
    assert sum(row.exposed_wait_ns or 0 for row in rows) == 97_951_286
    large: list[LinksRow] = ask(store, "links", least_bytes=1 << 24)
    rates: dict[str, list[float]] = {}
    for row in large:
        if row.link == "HCCS" and row.bytes_per_s is not None:
            rates.setdefault(row.task, []).append(round(row.bytes_per_s / 1e9, 1))
    assert {task: (min(found), max(found)) for task, found in rates.items()} == {
        "Reduce_Inline": (14.6, 15.7),
        "Memcpy": (19.9, 22.0),
    }
