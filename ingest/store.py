"""Where a profile's store lies, whether it is valid, and how it is published.

A store is a directory ``<key>/`` with a manifest and one directory per rank::

    <key>/manifest.json            lists the ranks
    <key>/rank=0/manifest.json     the rank's source fingerprint and file hashes
    <key>/rank=0/slice.parquet     one Parquet file per table, the record
    <key>/rank=0/index.duckdb      the same tables except slice_arg, remade at will

Everything is built in a temporary sibling and moved into place by rename, the
manifest last, so a reader sees a whole store or none.
"""

import fcntl
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from .errors import StoreError, UnsafeStore
from .folder import open_regular
from .schema import SCHEMA_VERSION, TABLES
from .text import printable

MANIFEST = "manifest.json"
INDEX = "index.duckdb"
HASH_CHUNK_BYTES = 1 << 20

Manifest = TypeVar("Manifest", bound=msgspec.Struct)


class StoredFile(msgspec.Struct, frozen=True):
    """A file of a rank's store: its size in bytes and the hash of its content."""

    bytes: int
    blake2b: str


class RankManifest(msgspec.Struct, frozen=True):
    """What one rank's directory promises; written after everything else in it."""

    schema_version: int
    rank: int
    ordinal: int
    name: str
    fingerprint: str
    files: dict[str, StoredFile]
    tables: dict[str, int]
    """Rows of each table."""


class RankEntry(msgspec.Struct, frozen=True):
    """A rank of a store and the directory that holds it."""

    rank: int
    directory: str


class StoreManifest(msgspec.Struct, frozen=True):
    """What a store holds: its schema, where it came from, its ranks in ordinal order."""

    npuview_store: int
    source: str
    ranks: tuple[RankEntry, ...]


@dataclass(frozen=True, slots=True)
class RankStore:
    """One rank of a store."""

    path: Path
    manifest: RankManifest

    @property
    def rank(self) -> int:
        """Return the rank's number."""
        return self.manifest.rank

    @property
    def index(self) -> Path:
        """Return the database of the rank's tables."""
        return self.path / INDEX

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the names of the rank's tables."""
        return tuple(self.manifest.tables)

    def parquet(self, table: str) -> Path:
        """Return the Parquet file of a table; raise StoreError if there is none."""
        if table not in self.manifest.tables:
            raise StoreError(f"{self.path}: no table {table!r} in this store")
        return self.path / f"{table}.parquet"

    def verify(self) -> list[str]:
        """Hash every file of the rank; return a sentence per file that differs."""
        found: list[str] = []
        for name, expected in self.manifest.files.items():
            file = self.path / name
            try:
                actual = StoredFile(file.stat().st_size, content_hash(file))
            except OSError as error:
                found.append(f"{file}: {error.strerror}")
                continue
            if actual != expected:
                found.append(f"{file}: content differs from what was written")
        return found


@dataclass(frozen=True, slots=True)
class Store:
    """A valid store: its directory and its ranks in ordinal order."""

    path: Path
    source: str
    ranks: tuple[RankStore, ...]

    @classmethod
    def open(cls, path: Path) -> "Store":
        """Open the store in a directory after checking manifests, owner and sizes.

        Raises StoreError naming the file that is missing, foreign or damaged.
        """
        check_private(path)
        manifest = _read_manifest(path / MANIFEST, StoreManifest)
        _check_schema(path, manifest.npuview_store)
        ranks: list[RankStore] = []
        for entry in manifest.ranks:
            directory = path / entry.directory
            if entry.directory != f"rank={entry.rank}":
                raise StoreError(f"{path / MANIFEST}: bad rank directory {entry.directory!r}")
            ranks.append(open_rank(directory))
        return cls(path, manifest.source, tuple(ranks))


def is_store(path: Path) -> bool:
    """Tell whether a directory looks like a store of any schema version."""
    try:
        # A pipe of that name would be waited for.
        with open_regular(path / MANIFEST) as file:
            return b'"npuview_store"' in file.read(64)
    except OSError:
        return False


def open_rank(directory: Path) -> RankStore:
    """Open one rank's directory; raise StoreError if it is not whole.

    It holds just what its manifest lists: a log beside a database would be replayed
    into it. Raises UnsafeStore if a file is not the user's own.
    """
    check_private(directory)
    manifest = _read_manifest(directory / MANIFEST, RankManifest)
    _check_schema(directory, manifest.schema_version)
    if directory.name != f"rank={manifest.rank}":
        raise StoreError(f"{directory}: its manifest is that of rank {manifest.rank}")
    wanted = {INDEX, *(f"{table}.parquet" for table in manifest.tables)}
    if not set(TABLES) <= manifest.tables.keys() or wanted != manifest.files.keys():
        raise StoreError(f"{directory / MANIFEST}: damaged (tables and files do not agree)")
    there = {file.name for file in directory.iterdir()}
    for name in sorted(there - wanted - {MANIFEST}):
        raise StoreError(f"{directory / name}: does not belong to the store; remove it")
    for name, expected in manifest.files.items():
        check_private(directory / name)
        size = (directory / name).lstat().st_size
        if size != expected.bytes:
            raise StoreError(f"{directory / name}: {size} bytes, {expected.bytes} were written")
    return RankStore(directory, manifest)


