"""Operators: totals by what they are grouped by, and single calls."""

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder, Value, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows import TopRow

COLLECTIVE = ("hcom_allReduce_", "hcom_allReduce_", "COMMUNICATION")
MATMUL = ("MatMul_1", "MatMulV2", "AI_CORE")
OTHER_MATMUL = ("MatMul_2", "MatMulV2", "AI_CORE")
UNTYPED = ("Add", None, None)

Call = tuple[tuple[str, str | None, str | None], int | None, int, int, str | None, int]
"""Operator, step, start, length, input shapes and stream of a call."""

CALLS: list[Call] = [
    (MATMUL, 1, 110, 20, "8,8", 2),
    (MATMUL, 1, 140, 6, "4,4", 2),
    (MATMUL, 1, 150, 5, "4,4", 3),
    (MATMUL, 2, 210, 9, "4,4", 2),
    (MATMUL, None, 10, 60, "8,8", 2),
    (OTHER_MATMUL, 1, 160, 10, "8,8", 3),
    (OTHER_MATMUL, 1, 180, 10, None, 3),
    (COLLECTIVE, 1, 100, 90, None, 4),
    (UNTYPED, 1, 105, 40, None, 3),
]


def operators(builder: StoreBuilder, calls: list[Call]) -> StoreBuilder:
    """Add kernels, and the totals that the ingest makes of them."""
    totals: defaultdict[tuple[Value, ...], list[int]] = defaultdict(list)
    for number, (operator, step, ts, dur, shapes, stream) in enumerate(calls, 1):
        name, type_, core = operator
        builder.add(
            "kernel",
            kernel_id=number,
            slice_id=None if operator == UNTYPED else 100 + number,
            device_id=0,
            step=step,
            name=name,
            type=type_,
            core=core,
            ts=ts,
            dur=dur,
            stream_id=stream,
            input_shapes=shapes,
            input_dtypes="FLOAT" if operator == MATMUL else None,
            aic_mac_ratio=0.25,
        )
        totals[step, name, type_, core].append(dur)
    for (step, name, type_, core), durs in totals.items():
        builder.add(
            "operator_total",
            step=step,
            name=name,
            type=type_,
            core=core,
            count=len(durs),
            total=sum(durs),
            min=min(durs),
            max=max(durs),
        )
    return builder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two steps of 100 ns; kernels outside of them; a collective; a second rank."""
    builder = StoreBuilder(tmp_path_factory.mktemp("operators")).rank(0)
    for step in (1, 2):
        builder.add(
            "step", step=step, kind="train", source="x", inferred=False, ts=step * 100, dur=100
        )
    operators(builder, CALLS)
    operators(builder.rank(1), [(("Add", "Add", "AI_CPU"), None, 1, 2, None, 1)] * 2)
    return builder.build()


def top_row(name: str | None, type_: str | None, core: str | None, **more: object) -> TopRow:
    blank = dict.fromkeys(TopRow._fields)
    given = {"rank": 0, "inside": more.get("total"), "name": name, "type": type_, "core": core}
    return TopRow(**{**blank, **given, **more})  # pyright: ignore[reportArgumentType]


def test_top_sums_over_steps_and_names_its_denominators(store: Store) -> None:
    # 100 of the first one's ns are in all, 40 of them inside steps; 160 ns ran on cores.
    assert ask(store, "top", rank=0, percentiles=True) == [
        top_row(*MATMUL, names=1, count_=5, total=100, avg=20, min=5, max=60, p50=9, p95=60,
                spread=12.0, period_share=40 / 200, kernel_share=100 / 160,
                cumulative_share=100 / 160),
        top_row(*COLLECTIVE, names=1, count_=1, total=90, avg=90, min=90, max=90, p50=90, p95=90,
                spread=1.0, period_share=90 / 200),
        top_row(*UNTYPED, names=1, count_=1, total=40, avg=40, min=40, max=40, p50=40, p95=40,
                spread=1.0, period_share=40 / 200, kernel_share=40 / 160,
                cumulative_share=140 / 160),
        top_row(*OTHER_MATMUL, names=1, count_=2, total=20, avg=10, min=10, max=10, p50=10, p95=10,
                spread=1.0, period_share=20 / 200, kernel_share=20 / 160, cumulative_share=1.0),
    ]  # fmt: skip


@pytest.mark.parametrize("by", ["name", "type", "core"])
@pytest.mark.parametrize("step", [None, 1])
def test_totals_are_the_same_whether_calls_are_read_for_percentiles_or_not(
    store: Store, by: str, step: int | None
) -> None:
    whole = ask(store, "top", by=by, step=step, percentiles=True)
    assert all(row.p50 is not None for row in whole)
    quick = ask(store, "top", by=by, step=step)
    assert quick == [row._replace(p50=None, p95=None) for row in whole]


def test_top_of_one_step_leaves_kernels_outside_it_out(store: Store) -> None:
    [row] = ask(store, "top", rank=0, step=2)
    assert (row.total, row.period_share, row.kernel_share) == (9, 0.09, 1.0)


def test_top_of_a_range_has_the_kernels_that_begin_in_it_and_its_part_of_the_steps(
    store: Store,
) -> None:
    rows = ask(store, "top", rank=0, from_ts=150, to_ts=220)
    assert {(row.name, row.count_, row.total) for row in rows} == {
        ("MatMul_1", 2, 14),
        ("MatMul_2", 2, 20),
    }
    assert {row.period_share for row in rows} == {14 / 70, 20 / 70}
    # What runs on behind the end of the range takes no more of it than there is.
    [row] = ask(store, "top", rank=0, from_ts=102, to_ts=106)
    assert (row.name, row.total, row.inside, row.period_share) == ("Add", 40, 1, 1 / 4)
    assert ask(store, "top", rank=0, from_ts=1000) == []


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


def test_the_names_of_a_type_are_gathered(store: Store) -> None:
    row = ask(store, "top", rank=0, by="type", percentiles=True)[0]
    assert (row.name, row.type, row.core, row.names) == (None, "MatMulV2", "AI_CORE", 2)
    assert (row.count_, row.total, row.min, row.p50, row.max) == (7, 120, 5, 10, 60)
    assert (row.period_share, row.kernel_share) == (60 / 200, 120 / 160)


@pytest.mark.parametrize(
    ("by", "column", "counts"),
    [
        ("core", "core", {"AI_CORE": 7, "COMMUNICATION": 1, None: 1}),
        ("shape", "input_shapes", {"8,8": 3, "4,4": 3}),
        ("dtype", "input_dtypes", {"FLOAT": 5}),
        ("stream", "stream_id", {2: 4, 3: 4, 4: 1}),
    ],
)
def test_calls_are_grouped_by_what_is_asked_for(
    store: Store, by: str, column: str, counts: dict[str | int | None, int]
) -> None:
    rows = ask(store, "top", rank=0, by=by)
    assert sum(row.count_ for row in rows) == len(CALLS)
    found = {getattr(row, column): row.count_ for row in rows}
    assert {key: found[key] for key in counts} == counts


def test_the_time_of_a_collective_on_a_stream_is_no_kernel_time(store: Store) -> None:
    shares = {row.stream_id: row.kernel_share for row in ask(store, "top", rank=0, by="stream")}
    assert shares == {2: 95 / 160, 3: 65 / 160, 4: None}


@settings(max_examples=20, deadline=None)
@given(durs=st.lists(st.integers(0, 10**6), min_size=1, max_size=25))
def test_percentiles_are_lengths_that_occur_between_shortest_and_longest(
    durs: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    builder = StoreBuilder(tmp_path_factory.mktemp("lengths")).rank(0)
    calls: list[Call] = [(MATMUL, 1, at, dur, "1", 2) for at, dur in enumerate(durs)]
    [row] = ask(operators(builder, calls).build(), "top", percentiles=True)
    assert row.min <= row.p50 <= row.p95 <= row.max
    assert {row.p50, row.p95} <= set(durs)
    assert row.p50 == sorted(durs)[(len(durs) - 1) // 2]
    assert (row.spread is None) == (min(durs) == 0)


def test_calls_of_an_operator_come_longest_first_and_by_id_where_equal(store: Store) -> None:
    assert [row.kernel_id for row in ask(store, "operator_calls", rank=0, type="MatMulV2")] == [
        *(5, 1, 6, 7, 4, 2, 3)
    ]
    assert [row.kernel_id for row in ask(store, "operator_calls", step=1, limit=1)] == [8]


def test_calls_are_those_of_a_shape_a_type_of_data_a_stream_or_a_range(store: Store) -> None:
    def ids(**only: object) -> list[int]:
        return sorted(row.kernel_id for row in ask(store, "operator_calls", rank=0, **only))

    assert ids(input_shapes="8,8") == [1, 5, 6]
    assert ids(input_dtypes="FLOAT", stream_id=3) == [3]
    assert ids(from_ts=150, to_ts=180) == [3, 6]


def test_the_kernel_of_a_slice_is_found_in_its_own_rank(store: Store) -> None:
    [row] = ask(store, "operator_calls", slice_id=identifier(1, 101))
    assert (row.rank, row.kernel_id, row.core) == (1, identifier(1, 1), "AI_CPU")
    [row] = ask(store, "operator_calls", slice_id=102)
    assert (row.name, row.ts, row.aic_mac_ratio) == ("MatMul_1", 140, 0.25)
