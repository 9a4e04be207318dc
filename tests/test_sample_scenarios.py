"""The made-up scenarios open without loss, and their truths are sums of their records."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from npuview.ingest.sample import SCENARIOS, write_sample
from npuview.ingest.sample.model import KERNELS
from npuview.ingest.sample.overlap import Interval
from npuview.ingest.sample.record import Run, Task
from npuview.ingest.sample.trace import NO_CONNECTION
from npuview.ingest.sample.truth import Truth, truth_of

MS = 1_000_000
COLLECTED = {"late_rank": 4, "late_rank_missing": 3}
"""Ranks of the scenarios that are more than one."""

CAUSES = {
    "host_bound": {"host_sync"},
    "pipelined": {"host_sync"},
    "late_rank": {"host_sync"},
    "late_rank_missing": set[str](),
    "dataloader": {"dataloader"},
    "gc_pause": {"gc"},
    "staging": {"copy_staging", "host_sync"},
    "ping_pong": {"host_sync"},
    "exposed_communication": set[str](),
    "compile": {"compile", "host_launch", "host_sync"},
    "aclop": {"host_launch"},
    "event_chain": {"host_sync"},
    "graph_replay": {"graph_inner", "graph_launch", "host_framework"},
    "server": {"host_sync", "no_work"},
    "server_unmarked": {"host_sync", "no_work"},
    "profiler_spacing": {"host_sync", "profiler"},
    "no_flows": {"host_sync"},
    "transposes": {"host_sync"},
    "transposes_fused": {"host_sync"},
    "fused_slower": {"host_sync"},
    "unfused_attention": set[str](),
    "small_blocks": set[str](),
    "explosion": set[str](),
    "spread": set[str](),
    "spread_by_shape": set[str](),
    "aicpu": set[str](),
    "leak": set[str](),
    "alloc_stall": {"alloc"},
    "large_buffer": set[str](),
    "healthy": set[str](),
}
"""Why devices have nothing to do, beside what is nobody's fault."""


@pytest.fixture(scope="module", params=list(SCENARIOS))
def name(request: pytest.FixtureRequest) -> str:
    known: str = request.param
    return known


@pytest.fixture(scope="module")
def runs(name: str) -> tuple[Run, ...]:
    return SCENARIOS[name].runs()


@pytest.fixture(scope="module")
def truth(runs: tuple[Run, ...]) -> Truth:
    return truth_of(runs)


def test_the_same_scenario_gives_the_same_small_files(name: str, tmp_path: Path) -> None:
    one, other = (_files(write_sample(tmp_path / part, name)) for part in ("one", "other"))
    assert one == other
    ranks = COLLECTED.get(name, 1)
    assert sum(path.endswith("trace_view.json") for path in one) == ranks
    assert sum(map(len, one.values())) < ranks * 3_000_000


def test_the_truth_is_a_sweep_over_the_records(runs: tuple[Run, ...], truth: Truth) -> None:
    for run in runs:
        swept = _swept(run, [period[1:] for period in truth.periods[run.rank]])
        for place, period in enumerate(truth.periods[run.rank]):
            sums: Counter[str] = Counter()
            for lost in truth.lost:
                if lost.rank == run.rank:
                    sums[lost.state] += lost.within(period)
            sums["computing"] = swept[place]["computing"]
            assert +sums == +swept[place]
            assert sums.total() == period.end - period.start


def test_every_scenario_has_the_causes_that_it_tells_and_no_others(name: str, truth: Truth) -> None:
    found = {
        lost.cause
        for lost in truth.lost
        if lost.state in {"idle", "waiting_event"} and lost.total > 100_000
    }
    assert found - {None} == CAUSES[name]


def test_peers_come_when_their_own_profiles_say() -> None:
    runs = SCENARIOS["late_rank"].runs()
    starts = {
        (run.rank, place): whole.ts for run in runs for place, whole in enumerate(run.collectives)
    }
    for run in runs:
        assert len(run.collectives) == 9
        for place, whole in enumerate(run.collectives):
            for peer, late in whole.late.items():
                assert whole.ts + late == starts[peer, place]
            ends = [other.collectives[place].end for other in runs]
            assert max(ends) - min(ends) < 20_000


