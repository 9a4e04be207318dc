"""Why a device has nothing to do: each cause from a tiny trace, to the nanosecond.

Times of tiny traces are ns. The main thread enqueues, QUEUE launches; a kernel ends at 200 and
the next one begins at 500.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import TraceBuilder, torch_profile
from conftest import Ingest, Ingested
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.pipeline import open_store

MAIN = 4242
QUEUE = 10
Built = Callable[[TraceBuilder], Ingested]

PIECES = (
    "SELECT ts - (SELECT min(ts) FROM step), s.dur, cause, stage, e.name FROM stall AS s"
    " LEFT JOIN (SELECT slice_id, name FROM slice) AS e ON e.slice_id = evidence_slice_id"
    " WHERE place = 'between' ORDER BY ts"
)


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def stepped(dur: int = 1000) -> TraceBuilder:
    trace = TraceBuilder()
    trace.step(1, 0, dur)
    return trace


def two_kernels(
    *, launched: int = 470, enqueued: int | None = None, took: int = 20
) -> TraceBuilder:
    """One kernel up to 200, one from 500 on that was launched from ``launched`` on."""
    trace = stepped()
    trace.kernel("A", 100, 100)
    kernel = trace.kernel("B", 500, 100, connection_id=7)
    trace.launch(kernel, launched, took, tid=QUEUE)
    if enqueued is not None:
        trace.queue(1, (MAIN, enqueued, 10), (QUEUE, enqueued + 20, launched + took - enqueued))
    return trace


def test_while_nothing_was_launched_the_host_is_late_in_two_stages(built: Built) -> None:
    trace = two_kernels(launched=400, enqueued=300)
    trace.host_thread().slice("aten::add", 50, 300, cat="cpu_op")
    assert built(trace).rows(PIECES) == [
        (200, 120, "host_framework", "framework", "Enqueue"),
        (320, 100, "host_launch", "launch", "Dequeue@aclnnAdd"),
        (420, 80, "device_queue", "device", "Node@launch"),
    ]


def test_a_thread_without_slices_is_not_called_idle(built: Built) -> None:
    trace = two_kernels(launched=470, enqueued=440)
    trace.host_thread().slice("aten::add", 190, 60, cat="cpu_op")
    # A line around the whole step tells nothing of what it did.
    trace.host_thread().slice("main.py(3): train", -10, 1020, cat="python_function")
    assert built(trace).rows(PIECES)[:3] == [
        (200, 50, "host_framework", "framework", "Enqueue"),
        (250, 190, "no_record", "framework", "Enqueue"),
        (440, 10, "host_framework", "framework", "Enqueue"),
    ]


def test_what_fills_the_time_of_the_host_is_named(built: Built) -> None:
    trace = two_kernels(launched=470, enqueued=440)
    thread = trace.host_thread()
    thread.slice("aten::add", 150, 300, cat="cpu_op")
    loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    thread.slice(loader, 210, 50, cat="cpu_op")
    trace.cann_thread().slice("AscendCL@aclrtMallocPhysical", 300, 30)
    trace.lane("Python GC", 9, "Thread 9", pid=(MAIN << 10) | 32).slice("GC", 350, 40, cat="GC")
    assert [row[:3] for row in built(trace).rows(PIECES)][:7] == [
        (200, 10, "host_framework"),
        (210, 50, "dataloader"),
        (260, 40, "host_framework"),
        (300, 30, "alloc"),
        (330, 20, "host_framework"),
        (350, 40, "gc"),
        (390, 60, "host_framework"),
    ]


def test_a_compile_call_that_compiles_nothing_is_a_launch(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 5_000_000)
    trace.kernel("A", 100, 100)
    kernel = trace.kernel("B", 4_000_000, 100, connection_id=7)
    trace.launch(kernel, 3_900_000, 20, tid=QUEUE)
    trace.queue(1, (MAIN, 10, 10), (QUEUE, 150, 3_900_000))
    trace.cann_thread(QUEUE).slice("AscendCL@opCompile", 1000, 999_999)
    trace.cann_thread(QUEUE).slice("AscendCL@opCompile", 2_000_000, 1_000_000)
    causes = built(trace).rows(
        "SELECT cause, sum(dur)::BIGINT FROM stall WHERE place = 'between' GROUP BY 1 ORDER BY 1"
    )
    assert causes == [
        ("compile", 1_000_000),
        ("device_queue", 99_980),
        ("host_launch", 2_899_820),
    ]


def test_a_thread_that_waited_for_the_device_could_not_run_ahead(built: Built) -> None:
    trace = two_kernels(launched=470, enqueued=440)
    sync = "AscendCL@aclrtSynchronizeStreamWithTimeout"
    trace.cann_thread().slice(sync, 120, 90)
    trace.cann_thread().slice("Runtime@StreamSynchronize", 125, 60)
    trace.host_thread().slice("aten::add", 150, 300, cat="cpu_op")
    assert built(trace).rows(PIECES) == [
        (200, 260, "host_sync", "framework", sync),
        (460, 30, "host_sync", "launch", sync),
        (490, 10, "device_queue", "device", "Node@launch"),
    ]


def test_a_wait_of_another_thread_or_after_the_enqueue_holds_up_nothing(built: Built) -> None:
    trace = two_kernels(launched=400, enqueued=150)
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeDevice", 170, 600)
    trace.cann_thread(99).slice("AscendCL@aclrtSynchronizeDevice", 50, 160)
    assert [row[2] for row in built(trace).rows(PIECES)] == ["host_launch", "device_queue"]


BACKWARD = 88


def begun_by_main(trace: TraceBuilder, *, until: int) -> TraceBuilder:
    """The main thread waits for the device until some instant; another one enqueues at 300."""
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeDevice", 120, until - 120)
    trace.kernel("A", 100, 100)
    kernel = trace.kernel("B", 500, 100, connection_id=7)
    trace.launch(kernel, 400, 20, tid=QUEUE)
    trace.queue(1, (BACKWARD, 300, 10), (QUEUE, 320, 100))
    return trace


def test_a_thread_that_main_starts_after_its_wait_was_held_up_by_that_wait(built: Built) -> None:
    trace = begun_by_main(stepped(), until=220)
    trace.host_thread(BACKWARD).slice("aten::mul", 290, 40, cat="cpu_op")
    store = built(trace)
    sync = "AscendCL@aclrtSynchronizeDevice"
    assert store.rows(PIECES) == [
        (200, 120, "host_sync", "framework", sync),
        (320, 100, "host_sync", "launch", sync),
        (420, 80, "device_queue", "device", "Node@launch"),
    ]
    assert store.rows(
        "SELECT cause, bool_and(inferred) FROM stall WHERE place = 'between' GROUP BY cause"
        " ORDER BY cause"
    ) == [("device_queue", False), ("host_sync", True)]


@pytest.mark.parametrize(
    ("until", "busy"),
    [
        pytest.param(220, (190, 60), id="it worked while main waited"),
        pytest.param(198, (290, 40), id="main was out before the device was done"),
        pytest.param(350, (290, 40), id="it went on while main waited"),
    ],
)
def test_a_thread_that_did_not_rest_until_main_was_out_was_not_held_up(
    built: Built, until: int, busy: tuple[int, int]
) -> None:
    trace = begun_by_main(stepped(), until=until)
    trace.host_thread(BACKWARD).slice("aten::mul", *busy, cat="cpu_op")
    assert "host_sync" not in {row[2] for row in built(trace).rows(PIECES)}


def test_a_blocking_copy_that_comes_late_was_staged(built: Built) -> None:
    trace = stepped()
    trace.kernel("A", 100, 100)
    copy = trace.task("MEMCPY_ASYNC", 500, 100, task_type="PCIE_DMA_SQE", connection_id=7)
    trace.launch(copy, 250, 20, name="AscendCL@aclrtMemcpyAsync", tid=QUEUE)
    trace.queue(1, (MAIN, 210, 10), (QUEUE, 230, 50))
    trace.host_thread().slice("aten::copy_", 190, 420, cat="cpu_op")
    rows = built(trace).rows(PIECES)
    assert [row[:3] for row in rows] == [
        (200, 30, "host_framework"),
        (230, 40, "host_launch"),
        (270, 230, "copy_staging"),
    ]
    assert rows[-1][4] == "aten::copy_"


def test_the_launch_of_a_graph_is_that_of_all_its_tasks(built: Built) -> None:
    trace = stepped()
    first = [trace.kernel(f"A{n}", 100 + 50 * n, 30, connection_id=1) for n in range(3)]
    second = [trace.kernel(f"B{n}", 500 + 50 * n, 30, connection_id=2) for n in range(2)]
    for number, tasks, ts in ((1, first, 10), (2, second, 300)):
        call = trace.launch(number, ts, 40, name="AscendCL@aclmdlRIExecuteAsync", flow=False)
        for index, task in enumerate(tasks):
            trace.flow("HostToDevice", call, task, id=f"{number}{index}")
    assert [row[:3] for row in built(trace).rows(PIECES)] == [
        (130, 20, "graph_inner"),
        (180, 20, "graph_inner"),
        (230, 70, "graph_launch"),
        (300, 40, "graph_launch"),
        (340, 160, "device_queue"),
        (530, 20, "graph_inner"),
    ]


def test_an_event_wait_that_nothing_launched_explains_is_named(built: Built) -> None:
    trace = two_kernels(launched=150)
    trace.task("EVENT_WAIT", 300, 180, stream=3, task_type="EVENT_WAIT_SQE")
    assert built(trace).rows(
        "SELECT state, s.dur, cause, name FROM stall AS s JOIN slice ON slice_id ="
        " evidence_slice_id WHERE place = 'between' ORDER BY s.ts"
    ) == [
        ("idle", 100, "device_queue", "Node@launch"),
        ("waiting_event", 180, "wait_event", "EVENT_WAIT"),
        ("idle", 20, "device_queue", "Node@launch"),
    ]


@pytest.mark.parametrize(("switch", "cause"), [(True, "profiler"), (False, "device_queue")])
def test_an_even_distance_between_queued_kernels_is_the_profilers(
    tmp_path: Path, ingest: Ingest, cause: str, *, switch: bool
) -> None:
    profile = torch_profile(tmp_path, switches={"_l2_cache": switch})
    trace = profile.trace
    trace.step(1, 0, 5_000_000)
    for number in range(12):
        kernel = trace.kernel(
            f"K{number}", 100_000 + 195_000 * number, 100_000, connection_id=number
        )
        trace.launch(kernel, 10_000 + number, 1)
    late = trace.kernel("late", 3_000_000, 100_000, connection_id=99)
    trace.launch(late, 2_500_000, 1)
    store = ingest(profile.write())
    assert store.rows(
        "SELECT cause, inferred, count(*) FROM stall WHERE place = 'between' AND dur = 95000"
        " GROUP BY ALL"
    ) == [(cause, switch, 11)]


def test_without_arrows_and_ids_the_order_of_launches_joins_and_is_marked(built: Built) -> None:
    trace = stepped()
    thread = trace.cann_thread(QUEUE)
    for number, (name, ts) in enumerate((("A", 100), ("B", 300), ("A", 500))):
        trace.kernel(name, ts, 100)
        thread.slice("Node@launch", ts - 60 * number - 1, 40, args={"item_id": name})
    store = built(trace)
    assert store.rows(
        "SELECT p.name, l.launch_ts - (SELECT min(ts) FROM step), method, inferred"
        " FROM launch_link AS l JOIN slice AS p USING (slice_id) ORDER BY p.ts"
    ) == [("A", 99, "order", True), ("B", 239, "order", True), ("A", 379, "order", True)]
    assert store.rows("SELECT bool_and(inferred) FROM stall WHERE place = 'between'") == [(True,)]


def test_what_no_launch_tells_is_unknown_and_counted(built: Built) -> None:
    trace = stepped()
    trace.kernel("A", 100, 100)
    trace.kernel("B", 500, 100)
    assert built(trace).rows(PIECES) == [(200, 300, "unknown", None, None)]


def test_before_the_first_task_and_after_the_last_one_is_said(built: Built) -> None:
    trace = stepped()
    kernel = trace.kernel("A", 300, 100, connection_id=1)
    trace.launch(kernel, 250, 20, tid=QUEUE)
    trace.queue(1, (MAIN, 200, 10), (QUEUE, 220, 60))
    thread = trace.host_thread()
    thread.slice("aten::add", 150, 55, cat="cpu_op")
    trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", 280, 130)
    assert built(trace).rows(
        "SELECT cause, dur FROM ledger WHERE state = 'idle' ORDER BY cause"
    ) == [
        ("lead_in:device_queue", 30),
        ("lead_in:host_framework", 60),
        ("lead_in:host_launch", 50),
        ("lead_in:no_record", 160),
        ("tail:host_sync", 600),
    ]


def test_a_gap_is_named_by_what_takes_most_of_it(built: Built) -> None:
    trace = two_kernels(launched=470, enqueued=440)
    trace.host_thread().slice("aten::add", 150, 300, cat="cpu_op")
    trace.task("MEMCPY_ASYNC", 220, 100, stream=3, task_type="SDMA_SQE")
    assert built(trace).rows(
        "SELECT kind, dur, idle_ns, cause, inferred FROM gap ORDER BY ts, kind"
    ) == [
        ("compute", 300, 200, "host_framework", False),
        ("device", 20, 20, "unknown", False),
        ("device", 180, 180, "host_framework", False),
    ]


@pytest.mark.parametrize(
    ("enqueued", "launched", "lengths", "cause"),
    [
        pytest.param(280, 380, [100, 100, 100], "host_framework", id="all are alike"),
        pytest.param(220, 350, [40, 130, 130], "host_launch", id="the last two are alike"),
    ],
)
def test_of_equal_causes_a_gap_is_named_by_the_first(
    built: Built, enqueued: int, launched: int, lengths: list[int], cause: str
) -> None:
    trace = two_kernels(launched=launched, enqueued=enqueued)
    trace.host_thread().slice("aten::add", 150, 300, cat="cpu_op")
    store = built(trace)
    assert [row[1] for row in store.rows(PIECES)] == lengths
    assert store.rows("SELECT DISTINCT cause FROM gap") == [(cause,)]


def test_the_phases_of_a_step_begin_with_their_first_task(built: Built) -> None:
    trace = stepped()
    thread = trace.host_thread()
    thread.slice("torch/_tensor.py(492): backward", 400, 200, cat="python_function")
    thread.slice("Optimizer.step#SGD.step", 620, 100, cat="cpu_op")
    for number, (ts, launched) in enumerate(((100, 50), (300, 250), (500, 450), (700, 650))):
        kernel = trace.kernel(f"K{number}", ts, 100, connection_id=number + 1)
        trace.launch(kernel, launched, 10)
    assert built(trace).rows(
        "SELECT phase, sum(dur)::BIGINT FROM ledger GROUP BY phase ORDER BY phase"
    ) == [("backward", 200), ("forward", 400), ("lead_in", 100), ("optimizer", 100), ("tail", 200)]


ODD = {
    "a period that its ledger does not fill": """
        SELECT step FROM step LEFT JOIN
          (SELECT step, sum(dur)::BIGINT AS spent FROM ledger GROUP BY step) USING (step)
        WHERE spent <> dur""",
    "stalls that overlap": """
        SELECT ts FROM (SELECT ts, dur, lead(ts) OVER (ORDER BY ts) AS next_ts FROM stall)
        WHERE ts + dur > next_ts""",
    "a gap that its stalls do not fill": """
        SELECT gap_id FROM gap LEFT JOIN
          (SELECT gap_id, sum(dur)::BIGINT AS filled FROM stall GROUP BY gap_id) USING (gap_id)
        WHERE kind = 'device' AND filled IS DISTINCT FROM dur""",
    "a cause that no slice shows, of a device that worked": """
        SELECT cause FROM stall
        WHERE (evidence_slice_id IS NULL) <> (cause = 'unknown') AND next_slice_id IS NOT NULL""",
}

spans = st.lists(
    st.tuples(
        st.sampled_from(["kernel", "copy", "wait", "sync", "op", "dequeue", "GC"]),
        st.integers(0, 400),
        st.integers(0, 90),
        st.integers(0, 80),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=15, deadline=None)
@given(spans)
def test_stalls_tile_all_time_without_work(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("stalls")
    trace = TraceBuilder()
    trace.step(1, 0, 250)
    trace.step(2, 250, 250)
    for number, (kind, ts, dur, before) in enumerate(drawn):
        if kind in {"kernel", "copy", "wait"}:
            type_ = {"kernel": "AI_CORE", "copy": "SDMA", "wait": "EVENT_WAIT_SQE"}[kind]
            name, stream = f"op{number}", number % 3
            task = trace.task(
                name, ts, dur, stream=stream, task_type=type_, connection_id=number + 1
            )
            if before % 2:
                trace.launch(task, ts - before, before + 5, tid=QUEUE)
        elif kind == "sync":
            trace.cann_thread().slice("AscendCL@aclrtSynchronizeStream", ts, dur)
        elif kind == "dequeue":
            trace.host_thread(QUEUE).slice("Dequeue@x", ts, dur, cat="dequeue")
        else:
            trace.host_thread().slice(kind, ts, dur, cat="cpu_op")
    opened = open_store(trace.write(folder / "trace_view.json"), cache_dir=folder / "cache")
    store = Ingested(opened)
    for what, select in ODD.items():
        assert store.rows(select) == [], what
