"""All questions by name: those npuview ships and those that people keep as files.

A question is one ``.sql`` file with one SELECT and a header (see ``header``). Files of
the user and of a project are parsed and held against their headers when they are
loaded; a broken one is reported and hides no other. Nothing of them is run then, not
even to learn the columns: somebody else's file could make that take a day.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from ..ingest.errors import UsageError
from ..ingest.schema import SUMMARY_PREFIX, TABLES
from .engine import connect, lock
from .errors import PresetError, QueryError
from .gate import MOST_SQL_BYTES, read_only_statement
from .header import Header, read_header
from .patterns import VIEW
from .query import Origin, Query, closest, listed
from .views import shared_views

SUFFIX: Final = ".sql"
SHIPPED: Final = Path(__file__).parent / "sql"
CHECK_MEMORY_BYTES: Final = 128 << 20


@dataclass(frozen=True, slots=True)
class Catalog:
    """Questions by name, and what is wrong with the files that could not be loaded."""

    queries: Mapping[str, Query]
    problems: tuple[PresetError, ...] = ()

    def __getitem__(self, name: str) -> Query:
        """Return a question; raise UsageError, with the name that was probably meant."""
        if name in self.queries:
            return self.queries[name]
        for problem in self.problems:
            if Path(problem.file).stem == name:
                raise UsageError(f"preset {name} cannot be used: {problem}")
        like = closest(name, self.queries)
        hint = f"did you mean {like}?" if like else "npuview presets lists them"
        raise UsageError(f"no preset {name!r}; {hint}")

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries.values())


def load_catalog(*, user: Path | None = None, project: Path | None = None) -> Catalog:
    """Load what npuview ships and the ``*.sql`` files of two directories, if they are there.

    A file of the user may take the place of a shipped question if it keeps its
    parameters and columns. A project's file takes no place of another: its folder may
    be somebody else's.
    """
    queries = dict(shipped_queries())
    problems: list[PresetError] = []
    places: tuple[tuple[Origin, Path | None], ...] = (("user", user), ("project", project))
    found: list[tuple[Origin, Path]] = [
        (origin, file) for origin, place in places for file in _preset_files(place)
    ]
    if found:
        with connect(threads=1, memory_bytes=CHECK_MEMORY_BYTES) as connection:
            lock(connection)
            for origin, file in found:
                try:
                    query = checked_query(connection, _read(file), file, origin)
                    queries[query.name] = _placed(query, queries.get(query.name), file)
                except PresetError as problem:
                    problems.append(problem)
    return Catalog(dict(sorted(queries.items())), tuple(problems))


@cache
def shipped_queries() -> Mapping[str, Query]:
    """Return the questions of npuview by name; tests hold the rules, so they load unchecked."""
    return {
        file.stem: read_query(file.read_text("utf-8"), file, "shipped")
        for file in _preset_files(SHIPPED)
    }


def user_presets() -> Path | None:
    """Return the user's directory of presets: ``$XDG_CONFIG_HOME/npuview/presets``."""
    if config := os.environ.get("XDG_CONFIG_HOME"):
        return Path(config) / "npuview" / "presets"
    try:
        return Path.home() / ".config" / "npuview" / "presets"
    except RuntimeError:
        return None


def project_presets(profile: Path) -> Path:
    """Return ``.npuview/presets`` in the folder that holds the profile."""
    return profile.absolute().parent / ".npuview" / "presets"


def read_query(text: str, file: Path | str, origin: Origin) -> Query:
    """Read a question from the text of its file; raise PresetError for a bad header."""
    return _query(read_header(text, file), text, file, origin)


def checked_query(
    connection: duckdb.DuckDBPyConnection, text: str, file: Path | str, origin: Origin
) -> Query:
    """Read a question and hold it against its header, without running any of it.

    It is one statement that only reads; it uses the declared parameters and no others;
    the tables that it needs exist. Its columns are checked when it is asked. Raises
    PresetError naming file and line.
    """
    header = read_header(text, file)
    query = _query(header, text, file, origin)
    try:
        statement = read_only_statement(connection, text, query.name)
    except QueryError as error:
        raise PresetError(str(error), file) from error
    if statement.explains:
        raise PresetError("EXPLAIN is no question; keep the SELECT", file)
    _check_parameters(query, statement.parameters, header, file)
    readable = dict.fromkeys([*TABLES, VIEW, *shared_views()])
    for table in query.needs:
        if table not in readable and not table.startswith(SUMMARY_PREFIX):
            like = closest(table, readable)
            hint = f"; did you mean {like}?" if like else ""
            raise PresetError(f"there is no table {table}{hint}", file, header.lines["needs"])
    return query


def _query(header: Header, text: str, file: Path | str, origin: Origin) -> Query:
    name = Path(file).stem
    return Query(
        name=name,
        sql=text,
        title=header.title or name,
        about=header.about,
        params=tuple(header.params),
        columns=tuple(header.columns),
        needs=tuple(header.needs),
        origin=origin,
    )


def _placed(query: Query, taken: Query | None, file: Path) -> Query:
    """Mark a question that takes the place of another; raise PresetError if it may not."""
    if taken is None:
        return query
    if query.origin != "user":
        raise PresetError(f"the name {query.name} is taken; choose another", file)
    ours = [(parameter.name, parameter.type) for parameter in taken.params]
    if [(parameter.name, parameter.type) for parameter in query.params] != ours:
        raise PresetError(
            f"stands for npuview's own {query.name}, so it must take the same parameters:"
            f" {', '.join(name for name, _ in ours)}",
            file,
        )
    if query.columns not in ((), taken.columns):
        raise PresetError(
            f"stands for npuview's own {query.name}, so it must answer the same columns:"
            f" {listed(taken.columns)}",
            file,
        )
    return replace(query, columns=taken.columns, replaces=True)


def _preset_files(directory: Path | None) -> list[Path]:
    if directory is None:
        return []
    try:
        # A pipe or a device by that name would be waited for.
        return sorted(file for file in directory.glob(f"*{SUFFIX}") if file.is_file())
    except OSError:
        return []


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_SQL_BYTES + 1)
    except OSError as error:
        raise PresetError(f"cannot be read: {error.strerror}", file) from error
    if len(content) > MOST_SQL_BYTES:
        raise PresetError(f"longer than {MOST_SQL_BYTES:,} bytes", file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PresetError("not UTF-8", file, line) from error


def _check_parameters(query: Query, used: frozenset[str], header: Header, file: Path | str) -> None:
    declared = {parameter.name for parameter in query.params}
    for name in sorted(used - declared):
        line = next(
            (n for n, text in enumerate(query.sql.splitlines(), 1) if f"${name}" in text), 1
        )
        raise PresetError(f"${name} is not declared; write -- param: {name} TYPE", file, line)
    for name in sorted(declared - used):
        raise PresetError(
            f"parameter {name} is declared but ${name} is not used",
            file,
            header.lines[f"${name}"],
        )
