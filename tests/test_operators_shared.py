"""Operators of real profiles: what an engineer found by hand, and the vendor's own sums."""

import csv
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest
from conftest import Ingest
from store_build import ask

from npuview.ingest.store import Store

pytestmark = pytest.mark.shared

PROFILES = [f"level{level}/rank{rank}_ascend_pt" for level in (0, 1, 2) for rank in (0, 1)]


@pytest.fixture(scope="module", params=PROFILES)
def profile(request: pytest.FixtureRequest, shared_data: Path) -> Path:
    return shared_data / "torch_npu" / request.param


@pytest.fixture(scope="module")
def store(profile: Path, real: Ingest) -> Store:
    return real(profile).store


@pytest.fixture(scope="module")
def level1(shared_data: Path, real: Ingest) -> Store:
    return real(shared_data / "torch_npu" / "level1" / "rank0_ascend_pt").store


def test_the_largest_operator_is_a_fifth_of_compute_and_a_hundredth_of_the_step(
    level1: Store,
) -> None:
    collectives, first, second, third = ask(level1, "top", by="type", step=50)[:4]
    assert (collectives.core, collectives.kernel_share) == ("HCCL", None)
    assert (first.type, first.count_, first.total) == ("ForeachAddList", 3, 1_959_079)
    assert f"{first.kernel_share:.1%} {first.period_share:.2%}" == "22.1% 1.26%"
    assert (second.type, second.count_, second.total) == ("TransData", 57, 1_423_202)
    assert f"{second.kernel_share:.1%} {second.period_share:.1%}" == "16.0% 0.9%"
    assert f"{second.cumulative_share:.1%}" == "38.1%"
    assert (third.type, third.count_, third.total) == ("MatMulV2", 8, 921_498)


def test_kernels_by_core_are_those_of_the_kernel_table(level1: Store) -> None:
    cores = {row.core: (row.count_, row.total) for row in ask(level1, "top", by="core", step=50)}
    assert cores.pop("HCCL")[0] == 4
    assert cores == {
        "AI_CORE": (23, 2_805_855),
        "AI_VECTOR_CORE": (149, 5_823_400),
        "MIX_AIV": (13, 238_962),
        "DSA_SQE": (2, 5_520),
    }


def test_layout_operators_are_a_quarter_of_compute(level1: Store) -> None:
    family = [
        row
        for row in ask(level1, "top", by="type", step=50)
        if row.type in {"TransData", "TensorMove", "Transpose", "Cast"}
    ]
    assert sum(row.count_ for row in family) == 77
    assert f"{sum(row.kernel_share for row in family):.1%}" == "23.9%"
    assert f"{sum(row.period_share for row in family):.1%}" == "1.4%"


def table_of(profile: Path, name: str) -> list[dict[str, str]]:
    with (profile / "ASCEND_PROFILER_OUTPUT" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("by", ["name", "type", "core", "shape", "dtype", "stream"])
def test_every_grouping_holds_the_time_of_every_row_of_the_kernel_table(
    profile: Path, store: Store, by: str
) -> None:
    rows = table_of(profile, "kernel_details")
    found = ask(store, "top", by=by)
    assert sum(row.count_ for row in found) == len(rows)
    times = [Decimal(row["Duration(us)"].strip()) * 1000 for row in rows]
    assert sum(row.total for row in found) == sum(times)
    cores: defaultdict[str, Decimal] = defaultdict(Decimal)
    for row, time in zip(rows, times, strict=True):
        cores[row["Accelerator Core"]] += time
    if by == "core":
        assert {row.core or "N/A": row.total for row in found} == cores


def test_sums_by_type_and_core_are_those_of_the_vendor_but_for_its_rounding(
    profile: Path, store: Store
) -> None:
    if not (profile / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv").exists():
        # Without core types, at level 0, the vendor writes no such table.
        assert ask(store, "operator_check") == []
        return
    official = {
        (row["OP Type"], row["Core Type"]): (int(row["Count"]), Decimal(row["Total Time(us)"]))
        for row in table_of(profile, "op_statistic")
    }
    own: defaultdict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for row in table_of(profile, "kernel_details"):
        own[row["Type"], row["Accelerator Core"]].append(Decimal(row["Duration(us)"].strip()))
    rows = ask(store, "operator_check")
    assert len(rows) == len(own)
    for row in rows:
        durs = own[row.type, row.core]
        assert (row.count_, row.own) == (len(durs), sum(durs) * 1000)
        if row.core == "HCCL":
            assert (row.official, row.about) == (None, "the file leaves collectives out")
            continue
        count, total = official.pop((row.type, row.core))
        assert (row.official_count, row.official) == (count, total * 1000)
        assert row.count_ == count
        assert row.difference == row.own - row.official
        # Each call was rounded to a nanosecond, and so was the sum.
        assert abs(row.difference) <= (count + 1) // 2
        assert ("equal" in row.about) == (row.difference == 0)
    assert official == {}
