"""What the views show of the made-up run, row by row; ``--update-snapshots`` writes it anew."""

import re
import sys
from difflib import unified_diff
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from screen import opened
from terminal_program import TerminalProgram

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.process.display import Display

FOLDER = Path(__file__).with_name("snapshots")

VIEWS = {
    "overview": ["1"],
    "steps": ["S"],
    "timeline": ["2"],
    "slice": ["3", "enter", "enter", "enter"],
    "top": ["3"],
    "details": ["3", "enter", "enter"],
    "gaps": ["4"],
    "memory": ["M"],
    "sql": ["5", "ctrl+o", *"steps", "enter", "enter"],
}
"""The keys that lead to a view."""

LEVELS = {
    "120x40": ((120, 40), Display()),
    "80x24": ((80, 24), Display()),
    "80x24_ascii": ((80, 24), Display(glyphs="ascii")),
}

ANSWERED_NS = 4_000_000

NO_COLOR_AT_ALL = re.compile(rb"\x1b\[[0-9;]*?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")
RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_looks_as_it_did(
    view: str,
    level: str,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    clock = SimpleNamespace(monotonic_ns=count(0, ANSWERED_NS).__next__)
    monkeypatch.setattr("npuview.tui.sql.kept_answer.time", clock)
    size, display = LEVELS[level]
    async with opened(store, size=size, display=display) as screen:
        await screen.press(*VIEWS[view])
        await screen.rest()
        shown = screen.text() + "\n"
    file = FOLDER / f"{view}_{level}.txt"
    if pytestconfig.getoption("--update-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
    kept = file.read_text("utf-8") if file.exists() else ""
    if shown != kept:
        pytest.fail(difference(kept, shown, file.name), pytrace=False)


def difference(kept: str, shown: str, name: str) -> str:
    lines = unified_diff(kept.splitlines(), shown.splitlines(), name, "shown now", lineterm="")
    hint = "if it is meant to be: python -m pytest tests/test_snapshots.py --update-snapshots"
    return "\n".join(["", *lines, hint])


def test_there_is_no_snapshot_that_nothing_compares() -> None:
    wanted = {f"{view}_{level}.txt" for view in VIEWS for level in LEVELS}
    assert {file.name for file in FOLDER.iterdir()} == wanted


def test_without_colour_no_view_sends_one(sample: Path, places: Path, tmp_path: Path) -> None:
    environ = {
        "NPUVIEW_CACHE_DIR": str(places / "cache"),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "NO_COLOR": "1",
    }
    command = [sys.executable, "-c", RUN, str(sample)]
    with TerminalProgram(command, size=(120, 40), environ=environ) as program:
        program.until_text("Look here first")
        for key, seen in {
            "2": "Under the cursor",
            "3": "operators",
            "4": "Why",
            "5": "Query",
        }.items():
            program.press(key)
            program.until_text(seen)
            program.settle()
        program.press("\x11")
        program.end()
    assert NO_COLOR_AT_ALL.findall(program.written) == []
