from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from build import Row, csv_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.profile import TableFile
from npuview.ingest.read.kernel_table import KERNEL_ROWS, read_kernels
from npuview.ingest.schema import KERNEL

BASE = "Name,Start Time(us),Duration(us)"


def kernels(folder: Path, *contents: str) -> tuple[list[dict[str, Any]], list[Notice]]:
    paths: list[Path] = []
    for number, content in enumerate(contents):
        paths.append(folder / f"op_summary_slice_{number}.csv")
        paths[-1].write_bytes(content.encode())
    log = ImportLog()
    batches = read_kernels(TableFile("op_summary", "kernels", tuple(paths)), folder, log)
    return pa.Table.from_batches(batches, KERNEL_ROWS).to_pylist(), list(log)


def one_kernel(folder: Path, header: str, row: Row) -> dict[str, Any]:
    found, noticed = kernels(folder, csv_text(header, [row]))
    assert noticed == []
    (kernel,) = found
    return kernel


def collected(kernel: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kernel.items() if value not in (None, [])}


def test_rows_have_the_columns_of_the_store_and_their_metrics() -> None:
    later = {"kernel_id", "rank", "slice_id", "mhz", "shape_id"}
    expected = [name for name in KERNEL.column_names if name not in later]
    assert KERNEL_ROWS.names == [*expected, "metrics"]


SHAPES = (
    "Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats"
)
FRAMEWORK_HEADER = (
    "Step Id,Device_id,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),"
    f"Duration(us),Wait Time(us),Block Num,Mix Block Num,{SHAPES}"
)
MSPROF_HEADER = (
    "Step ID,Device Id,task_id,stream_id,Op Name,OP Type,op state,Task Type,Task Start Time(us),"
    f"Task Duration(us),Task Wait Time(us),Block Dim,Mix Block Dim,{SHAPES}"
)


@pytest.mark.parametrize("header", [FRAMEWORK_HEADER, MSPROF_HEADER])
def test_columns_are_known_by_any_of_their_names(tmp_path: Path, header: str) -> None:
    row = [
        *("50", "3", "11061", "2", "Add0", "Add", "static", "MIX_AIC"),
        *("1736412474730135.222\t", "55.161", "0.25", "24", "48"),
        *('"32,3;"', "FLOAT", "ND", '"32"', "DT_BF16", "NZ"),
    ]
    assert collected(one_kernel(tmp_path, header, row)) == {
        "step": 50,
        "device_id": 3,
        "task_id": 11061,
        "stream_id": 2,
        "name": "Add0",
        "type": "Add",
        "op_state": "static",
        "core": "MIX_AIC",
        "ts": 1736412474730135222,
        "dur": 55161,
        "wait": 250,
        "block_num": 24,
        "mix_block_num": 48,
        "input_shapes": "32,3;",
        "input_dtypes": "FLOAT",
        "input_formats": "ND",
        "output_shapes": "32",
        "output_dtypes": "DT_BF16",
        "output_formats": "NZ",
    }


def test_headers_without_a_unit_are_nanoseconds(tmp_path: Path) -> None:
    header = "Op Name,Task Start Time,Task Duration,Task Wait Time,aicore_time"
    kernel = one_kernel(tmp_path, header, ["Add", "56635864652490", "784800", "5", "700"])
    assert (kernel["ts"], kernel["dur"]) == (56635864652490, 784800)
    assert (kernel["wait"], kernel["aicore_time"]) == (5, 700)


def test_what_was_not_collected_is_unknown_and_not_zero(tmp_path: Path) -> None:
    header = f"Step Id,{BASE},Type,Accelerator Core,Task ID,Stream ID,Block Dim,aic_mac_ratio"
    row = ["", "hcom_allReduce_", "1", "2", "N/A", "N/A", "N/A", "4294967295", "0", "N/A"]
    kernel = one_kernel(tmp_path, header, row)
    assert collected(kernel) == {"name": "hcom_allReduce_", "ts": 1000, "dur": 2000, "block_num": 0}
    assert kernel["metrics"] == []


def test_a_device_may_be_text_or_come_from_the_folder(tmp_path: Path) -> None:
    header = f"Device,{BASE}"
    devices = [[device, "Add", "1", "2"] for device in ("NPU:7", "7", "host", "N/A")]
    found, noticed = kernels(tmp_path, csv_text(header, devices))
    assert [kernel["device_id"] for kernel in found] == [7, 7, None, None]
    assert noticed == []
    folder = tmp_path / "device_5" / "summary"
    folder.mkdir(parents=True)
    path = folder / "op_summary_5_1_1.csv"
    path.write_text(csv_text(BASE, [["Add", "1", "2"]]))
    file = TableFile("op_summary", "kernels", (path,))
    (batch,) = read_kernels(file, tmp_path, ImportLog())
    assert batch["device_id"].to_pylist() == [5]


