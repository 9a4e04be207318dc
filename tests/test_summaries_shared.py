from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from discovered import the_profile

from npuview.ingest.notice import ImportLog
from npuview.ingest.profile import Profile, TableFile
from npuview.ingest.read.kernel_table import KERNEL_ROWS, read_kernels
from npuview.ingest.read.memory_samples import read_memory_samples
from npuview.ingest.read.step_figures import read_step_figures
from npuview.ingest.read.summaries import read_summary

pytestmark = pytest.mark.shared

STEP_50 = {
    0: (8_827_473, 85_516_889, 81_515_607, 25_908_102),
    1: (8_873_756, 105_991_878, 101_963_203, 25_744_050),
    2: (8_868_240, 99_973_278, 95_962_016, 25_032_619),
}


def table_of(profile: Profile, name: str) -> TableFile:
    (file,) = [file for file in profile.tables if file.name == name]
    return file


def kernels_of(profile: Profile, log: ImportLog) -> list[dict[str, Any]]:
    batches = read_kernels(table_of(profile, "kernel_details"), profile.root, log)
    return pa.Table.from_batches(batches, KERNEL_ROWS).to_pylist()


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("rank", [0, 1])
def test_every_table_of_torch_npu_is_read_without_loss(
    shared_data: Path, level: int, rank: int
) -> None:
    profile = the_profile(shared_data / "torch_npu" / f"level{level}" / f"rank{rank}_ascend_pt")
    log = ImportLog()
    rows = {file.name: read_summary(file, profile.root, log).num_rows for file in profile.tables}
    kernels = kernels_of(profile, log)
    assert rows["kernel_details"] == len(kernels) == 191
    # Its cells hold line ends: there are far more lines than rows.
    assert rows["operator_details"] == 859
    assert all(kernel["ts"] > 1_736_000_000 * 10**9 for kernel in kernels)
    assert {kernel["step"] for kernel in kernels} == {50}
    assert list(log) == []


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_official_figures_of_step_50(shared_data: Path, level: int) -> None:
    profile = the_profile(shared_data / "torch_npu" / f"level{level}" / "rank0_ascend_pt")
    file = table_of(profile, "step_trace_time")
    (row,) = read_step_figures(file, profile.root, ImportLog()).to_pylist()
    assert (row["device_id"], row["step"]) == (None, 50)
    names = ("computing", "communication", "communication_not_overlapped", "free")
    assert tuple(row[name] for name in names) == STEP_50[level]


def test_a_kernel_of_level_2_has_its_metrics(shared_data: Path) -> None:
    profile = the_profile(shared_data / "torch_npu" / "level2" / "rank0_ascend_pt")
    first = kernels_of(profile, ImportLog())[0]
    assert (first["ts"], first["dur"], first["aiv_time"]) == (1736412474730135222, 55161, 50078)
    assert (first["input_shapes"], first["input_dtypes"]) == ("32,3,224,224", "FLOAT")
    assert first["aiv_vec_ratio"] == 0.188
    metrics = {one["metric"]: one["value"] for one in first["metrics"]}
    assert len(metrics) == 25
    assert metrics["aiv_total_cycles"] == 2884518


def test_times_of_a_summary_keep_unit_and_digits(shared_data: Path) -> None:
    profile = the_profile(shared_data / "torch_npu" / "level2" / "rank0_ascend_pt")
    table = read_summary(table_of(profile, "kernel_details"), profile.root, ImportLog())
    assert table["Start Time(us)"][0].as_py() == Decimal("1736412474730135.222")
    assert table["Step Id"].type == pa.int64()


def test_memory_over_time_is_bytes(shared_data: Path) -> None:
    profile = the_profile(shared_data / "torch_npu" / "level0" / "rank0_ascend_pt")
    file = table_of(profile, "memory_record")
    rows = read_memory_samples(file, profile.root, ImportLog()).to_pylist()
    app = [row for row in rows if row["component"] == "APP"]
    assert {row["key"] for row in app} == {"reserved"}
    assert app[0]["value"] == 2109.6015625 * 1024 * 1024
    assert app[0]["ts"] == 1736405443756384100


def test_the_one_row_that_was_cut_by_hand_is_counted(shared_data: Path) -> None:
    profile = the_profile(shared_data / "torch_npu_edited_rank0")
    log = ImportLog()
    assert len(kernels_of(profile, log)) == 20
    assert [(one.name, one.count, one.first_offset) for one in log] == [("row_malformed", 1, 17)]
