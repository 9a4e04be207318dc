"""Who comes late to collectives: by waits, by comparison, by clocks, or not to be told."""

from pathlib import Path
from zlib import crc32

import pytest
from build import torch_profile
from conftest import Ingest
from store_build import StoreBuilder, ask, identifier

from npuview.ingest.store import Store
from npuview.queries.rows_communication import (
    LateArrivalsRow,
    LateRanksRow,
    RanksRow,
)

NAME = "hcom_allReduce__586_0_1"


class Job:
    """Ranks of one job, each with the collectives that its profile shows."""

    def __init__(self, path: Path, *, world_size: int | None = None) -> None:
        self._builder = StoreBuilder(path)
        self._world_size = world_size
        self._count = 0

    def rank(self, rank: int, *, offset: int | None = 0, known: bool = True) -> "Job":
        """Go on with a rank whose clock is ``offset`` ns behind the wall clock."""
        self._builder.rank(rank).add(
            "profile", rank_known=known, world_size=self._world_size, device_id=rank,
            host="h", clock_offset=offset,
        )  # fmt: skip
        self._builder.add("step", step=1, ts=0, dur=1000, source="x", kind="train", inferred=False)
        return self

    def collective(
        self,
        ts: int,
        dur: int,
        *,
        name: str = NAME,
        group: str = "0",
        waits: dict[int, int] | None = None,
        mapped: bool = True,
        size: int | None = None,
        step: int = 1,
    ) -> "Job":
        """Add a collective; with ``waits`` its planes show how long each peer was waited for."""
        self._count += 1
        planes = waits is not None
        self._builder.add(
            "collective", collective_id=self._count, name=name, group=group, step=step, ts=ts,
            communicator=group, nth=1, match_key=crc32(f"{group} {step} {name}".encode()),
            dur=dur, bytes=size, transfer_ns=5 if planes else None,
            wait_ns=dur - 5 if planes else None,
        )  # fmt: skip
        for number, wait in (waits or {}).items():
            self._builder.add(
                "peer_arrival", collective_id=self._count, number=number,
                peer=number if mapped else None, wait_ns=wait, inferred=False,
                source="notify_wait",
            )  # fmt: skip
        return self

    def spent(self, **states: int) -> "Job":
        """Say what the device of the rank did."""
        for state, dur in states.items():
            self._builder.add("ledger", step=1, state=state, dur=dur)
        return self

    def build(self) -> Store:
        return self._builder.build()


def late(store: Store, **asked: object) -> list[tuple[object, ...]]:
    rows: list[LateRanksRow] = ask(store, "late_ranks", **asked)
    return [(row.peer, row.collected, row.times_last, row.late_ns, row.source) for row in rows]


def test_the_wait_of_whoever_came_first_says_how_late_a_rank_came(tmp_path: Path) -> None:
    job = Job(tmp_path).rank(0).collective(100, 90, waits={1: 50, 5: 80})
    job.rank(1).collective(150, 40, waits={0: 0, 5: 30})
    assert late(job.build()) == [
        (5, False, 1, 80, "notify_wait"),
        (1, True, 0, 50, "notify_wait"),
        (0, True, 0, 0, "notify_wait"),
    ]


def test_starts_on_aligned_clocks_check_the_waits(tmp_path: Path) -> None:
    job = Job(tmp_path).rank(0, offset=1000).collective(100, 90, waits={1: 50})
    job.rank(1, offset=0).collective(1153, 40, waits={0: 1})
    rows: list[LateRanksRow] = ask(job.build(), "late_ranks")
    assert [(row.peer, row.late_ns, row.clock_late_ns, row.ends_apart_ns) for row in rows] == [
        (1, 50, 53, 3),
        (0, 1, 0, 3),
    ]


def test_ranks_whose_clocks_are_not_known_are_not_compared_by_them(tmp_path: Path) -> None:
    job = Job(tmp_path).rank(0, offset=None).collective(100, 90, waits={2: 50})
    job.rank(1).collective(700, 40, waits={2: 3})
    assert late(job.build()) == [
        (2, False, 1, 50, "notify_wait"),
        (0, True, 0, None, "cannot_tell"),
        (1, True, 0, None, "cannot_tell"),
    ]


def test_a_rank_that_nobody_waits_for_goes_by_its_clock(tmp_path: Path) -> None:
    job = Job(tmp_path).rank(0).collective(100, 90, waits={2: 50})
    job.rank(1).collective(130, 60, waits={2: 20})
    assert late(job.build())[1:] == [(1, True, 0, 30, "clocks"), (0, True, 0, 0, "clocks")]


def test_without_plane_tasks_the_rank_with_the_shortest_collective_came_last(
    tmp_path: Path,
) -> None:
    job = Job(tmp_path, world_size=2).rank(0).collective(100, 90, size=1000)
    job.rank(1).collective(160, 30, size=1000)
    rows: list[LateRanksRow] = ask(job.build(), "late_ranks")
    assert [(row.peer, row.times_last, row.late_ns, row.source, row.inferred) for row in rows] == [
        (1, 1, 60, "compared", True),
        (0, 0, 0, "compared", True),
    ]


