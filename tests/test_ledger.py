"""Device states, gaps and collectives of tiny traces, to the nanosecond."""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingest, Ingested
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.pipeline import open_store

LEDGER = "SELECT state, sum(dur)::BIGINT FROM ledger GROUP BY state ORDER BY state"
Built = Callable[[TraceBuilder], Ingested]


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def stepped(dur: int = 1000) -> TraceBuilder:
    trace = TraceBuilder()
    trace.step(1, 0, dur)
    return trace


def test_every_nanosecond_is_in_exactly_one_state_by_rank(built: Built) -> None:
    trace = stepped()
    trace.kernel("MatMul", 100, 100)
    trace.kernel("MatmulAllReduce", 150, 100, stream=3)
    trace.kernel("Unique", 240, 60, stream=4, task_type="AI_CPU")
    trace.collective(
        300, 400, waits={1: (310, 200)}, moves=[(2, 500, 100)], stream=9, connection_id=5
    )
    trace.task("MEMCPY_ASYNC", 590, 60, stream=5, task_type="PCIE_DMA_SQE")
    trace.task("EVENT_WAIT", 690, 60, stream=6, task_type="EVENT_WAIT_SQE")
    assert dict(built(trace).rows(LEDGER)) == {
        "idle": 100 + 250,
        "computing": 100,
        "mc2": 50,
        "aicpu": 50,
        "collective_other": 10 + 50,
        "waiting_peer": 190,
        "transferring": 100,
        "copying": 50,
        "waiting_event": 50,
    }


def test_tasks_that_repeat_a_plane_on_a_stream_count_once(built: Built) -> None:
    trace = stepped()
    trace.collective(100, 500, waits={1: (100, 300)}, moves=[(1, 400, 200)], stream=4)
    # Outside any collective, but on the stream of the collectives.
    trace.task("EVENT_WAIT", 700, 100, stream=4, task_type="EVENT_WAIT_SQE")
    trace.task("SDMA", 850, 10, stream=4, task_type="SDMA")
    assert dict(built(trace).rows(LEDGER)) == {
        "idle": 500,
        "waiting_peer": 300,
        "transferring": 200,
    }


def test_a_wait_for_the_pipeline_stage_before_is_its_own_state(built: Built) -> None:
    trace = stepped()
    trace.collective(100, 300, name="hcom_receive__1_0_1", waits={0: (100, 200)})
    trace.collective(500, 300, name="hcom_allReduce__1_1_1", waits={0: (500, 200)})
    assert dict(built(trace).rows(LEDGER)) == {
        "idle": 400,
        "waiting_stage": 200,
        "waiting_peer": 200,
        "collective_other": 200,
    }


def test_without_planes_a_collective_cannot_be_split(built: Built) -> None:
    trace = stepped()
    trace.collective(100, 300)
    store = built(trace)
    assert dict(store.rows(LEDGER)) == {"idle": 700, "collective_other": 300}
    assert store.one("SELECT transfer_ns, wait_ns, last_peer FROM collective") == (
        None,
        None,
        None,
    )


def test_a_collective_says_what_moved_who_was_waited_for_and_how_much_it_carried(
    built: Built,
) -> None:
    trace = stepped()
    trace.collective(
        100,
        800,
        waits={1: (110, 20), 5: (110, 400), 6: (115, 0)},
        moves=[(1, 500, 100), (5, 550, 150)],
        stream=4,
    )
    # A later wait for the same peer is not the arrival.
    trace.plane_task("Notify_Wait", 1, 720, 100, stream=4)
    store = built(trace)
    assert store.one(
        'SELECT "group", bytes, transfer_ns, wait_ns, last_number FROM collective'
    ) == (
        "0",
        4096,
        200,
        390 + 100,
        5,
    )
    assert store.rows("SELECT number, wait_ns FROM peer_arrival ORDER BY number") == [
        (1, 20),
        (5, 400),
        (6, 0),
    ]


def test_a_gap_lies_between_two_tasks_and_names_both(built: Built) -> None:
    trace = stepped()
    trace.kernel("A", 100, 50)
    trace.kernel("inside", 110, 10, stream=3)
    trace.task("EVENT_WAIT", 160, 30, stream=3, task_type="EVENT_WAIT_SQE")
    trace.kernel("B", 200, 50)
    trace.kernel("touching", 250, 10)
    trace.task("EVENT_RECORD", 262, 5, task_type="EVENT_RECORD_SQE")
    trace.kernel("C", 300, 50)
    assert built(trace).rows(
        "SELECT g.ts, g.dur, wait_ns, idle_ns, p.name, n.name, g.step, step_boundary FROM gap AS g"
        " JOIN slice AS p ON p.slice_id = prev_slice_id"
        " JOIN slice AS n ON n.slice_id = next_slice_id WHERE g.kind = 'device' ORDER BY g.ts"
    ) == [(150, 50, 30, 20, "A", "B", 1, False), (260, 40, 0, 40, "touching", "C", 1, False)]


