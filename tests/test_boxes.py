"""The boxes of the overview: what is in them, and that they keep to their width."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from overview_build import BLOCK, FACTS, GAP, LEVEL0, MS, UNSPLIT, row, summary
from rich.cells import cell_len

from npuview.queries.rows import CollectivesRow
from npuview.tui.draw.boxes import BOX_HEIGHT, Box, BoxLine, beside, folded, framed, in_one_row
from npuview.tui.draw.look import Look
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import row_text
from npuview.tui.overview.overview_boxes import other_boxes, question_boxes
from npuview.tui.overview.overview_facts import Block
from npuview.tui.text.overview_tables import split_of


def box_text(box: Box, width: int = 60) -> str:
    return "\n".join(row_text(runs) for runs in framed(box, width, Look()))


def test_a_box_says_value_share_and_its_largest_parts_first() -> None:
    collective = row(CollectivesRow, name="allReduce", dur=40 * MS, wait_ns=39 * MS, transfer_ns=MS)
    facts = replace(FACTS, collectives=[collective])
    idle, waiting, moving = question_boxes(BLOCK, split_of(BLOCK.steps), facts, 700 * MS)
    assert "25.0 ms   25.0 % of the step" in box_text(idle)
    lines = box_text(waiting).splitlines()
    assert "peers       50.0 ms    100 %" in lines[4]
    assert "allReduce   40.0 ms  moved for 1.00 ms" in lines[5]
    assert box_text(moving).index("transfers") < box_text(moving).index("copies")


def test_the_longest_gap_is_told_with_its_place_and_the_task_after_it() -> None:
    facts = replace(FACTS, gaps=[GAP], gap_summary=[summary(4, 20 * MS)])
    idle, *_ = question_boxes(BLOCK, split_of(BLOCK.steps), facts, 700 * MS)
    assert "longest 12.0 ms at +40.0 ms before MatMul" in box_text(idle)
    assert "longest 12.0 ms at +40.0 ms  " in box_text(idle, 40)


def test_collectives_that_cannot_be_split_are_neither_waiting_nor_moving() -> None:
    facts = replace(FACTS, profiles=[LEVEL0], steps=[UNSPLIT])
    block, split = Block("", 0, (UNSPLIT,)), split_of([UNSPLIT])
    _, waiting, moving = question_boxes(block, split, facts, 0)
    assert "peers, stages not collected" in box_text(waiting)
    assert "transfers not collected" in box_text(moving)
    others = other_boxes(block, split, facts)
    assert [box.title for box in others] == ["COMPUTE", "COLLECTIVE"]
    assert "cannot be told apart" in row_text(in_one_row(others[1], 160, Look(), short=False))


def test_a_box_of_which_the_parts_are_not_known_yet_says_so() -> None:
    [idle, *_] = question_boxes(BLOCK, split_of(BLOCK.steps), None, 0)
    assert "25.0 ms" in box_text(idle)
    assert "…" in box_text(idle)


TEXTS = st.sampled_from(["", "peers", "before the first task", "名前" * 20, "a" * 60])
LINES = st.lists(
    st.builds(BoxLine, TEXTS, st.none() | st.integers(0, 10**12), TEXTS, TEXTS), max_size=6
)
BOXES = st.builds(
    Box,
    st.sampled_from("iwm"),
    st.sampled_from(["IDLE", "WAITING"]),
    st.sampled_from(["IDLE", "WAIT"]),
    st.sampled_from(["nothing to do", ""]),
    st.sampled_from([Role.IDLE, Role.WAITING, Role.MOVING]),
    st.none() | st.integers(0, 10**12),
    st.none() | st.integers(1, 10**12),
    st.sampled_from(["the step", "the run"]),
    LINES,
    st.booleans(),
)
LOOKS = st.builds(Look, st.sampled_from(["unicode", "blocks", "ascii"]))


@given(BOXES, st.integers(30, 120), LOOKS)
def test_a_framed_box_is_exactly_as_wide_and_high_as_it_must_be(
    box: Box, width: int, look: Look
) -> None:
    rows = framed(box, width, look)
    assert len(rows) == BOX_HEIGHT
    assert {cell_len(row_text(runs)) for runs in rows} == {width}


@given(BOXES, st.integers(60, 160), LOOKS)
def test_a_folded_box_keeps_to_the_width(box: Box, width: int, look: Look) -> None:
    rows = [
        *folded(box, width, look),
        in_one_row(box, width, look, short=True),
        *beside([box] * 3, width + 40, look),
    ]
    for runs in rows:
        assert cell_len(row_text(runs)) <= width + 40
        assert look.glyphs != "ascii" or row_text(runs).isascii()
    assert all(cell_len(row_text(runs)) <= width for runs in rows[:3])
