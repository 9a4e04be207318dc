"""A lane: blocks with names inside them, over coverage that never claims too much."""

from itertools import pairwise

import pytest
from canvas import Spot, block, coverage_of, lane_cells, spots, width
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.block_label import block_label
from npuview.tui.draw.cells import Cell, Coverage
from npuview.tui.draw.lane import Block, lane_row, least_block_ns
from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.mark import Mark
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import FOUND, SAME_NAME, SELECTED, Attributes, Run, row_text
from npuview.tui.draw.safe_text import cell_len, clean
from npuview.tui.draw.viewport import Viewport

VIEW = Viewport(3, 0, 40)
"""Forty cells of 8 ns."""

LOOK = Look()
glyph_levels: tuple[Glyphs, ...] = ("unicode", "blocks", "ascii")
looks = st.builds(Look, st.sampled_from(glyph_levels), st.booleans())
names = (
    st.text(max_size=30)
    | st.text("矩阵乘法算子🚀é\u0301\u200b\x1b\n", min_size=1, max_size=40)
    | st.sampled_from(["", "x" * 200, "矩" * 100, "aclnnAddmm_MatMulCommon_MatMulV2", "\u0301a"])
)


@st.composite
def lanes(draw: st.DrawFn) -> list[Block]:
    """Slices that nest or follow each other, or overlap as they like."""
    spans = draw(st.lists(st.tuples(st.integers(-150, 450), st.integers(0, 200)), max_size=12))
    return [
        Block(at, ts, dur, draw(names), Role.CUBE, draw(st.integers(0, 2)), 0, draw(st.booleans()))
        for at, (ts, dur) in enumerate(spans)
    ]


def drawn(blocks: list[Block], marks: list[Mark] | None = None, look: Look = LOOK) -> list[Run]:
    coverage = coverage_of([(each.ts, each.dur) for each in blocks], VIEW, look)
    return lane_row(VIEW, coverage, blocks, marks or [], look)


def marked(each: Block, attributes: Attributes) -> Mark:
    return Mark(each.slice_id, each.ts, each.dur, attributes)


@given(lanes(), looks)
def test_ink_is_time_with_names_on_top(blocks: list[Block], look: Look) -> None:
    level = VIEW.level
    true = {cell.bucket: cell for cell in lane_cells([(b.ts, b.dur) for b in blocks], level)}
    ramp = look.signs.ramp
    for cell, spot in enumerate(spots(drawn(blocks, look=look))):
        busy, count = (true[cell].busy, true[cell].count_) if cell in true else (0, 0)
        if spot.filled or spot.character == look.signs.full:
            assert busy == 1 << level
        elif spot.character in ramp:
            step = ramp.index(spot.character)
            assert (step == 0) == (busy == 0 and count == 0)
            assert abs((step << level) - busy * (len(ramp) - 1)) <= 1 << level
        else:
            assert spot.character == look.signs.unfinished
            assert busy or count


@given(lanes(), looks, st.data())
def test_a_row_is_exactly_as_wide_as_the_canvas(
    blocks: list[Block], look: Look, data: st.DataObject
) -> None:
    marks = [
        Mark(data.draw(st.integers(0, 12)), ts, dur, data.draw(st.sampled_from(ATTRIBUTES)))
        for ts, dur in data.draw(st.lists(st.tuples(st.integers(-500, 900), st.integers(0, 90))))
    ]
    runs = drawn(blocks, marks, look)
    assert width(runs) == VIEW.cells
    assert all(run.text for run in runs)
    assert all(one[1:] != other[1:] for one, other in pairwise(runs))
    assert clean(row_text(runs)) == row_text(runs)
    if look.ascii_level:
        assert row_text(runs).isascii()


ATTRIBUTES = [SELECTED, SAME_NAME, FOUND, SELECTED | FOUND]


def test_a_block_has_its_name_on_the_cells_that_are_wholly_inside() -> None:
    each = block(12, 150)
    assert drawn([each]) == [
        Run(" ▄", Role.CUBE),
        Run("▏MatMulV2 150 ns  ", Role.CUBE, True),
        Run("▂" + " " * 19, Role.CUBE),
    ]


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        (16, "▏MatMulV2 128 ns"),
        (15, "▏MatMulV2      "),
        (9, "▏MatMulV2"),
        (8, "▏Mat…lV2"),
        (5, "▏Mat…"),
        (4, "▏   "),
        (3, "▏  "),
    ],
)
def test_a_name_is_cut_and_then_dropped(cells: int, text: str) -> None:
    runs = drawn([block(8, cells * 8)])
    assert runs[1] == Run(text, Role.CUBE, True)


def test_a_slice_under_three_cells_is_coverage() -> None:
    assert least_block_ns(VIEW.level) == 24
    assert drawn([block(8, 23)]) == [Run(" ██▇" + " " * 36, Role.CUBE)]
    assert Run("▏  ", Role.CUBE, True) in drawn([block(8, 24)])


