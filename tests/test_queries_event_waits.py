"""Which record ended a wait of a stream, and what it waited for in the end."""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingest, Ingested
from finding_build import found
from store_build import ask

from npuview.queries.rows_moving import StreamPairsRow, WaitChainRow, WaitRootsRow

US = 1000
Built = Callable[[TraceBuilder], Ingested]


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def stepped(dur: int = 1000 * US) -> TraceBuilder:
    trace = TraceBuilder()
    trace.step(1, 0, dur)
    return trace


def wait(trace: TraceBuilder, stream: int, ts: int, end: int, connection_id: int = 0) -> None:
    trace.task(
        "EVENT_WAIT",
        ts,
        end - ts,
        stream=stream,
        task_type="EVENT_WAIT_SQE",
        connection_id=connection_id or None,
    )


def record(trace: TraceBuilder, stream: int, end: int, connection_id: int = 0) -> None:
    trace.task(
        "EVENT_RECORD",
        end - 20,
        20,
        stream=stream,
        task_type="EVENT_RECORD_SQE",
        connection_id=connection_id or None,
    )


def roots(built: Ingested) -> list[WaitRootsRow]:
    return ask(built.store, "wait_roots")


def test_a_wait_ends_with_the_record_of_the_stream_that_it_waited_for(built: Built) -> None:
    trace = stepped()
    trace.kernel("Long", 10 * US, 300 * US, stream=3)
    wait(trace, 2, 50 * US, 311 * US)
    record(trace, 3, 311 * US - 440)
    trace.kernel("After", 320 * US, 10 * US, stream=2)
    [row] = roots(built(trace))
    assert (row.stream_id, row.record_stream_id, row.depth) == (2, 3, 1)
    assert (row.producer_name, row.root_name, row.inferred) == ("Long", "Long", True)
    # The kernel on the other stream covers all but its end.
    assert row.exposed_ns == 1 * US


def test_a_wait_is_followed_to_a_root_two_streams_away(built: Built) -> None:
    trace = stepped()
    trace.kernel("Root", 10 * US, 400 * US, stream=4)
    wait(trace, 3, 20 * US, 412 * US)
    record(trace, 4, 412 * US - 440)
    trace.kernel("Between", 415 * US, 20 * US, stream=3)
    wait(trace, 2, 30 * US, 440 * US)
    record(trace, 3, 440 * US - 440)
    store = built(trace)
    first, second = sorted(roots(store), key=lambda row: row.ts)
    assert (first.stream_id, first.root_name, first.depth) == (3, "Root", 1)
    assert (second.producer_name, second.root_name, second.depth) == ("Between", "Root", 2)
    assert second.held_slice_id == first.slice_id
    chain: list[WaitChainRow] = ask(store.store, "wait_chain", slice_id=second.slice_id)
    assert [(row.stream_id, row.record_stream_id, row.root_name) for row in chain] == [
        (2, 3, None),
        (3, 4, "Root"),
    ]


def test_a_stream_that_worked_longer_than_it_was_held_is_the_root_itself(built: Built) -> None:
    trace = stepped()
    trace.kernel("Short", 10 * US, 40 * US, stream=4)
    wait(trace, 3, 20 * US, 52 * US)
    record(trace, 4, 52 * US - 440)
    trace.kernel("Long", 55 * US, 300 * US, stream=3)
    wait(trace, 2, 30 * US, 360 * US)
    record(trace, 3, 360 * US - 440)
    row = max(roots(built(trace)), key=lambda row: row.dur)
    assert (row.root_name, row.depth, row.held_slice_id) == ("Long", 1, None)


def test_a_wait_for_a_stream_of_collectives_has_the_collective_and_its_peer(built: Built) -> None:
    trace = stepped()
    trace.kernel("Before", 5 * US, 5 * US)
    trace.collective(
        20 * US, 400 * US, waits={1: (20 * US, 10 * US), 5: (40 * US, 340 * US)},
        moves=[(1, 390 * US, 20 * US)], stream=9,
    )  # fmt: skip
    record(trace, 9, 421 * US)
    record(trace, 9, 421 * US + 40)
    wait(trace, 2, 100 * US, 421 * US + 440)
    [row] = roots(built(trace))
    assert row.producer_name == "SDMA"
    assert (row.root_name, row.root_dur) == ("hcom_allReduce__586_0_1", 400 * US)
    assert (row.last_number, row.last_peer_wait_ns) == (5, 340 * US)
    # All but the 20 us in which data moves.
    assert row.exposed_ns == 321 * US + 440 - 20 * US


@pytest.mark.parametrize(
    ("end", "launched"),
    [
        pytest.param(311 * US - 3000, 10, id="ended long before the wait"),
        pytest.param(311 * US + 20, 10, id="ended after the wait"),
        pytest.param(311 * US - 440, 900, id="launched after the wait"),
    ],
)
def test_a_record_that_cannot_have_ended_a_wait_is_not_named(
    built: Built, end: int, launched: int
) -> None:
    trace = stepped()
    trace.kernel("Long", 10 * US, 300 * US, stream=3)
    wait(trace, 2, 50 * US, 311 * US, 8)
    record(trace, 3, end, 7)
    trace.launch(7, launched, 5)
    trace.launch(8, 500, 5)
    [row] = roots(built(trace))
    assert (row.record_slice_id, row.root_slice_id, row.depth, row.inferred) == (None,) * 4
    assert row.exposed_ns == 1 * US


