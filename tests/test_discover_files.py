import gzip
import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from build import (
    KERNEL_DETAILS,
    TraceBuilder,
    csv_text,
    msprof_profile,
    torch_profile,
)
from discovered import names, notices, refusal, refuse_to_open, the_profile, with_kernel

from npuview.ingest.discover import find_profiles
from npuview.ingest.errors import IngestError, UnsupportedProfile, UsageError
from npuview.ingest.profile import fingerprint

STAMP = "20260101101010"
OP_SUMMARY = "Device_id,Task ID,Stream ID,Op Name,Task Type,Task Start Time(us),Task Duration(us)"
OP_ROW = [["0", "1", "2", "Add", "AI_CORE", "5.000", "1.5"]]


def test_loose_files_are_a_profile_without_rank(tmp_path: Path) -> None:
    with_kernel(torch_profile(tmp_path)).trace.write(tmp_path / "deep" / "trace_view.json")
    (tmp_path / "deep" / "kernel_details.csv").write_text(
        csv_text(KERNEL_DETAILS, [{"Name": "Add", "Start Time(us)": "0.000"}])
    )
    (tmp_path / "deep" / "fusion_result.json").write_text('{"session": 0}')
    profile = the_profile(tmp_path)
    assert (profile.producer, profile.rank_known, profile.name) == ("torch_npu", False, "deep")
    assert profile.path == tmp_path / "deep"
    assert names(profile) == {"kernel_details": ["kernel_details.csv"]}
    assert list(notices(profile, "not_read")) == ["fusion_result.json"]


def test_of_two_views_of_the_same_kernels_one_is_the_kernel_table(tmp_path: Path) -> None:
    (tmp_path / f"op_summary_{STAMP}.csv").write_text(csv_text(OP_SUMMARY, OP_ROW))
    (tmp_path / "kernel_details.csv").write_text(
        csv_text(KERNEL_DETAILS, [{"Name": "Add", "Start Time(us)": "0.000"}])
    )
    kinds = {table.name: table.kind for table in the_profile(tmp_path).tables}
    assert kinds == {"kernel_details": "kernels", "op_summary": "summary"}


def test_a_copy_beside_the_trace_is_not_read_as_a_part_of_it(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    for copy in ("trace_view_1.json", "trace_view_old.json", "msprof_1.json"):
        builder.json(f"ASCEND_PROFILER_OUTPUT/{copy}", [{"ph": "X"}])
    profile = the_profile(builder.write())
    assert [one.path.name for one in profile.timelines] == ["trace_view.json"]
    assert len(notices(profile, "not_read")) == 3


def test_a_packed_copy_beside_the_trace_counts_once(tmp_path: Path) -> None:
    path = with_kernel(torch_profile(tmp_path)).write()
    trace = path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    packed = trace.with_name("trace_view.json.gz")
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    assert [one.path for one in the_profile(path).timelines] == [trace]
    trace.unlink()
    assert [one.path for one in the_profile(path).timelines] == [packed]


def zipped(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("inner/trace.json", content)
        archive.writestr("readme.txt", "hello")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "pack", "member"),
    [
        ("any.json", bytes, None),
        ("any.json.gz", gzip.compress, None),
        ("any.gz", gzip.compress, None),
        ("any.zip", zipped, "inner/trace.json"),
        ("no_suffix_at_all", bytes, None),
    ],
)
@pytest.mark.parametrize(
    "text", ['[{"ph":"X","name":"a"}]', '\ufeff {"schemaVersion":1,"traceEvents":[]}']
)
def test_a_lone_timeline_is_a_profile(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes], member: str | None, text: str
) -> None:
    path = tmp_path / name
    path.write_bytes(pack(text.encode()))
    profile = the_profile(path)
    (timeline,) = profile.timelines
    assert (profile.producer, profile.name, profile.rank_known) == ("chrome", name, False)
    assert (timeline.path, timeline.member, timeline.role) == (path, member, "primary")
    assert (profile.path, profile.root, profile.files) == (path, tmp_path, (path,))


def test_a_kineto_trace_names_its_rank(tmp_path: Path) -> None:
    path = tmp_path / "worker.pt.trace.json"
    info = {"backend": "nccl", "rank": 7, "world_size": 128, "pg_config": [{"pg_name": "0"}]}
    filler = {"device": ["x" * 100] * 1000}
    path.write_text(json.dumps({"distributedInfo": info, **filler, "traceEvents": [{"ph": "X"}]}))
    profile = the_profile(path)
    assert (profile.rank, profile.rank_known, profile.world_size) == (7, True, 128)


