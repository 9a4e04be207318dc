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
    LedgerRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    StepsRow,
    TopRow,
)
from npuview.tui.draw.numbers import NOT_MEASURED
from npuview.tui.overview.job import Job
from npuview.tui.overview.overview_facts import Facts
from npuview.tui.text.overview_text import WHY_IDLE, overview_lines
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
ONE_STEP = Facts([PROFILE], [step(7)], [], [], [], [], [], [], [], job=JOB)


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


def test_idle_names_its_largest_causes_and_the_gaps() -> None:
    def idle(cause: str | None, dur: int) -> LedgerRow:
        return row(LedgerRow, rank=0, device_id=0, step=7, state="idle", cause=cause, dur=dur * MS)

    causes = [idle("host_sync", 3), idle("gc", 1), idle("dataloader", 9), idle("alloc", 2)]
    other = row(LedgerRow, rank=0, device_id=0, state="waiting_peer", cause="x", dur=99 * MS)
    shown = text(replace(ONE_STEP, ledger=[*causes, other], gap_summary=GAPS), 200)
    assert (
        "dataloader 9.00 ms · host_sync 3.00 ms · alloc 2.00 ms"
        " · 1,721 gaps 15.0 ms, longest 2.00 ms" in shown
    )
    assert WHY_IDLE not in shown


GAPS = [
    row(GapSummaryRow, rank=0, device_id=0, count_=1_000, idle_ns=5 * MS, longest=5_000),
    row(GapSummaryRow, rank=0, device_id=0, count_=721, idle_ns=10 * MS, longest=2 * MS),
    row(GapSummaryRow, rank=1, device_id=0, count_=5, idle_ns=20 * MS, longest=9 * MS),
]


def times(number: int, before: int, after: int) -> StepsRow:
    """Return when a step of ``step`` was, with ms around its device tasks."""
    ts = number * 100 * MS
    return row(
        StepsRow,
        rank=0,
        step=number,
        ts=ts,
        dur=100 * MS,
        device_ts=ts + before * MS,
        device_dur=(100 - before - after) * MS,
    )


def test_idle_is_before_the_tasks_between_them_and_after_them() -> None:
    facts = replace(ONE_STEP, gap_summary=GAPS, times=[times(7, 8, 2)])
    assert (
        "before the first task 8.00 ms · 1,721 gaps 15.0 ms, longest 2.00 ms · after the last"
        " 2.00 ms"
    ) in text(facts, 160)


def test_a_gap_between_two_steps_is_not_counted_as_time_before_tasks_again() -> None:
    # Step 8 begins where the tasks of step 7 end: the time up to its own is a gap.
    whole = [times(7, 8, 0), times(8, 5, 3)]
    both = replace(ONE_STEP, steps=[step(7), step(8)], times=whole)
    assert "before the first task 8.00 ms · after the last 3.00 ms" in text(both, 160)
    last = replace(ONE_STEP, steps=[step(8)], times=whole)
    assert "before the first" not in text(last, 160)
    assert "after the last 3.00 ms" in text(last, 160)


def test_times_around_the_tasks_are_not_told_for_one_of_several_devices() -> None:
    steps = [step(7), step(7, device_id=1)]
    assert "the first task" not in text(replace(ONE_STEP, steps=steps, times=[times(7, 8, 2)]))


def test_that_idle_is_not_analysed_is_said_once_at_the_end() -> None:
    ledger = [row(LedgerRow, rank=0, device_id=0, step=7, state="idle", dur=25 * MS)]
    assert text(replace(ONE_STEP, ledger=ledger)).splitlines()[-1] == WHY_IDLE
    missing = [row(HealthRow, rank=0, kind="missing", name="memory", sample="no memory samples")]
    lines = text(replace(ONE_STEP, ledger=ledger, missing=missing)).splitlines()
    assert lines[-2:] == ["no memory samples", WHY_IDLE]
    assert WHY_IDLE not in text(ONE_STEP)


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
        gaps=[
            row(GapsRow, rank=0, step=7, ts=741 * MS, dur=2 * MS, prev_name="Add", next_name="Mul")
        ],
    )
    shown = text(facts)
    assert "Mat␛Mul" in shown
    assert "\x1b" not in shown
    # 741 ms lie 41 ms behind the start of step 7.
    assert "   7  +41.000 ms   2.00 ms" in shown
    assert "cause" not in shown


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
        times=[times(number, 8, 2) for number in range(steps)],
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
