"""The place that all views share: windows of time, selections and steps."""

from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.focus import Focus, Selection, Window

windows = st.builds(
    lambda ts, dur: Window(ts, ts + dur), st.integers(-100, 100), st.integers(1, 50)
)


@given(windows, windows)
def test_windows_meet_where_they_have_an_instant_in_common(one: Window, other: Window) -> None:
    common = set(range(*one)) & set(range(*other))
    assert one.meets(other) == other.meets(one) == bool(common)


@given(windows, st.integers(-150, 150))
def test_a_window_holds_its_instants_and_no_other(window: Window, ts: int) -> None:
    assert window.holds(ts) == (ts in range(*window))
    assert window.dur == len(range(*window))


@given(windows, windows)
def test_the_part_of_a_window_within_another_is_what_they_share(one: Window, other: Window) -> None:
    shared = set(range(*one)) & set(range(*other))
    assert set(range(*one.within(other))) == (shared or set(range(*one)))


@given(windows, st.floats(0, 8))
def test_a_margin_is_alike_on_both_sides_and_never_nothing(window: Window, part: float) -> None:
    wide = window.around(part)
    assert window.from_ts - wide.from_ts == wide.to_ts - window.to_ts >= 1


@given(windows | st.none(), windows)
def test_a_selection_keeps_a_window_that_shows_some_of_it_and_no_other(
    window: Window | None, selected: Window
) -> None:
    selection = Selection(selected, "MatMul", slice_id=5)
    focus = Focus(3, 7, window, marked=Window(1, 2)).on(selection)
    shows = window is not None and window.meets(selected)
    assert focus == Focus(3, 7, window if shows else None, selection, Window(1, 2))
    around = focus.around(selection).window
    assert around is not None
    assert around.from_ts < selected.from_ts
    assert around.to_ts > selected.to_ts


def test_another_step_is_shown_whole_and_with_nothing_selected() -> None:
    selection = Selection(Window(5, 6), "MatMul")
    focus = Focus(3, 7, Window(1, 9), selection, Window(2, 3))
    assert focus.at_step(8) == Focus(3, 8)
    assert focus.at_step(None) == Focus(3)