def test_of_nested_slices_the_innermost_is_seen_and_the_outer_named_where_it_has_room() -> None:
    outer = block(0, 320, "addmm", slice_id=1)
    inner = block(40, 80, "mm", slice_id=2, depth=1)
    text = row_text(drawn([inner, outer]))
    assert text == "▏    " + "▏mm 80 ns " + "▏addmm 320 ns" + " " * 12
    later = block(200, 80, "mm", slice_id=2, depth=1)
    assert row_text(drawn([outer, later])) == ("▏addmm 320 ns" + " " * 12 + "▏mm 80 ns " + "▏    ")


def test_a_selected_slice_is_seen_over_those_inside_it() -> None:
    outer = block(0, 320, "addmm", slice_id=1)
    inner = block(40, 80, "mm", slice_id=2, depth=1)
    (run,) = drawn([outer, inner], [marked(outer, SELECTED)])
    assert run.text.startswith("▏addmm 320 ns")
    assert run.attributes == SELECTED


def test_a_selected_block_is_in_reverse_and_its_ends_are_not() -> None:
    each = block(12, 150)
    assert [run.attributes for run in drawn([each], [marked(each, SELECTED)])] == [
        Attributes.NONE,
        SELECTED,
        Attributes.NONE,
    ]


def test_a_slice_may_be_selected_and_found() -> None:
    for each in (block(8, 80), block(8, 8)):
        row = spots(drawn([each], [marked(each, SELECTED), marked(each, FOUND)]))
        assert row[1].attributes == SELECTED | FOUND


def test_without_colour_a_selected_block_starts_with_a_sign_of_its_own() -> None:
    each = block(8, 80)
    look = Look(color=False)
    assert row_text(drawn([each], [marked(each, SELECTED)], look)).startswith(" ▸MatMulV2 ")


@pytest.mark.parametrize("attributes", ATTRIBUTES)
def test_a_mark_of_a_narrow_slice_is_on_the_cells_it_touches(attributes: Attributes) -> None:
    each = block(12, 6)
    row = spots(drawn([each], [marked(each, attributes)]))
    assert [cell for cell, spot in enumerate(row) if spot.attributes] == [1, 2]
    assert [row[1].character, row[2].character] == ["▄", "▂"]


def test_a_selected_slice_inside_a_block_is_a_cell_of_that_block() -> None:
    outer = block(0, 320, "addmm")
    inner = Mark(2, 200, 3, SELECTED)
    row = spots(drawn([outer], [inner]))
    assert row[25] == Spot(" ", Role.CUBE, filled=True, attributes=SELECTED)
    assert not any(spot.attributes for spot in row[:25] + row[26:])


def test_an_arrow_points_to_a_selection_outside_the_view() -> None:
    here = block(0, 8)
    assert row_text(drawn([here], [Mark(7, -50, 40, SELECTED)]))[0] == "◀"
    assert row_text(drawn([here], [Mark(7, 320, 40, SELECTED)]))[-1] == "▶"
    assert row_text(drawn([here], [Mark(7, -50, 40, SAME_NAME)]))[0] == "█"


def test_an_instant_is_seen_and_can_be_selected() -> None:
    each = block(20, 0)
    assert spots(drawn([each]))[2].character == "▁"
    assert spots(drawn([each], [marked(each, SELECTED)]))[2].attributes == SELECTED


def test_a_slice_that_never_ended_ends_with_a_sign_and_without_a_length() -> None:
    assert row_text(drawn([block(8, 160, unfinished=True)]))[1:21] == "▏MatMulV2" + " " * 10 + "▶"
    assert row_text(drawn([block(8, 10, unfinished=True)]))[1:4] == "█▶ "


def test_a_block_that_began_before_the_view_has_no_start() -> None:
    assert row_text(drawn([block(-80, 240)])).startswith(" MatMulV2 240 ns")


def test_a_lane_of_coverage_alone_is_its_coverage() -> None:
    coverage = Coverage.of([Cell(3, 4, 1, Role.VECTOR)], VIEW, LOOK)
    assert lane_row(VIEW, coverage, [], [], LOOK) == coverage.runs(VIEW)


@given(names, st.integers(0, 10**12) | st.none(), st.integers(0, 60), st.booleans())
def test_a_label_is_exactly_as_wide_as_its_block(
    name: str, dur: int | None, cells: int, ascii_level: bool
) -> None:
    text = block_label("|", name, dur, cells, ascii_level=ascii_level)
    assert cell_len(text) == cells
    assert clean(text) == text
    assert text.isascii() or not ascii_level


def test_a_wide_character_is_never_split() -> None:
    assert block_label("|", "矩阵乘法", 5, 13) == "|矩阵乘法    "
    assert block_label("|", "矩阵乘法", 5, 14) == "|矩阵乘法 5 ns"
    assert [block_label("|", "矩阵乘法", 5, cells) for cells in (8, 7, 6)] == [
        "|矩 …法 ",
        "|矩…法 ",
        "|矩阵…",
    ]
