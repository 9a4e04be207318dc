"""The file of settings as flat names with their lines, for messages that can be followed."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from ...ingest.errors import UsageError
from ...ingest.folder import open_regular

MOST_BYTES = 1 << 20
"""Of a file of settings; a larger one is something else."""

_LINE = re.compile(r"\(at line (?P<line>[0-9]+), column [0-9]+\)$")


class Entry(NamedTuple):
    """A value of the file under its full name, such as ``keys.timeline.zoom_in``."""

    name: str
    value: object
    source: str
    """The file, with the line where the name stands if that can be told."""


def read_config_file(path: Path) -> list[Entry]:
    """Read a file of settings; none if there is no file.

    Raises UsageError naming file and line for what cannot be read or is no TOML.
    """
    try:
        with open_regular(path) as file:
            content = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: larger than {MOST_BYTES:,} bytes; that is no file of settings")
    text = _decoded(path, content)
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_broken(path, text, str(error))) from error
    except RecursionError as error:
        raise UsageError(f"{path}: nested too deeply") from error
    return [Entry(name, value, _place(path, text, name)) for name, value in _flat(read, "")]


def _decoded(path: Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line}: is not UTF-8, as TOML must be") from error


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, object]]:
    """Yield values under full names: a key that holds dots is the same as tables in tables."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(cast("dict[str, object]", value), f"{before}{name}.")
        else:
            yield before + name, value


def _broken(path: Path, text: str, message: str) -> str:
    found = _LINE.search(message)
    # Without a line, the file ended too early.
    line = found["line"] if found else text.rstrip("\n").count("\n") + 1
    return f"{path}:{line}: is no TOML: {_LINE.sub('', message).strip()}"


def _place(path: Path, text: str, name: str) -> str:
    """Return the file and the line of a name, which stands whole or behind a table's."""
    parts = name.split(".")
    for start in range(len(parts)):
        written = r"['\"]?\s*\.\s*['\"]?".join(map(re.escape, parts[start:]))
        found = re.search(rf"^[ \t]*['\"]?{written}['\"]?[ \t]*=", text, re.MULTILINE)
        if found:
            return f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
    return str(path)
