"""The window of time on the canvas: it never resamples, and moves can be undone."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from npuview.tui.draw.viewport import Viewport

instants = st.integers(-(2**61), 2**61)
durations = st.integers(0, 2**40)
widths = st.integers(1, 300)
viewports = st.builds(Viewport, st.integers(0, 40), st.integers(-(2**20), 2**20), widths)


def test_a_cell_is_a_power_of_two_on_the_absolute_grid() -> None:
    view = Viewport(10, 5, 4)
    assert (view.cell_ns, view.from_ts, view.to_ts, view.dur) == (1024, 5120, 9216, 4096)
    assert [view.cell_of(ts) for ts in (5119, 5120, 6143, 6144, 9216)] == [-1, 0, 0, 1, 4]
    assert view.ts_of(1) == 6144


@given(instants, durations, widths)
def test_fit_shows_all_of_an_interval_at_the_finest_level_that_can(
    ts: int, dur: int, cells: int
) -> None:
    # No level has a cell with both -1 and 0 in it.
    assume(cells > 1 or ts >= 0 or ts + dur <= 0)
    view = Viewport.fit(ts, ts + dur, cells)
    assert view.contains(ts, dur)
    assert view.cells == cells
    if view.level:
        finer = Viewport(view.level - 1, ts >> (view.level - 1), cells)
        assert not finer.contains(ts, dur)


@given(viewports, st.integers(0, 2**62), st.integers(1, 20))
def test_zooming_in_and_out_again_is_where_one_was(
    view: Viewport, offset: int, levels: int
) -> None:
    about = view.from_ts + offset % view.dur
    levels = min(levels, view.level)
    assert view.zoomed(about, levels).zoomed(about, -levels) == view


@given(viewports, st.integers(0, 2**62), st.integers(-10, 10))
def test_what_one_zooms_about_stays_in_its_cell(view: Viewport, offset: int, levels: int) -> None:
    about = view.from_ts + offset % view.dur
    assert view.zoomed(about, levels).cell_of(about) == view.cell_of(about)


@given(viewports, instants)
def test_zooming_about_an_instant_outside_stays_at_that_edge(view: Viewport, about: int) -> None:
    zoomed = view.zoomed(about, 1)
    if about < view.from_ts:
        assert zoomed.from_ts == view.from_ts
    if about >= view.to_ts:
        assert zoomed.to_ts == view.to_ts


def test_the_finest_level_is_one_nanosecond() -> None:
    assert Viewport(1, 8, 10).zoomed(16, 5) == Viewport(0, 16, 10)


@given(viewports, instants, st.integers(1, 2**40))
def test_clamping_shows_as_much_of_the_extent_as_it_can(view: Viewport, ts: int, dur: int) -> None:
    clamped = view.clamped(ts, ts + dur)
    whole = Viewport.fit(ts, ts + dur, view.cells)
    assert clamped.level == min(view.level, whole.level)
    assert clamped.shows(ts, dur)
    assert clamped.clamped(ts, ts + dur) == clamped
    assert clamped.from_ts > ts - clamped.cell_ns
    if clamped.level < whole.level:
        assert clamped.to_ts < ts + dur + clamped.cell_ns
    if view.level < whole.level and view.from_ts >= ts and view.to_ts <= ts + dur:
        assert clamped == view


@given(viewports, st.integers(-1000, 1000))
def test_panning_there_and_back_is_where_one_was(view: Viewport, cells: int) -> None:
    assert view.panned(cells).panned(-cells) == view
    assert view.panned(cells).from_ts == view.from_ts + cells * view.cell_ns


@given(viewports, instants)
def test_a_centred_instant_is_in_the_middle_cell(view: Viewport, ts: int) -> None:
    assert view.centred(ts).cell_of(ts) == view.cells // 2


@given(viewports)
def test_the_buffer_covers_a_page_to_either_side(view: Viewport) -> None:
    buffer = view.buffer()
    for page in (-view.cells, view.cells):
        assert buffer.covers(view.panned(page))
    assert not buffer.covers(view.panned(view.cells + 1))
    assert not buffer.covers(view.panned(-view.cells - 1))
    assert not buffer.covers(view.zoomed(view.from_ts, -1))


@given(viewports, st.integers(-500, 500), st.integers(0, 2**45))
def test_the_cells_within_an_interval_are_those_it_touches_but_its_ends(
    view: Viewport, cell: int, dur: int
) -> None:
    ts = view.ts_of(cell) + dur % 3
    touched = view.touched(ts, dur)
    within = view.within(ts, dur)
    assert all(view.ts_of(at) < max(ts + dur, ts + 1) and view.ts_of(at + 1) > ts for at in touched)
    assert [at for at in touched if ts <= view.ts_of(at) and view.ts_of(at + 1) <= ts + dur] == [
        *within
    ]
    assert view.shows(ts, dur) == (ts < view.to_ts and max(ts + dur, ts + 1) > view.from_ts)


@pytest.mark.parametrize("cells", [0, -3])
def test_a_window_has_one_cell_at_least(cells: int) -> None:
    assert Viewport.fit(0, 100, cells) == Viewport(7, 0, 1)
