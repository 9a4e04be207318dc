"""What is copied, and where a text goes that is too long for a terminal."""

import stat
from pathlib import Path

import pytest
from screen import opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.user.clipboard import MOST_BYTES, clipboard_text, copied
from npuview.tui.views.gaps import Gaps

pytestmark = pytest.mark.usefixtures("own_folders")


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def only_file(folder: Path) -> Path:
    [written] = files(folder)
    return written


async def test_what_is_selected_reaches_the_clipboard(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4", "y")
        assert screen.app.clipboard == screen.app.view.copied()
        assert f"copied {screen.app.clipboard[:20]}" in screen.rows()[-2]
        assert "tmux" not in screen.rows()[-2]
        monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")  # noqa: S108 a made-up value
        await screen.press("y")
        assert "tmux set -s set-clipboard on" in screen.rows()[-2]


async def test_nothing_to_copy_is_said(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gaps, "copied", lambda _: "")
    async with opened(store) as screen:
        await screen.press("4", "y")
        assert "nothing is selected" in screen.rows()[-2]


async def test_a_text_too_long_for_a_terminal_goes_to_a_private_file(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "名" * (MOST_BYTES // 2)
    monkeypatch.setattr(Gaps, "copied", lambda _: text)
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4", "y")
        written = only_file(tmp_path / "state" / "npuview")
        assert "too long for the clipboard" in screen.rows()[-2]
        assert written.name in screen.rows()[-2]
        assert screen.app.clipboard == ""
    assert written.read_text(encoding="utf-8") == text
    assert stat.S_IMODE(written.stat().st_mode) == 0o600


def test_a_copy_keeps_lines_and_tabs_and_nothing_that_steers() -> None:
    assert clipboard_text("a\tb\nc\x1b]52;c;\x07\x9b") == "a\tb\nc␛]52;c;␇⟨U+009B⟩"
    assert copied("a\nb\nc", {}) == "copied 3 lines"
    assert "screen" in copied("a", {"STY": "1.x"})
    for environ in ({"TMUX": "x"}, {"STY": "1.x"}):
        assert cell_len(copied("数" * 100, environ)) <= 78
