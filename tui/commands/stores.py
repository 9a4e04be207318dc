"""``npuview ingest`` and ``npuview cache``: make, list, remove and verify stores."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import click

from ...ingest.cache import (
    bytes_of,
    cache_root,
    cache_roots,
    last_use,
    remove_store,
    store_path,
    stores_in,
    user_of,
)
from ...ingest.errors import NoStore, StoreError, UsageError
from ...ingest.pipeline import source_state
from ...ingest.store import RankStore, Store, is_store
from ...queries.query import AnswerColumn
from ..draw import numbers
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer
from .opening import damage_status, opened_session
from .options import (
    Source,
    cache_dir_option,
    destination_options,
    existing_path,
    force_option,
    profile_options,
)
from .part import Part, part_options
from .profile_command import ProfileCommand

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
    AnswerColumn("last_used", "VARCHAR"),
    AnswerColumn("user", "VARCHAR"),
    AnswerColumn("state", "VARCHAR"),
    AnswerColumn("profile", "VARCHAR"),
    AnswerColumn("source", "VARCHAR"),
)
"""``user`` is who uses a store now; ``profile`` is what became of the files it was made from."""


FINDING_COLUMNS = (AnswerColumn("store", "VARCHAR"), AnswerColumn("finding", "VARCHAR"))


@click.command("ingest", cls=ProfileCommand)
@profile_options
@force_option("Build the store again although nothing changed.")
@part_options
@destination_options
def ingest_command(source: Source, destination: Destination, part: Part, *, force: bool) -> int:
    """Read a profile, or a part of it, into a store.

    Nothing is read again when the store is whole and no file has changed. Prints the
    ranks of the store; the stages and their seconds go to standard error. The store of
    a part lies apart: open it by its own path.
    """
    with opened_session(source, force=force, lasting=True, part=part) as (opened, session):
        if not opened.built:
            note("nothing changed since the store was made; --force makes it again")
        if opened.store.selection:
            note(f"read with {opened.store.selection}; open it with: npuview {opened.store.path}")
        rows = [_rank_row(rank) for rank in opened.store.ranks]
        write_answer(Answer(RANK_COLUMNS, rows), destination)
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
    """List the stores: size, last use, user, and profile of each.

    profile says whether its files are unchanged, changed or gone.
    """
    roots = cache_roots(cache_dir)
    rows = [tuple(_described(store)) for root in roots for store in stores_in(root)]
    if not rows:
        note(f"no stores in {' or '.join(map(str, roots))}")
    write_answer(Answer(STORE_COLUMNS, rows), destination)
    return 0


@cache_command.command("clear")
@existing_path(required=False)
@cache_dir_option
def clear_command(path: Path | None, cache_dir: Path | None) -> int:
    """Remove the store of PATH, or without PATH every store.

    A store is made again when its profile is opened. One that somebody uses stays.
    """
    roots = [root.resolve() for root in cache_roots(cache_dir)]
    if path is not None and is_store(path):
        path = path.resolve()
        if path.parent not in roots:
            raise UsageError(
                f"{path}: does not lie in {roots[0]}; to remove it, name --cache-dir too"
            )
    status = 0
    for store in _chosen(path, cache_dir):
        try:
            note(f"removed {store} ({remove_store(store):,} bytes)")
        except (StoreError, OSError) as error:
            note(f"not removed: {error}")
            status = 1
    return status


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
    last_used: str
    user: str | None
    state: str
    profile: str | None
    source: str | None


def _described(path: Path) -> _Described:
    # Before it is opened here.
    used, user = datetime.fromtimestamp(last_use(path) // 10**9, UTC), _user_of(path)
    common = (bytes_of(path), f"{used:%Y-%m-%dT%H:%M:%SZ}", user)
    try:
        store = Store.open(path, touch=False)
    except NoStore:
        return _Described(str(path), None, *common, "half made", None, None)
    except StoreError as error:
        return _Described(str(path), None, *common, str(error), None, None)
    ranks, source = len(store.ranks), store.source
    state = source_state(store)
    store.close()
    return _Described(str(path), ranks, *common, "ready", state, source)


def _user_of(path: Path) -> str | None:
    try:
        return user_of(path)
    except OSError:
        return None


def _findings(path: Path) -> list[str]:
    try:
        store = Store.open(path, touch=False)
    except StoreError as error:
        return [str(error)]
    found = [finding for rank in store.ranks for finding in rank.verify()]
    store.close()
    return found


def _chosen(path: Path | None, cache_dir: Path | None) -> list[Path]:
    roots = cache_roots(cache_dir)
    if path is None:
        return [store for root in roots for store in stores_in(root)]
    chosen = [path] if is_store(path) else [store_path(root, path) for root in roots]
    found = [store for store in chosen if store.is_dir()]
    if not found:
        raise UsageError(f"{path}: has no store in {cache_root(cache_dir)}")
    return found
