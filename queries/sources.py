"""Where a session's views read from: the index of each rank, or its Parquet files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import duckdb

from ..ingest.errors import StoreError
from ..ingest.schema import SLICE_ARG, SUMMARY_PREFIX, TABLES, quoted
from ..ingest.store import RankStore
from .errors import REMAKE
from .views import create_view, shared_views, summary_view, table_view

if TYPE_CHECKING:
    from pyarrow import dataset

Source = Callable[[RankStore, str], str]
"""Gives the SQL name under which a rank's table can be read."""


def attach_indexes(connection: duckdb.DuckDBPyConnection, ranks: Sequence[RankStore]) -> None:
    """Attach the index of every rank read-only and make a view of each table.

    Raises StoreError naming the file that cannot be opened.
    """

    def source(rank: RankStore, table: str) -> str:
        return f"{quoted(_alias(rank))}.{quoted(table)}"

    for rank in ranks:
        path = str(rank.index).replace("'", "''")
        try:
            connection.execute(f"ATTACH '{path}' AS {quoted(_alias(rank))} (READ_ONLY)")
        except duckdb.Error as error:
            raise StoreError(f"{rank.index}: {error}: {REMAKE}") from error
    _create_views(connection, ranks, source, temporary=False)


class Record:
    """The Parquet files of some ranks as Arrow datasets, which DuckDB reads by name.

    By path they are out of its reach. Pages whose checksum is wrong are refused.
    """

    def __init__(self, ranks: Sequence[RankStore]) -> None:
        self._ranks = ranks
        self._lock = Lock()
        self._datasets: dict[str, dataset.Dataset] = {}

    def register(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Make every table but slice_arg readable on a cursor, through the same views."""

        def source(rank: RankStore, table: str) -> str:
            name = f"{_alias(rank)}_{table}"
            cursor.register(name, self._dataset(name, [rank.parquet(table)]))
            return quoted(name)

        _create_views(cursor, self._ranks, source, temporary=True)

    def register_args(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Make slice_arg readable on a cursor, over all ranks."""
        name = SLICE_ARG.name
        files = [rank.parquet(name) for rank in self._ranks if name in rank.tables]
        if files:
            cursor.register(name, self._dataset(name, files))

    def _dataset(self, name: str, files: Sequence[Path]) -> "dataset.Dataset":
        from pyarrow import ArrowException, dataset  # noqa: PLC0415 - takes longer than most questions

        with self._lock:
            if name not in self._datasets:
                options = dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
                try:
                    self._datasets[name] = dataset.dataset(
                        [str(file) for file in files],
                        format=dataset.ParquetFileFormat(default_fragment_scan_options=options),
                    )
                except (ArrowException, OSError) as error:
                    raise StoreError(f"{files[0].parent}: {error}: {REMAKE}") from error
            return self._datasets[name]


def _create_views(
    connection: duckdb.DuckDBPyConnection,
    ranks: Sequence[RankStore],
    source: Source,
    *,
    temporary: bool,
) -> None:
    views: dict[str, str] = {}
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
    views |= shared_views()
    for name, select in views.items():
        connection.execute(create_view(name, select, temporary=temporary))


def _alias(rank: RankStore) -> str:
    return f"rank{rank.rank}"
