"""Waits, copies, collectives and who came late; calls on the host."""

from pathlib import Path

import pytest
from device_store import device_store
from store_build import StoreBuilder, ask

from npuview.ingest.store import Store
from npuview.queries.rows import (
    CollectivesRow,
    HostApiRow,
    PeerArrivalsRow,
    PeersRow,
    WaitCallsRow,
    WaitsRow,
)
from npuview.queries.rows_moving import CopiesRow, CopyCallsRow, PingPongRow


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return device_store(tmp_path_factory.mktemp("planes"), planes=True).build()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return device_store(tmp_path_factory.mktemp("plain"), planes=False).build()


def test_a_wait_that_a_plane_and_a_stream_show_counts_with_its_collective(store: Store) -> None:
    assert ask(store, "wait_calls") == [
        WaitCallsRow("peer", 0, 0, 1, 40, 4, "hcom_allReduce_", 300, 100, 80, 1, 5, 5),
        WaitCallsRow("event", 0, 0, 1, 12, 1, "EVENT_WAIT", 100, 30, 30, None, None, None),
        WaitCallsRow("event", 0, 0, 1, 11, 1, "EVENT_WAIT", 50, 20, 20, None, None, None),
        WaitCallsRow("event", 0, 0, 1, 22, 2, "EVENT_WAIT", 280, 5, 5, None, None, None),
        WaitCallsRow("event", 0, 0, 1, 23, 2, "EVENT_WAIT", 300, 4, 4, None, None, None),
    ]


def test_without_planes_the_wait_for_a_rank_is_a_notify_wait(plain: Store) -> None:
    rows = ask(plain, "wait_calls")
    assert [(row.kind, row.slice_id) for row in rows] == [
        ("notify", 20), ("event", 12), ("event", 11), ("event", 22), ("event", 23),
    ]  # fmt: skip


def test_waits_are_summed_by_kind_and_name_with_their_share_of_the_step(store: Store) -> None:
    assert ask(store, "waits") == [
        WaitsRow("peer", 0, 0, 1, "hcom_allReduce_", 5, 5, 1, 80, 80, 40, 0.08),
        WaitsRow("event", 0, 0, 1, "EVENT_WAIT", None, None, 4, 59, 30, 12, 0.059),
    ]
    assert [row.total for row in ask(store, "waits", kind="event")] == [59]


def test_waits_of_a_window_are_those_that_overlap_it(store: Store) -> None:
    rows = ask(store, "wait_calls", from_ts=70, to_ts=300)
    assert [row.slice_id for row in rows] == [12, 22]


def test_copies_are_summed_by_direction_task_type_and_name(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=True)
    for slice_, ts in ((60, 700), (61, 800)):
        builder.add(
            "slice", slice_id=slice_, track_id=1, ts=ts, dur=40, name="MEMCPY_ASYNC",
            class_="copy", task_type="PCIE_DMA_SQE", stream_id=2, step=1,
        )  # fmt: skip
        builder.add(
            "copy", slice_id=slice_, device_id=0, direction="H2D", exposed_ns=30,
            bytes=4000 if slice_ == 60 else None, blocking=slice_ == 60,
            staging_ns=100 if slice_ == 60 else None,
        )  # fmt: skip
    store = builder.build()
    assert ask(store, "copies") == [
        CopiesRow(0, 0, 1, "H2D", "PCIE_DMA_SQE", "MEMCPY_ASYNC", 2, 80, 40, 60, 0.08, 60, 4000,
                  1, 100e9, 1, 100),
        CopiesRow(0, 0, 1, None, "SDMA_SQE", "MEMCPY_ASYNC", 2, 15, 8, 15, 0.015, 10, None, 0,
                  None, None, None),
        CopiesRow(0, 0, 1, None, "PCIE_DMA_SQE", "MEMCPY_ASYNC", 1, 9, 9, 14, 0.009, 5, None, 0,
                  None, None, None),
    ]  # fmt: skip
    assert [row.slice_id for row in ask(store, "copy_calls", task_type="SDMA_SQE")] == [15, 13]
    assert ask(store, "copy_calls", direction="H2D", limit=1) == [
        CopyCallsRow(60, 0, 0, 1, 1, 2, "PCIE_DMA_SQE", "MEMCPY_ASYNC", 700, 40, "H2D", 4000,
                     100e9, 30, True, 100, 40e9, None, None, None, None),
    ]  # fmt: skip


