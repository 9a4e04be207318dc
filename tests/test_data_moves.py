"""Movements of data and waits, put together by what they are."""

from hypothesis import given
from hypothesis import strategies as st
from row_build import row

from npuview.queries.rows import (
    CollectivesRow,
    PeersRow,
    ProfilesRow,
    WaitsRow,
)
from npuview.queries.rows_moving import CopyCallsRow
from npuview.tui.draw import bars
from npuview.tui.draw.look import Look
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import row_text
from npuview.tui.overview.overview_details import Part
from npuview.tui.waiting.data_moves import Move, move_groups, moves
from npuview.tui.waiting.question_head import QuestionHead, inked, unsplit_note
from npuview.tui.waiting.wait_groups import wait_groups


def copy(slice_id: int, dur: int, task_type: str | None = "SDMA_SQE") -> CopyCallsRow:
    return row(
        CopyCallsRow, slice_id=slice_id, rank=0, name="MEMCPY", task_type=task_type, ts=slice_id,
        dur=dur,
    )  # fmt: skip


def collective(name: str, transfer_ns: int | None, size: int | None = None) -> CollectivesRow:
    return row(
        CollectivesRow, collective_id=1, rank=0, name=name, group="0", ts=0, dur=100,
        transfer_ns=transfer_ns, bytes=size,
    )  # fmt: skip


def test_copies_go_by_their_direction_where_it_is_known_else_by_their_type() -> None:
    known = copy(1, 5)._replace(direction="H2D", bytes=50)
    found = moves([known, copy(2, 4)._replace(bytes=70), copy(3, 3, None)], [])
    assert [(move.by, move.size) for move in found] == [
        ("host to device", 50),
        ("SDMA_SQE", 70),
        ("not named", None),
    ]


def test_a_copy_whose_name_says_from_where_to_where_goes_by_that() -> None:
    named = copy(1, 5, None)._replace(name="Memcpy HtoD (Pageable -> Device)")
    [move] = moves([named], [])
    assert move.by == "Pageable -> Device"


def test_collectives_of_one_operation_and_group_are_one_group() -> None:
    found = moves(
        [],
        [collective("hcom_allReduce__586_0_1", 10, 7), collective("hcom_allReduce__586_1_1", 30)],
    )
    [group] = move_groups(found)
    assert (group.name, group.by, group.count) == ("hcom_allReduce", "group 0", 2)
    assert (group.total, group.longest) == (40, 30)
    assert (group.size, group.timed, group.sized) == (7, 10, 1)


def test_collectives_that_are_not_split_move_nothing_that_is_known() -> None:
    assert moves([], [collective("a", None), collective("b", 0)]) == []


MOVES = st.lists(
    st.builds(
        Move,
        kind=st.sampled_from(["copy", "transfer"]),
        name=st.sampled_from(["a", "b__1_2"]),
        by=st.sampled_from(["x", "y"]),
        ts=st.integers(0, 1000),
        dur=st.integers(0, 1000),
        window=st.integers(0, 1000),
        size=st.none() | st.integers(0, 1000),
        slice_id=st.none(),
        rank=st.just(0),
    )
)


@given(MOVES)
def test_every_movement_is_in_one_group(found: list[Move]) -> None:
    groups = move_groups(found)
    assert sum(group.count for group in groups) == len(found)
    assert sum(group.total for group in groups) == sum(move.dur for move in found)
    assert sum(group.size or 0 for group in groups) == sum(move.size or 0 for move in found)
    assert [group.total for group in groups] == sorted(
        (group.total for group in groups), reverse=True
    )
    for group in groups:
        assert (group.size is None) == (group.sized == 0)


def wait(kind: str, name: str, total: int, longest: int, slice_id: int) -> WaitsRow:
    return row(
        WaitsRow, kind=kind, rank=0, name=name, count_=2, total=total, longest=longest,
        longest_slice_id=slice_id,
    )  # fmt: skip


def test_waits_of_all_steps_are_together_with_the_longest_of_them() -> None:
    [group] = wait_groups([wait("event", "E", 10, 6, 1), wait("event", "E", 20, 15, 2)], [])
    assert (group.count, group.total, group.longest, group.longest_slice_id) == (4, 30, 15, 2)
    [same] = wait_groups([wait("event", "E", 20, 15, 2), wait("event", "E", 10, 6, 1)], [])
    assert same == group


def peer(number: int, group: str, *, collected: bool | None) -> PeersRow:
    rank = None if collected is None else number
    return PeersRow(0, group, number, rank, collected, 4, 3, 100, 60)


def test_a_peer_says_how_often_it_was_last_and_whether_it_is_here() -> None:
    [one] = wait_groups([], [peer(5, "g", collected=False)])
    assert (one.name, one.remark) == ("rank 5", "last in 3 of 4, not in this data")
    [known] = wait_groups([], [peer(5, "g", collected=True)])
    assert known.remark == "last in 3 of 4"


def test_peers_of_several_groups_are_told_apart() -> None:
    names = [
        one.name
        for one in wait_groups([], [peer(1, "a", collected=None), peer(1, "b", collected=None)])
    ]
    assert names == ["peer 1 of group a", "peer 1 of group b"]


def test_waits_in_collectives_are_told_by_their_peers_if_there_are_any() -> None:
    waits = [wait("peer", "hcom", 100, 60, 1), wait("event", "E", 10, 6, 2)]
    assert [one.kind for one in wait_groups(waits, [])] == ["peer", "event"]
    told = wait_groups(waits, [peer(5, "g", collected=None)])
    assert [one.name for one in told] == ["peer 5", "E"]


@given(
    st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 10**9), st.integers(1, 200),
    st.sampled_from(["unicode", "ascii"]),
)  # fmt: skip
def test_a_bar_of_parts_is_no_wider_than_its_room(
    moved: int, waited: int, whole: int, width: int, glyphs: str
) -> None:
    look = Look("ascii") if glyphs == "ascii" else Look()
    runs = inked([(moved, bars.MOVING), (waited, bars.WAITING)], width, whole, look)
    text = row_text(runs)
    assert len(text) <= width
    assert bool(text) == bool(moved or waited)
    assert not look.ascii_level or text.isascii()
    assert {run.role for run in runs} <= {Role.MOVING, Role.WAITING}


def head(ns: int | None, note: str = "") -> list[str]:
    parts = [Part("peers", 5), Part("events not collected")]
    shown = QuestionHead("waiting", Role.WAITING, bars.WAITING, ns, 100, "the step", parts, note)
    return [row_text(line).strip() for line in shown.lines(80, Look())]


def test_a_figure_that_is_not_known_is_a_word_and_has_no_bar() -> None:
    assert head(None)[:2] == ["waiting unknown", ""]
    assert head(50)[0] == "waiting 50 ns   50.0 % of the step"
    assert "events not collected" in head(50)[2]


def test_collectives_that_are_in_no_figure_are_said_with_what_would_split_them() -> None:
    profile = row(ProfilesRow, rank=0, producer="torch_npu", level="Level0", switches="{}")
    assert unsplit_note(1_500_000, profile) == "collectives 1.50 ms not split: Level1 splits them"
    collected = profile._replace(level="Level1")
    assert unsplit_note(1_500_000, collected) == "collectives 1.50 ms not split"
    assert unsplit_note(0, profile) == ""
