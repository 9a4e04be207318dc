"""What is said to the person beside the answers: on standard error."""

import sys
from contextlib import suppress

from ..draw.safe_text import clean
from .terminal import terminal_of


def note(text: str) -> None:
    """Say something to the person on standard error, cleaned; further lines are indented."""
    terminal = terminal_of(sys.stderr)
    said = "\n  ".join(terminal.text(clean(line)) for line in text.split("\n"))
    # Who closed standard error does not want to hear it.
    with suppress(OSError, ValueError):
        sys.stderr.write(f"npuview: {said}\n")
        sys.stderr.flush()