def test_a_time_in_the_place_of_a_device_is_no_device_and_is_shown(tmp_path: Path) -> None:
    header = f"Device_id,{BASE}"
    devices = ("3", "1736408883704643", "NPU:65536", "65535", "host", "9" * 30)
    rows = [[device, "Add", "1", "2"] for device in devices]
    found, noticed = kernels(tmp_path, csv_text(header, rows))
    assert [kernel["device_id"] for kernel in found] == [3, None, None, 65535, None, None]
    file, sample = "op_summary_slice_0.csv", "device id: 1736408883704643"
    assert noticed == [Notice(file, "cell_malformed", "data_loss", 3, 3, sample)]


def test_ratios_are_fractions_and_every_measured_column_keeps_its_name_and_unit(
    tmp_path: Path,
) -> None:
    header = (
        f"{BASE},Model ID,HF32 Eligible,Context ID,aicore_time(us),aic_mac_ratio,"
        "aic_l0a_read_bw(GB/s),cube_utilization(%),0x1F,Remark"
    )
    row = ["Add", "1", "2", "4294967295", "NO", "N/A", "27.5", "0.625", "N/A", "62.0", "7", "x"]
    kernel = one_kernel(tmp_path, header, row)
    assert (kernel["aicore_time"], kernel["aic_mac_ratio"]) == (27500, 0.625)
    assert kernel["cube_utilization"] == 0.62
    assert kernel["metrics"] == [
        {"metric": "aicore_time(us)", "value": 27.5},
        {"metric": "aic_mac_ratio", "value": 0.625},
        {"metric": "cube_utilization(%)", "value": 62.0},
        {"metric": "0x1F", "value": 7.0},
    ]


def test_the_columns_of_older_chips_have_no_prefix(tmp_path: Path) -> None:
    header = f"{BASE},total_time(us),mac_ratio,vec_ratio,mte1_ratio,mte2_ratio,mte3_ratio"
    kernel = one_kernel(tmp_path, header, ["Add", "1", "2", "9", "0.1", "0.2", "0.3", "0.4", "0.5"])
    assert (
        collected(kernel).items()
        >= {
            "aicore_time": 9000,
            "aic_mac_ratio": 0.1,
            "aiv_vec_ratio": 0.2,
            "aic_mte1_ratio": 0.3,
            "aic_mte2_ratio": 0.4,
            "aiv_mte3_ratio": 0.5,
        }.items()
    )


def test_a_cell_that_is_no_number_is_unknown_and_counted_with_its_row(tmp_path: Path) -> None:
    header = f"{BASE},Stream ID,Block Num"
    rows = [["a", "1", "2", "3", "4"], ["b", "soon", "2", "3.5", "4"], ["c", "1e3", "2", "9", "x"]]
    found, noticed = kernels(tmp_path, csv_text(header, rows))
    assert [kernel["ts"] for kernel in found] == [1000, None, 1_000_000]
    assert [kernel["stream_id"] for kernel in found] == [3, None, 9]
    assert [kernel["block_num"] for kernel in found] == [4, 4, None]
    assert [(one.name, one.severity, one.count, one.first_offset) for one in noticed] == [
        ("cell_malformed", "data_loss", 3, 3)
    ]


def test_a_row_that_does_not_fit_is_counted_and_later_rows_keep_their_number(
    tmp_path: Path,
) -> None:
    found, noticed = kernels(tmp_path, f"{BASE}\na,1,2\nb,1\nc,x,2\n")
    assert [kernel["name"] for kernel in found] == ["a", "c"]
    assert {one.name: one.first_offset for one in noticed} == {
        "row_malformed": 3,
        "cell_malformed": 4,
    }


def test_parts_may_have_their_columns_in_another_order(tmp_path: Path) -> None:
    found, _ = kernels(tmp_path, f"{BASE}\na,1,2\n", "Duration(us),Name,Start Time(us)\n4,b,3\n")
    assert [(kernel["name"], kernel["ts"], kernel["dur"]) for kernel in found] == [
        ("a", 1000, 2000),
        ("b", 3000, 4000),
    ]


