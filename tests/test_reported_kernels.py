"""Kernels that other programs showed wrong: too near, without a name, without a launch."""

from pathlib import Path

from build import KERNEL_DETAILS, TraceBuilder, msprof_profile, torch_profile
from conftest import Ingest
from store_build import ask

TASK_TIME = (
    "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
)


def test_a_gap_is_exact_and_the_wait_of_the_table_stays_what_it_prints(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    starts = [
        ("A", "1782114242842466.760", "784.800", "0"),
        ("B", "1782114242843403.740", "1.000", "152.200000"),
    ]
    for name, start, dur, _ in starts:
        profile.trace.kernel(name, start, dur)
    profile.csv(
        "kernel_details",
        KERNEL_DETAILS,
        [
            {
                "Device_id": "0",
                "Name": name,
                "Start Time(us)": start,
                "Duration(us)": dur,
                "Wait Time(us)": wait,
            }
            for name, start, dur, wait in starts
        ],
    )
    store = ingest(profile.write())
    assert store.rows("SELECT wait FROM kernel ORDER BY ts") == [(0,), (152_200,)]
    assert store.rows("SELECT dur FROM gap WHERE kind = 'device'") == [(152_180,)]


def test_tasks_without_a_name_are_told_apart_by_their_type(tmp_path: Path, ingest: Ingest) -> None:
    profile = msprof_profile(tmp_path)
    profile.trace.task("N/A", 1000, 10, task_type="KERNEL_AICPU")
    profile.trace.task("N/A", 2000, 20, task_type="AI_VECTOR_CORE")
    profile.trace.task("N/A", 3000, 30, task_type="PROFILING_ENABLE")
    row = ["0", "N/A", "PROFILING_ENABLE", "49", "3", "0.03", "3.000", "3.030"]
    profile.csv("task_time", TASK_TIME, [row])
    store = ingest(profile.write())
    assert store.rows("SELECT name, core, total FROM operator_total ORDER BY total") == [
        ("", "KERNEL_AICPU", 10),
        ("", "AI_VECTOR_CORE", 20),
    ]
    assert store.rows("SELECT kernel_name, kernel_type FROM summary_task_time") == [
        (None, "PROFILING_ENABLE")
    ]


def test_a_kernel_whose_host_call_was_not_recorded_is_listed_without_a_launch(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for number in range(1, 47):
        trace.launch(number, 10 * number, 5, flow=False)
    trace.kernel("k", 5000, 10, connection_id=70)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("SELECT name, ts, dur FROM kernel") == [("k", 5000, 10)]
    assert store.rows("FROM launch_link") == []
    chain = ask(store.store, "chain", slice_id=store.one("SELECT slice_id FROM kernel"))
    assert [row.role for row in chain] == ["slice"]


def test_a_call_that_nobody_knows_launches_by_its_number(tmp_path: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    trace.launch(trace.kernel("a", 100, 10, connection_id=1), 10, 5, name="Vendor@neverSeenBefore")
    trace.kernel("b", 200, 10, connection_id=2)
    trace.launch(2, 20, 5, name="Vendor@norThis", flow=False)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows(
        "SELECT d.name, h.name, method FROM launch_link AS k"
        " JOIN slice AS d ON d.slice_id = k.slice_id"
        " JOIN slice AS h ON h.slice_id = k.host_slice_id ORDER BY d.ts"
    ) == [
        ("a", "Vendor@neverSeenBefore", "flow"),
        ("b", "Vendor@norThis", "connection"),
    ]


def test_without_arrows_the_task_queue_is_followed_by_its_numbers(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 100)
    trace.step(2, 100, 200)
    for put, taken, number in ((10, 20, 7), (90, 120, 8), (130, 150, 7)):
        args = {"correlation_id": number}
        trace.host_thread().slice("Enqueue", put, 5, cat="enqueue", args=args)
        trace.host_thread(99).slice("Dequeue@aclnnAdd", taken, 15, cat="dequeue", args=args)
        kernel = trace.kernel("Add", taken + 50, 5, connection_id=taken)
        trace.launch(kernel, taken + 5, 5, tid=99, flow=False)
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("FROM flow") == []
    assert store.rows(
        "SELECT d.ts, d.step, h.ts, e.ts, method FROM launch_link AS k"
        " JOIN slice AS d ON d.slice_id = k.slice_id"
        " JOIN slice AS h ON h.slice_id = k.host_slice_id"
        " JOIN slice AS e ON e.slice_id = k.enqueue_slice_id ORDER BY d.ts"
    ) == [
        (70, 1, 25, 10, "connection"),
        (170, 1, 125, 90, "connection"),
        (200, 2, 155, 130, "connection"),
    ]


def test_a_call_of_the_task_queue_without_its_number_is_followed_no_further(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    trace.host_thread().slice("Enqueue", 10, 5, args={"correlation_id": 7})
    trace.host_thread(99).slice("Dequeue@aclnnAdd", 20, 15, args={"other": 7})
    trace.launch(trace.kernel("Add", 70, 5, connection_id=1), 25, 5, tid=99, flow=False)
    store = ingest(trace.write(tmp_path / "t.json"))
    links = "SELECT launch_ts, enqueue_slice_id FROM launch_link"
    assert store.rows(links) == [(25, None)]


def test_without_arrows_and_ids_the_number_of_kineto_joins_a_task_to_its_call(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for number, called, ran in ((7, 10, 100), (8, 20, 200), (7, 150, 300)):
        args = {"correlation": number}
        trace.host_thread().slice("cudaLaunchKernel", called, 5, cat="cuda_runtime", args=args)
        trace.stream(2).slice("gemm", ran, 10, cat="kernel", args=args)
    trace.stream(2).slice("lone", 400, 10, cat="kernel", args={"correlation": 9})
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows("FROM flow") == []
    assert store.rows(
        "SELECT d.ts, h.ts, method, k.inferred FROM launch_link AS k"
        " JOIN slice AS d ON d.slice_id = k.slice_id"
        " JOIN slice AS h ON h.slice_id = k.host_slice_id ORDER BY d.ts"
    ) == [
        (100, 10, "connection", False),
        (200, 20, "connection", False),
        (300, 150, "connection", False),
    ]
