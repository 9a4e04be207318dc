"""The overview as text, from rows that are made here."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from row_build import row

from npuview.queries.rows import (
    GapsRow,
    GapSummaryRow,
    HealthRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    TopRow,
)
from npuview.queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from npuview.tui.draw.numbers import NOT_MEASURED
from npuview.tui.overview.job import Job
from npuview.tui.overview.overview_facts import Facts
from npuview.tui.text.overview_text import overview_lines
from npuview.tui.text.terminal import Terminal

MS = 1_000_000


def step(number: int, rank: int = 0, device_id: int = 0, **parts: object) -> OverviewRow:
    """Return a step of 100 ms: 20 computing, 50 waiting, 25 idle, 5 moving, or as given."""
    values: dict[str, object] = {
        "rank": rank,
        "device_id": device_id,
        "step": number,
        "kind": "train",
        "ts": number * 100 * MS,
        "period": 100 * MS,
        "computing": 20 * MS,
        "mc2": 0,
        "aicpu": 0,
        "waiting_peer": 50 * MS,
        "waiting_stage": 0,
        "waiting_event": 0,
        "waiting": 50 * MS,
        "transferring": 4 * MS,
        "copying": 1 * MS,
        "collective_other": 0,
        "moving": 5 * MS,
        "collective_unsplit": 0,
        "idle": 25 * MS,
    }
    return row(OverviewRow, **(values | parts))


PROFILE = row(
    ProfilesRow,
    rank=0,
    world_size=8,
    producer="torch_npu",
    level="Level1",
    switches='{"with_stack": true, "_l2_cache": true}',
    name="node_ascend_pt",
)
JOB = Job(8, least=False, missing=tuple(range(1, 8)))
ONE_STEP = Facts([PROFILE], [step(7)], [], [], [], job=JOB)


def text(facts: Facts, width: int = 100) -> str:
    return "\n".join(overview_lines(facts, Terminal(width)))


def test_a_step_is_split_into_four_boxes_with_their_share_of_the_period() -> None:
    lines = overview_lines(ONE_STEP, Terminal(100))
    assert lines[3].startswith("step 7   100 ms")
    assert lines[4] == "█" * 20 + "▓" * 5 + "▒" * 50 + "·" * 25
    assert lines[5:9] == [
        "COMPUTE     20.0 ms   20.0 %  ████",
        "WAIT        50.0 ms   50.0 %  ██████████            peers 50.0 ms",
        "IDLE        25.0 ms   25.0 %  █████",
        "MOVE        5.00 ms    5.0 %  █                     transfers 4.00 ms · copies 1.00 ms",
    ]


UNSPLIT: dict[str, Any] = {
    "waiting_peer": None,
    "waiting_stage": None,
    "waiting_event": 1 * MS,
    "waiting": 1 * MS,
    "transferring": None,
    "copying": 4 * MS,
    "moving": 4 * MS,
    "collective_unsplit": 50 * MS,
}


def test_collectives_that_cannot_be_split_have_a_box_an_ink_and_a_column_of_their_own() -> None:
    steps = [step(7, **UNSPLIT), step(8, **UNSPLIT)]
    lines = overview_lines(replace(ONE_STEP, steps=steps), Terminal(100))
    assert lines[3].endswith("█ computing  ▓ moving  ░ collective  ▒ waiting  · idle")
    assert lines[4] == "█" * 20 + "▓" * 4 + "░" * 50 + "▒" + "·" * 25
    shown = " ".join(" ".join(lines).split())
    assert "events 2.00 ms · peers, stages not collected" in shown
    assert "copies 8.00 ms · transfers not collected" in shown
    assert "COLLECTIVE 100 ms 50.0 %" in shown
    assert "cannot be told apart: their plane tasks are not in this data" in shown
    [head] = [line for line in lines if line.startswith("step  ")]
    assert head.split()[-1] == "collective"
    level0 = replace(ONE_STEP, steps=steps, profiles=[PROFILE._replace(level="Level0")])
    assert "collected without plane tasks; Level1 splits them" in " ".join(text(level0).split())


@pytest.mark.parametrize("width", [40, 50, 60])
def test_a_legend_without_room_beside_the_title_stands_below_it(width: int) -> None:
    lines = text(replace(ONE_STEP, steps=[step(7, **UNSPLIT)]), width).splitlines()
    at = lines.index("step 7   100 ms")
    legend = " ".join(lines[at + 1 : at + 3])
    names = ("computing", "moving", "collective", "waiting", "idle")
    assert all(name in legend for name in names)


def test_what_was_not_collected_is_said_and_never_zero() -> None:
    unknown: dict[str, Any] = dict.fromkeys(UNSPLIT)
    facts = replace(ONE_STEP, steps=[step(7, **unknown | {"collective_unsplit": 50 * MS})])
    lines = [line.split() for line in text(facts).splitlines()]
    assert ["WAIT", NOT_MEASURED, NOT_MEASURED, "not", "collected"] in lines
    assert ["MOVE", NOT_MEASURED, NOT_MEASURED, "not", "collected"] in lines
    # A kernel table does not tell at which level it was collected.
    facts = replace(facts, profiles=[PROFILE._replace(level=None)])
    assert "their plane tasks are not in this data" in " ".join(text(facts).split())


def test_the_head_says_which_ranks_and_what_inflates_the_times() -> None:
    lines = overview_lines(ONE_STEP, Terminal(100))
    assert lines[0] == "node_ascend_pt   rank 0 of 8 (7 not in this data)   torch_npu   Level1"
    assert lines[1] == (
        "while collecting, host times are inflated by with_stack; kernels may be spaced by l2_cache"
    )


def test_a_chosen_rank_does_not_make_the_others_missing() -> None:
    assert "rank 0 of 8   torch_npu" in text(replace(ONE_STEP, job=replace(JOB, missing=())))


def test_the_late_peer_is_named_and_whether_it_was_collected() -> None:
    peers = [
        row(PeersRow, rank=0, number=4, peer=4, collectives=4, times_last=1, wait_ns=4 * MS),
        row(
            PeersRow,
            rank=0,
            number=5,
            peer=5,
            collected=False,
            collectives=4,
            times_last=3,
            wait_ns=9 * MS,
        ),
    ]
    shown = " ".join(text(replace(ONE_STEP, peers=peers)).split())
    assert (
        "peers 50.0 ms · longest for rank 5 (not in this data): 9.00 ms, last in 3 of 4"
        " · 7 ranks not in this data"
    ) in shown
    assert "beside other work" not in shown
    long = [peer._replace(wait_ns=60 * MS) for peer in peers]
    assert "60.0 ms (partly beside other work), last" in text(replace(ONE_STEP, peers=long), 200)


def test_ranks_that_are_not_here_are_told_where_they_are_known() -> None:
    peer = row(PeersRow, rank=0, number=7, peer=7, collectives=4, times_last=1, wait_ns=4 * MS)
    facts = replace(ONE_STEP, job=replace(JOB, least=True), peers=[peer])
    assert "at least 7 ranks not in this data" in text(facts, 200)
    assert "rank 0 of at least 8 (7 not in this data)" in text(facts, 200)
    assert "not in this data" not in text(replace(facts, job=replace(JOB, missing=())), 200)
    assert "not in this data" not in text(replace(facts, job=None), 200)


def stall(state: str, ms: int, **parts: object) -> CausesRow:
    """Return the time of one cause on device 0 of rank 0."""
    given = {"rank": 0, "device_id": 0, "state": state, "total": ms * MS, "inferred_ns": 0}
    return row(CausesRow, **(given | parts))


BETWEEN: dict[str, Any] = {"place": "between", "stage": "framework"}
IDLE = [
    stall("idle", 9, cause="host_framework", **BETWEEN),
    stall("idle", 2, cause="host_sync", **BETWEEN),
    stall("idle", 4, cause="dataloader", place="lead_in", stage="framework"),
    stall("idle", 3, cause="copy_staging", place="lead_in", stage="device"),
    stall("idle", 1, cause="host_launch", place="between", stage="launch"),
    stall("idle", 5, cause="profiler", place="between", stage="device", inferred_ns=5 * MS),
    stall("idle", 1, cause="host_sync", place="tail", stage="framework"),
]
GAPS = [
    row(GapSummaryRow, rank=0, device_id=0, count_=1_000, idle_ns=5 * MS, longest=5_000),
    row(GapSummaryRow, rank=0, device_id=0, count_=721, idle_ns=10 * MS, longest=2 * MS),
    row(GapSummaryRow, rank=1, device_id=0, count_=5, idle_ns=20 * MS, longest=9 * MS),
]


def test_idle_is_told_by_where_it_was_lost_and_by_whom_to_all_of_its_time() -> None:
    other = stall("idle", 99, device_id=1, cause="gc", **BETWEEN)
    shown = text(replace(ONE_STEP, causes=[*IDLE, other], gap_summary=GAPS), 260)
    assert (
        "framework 11.0 ms · before the first task 7.00 ms, mostly data loading"
        " · profiler spacing 5.00 ms, inferred · launch 1.00 ms"
        " · after the last task 1.00 ms, blocking call · 1,721 gaps, longest 2.00 ms"
    ) in shown


def test_a_stage_of_the_host_names_what_held_it_up() -> None:
    causes = [
        stall("idle", 9, cause="host_sync", **BETWEEN),
        stall("idle", 2, cause="host_framework", **BETWEEN),
    ]
    assert "framework 11.0 ms, mostly blocking call" in text(replace(ONE_STEP, causes=causes))
    third = stall("idle", 9, cause="gc", **BETWEEN)
    shown = text(replace(ONE_STEP, causes=[*causes, third]))
    assert "framework 20.0 ms, blocking call and others" in shown


def test_waiting_names_the_ranks_that_were_late_and_whether_they_are_here() -> None:
    peers = [
        row(PeersRow, rank=0, peer=5, collected=False, collectives=4, times_last=3, wait_ns=9 * MS)
    ]
    causes = [
        stall("waiting_peer", 40, cause="rank 5"),
        stall("waiting_peer", 6, cause="rank 1"),
        stall("waiting_peer", 4, cause="unknown"),
    ]
    shown = text(replace(ONE_STEP, causes=causes, peers=peers), 300)
    assert (
        "rank 5 (not in this data) 40.0 ms, last in 3 of 4 · rank 1 6.00 ms"
        " · peers that cannot be named 4.00 ms"
    ) in shown
    assert "peers 50.0 ms" not in shown


PHASES = [
    row(PhasesRow, rank=0, device_id=0, step=7, phase=phase, dur=dur * MS, computing=busy * MS)
    for phase, dur, busy in (("tail", 5, 0), ("forward", 40, 10), ("lead_in", 15, 0))
]


def test_phases_stand_in_their_order_with_what_the_device_computed_in_them() -> None:
    facts = replace(ONE_STEP, phases=PHASES)
    assert (
        "phases     before 1st kernel 15.0 ms · forward 40.0 ms (25.0 % busy) · tail 5.00 ms"
    ) in text(facts)
    assert "phases     ms (busy): pre 15.0 · fwd 40.0 (25.0 %) · tail 5.0" in text(facts, 70)
    assert "phases     ms: pre 15.0 · fwd 40.0 · tail 5.0" in text(facts, 56)
    assert "phases" not in text(ONE_STEP)


def figure(name: str, official: int | None, own: int, step: int = 7) -> ReconciliationRow:
    return row(
        ReconciliationRow,
        rank=0,
        step=step,
        figure=name,
        official=official,
        own=own,
        difference=None if official is None else own - official,
        about=f"why {name} differs",
    )


def test_official_figures_stand_beside_our_own_and_differences_are_explained() -> None:
    figures = [
        figure("free", 20 * MS, 22 * MS),
        figure("computing", 20 * MS, 20 * MS),
        figure("stage", 90 * MS, 90 * MS - 9),
        figure("preparing", None, 3),
    ]
    shown = text(replace(ONE_STEP, figures=figures))
    assert (
        "official   computing 20.0 ms = · free 20.0 ms (+2.00 ms) · stage 90.0 ms (-9 ns)" in shown
    )
    assert "free (+2.00 ms): gaps, copies and event waits" in shown
    assert "why stage" not in shown
    assert "preparing" not in shown


def test_causes_without_room_stand_below_their_box() -> None:
    peer = row(PeersRow, rank=0, number=5, peer=5, collectives=4, times_last=3, wait_ns=9)
    lines = text(replace(ONE_STEP, peers=[peer]), 80).splitlines()
    [wait] = [at for at, line in enumerate(lines) if line.startswith("WAIT")]
    assert lines[wait] == "WAIT        50.0 ms   50.0 %  ████"
    assert lines[wait + 1].startswith("           peers 50.0 ms · longest for rank 5")


def test_several_steps_are_listed_in_the_unit_of_the_period_on_one_scale() -> None:
    facts = replace(
        ONE_STEP, steps=[step(7), step(8, period=50 * MS, waiting=0, computing=20 * MS)]
    )
    lines = text(facts).splitlines()
    assert lines[3].startswith("2 steps   150.0 ms   median 50.0 ms")
    [head] = [at for at, line in enumerate(lines) if line.startswith("── Steps  2 ──")]
    assert lines[head + 1].split() == ["step", "period", "computing", "waiting", "moving", "idle"]
    assert lines[head + 2].startswith("   7  100.0 ms    20.0 ms  50.0 ms  5.0 ms  25.0 ms  █")
    longer, shorter = (line.split()[-1] for line in lines[head + 2 : head + 4])
    assert len(shorter) == (len(longer) + 1) // 2


def test_ranks_have_their_own_boxes_up_to_four() -> None:
    profiles = [PROFILE._replace(rank=rank) for rank in range(6)]
    facts = replace(
        ONE_STEP,
        profiles=profiles,
        job=replace(JOB, missing=(6, 7)),
        steps=[step(7, rank) for rank in range(6)],
    )
    shown = text(facts)
    assert [f"rank {rank}   step 7" in shown for rank in range(6)] == [True] * 4 + [False] * 2
    assert "2 more: --rank R shows the boxes of one" in shown
    assert "6 profiles   ranks 0, 1, 2, 3, 4, 5 of 8 (2 not in this data)" in shown


def test_devices_of_one_rank_have_their_own_boxes() -> None:
    shown = text(replace(ONE_STEP, steps=[step(7), step(7, device_id=1)]))
    assert "device 0   step 7" in shown
    assert "device 1   step 7" in shown


def test_operators_and_gaps_are_listed_with_names_from_the_data_cleaned() -> None:
    facts = replace(
        ONE_STEP,
        operators=[row(TopRow, rank=0, name="Mat\x1bMul", core="AI_CORE", count_=3, total=9 * MS)],
        gaps=[row(GapsRow, rank=0, step=7, ts=741 * MS, dur=2 * MS, cause="gc", next_name="Mul")],
    )
    shown = text(facts)
    assert "Mat␛Mul" in shown
    assert "\x1b" not in shown
    # 741 ms lie 41 ms behind the start of step 7.
    [gap] = [line for line in shown.splitlines() if "+41.000 ms   2.00 ms" in line]
    assert "garbage collection" in gap


def test_a_run_without_device_has_no_boxes_but_a_sentence() -> None:
    run = row(OverviewRow, rank=0, step=0, kind="run", ts=0, period=100 * MS)
    shown = text(replace(ONE_STEP, steps=[run]))
    assert "the whole run   100 ms\nno device was recorded" in shown
    assert "COMPUTE" not in shown


def test_what_is_not_known_is_said_once_for_all_ranks() -> None:
    missing = [
        row(HealthRow, rank=rank, kind="missing", name="memory", sample="no memory samples")
        for rank in (0, 1)
    ]
    shown = text(replace(ONE_STEP, missing=missing))
    assert shown.count("no memory samples") == 1
    assert "npuview info PATH" in shown


def test_a_trace_of_something_else_is_not_told_what_npus_have() -> None:
    missing = [row(HealthRow, rank=0, kind="missing", name="memory", sample="no memory samples")]
    facts = replace(ONE_STEP, profiles=[PROFILE._replace(producer="chrome")], missing=missing)
    assert "no memory samples" not in text(facts)
    assert "no Ascend profile" in text(facts)


@pytest.mark.parametrize("ascii_level", [False, True])
@given(width=st.integers(40, 200), name=st.text(max_size=90), steps=st.integers(1, 30))
def test_no_line_is_wider_than_the_terminal(
    *, ascii_level: bool, width: int, name: str, steps: int
) -> None:
    facts = replace(
        ONE_STEP,
        profiles=[PROFILE._replace(name=name)],
        steps=[step(number, **(UNSPLIT if steps % 2 else {})) for number in range(steps)],
        causes=[
            *IDLE,
            stall("waiting_peer", 4, cause=name),
            stall("waiting_peer", 4, cause="rank 7"),
        ],
        phases=PHASES,
        figures=[figure("free", 20 * MS, 22 * MS, step=0)],
        gap_summary=GAPS,
        peers=[
            row(PeersRow, rank=0, number=7, peer=7, collectives=4, times_last=1, wait_ns=4 * MS)
        ],
        operators=[row(TopRow, rank=0, name=name, core=name, count_=3, total=9 * MS)],
        gaps=[row(GapsRow, rank=0, step=1, ts=0, dur=2, prev_name=name, next_name=name)],
        missing=[row(HealthRow, rank=0, kind="missing", name="memory", sample=name)],
    )
    lines = overview_lines(facts, Terminal(width, ascii_level=ascii_level))
    assert max(map(cell_len, lines)) <= width
    assert not ascii_level or "".join(lines).isascii()
