"""What is asked about a single slice: its like, its measured columns, its collective."""

from pathlib import Path

import pytest
from kernel_store import (
    CALL_SLICE,
    COLLECTIVE_SLICE,
    FIRST_MATMUL,
    MATMULS,
    ORIGIN,
    PLANE_SLICE,
    US,
    kernel_store,
    slice_id,
)
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows import CallLengthsRow, CallRankRow, KernelMetricsRow


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return kernel_store(tmp_path_factory.mktemp("kernels"))


def lengths(path: Path, *durs: int) -> Store:
    """Return a store of calls of one operator with these lengths, and of another one."""
    builder = StoreBuilder(path)
    for number, dur in enumerate(durs):
        builder.add("kernel", kernel_id=number, name="Add", type="Add", ts=number, dur=dur, step=1)
    builder.add("kernel", kernel_id=99, name="Mul", type="Mul", ts=5, dur=7, step=1)
    return builder.build()


def test_a_call_is_ranked_among_the_calls_of_its_operator(store: Store) -> None:
    last = identifier(0, MATMULS - 1)
    [row] = ask(store, "call_rank", kernel_id=last)
    assert row == CallRankRow(
        8, 1_600 * US, 100 * US, 100 * US, 900 * US, 0, 7, identifier(0, MATMULS - 2), None
    )
    [first] = ask(store, "call_rank", kernel_id=identifier(0, 0), step=1)
    assert (first.longer, first.earlier, first.previous_kernel_id) == (1, 0, None)
    assert first.next_kernel_id == identifier(0, 1)


def test_a_call_that_there_is_not_has_no_rank(store: Store) -> None:
    assert ask(store, "call_rank", kernel_id=12345) == []
    assert ask(store, "call_rank", kernel_id=0, step=77) == []


def test_operators_without_a_type_are_told_apart_by_name(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for number, name in enumerate(("Add", "Add", "Mul")):
        builder.add("kernel", kernel_id=number, name=name, ts=number, dur=5)
    store = builder.build()
    assert [ask(store, "call_rank", kernel_id=number)[0].count_ for number in (0, 2)] == [2, 1]


def test_the_median_is_a_length_that_occurs(tmp_path: Path) -> None:
    [row] = ask(lengths(tmp_path, 1, 3, 10, 20), "call_rank", kernel_id=0)
    assert row.median == 3


def test_lengths_are_counted_in_equal_parts_from_the_shortest_on(tmp_path: Path) -> None:
    rows = ask(lengths(tmp_path, 10, 11, 14, 19), "call_lengths", kernel_id=0, parts=2)
    assert rows == [CallLengthsRow(0, 3), CallLengthsRow(1, 1)]


def test_calls_of_one_length_are_all_in_the_first_part(tmp_path: Path) -> None:
    assert ask(lengths(tmp_path, 5, 5), "call_lengths", kernel_id=1) == [CallLengthsRow(0, 2)]


def test_measured_columns_keep_the_names_of_the_file(store: Store) -> None:
    rows = ask(store, "kernel_metrics", kernel_id=identifier(0, 3))
    assert rows == [KernelMetricsRow("aic_total_cycles", 9.83e6)]


def test_one_kernel_is_asked_for_by_its_number(store: Store) -> None:
    [row] = ask(store, "operator_calls", kernel_id=identifier(0, 20))
    assert (row.type, row.slice_id) == ("Unique", None)


def test_what_a_call_launched_is_summed_with_the_first_and_the_last(store: Store) -> None:
    [row] = ask(store, "launched_summary", slice_id=slice_id(CALL_SLICE))
    assert (row.count_, row.total, row.inferred) == (8, 1_600 * US, 1)
    assert row.ts == ORIGIN + 500 * US
    assert row.first_slice_id == slice_id(FIRST_MATMUL)
    assert row.last_slice_id == slice_id(FIRST_MATMUL + MATMULS - 1)
    assert len(ask(store, "launched", slice_id=slice_id(CALL_SLICE))) == row.count_


def test_a_kernel_launched_nothing(store: Store) -> None:
    assert ask(store, "launched_summary", slice_id=slice_id(FIRST_MATMUL)) == []


@pytest.mark.parametrize("number", [COLLECTIVE_SLICE, PLANE_SLICE])
def test_a_collective_and_its_plane_tasks_have_the_same_collective(
    store: Store, number: int
) -> None:
    [row] = ask(store, "slice_collective", slice_id=slice_id(number))
    assert (row.slice_id, row.bytes) == (slice_id(COLLECTIVE_SLICE), 16_000_000)
    assert (row.last_number, row.last_peer_wait_ns) == (3, 1_400 * US)


def test_a_kernel_belongs_to_no_collective(store: Store) -> None:
    assert ask(store, "slice_collective", slice_id=slice_id(FIRST_MATMUL)) == []
