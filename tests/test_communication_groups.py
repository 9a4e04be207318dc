"""Which rank a number of a communication group is, and what tells."""

import json
from pathlib import Path

import pytest
from build import torch_profile
from conftest import Ingest, Ingested

from npuview.ingest.communication_group import CommunicationGroup, cluster_groups, listed_groups

MEMBERS = "SELECT number, peer, inferred FROM group_member ORDER BY number"


def waiting(
    folder: Path,
    ingest: Ingest,
    *,
    group: str = "0",
    tail: str = "586",
    rank: int | None = 1,
    src: int = 1,
    peers: tuple[int, ...] = (0, 2),
    world_size: int | None = None,
    groups: dict[str, list[int]] | None = None,
    others: tuple[str, ...] = (),
) -> Ingested:
    """Ingest a rank that waits once for each peer in a collective of a group."""
    profile = torch_profile(folder, rank=rank, world_size=world_size, groups=groups)
    profile.trace.step(1, 0, 1000)
    for name in (group, *others):
        profile.trace.collective(
            100,
            500,
            name=f"hcom_allReduce__{tail}_0_1",
            group=name,
            waits={peer: (110, 100 + peer) for peer in peers},
            src=src,
        )
    return ingest(profile.write())


def test_a_list_of_the_groups_ranks_says_which_rank_a_number_is(
    tmp_path: Path, ingest: Ingest
) -> None:
    store = waiting(tmp_path, ingest, group="777", groups={"777": [9, 5, 1]}, src=0, peers=(1, 2))
    assert store.rows(MEMBERS) == [(0, 1, False), (1, 5, False), (2, 9, False)]
    assert store.rows("SELECT number, peer, inferred FROM peer_arrival ORDER BY number") == [
        (1, 5, False),
        (2, 9, False),
    ]
    assert store.one("SELECT last_peer, last_number FROM collective") == (9, 2)


def test_timelines_write_the_hash_of_the_name_that_metadata_have() -> None:
    # Both as they stand in one vendor database.
    name = "90.91.105.46%enp189s0f0_60000_0_1736414082311975"
    assert CommunicationGroup(name, (0, 4)).hash == "11978775601474615865"


def test_a_group_is_found_by_its_hash_and_by_the_tail_of_it(tmp_path: Path, ingest: Ingest) -> None:
    name = "10.0.0.1%eth0_60000_0_1700000000000000"
    hashed = CommunicationGroup(name, ()).hash
    groups = {name: [3, 7, 11], "other": [0, 1]}
    by_hash = waiting(tmp_path / "a", ingest, group=hashed, tail="1", groups=groups)
    assert by_hash.rows(MEMBERS) == [(0, 3, False), (1, 7, False), (2, 11, False)]
    by_tail = waiting(tmp_path / "b", ingest, group="0", tail=hashed[-3:], groups=groups)
    assert by_tail.rows(MEMBERS) == by_hash.rows(MEMBERS)


def test_the_group_of_the_whole_job_numbers_ranks_as_the_job_does(
    tmp_path: Path, ingest: Ingest
) -> None:
    store = waiting(tmp_path, ingest, world_size=3)
    assert store.rows(MEMBERS) == [(0, 0, False), (1, 1, False), (2, 2, False)]


def test_the_only_group_whose_number_for_this_rank_is_its_rank_is_taken_for_the_job(
    tmp_path: Path, ingest: Ingest
) -> None:
    assert waiting(tmp_path, ingest).rows(MEMBERS) == [(0, 0, True), (1, 1, True), (2, 2, True)]


@pytest.mark.parametrize(
    "given",
    [
        {"world_size": 16},
        {"rank": None},
        {"rank": 9},
        {"others": ("1",)},
    ],
    ids=["part of the job", "rank not known", "numbers differ from ranks", "several groups"],
)
def test_numbers_that_nothing_maps_stay_numbers(
    given: dict[str, object], tmp_path: Path, ingest: Ingest
) -> None:
    store = waiting(tmp_path, ingest, **given)  # type: ignore[arg-type]
    assert set(store.rows(MEMBERS)) == {(0, None, False), (1, None, False), (2, None, False)}
    assert store.rows("SELECT DISTINCT last_peer, last_number FROM collective") == [(None, 2)]
    assert store.rows("SELECT DISTINCT peer, inferred FROM peer_arrival") == [(None, False)]


@pytest.mark.parametrize(
    "listed", [None, [], {"g": None}, {"g": {"global_ranks": []}}, {"g": {"global_ranks": ["a"]}},
               {"g": {"global_ranks": [True, 1 << 40]}}]
)  # fmt: skip
def test_a_list_of_groups_that_says_nothing_is_none(listed: object) -> None:
    assert listed_groups({"parallel_group_info": listed}) == ()


