"""What stands out in whole profiles: made-up ones with a known story, and real ones."""

from pathlib import Path

import pytest
from concluded import Conclude
from conftest import Ingest
from finding_build import found, named

from npuview.ingest.sample import SCENARIOS
from npuview.queries.findings import Finding, find, symptoms
from npuview.queries.rules import shipped_rules
from npuview.queries.session import Session


def of(findings: list[Finding], name: str, rank: int) -> list[Finding]:
    return [one for one in findings if one.rule.name == name and one.rank == rank]


def test_idle_findings_of_a_sample_are_the_idle_time_of_its_tables(
    conclude: Conclude,
) -> None:
    job = conclude("host_bound")
    findings = found(job.store)
    [(idle,)] = job.ask(
        "SELECT sum(l.dur)::BIGINT FROM ledger AS l JOIN step AS s USING (step)"
        " WHERE l.state = 'idle' AND s.warmup IS NOT TRUE"
    )
    late = named(findings, "host_bound")
    assert late.values["idle_ns"] == idle
    parts = [late.values[name] for name in ("framework_ns", "launch_ns", "edges_ns")]
    assert sum(part for part in parts if isinstance(part, int)) == late.ns
    for one in findings:
        assert one.ns is None or one.ns <= (one.period or 0)


def test_the_host_bound_run_says_so_first_and_that_its_calls_block(
    conclude: Conclude,
) -> None:
    findings = found(conclude("host_bound").store)
    idle = [one for one in findings if one.rule.question == "idle" and one.status == "found"]
    assert [one.rule.name for one in idle[:2]] == ["host_bound", "host_sync"]
    assert idle[0].severity == "high"
    sync, late = idle[1].ns, idle[0].ns
    assert sync is not None
    assert late is not None
    assert sync >= 0.9 * late
    verdicts = {row.symptom: row.verdict for row in symptoms(findings, shipped_rules())}
    assert verdicts["starved"] == "fail"


def test_the_pipelined_run_is_not_idle(conclude: Conclude) -> None:
    findings = found(conclude("pipelined").store)
    assert not [one for one in findings if one.rule.question == "idle"]
    verdicts = {row.symptom: row.verdict for row in symptoms(findings, shipped_rules())}
    assert verdicts["starved"] == "pass"


@pytest.mark.parametrize(
    ("scenario", "rule", "rank", "lost"),
    [
        ("late_rank", "peer_wait", 0, ("waiting_peer", "rank 2")),
        ("late_rank", "host_sync", 2, ("idle", "host_sync")),
        ("late_rank_missing", "peer_wait", 3, ("waiting_peer", "rank 2")),
        ("dataloader", "dataloader", 0, ("idle", "dataloader")),
        ("gc_pause", "gc", 0, ("idle", "gc")),
        ("staging", "copy_staging", 0, ("idle", "copy_staging")),
        ("ping_pong", "ping_pong", 0, None),
        ("exposed_communication", "exposed_collective", 0, None),
        ("compile", "warm_up", 0, None),
        ("aclop", "aclop_path", 0, None),
        ("event_chain", "exposed_copy", 0, None),
        ("graph_replay", "graph_launch", 0, None),
        ("profiler_spacing", "profiler_spacing", 0, ("idle", "profiler")),
        ("no_flows", "host_sync", 0, ("idle", "host_sync")),
        ("healthy", "nothing", 0, None),
    ],
)
def test_the_story_of_each_made_up_job_is_found(
    scenario: str,
    rule: str,
    rank: int,
    lost: tuple[str, str] | None,
    conclude: Conclude,
) -> None:
    with Session(conclude(scenario).store) as session:
        findings = find(session, shipped_rules())
    [one] = [each for each in of(findings, rule, rank) if each.variant != "several"]
    if lost is not None:
        truth = SCENARIOS[scenario].truth()
        spent = sum(
            each.within(period)
            for each in truth.lost
            if (each.rank, each.state, each.cause) == (rank, *lost)
            for period in truth.periods[rank]
        )
        assert spent
        # What is concluded without arrows misses more.
        assert one.ns == pytest.approx(spent, rel=0.1 if one.inferred else 0.05)
    match scenario:
        case "late_rank":
            assert rule == "host_sync" or (one.variant, one.values["peer"]) == ("here", 2)
        case "late_rank_missing":
            assert (one.variant, one.values["peer"]) == ("absent", 2)
        case "compile":
            assert one.variant == "compiling"
            assert not of(findings, "compile", rank)
        case "aclop":
            assert one.values["compiled_ns"] == 0
            # The queue is so long that most calls run after the marker of their step.
            calls = one.values["calls_ns"]
            assert isinstance(calls, int)
            assert one.ns is not None
            assert calls >= one.ns
            assert not of(findings, "compile", rank)
        case "event_chain":
            # The compute stream waits for it by way of another stream.
            depth = one.values["depth"]
            assert isinstance(depth, int)
            assert depth >= 2
        case "healthy":
            assert not [other for other in findings if other.status == "found"]
        case _:
            pass


def test_a_late_rank_that_is_left_out_of_the_question_is_not_said_to_be_missing(
    conclude: Conclude,
) -> None:
    for story, variant in (("late_rank", "here"), ("late_rank_missing", "absent")):
        with Session(conclude(story).store, ranks=[0]) as session:
            waits = of(find(session, shipped_rules()), "peer_wait", 0)
        assert {one.variant for one in waits if one.values["peer"] == 2} == {variant}


@pytest.mark.shared
def test_a_real_step_waits_for_a_rank_that_is_not_here_its_host_is_late_and_no_more(
    shared_data: Path, real: Ingest
) -> None:
    with Session(real(shared_data / "torch_npu" / "level1").store) as session:
        findings = find(session, shipped_rules())
    for rank, waiting, exposed, between, launching in (
        (0, 97_951_286, 93_566_857, 18_934_000, 5_753_000),
        (1, 92_333_637, 92_280_177, None, None),
    ):
        waits = of(findings, "peer_wait", rank)
        assert sum(one.ns or 0 for one in waits) == pytest.approx(waiting, rel=0.001)
        first = findings[[one.rank for one in findings].index(rank)]
        assert first is waits[0]
        assert (first.values["peer"], first.variant) == (5, "absent")
        assert first.ns == pytest.approx(exposed, rel=0.001)
        bound = first.values["bound_ns"]
        assert isinstance(bound, int)
        if rank == 0:
            # The host launches until 62.4 ms, and what it launched last has to end.
            assert 62_400_000 < bound < 66_000_000
        [late] = of(findings, "host_bound", rank)
        assert late.variant == "provisional"
        if between is not None:
            assert late.values["framework_ns"] == pytest.approx(between, rel=0.05)
            assert late.values["launch_ns"] == pytest.approx(launching, rel=0.05)
        [spacing] = of(findings, "profiler_spacing", rank)
        assert spacing.inferred
        [little] = of(findings, "little_computing", rank)
        assert little.share is not None
        assert little.share < 0.06