VALUES = st.one_of(st.none(), st.floats(-1e9, 1e9))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=1, max_size=12)
    )
)
def test_metrics_belong_to_their_row_whatever_is_missing(
    tmp_path: Path, rows: list[tuple[float | None, ...]]
) -> None:
    names = [f"metric{place}" for place in range(len(rows[0]))]
    cells = [
        ["k", "1", "2", *("N/A" if value is None else repr(value) for value in row)] for row in rows
    ]
    found, noticed = kernels(tmp_path, csv_text(",".join([BASE, *names]), cells))
    assert noticed == []
    for kernel, row in zip(found, rows, strict=True):
        expected = [(name, value) for name, value in zip(names, row, strict=True)]
        assert [(one["metric"], one["value"]) for one in kernel["metrics"]] == [
            pair for pair in expected if pair[1] is not None
        ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 2**62 - 1), st.integers(0, 2**40)), min_size=1, max_size=20)
)
def test_every_nanosecond_of_a_kernel_is_read(tmp_path: Path, times: list[tuple[int, int]]) -> None:
    rows = [["k", *(f"{ns // 1000}.{ns % 1000:03d}\t" for ns in pair)] for pair in times]
    found, noticed = kernels(tmp_path, csv_text(BASE, rows))
    assert noticed == []
    assert [(kernel["ts"], kernel["dur"]) for kernel in found] == times


def test_many_rows_come_in_batches_in_their_order(tmp_path: Path) -> None:
    header = f"{BASE},aic_mac_ratio,aiv_vec_ratio"
    rows = [[f"k{number}", str(number), "1", str(number / 10000), "N/A"] for number in range(9000)]
    path = tmp_path / "kernel_details.csv"
    path.write_text(csv_text(header, rows))
    file = TableFile("kernel_details", "kernels", (path,))
    batches = list(read_kernels(file, tmp_path, ImportLog()))
    assert len(batches) > 1
    found = pa.Table.from_batches(batches).to_pylist()
    assert [kernel["name"] for kernel in found] == [f"k{number}" for number in range(9000)]
    assert [kernel["metrics"] for kernel in found] == [
        [{"metric": "aic_mac_ratio", "value": number / 10000}] for number in range(9000)
    ]


def test_a_length_that_was_not_collected_is_unknown(tmp_path: Path) -> None:
    assert one_kernel(tmp_path, BASE, ["a", "1", "N/A"])["dur"] is None


def test_a_length_below_zero_is_unknown_and_counted_with_its_row(tmp_path: Path) -> None:
    found, noticed = kernels(tmp_path, f"{BASE}\na,1,2\nb,x\nc,1,-0.5\nd,1,-2\ne,-1,0\n")
    assert [kernel["dur"] for kernel in found] == [2000, None, None, 0]
    assert [kernel["ts"] for kernel in found] == [1000, 1000, 1000, -1000]
    assert [(one.name, one.count, one.first_offset, one.sample) for one in noticed] == [
        ("row_malformed", 1, 3, "b,x"),
        ("dur_negative", 2, 4, "-500 ns"),
    ]


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("beyond", [2**62, 2**63 - 1, 2**64, 10**40])
def test_a_time_out_of_reach_is_unreadable_and_the_last_within_is_read(
    tmp_path: Path, sign: str, beyond: int
) -> None:
    header = "Op Name,Task Start Time,Task Duration"
    last = 2**62 - 1
    rows = [["a", f"{sign}{beyond}", "1"], ["b", "1", f"{beyond}"], ["c", f"{sign}{last}", last]]
    found, noticed = kernels(tmp_path, csv_text(header, rows))
    assert [(kernel["ts"], kernel["dur"]) for kernel in found] == [
        (None, 1),
        (1, None),
        (int(f"{sign}{last}"), last),
    ]
    assert [(one.name, one.severity, one.count) for one in noticed] == [
        ("cell_malformed", "data_loss", 2)
    ]


@pytest.mark.parametrize("value", ["1e400", "inf", "-Infinity"])
def test_a_measured_value_that_is_not_finite_is_none(tmp_path: Path, value: str) -> None:
    kernel = one_kernel(tmp_path, f"{BASE},read_bw(GB/s)", ["a", "1", "2", value])
    assert kernel["metrics"] == []


def test_a_folder_s_device_number_that_no_column_holds_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "device_99999999999"
    folder.mkdir()
    path = folder / "op_summary_1.csv"
    path.write_text(csv_text(BASE, [["Add", "1", "2"]]))
    file = TableFile("op_summary", "kernels", (path,))
    (batch,) = read_kernels(file, tmp_path, ImportLog())
    assert batch["device_id"].to_pylist() == [None]
