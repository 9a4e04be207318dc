"""The file of settings as flat names with their lines, for messages that can be followed."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from ...ingest.toml_file import read_toml


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
    read = read_toml(path)
    if read is None:
        return []
    text, table = read
    return [Entry(name, value, _place(path, text, name)) for name, value in _flat(table, "")]


def _flat(table: Mapping[str, object], before: str) -> Iterator[tuple[str, object]]:
    """Yield values under full names: a key that holds dots is the same as tables in tables."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(cast("dict[str, object]", value), f"{before}{name}.")
        else:
            yield before + name, value


def _place(path: Path, text: str, name: str) -> str:
    """Return the file and the line of a name, which stands whole or behind a table's."""
    parts = name.split(".")
    for start in range(len(parts)):
        written = r"['\"]?\s*\.\s*['\"]?".join(map(re.escape, parts[start:]))
        found = re.search(rf"^[ \t]*['\"]?{written}['\"]?[ \t]*=", text, re.MULTILINE)
        if found:
            return f"{path}:{text.count(chr(10), 0, found.start()) + 1}"
    return str(path)