@pytest.mark.parametrize(
    ("file", "header", "producer"),
    [
        ("kernel_details.csv", "Name,Accelerator Core,Start Time(us),Duration(us)", "torch_npu"),
        (f"op_summary_{STAMP}.csv", "Op Name,Task Type,Task Start Time,Task Duration", "msprof"),
        ("whatever.csv", "Op Name,Task Type,Task Start Time(us),Task Duration(us)", "msprof"),
    ],
)
def test_a_lone_kernel_table_is_a_profile_whatever_its_name(
    tmp_path: Path, file: str, header: str, producer: str
) -> None:
    path = tmp_path / file
    path.write_text(csv_text(header, [["Add", "AI_CORE", "1", "2"]]))
    profile = the_profile(path)
    assert (profile.producer, profile.timelines) == (producer, ())
    assert [(table.kind, table.paths) for table in profile.tables] == [("kernels", (path,))]


def sqlite_file(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE task (a)")
    connection.close()


def test_what_is_recognised_and_not_read_says_so(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.json("cluster_step.json", {"step": {}})
    path = builder.write()
    sqlite_file(path / "ASCEND_PROFILER_OUTPUT" / "analysis.db")
    logs = tmp_path / "log" / "plog"
    logs.mkdir(parents=True)
    for number in (1, 2):
        (logs / f"plog-{number}_2026.log").write_text("[INFO] GE(1,python):2026 x\n")
    (tmp_path / "watch.txt").write_text("NpuID(Idx) ChipId(Idx) Pwr(W)\n0 0 93.1\n")
    (tmp_path / "cluster_analysis_output").mkdir()
    profile = the_profile(tmp_path)
    found = notices(profile, "not_read")
    assert set(found) == {
        "ASCEND_PROFILER_OUTPUT/analysis.db",
        "log/plog/plog-1_2026.log",
        "watch.txt",
        "cluster_analysis_output",
    }
    assert "npu-smi" in (found["watch.txt"] or "")
    assert {one.severity for one in profile.notices} == {"info"}
    assert [one.count for one in profile.notices if one.file.endswith(".log")] == [2]


def test_raw_data_is_answered_with_the_command_that_parses_it(tmp_path: Path) -> None:
    prof = tmp_path / "PROF_000001_20230818142704322_ABC"
    (prof / "device_0" / "data").mkdir(parents=True)
    assert f"msprof --export=on --output={prof}" in refusal(tmp_path)
    torch = tmp_path / "torch" / "n_1_20260101101010123_ascend_pt"
    (torch / "FRAMEWORK").mkdir(parents=True)
    (torch / prof.name / "device_0" / "data").mkdir(parents=True)
    message = refusal(torch)
    assert "from torch_npu.profiler.profiler import analyse" in message
    assert f'analyse("{torch}")' in message


def test_an_unparsed_rank_beside_parsed_ones_is_a_notice(tmp_path: Path) -> None:
    with_kernel(torch_profile(tmp_path, rank=0)).write()
    (tmp_path / "n_1_20260101101010123_ascend_pt" / "FRAMEWORK").mkdir(parents=True)
    found = notices(the_profile(tmp_path), "not_read")
    assert "analyse(" in (found["n_1_20260101101010123_ascend_pt"] or "")


def test_a_database_alone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = torch_profile(tmp_path).write()
    (path / "ASCEND_PROFILER_OUTPUT").mkdir()
    database = path / "ASCEND_PROFILER_OUTPUT" / "ascend_pytorch_profiler_0.db"
    sqlite_file(database)
    for place in (path, database):
        message = refusal(place)
        assert "SQLite" in message
        assert "ExportType.Text" in message


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.json", b'{"spans": []}', "traceEvents"),
        ("a.json", b"", "nothing in it"),
        ("a.json", b"[]", "nothing in it"),
        ("a.json", '[{"ph":"X"}]'.encode("utf-16"), "UTF-16"),
        ("a.csv", b"Level,API Name,Count\nacl,x,1\n", "without kernels"),
        ("a.json.gz", b"\x1f\x8b\x08\x00garbage-that-is-no-gzip", "unpack"),
        ("a.zip", zipped(b'{"spans": []}'), "traceEvents"),
        ("a.bin", b"\0\1\2", "not a profile"),
        ("fusion_result.json", b"{}", "graph engine"),
    ],
)
def test_a_file_that_is_no_profile_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    message = refusal(path)
    assert words in message
    assert str(path) in message


