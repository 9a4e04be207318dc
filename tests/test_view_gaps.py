"""The gaps by keyboard, on the made-up run."""

from pathlib import Path

import pytest
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.focus import Focus, Selection, Window


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def focus(screen: Screen) -> Focus:
    return screen.app.place


def selected(screen: Screen) -> Selection:
    selection = focus(screen).selection
    assert selection is not None
    return selection


async def test_the_longest_gap_comes_first_and_is_what_all_views_look_at(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        first = selected(screen).window.dur
        await screen.press("j")
        assert selected(screen).window.dur <= first
        assert "Around it" in screen.text()


async def test_what_ended_a_gap_is_told_with_its_launch(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        assert "the device was free" in screen.row_with("launched")
        assert " when " in screen.row_with("free since")


async def test_moving_over_gaps_keeps_the_window_and_enter_shows_what_is_around(
    store: Store,
) -> None:
    async with opened(store) as screen:
        await screen.press("4", "j", "j")
        gap = selected(screen)
        assert focus(screen).window is None
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        window = focus(screen).window
        assert window is not None
        assert window.meets(gap.window)
        assert window.dur < 64 * gap.window.dur
        await screen.press("escape", "escape")
        assert screen.app.view.WHERE == "gaps"


async def test_the_threshold_is_offered_exactly_and_taken_by_all_views(store: Store) -> None:
    async with opened(store) as screen:
        screen.app.settings.gap_threshold_ns = 123_456
        await screen.press("4", "t", "enter")
        assert screen.app.settings.gap_threshold_ns == 123_456
        await screen.press("t", *["backspace"] * 12)
        await screen.type("9s\n")
        assert "No gap over 9.00 s here" in screen.text()
        await screen.press("t", *["backspace"] * 12)
        await screen.type("nonsense\n")
        assert "is no length of time" in screen.text()
        assert screen.app.settings.gap_threshold_ns == 9 * 10**9


async def test_without_causes_there_is_no_column_of_them(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4")
        assert "cause" not in screen.row_with("event wait")
        await screen.press("c")
        assert "no cause of a gap is known here" in screen.text()


def test_a_window_that_shows_nothing_of_a_selection_is_given_up() -> None:
    far = Selection(Window(1_000, 1_100), "far")
    assert Focus(0, window=Window(0, 10)).on(far).window is None
    assert Focus(0, window=Window(0, 1_001)).on(far).window == Window(0, 1_001)
    around = Focus(0, window=Window(0, 10)).around(far).window
    assert around is not None
    assert around.from_ts < far.window.from_ts
    assert around.to_ts > far.window.to_ts
