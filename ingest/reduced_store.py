"""A store reduced to what two runs are compared by, as baselines are."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from .errors import StoreError, UsageError
from .finished import parquet_rows
from .publish import Construction, construction
from .record import record_writer
from .schema import (
    GAP_TOTAL,
    IMPORT_STAT,
    LEDGER,
    OPERATOR_TOTAL,
    PROFILE,
    SCHEMA_VERSION,
    STEP,
    TABLES,
)
from .store import INDEX, RankManifest, RankStore, Store, describe_files, is_store
from .table import Table, quoted

KEPT: Final = frozenset(
    table.name for table in (PROFILE, STEP, LEDGER, OPERATOR_TOTAL, GAP_TOTAL, IMPORT_STAT)
)
"""Tables that have rows in a baseline; the others are there and empty."""

BLOCK_BYTES: Final = 16_384
"""Of the database: most of its tables are empty, and each takes blocks of its own."""


class RankIdentity(Protocol):
    """What tells a rank and what it was made from."""

    @property
    def rank(self) -> int:
        """Return its number."""
        ...

    @property
    def ordinal(self) -> int:
        """Return which one of the store it is."""
        ...

    @property
    def name(self) -> str:
        """Return the name of its profile."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return what its files were."""
        ...


def save_baseline(
    store: Store, place: Path, *, ranks: Sequence[RankStore], force: bool = False
) -> None:
    """Keep what is compared of some ranks of a store at a place, all of it or nothing.

    One that is there is replaced with ``force`` only. Raises UsageError without it and
    for a store of the place itself, StoreError when something cannot be read or written.
    """
    if os.path.lexists(place):
        if not force:
            raise UsageError(f"there is a baseline {place.name}; --force replaces it")
        if not is_store(place):
            raise UsageError(f"{place}: is no baseline; remove it first")
        if place.resolve() == store.path.resolve():
            raise UsageError(f"{place.name}: is that baseline already")
    with construction(place) as site:
        try:
            kept = [_reduced(site, rank) for rank in ranks]
            site.publish(Path(store.source), kept, store.selection)
        except (OSError, duckdb.Error) as error:
            raise StoreError(f"{place}: the baseline cannot be written: {error}") from error


def _reduced(site: Construction, rank: RankStore) -> RankStore:
    return write_reduced(site, rank.manifest, lambda table: _kept(rank, table))


def write_reduced(
    site: Construction, known: RankIdentity, rows_of: Callable[[Table], pa.Table]
) -> RankStore:
    """Write the tables of a rank as a store of this version; raises OSError and duckdb.Error."""
    built = site.begin(known.rank)
    counts: dict[str, int] = {}
    with duckdb.connect() as engine:
        index = str(built / INDEX).replace("'", "''")
        engine.execute(f"ATTACH '{index}' AS store_index (BLOCK_SIZE {BLOCK_BYTES})")
        for table in TABLES.values():
            rows = rows_of(table)
            path, counts[table.name] = built / f"{table.name}.parquet", rows.num_rows
            with record_writer(path, rows.schema) as file:
                file.write_table(rows)
            if table.indexed:
                name = f"store_index.{quoted(table.name)}"
                engine.execute(f"CREATE TABLE {name} AS {parquet_rows(path)}")
        engine.execute("DETACH store_index")
    manifest = RankManifest(
        schema_version=SCHEMA_VERSION,
        rank=known.rank,
        ordinal=known.ordinal,
        name=known.name,
        fingerprint=known.fingerprint,
        files=describe_files(built),
        tables=counts,
    )
    return site.finish(built, manifest)


def _kept(rank: RankStore, table: Table) -> pa.Table:
    """Return the rows of a table, none unless it is kept."""
    source = rank.parquet(table.name)
    if table.name not in KEPT:
        return pq.read_schema(source).empty_table()
    # Neither Arrow nor the checksums of pages notice every changed bit.
    rank.check(source.name)
    return pq.ParquetFile(source).read()
