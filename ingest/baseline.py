"""Baselines: what is kept of a run so that later ones can be held against it.

A baseline is a store by a name, reduced to the tables that two runs are compared by. It
outlives the profile and its store: it lies among the user's data, not in a cache.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import duckdb
import pyarrow.parquet as pq

from .cache import remove_store
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

NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9+-])?")
_ENDS_OF_OTHERS: Final = (".lock", ".json")
"""How names of files end that lie beside baselines."""

BLOCK_BYTES: Final = 16_384
"""Of the database: most of its tables are empty, and each takes blocks of its own."""


def baseline_root(explicit: Path | None = None) -> Path:
    """Return the directory of baselines: the given one, or one by the environment.

    ``$NPUVIEW_BASELINE_DIR``, ``$XDG_DATA_HOME/npuview/baselines``, else
    ``~/.local/share/npuview/baselines``. Raises UsageError without a home.
    """
    if explicit is not None:
        return explicit
    if named := os.environ.get("NPUVIEW_BASELINE_DIR"):
        return Path(named)
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "npuview" / "baselines"
    try:
        return Path.home() / ".local" / "share" / "npuview" / "baselines"
    except RuntimeError as error:
        raise UsageError("no home directory for baselines: name --baseline-dir") from error


def is_name(text: str) -> bool:
    """Tell whether a text can name a baseline: no path, nothing that is hidden or too long."""
    return NAME.fullmatch(text) is not None and not text.endswith(_ENDS_OF_OTHERS)


def baseline_path(root: Path, name: str) -> Path:
    """Return where a baseline lies; raise UsageError for a name that none can have."""
    if not is_name(name):
        raise UsageError(
            f"{name!r} names no baseline: up to 64 letters, digits and . _ + - are a name"
        )
    return root / name


def baselines_in(root: Path) -> Iterator[Path]:
    """Yield the baselines in a directory by name."""
    try:
        found = sorted(root.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for place in found:
        if is_name(place.name) and not place.is_symlink() and is_store(place):
            yield place


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


def remove_baseline(place: Path) -> int:
    """Remove a baseline and return its bytes; raise UsageError if there is none.

    Raises StoreError for one that is in use.
    """
    if place.is_symlink() or not is_store(place):
        raise UsageError(f"no baseline {place.name} in {place.parent}")
    return remove_store(place)


def _reduced(site: Construction, rank: RankStore) -> RankStore:
    built = site.begin(rank.rank)
    counts: dict[str, int] = {}
    with duckdb.connect() as engine:
        index = str(built / INDEX).replace("'", "''")
        engine.execute(f"ATTACH '{index}' AS store_index (BLOCK_SIZE {BLOCK_BYTES})")
        for table in TABLES.values():
            path, counts[table.name] = _kept(rank, table, built)
            if table.indexed:
                name = f"store_index.{quoted(table.name)}"
                engine.execute(f"CREATE TABLE {name} AS {parquet_rows(path)}")
        engine.execute("DETACH store_index")
    manifest = RankManifest(
        schema_version=SCHEMA_VERSION,
        rank=rank.rank,
        ordinal=rank.manifest.ordinal,
        name=rank.manifest.name,
        fingerprint=rank.manifest.fingerprint,
        files=describe_files(built),
        tables=counts,
    )
    return site.finish(built, manifest)


def _kept(rank: RankStore, table: Table, built: Path) -> tuple[Path, int]:
    """Write the file of a table, without rows unless it is kept; return it and its rows."""
    source = rank.parquet(table.name)
    path = built / source.name
    if table.name in KEPT:
        # Neither Arrow nor the checksums of pages notice every changed bit.
        rank.check(source.name)
        rows = pq.ParquetFile(source).read()
    else:
        rows = pq.read_schema(source).empty_table()
    with record_writer(path, rows.schema) as file:
        file.write_table(rows)
    return path, rows.num_rows
