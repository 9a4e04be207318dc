"""Baselines that an earlier version of npuview saved, written anew as this one reads them.

What is compared of a run means the same in all versions from ``COMPARABLE_SINCE`` on: its
rows stay as they are, and columns that were not known then are NULL.
"""

from pathlib import Path
from typing import Final

import duckdb
import msgspec
import pyarrow as pa

from .errors import OtherVersion, StoreError
from .finished import parquet_rows
from .folder import open_regular
from .publish import construction
from .reduced_store import KEPT, write_reduced
from .schema import SCHEMA_VERSION
from .store import (
    MANIFEST,
    Manifest,
    RankEntry,
    RankManifest,
    RankStore,
    StoredFile,
    check_private,
)
from .table import Table, create_statement, quoted

COMPARABLE_SINCE: Final = 5
"""The first schema version whose kept tables mean what they mean now.

It is raised when a column of ``KEPT`` comes to mean something else: then figures of
before and now are not those of one thing.
"""


class _Saved(msgspec.Struct, frozen=True):
    """The manifest of a baseline of any version."""

    npuview_store: int
    source: str
    ranks: tuple[RankEntry, ...]
    selection: str = ""


class _SavedRank(msgspec.Struct, frozen=True):
    """The manifest of a rank of any version."""

    rank: int
    ordinal: int
    name: str
    fingerprint: str
    files: dict[str, StoredFile]
    tables: dict[str, int]


def source_of(place: Path) -> str | None:
    """Return what a baseline of any version was saved of; None where it does not say."""
    try:
        return _read(place / MANIFEST, _Saved).source or None
    except StoreError:
        return None


def renew_baseline(place: Path) -> bool:
    """Write a baseline of an earlier version anew; tell whether that was needed.

    Raises OtherVersion for one whose figures cannot be compared, StoreError where it
    is damaged or cannot be written.
    """
    check_private(place)
    saved = _read(place / MANIFEST, _Saved)
    version = saved.npuview_store
    if version == SCHEMA_VERSION:
        return False
    if not COMPARABLE_SINCE <= version < SCHEMA_VERSION:
        raise OtherVersion(
            f"{place}: saved in schema version {version}; this npuview compares"
            f" {COMPARABLE_SINCE} to {SCHEMA_VERSION}"
        )
    with construction(place) as site:
        try:
            ranks: list[RankStore] = []
            for entry in saved.ranks:
                directory = place / entry.directory
                known = _read(directory / MANIFEST, _SavedRank)
                old = _as_it_was(directory, known)
                ranks.append(write_reduced(site, known, lambda table, old=old: _rows(old, table)))
            site.publish(Path(saved.source), ranks, saved.selection)
        except (OSError, duckdb.Error) as error:
            raise StoreError(f"{place}: the baseline cannot be written anew: {error}") from error
    return True


def _as_it_was(directory: Path, known: _SavedRank) -> RankStore:
    manifest = RankManifest(
        schema_version=SCHEMA_VERSION,
        rank=known.rank,
        ordinal=known.ordinal,
        name=known.name,
        fingerprint=known.fingerprint,
        files=known.files,
        tables=known.tables,
    )
    return RankStore(directory, manifest)


def _rows(old: RankStore, table: Table) -> pa.Table:
    """Return the rows of a table with the columns of this version; none unless it is kept."""
    with duckdb.connect() as engine:
        engine.execute(create_statement(table))
        if table.name in KEPT and table.name in old.tables:
            path = old.parquet(table.name)
            check_private(path)
            old.check(path.name)
            there = {row[0] for row in engine.execute(f"DESCRIBE {parquet_rows(path)}").fetchall()}
            both = ", ".join(quoted(name) for name in table.column_names if name in there)
            name = quoted(table.name)
            engine.execute(f"INSERT INTO {name} BY NAME SELECT {both} {parquet_rows(path)}")
        return engine.table(table.name).to_arrow_table()


def _read(path: Path, kind: type[Manifest]) -> Manifest:
    try:
        with open_regular(path) as file:
            return msgspec.json.decode(file.read(), type=kind)
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