def test_a_wait_that_two_streams_may_have_ended_has_no_root(built: Built) -> None:
    trace = stepped()
    for stream in (3, 4):
        trace.kernel("Long", 10 * US, 300 * US, stream=stream)
        record(trace, stream, 311 * US - 440 - stream)
    wait(trace, 2, 50 * US, 311 * US)
    [row] = roots(built(trace))
    assert (row.record_slice_id, row.root_slice_id) == (None, None)


def test_a_wait_in_a_crowd_of_records_has_no_root(built: Built) -> None:
    trace = stepped()
    trace.kernel("Long", 10 * US, 300 * US, stream=3)
    for number in range(40):
        record(trace, 3, 311 * US - 440 - 25 * number)
    wait(trace, 2, 50 * US, 311 * US)
    [row] = roots(built(trace))
    assert row.record_slice_id is None


def test_a_wait_whose_record_had_come_has_none(built: Built) -> None:
    trace = stepped()
    trace.kernel("Long", 10 * US, 300 * US, stream=3)
    record(trace, 3, 311 * US)
    wait(trace, 2, 311 * US + 100, 311 * US + 120)
    [row] = roots(built(trace))
    assert (row.record_slice_id, row.dur) == (None, 20)


def test_a_wait_that_a_plane_shows_as_well_is_no_row(built: Built) -> None:
    trace = stepped()
    trace.collective(20 * US, 400 * US, waits={5: (20 * US, 340 * US)}, stream=9)
    assert roots(built(trace)) == []


def test_waits_of_a_real_step_lead_to_the_collectives_and_the_late_peer(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1").store
    for rank, longest in ((0, 65_554_570), (1, 59_438_248)):
        rows: list[WaitRootsRow] = ask(store, "wait_roots", rank=rank, min_dur=1_000_000)
        assert len(rows) == 4
        assert rows[0].dur == longest
        assert {row.root_name[:14] for row in rows if row.root_name} == {"hcom_allReduce"}
        assert {row.last_peer for row in rows} == {5}
        assert {(row.stream_id, row.record_stream_id, row.depth) for row in rows} == {(2, 4, 1)}


def side_by_side() -> TraceBuilder:
    """Return 100 us on stream 2, and 100 us on stream 3 that begin in the middle of it."""
    trace = stepped()
    trace.kernel("A", 10 * US, 100 * US, stream=2)
    trace.kernel("B", 60 * US, 100 * US, stream=3)
    return trace


def pairs(built: Ingested) -> list[StreamPairsRow]:
    return ask(built.store, "stream_pairs", step=1)


def test_two_streams_are_told_how_long_they_were_busy_at_once(built: Built) -> None:
    trace = side_by_side()
    # Within A, so that it is time once.
    trace.kernel("A", 20 * US, 10 * US, stream=2)
    trace.kernel("C", 300 * US, 40 * US, stream=4)
    rows = {(row.stream_id, row.other_stream_id): row for row in pairs(built(trace))}
    assert len(rows) == 6
    for pair in ((2, 3), (3, 2)):
        assert (rows[pair].busy_ns, rows[pair].both_ns) == (100 * US, 50 * US)
        assert rows[pair].both_share == 0.5
    assert {rows[pair].both_ns for pair in rows if 4 in pair} == {0}
    assert {row.waits for row in rows.values()} == {0}


def test_a_wait_for_a_stream_that_has_run_all_is_streams_in_series(built: Built) -> None:
    trace = side_by_side()
    wait(trace, 2, 120 * US, 400 * US)
    record(trace, 3, 400 * US - 440)
    trace.kernel("After", 410 * US, 500 * US, stream=2)
    store = built(trace)
    [row] = [row for row in pairs(store) if row.waits]
    assert (row.stream_id, row.other_stream_id, row.waits, row.wait_ns) == (2, 3, 1, 280 * US)
    # From the end of B to the record.
    assert row.unused_ns == 400 * US - 440 - 20 - 160 * US
    assert (row.last_ts, row.last_producer) == (400 * US, "B")
    [one] = [one for one in found(store.store) if one.rule.name == "idle_producer"]
    assert (one.ns, one.period, one.inferred) == (row.unused_ns, 1000 * US, True)
    assert one.values == {
        "count": 1, "longest_ns": row.unused_ns, "stream_id": 2, "other_stream_id": 3,
        "producer_name": "B",
    }  # fmt: skip
    assert one.evidence[0] == row.longest_slice_id
    assert row.last_producer_slice_id in one.evidence


def test_a_wait_for_a_stream_that_works_or_is_held_itself_is_no_series(built: Built) -> None:
    trace = stepped()
    trace.kernel("Root", 10 * US, 400 * US, stream=4)
    wait(trace, 3, 20 * US, 412 * US)
    record(trace, 4, 412 * US - 440)
    wait(trace, 2, 30 * US, 414 * US)
    record(trace, 3, 414 * US - 440)
    trace.kernel("After", 420 * US, 20 * US, stream=2)
    store = built(trace)
    rows = {(row.stream_id, row.other_stream_id): row for row in pairs(store) if row.waits}
    # Root ended at 410 us and its record 560 ns before 412; stream 3 was held until then.
    assert {pair: row.unused_ns for pair, row in rows.items()} == {(3, 4): 1540, (2, 3): 0}
    assert rows[2, 3].both_share is None
    assert "idle_producer" not in {one.rule.name for one in found(store.store)}
