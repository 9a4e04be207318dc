import csv
import gzip
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from build import (
    KERNEL_DETAILS,
    NO_CONNECTION,
    TraceBuilder,
    Verbatim,
    csv_text,
    msprof_profile,
    torch_profile,
    us,
)
from hypothesis import given
from hypothesis import strategies as st

Event = dict[str, Any]


def events(trace: TraceBuilder) -> list[Event]:
    return [event for event in json.loads(trace.text()) if event["ph"] != "M"]


@given(st.integers(-(2**62), 2**62))
def test_nanoseconds_become_microseconds_with_three_decimals(ns: int) -> None:
    text = us(ns)
    assert Decimal(text) * 1000 == ns
    assert len(text.rpartition(".")[2]) == 3


def test_a_time_given_as_text_goes_into_the_file_digit_by_digit() -> None:
    trace = TraceBuilder()
    trace.kernel("MatMul", ts="1736408883704643.212", dur="79089.52021875")
    text = trace.text()
    assert '"ts": "1736408883704643.212"' in text
    assert '"dur": 79089.52021875,' in text


def test_numeric_timestamps_keep_their_digits_too() -> None:
    trace = TraceBuilder(ts="number")
    trace.kernel("MatMul", ts="56635864652.490005", dur=1)
    assert '"ts": 56635864652.490005,' in trace.text()


def test_a_launch_and_its_kernel_share_connection_and_arrow() -> None:
    trace = TraceBuilder()
    kernel = trace.kernel("MatMul", ts=2_000, dur=500, connection_id=7)
    trace.launch(kernel, ts="1.000", dur="0.25")
    task, call, start, finish = events(trace)
    assert task["args"]["connection_id"] == call["args"]["connection_id"] == 7
    assert call["args"]["item_id"] == "MatMul"
    assert start["id"] == finish["id"] == str(7 << 32)
    assert (start["ts"], finish["ts"]) == ("1.000", "2.000")
    assert (finish["pid"], finish["tid"]) == (task["pid"], task["tid"])


def test_a_launch_without_its_kernel_leaves_the_arrow_open() -> None:
    trace = TraceBuilder()
    trace.launch(9, ts=0, dur=5)
    trace.launch(10, ts=9, dur=5, flow=False)
    assert [event["ph"] for event in events(trace)] == ["X", "s", "X"]


def test_a_task_without_connection_has_the_number_of_64_ones() -> None:
    trace = TraceBuilder()
    trace.task("EVENT_WAIT", ts=0, dur=5, task_type="EVENT_WAIT_SQE")
    assert events(trace)[0]["args"]["connection_id"] == NO_CONNECTION == 2**64 - 1


def test_plane_tasks_and_their_twins_agree() -> None:
    trace = TraceBuilder()
    trace.collective(
        ts=10, dur=20, connection_id=8, waits={3: (11, 5)}, moves=[(3, 16, 3)], stream=4
    )
    whole, wait, twin, move, other = events(trace)
    assert whole["name"] == "hcom_allReduce__586_0_1"
    for planned, seen in ((wait, twin), (move, other)):
        assert (planned["ts"], planned["dur"]) == (seen["ts"], seen["dur"])
        assert planned["args"]["task id"] == seen["args"]["Task Id"]
        assert planned["args"]["context id"] == seen["args"]["Subtask Id"]
        assert planned["args"]["dst rank"] == 3
    assert (twin["args"]["Task Type"], other["args"]["Task Type"]) == ("Notify Wait", "SDMA")
    assert twin["args"]["connection_id"] == 8


def test_two_groups_never_share_a_lane() -> None:
    trace = TraceBuilder()
    lanes = {trace.group("a").tid, trace.plane(0, "a").tid, trace.plane(7, "a").tid}
    assert lanes.isdisjoint({trace.group("b").tid, trace.plane(0, "b").tid})


def test_a_lane_is_described_once_and_before_the_events() -> None:
    trace = TraceBuilder(device=3)
    trace.kernel("Add", ts=0, dur=1, stream=2)
    trace.kernel("Add", ts=2, dur=1, stream=5)
    described = [event for event in json.loads(trace.text()) if event["ph"] == "M"]
    names = [event["args"]["name"] for event in described if "name" in event["args"]]
    assert names == ["Ascend Hardware", "Stream 2", "Stream 5"]
    labels = [event["args"]["labels"] for event in described if "labels" in event["args"]]
    assert labels == ["NPU 3"]
    assert json.loads(trace.text(metadata="last"))[0]["ph"] == "X"


def test_a_process_of_no_profiler_needs_a_pid() -> None:
    trace = TraceBuilder()
    with pytest.raises(ValueError, match="'renderer' needs a pid"):
        trace.lane("renderer", 1)
    assert trace.lane("renderer", "t1", pid="p1").pid == "p1"


def test_the_sides_of_a_queue_entry_are_joined() -> None:
    trace = TraceBuilder()
    trace.queue(5, enqueue=(1, 0, 5), dequeue=(2, 9, 7), api="aclnnMul")
    put, taken, start, finish = events(trace)
    assert (put["name"], taken["name"]) == ("Enqueue", "Dequeue@aclnnMul")
    assert put["args"] == taken["args"] == {"correlation_id": 5}
    assert (start["tid"], finish["tid"]) == (1, 2)
    assert start["name"] == finish["name"] == "enqueue_to_dequeue"


