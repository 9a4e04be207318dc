"""The vendor's figures of collectives beside ours, and why they differ."""

from collections import Counter
from pathlib import Path

import pytest
from concluded import Conclude
from conftest import Ingest
from store_build import StoreBuilder, ask

from npuview.ingest.store import Store

LATE = {0: {1: 10, 2: 0, 5: 900}, 1: {0: 0, 2: 5, 5: 880}}
"""First waits of each rank for its peers: both wait for rank 5, which is not here."""


def figures(builder: StoreBuilder, rank: int, *, wait: int, transit: int) -> None:
    """Add a collective of 1000 ns that moves data for 80, and what the vendor says of it."""
    builder.rank(rank).add("profile", rank_known=True, clock_offset=0)
    builder.add("step", step=1, ts=0, dur=2000)
    late = LATE[rank]
    last = max(late, key=lambda peer: late[peer])
    builder.add(
        "collective",
        collective_id=1,
        step=1,
        name="hcom_allReduce__586_0_1",
        group="0",
        communicator="0_586",
        nth=1,
        match_key=7,
        ts=100,
        dur=1000,
        transfer_ns=80,
        wait_ns=late[last],
        last_peer=last,
        last_number=last,
    )
    for peer, ns in late.items():
        builder.add("peer_arrival", collective_id=1, number=peer, peer=peer, wait_ns=ns)
    builder.add(
        "vendor_collective",
        step=1,
        kind="collective",
        name="hcom_allReduce__586_0_1",
        group="hash",
        ts=100,
        elapse_ns=1000,
        transit_ns=transit,
        wait_ns=wait,
        synchronization_ns=0,
        idle_ns=1000 - wait - transit,
        wait_ratio=round(wait / (wait + transit), 4),
        bytes=64,
        total=160,
        collective_id=1,
        plane=1,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    builder = StoreBuilder(tmp_path)
    figures(builder, 0, wait=10, transit=20)
    figures(builder, 1, wait=0, transit=20)
    builder.rank(0).add(
        "vendor_collective", step=1, name="hcom_broadcast__586_1", elapse_ns=5, wait_ns=0
    )
    for dst, total in ((1, 400), (2, 900), (3, 10)):
        builder.add(
            "vendor_link",
            step=1,
            operation="allreduce",
            choice="total",
            group="hash",
            own_group="0",
            src=0,
            dst=dst,
            peer=dst,
            transport="HCCS",
            bytes=64 * dst,
            total=total,
        )
    builder.add("vendor_link", step=1, operation="allreduce", choice="top1", src=0, dst=1)
    for number, total in ((1, 300), (1, 100), (2, 100_000)):
        builder.add(
            "link",
            step=1,
            group="0",
            operation="hcom_allReduce",
            task="Memcpy",
            number=number,
            peer=number,
            link="HCCS",
            count=1,
            bytes=32 if number == 1 else 128,
            total=total,
        )
    return builder.build()


def test_collectives_stand_beside_the_vendors_figures_with_the_reason(store: Store) -> None:
    first, second, other = ask(store, "vendor_collectives")
    assert (first.rank, first.wait_ns, first.own_wait_ns) == (0, 10, 900)
    assert (first.elapse_ns, first.dur, first.idle_ns, first.own_rest_ns) == (1000, 1000, 970, 20)
    assert (first.transit_ns, first.transfer_ns) == (20, 80)
    assert (first.wait_ratio, round(first.own_wait_ratio, 4)) == (0.3333, 0.9184)
    assert (second.rank, second.plane) == (1, 1)
    assert (other.name, other.dur, other.plane) == ("hcom_broadcast__586_1", None, None)
    assert "no collective of this name" in other.about
    assert [row.rank for row in ask(store, "vendor_collectives", rank=1)] == [1]
    assert len(ask(store, "vendor_collectives", step=2)) == 0


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "the vendor counts plane 3 alone"),
        ({"wait_ns": 900, "transit_ns": 80}, "the same on plane 3 as on all planes"),
        ({"plane": None}, "no single plane"),
    ],
)
def test_each_difference_has_its_reason_in_words(
    tmp_path: Path, changes: dict[str, int | None], reason: str
) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    own = {"collective_id": 1, "step": 1, "name": "a", "ts": 0, "dur": 10_000}
    builder.add("collective", **own, transfer_ns=80, wait_ns=900)
    vendor: dict[str, int | str | None] = {"wait_ns": 5000, "transit_ns": 80, "plane": 3}
    builder.add("vendor_collective", collective_id=1, name="a", step=1, **{**vendor, **changes})
    [row] = ask(builder.build(), "vendor_collectives")
    assert row.about.startswith(reason)


