"""Where an answer goes, and in which format."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from .terminal import Terminal, terminal_of

Format = Literal["table", "csv", "json", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SUFFIXES: dict[str, Format] = {f".{one}": one for one in FORMATS}

STANDARD_OUTPUT = Path("-")


def format_of(file: Path) -> Format:
    """Return the format that a file's name ends with; a table if it is none of them."""
    return _SUFFIXES.get(file.suffix.lower(), "table")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an answer is written; without a file, to standard output."""

    format: Format = "table"
    file: Path = STANDARD_OUTPUT
    ascii_level: bool = False

    @property
    def terminal(self) -> Terminal:
        """Return what the destination can show."""
        if self.file == STANDARD_OUTPUT:
            return terminal_of(sys.stdout, ascii_level=self.ascii_level)
        return Terminal(ascii_level=self.ascii_level)