def test_rank_2_is_late_by_what_its_hook_takes() -> None:
    truth = SCENARIOS["late_rank"].truth()
    for period in truth.periods[2]:
        hook = truth.of(2, "idle", "host_sync").within(period)
        assert 25 * MS < hook < 25.4 * MS
    for rank in (0, 1, 3):
        for period in truth.periods[rank]:
            waited = truth.of(rank, "waiting_peer", "rank 2").within(period)
            assert 22.5 * MS < waited < 25.4 * MS
    late = Counter(
        (arrival.peer, arrival.late > 20 * MS) for arrival in truth.arrivals if arrival.rank != 2
    )
    # The hook runs in the backward pass of the block whose gradients are the second bucket.
    assert late[2, True] == 3 * 3
    assert not any(late[peer, True] for peer in (0, 1, 3))


def test_a_rank_that_was_not_collected_is_waited_for_all_the_same() -> None:
    with_it, without = SCENARIOS["late_rank"].truth(), SCENARIOS["late_rank_missing"].truth()
    assert set(without.periods) == {0, 1, 3}
    assert [one for one in with_it.lost if one.rank != 2] == list(without.lost)
    assert [one for one in with_it.arrivals if one.rank != 2] == list(without.arrivals)


@pytest.mark.parametrize(
    ("scenario", "state", "cause", "least", "most"),
    [
        ("host_bound", "idle", "host_sync", 43.9, 44.8),
        ("dataloader", "idle", "dataloader", 41.1, 70.1),
        ("gc_pause", "idle", "gc", 31.2, 58),
        ("staging", "idle", "copy_staging", 5.2, 5.3),
        ("ping_pong", "copying", None, 3.7, 3.8),
        ("exposed_communication", "transferring", None, 13.4, 13.5),
        ("aclop", "idle", "host_launch", 41.9, 43.5),
        ("event_chain", "copying", None, 24.7, 24.9),
    ],
)
def test_a_scenario_loses_in_every_step(
    scenario: str, state: str, cause: str | None, least: float, most: float
) -> None:
    truth = SCENARIOS[scenario].truth()
    lost = truth.of(0, state, cause)
    for period in truth.periods[0]:
        assert least * MS < lost.within(period) < most * MS


def test_compute_could_cover_what_a_blocking_job_exposes() -> None:
    truth = SCENARIOS["exposed_communication"].truth()
    assert len(truth.exposed) == 12
    assert sum(one.exposed for one in truth.exposed) == truth.of(0, "transferring", None).total
    for place, one in enumerate(truth.exposed):
        # Behind the first bucket runs a block, behind the second only the embedding.
        if place % 3 == 0:
            assert one.coverable == one.exposed > 6 * MS
        elif place % 3 == 1:
            assert 2 * MS < one.coverable < 3 * MS < one.exposed
        else:
            assert one.coverable == 0 < one.exposed


def test_only_the_first_step_compiles() -> None:
    truth = SCENARIOS["compile"].truth()
    compiled = truth.of(0, "idle", "compile")
    assert [round(compiled.within(period) / MS, 1) for period in truth.periods[0]] == [
        47.5,
        0,
        0,
        0,
    ]


def test_aclop_compiles_nothing_although_every_call_is_named_so() -> None:
    (run,) = SCENARIOS["aclop"].runs()
    calls = [call for call in run.calls if call.name == "AscendCL@aclopCompileAndExecute"]
    inner = [call for call in run.calls if call.name == "AscendCL@opCompile"]
    assert len(calls) == len(inner) > 200
    assert max(call.dur for call in inner) < 30_000
    assert min(call.dur for call in calls) > MS


