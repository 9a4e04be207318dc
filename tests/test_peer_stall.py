"""For whom a device waits at each instant of its waits for peers and stages."""

import threading
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.workspace import Workspace

COLLECTIVE = 500
STALLS = (
    "SELECT ts, end_ts, state, cause, peer, evidence_slice_id, inferred FROM peer_stall ORDER BY ts"
)
WAIT_ROWS = pa.schema(
    [
        ("slice_id", pa.int64()),
        ("device_id", pa.int32()),
        ("group_name", pa.string()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
        ("moves", pa.bool_()),
        ("number", pa.int32()),
    ]
)
SEGMENT_ROWS = pa.schema(
    [("device_id", pa.int32()), ("ts", pa.int64()), ("end_ts", pa.int64()), ("state", pa.uint8())]
)
MEMBER_ROWS = pa.schema(
    [
        ("group", pa.string()),
        ("number", pa.int32()),
        ("peer", pa.int32()),
        ("inferred", pa.bool_()),
    ]
)
MEMBERS = [("g", 0, 0, False), ("g", 1, 4, True), ("h", 1, None, False), ("h", 2, 4, False)]
NAMES = {("g", 0): "rank 0", ("g", 1): "rank 4", ("h", 1): "peer 1", ("h", 2): "rank 4"}


class Wait(NamedTuple):
    """A wait task of a group for the peer that the group numbers so."""

    group: str
    number: int | None
    ts: int
    end_ts: int


class Segment(NamedTuple):
    """A stretch of a device's time in one state."""

    ts: int
    end_ts: int
    state: int


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("stalls")
    with Workspace(folder, threads=1, stop=threading.Event()) as space:
        yield space


def stalls(
    space: Workspace, waits: list[Wait], segments: list[Segment]
) -> list[tuple[object, ...]]:
    """Return the stalls of device 3, whose one collective lasts from 0 to 1000."""
    wait_rows = [
        {"slice_id": slice_id, "device_id": 3, "moves": False, "ts": one.ts, "end_ts": one.end_ts,
         "group_name": one.group, "number": one.number}
        for slice_id, one in enumerate(waits)
    ]  # fmt: skip
    segment_rows = [{"device_id": 3, **one._asdict()} for one in segments]
    members = [dict(zip(MEMBER_ROWS.names, one, strict=True)) for one in MEMBERS]
    tables = {
        "plane_task": pa.Table.from_pylist(wait_rows, schema=WAIT_ROWS),
        "device_segment": pa.Table.from_pylist(segment_rows, schema=SEGMENT_ROWS),
        "group_member": pa.Table.from_pylist(members, schema=MEMBER_ROWS),
        "lane": pa.table({"track_id": [1], "device_id": [3], "kind": ["group"]}),
        "placed": pa.table({"slice_id": [COLLECTIVE], "track_id": [1], "ts": [0], "dur": [1000]}),
    }
    for name, rows in tables.items():
        space.add(name, rows)
    space.derive("peer_stall")
    found = space.rows(STALLS)
    space.drop("peer_stall", *tables)
    return found


def test_a_stall_has_the_one_rank_that_is_missing_and_the_wait_for_it(space: Workspace) -> None:
    waits = [Wait("g", 0, 10, 30), Wait("g", 1, 10, 90)]
    assert stalls(space, waits, [Segment(10, 90, 6)]) == [
        (10, 30, 6, "several ranks", None, COLLECTIVE, False),
        (30, 90, 6, "rank 4", 4, 1, True),
    ]


def test_a_number_that_no_list_explains_is_a_peer(space: Workspace) -> None:
    assert stalls(space, [Wait("h", 1, 0, 50)], [Segment(0, 50, 7)]) == [
        (0, 50, 7, "peer 1", None, 0, False)
    ]


def test_a_wait_without_a_peer_is_unknown_and_shown_by_its_collective(space: Workspace) -> None:
    assert stalls(space, [Wait("g", None, 0, 50)], [Segment(0, 50, 6)]) == [
        (0, 50, 6, "unknown", None, COLLECTIVE, False)
    ]


def test_several_waits_for_one_rank_are_one_even_in_two_groups(space: Workspace) -> None:
    waits = [Wait("g", 1, 0, 60), Wait("h", 2, 20, 90), Wait("g", 1, 30, 40)]
    found = stalls(space, waits, [Segment(0, 90, 6)])
    assert {one[2:] for one in found} == {(6, "rank 4", 4, 0, True)}
    assert (found[0][0], found[-1][1]) == (0, 90)


def test_a_stall_lies_in_one_segment_of_a_waiting_state(space: Workspace) -> None:
    segments = [Segment(0, 20, 1), Segment(20, 40, 6), Segment(40, 60, 6), Segment(60, 100, 5)]
    assert [one[:2] for one in stalls(space, [Wait("g", 0, 0, 100)], segments)] == [
        (20, 40),
        (40, 60),
    ]


waiting = st.lists(
    st.builds(
        lambda of, ts, dur: Wait(of[0], of[1], ts, ts + dur),
        st.sampled_from([*NAMES, ("g", None)]),
        st.integers(0, 30),
        st.integers(0, 12),
    ),
    max_size=8,
)
states = st.lists(st.sampled_from([1, 5, 6, 7, 10]), min_size=40, max_size=40)


@settings(max_examples=40, deadline=None)
@given(waiting, states)
def test_stalls_tile_the_waits_and_equal_a_look_at_every_nanosecond(
    space: Workspace, waits: list[Wait], states: list[int]
) -> None:
    segments = [Segment(ts, ts + 1, state) for ts, state in enumerate(states)]
    told: dict[int, tuple[object, object]] = {}
    for ts, end_ts, state, cause, *_ in stalls(space, waits, segments):
        assert isinstance(ts, int)
        assert isinstance(end_ts, int)
        for instant in range(ts, end_ts):
            assert instant not in told
            told[instant] = (state, cause)
    expected: dict[int, tuple[object, object]] = {}
    for instant, state in enumerate(states):
        if state not in {6, 7}:
            continue
        missing = {
            NAMES[one.group, one.number]
            for one in waits
            if one.number is not None and one.ts <= instant < one.end_ts
        }
        cause = "unknown" if not missing else "several ranks"
        expected[instant] = (state, missing.pop() if len(missing) == 1 else cause)
    assert told == expected