def test_links_are_compared_by_bytes_and_time(store: Store) -> None:
    rows = {row.dst: row for row in ask(store, "vendor_links")}
    assert (rows[1].bytes, rows[1].own_bytes, rows[1].own_total) == (64, 64, 400)
    assert rows[1].about == "the same"
    assert (rows[2].own_total, rows[2].about[:17]) == (100_000, "the vendor counts")
    assert (rows[3].own_total, rows[3].about) == (None, "the timeline has no plane task of it")
    assert rows[1].bytes_per_s == 64e9 / 400


def test_the_vendors_rule_names_a_rank_that_is_here_and_the_waits_one_that_is_not(
    store: Store,
) -> None:
    [row] = ask(store, "vendor_slow_rank")
    assert (row.ranks, row.vendor_rank, row.vendor_ratio) == (2, 1, 0.0)
    assert (row.peer, row.late_ns, row.collected, row.agrees) == (5, 900, False, False)
    assert "was not collected" in row.about
    [silent] = ask(store, "vendor_slow_rank", least_ratio=0.5)
    assert (silent.vendor_rank, silent.vendor_ratio, silent.agrees) == (None, None, None)
    assert ask(store, "vendor_slow_rank", step=2) == []


def test_the_sums_of_a_step_are_in_the_reconciliation(store: Store) -> None:
    rows = {row.figure: row for row in ask(store, "reconciliation", rank=0)}
    told = {name: (row.official, row.own, row.difference) for name, row in rows.items()}
    assert told == {
        "collective_elapse": (1000, 1000, 0),
        "collective_transit": (20, 80, 60),
        "collective_wait": (10, 900, 890),
        "collective_idle": (970, 20, -950),
    }
    assert {row.source for row in rows.values()} == {"communication.json"}
    assert "plane 1 waits" in rows["collective_wait"].about


def test_in_a_made_up_job_the_vendors_rule_names_another_rank_than_the_one_that_is_late(
    conclude: Conclude,
) -> None:
    job = conclude("late_rank")
    rows = ask(job.store, "vendor_collectives")
    assert {row.plane for row in rows} == {1}
    assert all(row.elapse_ns == row.dur for row in rows)
    assert {row.about for row in ask(job.store, "vendor_links")} == {"the same"}
    for row in ask(job.store, "vendor_slow_rank"):
        late: Counter[int] = Counter()
        names = {one.name for one in rows if one.step == row.step}
        for arrival in job.truth.arrivals:
            if arrival.collective in names:
                late[arrival.peer] = max(late[arrival.peer], arrival.late)
        [(peer, _)] = late.most_common(1)
        assert (row.peer, row.collected, row.agrees) == (peer, True, False)


@pytest.mark.shared
def test_on_a_real_job_the_vendor_counts_plane_1_and_calls_the_wrong_rank_slow(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1").store
    rows = ask(store, "vendor_collectives", step=50)
    assert len(rows) == 8
    assert {row.plane for row in rows} == {1}
    # The file's digits are finer than a ns, and so are the timeline's.
    assert all(row.elapse_ns == row.dur for row in rows)
    first = {row.rank: row for row in rows if row.name == "hcom_allReduce__586_0_1"}
    assert [(first[rank].wait_ns, first[rank].idle_ns) for rank in (0, 1)] == [
        (5_646_633, 73_203_703),
        (32_321, 73_197_623),
    ]
    assert first[0].transit_ns == 239_185 == 137_323 + 101_862
    assert [first[rank].own_wait_ns for rank in (0, 1)] == [78_793_754, 73_180_182]
    [rule] = ask(store, "vendor_slow_rank")
    assert (rule.vendor_rank, rule.peer, rule.collected) == (1, 5, False)
    assert [round(one, 3) for one in (rule.most_ratio, rule.vendor_ratio)] == [0.617, 0.047]


@pytest.mark.shared
def test_on_a_real_job_every_link_has_the_bytes_and_time_that_the_vendor_says(
    shared_data: Path, real: Ingest
) -> None:
    for level in ("level1", "level2"):
        rows = ask(real(shared_data / "torch_npu" / level).store, "vendor_links")
        assert len(rows) == 16
        assert {row.about for row in rows} == {"the same"}
        for row in rows:
            assert row.bytes == row.own_bytes
            assert abs(row.total - row.own_total) <= 4


@pytest.mark.shared
def test_plane_1_moves_what_the_vendor_calls_transit(shared_data: Path, real: Ingest) -> None:
    store = real(shared_data / "torch_npu" / "level1")
    moved = store.rows(
        "SELECT s.name, s.dur FROM slice AS s JOIN track AS t USING (track_id)"
        " JOIN collective AS c ON s.ts BETWEEN c.ts AND c.ts + c.dur"
        " WHERE t.thread_name = 'Plane 1' AND s.part = 'transfer'"
        " AND c.name = 'hcom_allReduce__586_0_1' ORDER BY s.ts"
    )
    assert [dur for _, dur in moved] == [137_323, 101_862]
