"""The overview as text, from rows that are made here."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from npuview.queries.rows import (
    GapsRow,
    GapSummaryRow,
    HealthRow,
    LedgerRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    TopRow,
)
from npuview.tui.overview_text import Facts, overview_lines
from npuview.tui.terminal import Terminal

Row = TypeVar("Row")
MS = 1_000_000


def row(row_type: Callable[..., Row], **values: object) -> Row:
    """Return a row whose other fields are None."""
    fields = inspect.get_annotations(row_type)
    return row_type(**(dict.fromkeys(fields) | values))


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
        "waiting_peer": 50 * MS,
        "waiting": 50 * MS,
        "transferring": 4 * MS,
        "copying": 1 * MS,
        "moving": 5 * MS,
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
ONE_STEP = Facts([PROFILE], 1, [step(7)], [], [], [], [], [], [])


def text(facts: Facts, width: int = 100) -> str:
    return "\n".join(overview_lines(facts, Terminal(width)))


def test_a_step_is_split_into_four_boxes_with_their_share_of_the_period() -> None:
    lines = overview_lines(ONE_STEP, Terminal(100))
    assert lines[3].startswith("step 7   100 ms")
    assert lines[4] == "█" * 20 + "▓" * 5 + "▒" * 50 + "·" * 25
    assert lines[5:9] == [
        "COMPUTE   20.0 ms   20.0 %  ████",
        "WAIT      50.0 ms   50.0 %  ██████████            peers 50.0 ms",
        "IDLE      25.0 ms   25.0 %  █████",
        "MOVE      5.00 ms    5.0 %  █                     transfers 4.00 ms · copies 1.00 ms",
    ]


def test_the_head_says_which_ranks_and_what_inflates_the_times() -> None:
    lines = overview_lines(ONE_STEP, Terminal(100))
    assert lines[0] == "node_ascend_pt   rank 0 of 8 (7 not in this data)   torch_npu   Level1"
    assert lines[1] == (
        "while collecting, host times are inflated by with_stack; kernels are spaced by l2_cache"
    )


def test_a_chosen_rank_does_not_make_the_others_missing() -> None:
    assert "rank 0 of 8   torch_npu" in text(replace(ONE_STEP, ranks_here=8))


def test_the_late_peer_is_named_and_whether_it_was_collected() -> None:
    peers = [
        row(PeersRow, rank=0, peer=4, collectives=4, times_last=1, wait_ns=4 * MS),
        row(PeersRow, rank=0, peer=5, collected=False, collectives=4, times_last=3, wait_ns=9 * MS),
    ]
    assert "peers 50.0 ms · peer 5 (not in this data) last in 3 of 4 collectives" in text(
        replace(ONE_STEP, peers=peers), 120
    )


def test_idle_names_its_largest_causes_and_the_gaps() -> None:
    def idle(cause: str | None, dur: int) -> LedgerRow:
        return row(LedgerRow, rank=0, device_id=0, step=7, state="idle", cause=cause, dur=dur * MS)

    causes = [idle("host_sync", 3), idle("gc", 1), idle("dataloader", 9), idle("alloc", 2)]
    other = row(LedgerRow, rank=0, device_id=0, state="waiting_peer", cause="x", dur=99 * MS)
    gaps = [
        row(GapSummaryRow, rank=0, device_id=0, count_=1_000, longest=5_000),
        row(GapSummaryRow, rank=0, device_id=0, count_=721, longest=2 * MS),
        row(GapSummaryRow, rank=1, device_id=0, count_=5, longest=9 * MS),
    ]
    shown = text(replace(ONE_STEP, ledger=[*causes, other], gap_summary=gaps), 160)
    assert (
        "dataloader 9.00 ms · host_sync 3.00 ms · alloc 2.00 ms · 1,721 gaps, longest 2.00 ms"
        in shown
    )


def test_idle_without_analysed_causes_says_so() -> None:
    ledger = [row(LedgerRow, rank=0, device_id=0, step=7, state="idle", dur=25 * MS)]
    assert "causes not analysed" in text(replace(ONE_STEP, ledger=ledger))


def test_causes_without_room_stand_below_their_box() -> None:
    facts = replace(
        ONE_STEP,
        peers=[
            row(PeersRow, rank=0, peer=5, collected=False, collectives=4, times_last=3, wait_ns=9)
        ],
    )
    lines = text(facts, 80).splitlines()
    [wait] = [at for at, line in enumerate(lines) if line.startswith("WAIT")]
    assert lines[wait] == "WAIT      50.0 ms   50.0 %  ████"
    assert lines[wait + 1].startswith("         peers 50.0 ms · peer 5")


def test_several_steps_are_listed_in_the_unit_of_the_period_on_one_scale() -> None:
    facts = replace(
        ONE_STEP, steps=[step(7), step(8, period=50 * MS, waiting=0, computing=20 * MS)]
    )
    lines = text(facts).splitlines()
    assert lines[3].startswith("2 steps   150.0 ms   median 75.0 ms")
    [head] = [at for at, line in enumerate(lines) if line.startswith("── Steps  2 ──")]
    assert lines[head + 1].split() == ["step", "period", "computing", "waiting", "moving", "idle"]
    assert lines[head + 2].startswith("   7  100.0 ms    20.0 ms  50.0 ms  5.0 ms  25.0 ms  █")
    longer, shorter = (line.split()[-1] for line in lines[head + 2 : head + 4])
    assert len(shorter) == (len(longer) + 1) // 2


def test_ranks_have_their_own_boxes_up_to_four() -> None:
    profiles = [PROFILE._replace(rank=rank) for rank in range(6)]
    facts = replace(
        ONE_STEP, profiles=profiles, ranks_here=6, steps=[step(7, rank) for rank in range(6)]
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
        steps=[step(number) for number in range(steps)],
        operators=[row(TopRow, rank=0, name=name, core=name, count_=3, total=9 * MS)],
        gaps=[row(GapsRow, rank=0, step=1, ts=0, dur=2, prev_name=name, next_name=name)],
        missing=[row(HealthRow, rank=0, kind="missing", name="memory", sample=name)],
    )
    lines = overview_lines(facts, Terminal(width, ascii_level=ascii_level))
    assert max(map(cell_len, lines)) <= width
    assert not ascii_level or "".join(lines).isascii()
