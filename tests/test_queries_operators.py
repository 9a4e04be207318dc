"""Operators: totals, types and single calls."""

import pytest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows import OperatorTypesRow, TopRow


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two steps of 100 ns; kernels outside of them; a collective; a second rank."""
    builder = StoreBuilder(tmp_path_factory.mktemp("operators")).rank(0)
    for step in (1, 2):
        builder.add(
            "step", step=step, kind="train", source="x", inferred=False, ts=step * 100, dur=100
        )
    totals = [
        (1, "MatMul_1", "MatMulV2", "AI_CORE", 3, 31, 5, 20),
        (2, "MatMul_1", "MatMulV2", "AI_CORE", 1, 9, 9, 9),
        (None, "MatMul_1", "MatMulV2", "AI_CORE", 1, 60, 60, 60),
        (1, "MatMul_2", "MatMulV2", "AI_CORE", 2, 20, 10, 10),
        (1, "hcom_allReduce_", "hcom_allReduce_", "COMMUNICATION", 1, 90, 90, 90),
        (1, "Add", None, None, 1, 40, 40, 40),
    ]
    for step, name, type_, core, count, total, least, most in totals:
        builder.add(
            "operator_total",
            step=step,
            name=name,
            type=type_,
            core=core,
            count=count,
            total=total,
            min=least,
            max=most,
        )
    kernels = [
        (1, 11, 1, "MatMul_1", "MatMulV2", "AI_CORE", 110, 20),
        (2, 12, 1, "MatMul_1", "MatMulV2", "AI_CORE", 140, 20),
        (3, None, 2, "Add", "Add", "AI_VECTOR_CORE", 210, 30),
    ]
    for kernel, slice_, step, name, type_, core, ts, dur in kernels:
        builder.add(
            "kernel",
            kernel_id=kernel,
            slice_id=slice_,
            device_id=0,
            step=step,
            name=name,
            type=type_,
            core=core,
            ts=ts,
            dur=dur,
            aic_mac_ratio=0.25,
        )
    builder.rank(1)
    builder.add(
        "operator_total",
        step=None,
        name="Add",
        type="Add",
        core="AI_CPU",
        count=2,
        total=5,
        min=2,
        max=3,
    )
    builder.add(
        "kernel", kernel_id=1, slice_id=1, name="Add", type="Add", core="AI_CPU", ts=1, dur=2
    )
    return builder.build()


def test_top_sums_over_steps_and_names_its_denominators(store: Store) -> None:
    rows = ask(store, "top", rank=0)
    assert rows == [
        # 100 of its ns are in all, 40 of them inside steps; 160 ns ran on cores.
        TopRow(0, "MatMul_1", "MatMulV2", "AI_CORE", 5, 100, 20, 5, 60, 40 / 200, 100 / 160),
        TopRow(0, "hcom_allReduce_", "hcom_allReduce_", "COMMUNICATION", 1, 90, 90, 90, 90,
               90 / 200, None),
        TopRow(0, "Add", None, None, 1, 40, 40, 40, 40, 40 / 200, 40 / 160),
        TopRow(0, "MatMul_2", "MatMulV2", "AI_CORE", 2, 20, 10, 10, 10, 20 / 200, 20 / 160),
    ]  # fmt: skip


def test_top_of_one_step_leaves_kernels_outside_it_out(store: Store) -> None:
    [row] = ask(store, "top", rank=0, step=2)
    assert (row.total, row.period_share, row.kernel_share) == (9, 0.09, 1.0)


def test_an_average_is_whole_ns_rounded_down(store: Store) -> None:
    [row] = [row for row in ask(store, "top", step=1) if row.name == "MatMul_1"]
    assert (row.total, row.count_, row.avg) == (31, 3, 10)


def test_a_rank_without_steps_has_no_share_of_a_period(store: Store) -> None:
    [row] = ask(store, "top", rank=1)
    assert (row.period_share, row.kernel_share) == (None, 1.0)


def test_the_share_of_kernel_time_does_not_change_when_one_core_is_asked_for(
    store: Store,
) -> None:
    whole = {row.name: row.kernel_share for row in ask(store, "top", rank=0)}
    for row in ask(store, "top", rank=0, core="AI_CORE"):
        assert row.kernel_share == whole[row.name]


def test_top_is_cut_at_the_limit_after_sorting(store: Store) -> None:
    assert [row.total for row in ask(store, "top", limit=2)] == [100, 90]


def test_operator_types_gather_the_names_of_a_type(store: Store) -> None:
    assert ask(store, "operator_types", rank=0)[0] == OperatorTypesRow(
        0, "MatMulV2", "AI_CORE", 2, 7, 120, 17, 5, 60, 60 / 200, 120 / 160
    )


def test_calls_of_an_operator_come_longest_first_and_by_id_where_equal(store: Store) -> None:
    assert [row.kernel_id for row in ask(store, "operator_calls", rank=0)] == [3, 1, 2]
    assert [row.kernel_id for row in ask(store, "operator_calls", name="MatMul_1")] == [1, 2]
    assert [row.kernel_id for row in ask(store, "operator_calls", step=1, limit=1)] == [1]


def test_the_kernel_of_a_slice_is_found_in_its_own_rank(store: Store) -> None:
    [row] = ask(store, "operator_calls", slice_id=identifier(1, 1))
    assert (row.rank, row.kernel_id, row.core) == (1, identifier(1, 1), "AI_CPU")
    [row] = ask(store, "operator_calls", slice_id=12)
    assert (row.name, row.ts, row.aic_mac_ratio) == ("MatMul_1", 140, 0.25)