def test_a_copy_to_the_host_and_one_of_its_size_back_soon_are_a_pair(tmp_path: Path) -> None:
    builder = (
        StoreBuilder(tmp_path)
        .rank(0)
        .add("track", track_id=1, kind="stream", device_id=0, stream_id=2)
    )
    us = 1000
    # Two there, one back; then one back too late, one of another size, and a short one.
    copies = [
        (1, 0, 10, "D2H", 64), (2, 20, 10, "D2H", 64), (3, 40, 10, "H2D", 64),
        (4, 10_100, 10, "D2H", 64), (5, 20_120, 10, "H2D", 64),
        (6, 20_140, 10, "D2H", 32), (7, 20_160, 10, "H2D", 16),
        (8, 20_200, 2, "D2H", 8), (9, 20_210, 2, "H2D", 8),
    ]  # fmt: skip
    for slice_, ts, dur, direction, size in copies:
        builder.add(
            "slice", slice_id=slice_, track_id=1, ts=ts * us, dur=dur * us, name="MEMCPY_ASYNC",
            class_="copy", step=1,
        )  # fmt: skip
        builder.add(
            "copy", slice_id=slice_, device_id=0, direction=direction, bytes=size, exposed_ns=7
        )
    store = builder.build()
    assert ask(store, "ping_pong") == [
        PingPongRow(0, 0, 1, 64, 2, 20 * us, 10 * us, 3, 40 * us, 10 * us, 10 * us, 20 * us, 14,
                    None)
    ]  # fmt: skip
    assert [row.slice_id for row in ask(store, "ping_pong", min_dur=0)] == [2, 8]
    assert [row.slice_id for row in ask(store, "ping_pong", within_ns=11_000 * us)] == [2, 4]


def test_a_collective_says_what_moved_and_for_whom_it_waited(store: Store) -> None:
    assert ask(store, "collectives") == [
        CollectivesRow(1, 0, 0, 1, 40, "hcom_allReduce_", "g", 3000, 300, 100, 15, 80, 0.8,
                       200e9, 5, 5, 80)
    ]  # fmt: skip


def test_without_planes_a_collective_does_not_claim_that_nothing_waited(plain: Store) -> None:
    [row] = ask(plain, "collectives")
    assert (row.transfer_ns, row.wait_ns, row.wait_share, row.bytes_per_s) == (None,) * 4
    assert (row.last_peer, row.last_peer_wait_ns) == (None, None)


def test_peers_come_latest_first_and_by_number_where_equal(store: Store) -> None:
    rows = ask(store, "peer_arrivals", collective_id=1)
    assert [row.peer for row in rows] == [5, 1, 6]
    assert rows[0] == PeerArrivalsRow(
        1, 0, 1, "hcom_allReduce_", "g", 300, 5, 5, 80, None, True, False, False, "notify_wait"
    )
    assert rows[1].last is False


def test_a_late_peer_is_counted_over_all_collectives(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=True)
    builder.add(
        "collective",
        collective_id=2,
        device_id=0,
        step=1,
        name="b",
        group="g",
        ts=500,
        dur=10,
        transfer_ns=1,
        wait_ns=9,
        last_peer=1,
        last_number=1,
    )
    builder.add("peer_arrival", collective_id=2, number=1, peer=1, wait_ns=9, source="x")
    builder.add("peer_arrival", collective_id=2, number=5, peer=5, wait_ns=8, source="x")
    builder.rank(1).add("profile", rank_known=True)
    assert ask(builder.build(), "peers") == [
        PeersRow(0, "g", 5, 5, False, 2, 1, 88, 80),
        PeersRow(0, "g", 1, 1, True, 2, 1, 29, 20),
        PeersRow(0, "g", 6, 6, False, 1, 0, 20, 20),
    ]


def test_the_same_number_in_two_groups_is_two_peers(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for number, group in enumerate(("a", "b", None)):
        builder.add("collective", collective_id=number, group=group, last_number=1)
        builder.add("peer_arrival", collective_id=number, number=1, wait_ns=10 + number)
    assert ask(builder.build(), "peers") == [
        PeersRow(0, None, 1, None, None, 1, 1, 12, 12),
        PeersRow(0, "b", 1, None, None, 1, 1, 11, 11),
        PeersRow(0, "a", 1, None, None, 1, 1, 10, 10),
    ]


def test_host_calls_are_summed_by_name_on_the_lanes_of_one_kind(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=False)
    calls = [
        (60, 5, 0, 30, "aclrtSynchronizeStream"),
        (61, 5, 40, 30, "aclrtSynchronizeStream"),
        (62, 5, 80, 5, "launch"),
        (63, 6, 0, 100, "aten::add"),
    ]
    for slice_, track, ts, dur, name in calls:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=track,
            ts=ts,
            dur=dur,
            name=name,
            class_="host",
            step=1,
        )
    store = builder.build()
    assert ask(store, "host_api") == [
        HostApiRow(0, "cann", "aclrtSynchronizeStream", 2, 60, 30, 30, 60),
        HostApiRow(0, "cann", "launch", 1, 5, 5, 5, 62),
    ]
    assert [row.name for row in ask(store, "host_api", kind="", limit=1)] == ["aten::add"]
    assert ask(store, "host_api", step=2) == []


def test_a_total_beyond_64_bits_is_unknown_and_not_an_error(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0).add("track", track_id=1, kind="cann", sort_order=1)
    for number in range(2):
        builder.add(
            "slice", slice_id=number, track_id=1, ts=0, dur=5 * 10**18, name="open", class_="host"
        )
    store = builder.build()
    [call] = ask(store, "host_api")
    assert (call.total, call.longest) == (None, 5 * 10**18)
    [found] = ask(store, "search", text="open")
    assert (found.count_, found.total) == (2, None)
