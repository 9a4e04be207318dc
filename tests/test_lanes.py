"""Lanes of the timeline: their order, what is folded, and what opens."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_build import row

from npuview.queries.rows_timeline import CountersRow, LanesRow
from npuview.tui.draw.safe_text import cell_len, clean
from npuview.tui.timeline.lanes import LEAST_HOSTS, Lane, Lanes

DUR = 1_000_000
HOST_KINDS = ("python", "host", "cann")

Id = tuple[int, str | None]


def lane(track_id: int, kind: str, part: str | None = None, **values: object) -> LanesRow:
    """Return a lane that is busy for half of the run."""
    known: dict[str, object] = {"sort_order": track_id, "slices": 9, "busy": DUR // 2}
    return row(LanesRow, track_id=track_id, kind=kind, part=part, rank=0, **known | values)


def counter(series_id: int, least: float = 0.0, most: float = 9.0) -> CountersRow:
    return row(
        CountersRow, series_id=series_id, rank=0, name="HBM", key="Read", least=least, most=most
    )


def ids(lanes: Lanes) -> list[Id]:
    return [(one.row.track_id, one.row.part) for one in lanes.shown]


def find(lanes: Lanes, track_id: int) -> Lane:
    return next(one for one in lanes.all if one.row.track_id == track_id)


def a_run(hosts: int = 1) -> list[LanesRow]:
    """Return the lanes of a device between host threads and gaps, in no order."""
    return [
        lane(90, "gap", device_id=0),
        lane(50, "plane", group="a"),
        lane(40, "group", group="a"),
        lane(20, "stream", "waiting", stream_id=2),
        lane(20, "stream", "control", stream_id=2),
        lane(10, "device", device_id=0),
        *(lane(number, "host", busy=DUR - number) for number in range(1, hosts + 1)),
        lane(70, "python"),
        lane(80, "cann", launches=5),
    ]


def test_lanes_stand_from_the_host_over_streams_and_communication_to_the_gaps() -> None:
    assert ids(Lanes.of(a_run(2), [counter(3)])) == [
        (70, None),
        (1, None),
        (2, None),
        (80, None),
        (20, "waiting"),
        (40, None),
        (3, "counter"),
        (90, None),
    ]


def test_parts_of_a_stream_keep_the_order_in_which_they_were_answered() -> None:
    parts = ["cube", "vector", "transfer", "waiting"]
    lanes = Lanes.of([lane(1, "stream", part, stream_id=2) for part in parts])
    assert ids(lanes) == [(1, part) for part in parts]


def test_the_host_thread_that_launches_most_stands_first() -> None:
    rows = [
        lane(1, "cann", launches=None, busy=90),
        lane(2, "cann", launches=7, busy=5),
        lane(3, "cann", launches=900, busy=1),
    ]
    lanes = Lanes.of(rows)
    assert [one.row.track_id for one in lanes.all] == [3, 2, 1]


@given(st.integers(0, 40), st.integers(0, 12))
def test_host_threads_give_way_where_there_is_no_room_and_never_the_device(
    room: int, hosts: int
) -> None:
    lanes = Lanes.of(a_run(hosts), [counter(3), counter(4)]).fitted(room)
    plain = Lanes.of(a_run(hosts), [counter(3), counter(4)])
    kept = [one for one in lanes.shown if one.is_host]
    all_hosts = [one for one in plain.shown if one.is_host]
    others = [one for one in lanes.shown if not one.is_host]
    assert [one for one in others if one.counter is None] == [
        one for one in plain.shown if not one.is_host and one.counter is None
    ]
    assert len(kept) >= min(LEAST_HOSTS, len(all_hosts))
    # As many as there is room for, those that launch and python first.
    assert len(lanes.shown) <= max(room, len(others) + LEAST_HOSTS)
    assert {"python", "cann"} <= {one.row.kind for one in kept}
    if len(plain.shown) <= room:
        assert lanes.shown == plain.shown


def test_more_room_never_hides_a_lane() -> None:
    lanes = Lanes.of(a_run(9), [counter(3)])
    shown = [set(ids(lanes.fitted(room))) for room in range(30)]
    assert all(fewer <= more for fewer, more in pairwise(shown))


def test_a_counter_that_never_changes_has_no_lane_and_the_others_are_folded() -> None:
    lanes = Lanes.of(a_run(), [counter(1, 5.0, 5.0), counter(2), counter(3)])
    counters = [one for one in lanes.all if one.counter is not None]
    assert [(one.row.track_id, one.folded) for one in counters] == [(2, False), (3, True)]
    assert lanes.hidden(counters[0]) == 1
    opened = lanes.turned(counters[0])
    assert [one for one in opened.shown if one.counter] == counters
    # No question about slices is asked of a counter.
    assert set(opened.tracks.split(",")) == {"70", "1", "80", "20", "40", "90"}


def test_a_lane_opens_its_group_then_its_depths_and_then_closes_both() -> None:
    lanes = Lanes.of(
        [lane(1, "stream", "cube", deepest=2), lane(1, "stream", "control"), lane(2, "gap")]
    )
    first = find(lanes, 1)
    assert lanes.hidden(first) == 1
    group = lanes.turned(first)
    assert ids(group) == [(1, "cube"), (1, "control"), (2, None)]
    assert group.hidden(first) == 0
    depths = group.turned(first)
    assert [one.depth for one in depths.shown] == [None, 0, 1, 2, None, None]
    assert depths.turned(first) == lanes


def test_a_sub_lane_closes_what_its_lane_opened() -> None:
    lanes = Lanes.of([lane(1, "cann", launches=1, deepest=1)])
    opened = lanes.turned(find(lanes, 1))
    assert opened.turned(opened.shown[-1]) == lanes


def test_a_lane_without_anything_to_open_stays_as_it_is() -> None:
    lanes = Lanes.of([lane(1, "cann", launches=1, deepest=0), lane(2, "gap")])
    assert lanes.turned(find(lanes, 1)) == lanes


def test_a_folded_lane_is_unfolded_to_be_gone_to() -> None:
    lanes = Lanes.of(a_run())
    assert lanes.index(50, None) is None
    shown = lanes.showing(50, None)
    at = shown.index(50, None)
    assert at is not None
    assert shown.shown[at].row.track_id == 50
    assert lanes.showing(20, "waiting") == lanes
    assert lanes.showing(777, None) == lanes


def test_a_lane_is_found_by_its_depth_where_that_is_open_else_as_a_whole() -> None:
    lanes = Lanes.of([lane(1, "cann", launches=1, deepest=2), lane(2, "gap", device_id=4)])
    opened = lanes.turned(find(lanes, 1))
    assert [opened.index(1, None, depth) for depth in (None, 0, 2, 7)] == [0, 1, 3, 0]
    assert lanes.index(1, None, 2) == 0
    assert [opened.index_of_gaps(device) for device in (4, 5)] == [4, None]


def test_a_device_has_no_lane_of_its_own() -> None:
    assert all(one.row.kind != "device" for one in Lanes.of(a_run()).all)


@pytest.mark.parametrize("kind", ["stream", "group", "plane", "gap", "async", "new kind"])
@given(text=st.text(max_size=30), width=st.integers(1, 30), depth=st.none() | st.integers(0, 99))
def test_a_label_is_clean_and_as_wide_as_its_room(
    kind: str, text: str, width: int, depth: int | None
) -> None:
    made = lane(1, kind, "cube", thread_name=text, stream_id=12345, group=text, deepest=99)
    for one in (Lane(made, folded=False, depth=depth), Lane(made, False, counter=counter(1))):
        label = one.label(width)
        assert cell_len(label) == width
        assert clean(label) == label
