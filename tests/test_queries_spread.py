"""Operators of which some calls take many times as long as others."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder, Value, ask

from npuview.ingest.store import Store


class Stream:
    """Kernels one behind the other on a stream, and the totals of them."""

    def __init__(self, path: Path) -> None:
        self._builder = StoreBuilder(path).rank(0)
        self._totals: dict[tuple[str, str], list[int]] = {}
        self._at = 0
        self._ids = 0

    def run(
        self, type_: str, *durs: int, core: str = "AI_VECTOR_CORE", shapes: str | None = "8,8",
        stream: int = 2, **more: Value,
    ) -> "Stream":  # fmt: skip
        for dur in durs:
            self._ids += 1
            values: dict[str, Value] = {
                "kernel_id": self._ids,
                "device_id": 0,
                "name": f"aclnn{type_}",
                "type": type_,
                "core": core,
                "ts": self._at,
                "dur": dur,
                "stream_id": stream,
                "input_shapes": shapes,
            }
            self._builder.add("kernel", **(values | more))
            self._totals.setdefault((type_, core), []).append(dur)
            self._at += dur
        return self

    def build(self) -> Store:
        for (type_, core), durs in self._totals.items():
            self._builder.add(
                "operator_total", name=f"aclnn{type_}", type=type_, core=core, count=len(durs),
                total=sum(durs), min=min(durs), max=max(durs),
            )  # fmt: skip
        return self._builder.build()


def named(column: str, value: str) -> dict[str, Any]:
    return {column: value}


def test_a_spread_inside_no_shape_is_explained_by_the_shapes(tmp_path: Path) -> None:
    run = Stream(tmp_path).run("Add", 10, 12, 11, shapes="8,8").run("Add", 90, 99, shapes="64,64")
    [row] = ask(run.build(), "operator_spread")
    assert (row.type, row.count_, row.spread) == ("Add", 5, 9.9)
    assert (row.explained, row.shape_groups, row.group_spread) == (True, 2, 1.2)
    assert (row.slow, row.fast, row.excess_ns, row.conversion) == (0, 0, 0, None)


def test_a_spread_inside_a_shape_is_not_and_names_the_conversion_before_the_slow_calls(
    tmp_path: Path,
) -> None:
    run = Stream(tmp_path)
    run.run("Mul", 10, 10, 10).run("TransData", 5).run("Mul", 80).run("TransData", 7).run("Mul", 60)
    # Of another shape, and alike.
    run.run("Mul", 20, 20, shapes="16,16")
    [row] = ask(run.build(), "operator_spread")
    assert (row.type, row.explained, row.shape_groups, row.group_spread) == ("Mul", False, 2, 8)
    assert (row.slow, row.fast, row.excess_ns) == (2, 3, 70 + 50)
    assert (row.converted, row.fast_converted) == (2, 0)
    assert (row.conversion, row.conversion_ns) == ("TransData", 12)
    assert (row.longest_ts, row.longest_kernel_id) == (35, 5)


def test_only_what_runs_directly_before_on_the_same_stream_is_named(tmp_path: Path) -> None:
    run = Stream(tmp_path).run("Mul", 10, 10, 10, 10)
    run.run("Cast", 5).run("Add", 5).run("Cast", 5, stream=3).run("Mul", 90)
    [row] = ask(run.build(), "operator_spread")
    assert (row.explained, row.slow, row.converted, row.conversion) == (False, 1, 0, None)


def test_types_and_formats_tell_calls_apart_as_shapes_do(tmp_path: Path) -> None:
    for column in ("input_dtypes", "input_formats", "output_shapes", "output_formats"):
        run = Stream(tmp_path / column).run("Mul", 10, 10, 10, 10, **named(column, "x"))
        run.run("Mul", 90, **named(column, "y"))
        [row] = ask(run.build(), "operator_spread")
        assert (row.explained, row.shape_groups) == (True, 2), column


def test_without_shapes_it_cannot_be_told_what_explains_a_spread(tmp_path: Path) -> None:
    [row] = ask(
        Stream(tmp_path).run("Mul", 10, 10, 10, 10, 90, shapes=None).build(), "operator_spread"
    )
    assert (row.explained, row.slow, row.excess_ns) == (None, 1, 80)


def test_four_calls_or_less_than_five_times_are_no_spread(tmp_path: Path) -> None:
    run = Stream(tmp_path).run("Add", 10, 10, 10, 99).run("Mul", 10, 10, 10, 10, 49)
    store = run.build()
    assert ask(store, "operator_spread") == []
    assert [row.type for row in ask(store, "operator_spread", least_spread=4.9)] == ["Mul"]
    assert [row.type for row in ask(store, "operator_spread", least_calls=4)] == ["Add"]


def test_what_waits_inside_is_left_out(tmp_path: Path) -> None:
    run = Stream(tmp_path)
    for type_, core in (
        ("hcom_allReduce_", "COMMUNICATION"),
        ("MoeDistributeDispatchV2", "MIX_AIC"),
        ("Bincount", "AI_CPU"),
    ):
        run.run(type_, 10, 10, 10, 10, 90, core=core)
    assert ask(run.build(), "operator_spread") == []


def test_an_outlier_lies_above_the_fence_of_the_quartiles_and_twice_the_median(
    tmp_path: Path,
) -> None:
    store = Stream(tmp_path).run("Mul", 10, 11, 12, 13, 19, 20, 40).build()
    # Quartiles 11 and 20: the fence is at 20 + 13.
    [row] = ask(store, "outlier_calls", type="Mul")
    assert (row.dur, row.p50, row.fence_ns) == (40, 13, 33)
    assert (row.why, row.before_type, row.shape_count) == (None, None, 7)


def test_alike_calls_have_no_outlier_below_twice_the_median(tmp_path: Path) -> None:
    store = Stream(tmp_path).run("Mul", *[100] * 6, 199, 200).build()
    [row] = ask(store, "outlier_calls")
    assert (row.dur, row.fence_ns) == (200, 199)


def test_an_outlier_is_explained_by_its_shapes_before_a_conversion_is(tmp_path: Path) -> None:
    run = Stream(tmp_path).run("Mul", *[10] * 8).run("Cast", 7).run("Mul", 90)
    run.run("Cast", 8).run("Mul", 80, shapes="64,64").run("Add", 10)
    rows = ask(run.build(), "outlier_calls", type="Mul")
    assert [(row.dur, row.why, row.before_type, row.before_dur) for row in rows] == [
        (90, "conversion", "Cast", 7),
        (80, "shape", "Cast", 8),
    ]
    assert [(row.shape_p50, row.shape_count) for row in rows] == [(10, 9), (80, 1)]


@given(durs=st.lists(st.integers(0, 10**6), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None)
def test_less_than_half_of_the_calls_are_outliers(
    durs: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = Stream(tmp_path_factory.mktemp("outliers")).run("Mul", *durs).build()
    rows = ask(store, "outlier_calls")
    assert 2 * len(rows) <= len(durs)
    for row in rows:
        assert row.dur >= 2 * sorted(durs)[(len(durs) - 1) // 2]