def check_private(path: Path) -> None:
    """Refuse a file or directory that somebody else could have written.

    Opening a database file is like loading a program: it must be ours. Raises
    UnsafeStore, or StoreError when there is nothing.
    """
    try:
        found = path.lstat()
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', error)}") from error
    if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
        raise UnsafeStore(f"{path}: is a symbolic link or a device; a store is made of plain files")
    if found.st_uid != os.geteuid():
        raise UnsafeStore(f"{path}: belongs to another user; use --cache-dir for one of your own")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnsafeStore(f"{path}: others may write to it; run: chmod go-w {path}")


def check_place(store: Path) -> None:
    """Refuse to build a store where somebody else could lead it elsewhere or change it.

    Raises UnsafeStore naming the directory of stores or the store itself.
    """
    for place in (store.parent, store):
        if place.is_symlink() or place.exists():
            check_private(place)


def cache_root(explicit: Path | None = None) -> Path:
    """Return the directory that holds all stores, not yet made.

    In order: the given one, ``$NPUVIEW_CACHE_DIR``, ``$XDG_CACHE_HOME/npuview``,
    ``~/.cache/npuview``, and without a home ``npuview-<uid>`` among temporary files.
    """
    if explicit is not None:
        return explicit
    if named := os.environ.get("NPUVIEW_CACHE_DIR"):
        return Path(named)
    if cache := os.environ.get("XDG_CACHE_HOME"):
        return Path(cache) / "npuview"
    try:
        return Path.home() / ".cache" / "npuview"
    except RuntimeError:
        return Path(tempfile.gettempdir()) / f"npuview-{os.geteuid()}"


def store_path(root: Path, source: Path) -> Path:
    """Return where the store of a profile lies: its name and a hash of its real path."""
    real = source.resolve()
    key = hashlib.blake2b(os.fsencode(real), digest_size=8).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9._-]+", "_", real.name)[:48].strip(".") or "profile"
    return root / f"{readable}-{key}"


@contextmanager
def builder_lock(path: Path) -> Generator[None]:
    """Hold the one lock under which a store's directory may be changed.

    The kernel drops it when the holder dies. Raises StoreError when the directory
    of stores cannot be made or written.
    """
    try:
        make_private(path.parent)
        check_place(path)
        handle = os.open(
            path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600
        )
    except OSError as error:
        raise StoreError(
            f"{path.parent}: {error.strerror}; choose another place with --cache-dir"
        ) from error
    try:
        # Some network file systems have no locks: the last rename wins there.
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def make_private(path: Path) -> None:
    """Make a directory that only its owner can enter, with its parents."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def begin_rank(store: Path, rank: int) -> Path:
    """Make the temporary sibling in which a rank is built; remove leftovers of others.

    Call it under ``builder_lock``.
    """
    make_private(store)
    for leftover in store.glob(f".rank={rank}.*"):
        shutil.rmtree(leftover, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f".rank={rank}.", dir=store))


def publish_rank(built: Path, store: Path, manifest: RankManifest) -> RankStore:
    """Write the manifest into a built directory and move it to ``rank=<n>``."""
    for file in built.iterdir():
        file.chmod(0o600)
        _sync(file)
    _write_manifest(built / MANIFEST, manifest)
    final = store / f"rank={manifest.rank}"
    if final.exists() or final.is_symlink():
        # A directory cannot be replaced in one step. A crash between the two
        # renames leaves no rank, which the next run sees and builds again.
        retired = Path(tempfile.mkdtemp(prefix=f".rank={manifest.rank}.", dir=store))
        final.rename(retired / "retired")
        built.rename(final)
        shutil.rmtree(retired, ignore_errors=True)
    else:
        built.rename(final)
    _sync(store)
    return RankStore(final, manifest)


def publish_store(path: Path, source: Path, ranks: Iterable[RankStore]) -> Store:
    """Write the manifest that makes the ranks of a directory a store."""
    ordered = tuple(sorted(ranks, key=lambda rank: rank.manifest.ordinal))
    entries = tuple(RankEntry(rank.rank, rank.path.name) for rank in ordered)
    manifest = StoreManifest(SCHEMA_VERSION, printable(str(source)), entries)
    _write_manifest(path / MANIFEST, manifest)
    return Store(path, manifest.source, ordered)


def describe_files(directory: Path) -> dict[str, StoredFile]:
    """Return size and hash of every file in a directory."""
    return {
        file.name: StoredFile(file.stat().st_size, content_hash(file))
        for file in sorted(directory.iterdir())
    }


def content_hash(path: Path) -> str:
    """Return the hash by which manifests know a file's content."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(HASH_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _check_schema(path: Path, version: int) -> None:
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path}: written in schema version {version}, this npuview reads {SCHEMA_VERSION};"
            " run npuview ingest on the profile again"
        )


def _read_manifest(path: Path, kind: type[Manifest]) -> Manifest:
    try:
        with open_regular(path) as file:
            return msgspec.json.decode(file.read(), type=kind)
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', error)}") from error


def _write_manifest(path: Path, manifest: msgspec.Struct) -> None:
    """Replace a manifest in one step."""
    handle, name = tempfile.mkstemp(prefix=".manifest.", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
