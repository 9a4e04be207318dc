"""How well blocks fill the cores, and at which frequency these ran."""

from pathlib import Path

import pytest
from concluded import Conclude
from finding_build import MS, RunBuilder, found, named
from store_build import StoreBuilder, ask

from npuview.ingest.store import Store
from npuview.queries.rows_cores import BlockCountsRow, FrequencyDropsRow

US = 1_000


def blocks(
    path: Path, *kernels: tuple[str, str, int], given: tuple[int | None, int | None] = (None, None)
) -> list[BlockCountsRow]:
    """Return the answer for kernels of 100 us each: type, core and blocks.

    ``given`` are the cube and vector cores that the profile names.
    """
    cube, vector = given
    store = StoreBuilder(path).rank(0).add("profile", cube_cores=cube, vector_cores=vector)
    for number, (type_, core, count) in enumerate(kernels):
        store.add(
            "kernel",
            kernel_id=number,
            name=type_,
            type=type_,
            core=core,
            ts=number * 1000 * US,
            dur=100 * US,
            block_num=count,
        )
    return ask(store.build(), "block_counts")


@pytest.mark.parametrize(
    ("count", "efficiency", "small"),
    [(48, 1, False), (47, 47 / 48, False), (43, 43 / 48, False), (8, 8 / 48, True),
     (49, 49 / 96, True), (96, 1, False), (77, 77 / 96, False)],
)  # fmt: skip
def test_rounds_of_blocks_fill_the_cores_or_do_not(
    count: int, efficiency: float, small: bool, tmp_path: Path
) -> None:
    others = (("Add", "AI_VECTOR_CORE", 48), ("Mul", "AI_VECTOR_CORE", 48))
    rows = blocks(tmp_path, ("Gelu", "AI_VECTOR_CORE", count), *others)
    [row] = [row for row in rows if row.type == "Gelu"]
    assert (row.cores, row.cores_inferred, row.small) == (48, True, small)
    assert row.efficiency_ratio == pytest.approx(efficiency)
    assert abs(row.lost_ns - 100 * US * (1 - efficiency)) <= 1


