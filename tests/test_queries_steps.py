"""Profiles, steps, figures, the ledger and the overview made of it."""

from pathlib import Path

import pytest
from store_build import StoreBuilder, ask

from npuview.ingest.schema import LEDGER_STATES
from npuview.ingest.store import Store
from npuview.queries.rows import FiguresRow, LedgerRow, OverviewRow, ProfilesRow, StepsRow


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two ranks; rank 0 has two steps with a ledger, rank 3 one without any device."""
    return (
        StoreBuilder(tmp_path_factory.mktemp("steps"))
        .rank(0)
        .add(
            "profile",
            rank_known=True,
            world_size=8,
            device_id=5,
            producer="torch_npu",
            versions="{}",
            switches="{}",
            level="Level1",
            name="a",
            path="/a",
            clock="epoch",
            clock_offset=0,
            ts=1000,
            dur=300,
        )
        .add(
            "step",
            step=50,
            source="profiler_step",
            kind="train",
            inferred=False,
            warmup=False,
            ts=1000,
            dur=100,
            host_ts=1000,
            host_dur=90,
            device_ts=1010,
            device_dur=90,
            computing=40,
            free=7,
            figures_source="step_trace_time",
        )
        .add(
            "step",
            step=51,
            source="profiler_step",
            kind="train",
            inferred=False,
            warmup=False,
            ts=1100,
            dur=200,
        )
        .add("ledger", device_id=5, step=50, state="idle", cause="lead_in: dataloader", dur=10)
        .add("ledger", device_id=5, step=50, state="idle", cause="unknown", dur=5)
        .add("ledger", device_id=5, step=50, state="computing", dur=40)
        .add("ledger", device_id=5, step=50, state="transferring", dur=1)
        .add("ledger", device_id=5, step=50, state="copying", dur=2)
        .add("ledger", device_id=5, step=50, state="collective_other", dur=3)
        .add("ledger", device_id=5, step=50, state="waiting_peer", dur=20)
        .add("ledger", device_id=5, step=50, state="waiting_stage", dur=4)
        .add("ledger", device_id=5, step=50, state="waiting_event", dur=6)
        .add("ledger", device_id=5, step=50, state="mc2", dur=7)
        .add("ledger", device_id=5, step=50, state="aicpu", dur=2)
        .add("ledger", device_id=5, step=51, state="idle", dur=200)
        .rank(3)
        .add(
            "profile",
            rank_known=False,
            producer="chrome",
            versions="{}",
            switches="{}",
            name="b",
            path="/b",
            clock="boot",
        )
        .add("step", step=0, source="run", kind="run", inferred=True, ts=5, dur=0)
        .build()
    )


def test_a_profile_is_answered_as_it_was_stored(store: Store) -> None:
    assert ask(store, "profiles") == [
        ProfilesRow(
            0, True, 8, 5, None, "torch_npu", "{}", "Level1", "{}", "a", "/a", "epoch", 0, 1000, 300
        ),
        ProfilesRow(
            3,
            False,
            None,
            None,
            None,
            "chrome",
            "{}",
            None,
            "{}",
            "b",
            "/b",
            "boot",
            None,
            None,
            None,
        ),
    ]


def test_the_overview_splits_a_step_into_boxes_that_are_the_whole(store: Store) -> None:
    [row] = ask(store, "overview", step=50)
    assert row == OverviewRow(
        rank=0, device_id=5, step=50, kind="train", warmup=False, warmup_by=None, ts=1000,
        period=100,
        computing=40, mc2=7, aicpu=2, transferring=1, copying=2, waiting_peer=20,
        waiting_stage=4, collective_other=3, collective_unsplit=0, waiting_event=6, idle=15,
        waiting=30, moving=6, computing_share=0.4, mc2_share=0.07, aicpu_share=0.02,
        waiting_share=0.3, moving_share=0.06, unsplit_share=0.0, idle_share=0.15,
    )  # fmt: skip
    assert row.computing + row.mc2 + row.aicpu + row.waiting + row.moving + row.idle == row.period


def test_a_state_that_the_ledger_does_not_list_took_no_time(store: Store) -> None:
    [row] = ask(store, "overview", step="51")
    assert (row.idle, row.computing, row.waiting, row.idle_share) == (200, 0, 0, 1.0)


def test_a_collective_without_planes_is_neither_waiting_nor_moving(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (0, 1):
        builder.rank(rank)
        builder.add("step", step=1, kind="train", source="x", inferred=False, ts=0, dur=100)
        for state, dur in (("collective_other", 60), ("waiting_event", 5), ("idle", 35)):
            builder.add("ledger", device_id=0, step=1, state=state, dur=dur)
        builder.add("collective", collective_id=1, ts=0, dur=60, transfer_ns=rank or None)
    unsplit, split = ask(builder.build(), "overview")
    assert (unsplit.collective_unsplit, unsplit.unsplit_share, unsplit.collective_other) == (
        60,
        0.6,
        0,
    )
    assert (unsplit.transferring, unsplit.waiting_peer, unsplit.waiting_stage) == (None, None, None)
    assert (unsplit.waiting, unsplit.moving) == (5, 0)
    assert (split.collective_unsplit, split.collective_other, split.moving) == (0, 60, 60)
    assert (split.transferring, split.waiting_peer) == (0, 0)


def test_what_a_kernel_table_alone_cannot_tell_is_unknown(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("step", step=1, kind="train", source="x", inferred=True, ts=0, dur=100)
    for state, dur in (("computing", 60), ("idle", 40)):
        builder.add("ledger", device_id=0, step=1, state=state, dur=dur)
    builder.add("collective", collective_id=1, ts=0, dur=60)
    builder.add("import_stat", file="", name="timeline_from_kernel_table", severity="info", count=1)
    [row] = ask(builder.build(), "overview")
    assert (row.computing, row.idle) == (60, 40)
    assert (row.copying, row.waiting_event, row.waiting, row.moving) == (None,) * 4


def test_without_a_device_the_states_are_unknown_and_not_zero(store: Store) -> None:
    [row] = ask(store, "overview", rank=3)
    assert (row.device_id, row.idle, row.computing, row.waiting) == (None, None, None, None)
    assert (row.period, row.idle_share) == (0, None)


def test_the_ledger_sums_to_the_period_in_the_order_of_precedence(store: Store) -> None:
    rows = ask(store, "ledger", step=50)
    assert sum(row.dur for row in rows) == 100
    states = [row.state for row in rows]
    assert states == sorted(states, key=LEDGER_STATES.index)
    assert rows[0] == LedgerRow(0, 5, 50, "computing", None, 40, 100, 0.4)
    assert rows[-2:] == [
        LedgerRow(0, 5, 50, "idle", "lead_in: dataloader", 10, 100, 0.1),
        LedgerRow(0, 5, 50, "idle", "unknown", 5, 100, 0.05),
    ]


def test_steps_are_compared_with_the_median_of_their_rank(store: Store) -> None:
    first, second = ask(store, "steps", rank=0)
    assert first == StepsRow(
        0, 50, "train", "profiler_step", False, False, None, 1000, 100, 100, 0, False, None,
        1000, 90, 1010, 90,
        computing=40, communication=None, communication_not_overlapped=None, overlapped=None,
        free=7, stage=None, bubble=None, preparing=None, figures_source="step_trace_time",
    )  # fmt: skip
    assert (second.step, second.dur, second.median, second.from_median_ns) == (51, 200, 100, 100)
    assert (second.host_ts, second.device_ts) == (None, None)


def test_the_median_stays_that_of_all_steps_when_one_is_asked_for(store: Store) -> None:
    assert [row.median for row in ask(store, "steps", step=51)] == [100]


def test_the_median_leaves_warm_up_out(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    periods = [(900, True), (800, True), (10, False), (30, False), (20, False)]
    for step, (dur, warmup) in enumerate(periods):
        builder.add(
            "step",
            step=step,
            kind="train",
            source="x",
            inferred=False,
            warmup=warmup,
            ts=step * 1000,
            dur=dur,
        )
    rows = ask(builder.build(), "steps")
    assert [(row.median, row.from_median_ns) for row in rows] == [
        (20, 880), (20, 780), (20, -10), (20, 10), (20, 0),
    ]  # fmt: skip


def test_figures_say_where_they_come_from(store: Store) -> None:
    assert ask(store, "figures", rank=0)[0] == FiguresRow(
        0, 50, "step_trace_time", 40, None, None, None, 7, None, 90, None, None, None
    )
    assert ask(store, "figures", rank=3)[0].figures_source is None


def test_steps_without_times_come_last(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("step", step=1, kind="train", source="step_trace_time", inferred=True)
    builder.add("step", step=2, kind="train", source="profiler_step", inferred=False, ts=9, dur=1)
    store = builder.build()
    for question in ("steps", "overview", "figures"):
        assert [row.step for row in ask(store, question)] == [2, 1]