def test_steps_overlaps_and_counters_are_named_as_the_profilers_do() -> None:
    trace = TraceBuilder()
    trace.step(50, ts=0, dur=10)
    trace.overlap("Free", ts=0, dur=5)
    trace.counter("AI Core Freq", ts=0, values={"MHz": 1800})
    step, free, counter = events(trace)
    assert (step["name"], step["tid"]) == ("ProfilerStep#50", trace.os_pid)
    assert (free["name"], free["tid"]) == ("Free", 3)
    assert counter["args"] == {"MHz": 1800}


def test_damaged_bytes_stay_damaged() -> None:
    trace = TraceBuilder()
    trace.raw('{"ph":"X","name":"cut')
    assert trace.text() == '[{"ph":"X","name":"cut]'


def test_verbatim_numbers_are_not_rewritten() -> None:
    trace = TraceBuilder()
    trace.event(ph="X", ts=Verbatim("1.50e3"), cat=None)
    assert trace.events == ['{"ph": "X", "ts": 1.50e3}']


def test_an_object_envelope_holds_the_same_events(tmp_path: Path) -> None:
    trace = TraceBuilder()
    trace.kernel("Add", ts=0, dur=1)
    path = trace.write(tmp_path / "deep" / "t.json", envelope="object")
    assert json.loads(path.read_bytes())["traceEvents"] == json.loads(trace.text())


def test_a_compressed_and_a_cut_file_hold_what_they_should(tmp_path: Path) -> None:
    trace = TraceBuilder()
    trace.kernel("Add", ts=0, dur=1)
    whole = trace.text().encode()
    packed = trace.write(tmp_path / "t.json.gz", gz=True)
    assert gzip.decompress(packed.read_bytes()) == whole
    assert trace.write(tmp_path / "t.json", truncate_at=40).read_bytes() == whole[:40]
    assert trace.write(tmp_path / "t.json", truncate_at=-1).read_bytes() == whole[:-1]


def test_rows_by_name_have_not_available_where_nothing_is_said() -> None:
    text = csv_text("A,B,C", [{"B": "2"}, [1, "x,y", 3]], newline="\n")
    assert text == 'A,B,C\nN/A,2,N/A\n1,"x,y",3\n'
    with pytest.raises(ValueError, match="no such column: D"):
        csv_text("A", [{"D": 1}])


def test_a_torch_profile_has_its_files_where_torch_npu_puts_them(tmp_path: Path) -> None:
    profile = torch_profile(tmp_path, rank=3, world_size=8, switches={"_l2_cache": True})
    profile.trace.kernel("Add", ts=0, dur=5)
    profile.csv("kernel_details", KERNEL_DETAILS, [{"Name": "Add"}])
    directory = profile.write()
    output = directory / "ASCEND_PROFILER_OUTPUT"
    assert directory.name.rsplit("_", 4)[1:] == ["4245", "20260101101010123", "ascend", "pt"]
    assert sorted(file.name for file in output.iterdir()) == [
        "kernel_details.csv",
        "trace_view.json",
    ]
    info = json.loads((directory / "profiler_info_3.json").read_text())
    assert info["rank_id"] == 3
    assert info["config"]["experimental_config"] == {"_profiler_level": "Level1", "_l2_cache": True}
    metadata = json.loads((directory / "profiler_metadata.json").read_text())
    assert metadata["distributed_args"] == {"rank": 3, "world_size": 8}
    text = (output / "kernel_details.csv").read_bytes().decode()
    assert text.count("\r\n") == 2
    assert next(csv.DictReader(io.StringIO(text)))["Name"] == "Add"


def test_a_profile_may_name_no_rank_and_have_no_trace(tmp_path: Path) -> None:
    nameless = torch_profile(tmp_path / "a", rank=None).write()
    assert "rank_id" not in json.loads((nameless / "profiler_info.json").read_text())
    bare = torch_profile(tmp_path / "b", level=None).write()
    assert list(bare.iterdir()) == []


def test_ranks_of_one_job_lie_side_by_side(tmp_path: Path) -> None:
    first, second = (torch_profile(tmp_path, rank=rank).write() for rank in range(2))
    assert first != second
    assert first.parent == second.parent


def test_a_new_msprof_profile_has_an_export_stamp_in_every_name(tmp_path: Path) -> None:
    profile = msprof_profile(tmp_path, device=1, rank=5)
    profile.trace.kernel("Add", ts=0, dur=5)
    profile.csv("op_summary", "A,B", [[1, 2]])
    profile.csv("op_summary", "A,B", [[3, 4]], part=1)
    directory = profile.write()
    output = directory / "mindstudio_profiler_output"
    assert sorted(file.name for file in output.iterdir()) == [
        "msprof_20260101101010.json",
        "op_summary_20260101101010.csv",
        "op_summary_slice_1_20260101101010.csv",
    ]
    assert (output / "op_summary_20260101101010.csv").read_bytes() == b"A,B\n1,2\n"
    assert json.loads((directory / "device_1" / "info.json.1").read_text())["rank_id"] == 5


def test_an_old_msprof_profile_counts_from_the_start_of_the_machine(tmp_path: Path) -> None:
    profile = msprof_profile(tmp_path, layout="old", model=2, iteration=6)
    profile.trace.kernel("Add", ts="56635864652.490005", dur=5)
    profile.csv("task_time", "A", [[1]])
    directory = profile.write()
    timeline = directory / "device_0" / "timeline" / "msprof_0_2_6.json"
    assert '"ts": 56635864652.490005' in timeline.read_text()
    assert (directory / "device_0" / "summary" / "task_time_0_2_6.csv").exists()
    started = json.loads((directory / "device_0" / "start_info.0").read_text())
    assert started == {
        "clockMonotonicRaw": "1000000000",
        "collectionTimeBegin": "1767262210000000",
    }
