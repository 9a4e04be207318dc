"""Questions about made-up jobs are answered by what was made up, and findings name it."""

from collections import Counter

import pytest
from concluded import MS, US, Conclude
from finding_build import found, named
from store_build import ask

TOLD = {
    "host_bound": {(0, "host_sync")},
    "pipelined": {(0, "peer_wait")},
    "late_rank": {(0, "peer_wait"), (1, "peer_wait"), (2, "host_sync"), (3, "peer_wait")},
    "late_rank_missing": {(0, "peer_wait"), (1, "peer_wait"), (3, "peer_wait")},
    "dataloader": {(0, "dataloader")},
    "gc_pause": {(0, "gc")},
    "staging": {(0, "copy_staging")},
    "ping_pong": {(0, "ping_pong")},
    "exposed_communication": {(0, "exposed_collective")},
    "aclop": {(0, "aclop_path")},
    "event_chain": {(0, "exposed_copy")},
    "graph_replay": {(0, "graph_launch"), (0, "iteration_gap")},
    "server": {(0, "iteration_gap"), (0, "slow_iterations"), (0, "unfused")},
    "server_unmarked": {(0, "iteration_gap"), (0, "slow_iterations"), (0, "unfused")},
    "profiler_spacing": {(0, "profiler_spacing")},
    "small_blocks": {(0, "small_blocks")},
    "transposes": {(0, "memory_bound"), (0, "unfused")},
    "unfused_attention": {(0, "unfused_attention"), (0, "unfused"), (0, "memory_bound")},
    "no_flows": {(0, "host_sync")},
    "explosion": {(0, "explosion")},
    "spread": {(0, "spread")},
    "aicpu": {(0, "aicpu")},
    "leak": {(0, "memory_growth")},
    "alloc_stall": {(0, "alloc")},
}
"""By scenario, the rules that must find something, and on which rank."""


FAULTS = {rule for told in TOLD.values() for _, rule in told}
BACKGROUND = {"exposed_copy", "exposed_collective", "host_sync", "peer_wait"}
"""What a job may lose some time to beside its fault."""


@pytest.mark.parametrize("name", list(TOLD))
def test_findings_name_what_a_scenario_loses_time_to_and_no_other_fault(
    name: str, conclude: Conclude
) -> None:
    findings = [one for one in found(conclude(name).store) if one.status == "found"]
    assert {(one.rank, one.rule.name) for one in findings} >= TOLD[name]
    own = {rule for _, rule in TOLD[name]}
    assert {one.rule.name for one in findings} & FAULTS <= own | BACKGROUND


def test_a_compile_is_found_where_its_step_is_asked_for(conclude: Conclude) -> None:
    job = conclude("compile")
    [one] = [one for one in found(job.store, step=12) if one.rule.name == "compile"]
    assert one.ns == job.truth.of(0, "idle", "compile").total
    assert "compile" not in {one.rule.name for one in found(job.store)}


