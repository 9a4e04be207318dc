"""A panel that has the whole body."""

from pathlib import Path

import pytest
from screen import opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store

pytestmark = pytest.mark.usefixtures("own_folders")


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


async def test_a_panel_takes_the_body_and_gives_it_back(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        before = screen.rows()[:-2]
        for back in ("z", "escape"):
            await screen.press("z")
            assert "━━ Gaps" in screen.rows()[2]
            assert "── Why" not in screen.text()
            await screen.press(back)
            assert screen.rows()[:-2] == before
        assert screen.app.view.WHERE == "gaps"


async def test_another_view_is_shown_whole(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "z", "1", "4")
        assert "── Why" in screen.text()
