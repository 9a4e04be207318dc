"""Questions about time without work: stalls, causes, phases, and the vendor's figures beside."""

from pathlib import Path

import pytest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two steps of 1000 ns on one device, with stalls of three kinds."""
    builder = StoreBuilder(tmp_path).rank(0)
    for step in (1, 2):
        builder.add(
            "step",
            step=step,
            kind="train",
            source="x",
            inferred=False,
            ts=1000 * step,
            dur=1000,
            computing=301,
            communication_not_overlapped=200,
            free=100,
            stage=600,
            preparing=400,
            figures_source="overlap_lane",
        )
    for slice_, name in ((1, "MatMul"), (2, "Enqueue"), (3, "main.py(7): train")):
        builder.add("slice", slice_id=slice_, track_id=1, ts=0, dur=1, name=name, class_="host")
    stalls: list[tuple[int, str, str | None, int, int, str, str | None, int | None]] = [
        # step, state, place, ts, dur, cause, stage, line
        (1, "idle", "lead_in", 1000, 400, "host_framework", "framework", 3),
        (1, "idle", "between", 1500, 80, "host_framework", "framework", 3),
        (1, "idle", "between", 1600, 20, "host_framework", "framework", None),
        (1, "waiting_peer", None, 1700, 200, "rank 5", None, None),
        (2, "idle", "between", 2100, 100, "profiler", "device", 3),
    ]
    for number, (step, state, place, ts, dur, cause, stage, line) in enumerate(stalls):
        builder.add(
            "stall",
            stall_id=number,
            device_id=0,
            step=step,
            state=state,
            place=place,
            ts=ts,
            dur=dur,
            cause=cause,
            stage=stage,
            next_slice_id=1,
            evidence_slice_id=2,
            line_slice_id=line,
            inferred=cause == "profiler",
        )
    ledger = [
        ("lead_in", "idle", "lead_in:host_framework", 400),
        ("body", "computing", None, 300),
        ("body", "idle", "host_framework", 100),
        ("body", "waiting_peer", "rank 5", 200),
    ]
    for phase, state, cause, dur in ledger:
        builder.add("ledger", device_id=0, step=1, phase=phase, state=state, cause=cause, dur=dur)
    return builder.build()


def test_stalls_name_what_shows_them_longest_first(store: Store) -> None:
    first, second, *_ = ask(store, "stalls")
    assert (first.dur, first.cause, first.evidence_name) == (400, "host_framework", "Enqueue")
    assert (first.line, first.next_name, first.period_share) == ("main.py(7): train", "MatMul", 0.4)
    assert (second.state, second.dur, second.line) == ("waiting_peer", 200, None)
    assert [row.dur for row in ask(store, "stalls", cause="profiler")] == [100]
    assert [row.dur for row in ask(store, "stalls", from_ts=1580, to_ts=1700)] == [20]


def test_causes_sum_the_stalls_of_all_steps(store: Store) -> None:
    lead_in, peer, *rest = ask(store, "causes")
    assert (lead_in.place, lead_in.cause, lead_in.total, lead_in.per_step) == (
        "lead_in",
        "host_framework",
        400,
        200,
    )
    assert (lead_in.period_share, lead_in.stall_share) == (0.2, 0.5)
    assert (peer.cause, peer.total) == ("rank 5", 200)
    assert [(row.cause, row.count_, row.total, row.p50, row.longest) for row in rest] == [
        ("host_framework", 2, 100, 20, 80),
        ("profiler", 1, 100, 100, 100),
    ]
    assert [row.inferred_ns for row in rest] == [0, 100]


def test_causes_are_listed_by_line_call_and_operator_too(store: Store) -> None:
    by_line = ask(store, "causes", by="line", cause="host_framework")
    assert [(row.name, row.total) for row in by_line] == [("main.py(7): train", 480), (None, 20)]
    assert [row.name for row in ask(store, "causes", by="operator", step=2)] == ["MatMul"]
    [call] = ask(store, "causes", by="call", step=2)
    assert (call.name, call.per_step, call.evidence_slice_id) == ("Enqueue", 100, identifier(0, 2))


def test_phases_sum_to_the_period_and_name_what_costs_most(store: Store) -> None:
    rows = ask(store, "phases")
    assert [(row.phase, row.dur, row.computing, row.waiting, row.idle) for row in rows] == [
        ("lead_in", 400, 0, 0, 400),
        ("body", 600, 300, 200, 100),
    ]
    assert [row.main_cause for row in rows] == ["lead_in:host_framework", "rank 5"]
    assert rows[1].busy_share == 0.5


def test_the_vendors_figures_stand_beside_those_of_the_ledger(store: Store) -> None:
    rows = ask(store, "reconciliation")
    assert [(row.figure, row.official, row.own, row.difference) for row in rows] == [
        ("computing", 301, 300, -1),
        ("communication_not_overlapped", 200, 200, 0),
        ("free", 100, 100, 0),
        ("stage", 600, 600, 0),
        ("preparing", 400, 400, 0),
    ]
