"""The app on a store whose profile is gone, and on one that cannot be read."""

import shutil
from pathlib import Path

import pytest
from build import torch_profile
from screen import opened

from npuview.ingest.pipeline import open_store
from npuview.queries.session import Session
from npuview.tui.app import NpuviewApp
from npuview.tui.commands.open import show
from npuview.tui.commands.options import Source
from npuview.tui.commands.source import open_source
from npuview.tui.compare.against import Against
from npuview.tui.start import Start
from npuview.tui.user.config import load_config


def small_profile(folder: Path) -> Path:
    profile = torch_profile(folder, rank=0)
    profile.trace.step(1, 0, 1000)
    profile.trace.kernel("Add", 100, 50)
    return profile.write()


@pytest.mark.parametrize("gone", [False, True])
async def test_the_app_says_that_the_profile_is_gone(tmp_path: Path, gone: bool) -> None:
    path = small_profile(tmp_path)
    store = open_store(path, cache_dir=tmp_path / "cache").store
    if gone:
        shutil.rmtree(path)
    async with opened(store) as screen:
        assert ("source missing" in screen.text()) is gone


def test_an_index_that_the_app_cannot_open_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    source = Source(small_profile(tmp_path), tmp_path / "cache")
    ready = open_source(source)
    [rank] = ready.store.ranks
    rank.index.write_bytes(bytes(rank.index.stat().st_size))
    asked: list[int] = []

    def run(app: NpuviewApp) -> int:
        with Session(app.store) as session:
            asked.append(len(session.sql("FROM slice").rows))
        return 0

    monkeypatch.setattr("npuview.tui.process.clean_exit.run_app", run)
    assert show(ready, source, load_config(), Start(), remember=False, against=Against()) == 0
    assert asked == [2]
    assert "store damaged" in capsys.readouterr().err
