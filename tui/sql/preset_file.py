"""A statement as a question of one's own: a file with a header among the user's presets."""

import os
import re
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from ...ingest.errors import NpuviewError, UsageError
from ...queries.query import is_instant
from ..draw.safe_text import clean
from ..places import is_length

if TYPE_CHECKING:
    from ...queries.query import Parameter, Query

_NO_WORD = re.compile(r"\W+")
_INTEGERS = frozenset({"step", "rank", "device_id", "peer", "depth"})


def preset_name(title: str) -> str:
    """Return the name of a question by its title: ``Late peers`` becomes ``late_peers``.

    Raises UsageError for a title without letters or digits.
    """
    name = _NO_WORD.sub("_", title.strip().lower()).strip("_")
    if not name:
        raise UsageError("a question needs a name of letters, digits and underscores")
    return name


def preset_text(title: str, query: "Query") -> str:
    """Return the text of a question's file; a text that has a header keeps it."""
    text = query.sql.strip("\n") + "\n"
    if query.title:
        return text
    params = [
        f"-- param:   {one.name} {one.type or _type_of(one)}{'' if one.required else ' = NULL'}\n"
        for one in query.params
    ]
    return "".join((f"-- title:   {clean(title.strip())}\n", *params, text))


def save_preset(title: str, query: "Query", directory: Path, *, replace: bool) -> Path:
    """Write a typed question into a folder of presets; return its file.

    Raises UsageError for a name that npuview ships or that is there without ``replace``,
    PresetError for a text that would not be a question, NpuviewError if it cannot be
    written.
    """
    from ...queries.catalog import (  # noqa: PLC0415 DuckDB takes long to import
        CHECK_MEMORY_BYTES,
        SUFFIX,
        checked_query,
        shipped_queries,
    )
    from ...queries.engine import connect, lock  # noqa: PLC0415

    name = preset_name(title)
    if name in shipped_queries():
        raise UsageError(f"npuview ships a question {name}; choose another name")
    file = directory / f"{name}{SUFFIX}"
    text = preset_text(title, query)
    with connect(threads=1, memory_bytes=CHECK_MEMORY_BYTES) as connection:
        lock(connection)
        checked_query(connection, text, file, "user")
    if not replace and os.path.lexists(file):
        raise UsageError(f"there is a question {name} already; choose another name")
    built = file.with_name(f".{token_hex(8)}.part")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        try:
            built.write_text(text, "utf-8")
            built.replace(file)
        finally:
            built.unlink(missing_ok=True)
    except OSError as error:
        raise NpuviewError(f"{file}: cannot be written: {error.strerror or error}") from error
    return file


def _type_of(parameter: "Parameter") -> str:
    """Return the type of a parameter that nobody declared, by the naming of the store."""
    name = parameter.name
    if name in _INTEGERS:
        return "INTEGER"
    if is_instant(name) or is_length(name) or name.endswith("_id") or name == "limit":
        return "BIGINT"
    return "VARCHAR"
