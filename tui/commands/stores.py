"""``npuview ingest`` and ``npuview cache``: make, list, remove and verify stores."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from ...ingest.errors import StoreError, UsageError
from ...ingest.store import (
    MANIFEST,
    RankStore,
    Store,
    builder_lock,
    cache_root,
    check_private,
    is_store,
    store_path,
)
from ...queries.query import AnswerColumn
from ...queries.session import Session
from ..draw import numbers
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer
from .opening import damage_status
from .options import (
    Source,
    cache_dir_option,
    destination_options,
    existing_path,
    force_option,
    profile_options,
)
from .profile_command import ProfileCommand
from .source import open_source

_KEY = re.compile(r".+-[0-9a-f]{16}")
"""Names of store directories, so that nothing else in a shared place is touched."""

_RANK = re.compile(r"rank=[0-9]+")
_UNDER_CONSTRUCTION = re.compile(r"\.(?:rank=[0-9]+|manifest)\..+")
_OF_A_RANK = re.compile(r"manifest\.json|index\.duckdb(?:\.wal)?|\w+\.parquet|\.manifest\..+")

RANK_COLUMNS = (
    AnswerColumn("rank", "INTEGER"),
    AnswerColumn("profile", "VARCHAR"),
    AnswerColumn("slices", "BIGINT"),
    AnswerColumn("kernels", "BIGINT"),
    AnswerColumn("bytes", "BIGINT"),
    AnswerColumn("store", "VARCHAR"),
)
STORE_COLUMNS = (
    AnswerColumn("store", "VARCHAR"),
    AnswerColumn("ranks", "BIGINT"),
    AnswerColumn("bytes", "BIGINT"),
    AnswerColumn("state", "VARCHAR"),
    AnswerColumn("source", "VARCHAR"),
)
FINDING_COLUMNS = (AnswerColumn("store", "VARCHAR"), AnswerColumn("finding", "VARCHAR"))


@click.command("ingest", cls=ProfileCommand)
@profile_options
@force_option("Build the store again although nothing changed.")
@destination_options
def ingest_command(source: Source, destination: Destination, *, force: bool) -> int:
    """Read a profile into its store.

    Nothing is read again when the store is whole and no file has changed. Prints the
    ranks of the store; the stages and their seconds go to standard error.
    """
    opened = open_source(source, force=force, keep_progress=True)
    if not opened.built:
        note("nothing changed since the store was made; --force makes it again")
    rows = [_rank_row(rank) for rank in opened.store.ranks]
    write_answer(Answer(RANK_COLUMNS, rows), destination)
    with Session(opened.store) as session:
        return damage_status(session, allow_damaged=source.allow_damaged)


def _rank_row(rank: RankStore) -> tuple[object, ...]:
    tables = rank.manifest.tables
    size = sum(file.bytes for file in rank.manifest.files.values())
    profile = rank.manifest.name
    return rank.rank, profile, tables.get("slice"), tables.get("kernel"), size, str(rank.path)


@click.group("cache")
def cache_command() -> None:
    """List, clear or verify the stores."""


@cache_command.command("list")
@cache_dir_option
@destination_options
def list_command(cache_dir: Path | None, destination: Destination) -> int:
    """List the stores: size, state, and the profile of each."""
    rows = [tuple(found) for found in map(_described, _stores(cache_root(cache_dir)))]
    if not rows:
        note(f"no stores in {cache_root(cache_dir)}")
    write_answer(Answer(STORE_COLUMNS, rows), destination)
    return 0


@cache_command.command("clear")
@existing_path(required=False)
@cache_dir_option
def clear_command(path: Path | None, cache_dir: Path | None) -> int:
    """Remove the store of PATH, or without PATH every store.

    A store is made again when its profile is opened.
    """
    root = cache_root(cache_dir).resolve()
    if path is not None and is_store(path):
        path = path.resolve()
        if path.parent != root:
            raise UsageError(f"{path}: does not lie in {root}; to remove it, name --cache-dir too")
    status = 0
    for store in _chosen(path, cache_dir):
        try:
            note(f"removed {store} ({_removed(store):,} bytes)")
        except (StoreError, OSError) as error:
            note(f"not removed: {error}")
            status = 1
    return status


def _removed(store: Path) -> int:
    """Remove a store and return its bytes.

    Raises StoreError, with nothing removed, for a directory that holds anything else.
    """
    check_private(store)
    with builder_lock(store):
        for entry in _foreign(store):
            raise StoreError(f"{store}: holds {entry.name}, which is no part of a store")
        size = _bytes_of(store)
        # Without its manifest it is no store any more, whatever happens to the rest.
        (store / MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(store)
    return size


def _foreign(store: Path) -> Iterator[Path]:
    """Yield what lies in a store's directory and was not put there by npuview."""
    for entry in sorted(store.iterdir()):
        if entry.is_symlink():
            yield entry
        elif _UNDER_CONSTRUCTION.fullmatch(entry.name):
            continue
        elif _RANK.fullmatch(entry.name) and entry.is_dir():
            yield from (
                file
                for file in sorted(entry.iterdir())
                if file.is_symlink() or not (file.is_file() and _OF_A_RANK.fullmatch(file.name))
            )
        elif entry.name != MANIFEST or not entry.is_file():
            yield entry


@cache_command.command("verify")
@existing_path(required=False)
@cache_dir_option
@destination_options
def verify_command(path: Path | None, cache_dir: Path | None, destination: Destination) -> int:
    """Compare every byte of the stores with what was written.

    Lists what differs and exits with 1 if anything does.
    """
    stores = _chosen(path, cache_dir)
    rows = [(str(store), finding) for store in stores for finding in _findings(store)]
    write_answer(Answer(FINDING_COLUMNS, rows), destination)
    if rows:
        note("npuview ingest --force PATH makes a damaged store again")
        return 1
    note(f"{numbers.counted(len(stores), 'store')} verified, nothing differs")
    return 0


class _Described(NamedTuple):
    store: str
    ranks: int | None
    bytes: int
    state: str
    source: str | None


def _described(path: Path) -> _Described:
    try:
        store = Store.open(path)
    except StoreError as error:
        return _Described(str(path), None, _bytes_of(path), str(error), None)
    state = "ready" if Path(store.source).exists() else "ready, its profile is gone"
    return _Described(str(path), len(store.ranks), _bytes_of(path), state, store.source)


def _findings(path: Path) -> list[str]:
    try:
        store = Store.open(path)
    except StoreError as error:
        return [str(error)]
    return [finding for rank in store.ranks for finding in rank.verify()]


def _chosen(path: Path | None, cache_dir: Path | None) -> list[Path]:
    root = cache_root(cache_dir)
    if path is None:
        return list(_stores(root))
    chosen = path if is_store(path) else store_path(root, path)
    if not chosen.is_dir():
        raise UsageError(f"{path}: has no store in {root}")
    return [chosen]


def _stores(root: Path) -> Iterator[Path]:
    """Yield the directories of a cache that are stores, also half-made ones."""
    if not root.is_dir():
        return
    for directory in sorted(root.iterdir()):
        if not _KEY.fullmatch(directory.name) or directory.is_symlink():
            continue
        if is_store(directory) or any(directory.glob("*rank=*")):
            yield directory


def _bytes_of(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
