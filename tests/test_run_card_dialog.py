"""The run card in the app: typed in, kept, and told in the head and the findings at once."""

from pathlib import Path

import pytest
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.dialogs.run_card import RunCardDialog, milliseconds_of
from npuview.tui.overview.finding_list import FindingList
from npuview.tui.user.run_card import RunCard, card_of, keep_card, milliseconds_typed

MS = 1_000_000


@pytest.fixture(scope="module")
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


async def told(screen: Screen) -> str:
    """Return what all findings say, as the overview has them."""
    await screen.settle()
    return " ".join(screen.app.query_one(FindingList).sentences)


async def test_what_is_typed_in_is_kept_and_told_at_once(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        assert "Provisional until" in await told(screen)
        await screen.press("c", *"328.5", "down", *"bf16", "down", *"32", "enter")
        assert card_of(store.path) == RunCard(328_500_000, "bf16", "32")
        assert "step 329 ms without a profiler, overhead 24.8 %" in screen.text()
        assert "bf16 · batch 32" in screen.text()
        assert "Provisional until" not in await told(screen)
        await screen.press("c")
        assert "328.5" in screen.row_with("ms without profiler")


async def test_an_emptied_field_is_forgotten_and_the_others_stay(store: Store) -> None:
    keep_card(store.path, RunCard(328 * MS, "bf16", None, "after"))
    async with opened(store) as screen:
        await screen.press("c", "end", "backspace", "backspace", "backspace", "enter")
        assert card_of(store.path) == RunCard(None, "bf16", None, "after")


@pytest.mark.parametrize("typed", ["fast", "0", "-1", "nan", "1e30"])
async def test_what_is_no_time_is_said_in_the_dialog(store: Store, typed: str) -> None:
    async with opened(store, size=(80, 24)) as screen:
        await screen.press("c", *typed, "enter")
        assert isinstance(screen.app.screen, RunCardDialog)
        assert typed in screen.row_with(": ")
        await screen.press("escape")
    assert card_of(store.path) == RunCard()


async def test_a_card_that_cannot_be_kept_is_said(store: Store, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    async with opened(store) as screen:
        await screen.press("c", "7", "enter")
        assert "the card cannot be kept" in screen.text()


@pytest.mark.parametrize("ns", [1, 328 * MS, 328_500_000, 120 * MS, 10**12 + 1])
def test_a_time_is_shown_as_it_is_read(ns: int) -> None:
    assert milliseconds_typed(milliseconds_of(ns)) == ns