def test_a_single_operator_with_more_blocks_than_cores_does_not_make_more_cores(
    tmp_path: Path,
) -> None:
    rows = blocks(
        tmp_path,
        ("MaxPoolGrad", "AI_VECTOR_CORE", 256),
        ("Add", "AI_VECTOR_CORE", 48),
        ("Mul", "AI_VECTOR_CORE", 48),
        ("MatMulV3", "AI_CORE", 24),
    )
    assert {row.type: row.cores for row in rows} == {
        "MaxPoolGrad": 48, "Add": 48, "Mul": 48, "MatMulV3": 24,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "cube", "vector"),
    [
        ((20, 40), (20, False), (40, False)),
        ((32, 0), (32, False), (32, False)),
        ((20, None), (20, False), (48, True)),
        ((None, 0), (24, True), (48, True)),
    ],
)
def test_cores_that_the_profile_names_are_not_inferred(
    given: tuple[int | None, int | None],
    cube: tuple[int, bool],
    vector: tuple[int, bool],
    tmp_path: Path,
) -> None:
    kernels = (("MatMulV3", "AI_CORE", 24), ("Add", "AI_VECTOR_CORE", 48))
    rows = {row.type: row for row in blocks(tmp_path, *kernels, given=given)}
    assert (rows["MatMulV3"].cores, rows["MatMulV3"].cores_inferred) == cube
    assert (rows["Add"].cores, rows["Add"].cores_inferred) == vector
    assert rows["Add"].efficiency_ratio == 48 / (-(-48 // vector[0]) * vector[0])


def test_a_finding_on_blocks_is_inferred_where_the_cores_are(tmp_path: Path) -> None:
    for cores in (None, 40):
        run = RunBuilder(tmp_path / str(cores)).rank(vector_cores=cores)
        for number in range(10):
            run.kernel("Gelu", 1, ts=(10 + 2 * number) * MS, core="AI_VECTOR_CORE", block_num=2)
        run.kernel("Add", 1, ts=40 * MS, core="AI_VECTOR_CORE", block_num=40)
        one = named(found(run.build()), "small_blocks")
        assert (one.values["cores"], one.inferred) == (40, cores is None)


def test_kernels_without_blocks_are_not_judged(tmp_path: Path) -> None:
    assert blocks(tmp_path, ("Unique", "AI_CPU", 1), ("Add", "AI_VECTOR_CORE", 0)) == []


def test_the_made_up_activation_runs_on_few_cores(conclude: Conclude) -> None:
    job = conclude("small_blocks")
    row = ask(job.store, "block_counts")[0]
    tasks = [task for call in job.truth.varied[0] for task in call.tasks]
    assert (row.type, row.blocks, row.cores, row.small) == ("Gelu", 8, 48, True)
    assert (row.count_, row.total) == (len(tasks), sum(task.dur for task in tasks))
    one = named(found(job.store), "small_blocks")
    assert (one.values["type"], one.values["blocks"], one.values["cores"]) == ("Gelu", 8, 48)
    assert one.inferred


def clocked(path: Path, slow_ms: float, *samples: tuple[float, float]) -> Store:
    """Build ten MatMul calls from 10 ms on, one every 2 ms: 1 ms each, the last three slow_ms."""
    run = RunBuilder(path).rank()
    for number in range(10):
        dur = slow_ms if number >= 7 else 1
        run.kernel("MatMulV3", dur, ts=(10 + 2 * number) * MS, input_shapes="8,8")
    if samples:
        run.counter("AI Core Freq", "MHz", *samples)
    return run.build()


def by_mhz(store: Store) -> dict[float | None, FrequencyDropsRow]:
    return {row.mhz: row for row in ask(store, "frequency_drops")}


def test_calls_that_are_slower_while_the_frequency_is_low_are_found(tmp_path: Path) -> None:
    store = clocked(tmp_path, 1.5, (0, 1800), (23.5, 1200), (40, 1800))
    rows = by_mhz(store)
    low, usual = rows[1200], rows[1800]
    assert (low.low, low.usual_mhz, low.samples) == (True, 1800, 3)
    assert (low.count_, low.compared, low.slower, low.slower_ns) == (3, 3, 3, round(1.5 * MS))
    assert (usual.low, usual.slower) == (False, 0)
    one = named(found(store), "frequency_drop")
    assert (one.ns, one.values["count"], one.values["samples"]) == (round(1.5 * MS), 3, 3)
    assert one.evidence


def test_a_drop_that_makes_nothing_slower_is_no_finding(tmp_path: Path) -> None:
    store = clocked(tmp_path, 1, (0, 1800), (23.5, 1200), (40, 1800))
    low = by_mhz(store)[1200]
    assert (low.low, low.count_, low.slower, low.slower_ns) == (True, 3, 0, 0)
    assert "frequency_drop" not in {one.rule.name for one in found(store)}


def test_slower_calls_at_the_usual_frequency_are_not_blamed_on_it(tmp_path: Path) -> None:
    store = clocked(tmp_path, 1.5, (0, 1800), (60, 1200))
    assert by_mhz(store).keys() == {1800}
    assert "frequency_drop" not in {one.rule.name for one in found(store)}


def test_of_several_dies_the_slowest_counts(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    for number in range(10):
        run.kernel("MatMulV3", 1.5 if number >= 7 else 1, ts=(10 + 2 * number) * MS)
    run.counter("AI Core Freq Die 0", "MHz", (0, 1800), (40, 1700))
    run.counter("AI Core Freq Die 1", "MHz", (0, 1800), (23.5, 1200))
    run.counter("AI Core Frequency", "MHz", (0, 100))
    rows = by_mhz(run.build())
    assert {mhz: row.count_ for mhz, row in rows.items()} == {1200: 3, 1800: 7}
    assert (rows[1200].slower, rows[1200].samples) == (3, 4)


@pytest.mark.parametrize(
    ("name", "told"), [("AI Core Freq", True), ("AI Core Freq Die 1", True), ("HBM", False)]
)
def test_a_frequency_without_a_counter_is_said_to_be_unknown(
    name: str, told: bool, tmp_path: Path
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("MatMulV3", 1)
    run.counter(name, "MHz", (0, 1800))
    assert ("frequency" in {row.name for row in ask(run.build(), "untold")}) is not told


def test_without_the_counter_it_cannot_be_told(tmp_path: Path) -> None:
    row = by_mhz(clocked(tmp_path, 1.5))[None]
    assert (row.low, row.samples, row.count_, row.slower, row.slower_ns) == (
        None,
        0,
        10,
        None,
        None,
    )


def test_a_run_at_another_frequency_is_its_own_usual_one(tmp_path: Path) -> None:
    store = clocked(tmp_path, 1.5, (0, 800))
    row = by_mhz(store)[800]
    assert (row.usual_mhz, row.low) == (800, False)