def test_a_wait_is_held_up_by_a_stream_two_waits_away() -> None:
    (run,) = SCENARIOS["event_chain"].runs()
    assert len(run.chains) == 4
    for wait, root, depth in run.chains:
        assert depth == 2
        assert (wait.name, root.name) == ("EVENT_WAIT", "MEMCPY_ASYNC")
        assert len({wait.stream, root.stream, 5}) == 3
        between = [task for task in run.tasks if task.stream == 5 and root.ts < task.end]
        held, unpacked = between[0], between[1]
        assert held.name == "EVENT_WAIT"
        assert 0 < held.end - root.end < 10_000
        assert 0 < wait.end - unpacked.end < 10_000


def test_bytes_go_to_the_host_and_back_within_ten_ms() -> None:
    (run,) = SCENARIOS["ping_pong"].runs()
    assert len(run.trips) == 4
    for out, back in run.trips:
        assert out.size == back.size
        assert (out.direction, back.direction) == ("device to host", "host to device")
        assert 0 < back.ts - out.end < 10 * MS


def test_all_tasks_of_a_replay_share_its_call() -> None:
    (run,) = SCENARIOS["graph_replay"].runs()
    calls = [call for call in run.calls if call.name == "AscendCL@aclmdlRIExecuteAsync"]
    assert len(calls) == 24
    for call in calls:
        launched = [task for task in run.kernels if task.connection_id == call.connection_id]
        assert len(launched) == 44
        assert {task.model for task in launched} == {46}
        assert min(task.ts for task in launched) > call.ts
    truth = truth_of([run])
    assert truth.of(0, "idle", "graph_launch").total > truth.of(0, "idle", "host_framework").total
    assert truth.of(0, "waiting_event", "graph_inner").total > MS


def test_what_runs_besides_the_model_is_in_the_steps_that_call_it() -> None:
    extras = SCENARIOS["explosion"].truth().extras[0]
    assert [(one.step, len(one.tasks)) for one in extras] == [
        *((12, 36), (12, 36), (13, 36), (14, 36), (14, 36), (15, 36))
    ]
    for name, shapes in (("spread", 1), ("spread_by_shape", 2)):
        for extra in SCENARIOS[name].truth().extras[0]:
            durs: dict[str, int] = {}
            for task in extra.tasks:
                if task.kernel and task.kernel.type == "Mul":
                    durs[task.kernel.inputs[0]] = task.dur
            assert len(durs) == shapes
            conversion, slow = extra.tasks[-2:]
            assert conversion.kernel == KERNELS["packg"]
            assert slow.dur > 9 * extra.tasks[0].dur


def test_kernels_that_queue_are_held_about_95_us_apart() -> None:
    (run,) = SCENARIOS["profiler_spacing"].runs()
    truth = truth_of([run])
    spans = truth.of(0, "idle", "profiler").spans + truth.of(0, "waiting_event", "profiler").spans
    assert len(spans) > 200
    kernels = [task for task in run.kernels if task.stream == 2]
    gaps = [after.ts - before.end for before, after in pairwise(kernels)]
    assert sum(88_000 <= gap < 116_000 for gap in gaps) > 200
    assert not any(gap < 88_000 for gap in gaps)


def test_nothing_costs_a_healthy_job_one_percent() -> None:
    truth = SCENARIOS["healthy"].truth()
    for period in truth.periods[0]:
        for lost in truth.lost:
            assert lost.within(period) * 100 < period.end - period.start


def test_transposes_take_30_percent_of_kernel_time_and_12_when_fused() -> None:
    for name, share in (("transposes", 0.30), ("transposes_fused", 0.12)):
        (run,) = SCENARIOS[name].runs()
        moved = sum(task.dur for task in _varied(run, "Transpose", "Cast", "TransposeCast"))
        assert moved / sum(task.dur for task in run.kernels) == pytest.approx(share, abs=0.001)


def test_a_step_is_12_percent_shorter_when_transposes_are_fused() -> None:
    before, after = (
        SCENARIOS[name].truth().periods[0][0] for name in ("transposes", "transposes_fused")
    )
    assert (after.end - after.start) * 100 == (before.end - before.start) * 88


def test_a_fused_kernel_that_is_slower_takes_15_percent_longer_than_its_parts() -> None:
    (parts,), (whole,) = (SCENARIOS[name].runs() for name in ("transposes", "fused_slower"))
    one = sum(task.dur for task in _varied(parts, "Transpose", "Cast"))
    other = sum(task.dur for task in _varied(whole, "TransposeCast"))
    assert other / one == pytest.approx(1.15, abs=0.005)


