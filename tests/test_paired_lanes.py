"""Lanes of two runs: which is which, and in which row both stand."""

from hypothesis import given
from hypothesis import strategies as st
from row_build import row

from npuview.queries.rows_timeline import LanesRow
from npuview.tui.timeline.lane_name import lane_names, nearest_lane
from npuview.tui.timeline.lanes import Lanes
from npuview.tui.timeline.paired_lanes import paired_lanes

KINDS = st.sampled_from(["python", "host", "cann", "stream", "group", "step", "gap"])
PARTS = st.sampled_from([None, "cube", "vector", "waiting"])


def lane(track_id: int, kind: str, part: str | None = None, **values: object) -> LanesRow:
    known: dict[str, object] = {"sort_order": track_id, "slices": 9, "busy": 500_000}
    return row(LanesRow, track_id=track_id, kind=kind, part=part, rank=0, **known | values)


def a_stream(track_id: int, stream_id: int, *parts: str) -> list[LanesRow]:
    return [lane(track_id, "stream", part, stream_id=stream_id) for part in parts]


@st.composite
def runs(draw: st.DrawFn) -> Lanes:
    """Draw the lanes of a run: a few of every kind, with ids of its own."""
    rows: dict[tuple[int, str | None], LanesRow] = {}
    for kind, stream, part, process in draw(
        st.lists(st.tuples(KINDS, st.integers(0, 3), PARTS, st.integers(1, 6)), max_size=8)
    ):
        own = part if kind == "stream" else None
        track = 100 * process + stream
        known = {"stream_id": stream} if kind == "stream" else {"thread_name": f"t{track}"}
        rows.setdefault((track, own), lane(track, kind, own, **known))
    return Lanes.of(rows.values())


@given(runs(), runs())
def test_both_runs_have_the_same_rows_and_each_lane_of_either_is_in_one(
    one: Lanes, other: Lanes
) -> None:
    first, second = paired_lanes(one, other)
    for own, paired in ((one, first), (other, second)):
        there = [lane.key for lane in paired.all if not lane.absent]
        assert sorted(map(str, there)) == sorted(str(lane.key) for lane in own.all)
        assert len({lane.key for lane in paired.shown}) == len(paired.shown)
        gaps = [lane.is_gap for lane in paired.shown]
        assert gaps == sorted(gaps)
    assert len(first.shown) == len(second.shown)
    for mine, theirs in zip(first.shown, second.shown, strict=True):
        assert not (mine.absent and theirs.absent)
        assert mine.row.kind == theirs.row.kind
        assert mine.row.part == theirs.row.part


def test_threads_and_groups_are_the_nth_of_their_kind_and_streams_have_their_number() -> None:
    one = Lanes.of([lane(1, "host", thread_name="thread 4711"), *a_stream(2, 7, "cube"),
                    lane(3, "group", group="10.1.1.1_a")])  # fmt: skip
    other = Lanes.of([lane(9, "host", thread_name="thread 12"), *a_stream(8, 6, "cube"),
                      *a_stream(5, 7, "cube"), lane(4, "group", group="b")])  # fmt: skip
    first, second = paired_lanes(one, other)
    said = [
        (mine.row.track_id if not mine.absent else None, theirs.row.track_id)
        for mine, theirs in zip(first.shown, second.shown, strict=True)
    ]
    assert said == [(1, 9), (2, 5), (None, 8), (3, 4)]


def test_a_part_that_a_stream_lacks_stands_with_its_other_parts() -> None:
    first, _ = paired_lanes(
        Lanes.of(a_stream(2, 7, "cube")), Lanes.of(a_stream(5, 7, "cube", "waiting"))
    )
    assert [(one.row.track_id, one.row.part, one.absent) for one in first.shown] == [
        (2, "cube", False),
        (2, "waiting", True),
    ]
    assert first.tracks == "2"


def test_what_another_run_lacks_is_gone_to_at_what_is_most_like_it() -> None:
    names = lane_names(Lanes.of([*a_stream(2, 7, "cube", "waiting"), lane(9, "gap")]).all)
    other = lane_names(Lanes.of([*a_stream(1, 7, "vector", "waiting"), lane(4, "gap")]).all)
    assert nearest_lane(names, other[1]) == 1
    assert nearest_lane(names, other[0]) == 0
    assert nearest_lane(names, other[2]) == 2
    assert nearest_lane(names[:2], other[2]) is None
