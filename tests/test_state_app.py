"""What the app keeps: where somebody was comes back, and what was asked for wins over it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from row_build import row
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.rows import ProfilesRow, StepsRow
from npuview.tui.focus import Focus, Window
from npuview.tui.run import Run
from npuview.tui.start import Start
from npuview.tui.user.config import load_config
from npuview.tui.user.kept import Kept, Spot
from npuview.tui.user.state import State, state_path

T0 = 1_736_408_883_704_643_212


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.fixture
def file(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the state of the profile lies; nothing is there yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = state_path(store.path)
    assert path is not None
    return path


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def run_of(*steps: tuple[int, int, int], rank: int = 0, dur: int = 1_000_000) -> Run:
    """Return a run of one rank from T0, with steps by number, start and length."""
    profile = row(ProfilesRow, rank=rank, ts=T0, dur=dur)
    rows = [row(StepsRow, rank=rank, step=n, ts=T0 + ts, dur=dur) for n, ts, dur in steps]
    return Run([profile], rows, [], [])


async def leave_at_gaps_of_step_13(store: Store) -> Focus:
    """Open the profile, go somewhere, end the app, and return where that was."""
    async with opened(store, remember=True) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "j")
        return screen.app.place


def where(screen: Screen) -> tuple[str, int, int | None, Window | None]:
    place = screen.app.place
    return screen.app.view.WHERE, place.rank, place.step, place.window


@pytest.mark.usefixtures("file")
async def test_the_app_opens_where_it_was_left(store: Store) -> None:
    await leave_at_gaps_of_step_13(store)
    async with opened(store, remember=True) as screen:
        assert where(screen)[:3] == ("gaps", 0, 13)
        assert "step 13" in screen.rows()[0]
        await screen.press("escape")
        assert screen.app.view.WHERE == "overview"


@pytest.mark.usefixtures("file")
async def test_the_window_of_the_timeline_is_kept(store: Store) -> None:
    async with opened(store, remember=True) as screen:
        await screen.press("2", "w", "w")
        left = where(screen)
    async with opened(store, remember=True) as screen:
        assert left[3] is not None
        assert where(screen) == left


async def test_a_step_that_is_asked_for_wins(store: Store, file: Path) -> None:
    await leave_at_gaps_of_step_13(store)
    async with opened(store, remember=True, start=Start(step=15)) as screen:
        assert where(screen) == ("overview", 0, 15, None)
    assert State.load(file).state.step == 15


async def test_who_does_not_want_it_starts_afresh_and_keeps_bookmarks(
    store: Store, file: Path
) -> None:
    async with opened(store, remember=True) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "b", "enter")
    config = load_config({"restore": False}, {})
    async with opened(store, remember=True, config=config) as screen:
        assert screen.app.view.WHERE == "overview"
        assert len(screen.app.kept.bookmarks) == 1
    assert len(State.load(file).state.bookmarks) == 1


async def test_nothing_is_kept_of_an_app_that_is_to_remember_nothing(
    store: Store, file: Path
) -> None:
    async with opened(store, remember=False) as screen:
        await screen.press("4", "b", "enter")
        assert "kept as" in screen.rows()[-2]
    assert State.load(file).state == State()


async def test_a_damaged_file_is_said_and_replaced(store: Store, file: Path) -> None:
    written(file, "{")
    async with opened(store, remember=True, size=(200, 40)) as screen:
        assert screen.app.view.WHERE == "overview"
        assert "is damaged" in screen.rows()[-2]
    assert State.load(file).state.view == "overview"


async def test_a_view_that_there_is_not_is_not_gone_to(store: Store, file: Path) -> None:
    kept = {"version": 1, "view": "nowhere", "rank": 0, "step": 13, "bookmarks": []}
    written(file, json.dumps(kept))
    async with opened(store, remember=True) as screen:
        assert screen.app.view.WHERE == "overview"


async def test_a_place_that_ends_the_app_is_not_gone_to_again(store: Store, file: Path) -> None:
    await leave_at_gaps_of_step_13(store)
    before = State.load(file).state

    def fail() -> None:
        raise RuntimeError("it cannot be drawn")

    async def crash() -> None:
        async with opened(store, remember=True) as screen:
            await screen.press("1")
            screen.app.kept.add_statement("SELECT 1")
            screen.app.call_later(fail)
            await screen.settle()

    with pytest.raises(RuntimeError, match="cannot be drawn"):
        await crash()
    after = State.load(file).state
    assert after == replace(before, history=("SELECT 1",))


async def test_a_directory_that_cannot_be_written_lets_the_app_end(
    store: Store, file: Path
) -> None:
    # A file where a directory would have to be.
    written(file.parent.parent, "")
    async with opened(store, remember=True, size=(200, 40)) as screen:
        await screen.press("4", "b", "enter")
        assert "cannot be kept" in screen.rows()[-2]
        screen.app.exit()
        await screen.settle()
    assert screen.app.error is None


async def test_an_app_that_ends_before_the_profile_is_open_leaves_the_file_alone(
    store: Store, file: Path
) -> None:
    await leave_at_gaps_of_step_13(store)
    before = State.load(file)
    async with opened(store, remember=True) as screen:
        screen.app._run = None  # pyright: ignore[reportPrivateUsage] # as before the store is open
        screen.app.exit()
    assert State.load(file) == before


def test_statements_are_kept_once_and_the_newest_last(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "state" / "profiles" / "p.json")
    for text in ("SELECT 1", "SELECT 2", "SELECT 1"):
        kept.add_statement(text)
    assert kept.save() is None
    assert list(Kept(tmp_path / "state" / "profiles" / "p.json").history) == [
        "SELECT 2",
        "SELECT 1",
    ]


WINDOWS = st.tuples(st.integers(0, 999_999), st.integers(1, 400_000)).map(
    lambda one: Window(T0 + one[0], T0 + one[0] + one[1])
)


@given(st.none() | WINDOWS, st.sampled_from([None, 1, 2]))
def test_a_place_comes_back_as_it_was(window: Window | None, step: int | None) -> None:
    run = run_of((1, 0, 400_000), (2, 400_000, 600_000))
    kept = Kept()
    spot = Spot("gaps", Focus(0, step, window))
    kept.leave(spot, run)
    last = kept.last(run)
    kept.add_bookmark("here", spot, run)
    marked = kept.spot(kept.bookmarks[0], run)
    assert last is not None
    assert marked is not None
    shown = run.window(spot.focus)
    for one in (last, marked):
        assert (one.view, one.focus.rank, one.focus.step) == ("gaps", 0, step)
        assert run.window(one.focus) == shown


def test_a_step_that_went_is_found_by_its_time() -> None:
    kept = Kept()
    kept.add_bookmark("here", Spot("gaps", Focus(0, 2)), run_of((1, 0, 500), (2, 500, 500)))
    again = kept.spot(kept.bookmarks[0], run_of((1, 0, 400), (7, 400, 700)))
    assert again is not None
    assert again.focus.step == 7


def test_a_window_that_is_not_there_any_more_is_left_out() -> None:
    kept = Kept()
    late = Window(T0 + 900_000, T0 + 950_000)
    kept.leave(Spot("gaps", Focus(0, None, late)), run_of())
    last = kept.last(run_of(dur=1_000))
    assert last == Spot("gaps", Focus(0))


def test_what_is_kept_of_a_rank_that_is_not_open_leads_nowhere() -> None:
    kept = Kept()
    spot = Spot("gaps", Focus(0))
    kept.add_bookmark("here", spot, run_of())
    kept.leave(spot, run_of())
    other = run_of(rank=1)
    assert kept.last(other) is None
    assert kept.spot(kept.bookmarks[0], other) is None