def test_unfused_attention_runs_in_pieces_that_are_tight_together() -> None:
    (run,) = SCENARIOS["unfused_attention"].runs()
    assert len(run.varied) == 2 * 4
    for call in run.varied:
        types = [task.kernel.type for task in call.tasks if task.kernel is not None]
        pieces = ["BatchMatMulV3", "Muls", "SoftmaxV2", "BatchMatMulV3"]
        assert types == ["Transpose", "Cast", *pieces]
        for before, task in pairwise(call.tasks):
            assert 0 < task.ts - before.end < 50_000


def test_few_blocks_leave_most_cores_without_work() -> None:
    (run,) = SCENARIOS["small_blocks"].runs()
    kernels = [task.kernel for task in _varied(run, "Gelu") if task.kernel is not None]
    assert len(kernels) == 2 * 4
    assert {kernel.blocks for kernel in kernels} == {8}


def test_nothing_links_the_tasks_of_a_profile_without_flows(tmp_path: Path) -> None:
    profile = write_sample(tmp_path, "no_flows")
    events = json.loads((profile / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_bytes())
    assert not [event for event in events if event["ph"] in {"s", "f"}]
    connections = {event.get("args", {}).get("connection_id") for event in events}
    assert connections == {None, NO_CONNECTION}


def test_collections_of_garbage_lie_on_a_lane_of_their_own(tmp_path: Path) -> None:
    profile = write_sample(tmp_path, "gc_pause")
    events = json.loads((profile / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").read_bytes())
    pids = {e["args"]["name"]: e["pid"] for e in events if e["name"] == "process_name"}
    found = [event for event in events if event.get("cat") == "GC"]
    assert [(event["name"], event["pid"], event["dur"]) for event in found] == [
        ("GC", pids["Python GC"], 60_000)
    ] * 4
    info = json.loads((profile / "profiler_info_0.json").read_bytes())
    assert info["config"]["experimental_config"]["_gc_detect_threshold"] == 1.0


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _varied(run: Run, *types: str) -> list[Task]:
    """Return the kernels of these types that run instead of others."""
    tasks = (task for call in run.varied for task in call.tasks)
    return [task for task in tasks if task.kernel is not None and task.kernel.type in types]


def _swept(run: Run, periods: list[Interval]) -> list[Counter[str]]:
    """Count, at every ns of each period, the first state of which something is open."""
    edges: list[tuple[int, str, int]] = []

    def add(state: str, spans: Iterable[Interval]) -> None:
        for start, end in spans:
            edges.extend(((start, state, 1), (end, state, -1)))

    add("computing", ((task.ts, task.end) for task in run.kernels))
    planes = [task for whole in run.collectives for task in whole.tasks]
    moving = {"Memcpy", "Reduce_Inline"}
    add("transferring", ((task.ts, task.end) for task in planes if task.kind in moving))
    add("copying", ((task.ts, task.end) for task in run.tasks if task.name == "MEMCPY_ASYNC"))
    for whole in run.collectives:
        last = max((0, *whole.late.values()))
        add("waiting_peer", [(whole.ts, whole.ts + last)])
        add("collective_other", [(whole.ts, whole.end)])
    waits = [task for task in run.tasks if task.name == "EVENT_WAIT" and task.stream != 4]
    add("waiting_event", ((task.ts, task.end) for task in waits))
    edges += ((at, "", 0) for period in periods for at in period)
    edges.sort()
    states = ("computing", "transferring", "copying", "waiting_peer", "collective_other")
    open_: Counter[str] = Counter()
    found = [Counter[str]() for _ in periods]
    for (at, state, change), (until, _, _) in pairwise(edges):
        open_[state] += change
        now = next((one for one in (*states, "waiting_event") if open_[one]), "idle")
        for period, sums in zip(periods, found, strict=True):
            if period[0] <= at < period[1]:
                sums[now] += until - at
    return found
