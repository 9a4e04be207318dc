"""Coverage: a cell is as full as it is busy."""

from collections.abc import Iterable

import pytest
from canvas import lane_cells, spots, width
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.cells import Cell, Coverage, coverage_step
from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import SELECTED, Run, row_text
from npuview.tui.draw.viewport import Viewport

levels = st.integers(0, 50)
glyph_levels: tuple[Glyphs, ...] = ("unicode", "blocks", "ascii")
looks = st.sampled_from([Look(glyphs) for glyphs in glyph_levels])


def whole_lane(cells: Iterable[Cell], view: Viewport, look: Look) -> list[Run]:
    """Draw a lane that is nothing but its coverage."""
    return Coverage.of(cells, view, look).runs(view)


@st.composite
def busy_cells(draw: st.DrawFn) -> tuple[int, int, int]:
    """A level, and the busy time of a cell: any, or next to a bound."""
    level = draw(levels)
    whole = 1 << level
    near = st.sampled_from([0, 1, whole // 8, whole // 2, whole - 1, whole])
    return level, draw(near | st.integers(0, whole)), draw(st.integers(0, 3))


@given(busy_cells(), st.sampled_from([4, 8]))
def test_a_cell_is_within_one_step_of_the_truth(cell: tuple[int, int, int], steps: int) -> None:
    level, busy, count = cell
    step = coverage_step(busy, count, level, steps)
    if busy:
        assert abs((step << level) - busy * steps) <= 1 << level


@given(busy_cells(), st.sampled_from([4, 8]))
def test_a_cell_with_a_gap_is_never_full(cell: tuple[int, int, int], steps: int) -> None:
    level, busy, count = cell
    assert (coverage_step(busy, count, level, steps) == steps) == (busy == 1 << level)


@given(busy_cells(), st.sampled_from([4, 8]))
def test_a_cell_in_which_anything_is_is_never_blank(cell: tuple[int, int, int], steps: int) -> None:
    level, busy, count = cell
    assert (coverage_step(busy, count, level, steps) == 0) == (busy == 0 and count == 0)


@given(st.integers(3, 50), st.integers(0, 2**50), st.integers(0, 2**50))
def test_more_time_is_never_less_ink(level: int, one: int, other: int) -> None:
    less, more = sorted((one % (1 << level), other % (1 << level)))
    assert coverage_step(less, 1, level, 8) <= coverage_step(more, 1, level, 8)


@pytest.mark.parametrize(
    ("glyphs", "row"),
    [("unicode", " ▁▁▄▇█"), ("blocks", " ░░▒▓█"), ("ascii", " ..=#@")],
)
def test_every_glyph_level_has_its_ramp(glyphs: Glyphs, row: str) -> None:
    cells = [Cell(1, 0, 1, Role.CUBE), Cell(2, 1, 0, Role.CUBE), Cell(3, 512, 1, Role.CUBE)]
    cells += [Cell(4, 1023, 1, Role.CUBE), Cell(5, 1024, 0, Role.CUBE)]
    assert whole_lane(cells, Viewport(10, 0, 6), Look(glyphs)) == [Run(row, Role.CUBE)]


def test_blank_cells_are_in_the_run_of_their_neighbour() -> None:
    cells = [Cell(2, 8, 1, Role.CUBE), Cell(5, 8, 1, Role.VECTOR), Cell(7, 8, 1, Role.VECTOR)]
    assert whole_lane(cells, Viewport(3, 0, 10), Look()) == [
        Run("  █  ", Role.CUBE),
        Run("█ █  ", Role.VECTOR),
    ]


def test_a_lane_without_cells_is_blank() -> None:
    assert whole_lane([], Viewport(3, 0, 4), Look()) == [Run("    ", Role.PLAIN)]


def test_cells_outside_the_window_are_left_out() -> None:
    cells = [Cell(bucket, 8, 1, Role.CUBE) for bucket in (-1, 0, 3, 4)]
    assert row_text(whole_lane(cells, Viewport(3, 0, 4), Look())) == "█  █"


slices = st.lists(st.tuples(st.integers(-200, 400), st.integers(0, 90)), max_size=20)


@given(slices, st.integers(0, 5), st.integers(-40, 40), looks)
def test_a_view_cut_from_the_buffer_is_the_view_drawn_itself(
    made: list[tuple[int, int]], level: int, moved: int, look: Look
) -> None:
    start = Viewport(level, 0, 40)
    cells = lane_cells(made, level)
    coverage = Coverage.of(cells, start.buffer(), look)
    view = start.panned(moved)
    cut = coverage.runs(view)
    assert row_text(cut) == row_text(whole_lane(cells, view, look))
    assert width(cut) == 40
    parts = coverage.runs(view, 0, 7) + coverage.runs(view, 7, 8) + coverage.runs(view, 8)
    assert spots(parts) == spots(cut)


def test_a_full_cell_in_reverse_does_not_look_empty() -> None:
    view = Viewport(3, 0, 2)
    coverage = Coverage.of([Cell(0, 8, 1, Role.CUBE), Cell(1, 4, 1, Role.CUBE)], view, Look())
    assert coverage.marked(view, 0, SELECTED, Look()) == Run(" ", Role.CUBE, True, SELECTED)
    assert coverage.marked(view, 1, SELECTED, Look()) == Run("▄", Role.CUBE, False, SELECTED)
