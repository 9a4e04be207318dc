"""Calls that are too many, too short or on the wrong core, and the vendor's sums beside ours."""

from pathlib import Path

import pytest
from finding_build import MS, RunBuilder
from store_build import StoreBuilder, ask


def with_adds(path: Path, *counts: int) -> RunBuilder:
    """Return a run whose steps call Add so often, 0.01 ms each, and MatMul once."""
    run = RunBuilder(path).rank(steps=len(counts))
    for step, count in enumerate(counts, 1):
        run.kernel("MatMul", 30, step=step)
        for _ in range(count):
            run.kernel("Add", 0.01, core="AI_VECTOR_CORE", step=step)
    return run


def test_a_step_that_calls_twice_as_often_as_the_median_step_is_found(tmp_path: Path) -> None:
    rows = ask(with_adds(tmp_path, 10, 10, 32, 10).build(), "operator_explosion")
    assert [(row.step, row.type, row.count_, row.median_count, row.added) for row in rows] == [
        (3, None, 33, 11, 22),
        (3, "Add", 32, 10, 22),
    ]
    assert (rows[1].times, rows[1].total, rows[1].added_ns) == (3.2, 320_000, 220_000)
    assert (rows[1].avg, rows[1].period, rows[1].longer_ns) == (10_000, 100 * MS, 0)


def test_a_type_that_other_steps_do_not_call_at_all_has_no_ratio(tmp_path: Path) -> None:
    rows = ask(with_adds(tmp_path, 0, 12, 0).build(), "operator_explosion")
    assert [(row.type, row.count_, row.times) for row in rows] == [
        (None, 13, 13.0),
        ("Add", 12, None),
    ]


@pytest.mark.parametrize("callers", range(1, 5))
def test_a_type_that_less_than_half_of_the_steps_call_is_not_called_by_the_median_step(
    tmp_path: Path, callers: int
) -> None:
    counts = [40, *[10] * (callers - 1), *[0] * (9 - callers)]
    rows = ask(with_adds(tmp_path, *counts).build(), "operator_explosion", step=1)
    assert [(row.type, row.count_, row.median_count) for row in rows] == [
        (None, 41, 1),
        ("Add", 40, 0),
    ]


def test_a_few_more_calls_are_no_explosion(tmp_path: Path) -> None:
    store = with_adds(tmp_path, 2, 6, 2).build()
    assert ask(store, "operator_explosion") == []
    assert {row.step for row in ask(store, "operator_explosion", least_added=4, step=2)} == {2}
    assert ask(store, "operator_explosion", least_added=4, step=1) == []


def test_many_tiny_calls_count_where_every_step_has_them(tmp_path: Path) -> None:
    run = with_adds(tmp_path, 20, 20)
    # One launch in 0.02 ms, twice as long as an Add and shorter than a MatMul.
    for number in range(9):
        run.launch(1000 + number, number * 0.02)
    rows = ask(run.build(), "operator_explosion", least_tiny=20)
    assert [(row.step, row.type, row.count_, row.added) for row in rows] == [
        (1, "Add", 20, 0),
        (2, "Add", 20, 0),
    ]
    assert {(row.avg, row.launch_ns) for row in rows} == {(10_000, 20_000)}