def test_a_gap_over_a_border_belongs_to_the_step_that_holds_its_middle(built: Built) -> None:
    trace = TraceBuilder(ts="number")
    lane = trace.lane("Ascend Hardware", 9, "Step Trace(Model ID:2)")
    lane.slice("Iteration 1", 0, 100, cat="Iteration Time")
    lane.slice("Iteration 2", 100, 100, cat="Iteration Time")
    trace.kernel("A", 0, 90)
    trace.kernel("B", 180, 20)
    assert built(trace).rows(
        "SELECT ts, dur, step, step_boundary FROM gap WHERE kind = 'device'"
    ) == [(90, 90, 2, True)]


def test_a_collective_that_runs_as_a_kernel_is_no_idle_time(built: Built) -> None:
    trace = stepped(100)
    trace.kernel("ncclDevKernel_AllReduce", 10, 50)
    assert dict(built(trace).rows(LEDGER)) == {"collective_other": 50, "idle": 50}


def test_devices_of_one_profile_are_kept_apart(tmp_path: Path, ingest: Ingest) -> None:
    # One process, two devices: the label of each lane's process says which.
    trace = TraceBuilder(device=0)
    trace.step(1, 0, 100)
    trace.kernel("A", 10, 20)
    for number, field in (
        (0, '"process_labels","pid":77,"args":{"labels":"NPU 1"}'),
        (1, '"process_name","pid":77,"args":{"name":"Ascend Hardware"}'),
    ):
        trace.raw(f'{{"ph":"M","tid":{number},"name":{field}}}')
    trace.raw(
        '{"ph":"X","name":"B","pid":77,"tid":2,"ts":"0.050","dur":0.03,'
        '"args":{"Task Type":"AI_CORE"}}'
    )
    store = ingest(trace.write(tmp_path / "trace_view.json"))
    assert store.rows(
        "SELECT device_id, state, sum(dur)::BIGINT FROM ledger GROUP BY ALL ORDER BY ALL"
    ) == [
        (0, "computing", 20),
        (0, "idle", 80),
        (1, "computing", 30),
        (1, "idle", 70),
    ]
    assert store.rows("FROM gap") == []


tasks = st.lists(
    st.tuples(
        st.sampled_from(["AI_CORE", "AI_CPU", "SDMA", "EVENT_WAIT_SQE", "EVENT_RECORD_SQE"]),
        st.integers(1, 6),
        st.integers(0, 300),
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=40,
)
RANK = {
    "AI_CORE": "computing",
    "AI_CPU": "aicpu",
    "SDMA": "copying",
    "EVENT_WAIT_SQE": "waiting_event",
}


@settings(max_examples=15, deadline=None)
@given(tasks)
def test_the_ledger_equals_a_look_at_every_nanosecond(
    tmp_path_factory: pytest.TempPathFactory, spans: list[tuple[str, int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("ledger")
    trace = stepped(400)
    for kind, stream, ts, dur in spans:
        # Names of operators, so that no name says what the task type says.
        trace.task(f"op{stream}", ts, dur, stream=stream, task_type=kind)
    opened = open_store(trace.write(folder / "trace_view.json"), cache_dir=folder / "cache")
    store = Ingested(opened)
    expected: dict[str, int] = {}
    has_device = any(dur and kind in RANK for kind, _, _, dur in spans)
    for instant in range(400 if has_device else 0):
        running = {RANK.get(k) for k, _, ts, dur in spans if ts <= instant < ts + dur}
        state = next((s for s in RANK.values() if s in running), "idle")
        expected[state] = expected.get(state, 0) + 1
    assert dict(store.rows(LEDGER)) == expected
    gaps = store.one(
        "SELECT coalesce(sum(dur), 0)::BIGINT, coalesce(sum(wait_ns), 0)::BIGINT FROM gap"
        " WHERE kind = 'device'"
    )
    busy = [
        any(k in RANK and k != "EVENT_WAIT_SQE" and ts <= i < ts + d for k, _, ts, d in spans)
        for i in range(400)
    ]
    if any(busy):
        first, last = busy.index(True), len(busy) - busy[::-1].index(True)
        assert gaps[0] == busy[first:last].count(False)
