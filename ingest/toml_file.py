"""A TOML file that a person writes: settings, rules, patterns, thresholds, maps."""

import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from .errors import UsageError
from .folder import open_regular

MOST_BYTES: Final = 1 << 20
"""Of such a file; a larger one is something else."""

TO_TRY: Final = "correct it there, or do without the file"
"""What may help against a file with a mistake."""

_LINE: Final = re.compile(r"\(at line (?P<line>[0-9]+), column [0-9]+\)$")


class TomlFile(NamedTuple):
    """The text of a file, and the table that it says."""

    text: str
    table: dict[str, object]


def read_toml(path: Path) -> TomlFile | None:
    """Read a TOML file; None if there is no file.

    Raises UsageError, naming the file and where it can be told the line, for what cannot be
    read, is larger than ``MOST_BYTES`` or is no TOML.
    """
    try:
        with open_regular(path) as file:
            content = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: larger than {MOST_BYTES:,} bytes; that is something else")
    text = _decoded(path, content)
    try:
        return TomlFile(text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_broken(path, text, str(error))) from error
    except RecursionError as error:
        raise UsageError(f"{path}: nested too deeply") from error
    except ValueError as error:
        # Python makes no number of more than some thousand digits.
        raise UsageError(f"{path}: is no TOML: a number has too many digits") from error


def _decoded(path: Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line}: is not UTF-8, as TOML must be") from error


def _broken(path: Path, text: str, message: str) -> str:
    found = _LINE.search(message)
    # Without a line, the file ended too early.
    line = found["line"] if found else text.rstrip("\n").count("\n") + 1
    said = _LINE.sub("", message).strip()
    return f"{path}:{line}: is no TOML: {said}; {TO_TRY}"
