"""Where a session's views read from: the index of each rank, or its Parquet files."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from ..ingest.errors import StoreError
from ..ingest.schema import PROFILE, SLICE_ARG, SUMMARY_PREFIX, TABLES
from ..ingest.store import RankStore
from ..ingest.table import quoted
from .errors import REMAKE
from .views import MAIN, all_views, create_macros, create_view, summary_view, table_view

if TYPE_CHECKING:
    from pyarrow import dataset

Source = Callable[[RankStore, str], str]
"""Gives the SQL name under which a rank's table can be read."""


class Opening(NamedTuple):
    """The ranks of a store that a session reads, and the numbers of those that it does not."""

    ranks: Sequence[RankStore]
    unopened: Sequence[int] = ()


def attach_indexes(connection: duckdb.DuckDBPyConnection, stores: Mapping[str, Opening]) -> None:
    """Attach the index of every rank read-only and make a view of each table.

    ``stores`` are ranks of stores by the schema in which their views are made. Other
    files are out of reach afterwards, before anything of an index is read. Raises
    StoreError naming the file that cannot be opened or does not hold what it promises.
    """
    every = [(schema, rank) for schema, opening in stores.items() for rank in opening.ranks]
    for schema, rank in every:
        path = str(rank.index).replace("'", "''")
        with _opening(rank.index):
            connection.execute(f"ATTACH '{path}' AS {quoted(_database(schema, rank))} (READ_ONLY)")
    connection.execute("SET enable_external_access = FALSE")
    for schema, rank in every:
        with _opening(rank.index):
            _check_index(connection, schema, rank)
    for schema, opening in stores.items():
        with _opening(opening.ranks[0].path.parent):
            _create_views(connection, opening, partial(_in_index, schema), schema=schema)


class Record:
    """The Parquet files of some ranks as Arrow datasets, which DuckDB reads by name.

    By path they are out of its reach. Neither DuckDB nor the checksums of pages notice
    every changed bit, so a file is compared with its hash before it is first read.
    """

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._lock = Lock()
        self._datasets: dict[str, dataset.Dataset] = {}

    def register(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Make every table but slice_arg readable on a cursor, through the same views."""

        def source(rank: RankStore, table: str) -> str:
            name = f"rank{rank.rank}_{table}"
            cursor.register(name, self._dataset(name, [rank], table))
            return quoted(name)

        with _opening(self._opening.ranks[0].path.parent):
            _create_views(cursor, self._opening, source)

    def register_args(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Make slice_arg readable on a cursor, over all ranks."""
        name = SLICE_ARG.name
        ranks = [rank for rank in self._opening.ranks if name in rank.tables]
        if ranks:
            cursor.register(name, self._dataset(name, ranks, name))

    def _dataset(self, name: str, ranks: Sequence[RankStore], table: str) -> "dataset.Dataset":
        from pyarrow import ArrowException, dataset  # noqa: PLC0415 - takes longer than most questions

        with self._lock:
            if name not in self._datasets:
                files = [_checked(rank, table) for rank in ranks]
                options = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
                try:
                    self._datasets[name] = dataset.dataset(
                        [str(file) for file in files],
                        format=dataset.ParquetFileFormat(default_fragment_scan_options=options),
                    )
                except (ArrowException, OSError) as error:
                    raise StoreError(f"{files[0].parent}: {error}: {REMAKE}") from error
            return self._datasets[name]


def _checked(rank: RankStore, table: str) -> Path:
    """Return the Parquet file of a table after comparing every byte with what was written."""
    file = rank.parquet(table)
    try:
        rank.check(file.name)
    except StoreError as error:
        raise StoreError(f"{error}: {REMAKE}") from error
    return file


@contextmanager
def _opening(place: Path) -> Generator[None]:
    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise StoreError(f"{place}: {error}: {REMAKE}") from error


def _check_index(connection: duckdb.DuckDBPyConnection, schema: str, rank: RankStore) -> None:
    """Check that an index holds the tables of its manifest; raise StoreError if it does not.

    A view in it could be anybody's question: only tables with the columns of the
    schema pass, and nothing is asked of them before.
    """
    database = _database(schema, rank)
    # Views are listed elsewhere.
    found = connection.execute(
        "SELECT table_name FROM duckdb_tables()"
        " WHERE database_name = $1 AND schema_name = 'main' AND NOT temporary",
        [database],
    ).fetchall()
    held = {str(name) for (name,) in found}
    for name in rank.tables:
        table = TABLES.get(name)
        if table is SLICE_ARG or (table is None and not name.startswith(SUMMARY_PREFIX)):
            continue
        if name not in held:
            raise StoreError(f"{rank.index}: holds no table {name}: {REMAKE}")
        if table is not None:
            rows = connection.execute(f"DESCRIBE {_in_index(schema, rank, name)}").fetchall()
            columns = [(str(row[0]), str(row[1])) for row in rows]
            if columns != [(column.name, column.type) for column in table.columns]:
                raise StoreError(f"{rank.index}: table {name} has other columns: {REMAKE}")
    if PROFILE.name in rank.tables:
        source = _in_index(schema, rank, PROFILE.name)
        numbers = connection.execute(f"SELECT DISTINCT rank FROM {source}").fetchall()
        if any(number != rank.rank for (number,) in numbers):
            raise StoreError(f"{rank.index}: is not of rank {rank.rank}: {REMAKE}")


def _in_index(schema: str, rank: RankStore, table: str) -> str:
    return f"{quoted(_database(schema, rank))}.main.{quoted(table)}"


def _create_views(
    connection: duckdb.DuckDBPyConnection,
    opening: Opening,
    source: Source,
    *,
    schema: str | None = None,
) -> None:
    """Make the views in a schema, or for one connection only without one."""
    views: dict[str, str] = {}
    ranks = opening.ranks
    for table in TABLES.values():
        if table is not SLICE_ARG:
            held = [rank for rank in ranks if table.name in rank.tables]
            views[table.name] = table_view(table, [source(rank, table.name) for rank in held])
    summaries = {name for rank in ranks for name in rank.tables if name.startswith(SUMMARY_PREFIX)}
    for name in sorted(summaries):
        parts: list[tuple[int, str, list[str]]] = []
        for rank in ranks:
            if name in rank.tables:
                part = source(rank, name)
                connection.execute(f"DESCRIBE {part}")
                parts.append((rank.rank, part, [str(row[0]) for row in connection.fetchall()]))
        views[name] = summary_view(parts)
    views |= all_views(summaries, opening.unopened)
    if schema is not None:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
    for name, select in views.items():
        connection.execute(create_view(name, select, schema=schema))
    # Macros read tables by bare names, which are those of one store.
    if schema in {MAIN, None}:
        for statement in create_macros(temporary=schema is None):
            connection.execute(statement)


def _database(schema: str, rank: RankStore) -> str:
    return f"{schema}_rank{rank.rank}"
