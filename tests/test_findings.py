"""What stands out: each rule on a run in which its truth is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from finding_build import COMPLETE, MS, PYTHON, STEP_MS, RunBuilder, found, named
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import identifier

from npuview.queries.findings import FIXED, Finding, find, rule_queries, symptoms, takes
from npuview.queries.rules import LEAST_SHARE, load_rules, shipped_rules
from npuview.queries.session import Session

BY_CAUSE = {
    "host_sync": "host_sync",
    "dataloader": "dataloader",
    "gc": "gc",
    "compile": "compile",
    "alloc": "alloc",
    "copy_staging": "copy_staging",
    "profiler": "profiler_spacing",
    "device_queue": "device_queue",
    "graph_launch": "graph_launch",
    "graph_inner": "graph_inner",
    "no_record": "no_record",
    "unknown": "unknown_idle",
}


def names(findings: list[Finding], status: str = "found") -> list[str]:
    return [one.rule.name for one in findings if one.status == status]


def test_a_run_that_only_computes_has_the_result_that_nothing_stands_out(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("MatMul", 5)
    findings = found(run.build())
    assert names(findings) == []
    assert [(one.rule.name, one.status, one.ns) for one in findings if one.ns is not None] == [
        ("nothing", "fine", 0)
    ]


@pytest.mark.parametrize("cause", BY_CAUSE)
def test_idle_time_of_a_cause_is_a_finding_with_evidence_scope_and_denominator(
    cause: str, tmp_path: Path
) -> None:
    run = RunBuilder(tmp_path).rank(3, steps=2)
    run.stall(cause, 2, step=1).stall(cause, 4, step=2, inferred=True)
    one = named(found(run.build()), BY_CAUSE[cause])
    assert (one.ns, one.period, one.steps) == (6 * MS, 200 * MS, 2)
    assert (one.ns_per_step, one.share) == (3 * MS, 0.03)
    assert (one.rank, one.device_id, one.step, one.dur) == (3, 3, 2, 4 * MS)
    # Its rows are those of all its steps.
    assert "step" not in one.preset_params
    assert one.preset_params["rank"] == 3
    assert one.ts == STEP_MS * MS
    assert one.severity == (None if one.missing else "medium")
    assert one.inferred
    assert len(one.evidence) == 2
    assert one.values["count"] == 2
    assert one.values["evidence_name"] == f"{cause} call"
    assert one.values["own_ns"] == 4 * MS


def test_what_nothing_explains_is_counted_as_what_cannot_be_told(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(switches={"_gc_detect_threshold": None})
    run.stall("no_record", 4).stall("unknown", 3, evidence_slice_id=None)
    findings = found(run.build())
    assert names(findings) == []
    told = {one.rule.name: (one.status, one.ns, one.missing) for one in findings if one.ns}
    assert told == {
        "gc": ("unknown", 4 * MS, "gc"),
        "no_record": ("unknown", 4 * MS, "threads"),
        "unknown_idle": ("unknown", 3 * MS, "launches"),
    }


def test_garbage_collection_is_not_suspected_where_it_was_recorded(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(switches=COMPLETE).stall("no_record", 4)
    assert "gc" not in [one.rule.name for one in found(run.build())]


def test_a_finding_needs_a_hundredth_of_the_step(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank().stall("dataloader", 0.999).stall("gc", 1)
    assert names(found(run.build())) == ["gc"]


def test_the_rank_that_all_wait_for_comes_first_and_is_said_not_to_be_here(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank(0)
    run.stall("rank 5", 60, state="waiting_peer", place=None, peer=5)
    run.stall("several ranks", 4, state="waiting_peer", place=None)
    run.stall("dataloader", 8)
    run.collective("allReduce", 70, late={1: 4, 5: 60})
    run.collective("allGather", 2, late={1: 1, 5: 0})
    kernel = run.kernel("Add", 1)
    run.launch(kernel, at_ms=50)
    first, *others = found(run.build())
    assert (first.rule.id, first.variant, first.severity) == ("W11", "absent", "high")
    assert first.ns == 60 * MS
    assert first.values["peer"] == 5
    assert (first.values["collectives"], first.values["times_last"]) == (2, 1)
    # The host launched until 50 ms, and that kernel takes 1 more; 40 would be left else.
    assert first.values["bound_ns"] == 51 * MS
    assert [one.variant for one in others if one.rule.name == "peer_wait"] == ["several"]


def test_a_late_rank_that_is_here_is_said_to_be(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path)
    run.rank(0).stall("rank 1", 30, state="waiting_peer", place=None, peer=1)
    run.collective("allReduce", 30, late={1: 30})
    run.rank(1).stall("host_framework", 30, stage="framework")
    findings = found(run.build())
    wait = named(findings, "peer_wait")
    assert (wait.rank, wait.variant) == (0, "here")
    assert [one.rank for one in findings if one.rule.name == "host_bound" and one.ns] == [1]


def test_a_call_that_held_the_host_until_the_peer_came_does_not_hold_the_bound_up(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank(0)
    run.stall("rank 5", 60, state="waiting_peer", place=None, peer=5)
    run.slice("AscendCL@aclrtSynchronizeStream", ms=70, ts=0)
    run.launch(run.kernel("Add", 1), at_ms=90)
    # Of the 90 ms the call waited 60 for the peer, so launching takes 30.
    assert named(found(run.build()), "peer_wait").values["bound_ns"] == 40 * MS


def test_a_late_host_is_split_by_its_two_stages(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(switches={"with_stack": True, "_gc_detect_threshold": 1})
    line = run.slice("model.py(7): forward", ms=9, track=PYTHON)
    run.stall("host_framework", 9, stage="framework", line_slice_id=line)
    run.stall("host_launch", 6, stage="launch")
    run.stall("dataloader", 5, stage="framework", place="lead_in")
    run.stall("device_queue", 2, stage="device")
    run.kernel("Add", 4)
    one = named(found(run.build()), "host_bound")
    assert (one.ns, one.variant) == (20 * MS, "provisional")
    split = {name: one.values[f"{name}_ns"] for name in ("framework", "launch", "edges", "idle")}
    assert split == {"framework": 9 * MS, "launch": 6 * MS, "edges": 5 * MS, "idle": 22 * MS}
    assert one.values["line"] == "model.py(7): forward"
    assert one.values["inflated"] == "with_stack"
    assert (one.values["kernels"], one.values["kernel_avg_ns"]) == (1, 4 * MS)


def test_a_host_that_nothing_slowed_is_no_provisional_finding(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank().stall("host_launch", 6, stage="launch")
    assert named(found(run.build()), "host_bound").variant is None


def test_idle_time_around_the_tasks_of_a_step_says_what_most_of_it_is(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("dataloader", 3, place="lead_in").stall("copy_staging", 5, place="lead_in")
    run.stall("host_framework", 2, place="tail", stage="framework")
    findings = found(run.build())
    lead_in, tail = named(findings, "lead_in"), named(findings, "tail")
    assert (lead_in.ns, lead_in.values["cause"]) == (8 * MS, "copy_staging")
    assert lead_in.values["cause_ns"] == 5 * MS
    assert (tail.ns, tail.values["cause"]) == (2 * MS, "host_framework")


def test_waits_for_events_and_stages_are_findings(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("wait_event", 5, state="waiting_event")
    run.stall("rank 1", 7, state="waiting_stage", place=None, peer=1)
    findings = found(run.build())
    assert named(findings, "event_wait").ns == 5 * MS
    assert named(findings, "stage_wait").ns == 7 * MS


def test_transfer_that_nothing_hides_is_moving_and_never_a_wait(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("transferring", 8)
    run.spend("collective_other", 1)
    run.collective("allReduce", 30, late={}, bytes=16 * MS, transfer_ns=8 * MS, wait_ns=20 * MS)
    one = named(found(run.build()), "exposed_collective")
    assert (one.rule.question, one.ns, one.status) == ("move", 9 * MS, "found")
    assert one.values["bytes_per_s"] == 2_000_000_000


def test_collectives_without_plane_tasks_cannot_be_split_but_ranks_are_compared(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path)
    for rank, exposed in ((0, 70), (1, 50)):
        run.rank(rank, lanes=("stream", "cann", "python"))
        run.spend("collective_other", exposed)
        run.collective("allReduce", exposed, late={})
    both = [one for one in found(run.build()) if one.rule.name == "unsplit_collective"]
    assert [(one.status, one.variant, one.missing) for one in both] == [
        ("unknown", "ranks", "planes")
    ] * 2
    assert [one.ns for one in both] == [70 * MS, 50 * MS]
    assert {one.values["best_ns"] for one in both} == {50 * MS}


def test_small_collectives_are_those_that_move_faster_than_one_is_launched(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("transferring", 4)
    for number in range(4):
        run.launch(run.kernel("Add", 0.1), at_ms=10 + number)
    for number in range(3):
        run.collective(f"small {number}", 2, late={}, bytes=1000, transfer_ns=MS // 2, wait_ns=MS)
    run.collective("slow", 5, late={}, bytes=1000, transfer_ns=3 * MS, wait_ns=0)
    run.collective("large", 5, late={}, bytes=9 * MS, transfer_ns=MS // 2, wait_ns=0)
    one = named(found(run.build()), "small_packets")
    assert (one.ns, one.values["count"], one.values["launch_ns"]) == (3 * MS, 3, MS)


def test_copies_that_nothing_hides_are_found_and_the_runtimes_own_not_counted(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("copying", 4)
    run.copy(4, at_ms=0)
    run.copy(0.002, at_ms=10)
    findings = found(run.build())
    one = named(findings, "exposed_copy")
    assert (one.ns, one.values["count"], one.values["longest_ns"]) == (4 * MS, 1, 4 * MS)
    # They name no size: whether they are there and back cannot be told.
    untold = named(findings, "ping_pong")
    assert (untold.status, untold.missing, untold.variant) == ("unknown", "copies", "untold")


def test_a_copy_to_the_host_and_back_is_a_pair_if_it_has_the_same_size_soon(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("copying", 4)
    first = run.copy(1, at_ms=0, direction="D2H", bytes=4096)
    second = run.copy(1, at_ms=3, direction="H2D", bytes=4096)
    run.copy(1, at_ms=20, direction="D2H", bytes=4096)
    run.copy(1, at_ms=60, direction="H2D", bytes=4096)
    run.copy(1, at_ms=65, direction="H2D", bytes=1)
    one = named(found(run.build()), "ping_pong")
    assert (one.status, one.ns, one.values["count"]) == ("found", 2 * MS, 1)
    assert one.evidence == (identifier(0, first), identifier(0, second))
    assert one.inferred


def test_an_operator_counts_by_its_share_of_the_step_and_by_what_its_busiest_unit_leaves(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("MatMul", 40, aic_mac_ratio=0.6, aic_mte2_ratio=0.3)
    run.kernel("Add", 5, core="AI_VECTOR_CORE")
    one = named(found(run.build()), "operator")
    assert (one.ns, one.variant) == (16 * MS, None)
    assert (one.values["busiest"], one.values["busiest_share"]) == ("mac", 0.6)
    assert one.values["total_ns"] == 40 * MS


def test_an_operator_near_its_bound_or_small_in_the_step_is_no_finding(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("MatMul", 60, aic_mac_ratio=0.95)
    assert "operator" not in names(found(run.build()))
    small = RunBuilder(tmp_path / "small").rank()
    small.spend("idle", 95)
    small.kernel("MatMul", 5)
    assert "operator" not in names(found(small.build()))


def test_layout_kernels_and_ai_cpu_are_findings_of_their_own(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("aicpu", 6)
    run.kernel("Where", 6, core="AI_CPU")
    for type_ in ("TransData", "Cast", "MatMul"):
        run.kernel(type_, 3, aic_mac_ratio=1.0)
    findings = found(run.build())
    layout, aicpu = named(findings, "layout"), named(findings, "aicpu")
    assert (layout.ns, layout.values["count"]) == (6 * MS, 2)
    assert (aicpu.ns, aicpu.values["names"]) == (6 * MS, "Where")


def test_that_operators_do_not_matter_is_a_result(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("host_framework", 30, stage="framework")
    run.stall("rank 5", 65, state="waiting_peer", place=None, peer=5)
    run.kernel("MatMul", 5)
    one = named(found(run.build()), "little_computing")
    assert (one.status, one.ns) == ("fine", 5 * MS)
    assert (one.values["idle_share"], one.values["waiting_share"]) == (0.3, 0.65)


def test_tiny_kernels_cost_the_idle_time_that_the_host_leaves_before_them(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    for number in range(5):
        kernel = run.kernel("Add", 0.1)
        run.launch(kernel, at_ms=10 + number)
        run.stall("host_framework", 0.8, stage="framework", next_slice_id=kernel)
    large = run.kernel("MatMul", 20)
    run.stall("host_framework", 8, stage="framework", next_slice_id=large)
    one = named(found(run.build()), "tiny_kernels")
    assert (one.ns, one.values["count"], one.values["kernels"]) == (4 * MS, 5, 6)
    assert one.values["name"] == "Add"


def test_the_path_of_aclop_is_no_compiling(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("host_launch", 6, stage="launch")
    run.slice("AscendCL@aclopCompileAndExecute", ms=10, ts=2 * MS)
    run.slice("AscendCL@opCompile", ms=0.02, ts=2 * MS)
    findings = found(run.build())
    one = named(findings, "aclop_path")
    assert (one.ns, one.values["count"], one.values["compiled_ns"]) == (4 * MS, 1, 0)
    assert "compile" not in names(findings)


def test_calls_of_aclop_count_by_the_time_of_the_steps_and_not_by_their_markers(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank(steps=2)
    run.stall("host_launch", 6, stage="launch")
    run.slice("AscendCL@aclopCompileAndExecute", ms=3, ts=1 * MS, step=None)
    run.slice("AscendCL@aclopCompileAndExecute", ms=3, ts=(STEP_MS + 5) * MS, step=1)
    run.slice("AscendCL@aclopCompileAndExecute", ms=3, ts=(2 * STEP_MS + 5) * MS, step=2)
    one = named(found(run.build()), "aclop_path")
    assert (one.ns, one.values["count"], one.values["calls_ns"]) == (3 * MS, 2, 6 * MS)


def test_pits_come_back_in_equal_time_and_not_with_every_step(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(steps=12)
    for step in range(1, 13):
        run.stall("host_framework", 6, step=step, stage="framework", evidence_slice_id=None)
        if step % 3 == 0:
            run.stall("gc", 20, step=step)
    one = named(found(run.build()), "pits")
    assert (one.values["count"], one.values["cause"]) == (4, "gc")
    assert one.values["interval_ns"] == 3 * STEP_MS * MS


def test_warm_up_is_left_out_unless_it_is_asked_for(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(steps=3, warmup=(1,))
    run.stall("compile", 60, step=1).stall("dataloader", 5, step=2)
    store = run.build()
    assert names(found(store)) == ["dataloader"]
    assert named(found(store), "dataloader").steps == 2
    assert names(found(store, step=1)) == ["compile"]


def test_that_warm_up_is_left_out_is_a_result_which_names_its_compiling(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(steps=3, warmup=(1,))
    run.stall("compile", 60, step=1)
    store = run.build()
    one = named(found(store), "warm_up")
    assert (one.status, one.step, one.variant) == ("fine", 1, "compiling")
    assert (one.values["count"], one.values["compile_ns"]) == (1, 60 * MS)
    # Of the one step that is left out, not of the two that are judged.
    assert (one.ns, one.steps, one.share) == (60 * MS, 1, 0.6)
    assert "warm_up" not in [one.rule.name for one in found(store, step=1)]


def test_a_run_of_nothing_but_warm_up_is_judged(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(warmup=(1,)).stall("compile", 60)
    assert names(found(run.build())) == ["compile"]


def test_a_rule_that_lacks_its_data_cannot_tell(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(lanes=("stream", "python"))
    run.kernel("MatMul", 5)
    untold = {one.rule.name: one.missing for one in found(run.build()) if one.ns is None}
    assert untold["host_sync"] == untold["compile"] == "cann"
    assert untold["host_bound"] == "launches"
    assert "dataloader" not in untold


def test_without_a_device_one_result_says_so_for_all(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path)
    run.rank(lanes=("cann", "python"))
    assert [(one.rule.name, one.missing) for one in found(run.build()) if one.ns is None] == [
        ("nothing", "streams")
    ]


@settings(deadline=None, max_examples=10)
@given(st.lists(st.sampled_from([*BY_CAUSE, "host_framework"]), min_size=1, max_size=8))
def test_no_finding_is_about_more_than_its_steps_and_the_greatest_comes_first(
    tmp_path_factory: pytest.TempPathFactory, causes: list[str]
) -> None:
    run = RunBuilder(tmp_path_factory.mktemp("any")).rank()
    for number, cause in enumerate(causes):
        run.stall(cause, number + 1, stage="framework")
    with Session(run.build()) as session:
        findings = find(session, shipped_rules())
    at_stake = [one.ns or 0 for one in findings if one.status != "fine" and one.ns is not None]
    assert at_stake == sorted(at_stake, reverse=True)
    idle = sum(range(1, len(causes) + 1)) * MS
    assert all(ns <= idle for ns in at_stake)


def test_findings_that_gain_alike_come_in_the_order_of_the_questions(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("copying", 5)
    run.copy(5, at_ms=0, direction="H2D", bytes=1)
    run.stall("wait_event", 5, state="waiting_event").stall("alloc", 5)
    assert names(found(run.build())) == ["alloc", "event_wait", "exposed_copy"]


def test_a_rule_that_is_off_finds_nothing_and_a_threshold_of_ones_own_holds(
    tmp_path: Path,
) -> None:
    run = RunBuilder(tmp_path).rank().stall("dataloader", 5).stall("gc", 3)
    store = run.build()
    file = tmp_path / "rules.toml"
    file.write_text("[rules.S1-R9]\noff = true\n[rules.gc]\nleast_share = 0.04\n")
    book = load_rules(file)
    findings = found(store, book)
    assert names(findings) == []
    assert named(findings, "nothing").thresholds == {LEAST_SHARE: 0.01}


def test_symptoms_pass_fail_or_are_unknown(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("host_framework", 20, stage="framework")
    run.launch(run.kernel("MatMul", 5, aic_mac_ratio=1.0), at_ms=1)
    run.spend("copying", 4)
    run.copy(4, at_ms=0)
    run.stall("rank 5", 5, state="waiting_peer", place=None, peer=5)
    findings = found(run.build())
    rows = symptoms(findings, shipped_rules())
    assert [(row.symptom, row.verdict) for row in rows] == [
        ("starved", "fail"),
        ("slow_operator", "pass"),
        ("explosion", "pass"),
        ("scaling", "pass"),
        ("copying", "fail"),
    ]
    blind = symptoms(found(RunBuilder(tmp_path / "none").rank(lanes=()).build()), shipped_rules())
    assert {row.verdict for row in blind} == {"unknown"}


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Return a session over a run of one step in which nothing happens."""
    with Session(RunBuilder(tmp_path_factory.mktemp("idle")).rank().build()) as session:
        yield session


@pytest.mark.parametrize("name", rule_queries())
def test_the_select_of_a_rule_answers_what_its_header_says(name: str, idle: Session) -> None:
    query = rule_queries()[name]
    columns = [column.name for column in query.columns]
    assert tuple(columns[: len(FIXED)]) == FIXED
    values = {one.name: 1 for one in query.params}
    assert idle.run(query, values).columns == query.columns
    for number, line in enumerate(query.sql.splitlines(), 1):
        assert len(line) <= 80, f"{name}:{number}"


def test_every_rule_names_a_select_and_a_preset_that_are_there() -> None:
    book = shipped_rules()
    names_ = [rule.name for rule in book.rules]
    assert len(set(names_)) == len(names_) == len({rule.id for rule in book.rules})
    assert {rule.sql for rule in book.rules} == set(rule_queries())
    for rule in book.rules:
        assert takes(rule.preset, "rank") or rule.preset == "profiles"
        assert all(takes(rule.preset, name) for name in rule.preset_with)
        assert rule.within is None or rule.within in names_
    for symptom in book.symptoms:
        assert set(symptom.rules) <= set(names_)
