"""Steps as their files tell them: what is official, what is derived, and what is not known."""

from pathlib import Path

from build import STEP_TRACE_TIME, torch_profile
from conftest import Ingest
from store_build import ask


def test_free_of_the_profiler_is_more_than_the_gaps_between_kernels(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    trace = profile.trace
    trace.task("PROFILING_ENABLE", "465.180", "0", task_type="PROFILING_ENABLE")
    trace.kernel("a", "466.760", "1.000")
    trace.kernel("b", "470.000", "2.000")
    trace.task("PLACE_HOLDER_SQE", "8492.000", "0", task_type="PLACE_HOLDER_SQE")
    trace.overlap("Free", "465.180", "1.580")
    trace.overlap("Computing", "466.760", "1.000")
    trace.overlap("Free", "467.760", "2.240")
    trace.overlap("Computing", "470.000", "2.000")
    trace.overlap("Free", "472.000", "8020.000")
    store = ingest(profile.write())
    assert store.rows("SELECT free, figures_source FROM step") == [(8_023_820, "overlap_lane")]
    assert store.rows("SELECT ts, dur FROM gap WHERE kind = 'device'") == [(467_760, 2_240)]


def test_the_time_of_a_step_on_the_device_is_told_apart_from_that_on_the_host(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(5, 0, 900_000)
    header = "Device_id,Step,Computing,Communication(Not Overlapped),Communication,Free"
    profile.csv("step_trace_time", header, [["0", "5", "500.001", "100", "120", "200.5"]])
    [row] = ask(ingest(profile.write()).store, "figures")
    assert (row.total, row.host_dur) == (800_501, 900_000)
    assert (row.figures_source, row.stage) == ("step_trace_time", None)


def test_a_step_that_lacks_a_figure_has_no_total(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(5, 0, 900_000)
    header = "Device_id,Step,Computing,Communication(Not Overlapped),Communication,Free"
    profile.csv("step_trace_time", header, [["0", "5", "500", "N/A", "120", "200"]])
    [row] = ask(ingest(profile.write()).store, "figures")
    assert (row.computing, row.free, row.total) == (500_000, 200_000, None)


def test_a_step_with_host_work_alone_is_there_and_has_no_figures(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    trace = profile.trace
    for number in (6, 7, 8):
        trace.step(number, 1000 * number, 1000)
    for number in (6, 8):
        ts = 1000 * number
        trace.launch(trace.kernel("k", ts + 100, 10, connection_id=number), ts + 50, 5)
    figures = ["1"] * 9
    rows = [["0", number, *figures] for number in ("6", "8", "9")]
    profile.csv("step_trace_time", STEP_TRACE_TIME, rows)
    store = ingest(profile.write())
    asked = "SELECT step, source, host_ts, device_ts, computing, figures_source FROM step"
    assert store.rows(f"{asked} ORDER BY step") == [
        (6, "profiler_step", 6000, 6100, 1000, "step_trace_time"),
        (7, "profiler_step", 7000, None, None, None),
        (8, "profiler_step", 8000, 8100, 1000, "step_trace_time"),
        (9, "step_trace_time", None, None, 1000, "step_trace_time"),
    ]


def test_text_and_database_of_one_run_are_not_mixed(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    trace = profile.trace
    trace.step(3, 0, 1000)
    trace.launch(trace.kernel("side", 100, 5000, stream=3, connection_id=1), 50, 5)
    trace.launch(trace.kernel("last", 300, 100, connection_id=2), 60, 5)
    trace.overlap("Computing", 100, 5000)
    database = "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"
    profile.file(database, b"SQLite format 3\0" + bytes(100))
    store = ingest(profile.write())
    assert store.rows("SELECT computing, figures_source FROM step") == [(5000, "overlap_lane")]
    told = "SELECT file, severity FROM import_stat WHERE name = 'not_read'"
    assert store.rows(told) == [(database, "info")]