def test_an_empty_folder_is_refused_with_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    message = refusal(tmp_path)
    assert "_ascend_pt" in message
    assert "trace_view.json" in message
    assert "1 other files in 1 folders" in message


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        find_profiles(tmp_path / "nope")


def test_nothing_waits_on_a_pipe_or_follows_a_link(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path / "in"))
    path = builder.write()
    (path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").unlink()
    os.mkfifo(path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    assert "link" in refusal(tmp_path / "in")
    with pytest.raises(UnsupportedProfile, match="not a regular file"):
        find_profiles(path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json")


def test_an_output_folder_that_was_copied_alone_does_not_take_its_neighbours(
    tmp_path: Path,
) -> None:
    path = with_kernel(torch_profile(tmp_path)).write()
    copied = path.joinpath("ASCEND_PROFILER_OUTPUT").rename(tmp_path / "ASCEND_PROFILER_OUTPUT")
    with_kernel(msprof_profile(tmp_path)).write()
    profile = the_profile(copied)
    assert (profile.path, profile.rank_known) == (copied, False)
    assert [one.path.name for one in profile.timelines] == ["trace_view.json"]


def test_a_stray_side_file_above_the_ranks_does_not_hide_them(tmp_path: Path) -> None:
    (tmp_path / "profiler_info_0.json").write_text("{}")
    path = with_kernel(torch_profile(tmp_path, rank=5)).write()
    assert the_profile(tmp_path).path == path


def test_profiles_are_found_five_levels_deep_and_no_further(tmp_path: Path) -> None:
    deep = tmp_path / "1" / "2" / "3" / "4"
    path = with_kernel(torch_profile(deep)).write()
    assert the_profile(tmp_path).path == path
    with_kernel(torch_profile(deep / "5" / "6", rank=1)).write()
    assert len(find_profiles(tmp_path)) == 1


def test_an_unreadable_folder_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_kernel(torch_profile(tmp_path)).write()
    (tmp_path / "closed").mkdir()
    refuse_to_open(monkeypatch, tmp_path / "closed")
    assert "closed" in notices(the_profile(tmp_path), "file_unreadable")


def test_tables_without_rows_are_no_tables(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.csv("kernel_details", KERNEL_DETAILS, [])
    builder.file("ASCEND_PROFILER_OUTPUT/op_statistic.csv", "")
    builder.csv("l2_cache", "Stream Id,Task Id,Hit Rate", [["1", "2", "N/A"]])
    profile = the_profile(builder.write())
    assert set(names(profile)) == {"l2_cache"}
    assert {Path(file).name for file in notices(profile, "empty_file")} == {
        "kernel_details.csv",
        "op_statistic.csv",
    }


def test_a_damaged_file_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.file(
        "ASCEND_PROFILER_OUTPUT/op_statistic.csv", "OP Type,Count\nAdd,1\n".encode("utf-16")
    )
    builder.file("profiler_metadata.json", '{"distributed_args": ')
    profile = the_profile(builder.write())
    assert profile.world_size is None
    assert list(notices(profile, "file_unreadable")) == ["ASCEND_PROFILER_OUTPUT/op_statistic.csv"]


def test_a_fingerprint_changes_with_content_size_time_and_name(tmp_path: Path) -> None:
    trace = TraceBuilder()
    for index in range(2000):
        trace.kernel(f"Kernel{index}", ts=index * 10, dur=5)
    path = tmp_path / "trace.json"
    trace.write(path)
    size = path.stat().st_size
    assert size > 3 * (64 << 10)
    profile = the_profile(path)
    other = path.rename(tmp_path / "other.json")
    marks = [fingerprint(the_profile(other))]
    other.rename(path)
    marks.append(fingerprint(profile))
    assert fingerprint(profile) == marks[1]
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    block = (size - (64 << 10)) * 3 // 7
    for place in (0, block, size - 1):
        content = bytearray(path.read_bytes())
        content[place] ^= 1
        path.write_bytes(content)
        os.utime(path, ns=times)
        marks.append(fingerprint(profile))
    os.utime(path, ns=(times[0], times[1] + 1))
    marks.append(fingerprint(profile))
    with path.open("ab") as file:
        file.write(b"\n")
    marks.append(fingerprint(profile))
    assert len(set(marks)) == len(marks)


def test_a_source_that_is_gone_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = with_kernel(torch_profile(tmp_path)).write()
    profile = the_profile(path)
    profile.timelines[0].path.unlink()
    with pytest.raises(IngestError, match=r"trace_view\.json: No such file"):
        fingerprint(profile)
