"""Steps: what marks them, how their periods tile the run, and the official figures."""

from collections.abc import Callable
from pathlib import Path

import pytest
from build import STEP_TRACE_TIME, TraceBuilder, torch_profile
from conftest import Ingest, Ingested

PERIODS = "SELECT step, source, ts, dur FROM step ORDER BY ts"
FIGURES = (
    "SELECT step, computing, communication, communication_not_overlapped, overlapped, free,"
    " stage, bubble, preparing, figures_source FROM step ORDER BY step"
)
Built = Callable[[TraceBuilder], Ingested]


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def launched(trace: TraceBuilder, name: str, launch: int, ts: int, dur: int, key: int) -> None:
    trace.launch(trace.kernel(name, ts, dur, connection_id=key), launch, 5)


def test_periods_run_from_device_end_to_device_end_and_tile_the_run(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(7, 0, 100)
    trace.step(8, 100, 100)
    trace.step(9, 200, 100)
    launched(trace, "a", 10, 50, 20, 1)
    # Launched in step 7, still running when the host is in step 8.
    launched(trace, "b", 90, 120, 30, 2)
    launched(trace, "c", 110, 160, 20, 3)
    launched(trace, "d", 210, 220, 10, 4)
    store = built(trace)
    assert store.rows(PERIODS) == [
        (7, "profiler_step", 0, 150),
        (8, "profiler_step", 150, 30),
        (9, "profiler_step", 180, 120),
    ]
    assert store.rows("SELECT name, step FROM kernel ORDER BY ts") == [
        ("a", 7),
        ("b", 7),
        ("c", 8),
        ("d", 9),
    ]
    assert store.rows("SELECT device_ts, device_dur FROM step ORDER BY step") == [
        (50, 100),
        (160, 20),
        (220, 10),
    ]


def test_a_step_without_its_neighbour_begins_with_the_host(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(10, 0, 100)
    trace.step(50, 500, 100)
    launched(trace, "a", 10, 20, 10, 1)
    launched(trace, "b", 510, 520, 200, 2)
    assert built(trace).rows(PERIODS) == [
        (10, "profiler_step", 0, 100),
        (50, "profiler_step", 500, 220),
    ]


def test_what_a_step_left_on_the_device_is_not_the_next_ones(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(5, 0, 100)
    trace.step(7, 200, 100)
    launched(trace, "k", 10, 90, 160, 1)
    launched(trace, "l", 210, 260, 20, 2)
    store = built(trace)
    assert store.rows(PERIODS) == [
        (5, "profiler_step", 0, 250),
        (7, "profiler_step", 250, 50),
    ]
    assert store.rows("SELECT step, sum(dur)::BIGINT FROM ledger GROUP BY step ORDER BY step") == [
        (5, 250),
        (7, 50),
    ]


def test_a_step_number_that_is_used_twice_is_counted(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(5, 0, 100)
    trace.step(5, 1000, 100)
    store = built(trace)
    assert store.rows(PERIODS) == [(5, "profiler_step", 0, 100)]
    assert store.noticed() == {"step_number_repeated": 1}


def test_the_instant_of_the_enqueue_decides_the_step_of_a_queued_launch(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 100)
    trace.step(2, 100, 100)
    trace.queue(7, enqueue=(4242, 90, 5), dequeue=(99, 105, 30))
    trace.launch(trace.kernel("late", 130, 10, connection_id=3), 110, 5, tid=99)
    store = built(trace)
    assert store.rows("SELECT name, step FROM kernel") == [("late", 1)]
    assert store.one(
        "SELECT h.name, e.name, launch_ts, launch_end, method FROM launch_link"
        " JOIN slice AS h ON h.slice_id = host_slice_id"
        " JOIN slice AS e ON e.slice_id = enqueue_slice_id"
    ) == ("Node@launch", "Enqueue", 110, 115, "flow")


def test_iterations_of_a_step_trace_are_steps(built: Built) -> None:
    trace = TraceBuilder(ts="number")
    lane = trace.lane("Ascend Hardware", 9, "Step Trace(Model ID:2)")
    for number, ts in ((1, 100), (2, 250)):
        lane.slice(f"Iteration {number}", ts, 150, cat="Iteration Time")
        lane.slice(f"FP_BP Time {number}", ts, 90, cat="FP_BP Time")
    trace.kernel("a", 110, 50)
    trace.kernel("b", 260, 50)
    store = built(trace)
    assert store.rows(PERIODS) == [(1, "step_trace", 100, 150), (2, "step_trace", 250, 150)]
    assert store.rows("SELECT name, step FROM kernel ORDER BY ts") == [("a", 1), ("b", 2)]
    assert store.one("SELECT sum(dur) FROM ledger WHERE state = 'computing'") == 100


def test_a_trace_without_marks_is_one_run(built: Built) -> None:
    trace = TraceBuilder()
    trace.kernel("a", 100, 50)
    trace.kernel("b", 300, 50)
    store = built(trace)
    assert store.rows(PERIODS) == [(0, "run", 100, 250)]
    assert dict(store.rows("SELECT state, sum(dur)::BIGINT FROM ledger GROUP BY state")) == {
        "computing": 100,
        "idle": 150,
    }


def overlapping() -> TraceBuilder:
    trace = TraceBuilder()
    trace.step(1, 0, 1000)
    launched(trace, "a", 10, 100, 200, 1)
    launched(trace, "b", 20, 600, 100, 2)
    trace.collective(250, 300, name="hcom_receive__1_0_1")
    trace.overlap("Computing", 100, 200)
    trace.overlap("Computing", 600, 100)
    trace.overlap("Communication", 250, 300)
    trace.overlap("Communication(Not Overlapped)", 300, 250)
    trace.overlap("Free", 550, 50)
    return trace


def test_official_figures_come_from_the_lane_when_there_is_no_file(built: Built) -> None:
    assert built(overlapping()).rows(FIGURES) == [
        (1, 300, 300, 250, 50, 50, 600 - 300, 300, 100, "overlap_lane")
    ]


def test_without_lane_and_file_figures_are_the_union_of_slices(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(1, 0, 1000)
    launched(trace, "a", 10, 100, 200, 1)
    launched(trace, "a2", 12, 150, 100, 3)
    launched(trace, "b", 20, 600, 100, 2)
    trace.collective(250, 300)
    assert built(trace).rows(FIGURES) == [(1, 300, 300, 250, 50, 50, 600, 0, 100, "own_union")]


def file_row(computing: str) -> list[str]:
    return ["0", "1", computing, "0.25", "0.05", "0.3", "0.05", "0.3", "0.3", "0", "0.1"]


@pytest.mark.parametrize(("computing", "differs"), [("0.30000000000000004", 0), ("0.302", 1)])
def test_figures_of_the_file_win_and_are_compared_with_the_lane(
    tmp_path: Path, ingest: Ingest, computing: str, differs: int
) -> None:
    profile = torch_profile(tmp_path, rank=0)
    profile.trace = overlapping()
    profile.csv("step_trace_time", STEP_TRACE_TIME, [file_row(computing)])
    store = ingest(profile.write())
    [row] = store.rows(FIGURES)
    assert row[1] == round(float(computing) * 1000)
    assert row[-1] == "step_trace_time"
    assert store.noticed().get("figures_differ_from_lane", 0) == differs


def test_a_step_that_only_the_figures_know_has_no_times(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path, rank=0)
    profile.trace = overlapping()
    rows = [file_row("0.3"), ["0", "2", *file_row("0.7")[2:]]]
    profile.csv("step_trace_time", STEP_TRACE_TIME, rows)
    store = ingest(profile.write())
    assert store.rows("SELECT step, source, ts, computing FROM step ORDER BY step") == [
        (1, "profiler_step", 0, 300),
        (2, "step_trace_time", None, 700),
    ]


def test_the_connection_names_the_innermost_call_when_no_arrow_does(built: Built) -> None:
    trace = TraceBuilder()
    kernel = trace.kernel("a", 100, 20, connection_id=5)
    trace.launch(5, 10, 200, name="AscendCL@aclnnAdd", flow=False)
    trace.launch(5, 20, 30, name="Node@launch", flow=False)
    trace.launch(5, 110, 30, name="Runtime@late", flow=False)
    assert kernel.connection_id == 5
    assert built(trace).rows(
        "SELECT h.name, launch_ts, launch_end, method FROM launch_link"
        " JOIN slice AS h ON h.slice_id = host_slice_id"
    ) == [("Node@launch", 20, 50, "connection")]


def test_the_frameworks_own_arrow_is_the_last_resort(built: Built) -> None:
    trace = TraceBuilder()
    op = trace.host_thread().slice("aten::add", 10, 20)
    kernel = trace.kernel("a", 100, 20)
    trace.flow("async_npu", op, kernel, id=100)
    assert built(trace).rows("SELECT launch_ts, launch_end, method FROM launch_link") == [
        (10, 30, "torch_flow")
    ]
