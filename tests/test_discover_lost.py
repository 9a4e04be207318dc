"""A rank of which nothing can be read is told of as an error, and the others open."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from build import KERNEL_DETAILS, csv_text, msprof_profile, torch_profile
from conftest import Ingest
from discovered import notices, refuse_to_open, the_profile, with_kernel

from npuview.ingest.notice import Notice

TRACE = "ASCEND_PROFILER_OUTPUT/trace_view.json"


def errors(found: tuple[Notice, ...]) -> dict[str, str]:
    return {one.file: one.name for one in found if one.severity == "error"}


def two_ranks(tmp_path: Path) -> Path:
    """Write ranks 0 and 1; return the folder of rank 1."""
    with_kernel(torch_profile(tmp_path, rank=0)).write()
    return with_kernel(torch_profile(tmp_path, rank=1)).write()


def write(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (write(b""), "not_a_timeline"),
        (write(b" \n"), "not_a_timeline"),
        (write(b"[]"), "empty_file"),
        (write(b'{"spans": [1]}'), "not_a_timeline"),
        (write(b"Segmentation fault\n"), "not_a_timeline"),
        (write('[{"ph":"X"}]'.encode("utf-16")), "file_unreadable"),
        (write(b"\x1f\x8b\x08\x00garbage-that-is-no-gzip"), "file_unreadable"),
        (write(gzip.compress(b"[]")), "empty_file"),
        (pipe, "file_unreadable"),
        (dangling, "file_unreadable"),
    ],
)
def test_a_rank_whose_only_timeline_is_none_is_an_error_of_the_job(
    tmp_path: Path, damage: Callable[[Path], object], name: str
) -> None:
    lost = two_ranks(tmp_path)
    damage(lost / TRACE)
    profile = the_profile(tmp_path)
    assert (profile.rank, errors(profile.notices)) == (0, {f"{lost.name}/{TRACE}": name})


def test_a_lost_rank_is_in_the_store_of_the_others(tmp_path: Path, ingest: Ingest) -> None:
    lost = two_ranks(tmp_path)
    dangling(lost / TRACE)
    found = ingest(tmp_path).rows("SELECT file, name FROM import_stat WHERE severity = 'error'")
    assert found == [(f"{lost.name}/{TRACE}", "file_unreadable")]


def test_a_timeline_without_events_beside_tables_is_no_error(tmp_path: Path) -> None:
    builder = torch_profile(tmp_path)
    builder.file(TRACE, "[ ]")
    builder.csv("op_statistic", "OP Type,Count", [["Add", "1"]])
    profile = the_profile(builder.write())
    assert (errors(profile.notices), set(notices(profile, "empty_file"))) == ({}, {TRACE})


def test_a_damaged_timeline_beside_tables_is_an_error_of_its_profile(tmp_path: Path) -> None:
    builder = torch_profile(tmp_path)
    builder.file(TRACE, b"oops")
    builder.csv("op_statistic", "OP Type,Count", [["Add", "1"]])
    assert errors(the_profile(builder.write()).notices) == {TRACE: "not_a_timeline"}


def test_a_pipe_beside_a_packed_timeline_is_an_error_and_the_packed_one_is_read(
    tmp_path: Path,
) -> None:
    path = with_kernel(torch_profile(tmp_path)).write()
    packed = path / f"{TRACE}.gz"
    packed.write_bytes(gzip.compress((path / TRACE).read_bytes()))
    pipe(path / TRACE)
    profile = the_profile(path)
    assert [one.path for one in profile.timelines] == [packed]
    assert errors(profile.notices) == {TRACE: "file_unreadable"}


@pytest.mark.parametrize("closed", ["", "ASCEND_PROFILER_OUTPUT", TRACE])
def test_a_rank_that_may_not_be_looked_into_is_an_error_of_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    place = two_ranks(tmp_path) / closed
    refuse_to_open(monkeypatch, place)
    profile = the_profile(tmp_path)
    assert profile.rank == 0
    assert errors(profile.notices) == {str(place.relative_to(tmp_path)): "file_unreadable"}


def test_an_output_folder_behind_a_link_is_an_error_of_the_job(tmp_path: Path) -> None:
    lost = two_ranks(tmp_path / "job")
    output = lost / "ASCEND_PROFILER_OUTPUT"
    output.symlink_to(output.rename(tmp_path / "elsewhere"))
    profile = the_profile(tmp_path / "job")
    assert profile.rank == 0
    assert errors(profile.notices) == {f"{lost.name}/{output.name}": "link_not_followed"}


def test_a_rank_behind_a_link_is_an_error_and_any_other_link_is_not(tmp_path: Path) -> None:
    lost = two_ranks(tmp_path / "job")
    lost.symlink_to(lost.rename(tmp_path / "elsewhere"))
    (tmp_path / "job" / "other").symlink_to(tmp_path)
    profile = the_profile(tmp_path / "job")
    assert errors(profile.notices) == {lost.name: "link_not_followed"}
    assert set(notices(profile, "link_not_followed")) == {lost.name, "other"}


def test_msprof_profiles_that_are_lost_are_errors_of_the_job(tmp_path: Path) -> None:
    with_kernel(msprof_profile(tmp_path / "a", stamp="20260101101010")).write()
    new = with_kernel(msprof_profile(tmp_path / "b", stamp="20260102101010")).write()
    old = with_kernel(msprof_profile(tmp_path / "c", layout="old", stamp="20260103101010")).write()
    (new / "mindstudio_profiler_output" / "msprof_20260102101010.json").write_text("oops")
    (old / "device_0" / "timeline" / "msprof_0_1_1.json").write_text("{}{")
    profile = the_profile(tmp_path)
    assert profile.path.parent.name == "a"
    assert errors(profile.notices) == {
        f"b/{new.name}/mindstudio_profiler_output/msprof_20260102101010.json": "not_a_timeline",
        f"c/{old.name}/device_0/timeline/msprof_0_1_1.json": "not_a_timeline",
    }


def test_loose_files_that_are_lost_are_errors_of_the_others(tmp_path: Path) -> None:
    for folder, content in (("a", b'[{"ph":"X"}]'), ("b", b"oops"), ("c", b"\xff\xfe[\0")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "trace_view.json").write_bytes(content)
    (tmp_path / "d").mkdir()
    os.mkfifo(tmp_path / "d" / "trace_view.json")
    assert errors(the_profile(tmp_path).notices) == {
        "b/trace_view.json": "not_a_timeline",
        "c/trace_view.json": "file_unreadable",
        "d/trace_view.json": "file_unreadable",
    }


def test_a_stray_empty_table_above_the_ranks_does_not_hide_them(tmp_path: Path) -> None:
    (tmp_path / "profiler_info_0.json").write_text("{}")
    (tmp_path / "mine.csv").write_text("a,b\n")
    path = with_kernel(torch_profile(tmp_path, rank=5)).write()
    assert the_profile(tmp_path).path == path


BEFORE = b'{"padding": "' + b"x" * (3 << 20) + b'", "traceEvents": ['
EVENT = b'{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}'


@pytest.mark.parametrize(
    "content",
    [
        EVENT + b"\n" + EVENT + b"\n",
        EVENT,
        b'{"name":"' + b"x" * 40_000 + b'","ph":"X","ts":1}\n' + EVENT,
        b'{"name":"\xff","ph":"X","ts":1}\n' + EVENT,
        b"x" + EVENT + b",\n" + EVENT + b"]",
        b"\0\0" + EVENT,
        b'x"traceEvents": [' + EVENT + b"]}",
        BEFORE + EVENT + b"]}",
    ],
)
@pytest.mark.parametrize("name", [TRACE, None])
def test_events_are_a_timeline_whatever_stands_around_them(
    tmp_path: Path, content: bytes, name: str | None
) -> None:
    if name is None:
        path = tmp_path / "any.json"
        path.write_bytes(content)
    else:
        builder = torch_profile(tmp_path)
        builder.file(name, content)
        path = builder.write()
    assert len(the_profile(path).timelines) == 1
    assert len(the_profile(tmp_path).timelines) == 1


@pytest.mark.parametrize(
    "content",
    [b'{"a":{"ph":7}}\n', b'{"ph":' + b"[" * 20_000, b"log {x} line\n", b'{"a":' * 20_000],
)
def test_other_json_is_still_no_timeline(tmp_path: Path, content: bytes) -> None:
    builder = torch_profile(tmp_path)
    builder.file(TRACE, content)
    builder.csv("op_statistic", "OP Type,Count", [["Add", "1"]])
    assert errors(the_profile(builder.write()).notices) == {TRACE: "not_a_timeline"}


HEADER = KERNEL_DETAILS.split(",")
ROWS = [{"Name": "Add", "Start Time(us)": "1", "Duration(us)": "2"}]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", "\n", " \r\n,,\n", "\n" * 20_000])
def test_blank_lines_first_and_any_line_ends_make_a_table_of_kernels(
    tmp_path: Path, newline: str, before: str
) -> None:
    builder = torch_profile(tmp_path)
    text = csv_text(HEADER, ROWS, newline=newline)
    builder.file("ASCEND_PROFILER_OUTPUT/kernel_details.csv", before + text)
    path = builder.write()
    assert [table.kind for table in the_profile(path).tables] == ["kernels"]
    alone = path / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv"
    assert [table.kind for table in the_profile(alone).tables] == ["kernels"]


def test_packed_tables_are_read(tmp_path: Path, ingest: Ingest) -> None:
    builder = torch_profile(tmp_path)
    folder = "ASCEND_PROFILER_OUTPUT"
    packed = gzip.compress(csv_text(HEADER, ROWS).encode())
    builder.file(f"{folder}/kernel_details.csv.gz", packed)
    builder.file(f"{folder}/op_statistic.csv.gz", gzip.compress(b"OP Type,Count\nAdd,7\n"))
    found = ingest(builder.write())
    assert found.rows("SELECT name, ts, dur FROM kernel") == [("Add", 1000, 2000)]
    assert found.rows("FROM summary_op_statistic") == [("Add", 7)]


def test_a_header_over_16_kb_is_read_like_any_other(tmp_path: Path, ingest: Ingest) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    columns = [f"{place} {'x' * 1000}" for place in range(100)]
    builder.csv("wide", columns, [[str(place) for place in range(100)]])
    found = ingest(builder.write())
    assert found.one("FROM summary_wide") == tuple(range(100))


@pytest.mark.parametrize(
    "text",
    [
        'OP Type,"Count\nAdd,1\nMul,2\n',
        'OP Type,"Count\nAdd,"1"\nMul,"2"\n',
        '"' + "x" * 200_000 + "\nAdd\n",
        "x," * (1 << 20) + "\nAdd,1\n",
    ],
)
def test_a_table_whose_header_cannot_be_read_is_a_loss(tmp_path: Path, text: str) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.file("ASCEND_PROFILER_OUTPUT/op_statistic.csv", text)
    profile = the_profile(builder.write())
    found = {one.name: one.severity for one in profile.notices}
    assert (profile.tables, found) == ((), {"header_unreadable": "data_loss"})