def test_what_even_the_last_rank_here_waited_is_for_a_rank_that_is_not_here(
    tmp_path: Path,
) -> None:
    job = Job(tmp_path)
    for rank, dur in ((0, 900), (1, 700)):
        job.rank(rank).collective(1000 - dur, dur, size=1000)
        # The best rate: 1000 bytes in 100 ns.
        job.collective(2000, 100, name="hcom_allReduce__586_1_1", size=1000)
    [unnamed, *others] = ask(job.build(), "late_ranks")
    assert (unnamed.peer, unnamed.number, unnamed.collected) == (None, None, False)
    assert (unnamed.late_ns, unnamed.least_wait_ns, unnamed.times_last) == (800, 600, 1)
    assert (unnamed.source, unnamed.inferred) == ("compared", True)
    assert [(row.peer, row.late_ns) for row in others] == [(1, 200), (0, 0)]


def test_of_one_rank_without_plane_tasks_nothing_can_be_told(tmp_path: Path) -> None:
    [row] = ask(Job(tmp_path).rank(3).collective(100, 90, size=1000).build(), "late_ranks")
    assert row == LateRanksRow(
        "0", None, 3, True, 1, 0, None, None, identifier(0, 1), None, None, None,
        "cannot_tell", None,
    )  # fmt: skip


def test_collectives_of_ranks_match_by_group_name_and_order_in_the_step(
    tmp_path: Path, ingest: Ingest
) -> None:
    begin = 10**18
    for rank, starts in ((0, (100, 300, 1_100)), (1, (150, 310, 1_107))):
        trace = torch_profile(tmp_path / "job", rank=rank)
        trace.trace.step(1, begin, 1_000)
        trace.trace.step(2, begin + 1_000, 1_000)
        for ts in starts:
            trace.trace.collective(begin + ts, 10)
        # The numbers of groups are each rank's own; the names tell them apart.
        trace.trace.collective(begin + 600, 10, name=f"hcom_allReduce__77{rank}_0_1", group="1")
        trace.write()
    rows: list[LateArrivalsRow] = ask(ingest(tmp_path / "job").store, "late_arrivals", peer=1)
    assert sorted((row.step or 0, row.name[-7:], row.nth, row.clock_late_ns) for row in rows) == [
        (1, "586_0_1", 1, 50),
        (1, "586_0_1", 2, 10),
        (1, "771_0_1", 1, None),
        (2, "586_0_1", 1, 7),
    ]


def test_arrivals_are_listed_latest_first_with_the_last_of_each_collective(tmp_path: Path) -> None:
    store = Job(tmp_path).rank(0).collective(100, 90, waits={1: 50, 5: 80}).build()
    rows: list[LateArrivalsRow] = ask(store, "late_arrivals")
    assert [(row.peer, row.late_ns, row.last) for row in rows] == [
        (5, 80, True),
        (1, 50, False),
        (0, None, None),
    ]
    assert ask(store, "late_arrivals", limit=1) == rows[:1]


def test_numbers_that_are_not_mapped_do_not_pass_for_ranks(tmp_path: Path) -> None:
    store = Job(tmp_path).rank(0).collective(100, 90, waits={0: 50}, mapped=False).build()
    rows: list[LateRanksRow] = ask(store, "late_ranks")
    assert [(row.number, row.peer, row.collected, row.late_ns) for row in rows] == [
        (0, None, None, 50),
        (None, 0, True, None),
    ]
    ranks: list[RanksRow] = ask(store, "ranks")
    assert [(row.rank, row.group, row.number, row.collected) for row in ranks] == [
        (0, None, None, True),
        (None, "0", 0, None),
    ]


def test_every_rank_of_the_job_has_a_row_whether_it_is_here_or_not(tmp_path: Path) -> None:
    job = Job(tmp_path, world_size=3).rank(1).collective(100, 90, waits={0: 0, 2: 70})
    store = job.spent(computing=200, waiting_peer=300, transferring=100, idle=400).build()
    here, *others = sorted(ask(store, "ranks"), key=lambda row: row.rank != 1)
    assert here == RanksRow(
        1, None, None, True, 1, "h", 1, 1000, None, 0, 1, None, "cannot_tell", None, 1000, 200,
        300, 100, 0, 400, 0.3, 0.4,
    )  # fmt: skip
    assert [(row.rank, row.collected, row.late_ns, row.times_last) for row in others] == [
        (0, False, 0, 0),
        (2, False, 70, 1),
    ]
    assert {row.idle for row in others} == {None}


def test_time_in_collectives_without_plane_tasks_is_neither_waiting_nor_moving(
    tmp_path: Path,
) -> None:
    job = Job(tmp_path).rank(0).collective(100, 90)
    [row] = ask(job.spent(collective_other=600, idle=400).build(), "ranks", step=1)
    assert (row.waiting, row.moving, row.collective_unsplit) == (None, None, 600)


@pytest.mark.shared
def test_waits_and_clocks_of_a_real_job_prove_the_same_rank_late(
    shared_data: Path, real: Ingest
) -> None:
    rows = ask(real(shared_data / "torch_npu" / "level1").store, "late_ranks")
    late = {row.peer: row for row in rows}
    assert rows[0].peer == 5
    assert (late[5].collected, late[5].times_last, late[5].longest) == (False, 4, 78_764_614)
    assert (late[1].collected, late[1].longest, late[1].clock_late_ns) == (
        True, 5_615_692, 5_607_716,
    )  # fmt: skip
    assert late[1].ends_apart_ns < 15_000


@pytest.mark.shared
def test_the_late_rank_of_a_real_job_without_plane_tasks_is_not_in_the_data(
    shared_data: Path, real: Ingest
) -> None:
    rows = ask(real(shared_data / "torch_npu" / "level0").store, "late_arrivals", limit=1)
    assert [(row.peer, row.collected, row.least_wait_ns) for row in rows] == [
        (None, False, 55_813_553)
    ]
