"""Text for the clipboard of the terminal, and what to say when it may not get there."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...ingest.errors import NpuviewError
from ..draw.numbers import count
from ..draw.safe_text import clean, cut
from ..process.crash_log import state_directory
from ..words.spoken import say

MOST_BYTES = 75_000
"""Terminals take no more in one sequence, and say nothing about it."""

SHOWN_CELLS = 40
SHOWN_BESIDE_HINT = 20
"""Cells of the text that leave room for the hint on 80 columns."""


def clipboard_text(text: str) -> str:
    """Return the true text without what could steer a terminal; tabs and lines stay."""
    return "\n".join("\t".join(map(clean, line.split("\t"))) for line in text.splitlines())


def fits(text: str) -> bool:
    """Tell whether a terminal takes a text."""
    return len(text.encode(errors="replace")) <= MOST_BYTES


def copied(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return a clean sentence about a text that was sent to the terminal."""
    hint = ""
    if environ.get("TMUX"):
        hint = "copied_in_tmux"
    elif environ.get("STY"):
        hint = "copied_in_screen"
    lines = text.split("\n")
    first = cut(lines[0].replace("\t", "  "), SHOWN_BESIDE_HINT if hint else SHOWN_CELLS)
    said = (
        say("copied", text=first)
        if len(lines) == 1
        else say("copied_lines", count=count(len(lines)))
    )
    return say(hint, what=said) if hint else said


def write_copy(text: str) -> Path:
    """Write a text that is too long for the terminal into a file for its owner only.

    Raises NpuviewError if it cannot be written.
    """
    try:
        folder = state_directory()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix="copied-", suffix=".txt", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NpuviewError(f"too long for the clipboard, and no file for it: {reason}") from error
    return Path(name)
