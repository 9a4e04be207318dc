"""What the app does around its views: sizes, the order of keys, and whose the status line is."""

from pathlib import Path

import pytest
from screen import opened
from textual import events

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.views.view import View


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


async def test_a_view_is_shown_as_soon_as_the_terminal_has_room_and_has_its_focus_again(
    store: Store,
) -> None:
    async with opened(store, size=(80, 24)) as screen:
        await screen.press("4", "j")
        focused = screen.app.focused
        await screen.resize(59, 24)
        assert "npuview needs 60x15; this is 59x24" in screen.text()
        await screen.resize(60, 15)
        assert "gap 2 of" in screen.text()
        assert screen.app.focused is focused
        await screen.press("j")
        assert "gap 3 of" in screen.text()


async def test_keys_that_come_at_once_are_done_one_after_another(store: Store) -> None:
    async with opened(store) as screen:
        for key, character in (("3", "3"), ("slash", "/"), ("q", "q"), ("enter", "\r"), ("4", "4")):
            screen.app.post_message(events.Key(key, character))
        await screen.settle()
        assert screen.app.view.WHERE == "gaps"


async def test_a_view_that_is_not_shown_does_not_tell_of_its_selection(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("tab", "4")
        told = screen.text()
        assert "gap 1 of" in told
        screen.app.query_one("#overview", View).tell("of a step")
        assert screen.text() == told


async def test_a_message_goes_with_the_view_that_it_was_about(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("escape")
        assert "this is the first level" in screen.text()
        await screen.press("4")
        assert "gap 1 of" in screen.text()


async def test_keys_that_come_before_the_timeline_is_answered_do_not_spoil_its_window(
    store: Store,
) -> None:
    async with opened(store) as screen:
        for key in "2www":
            screen.app.post_message(events.Key(key, key))
        await screen.settle()
        window = screen.app.place.window
        assert window is None or window.dur > 10_000_000
        assert "no lane" not in screen.text()
