"""Make the pictures of the README: the app on the made-up profile.

``python screenshots/make.py`` writes them; with ``--check`` it writes nothing and
exits with 1 when one is not what the program shows today.
"""

import asyncio
import os
import re
import sys
import tempfile
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch

FOLDER = Path(__file__).parent
WIDE, NARROW = (160, 45), (80, 24)
ANSWERED_NS = 4_000_000
"""How long every statement takes here: a picture of a slow machine is the same."""

REST_SECONDS = 0.25
"""Longer than anything waits for a rest of the keys."""

# A setting of Textual, which reads it while it is imported.
os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)
# What stands out is told in the language of the locale.
os.environ["LC_ALL"] = "C.UTF-8"

from textual.pilot import Pilot  # noqa: E402

from npuview.ingest.pipeline import open_store  # noqa: E402
from npuview.ingest.sample import write_sample  # noqa: E402
from npuview.ingest.store import Store  # noqa: E402
from npuview.tui.app import NpuviewApp  # noqa: E402
from npuview.tui.compare.against import Against, OtherRun  # noqa: E402
from npuview.tui.process.display import Display  # noqa: E402
from npuview.tui.user.config import load_config  # noqa: E402
from npuview.tui.user.run_card import RunCard  # noqa: E402


class Picture(NamedTuple):
    """A view: the keys that lead to it, on a terminal of so many columns and rows."""

    keys: str
    size: tuple[int, int] = WIDE
    display: Display = Display()
    is_compared: bool = False


SLICE = "3 enter enter enter w"

PICTURES = {
    "overview": Picture("1"),
    "timeline": Picture("2"),
    "slice": Picture(SLICE),
    "top": Picture("3"),
    "gaps": Picture("4"),
    "details": Picture("3 enter enter"),
    "compare": Picture("6 enter", is_compared=True),
    "sql": Picture("5 ctrl+o t y p e s enter enter"),
    "help": Picture("2 question_mark"),
    "overview-narrow": Picture("1", NARROW),
    "timeline-narrow": Picture(SLICE, NARROW),
    "top-narrow": Picture("3", NARROW),
    "timeline-ascii": Picture(SLICE, NARROW, Display(glyphs="ascii")),
}

WEB_FONT = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
UNIQUE_ID = re.compile(r"\bterminal-\d+\b")
FONTS = "Fira Code, DejaVu Sans Mono, monospace"


async def settle(pilot: Pilot[None]) -> None:
    """Wait until threads have answered what was asked, and it is drawn."""
    at_rest = 0
    while at_rest < 2:
        await pilot.pause()
        # What one question brought may be what the next one asks about.
        at_rest = 0 if pilot.app.workers else at_rest + 1
        await pilot.app.workers.wait_for_complete()


async def drawn(picture: Picture, store: Store, before: Store) -> str:
    """Return a view of a store, or of it and the one before, as SVG."""
    config = load_config({}, {})
    own, other = OtherRun("after", store, RunCard()), OtherRun("before", before, RunCard())
    against = Against(own, word="before", other=other) if picture.is_compared else None
    app = NpuviewApp(store, picture.display, config, remember=False, against=against)
    async with app.run_test(size=picture.size) as pilot:
        for key in picture.keys.split():
            await settle(pilot)
            await pilot.press(key)
        await settle(pilot)
        await pilot.pause(REST_SECONDS)
        await settle(pilot)
        svg = app.export_screenshot(title="npuview ./prof_data", simplify=True)
    # The frame of Textual loads its font from the network; a reader's own will do.
    svg = WEB_FONT.sub("", svg).replace("Fira Code, monospace", FONTS)
    return UNIQUE_ID.sub("npuview", svg)


def pictures() -> dict[str, str]:
    """Return every picture by its file name."""
    clock = SimpleNamespace(monotonic_ns=count(0, ANSWERED_NS).__next__)
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("npuview.tui.sql.kept_answer.time", clock),
        patch.dict(os.environ, {"XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder}),
    ):
        before, after = (
            open_store(
                write_sample(Path(folder) / scenario, scenario), cache_dir=Path(folder) / "cache"
            ).store
            for scenario in ("host_bound", "pipelined")
        )
        return {
            f"{name}.svg": asyncio.run(
                drawn(picture, after if picture.is_compared else before, before)
            )
            for name, picture in PICTURES.items()
        }


def main(arguments: list[str]) -> int:
    """Write the pictures, or only compare them; return the exit status."""
    made = pictures()
    kept = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.svg")}
    stale = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    if "--check" in arguments:
        for name in stale:
            sys.stderr.write(f"screenshots/{name} is stale: run python screenshots/make.py\n")
        return 1 if stale else 0
    for name in stale:
        if name in made:
            (FOLDER / name).write_text(made[name], "utf-8")
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