def test_steps_with_twice_the_calls_are_told_apart(conclude: Conclude) -> None:
    job = conclude("explosion")
    told = Counter[int]()
    for extra in job.truth.extras[0]:
        told[extra.step] += len(extra.tasks)
    usual = min(told.values())
    rows = [row for row in ask(job.store, "operator_explosion") if row.type == "Mul"]
    assert {(row.step, row.count_, row.median_count) for row in rows} == {
        (step, count, usual) for step, count in told.items() if count == 2 * usual
    }
    one = named(found(job.store), "explosion")
    assert (one.values["type"], one.values["count"]) == ("Mul", 2 * usual)
    assert (one.values["median_count"], one.values["step_count"]) == (usual, len(rows))
    periods = {one.step: one.end - one.start for one in job.truth.periods[0]}
    median = sorted(periods.values())[(len(periods) - 1) // 2]
    assert one.ns == sum(max(0, periods[row.step] - median) for row in rows)
    assert one.step in {row.step for row in rows}


def test_calls_of_one_shape_that_differ_are_found_with_the_conversion_before_them(
    conclude: Conclude,
) -> None:
    job = conclude("spread")
    kernels = [task for extra in job.truth.extras[0] for task in extra.tasks]
    durs = [task.dur for task in kernels if task.kernel and task.kernel.type == "Mul"]
    slow = [dur for dur in durs if dur >= 5 * min(durs)]
    [row] = ask(job.store, "operator_spread", type="Mul")
    assert (row.count_, row.explained, row.shape_groups) == (len(durs), False, 1)
    assert (row.slow, row.fast) == (len(slow), len(durs) - len(slow))
    assert row.excess_ns == sum(slow) - len(slow) * min(durs)
    assert (row.conversion, row.converted, row.fast_converted) == ("TransData", len(slow), 0)
    one = named(found(job.store), "spread")
    assert (one.ns, one.values["slow_count"]) == (row.excess_ns, len(slow))
    assert (one.values["type"], one.values["conversion"]) == ("Mul", "TransData")
    longest = max(kernels, key=lambda task: task.dur)
    assert (one.ts, one.dur) == (longest.ts, longest.dur)


def test_a_spread_that_shapes_explain_is_no_finding(conclude: Conclude) -> None:
    job = conclude("spread_by_shape")
    rows = {row.type: row for row in ask(job.store, "operator_spread")}
    assert (rows["Mul"].explained, rows["Mul"].shape_groups, rows["Mul"].slow) == (True, 2, 0)
    assert rows["Mul"].spread > 9
    assert rows["Mul"].group_spread < 2
    assert rows["MatMulV3"].explained
    assert "spread" not in {one.rule.name for one in found(job.store)}


def test_an_ai_cpu_holds_the_cores_up_as_long_as_made_up(conclude: Conclude) -> None:
    job = conclude("aicpu")
    tasks = [task for extra in job.truth.extras[0] for task in extra.tasks]
    row = ask(job.store, "aicpu_operators")[0]
    assert (row.type, row.input_dtypes, row.count_) == ("Unique2", "INT64", len(tasks))
    assert row.total == row.alone_ns == sum(task.dur for task in tasks)
    assert row.caller == "aclnnUnique2"
    rows = ask(job.store, "aicpu_operators")
    one = named(found(job.store), "aicpu")
    assert one.ns == sum(other.alone_ns for other in rows)
    assert "Unique2 (INT64)" in str(one.values["names"])


def test_a_healthy_job_is_fine(conclude: Conclude) -> None:
    findings = found(conclude("healthy").store)
    assert [(one.rule.name, one.status) for one in findings] == [("nothing", "fine")]


def test_bytes_that_come_back_are_found(conclude: Conclude) -> None:
    job = conclude("ping_pong")
    rows = sorted(ask(job.store, "ping_pong"), key=lambda row: row.ts)
    told = [
        (trip.out.ts, trip.out.dur, trip.back.ts, trip.back.dur, trip.out.size)
        for trip in job.truth.trips[0]
    ]
    assert [(row.ts, row.dur, row.back_ts, row.back_dur, row.bytes) for row in rows] == told


def test_staging_is_as_long_as_made_up(conclude: Conclude) -> None:
    job = conclude("staging")
    rows = [row for row in ask(job.store, "copies") if row.direction == "H2D"]
    staged = job.truth.of(0, "idle", "copy_staging")
    assert len(rows) == len(job.truth.periods[0])
    for row, period in zip(rows, job.truth.periods[0], strict=True):
        assert row.blocking == 1
        assert abs(row.staging_ns - staged.within(period)) < 20 * US


def test_a_wait_is_followed_to_its_root_two_streams_away(conclude: Conclude) -> None:
    job = conclude("event_chain")
    rows = {row.ts: row for row in ask(job.store, "wait_roots") if row.stream_id == 2}
    for wait, root, depth in job.truth.chains[0]:
        row = rows[wait.ts]
        assert (row.depth, row.root_name, row.root_ts) == (depth, root.name, root.ts)


def test_collectives_that_nothing_covers_are_as_long_as_made_up(conclude: Conclude) -> None:
    job = conclude("exposed_communication")
    rows = {row.name: row for row in ask(job.store, "exposed_collectives")}
    assert len(rows) == len(job.truth.exposed)
    for one in job.truth.exposed:
        assert rows[one.collective].exposed_transfer_ns == one.exposed
        # Compute that the collective itself depends on is counted too: a bound from above.
        assert rows[one.collective].could_cover_ns >= one.coverable


def test_the_late_rank_is_on_top(conclude: Conclude) -> None:
    for name in ("late_rank", "late_rank_missing"):
        job = conclude(name)
        latest = ask(job.store, "late_ranks")[0]
        assert (latest.peer, latest.collected) == (2, 2 in job.ranks)
        late: Counter[str] = Counter()
        for one in job.truth.arrivals:
            if one.peer == 2:
                late[one.collective] = max(late[one.collective], one.late)
        assert abs(latest.late_ns - late.total()) < 100 * US


def test_clocks_of_ranks_agree(conclude: Conclude) -> None:
    rows = ask(conclude("late_rank").store, "rank_clocks")
    assert [row.rank for row in rows] == [1, 2, 3]
    for row in rows:
        assert abs(row.ahead_ns) < 20 * US


def test_only_the_profiler_that_reads_caches_spaces_kernels(conclude: Conclude) -> None:
    job = conclude("profiler_spacing")
    spacing = {row.before: row for row in ask(job.store, "kernel_spacing")}["AI Core"]
    assert spacing.profiler
    assert 88_000 <= spacing.min < spacing.max < 116_000
    told = job.truth.of(0, "idle", "profiler").total
    assert abs(spacing.total - told) * 20 < told
    assert not any(row.profiler for row in ask(conclude("healthy").store, "kernel_spacing"))


def test_a_first_step_that_compiles_is_warm_up(conclude: Conclude) -> None:
    steps = conclude("compile").ask("SELECT step, warmup FROM step ORDER BY step")
    assert steps == [(12, True), (13, False), (14, False), (15, False)]
    warm = conclude("aclop").ask("SELECT count(*) FROM step WHERE warmup")
    assert warm == [(0,)]
    assert 47 * MS < conclude("compile").truth.of(0, "idle", "compile").total < 48 * MS