def test_kernels_shorter_than_a_launch_cost_only_where_the_device_waited(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    tiny = [run.kernel("Add", 0.1, core="AI_VECTOR_CORE") for _ in range(3)]
    long = run.kernel("MatMul", 5)
    for number, slice_id in enumerate((*tiny, long)):
        run.launch(slice_id, number)
    run.stall("host_framework", 2, stage="framework", next_slice_id=tiny[0])
    # After the launch it is not the host that is late, and a long kernel hides its launch.
    run.stall("device_queue", 3, stage="device", next_slice_id=tiny[1])
    run.stall("host_launch", 4, stage="launch", next_slice_id=long)
    # Nor would a pause or the replay of a graph be shorter with fewer kernels.
    run.stall("gc", 5, stage="framework", next_slice_id=tiny[2])
    run.stall("graph_launch", 6, stage="launch", next_slice_id=tiny[2])
    [row] = ask(run.build(), "tiny_operators")
    assert (row.type, row.calls, row.count_, row.total) == ("Add", 3, 3, 300_000)
    assert (row.launch_ns, row.starved, row.idle_ns) == (MS, 1, 2 * MS)
    assert (row.period_share, row.longest_kernel_id) == (0.02, tiny[0])


def test_what_an_ai_cpu_holds_up_is_the_time_in_which_nothing_else_runs(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    cpu = run.kernel("Bincount", 10, core="AI_CPU", input_dtypes="INT64")
    # Two that overlap each other cover five of the ten.
    run.kernel("Add", 4, core="AI_VECTOR_CORE", ts=MS)
    run.kernel("Add", 3, core="AI_VECTOR_CORE", ts=3 * MS)
    run.kernel("hcom", 10, core="COMMUNICATION")
    caller = run.slice("aten::bincount", ms=1)
    run.kernel("Bincount", 2, core="AI_CPU", input_dtypes="INT32", ts=50 * MS)
    store = run.launch(cpu, 0).build()
    first, second = ask(store, "aicpu_operators")
    assert (first.type, first.input_dtypes, first.count_) == ("Bincount", "INT64", 1)
    assert (first.total, first.alone_ns, first.period_share) == (10 * MS, 5 * MS, 0.05)
    assert (second.input_dtypes, second.alone_ns, second.caller) == ("INT32", 2 * MS, None)
    assert (first.caller, first.callers) == ("Bincount", 1)
    assert caller != cpu


@pytest.mark.parametrize(
    ("calls", "official", "about"),
    [
        ([1000, 1001], (2, "2.001"), "equal"),
        ([1000, 1001], (2, "2.002"), "half a ns per call: here each was rounded, there only"),
        ([1000, 1001], (2, "2.1"), "the same calls with other lengths"),
        ([1000, 1001], (3, "2.001"), "other kernels are counted"),
        ([], (3, "2.001"), "the kernel table has no such kernel"),
    ],
)
def test_own_sums_stand_beside_the_vendor_s_with_a_reason(
    calls: list[int], official: tuple[int, str], about: str, tmp_path: Path
) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    if calls:
        builder.add(
            "operator_total", name="a", type="Add", core="AIV", count=len(calls), total=sum(calls)
        )
    columns = {"OP Type": "VARCHAR", "Core Type": "VARCHAR", "Count": "BIGINT"}
    builder.summary(
        "op_statistic",
        {**columns, "Total Time(us)": "VARCHAR", "Ratio(%)": "DOUBLE"},
        [("Add", "AIV", *official, 1.0)],
    )
    [row] = ask(builder.build(), "operator_check")
    assert row.about.startswith(about)
    assert (row.count_, row.own) == ((len(calls), sum(calls)) if calls else (None, None))
    assert (row.official_count, row.official) == (official[0], round(float(official[1]) * 1000))


def test_without_the_vendor_s_table_there_is_nothing_to_compare(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("operator_total", name="a", type="Add", core="AIV", count=1, total=1)
    # A table of an older version, without cores or times.
    builder.rank(1).summary("op_statistic", {"OP Type": "VARCHAR"}, [("Add",)])
    [row] = ask(builder.build(), "operator_check")
    assert (row.rank, row.type, row.core, row.official) == (1, "Add", None, None)


def test_collectives_are_left_out_by_the_vendor_and_said_to_be(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for type_, core in (("hcom_allReduce_", "HCCL"), ("Add", "AIV")):
        builder.add("operator_total", name=type_, type=type_, core=core, count=1, total=5)
    columns = {"OP Type": "VARCHAR", "Core Type": "VARCHAR", "Count": "BIGINT"}
    builder.summary(
        "op_statistic", {**columns, "Total Time(us)": "VARCHAR"}, [("Mul", "AIV", 1, "1")]
    )
    about = {row.type: row.about for row in ask(builder.build(), "operator_check")}
    assert about == {
        "hcom_allReduce_": "the file leaves collectives out",
        "Add": "the file has no such operator",
        "Mul": "the kernel table has no such kernel",
    }
