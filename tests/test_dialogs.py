"""Dialogs: they say what works here, do what is asked, and let nothing through to the view."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.dialogs.fuzzy import match
from npuview.tui.process.display import Display
from npuview.tui.run import Run

pytestmark = pytest.mark.usefixtures("own_folders")


SMALL = (60, 15)
NARROW = (80, 24)
DIALOGS = {"question_mark": "Keys", "colon": "Commands", "e": "Export", "B": "Bookmarks"}
HOSTILE = "[red]\x1b[31mX[/] [@click=app.quit()]" + "名" * 40


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def facts(screen: Screen) -> Run:
    return screen.app.run_facts


@pytest.mark.parametrize("size", [SMALL, NARROW, (160, 45)])
async def test_a_dialog_is_whole_at_every_size(store: Store, size: tuple[int, int]) -> None:
    display = Display(glyphs="ascii", color=False)
    async with opened(store, size=size, display=display) as screen:
        await screen.press("4")
        for key, title in DIALOGS.items():
            await screen.press(key)
            rows = screen.rows()
            top = next(at for at, row in enumerate(rows) if f"- {title}" in row)
            bottom = max(at for at, row in enumerate(rows) if "+---" in row)
            assert top < bottom
            assert "esc close" in rows[bottom - 1] + rows[bottom - 2]
            assert screen.text().isascii()
            await screen.press("escape")


async def test_a_dialog_lets_no_key_through_and_gives_the_focus_back(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        before = screen.app.focused
        assert before is not None
        for key in DIALOGS:
            await screen.press(key, "1", "tab", "escape")
            assert screen.app.view.WHERE == "gaps"
            assert screen.app.focused is before
            assert len(screen.app.screen_stack) == 1


async def test_a_dialog_follows_the_terminal_to_another_size(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4", "question_mark")
        assert "below" not in screen.text()
        await screen.resize(*SMALL)
        assert "below" in screen.text()
        assert max(len(row) for row in screen.rows()) <= SMALL[0]


async def test_before_the_profile_is_open_no_dialog_comes_up(store: Store) -> None:
    async with opened(store) as screen:
        run, screen.app._run = screen.app._run, None  # pyright: ignore[reportPrivateUsage] # as before the store is open
        await screen.press("e")
        assert "still being opened" in screen.text()
        assert len(screen.app.screen_stack) == 1
        screen.app._run = run  # pyright: ignore[reportPrivateUsage]


async def test_the_help_has_the_keys_of_the_place_and_of_no_other(store: Store) -> None:
    async with opened(store, size=(120, 50)) as screen:
        await screen.press("4", "question_mark")
        text = screen.text()
        assert "Keys: Gaps" in text
        assert "Every row is a time between two tasks" in text
        assert "Show only gaps of the next cause." in text
        assert "Go one row down." in text
        assert "Leave npuview." in text
        assert "Fit the window" not in text


async def test_every_key_that_may_mean_it_closes_the_help_and_not_the_app(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        for key in ("escape", "question_mark", "q", "f1", "enter"):
            await screen.press("question_mark")
            assert "Keys: Gaps" in screen.text()
            await screen.press(key)
            assert "Keys: Gaps" not in screen.text()
        assert screen.app.is_running


async def test_the_end_of_the_help_can_be_read_on_a_small_screen(store: Store) -> None:
    async with opened(store, size=SMALL) as screen:
        await screen.press("4", "question_mark")
        assert "Leave npuview." not in screen.text()
        await screen.press(*["pagedown"] * 9)
        assert "Leave npuview." in screen.text()
        assert "below" not in screen.text()
        await screen.press(*["pageup"] * 9)
        assert "When the device had nothing to do" in screen.text()


async def test_a_command_acts_where_its_key_would(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "colon")
        await screen.type("from which a gap")
        await screen.press("enter")
        assert "gaps from" in screen.rows()[-2]


async def test_a_step_can_be_gone_to_by_name(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "ctrl+p")
        await screen.type("go step 14")
        await screen.press("enter")
        assert screen.app.place.step == 14
        assert screen.app.view.WHERE == "gaps"


async def test_letters_that_no_command_has_choose_none(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "colon")
        await screen.type("zzzz")
        await screen.press("enter")
        assert "no command has these letters" in screen.text()


async def test_names_of_bookmarks_are_text_and_never_markup(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("4")
        screen.app.kept.add_bookmark(HOSTILE, screen.app.spot, facts(screen))
        await screen.press("colon")
        await screen.type("[red")
        assert "Bookmark: [red]␛[31mX[/] [@click=app.quit()]" in screen.text()
        await screen.press("escape", "B")
        assert "[red]␛[31mX[/]" in screen.text()
        await screen.press("d")
        assert "[red]" not in screen.text()


@given(st.text(max_size=12), st.text(max_size=40))
def test_a_match_names_the_letters_in_their_order(typed: str, text: str) -> None:
    found = match(typed, text)
    letters = [letter for word in typed.casefold().split() for letter in word]
    if found is not None:
        assert list(found.places) == sorted(set(found.places))
        assert [text.lower()[at] for at in found.places] == letters


@given(st.text("abc ", max_size=8), st.text("abc ", max_size=8), st.text("abc ", max_size=8))
def test_what_a_text_holds_is_found(before: str, typed: str, behind: str) -> None:
    assert match(typed, f"{before}{typed}{behind}") is not None


def test_the_start_of_a_word_counts_more_than_its_middle() -> None:
    start, middle = match("gap", "show the gaps"), match("gap", "show the agape")
    assert start is not None
    assert middle is not None
    assert start.score > middle.score


def test_many_equal_letters_take_no_time() -> None:
    begun = time.monotonic()
    assert match("a" * 60 + "b", "a" * 5_000) is None
    assert time.monotonic() - begun < 0.5
