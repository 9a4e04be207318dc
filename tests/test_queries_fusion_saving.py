"""What the graph engine made of runs of operators, and what one kernel would save."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from finding_build import RunBuilder, found, named
from fusion_build import ATTENTION, FUSION_OP, US, Stream, candidates, only
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder

from npuview.queries.rules import shipped_rules


def graph(store: StoreBuilder, *fused: tuple[str, str]) -> StoreBuilder:
    rows = [("net", name, original, "1") for name, original in fused]
    return store.summary("fusion_op", FUSION_OP, rows)


@pytest.mark.parametrize(
    ("fused", "said"),
    [
        (None, ("not_collected", None)),
        ((("conv", "conv1;relu1"),), ("not_fused", 0)),
        # By nodes of the graph, whatever their folder, number and letters.
        ((("a", "l0/MatMul;l0/softmax_3;l0/matmul_1;"),), ("fused_elsewhere", 1)),
        (
            (("a", "MatMul;Softmax;MatMul"), ("b", "x/MatMul;Softmax;MatMul")),
            ("fused_elsewhere", 2),
        ),
        ((("Muls", "Mul;Reshape"),), ("partly_fused", 0)),
        ((("Muls", "MatMul;Softmax;MatMul"),), ("partly_fused", 1)),
    ],
)
def test_a_candidate_says_what_the_graph_engine_made_of_its_kind(
    fused: tuple[tuple[str, str], ...] | None, said: tuple[str, int | None], tmp_path: Path
) -> None:
    stream = Stream(tmp_path).run(*ATTENTION)
    if fused is not None:
        graph(stream.builder, *fused)
    row = only(stream.store(), pattern="attention")
    assert (row.graph, row.graph_fused) == said


def test_the_file_of_one_rank_tells_nothing_of_another(tmp_path: Path) -> None:
    stream = Stream(tmp_path).run(*ATTENTION)
    graph(stream.builder, ("Muls", "Mul;Reshape"))
    stream.builder.rank(1)
    rows = candidates(stream.run(*ATTENTION).store(), pattern="attention")
    assert {row.rank: row.graph for row in rows} == {0: "partly_fused", 1: "not_collected"}


def test_a_finding_names_members_that_the_graph_engine_fused_already(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    for type_ in ATTENTION:
        run.kernel(type_, 4, stream_id=2)
    graph(run.builder, ("aclnnMuls", "Mul;Reshape"))
    assert named(found(run.build()), "unfused_attention").values["in_graph"] == 1


def test_one_kernel_saves_the_gaps_and_up_to_the_traffic_in_between(tmp_path: Path) -> None:
    store = Stream(tmp_path).run(*ATTENTION, tensor=("1000", "FLOAT16", "ND")).store()
    assert (only(store, pattern="attention").least_ns, only(store).most_ns) == (6 * US, None)
    # Three tensors of 2,000 bytes, each written and read, at 12 GB per second.
    row = only(store, pattern="attention", bytes_per_s=12_000_000_000)
    assert (row.least_ns, row.most_ns) == (6 * US, 7 * US)
    # A slow memory does not make a kernel longer than it was.
    assert only(store, bytes_per_s=1).most_ns == row.total + row.gap_ns
    assert only(store, bytes_per_s=0).most_ns is None


def test_without_shapes_what_the_traffic_takes_is_not_known(tmp_path: Path) -> None:
    stream = Stream(tmp_path).run(*ATTENTION, tensor=("-1,128", "FLOAT16", "ND"))
    row = only(stream.store(), pattern="attention", bytes_per_s=10**12)
    assert (row.bytes, row.least_ns, row.most_ns) == (None, 6 * US, None)


def test_what_the_collection_puts_between_kernels_is_no_saving(tmp_path: Path) -> None:
    stream = Stream(tmp_path)
    store = stream.builder
    store.add("profile", switches='{"_l2_cache": true}', device_id=0, ts=0, dur=1)
    for number in range(20):
        at = 10_000 * US + number * 110 * US
        task = {"class_": "compute", "task_type": "AI_CORE"}
        store.add("slice", slice_id=number, track_id=1, ts=at, dur=10 * US, name="a", **task)
        store.add("launch_link", slice_id=number, launch_ts=0, launch_end=1)
        if number:
            gap = {"gap_id": number, "prev_slice_id": number - 1, "next_slice_id": number}
            store.add("gap", kind="device", device_id=0, ts=at - 100 * US, dur=100 * US, **gap)
    row = only(stream.run(*ATTENTION, after_us=110, device_id=0).store(), pattern="attention")
    assert (row.gap_ns, row.least_ns) == (330 * US, 30 * US)


@settings(max_examples=10, deadline=None)
@given(
    runs=st.lists(
        st.tuples(
            st.sampled_from([ATTENTION, ("MatMulV3", "SoftmaxV2", "MatMulV2"), ("Add", "RmsNorm")]),
            st.integers(0, 300),
            st.sampled_from(["8,128", "0", "-1", "4096,4096,4096,4096,4096,4096", "", "N/A"]),
            st.sampled_from(["FLOAT16", "FLOAT", "COMPLEX9", ""]),
            st.sampled_from([None, 0.0, 0.4, 1.0, 7.5]),
            st.sampled_from([2, 3]),
        ),
        min_size=1,
        max_size=4,
    ),
    speed=st.one_of(st.none(), st.sampled_from([0, 1, 10**9, 2**63 - 1])),
)
def test_a_range_of_savings_lies_within_the_time_of_the_members_and_between_them(
    tmp_path_factory: pytest.TempPathFactory,
    runs: list[tuple[tuple[str, ...], int, str, str, float | None, int]],
    speed: int | None,
) -> None:
    stream = Stream(tmp_path_factory.mktemp("s"))
    for types, after, shape, dtype, busy, lane in runs:
        tensor = (shape, dtype, "ND")
        stream.run(*types, after_us=after, tensor=tensor, stream=lane, aic_mac_ratio=busy)
    for row in candidates(stream.store(), bytes_per_s=speed):
        assert 0 <= row.least_ns <= row.gap_ns
        if row.most_ns is not None:
            assert (speed or 0) > 0
            assert row.bytes is not None
            assert row.least_ns <= row.most_ns <= row.least_ns + row.total - (row.computed_ns or 0)


SIZED: dict[str, Any] = {
    f"{side}_{part}": text
    for side in ("input", "output")
    for part, text in (("shapes", "4000,1000"), ("dtypes", "FLOAT16"), ("formats", "ND"))
}


def test_the_finding_gives_the_range_for_the_chip_that_is_named(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    for type_ in ATTENTION:
        run.kernel(type_, 4, stream_id=2, **SIZED)
    store = run.build()
    unknown = named(found(store), "unfused_attention").values
    assert (unknown["least_ns"], unknown["most_ns"], unknown["unpriced"]) == (0, None, 1)
    known = named(found(store, replace(shipped_rules(), chip="910B4")), "unfused_attention").values
    # Three times 2 * 8 MB at 0.8 TB/s.
    assert (known["least_ns"], known["most_ns"], known["unpriced"]) == (0, 60 * US, None)


def test_the_finding_says_what_keeps_it_from_the_upper_end_shapes_or_the_chip(
    tmp_path: Path,
) -> None:
    for name, tensor, missing in (("sized", SIZED, (None, 1)), ("bare", {}, (1, None))):
        run = RunBuilder(tmp_path / name).rank()
        for type_ in ATTENTION:
            run.kernel(type_, 4, stream_id=2, **tensor)
        values = named(found(run.build()), "unfused_attention").values
        assert (values["unsized"], values["unpriced"]) == missing
