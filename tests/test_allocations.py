"""Allocations as operator_memory tells them, exactly, and what of it is unusable."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from build import Row, csv_text, msprof_profile, torch_profile
from conftest import Ingest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.profile import TableFile
from npuview.ingest.read.allocations import read_allocations
from npuview.ingest.read.headers import table_kind

TORCH = (
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),"
    "Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),"
    "Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),"
    "Release Total Active(MB),Stream Ptr,Device Type"
)
OLD_TORCH = (
    "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),"
    "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Release Total Allocated(MB),"
    "Release Total Reserved(MB),Device Type"
)
MSPROF = (
    "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
    "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device"
)


def read(folder: Path, text: str | bytes) -> tuple[list[dict[str, Any]], list[Notice]]:
    path = folder / "operator_memory.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    log = ImportLog()
    file = TableFile("operator_memory", "allocations", (path,))
    return read_allocations(file, folder, log).to_pylist(), list(log)


def known(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


@pytest.mark.parametrize("header", [TORCH, OLD_TORCH, MSPROF])
def test_a_table_of_allocations_is_known_by_its_header(header: str) -> None:
    assert table_kind(header.split(",")) == "allocations"


def test_times_and_sizes_are_those_of_the_decimal_text(tmp_path: Path) -> None:
    row: Row = [
        *("aten::mm", "0.5", "1736408883702735.701\t", "1736408883736793.940\t"),
        *("1736408883736793.430\t", "34058.239", "34057.729\t", "954.37060546875", "1452.0"),
        *("954.37060546875", "977.6123046875", "1452.0", "977.6123046875", "897357296", "NPU:3"),
    ]
    [read_row], noticed = read(tmp_path, csv_text(TORCH, [row]))
    assert noticed == []
    assert read_row == {
        "device": "NPU:3",
        "name": "aten::mm",
        "bytes": 512,
        "ts": 1736408883702735701,
        "release_ts": 1736408883736793940,
        "active_release_ts": 1736408883736793430,
        "allocated": 1000730112,
        "reserved": 1522532352,
        "active": 1000730112,
        "release_allocated": 1025100800,
        "release_reserved": 1522532352,
        "release_active": 1025100800,
        "stream_ptr": 897357296,
    }


def test_what_was_never_released_has_no_release(tmp_path: Path) -> None:
    row = ["a", "1", "5", "", "", "10", "20", "", "", "NPU:0"]
    [read_row], noticed = read(tmp_path, csv_text(OLD_TORCH, [row]))
    assert noticed == []
    assert known(read_row) == {
        "device": "NPU:0",
        "name": "a",
        "bytes": 1024,
        "ts": 5000,
        "allocated": 10 << 20,
        "reserved": 20 << 20,
    }


def test_msprof_tells_the_release_by_the_duration(tmp_path: Path) -> None:
    rows = [
        ["0", "MatMul", "64", "5", "2.5", "64", "1024", "0", "1024", "NPU:0"],
        ["0", "MatMul", "64", "9", "", "64", "1024", "", "", "NPU:0"],
    ]
    read_rows, noticed = read(tmp_path, csv_text(MSPROF, rows))
    assert noticed == []
    assert [(row["ts"], row["release_ts"]) for row in read_rows] == [(5000, 7500), (9000, None)]
    assert [row["release_allocated"] for row in read_rows] == [0, None]


def test_a_negative_size_is_a_release_of_what_was_taken_before(tmp_path: Path) -> None:
    row = ["0", "Conv", "-512", "5", "", "64", "1024", "", "", "NPU:0"]
    [read_row], noticed = read(tmp_path, csv_text(MSPROF, [row]))
    assert noticed == []
    assert (read_row["bytes"], read_row["ts"], read_row["release_ts"]) == (524288, None, 5000)


def test_totals_that_were_not_collected_are_not_zero(tmp_path: Path) -> None:
    row = ["a", "1", "5", "6", "1", "-1", "N/A", "", "0", "NPU:0"]
    [read_row], _ = read(tmp_path, csv_text(OLD_TORCH, [row]))
    totals = ("allocated", "reserved", "release_allocated", "release_reserved")
    assert [read_row[name] for name in totals] == [None, None, None, 0]


@pytest.mark.parametrize(
    ("cells", "also"),
    [
        (("", "5", "6"), []),
        (("x", "5", "6"), ["cell_malformed"]),
        (("1", "", "6"), []),
        (("1", "9e99", "6"), ["cell_malformed"]),
        (("1", "5", "4.999"), []),
    ],
)
def test_an_unusable_row_is_left_out_and_counted_with_its_place(
    tmp_path: Path, cells: tuple[str, ...], also: list[str]
) -> None:
    good = ["a", "1", "5", "6", "1", "1", "1", "1", "1", "NPU:0"]
    bad = ["b", *cells, "1", "1", "1", "1", "1", "NPU:0"]
    rows, noticed = read(tmp_path, csv_text(OLD_TORCH, [good, bad, good]))
    assert [row["name"] for row in rows] == ["a", "a"]
    assert [one.name for one in noticed] == [*also, "allocation_unusable"]
    assert {(one.severity, one.count, one.first_offset) for one in noticed} == {("data_loss", 1, 3)}


def test_sizes_without_a_unit_are_counted_and_not_guessed(tmp_path: Path) -> None:
    rows, noticed = read(tmp_path, "Name,Size,Allocation Time(us)\na,1,5\nb,1,6\n")
    assert rows == []
    assert [(one.name, one.count) for one in noticed] == [
        ("unit_unknown", 2),
        ("allocation_unusable", 2),
    ]


SIZES = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,12})?", fullmatch=True),
    st.sampled_from(["0e999999999999", "1e-999999999999", "1" * 5000, "0." + "7" * 5000]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(sizes=st.lists(SIZES, min_size=1, max_size=4))
def test_any_decimal_size_is_exact_bytes_or_counted(tmp_path: Path, sizes: list[str]) -> None:
    rows, noticed = read(
        tmp_path,
        csv_text(
            "Name,Size(KB),Allocation Time(us)",
            [[str(at), size, "5"] for at, size in enumerate(sizes)],
        ),
    )
    assert len(rows) + sum(
        one.count for one in noticed if one.name == "allocation_unusable"
    ) == len(sizes)
    for row in rows:
        size = Decimal(sizes[int(row["name"])])
        assert abs(abs(size) * 1024 - row["bytes"]) <= Decimal("0.5")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cells=st.lists(st.text(max_size=12), min_size=10, max_size=10))
def test_any_text_in_a_row_is_read_or_counted(tmp_path: Path, cells: list[str]) -> None:
    rows, noticed = read(tmp_path, csv_text(OLD_TORCH, [cells]).encode("utf-8", "replace"))
    assert len(rows) <= 1
    if not rows and any(cell.strip() for cell in cells):
        assert {one.name for one in noticed} <= {"cell_malformed", "allocation_unusable"}


def test_an_allocation_has_its_component_its_device_and_its_step(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    for number, ts in ((7, 10_000), (8, 20_000)):
        profile.trace.step(number, ts, 10_000)
        kernel = profile.trace.kernel("k", ts + 2_000, 1_000, connection_id=number)
        profile.trace.launch(kernel, ts + 1_000, 10)
    end = ["", "", "", "", "NPU:2"]
    rows = [
        ["aten::mm", "1", "11", *end, "", ""],
        ["cann::Conv", "2", "1", *end, "", ""],
    ]
    names = "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),"
    header = names + "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Device Type,A,B"
    profile.csv("operator_memory", header, rows)
    store = ingest(profile.write())
    columns = "component, device_id, name, bytes, step, ts, release_ts"
    assert store.rows(f"SELECT {columns} FROM allocation ORDER BY bytes") == [
        ("PTA", 2, "aten::mm", 1024, 7, 11_000, None),
        ("GE", 2, "cann::Conv", 2048, None, 1_000, None),
    ]
    assert store.rows("SELECT count(*) FROM summary_operator_memory") == [(2,)]


def test_allocations_of_msprof_are_those_of_the_graph_engine(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = msprof_profile(tmp_path)
    profile.trace.kernel("k", 2_000, 1_000)
    row = ["0", "MatMul", "64", "5", "2.5", "64", "1024", "0", "1024", "NPU:0"]
    profile.csv("operator_memory", MSPROF, [row])
    store = ingest(profile.write())
    assert store.rows("SELECT component, bytes, release_ts FROM allocation") == [
        ("GE", 65536, 7500)
    ]


@pytest.mark.shared
def test_the_allocations_of_a_real_profile_are_all_there(
    shared_data: Path,
) -> None:
    output = shared_data / "torch_npu" / "level1" / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    log = ImportLog()
    file = TableFile("operator_memory", "allocations", (output / "operator_memory.csv",))
    rows = read_allocations(file, output, log).to_pylist()
    assert list(log) == []
    assert len(rows) == 184
    assert sum(row["bytes"] for row in rows if row["release_ts"] is None) > 0
