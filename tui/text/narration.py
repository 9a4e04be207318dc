"""What is said to the person beside the answers: on standard error."""

import sys
from contextlib import suppress

from ..draw.safe_text import clean
from ..words.spoken import speak, speaks
from .terminal import terminal_of


def note(text: str) -> None:
    """Say something to the person on standard error, cleaned; further lines are indented."""
    terminal = terminal_of(sys.stderr)
    said = "\n  ".join(terminal.text(clean(line)) for line in text.split("\n"))
    # Who closed standard error does not want to hear it.
    with suppress(OSError, ValueError):
        sys.stderr.write(f"npuview: {said}\n")
        sys.stderr.flush()


def speak_in_ascii() -> None:
    """Speak English from now on, for ASCII has no Chinese characters; say so once."""
    if speaks() != "en":
        speak("en")
        note("Chinese cannot be shown in ASCII, so this is English; try without --ascii, in UTF-8")