NAMED = "10.0.0.1%eth0_60000_0_1700000000000000"


@pytest.mark.parametrize("folder", ["", "cluster_analysis_output"])
@pytest.mark.parametrize("named", [True, False])
def test_the_groups_of_a_cluster_say_which_rank_a_number_is(
    tmp_path: Path, ingest: Ingest, folder: str, named: bool
) -> None:
    hashed = CommunicationGroup(NAMED, ()).hash
    groups = [
        {"rank_set": [11, 7, 3], "group_name": hashed, "group_id": NAMED if named else None},
        {"rank_set": [0, 1, 2], "group_name": "1", "group_id": "2"},
    ]
    job = tmp_path / "job"
    (job / folder).mkdir(parents=True)
    listed = {"collective": [[3, 7, 11]], "comm_group_parallel_info": groups}
    (job / folder / "communication_group.json").write_text(json.dumps(listed))
    profile = torch_profile(job, rank=7)
    profile.trace.step(1, 0, 1000)
    profile.trace.collective(100, 500, group=hashed, waits={0: (110, 100), 2: (110, 50)}, src=1)
    profile.write()
    assert ingest(job).rows(MEMBERS) == [(0, 3, False), (1, 7, False), (2, 11, False)]


def test_groups_of_a_cluster_without_names_say_nothing_and_that_is_told(
    tmp_path: Path, ingest: Ingest
) -> None:
    job = tmp_path / "job"
    job.mkdir()
    (job / "communication_group.json").write_text('{"collective": [[0, 1]], "p2p": [[0, 1]]}')
    profile = torch_profile(job, rank=1)
    profile.trace.kernel("Add", 0, 10)
    profile.write()
    assert ingest(job).rows("SELECT file, severity FROM import_stat WHERE name = 'not_read'") == [
        ("communication_group.json", "info")
    ]


@pytest.mark.parametrize(
    "entry",
    [None, 3, {}, {"group_name": "1"}, {"group_name": "1", "rank_set": "0, 1"},
     {"group_name": 1, "rank_set": [0]}, {"group_name": "1", "rank_set": [-1]}],
)  # fmt: skip
def test_what_is_no_group_of_a_cluster_is_none(entry: object) -> None:
    assert cluster_groups({"comm_group_parallel_info": [entry]}) == ()
    assert cluster_groups({"comm_group_parallel_info": entry}) == ()


@pytest.mark.shared
def test_the_groups_of_a_real_cluster_have_the_hashes_of_their_names(shared_data: Path) -> None:
    listed = json.loads((shared_data / "cluster" / "communication_group.json").read_text())
    groups = cluster_groups(listed)
    # The one of all ranks for p2p has no name.
    hashes = {entry["group_name"] for entry in listed["comm_group_parallel_info"]} - {""}
    assert {group.hash for group in groups} == hashes
    assert all("%" in group.name for group in groups)


def test_an_arrival_names_the_wait_that_shows_it(tmp_path: Path, ingest: Ingest) -> None:
    store = waiting(tmp_path, ingest)
    assert store.rows(
        "SELECT a.number, s.name, s.dur FROM peer_arrival AS a JOIN slice AS s USING (slice_id)"
        " ORDER BY a.number"
    ) == [(0, "Notify_Wait", 100), (2, "Notify_Wait", 102)]


@pytest.mark.shared
def test_the_peers_of_a_real_job_are_its_ranks_and_their_arrivals_those_found_by_hand(
    shared_data: Path, real: Ingest
) -> None:
    found = json.loads((shared_data.parent / "reference" / "worked_example.json").read_text())
    store = real(shared_data / "torch_npu" / "level1")
    for rank in (0, 1):
        by_hand = found[f"torch_npu/level1/rank{rank}_ascend_pt step 50"]["collectives"]
        for one in by_hand:
            arrivals = store.rows(
                "SELECT a.peer, a.wait_ns FROM peer_arrival AS a"
                f" JOIN collective USING (collective_id) WHERE name = '{one['name']}'",
                rank,
            )
            waits = one["first_wait_per_peer_ns"]
            assert dict(arrivals) == {int(peer): waits[peer] for peer in waits}
        assert store.rows("SELECT last_peer FROM collective ORDER BY ts", rank) == [
            (one["last_peer"],) for one in by_hand
        ]
        assert store.rows("SELECT DISTINCT inferred FROM peer_arrival", rank) == [(True,)]
