"""What the stream that text goes to can show: its width, colours and characters."""

import codecs
import os
import re
import shutil
from dataclasses import dataclass
from typing import IO

import click

from ..draw.safe_text import ascii_text, clean

NARROWEST = 40
"""Cells; below this nothing is laid out for the width any more."""


_PAINTED = re.compile(r"(\x1b\[(?:0|1|3[0-7]|9[0-7])m)")
"""The sequences that ``paint`` makes, and no others."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """How to write text: ``width`` in cells, None where nothing limits it."""

    width: int | None = None
    color: bool = False
    ascii_level: bool = False

    def text(self, line: str) -> str:
        """Return text, cleaned, in characters that the stream has."""
        line = clean(line)
        return ascii_text(line) if self.ascii_level else line

    def line(self, drawn: str) -> str:
        """Return a drawn line in which nothing steers the stream but our own colours."""
        if not self.color:
            return clean(drawn)
        # Every second part is one of the sequences that the others are split at.
        parts = _PAINTED.split(drawn)
        return "".join(part if at % 2 else clean(part) for at, part in enumerate(parts))

    def paint(self, text: str, color: str | None = None, *, bold: bool = False) -> str:
        """Return text in a colour or in bold where the stream shows colours."""
        if not self.color or not (color or bold):
            return text
        return click.style(text, fg=color, bold=bold or None)


def terminal_of(stream: IO[str], *, ascii_level: bool = False) -> Terminal:
    """Describe a standard stream.

    Colours need a terminal, and neither ``NO_COLOR`` nor ``TERM=dumb``. The
    characters follow the encoding that Python uses for the stream, not ``LANG``.
    """
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        knows_unicode = codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        knows_unicode = False
    plain = ascii_level or not knows_unicode
    if not stream.isatty():
        return Terminal(ascii_level=plain)
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    return Terminal(width, can_redraw(stream) and not os.environ.get("NO_COLOR"), plain)


def can_redraw(stream: IO[str]) -> bool:
    """Tell whether a stream is a terminal that knows escape sequences."""
    return stream.isatty() and os.environ.get("TERM", "") not in {"", "dumb"}
