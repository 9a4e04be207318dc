"""Kernels of the tables: joined to their slices, kept when they have none, totalled."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from build import KERNEL_DETAILS, msprof_profile, torch_profile
from conftest import Ingest


def row(name: str, start: str, dur: str, **more: str) -> Mapping[str, str]:
    """Return a row of kernel_details; columns left out have N/A."""
    return {
        "Step Id": "1",
        "Device_id": "0",
        "Stream ID": "2",
        "Name": name,
        "Type": name.rstrip("0123456789"),
        "Accelerator Core": "AI_VECTOR_CORE",
        "Start Time(us)": f"{start}\t",
        "Duration(us)": dur,
        **more,
    }


def test_a_row_finds_its_slice_by_device_start_and_name(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("Add1", "10.000", "2.000")
    profile.trace.kernel("Mul1", "10.000", "2.000", stream=3)
    profile.trace.kernel("Sub1", "20.000", "1.000")
    profile.trace.collective("30.001", "5.000", name="hcom_allReduce__1_0_1")
    comm = {"Accelerator Core": "COMMUNICATION", "Stream ID": "N/A", "Step Id": ""}
    profile.csv(
        "kernel_details",
        KERNEL_DETAILS,
        [
            row("Mul1", "10.000", "2.000"),
            row("Add1", "10.000", "2.000"),
            row("Lost1", "15.000", "2.000"),
            row("Sub1", "20.000", "1.000", Device_id="5"),
            # Some writers print a collective one nanosecond early.
            row("hcom_allReduce__1_0_1", "30.000", "5.000", **comm),
        ],
    )
    store = ingest(profile.write())
    assert store.rows(
        "SELECT k.name, s.name, k.step, core FROM kernel AS k"
        " LEFT JOIN slice AS s USING (slice_id) ORDER BY kernel_id"
    ) == [
        ("Add1", "Add1", 1, "AI_VECTOR_CORE"),
        ("Mul1", "Mul1", 1, "AI_VECTOR_CORE"),
        ("Lost1", None, 1, "AI_VECTOR_CORE"),
        ("Sub1", None, 1, "AI_VECTOR_CORE"),
        ("hcom_allReduce__1_0_1", "hcom_allReduce__1_0_1", None, "COMMUNICATION"),
    ]


@pytest.mark.parametrize("name", ["", "N/A"])
def test_a_kernel_without_a_name_has_an_empty_one(
    name: str, tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("", "10.000", "2.000")
    profile.csv("kernel_details", KERNEL_DETAILS, [row(name, "10.000", "2.000")])
    store = ingest(profile.write())
    assert store.rows("SELECT name, slice_id IS NOT NULL FROM kernel") == [("", True)]
    assert store.rows("SELECT name FROM operator_total") == [("",)]


def test_measured_columns_are_kept_under_their_own_names(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    metrics = {"aicore_time(us)": "1.5", "aic_mac_ratio": "0.25", "aiv_vec_ratio": "N/A"}
    profile.csv("kernel_details", KERNEL_DETAILS, [row("Add1", "10.000", "2.000", **metrics)])
    store = ingest(profile.write())
    assert store.one("SELECT aicore_time, aic_mac_ratio, aiv_vec_ratio FROM kernel") == (
        1500,
        0.25,
        None,
    )
    assert dict(store.rows("SELECT metric, value FROM kernel_metric")) == {
        "aicore_time(us)": 1.5,
        "aic_mac_ratio": 0.25,
    }


def test_the_core_of_the_table_decides_what_the_device_does(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(1, 0, "100.000")
    # The timeline calls every kernel AI_CORE; only the table knows the AI CPU.
    profile.trace.kernel("Unique1", "10.000", "20.000", task_type="AI_CORE")
    core = {"Accelerator Core": "AI_CPU"}
    profile.csv("kernel_details", KERNEL_DETAILS, [row("Unique1", "10.000", "20.000", **core)])
    assert dict(
        ingest(profile.write()).rows("SELECT state, sum(dur)::BIGINT FROM ledger GROUP BY state")
    ) == {
        "aicpu": 20_000,
        "idle": 80_000,
    }


def test_totals_are_per_step_and_operator(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    rows = [
        row("Add1", "10.000", "2.000"),
        row("Add1", "20.000", "4.000"),
        row("Add1", "30.000", "1.000", **{"Step Id": "2"}),
        row("Mul1", "40.000", "1.000"),
    ]
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    assert ingest(profile.write()).rows(
        "SELECT step, name, count, total, min, max FROM operator_total"
    ) == [
        (1, "Add1", 2, 6000, 2000, 4000),
        (1, "Mul1", 1, 1000, 1000, 1000),
        (2, "Add1", 1, 1000, 1000, 1000),
    ]


def test_a_table_alone_is_shown_on_lanes_and_said_so(tmp_path: Path, ingest: Ingest) -> None:
    file = tmp_path / "kernel_details.csv"
    comm = {"Accelerator Core": "HCCL", "Stream ID": "N/A"}
    profile = torch_profile(tmp_path / "made")
    rows = [row("Add1", "10.000", "2.000"), row("hcom_x", "12.000", "3.000", **comm)]
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    file.write_bytes(
        (profile.write() / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv").read_bytes()
    )
    store = ingest(file)
    assert store.rows(
        "SELECT kind, thread_name, name, class FROM slice JOIN track USING (track_id) ORDER BY ts"
    ) == [
        ("stream", "Stream 2", "Add1", "compute"),
        ("group", "Communication Kernel", "hcom_x", "communication"),
    ]
    assert store.noticed()["timeline_from_kernel_table"] == 1


def test_kernels_of_one_name_and_start_keep_their_streams(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    rows: list[Mapping[str, str]] = []
    for stream in (3, 2):
        profile.trace.kernel("Add1", "10.000", "2.000", stream=stream)
        rows.append(row("Add1", "10.000", "2.000", **{"Stream ID": str(stream)}))
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    assert ingest(profile.write()).rows(
        "SELECT k.stream_id, s.stream_id FROM kernel AS k JOIN slice AS s USING (slice_id)"
        " ORDER BY 1"
    ) == [(2, 2), (3, 3)]


def test_a_kernel_without_a_length_is_no_computing_time(tmp_path: Path, ingest: Ingest) -> None:
    profile = torch_profile(tmp_path)
    rows = [row("A1", "1.000", "N/A"), row("B1", "100.000", "1.0")]
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    store = ingest(profile.write())
    assert (
        dict(store.rows("SELECT state, sum(dur)::BIGINT FROM ledger GROUP BY state"))["computing"]
        == 1000
    )
    assert store.rows("SELECT name, dur FROM kernel ORDER BY ts") == [("A1", None), ("B1", 1000)]


def test_counters_of_files_that_only_fill_in_count_once(tmp_path: Path, ingest: Ingest) -> None:
    profile = msprof_profile(tmp_path, layout="old")
    profile.trace.kernel("Add", "10.000", "1.000")
    profile.trace.counter("HBM 0/Read", "10.000", {"Read(MB/s)": 5}, process="HBM")
    path = profile.write()
    [primary] = path.glob("device_0/timeline/msprof_*.json")
    primary.with_name(primary.name.replace("msprof", "hbm")).write_bytes(
        primary.read_bytes() + b"\n"
    )
    store = ingest(path)
    assert store.one("SELECT count(*) FROM counter") == 1
    assert store.one("SELECT count(*) FROM slice") == 1


def test_a_table_of_another_run_belongs_to_no_step_and_is_said_so(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.step(1, 0, "100.000")
    profile.trace.kernel("Add1", "10.000", "2.000")
    profile.csv("kernel_details", KERNEL_DETAILS, [row("Mul1", "5000.000", "2.000")])
    store = ingest(profile.write())
    assert store.rows("SELECT name, step FROM kernel") == [("Mul1", None)]
    assert store.noticed()["kernels_not_on_timeline"] == 1


def test_a_kernel_of_no_known_stream_is_not_shown_on_stream_0(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path)
    rows = [row("A1", "1.000", "1.0", **{"Stream ID": stream}) for stream in ("0", "N/A")]
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    assert ingest(profile.write()).rows(
        "SELECT thread_name, s.stream_id FROM slice AS s JOIN track USING (track_id) ORDER BY 1"
    ) == [("Stream 0", 0), ("Stream not collected", None)]


def test_a_clock_since_boot_is_related_to_wall_time_by_start_info(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = msprof_profile(
        tmp_path,
        layout="old",
        monotonic_start_ns=56_600_000_000_000,
        epoch_start_us=1_690_000_000_000_000,
    )
    profile.trace.kernel("Add", "56635864652.490", "1.000")
    store = ingest(profile.write())
    assert store.one("SELECT clock, ts, ts + clock_offset FROM profile") == (
        "boot",
        56_635_864_652_490,
        1_690_000_035_864_652_490,
    )


@pytest.mark.parametrize(
    ("unit", "value", "expected"), [("KB", "2048", 2 << 20), ("MB", "2.0", 2 << 20)]
)
def test_memory_samples_are_counters_in_bytes(
    tmp_path: Path, ingest: Ingest, unit: str, value: str, expected: int
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("Add", "10.000", "1.000")
    header = f"Component,Timestamp(us),Total Allocated({unit}),Total Reserved({unit}),Device Type"
    rows = [["PTA", "10.000\t", value, value, "NPU:0"], ["APP", "11.000\t", "", value, "NPU:0"]]
    profile.csv("memory_record", header, rows)
    assert ingest(profile.write()).rows(
        "SELECT name, key, unit, ts, value::BIGINT FROM counter JOIN counter_series"
        " USING (series_id) ORDER BY name, key"
    ) == [
        ("APP", "reserved", "bytes", 11_000, expected),
        ("PTA", "allocated", "bytes", 10_000, expected),
        ("PTA", "reserved", "bytes", 10_000, expected),
    ]
