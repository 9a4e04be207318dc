"""What bounds kernels and operators, by the busy shares of the units of their core."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Ingest
from finding_build import RunBuilder, found, named
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_profile import REAL
from store_build import StoreBuilder, Value, ask

from npuview.ingest.store import Store
from npuview.queries.rows_cores import AicoreKernelsRow, AicoreRow

US = 1_000
CUBE = (
    "aic_mac_ratio",
    "aic_mte1_ratio",
    "aic_mte2_ratio",
    "aic_fixpipe_ratio",
    "aic_scalar_ratio",
)
VECTOR = ("aiv_vec_ratio", "aiv_mte2_ratio", "aiv_mte3_ratio", "aiv_scalar_ratio")


class Kernels:
    """Builds a store of kernels; the n-th begins at n ms."""

    def __init__(self, path: Path) -> None:
        self._store = StoreBuilder(path).rank(0)
        self._count = 0

    def add(self, type_: str, core: str, us: int = 100, **more: Value) -> "Kernels":
        self._count += 1
        self._store.add(
            "kernel",
            kernel_id=self._count,
            name=type_,
            type=type_,
            core=core,
            ts=self._count * 1000 * US,
            dur=us * US,
            **more,
        )
        return self

    def cube(self, type_: str, *shares: float, us: int = 100, core: str = "AI_CORE") -> "Kernels":
        return self.add(type_, core, us, aicore_time=us * US, aiv_time=0, **_named(CUBE, shares))

    def vector(self, type_: str, *shares: float, us: int = 100) -> "Kernels":
        own = _named(VECTOR, shares)
        return self.add(type_, "AI_VECTOR_CORE", us, aicore_time=0, aiv_time=us * US, **own)

    def store(self) -> Store:
        return self._store.build()


def _named(names: tuple[str, ...], shares: tuple[float, ...]) -> dict[str, Any]:
    return dict(zip(names, shares, strict=True))


def kernel(store: Store, **given_: object) -> AicoreKernelsRow:
    [row] = ask(store, "aicore_kernels", **given_)
    return row


def operator(store: Store, **given_: object) -> AicoreRow:
    [row] = ask(store, "aicore", **given_)
    return row


@pytest.mark.parametrize(
    ("shares", "bound"),
    [
        ((0.85, 0.4, 0.82, 0.1, 0.3), "mac"),
        ((0.15, 0.2, 0.983, 0.0, 0.2), "mte2"),
        ((0.5, 0.88, 0.3, 0.1, 0.4), "mte1"),
        ((0.2, 0.2, 0.3, 0.81, 0.4), "fixpipe"),
        ((0.2, 0.2, 0.3, 0.1, 0.9), "scalar"),
        ((0.79, 0.2, 0.3, 0.1, 0.4), "none"),
        ((0.8, 0.8, 0.8, 0.8, 0.8), "mac"),
    ],
)
def test_a_cube_kernel_is_bound_by_the_busiest_unit_from_the_threshold_on(
    shares: tuple[float, ...], bound: str, tmp_path: Path
) -> None:
    row = kernel(Kernels(tmp_path).cube("MatMulV2", *shares).store())
    assert (row.side, row.bound, row.least_ratio) == ("cube", bound, 0.8)
    assert row.busiest_ratio == max(shares)


@pytest.mark.parametrize(
    ("shares", "bound"),
    [
        ((0.9, 0.4, 0.3, 0.1), "vec"),
        ((0.1, 0.9, 0.3, 0.1), "mte2"),
        ((0.1, 0.4, 0.9, 0.1), "mte3"),
        ((0.1, 0.4, 0.3, 0.9), "scalar"),
        ((0.1, 0.4, 0.3, 0.2), "none"),
    ],
)
def test_so_is_a_vector_kernel(shares: tuple[float, ...], bound: str, tmp_path: Path) -> None:
    row = kernel(Kernels(tmp_path).vector("Add", *shares).store())
    assert (row.side, row.bound, row.mac_ratio, row.fixpipe_ratio) == ("vector", bound, None, None)


def test_the_threshold_is_the_askers(tmp_path: Path) -> None:
    store = Kernels(tmp_path).vector("Add", 0.1, 0.7, 0.3, 0.1).store()
    assert kernel(store).bound == "none"
    assert kernel(store, least_ratio=0.7).bound == "mte2"


@pytest.mark.parametrize(
    ("aic", "aiv", "bound"), [(90, 10, "mac"), (10, 90, "mte3"), (50, 50, "mac")]
)
def test_a_mix_kernel_is_judged_by_the_side_with_the_larger_time(
    aic: int, aiv: int, bound: str, tmp_path: Path
) -> None:
    shares = _named(CUBE, (0.9, 0, 0, 0, 0)) | _named(VECTOR, (0.1, 0.2, 0.95, 0.1))
    kernels = Kernels(tmp_path).add(
        "FlashAttentionScore", "MIX_AIC", **shares, aicore_time=aic, aiv_time=aiv
    )
    assert kernel(kernels.store()).bound == bound


def test_a_chip_with_one_kind_of_core_has_all_units_in_it(tmp_path: Path) -> None:
    shares: dict[str, Any] = {
        "aic_mac_ratio": 0.0, "aic_mte2_ratio": 0.6, "aiv_vec_ratio": 0.2, "aiv_mte3_ratio": 0.9,
        "aic_scalar_ratio": 0.1, "aicore_time": 100,
    }  # fmt: skip
    row = kernel(Kernels(tmp_path).add("Add", "AI_CORE", **shares).store())
    assert (row.side, row.bound) == ("core", "mte3")
    # The formula of CANN: mte2 over the greater of mac and vec.
    assert row.memory_bound == pytest.approx(3)


def test_what_was_not_measured_has_neither_bound_nor_share(tmp_path: Path) -> None:
    store = Kernels(tmp_path).add("Add", "AI_VECTOR_CORE").store()
    assert kernel(store)[10:] == (None,) * 11 + (0.8,) + (None,) * 5
    row = operator(store)
    assert (row.count_, row.total, row.side, row.bound) == (1, 100 * US, None, None)
    assert (row.bound_ns, row.mte2_ns, row.memory_bound_ns, row.memory_bound_count) == (None,) * 4


def test_measured_calls_of_a_type_are_not_thinned_by_those_that_were_not(tmp_path: Path) -> None:
    kernels = Kernels(tmp_path).vector("Add", 0.1, 0.9, 0.3, 0.1)
    rows = ask(kernels.add("Add", "AI_VECTOR_CORE", 50).store(), "aicore")
    assert [(row.side, row.total, row.mte2_ratio) for row in rows] == [
        ("vector", 100 * US, 0.9),
        (None, 50 * US, None),
    ]


def test_shares_of_a_type_are_weighted_by_time(tmp_path: Path) -> None:
    kernels = Kernels(tmp_path).cube("MatMulV2", 0.9, 0, 0.1, 0, 0, us=300)
    row = operator(kernels.cube("MatMulV2", 0.1, 0, 0.9, 0, 0, us=100).store())
    assert row.mac_ratio == pytest.approx(0.7)
    assert row.mte2_ratio == pytest.approx(0.3)
    assert (row.bound, row.bound_ns, row.mte2_ns) == ("none", 400 * US, 100 * US)
    assert row.memory_bound == pytest.approx(0.3 / 0.7)


def test_only_kernels_of_20_us_can_be_memory_bound(tmp_path: Path) -> None:
    kernels = Kernels(tmp_path)
    for us in (19, 20, 21):
        kernels.vector("Add", 0.1, 0.2, 0.6, 0.1, us=us)
    row = operator(kernels.vector("Add", 0.7, 0.2, 0.6, 0.1, us=90).store())
    assert (row.memory_bound_count, row.memory_bound_ns) == (2, 41 * US)


def test_a_kernel_that_computes_nothing_is_memory_bound_without_a_number(tmp_path: Path) -> None:
    store = Kernels(tmp_path).vector("TensorMove", 0.0, 0.5, 0.4, 0.1).store()
    assert kernel(store).memory_bound is None
    assert operator(store).memory_bound_ns == 100 * US


def test_kernels_of_other_processors_are_not_asked(tmp_path: Path) -> None:
    kernels = Kernels(tmp_path).add("Unique", "AI_CPU").add("hcom_allReduce_", "HCCL")
    assert ask(kernels.store(), "aicore") == []


def test_a_scope_is_a_step_or_a_range(tmp_path: Path) -> None:
    kernels = Kernels(tmp_path)
    for step in (1, 2, 3):
        kernels.add("Add", "AI_CORE", 10 * step, step=step)
    store = kernels.store()
    assert operator(store, step=2).total == 20 * US
    assert operator(store, from_ts=2000 * US, to_ts=3000 * US).total == 20 * US
    assert operator(store, from_ts=2000 * US).total == 50 * US


@settings(max_examples=25, deadline=None)
@given(
    calls=st.lists(
        st.tuples(st.integers(1, 500), *(st.integers(0, 1000),) * 4), min_size=1, max_size=8
    )
)
def test_a_mean_lies_between_its_calls_and_bounds_add_up(
    calls: list[tuple[int, int, int, int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    kernels = Kernels(tmp_path_factory.mktemp("mean"))
    for us, *thousandths in calls:
        kernels.vector("Add", *(share / 1000 for share in thousandths), us=us)
    store = kernels.store()
    row, every = operator(store), ask(store, "aicore_kernels")
    moved = [one.mte2_ratio for one in every]
    assert min(moved) - 1e-9 <= (row.mte2_ratio or 0) <= max(moved) + 1e-9
    assert row.total == sum(one.dur for one in every)
    assert row.bound_ns == sum(one.dur for one in every if one.bound != "none")
    assert row.mte2_ns == sum(one.dur for one in every if one.bound == "mte2")


def test_memory_bound_kernels_are_found_with_what_they_move_and_compute(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    shares = _named(VECTOR, (0.1, 0.8, 0.4, 0.1))
    run.kernel("Cast", 30, core="AI_VECTOR_CORE", aiv_time=1, aicore_time=0, **shares)
    run.kernel("MatMulV3", 60, aicore_time=1, **_named(CUBE, (0.9, 0.1, 0.5, 0, 0)))
    one = named(found(run.build()), "memory_bound")
    assert (one.ns, one.share, one.values["names"]) == (30_000_000, 0.3, "Cast")
    assert one.values["moved_share"] == pytest.approx(0.8)
    assert one.values["computed_share"] == pytest.approx(0.1)
    assert one.evidence


def test_without_units_it_cannot_be_told_and_what_to_collect_is_said(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("Cast", 30, core="AI_VECTOR_CORE")
    one = named(found(run.build()), "memory_bound")
    assert (one.status, one.missing, one.ns) == ("unknown", "units", None)


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="the real profiles are not here")
def test_kernels_of_a_real_profile_that_wait_for_memory_are_as_long_as_worked_out(
    ingest: Ingest,
) -> None:
    store = ingest(REAL / "level1" / "rank0_ascend_pt").store
    rows = ask(store, "aicore_kernels", bound="mte2")
    sums = {
        core: sum(row.dur for row in rows if row.core == core)
        for core in ("AI_VECTOR_CORE", "AI_CORE")
    }
    assert {core: round(ns / 1e6, 2) for core, ns in sums.items()} == {
        "AI_VECTOR_CORE": 2.55,
        "AI_CORE": 1.11,
    }
    assert sum(row.mte2_ns for row in ask(store, "aicore")) == sum(row.dur for row in rows)
