"""Window and cursor: the cursor is always in sight, and what was in sight does not move."""

from collections.abc import Callable

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from npuview.tui.draw.viewport import Viewport
from npuview.tui.focus import Window
from npuview.tui.timeline.position import Position

Move = Callable[[Position, Window], Position]

EXTENT = Window(1_000_003, 1_000_003 + 5_000_000)

cells = st.integers(1, 200)
instants = st.integers(EXTENT.from_ts, EXTENT.to_ts - 1)


def window_of(ts: int, dur: int) -> Window:
    return Window(ts, min(ts + dur, EXTENT.to_ts))


windows = st.builds(window_of, instants, st.integers(1, 5_000_000))
positions = st.builds(Position.fit, windows, cells, instants)
moves = st.one_of(
    st.builds(lambda levels: lambda here, all_: here.zoomed(levels, all_), st.integers(-30, 30)),
    st.builds(lambda away: lambda here, all_: here.panned(away, all_), st.integers(-500, 500)),
    st.builds(lambda window: lambda here, all_: here.seeing(window, all_), windows),
)


@given(positions, st.lists(moves, max_size=8))
def test_wherever_one_goes_the_cursor_is_in_sight_and_in_the_extent(
    here: Position, steps: list[Move]
) -> None:
    for step in steps:
        here = step(here, EXTENT)
        assert here.window.holds(here.cursor_ts)
        assert here.window.meets(EXTENT)
        assert here.cell.holds(here.cursor_ts)
        assert here.cell.dur == here.view.cell_ns


@given(windows, cells)
def test_a_window_is_fitted_with_the_cursor_in_its_middle(window: Window, width: int) -> None:
    here = Position.fit(window, width)
    assert here.view == Viewport.fit(window.from_ts, window.to_ts, width)
    assert here.cursor_ts == (window.from_ts + window.to_ts) // 2


def test_a_cursor_that_is_named_is_kept_if_the_window_holds_it() -> None:
    window = Window(1 << 20, 1 << 21)
    assert Position.fit(window, 64, 1_500_000).cursor_ts == 1_500_000
    assert Position.fit(window, 64, 5).cursor_ts == 1 << 20
    assert Position.fit(window, 64, 1 << 30).cursor_ts == (1 << 21) - 1


@given(positions, st.integers(1, 30))
def test_zooming_in_and_out_again_is_where_one_was(here: Position, levels: int) -> None:
    levels = min(levels, here.view.level)
    far = Window(here.view.from_ts - 4 * here.view.dur, here.view.to_ts + 4 * here.view.dur)
    near = here.zoomed(levels, far)
    assert near.view.level == here.view.level - levels
    assert near.cursor_ts == here.cursor_ts
    assert near.zoomed(-levels, far) == here


@given(positions)
def test_zooming_out_far_enough_shows_the_whole_extent(here: Position) -> None:
    whole = here.zoomed(-62, EXTENT)
    assert whole.view == Viewport.fit(*EXTENT, here.view.cells)
    assert whole.zoomed(-1, EXTENT).view == whole.view


@given(positions, st.integers(-300, 300))
def test_a_pan_inside_the_extent_moves_window_and_cursor_alike(here: Position, away: int) -> None:
    far = Window(here.view.from_ts - 400 * here.view.dur, here.view.to_ts + 400 * here.view.dur)
    there = here.panned(away, far)
    assert there.view == here.view.panned(away)
    assert there.cursor_ts - here.cursor_ts == away * here.view.cell_ns
    assert there.panned(-away, far) == here


@pytest.mark.parametrize("away", [-3, 3])
@given(st.integers(0, 40), cells)
def test_at_an_end_a_pan_moves_the_cursor_alone_until_the_last_instant(
    away: int, levels: int, width: int
) -> None:
    here = Position.fit(EXTENT, width).zoomed(levels, EXTENT)
    end = EXTENT.to_ts - 1 if away > 0 else EXTENT.from_ts
    last = here.panned(away * (EXTENT.dur // here.view.cell_ns + width), EXTENT)
    assert last.cursor_ts == end
    assert last.view.shows(end)
    assert last.panned(away, EXTENT) == last


def test_a_pan_at_the_end_moves_the_cursor_by_as_many_cells() -> None:
    here = Position.fit(Window(0, 1 << 20), 64, 0)
    there = here.panned(8, Window(0, 1 << 20))
    assert there.view == here.view
    assert there.cursor_ts == 8 << here.view.level


@given(positions, windows)
@example(Position(Viewport(2, 250_010, 4), 1_000_041), Window(1_000_102, 1_000_118))
def test_what_is_gone_to_is_in_sight_all_of_it_with_the_cursor_at_its_start(
    here: Position, window: Window
) -> None:
    # One cell cannot hold a window across its border at any level that is fine enough.
    assume(here.view.cells > 1)
    there = here.seeing(window, EXTENT)
    assert there.view.contains(window.from_ts, window.dur)
    assert there.cursor_ts == window.from_ts
    if here.view.contains(window.from_ts, window.dur):
        assert there.view == here.view
    assert there.seeing(window, EXTENT) == there


def test_what_is_out_of_sight_is_shown_at_the_level_where_one_is_if_it_has_room() -> None:
    here = Position.fit(Window(EXTENT.from_ts, EXTENT.from_ts + 10_000), 80)
    there = here.seeing(Window(3_000_000, 3_000_100), EXTENT)
    assert there.view.level == here.view.level
    assert there.view.cell_of(3_000_050) == 40
