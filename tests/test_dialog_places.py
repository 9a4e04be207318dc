"""Places that are gone to, kept and listed."""

from pathlib import Path

import pytest
from screen import Screen, opened

from npuview.ingest.errors import UsageError
from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.dialogs.goto import RankNumber, SliceNumber, StepNumber, found_focus, read_goto
from npuview.tui.focus import Focus
from npuview.tui.places import Place
from npuview.tui.run import Run

pytestmark = pytest.mark.usefixtures("own_folders")


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def facts(screen: Screen) -> Run:
    return screen.app.run_facts


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("step 50", StepNumber(50)),
        ("Slice123", SliceNumber(123)),
        (" rank 3 ", RankNumber(3)),
        ("+41.2ms", Place(41_200_000, relative=True)),
        ("1690000000000000000", Place(1_690_000_000_000_000_000, relative=False)),
    ],
)
def test_a_place_is_read_as_people_type_it(text: str, wanted: object) -> None:
    assert read_goto(text) == wanted


@pytest.mark.parametrize("text", ["", "step", "step -1", "slice x", "tomorrow"])
def test_what_is_no_place_says_what_is_one(text: str) -> None:
    with pytest.raises(UsageError, match="step N, slice N"):
        read_goto(text)


async def test_a_step_is_gone_to_in_the_view_that_is_shown(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "g")
        await screen.type("step 14")
        await screen.press("enter")
        assert (screen.app.view.WHERE, screen.app.place.step) == ("gaps", 14)


async def test_a_place_that_is_not_there_is_said(store: Store) -> None:
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4")
        before = screen.app.place
        for typed, said in {
            "step 99": "no step 99 here; there are: 12, 13, 14, 15",
            "rank 7": "no rank 7 is open here; there are: 0",
            "slice 999999999": "there is no slice 999999999 here",
            "90s": "that lies outside of it",
            "nonsense": "is no place in time",
        }.items():
            await screen.press("g")
            await screen.type(typed)
            await screen.press("enter")
            assert said in screen.rows()[-2]
            assert screen.app.place == before


async def test_an_instant_is_in_the_middle_of_a_window_in_its_step(store: Store) -> None:
    async with opened(store) as screen:
        run = facts(screen)
        wanted = found_focus(Place(450_000_000, relative=True), Focus(0, 12), run)
        period = run.period(0, 12)
    assert period is not None
    assert wanted.step == 13
    assert wanted.window is not None
    assert sum(wanted.window) // 2 == period.from_ts + 450_000_000


async def test_a_place_is_kept_listed_gone_to_and_deleted(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "j", "b")
        kept = screen.app.place
        await screen.press("ctrl+u")
        await screen.type("slow")
        await screen.press("enter")
        assert "kept as slow" in screen.rows()[-2]
        screen.app.move(Focus(0, 12))
        await screen.press("1", "B")
        assert "step 13" in screen.row_with("slow")
        await screen.press("enter")
        there = screen.app.place
        assert (there.rank, there.step, there.window) == (kept.rank, kept.step, kept.window)
        assert screen.app.view.WHERE == "gaps"
        await screen.press("B", "d", "escape")
        assert not screen.app.kept.bookmarks


async def test_a_bookmark_gets_a_note_in_which_letters_are_text(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("4", "b", "enter", "B", "n")
        await screen.type("dqn")
        await screen.press("enter")
        assert [one.note for one in screen.app.kept.bookmarks] == ["dqn"]
        await screen.press("n")
        await screen.type("x")
        await screen.press("escape", "escape")
        assert [one.note for one in screen.app.kept.bookmarks] == ["dqn"]
