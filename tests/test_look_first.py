"""What is looked at first: true statements, the greatest gain first."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from overview_build import (
    BLOCK,
    FACTS,
    GAP,
    LEVEL0,
    MS,
    NO_PLACES,
    UNSPLIT,
    a_step,
    row,
    summary,
)

from npuview.queries.rows import PeersRow, StepsRow, TopRow, WaitCallsRow
from npuview.tui.focus import Window
from npuview.tui.overview.look_first import Finding, findings
from npuview.tui.overview.overview_facts import Block, Facts, Places
from npuview.tui.text.overview_tables import split_of


def found(facts: Facts = FACTS, block: Block = BLOCK, places: Places = NO_PLACES) -> list[Finding]:
    return findings(block, split_of(block.steps), facts, places)


def test_findings_come_with_the_greatest_gain_first() -> None:
    gains = [one.gain for one in found()]
    assert gains == sorted(gains, key=lambda gain: gain or 0, reverse=True)
    assert gains[0] == 50 * MS


@given(
    st.fixed_dictionaries(
        {
            name: st.integers(0, 100 * MS)
            for name in ("waiting_peer", "waiting_event", "transferring", "copying", "idle")
        }
    ),
    st.integers(0, 200 * MS),
)
def test_no_finding_promises_more_than_the_step_has(parts: dict[str, int], gap_idle: int) -> None:
    step = a_step(**parts)
    facts = replace(FACTS, steps=[step], gap_summary=[summary(3, gap_idle)], gaps=[GAP])
    places = replace(NO_PLACES, long_gaps=[summary(1, gap_idle)])
    for one in found(facts, Block("", 0, (step,)), places):
        assert 0 < (one.gain or 0) <= 100 * MS
        if one.question == "idle":
            assert (one.gain or 0) <= parts["idle"]


def test_the_late_peer_is_named_and_that_it_is_not_here() -> None:
    peer = row(
        PeersRow,
        rank=0,
        number=5,
        peer=5,
        wait_ns=48 * MS,
        times_last=3,
        collectives=4,
        collected=False,
    )
    wait = row(WaitCallsRow, rank=0, ts=710 * MS, dur=30 * MS, name="allReduce", slice_id=9)
    facts = replace(FACTS, peers=[peer])
    one = found(facts, places=replace(NO_PLACES, waits=[wait]))[0]
    assert one.what == (
        "collectives wait for peers: rank 5 (not in this data) last in 3 of 4, 48.0 ms"
    )
    assert one.place is not None
    assert one.place.window == Window(710 * MS, 740 * MS)
    assert one.place.slice_id == 9


def test_long_gaps_lead_to_the_longest_one_and_short_ones_are_the_rest() -> None:
    gap = GAP._replace(cause="gc")
    facts = replace(FACTS, gaps=[gap], gap_summary=[summary(30, 24 * MS)])
    places = replace(NO_PLACES, long_gaps=[summary(4, 20 * MS)])
    long, short = (one for one in found(facts, places=places) if one.question == "idle")
    assert long.what == "4 gaps from 100 µs on, longest 12.0 ms before MatMul: garbage collection"
    assert (long.gain, short.gain) == (20 * MS, 4 * MS)
    assert long.place is not None
    assert long.place.window == Window(740 * MS, 752 * MS)
    assert short.what == "26 gaps shorter than 100 µs"


def test_the_time_before_the_first_task_is_that_of_the_first_step_alone() -> None:
    times = [
        row(
            StepsRow,
            rank=0,
            step=number,
            ts=number * 100 * MS,
            dur=100 * MS,
            device_ts=number * 100 * MS + 10 * MS,
            device_dur=85 * MS,
        )
        for number in (7, 8, 9)
    ]
    steps = tuple(a_step(number) for number in (7, 8, 9))
    facts = replace(FACTS, steps=steps, times=times)
    by_what = {one.what: one for one in found(facts, Block("", 0, steps))}
    before = by_what["before the first task nothing runs"]
    after = by_what["after the last task nothing runs"]
    assert before.place is not None
    assert after.place is not None
    assert before.place.window == Window(700 * MS, 710 * MS)
    assert after.place.window == Window(995 * MS, 1000 * MS)
    # Between two steps it is a gap, which is listed as such.
    whats = {one.what for one in found(facts, Block("", 0, (steps[1],)))}
    assert not whats & by_what.keys() & {before.what, after.what}


def test_what_is_less_than_a_thousandth_is_no_finding() -> None:
    step = a_step(copying=90_000)
    assert "copies" not in " ".join(one.what for one in found(block=Block("", 0, (step,))))


def test_the_first_operator_is_told_by_its_share_of_kernels_and_of_the_step() -> None:
    top = row(TopRow, rank=0, name="Add", total=4 * MS, kernel_share=0.2, period_share=0.04)
    [one] = [one for one in found(replace(FACTS, operators=[top])) if one.question == "computing"]
    assert one.what == "Add takes 20.0 % of kernel time, 4.0 % of the step"
    assert one.gain == 4 * MS


def test_collectives_that_cannot_be_split_are_neither_waiting_nor_moving() -> None:
    facts = replace(FACTS, profiles=[LEVEL0], steps=[UNSPLIT])
    one = found(facts, Block("", 0, (UNSPLIT,)))[0]
    assert (one.question, one.gain) == ("collective", 54 * MS)
    assert "Level1 splits them" in one.what
