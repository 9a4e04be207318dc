"""A store on disk: what lies in it, and whether it is whole and nobody else's.

A store is a directory ``<key>/`` with a manifest and one directory per rank::

    <key>/manifest.json              lists the ranks and their directories
    <key>/in_use.lock                shared while somebody reads; its time is the last use
    <key>/1/rank=0/manifest.json     the rank's source fingerprint and file hashes
    <key>/1/rank=0/slice.parquet     one Parquet file per table, the record
    <key>/1/rank=0/index.duckdb      the same tables except slice_arg, remade at will

A rank that is built again goes into a new generation: 2, 3, and so on. Nothing that
the manifest lists is ever changed, so that who reads it reads one store to the end.
"""

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from .errors import NoStore, OtherVersion, StoreError, UnsafeStore
from .folder import open_regular
from .lock import FileLock, shared_lock
from .schema import SCHEMA_VERSION, TABLES

MANIFEST = "manifest.json"
INDEX = "index.duckdb"
IN_USE = "in_use.lock"
HASH_CHUNK_BYTES = 1 << 20

Manifest = TypeVar("Manifest", bound=msgspec.Struct)


class StoredFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a rank's store: its size in bytes and the hash of its content."""

    bytes: int
    blake2b: str


class RankManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one rank's directory promises; written after everything else in it."""

    schema_version: int
    rank: int
    ordinal: int
    name: str
    fingerprint: str
    files: dict[str, StoredFile]
    tables: dict[str, int]
    """Rows of each table."""
    seal: str = ""
    """The hash of all the rest."""


class RankEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rank of a store and the directory that holds it: ``<generation>/rank=<n>``."""

    rank: int
    directory: str


class StoreManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a store holds: its schema, where it came from, its ranks in ordinal order."""

    npuview_store: int
    source: str
    ranks: tuple[RankEntry, ...]
    selection: str = ""
    """The options by which it is a part of the source; empty for the whole."""
    seal: str = ""
    """The hash of all the rest."""


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
        for name in self.manifest.files:
            try:
                self.check(name)
            except StoreError as error:
                found.append(str(error))
        return found

    def check(self, name: str) -> None:
        """Hash a file of the rank; raise StoreError if it is not what was written."""
        file = self.path / name
        try:
            actual = StoredFile(file.stat().st_size, content_hash(file))
        except OSError as error:
            raise StoreError(f"{file}: {error.strerror}") from error
        if actual != self.manifest.files[name]:
            raise StoreError(f"{file}: content differs from what was written")


@dataclass(frozen=True, slots=True)
class Store:
    """A valid store: its directory and its ranks in ordinal order.

    While it is open nobody removes it.
    """

    path: Path
    source: str
    ranks: tuple[RankStore, ...]
    selection: str = ""
    in_use: FileLock | None = field(default=None, compare=False, repr=False)

    @classmethod
    def open(cls, path: Path, *, touch: bool = True) -> "Store":
        """Open the store in a directory after checking manifests, owner and sizes.

        Without ``touch`` this is no use of it. Raises NoStore when there is none, and
        StoreError naming the file that is missing, foreign or damaged.
        """
        if not (path.is_symlink() or path.exists()):
            raise NoStore(f"{path}: no store")
        check_private(path)
        # Taken first: what the manifest lists stays from here on.
        in_use = shared_lock(path / IN_USE)
        manifest = read_manifest(path / MANIFEST, StoreManifest)
        ranks: list[RankStore] = []
        for entry in manifest.ranks:
            generation, _, name = entry.directory.partition("/")
            if not generation.isdecimal() or name != f"rank={entry.rank}":
                raise StoreError(f"{path / MANIFEST}: bad rank directory {entry.directory!r}")
            ranks.append(open_rank(path / entry.directory))
        if in_use is not None and touch:
            in_use.touch()
        return cls(path, manifest.source, tuple(ranks), manifest.selection, in_use)

    def close(self) -> None:
        """Let the store be removed; what is read of it already stays readable."""
        if self.in_use is not None:
            self.in_use.release()

    @property
    def source_is_gone(self) -> bool:
        """Tell whether the profile that the store was made from is known to be gone."""
        # Bytes of a name that are no UTF-8 are only shown there; what they were is not known.
        known = Path(self.source).is_absolute() and "\\x" not in self.source
        return known and is_gone(Path(self.source))


def is_gone(path: Path) -> bool:
    """Tell whether there is nothing at a path: no file, or a directory without entries."""
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return not os.path.lexists(path)


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
    check_private(directory.parent)
    check_private(directory)
    manifest = read_manifest(directory / MANIFEST, RankManifest)
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


class _Version(msgspec.Struct, frozen=True):
    """What a manifest of any version says of its version."""

    npuview_store: int = 0
    schema_version: int = 0


def read_manifest(path: Path, kind: type[Manifest]) -> Manifest:
    """Read a manifest that ``write_manifest`` wrote.

    Raises NoStore when there is none, OtherVersion, and StoreError when it is not what
    was written.
    """
    try:
        with open_regular(path) as file:
            content = file.read()
        version = msgspec.json.decode(content, type=_Version)
        _check_schema(path, version.npuview_store or version.schema_version)
        manifest = msgspec.json.decode(content, type=kind)
    except FileNotFoundError as error:
        raise NoStore(f"{path}: {error.strerror}") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if manifest != sealed(manifest):
        raise StoreError(f"{path}: its content does not have the hash that it names")
    return manifest


def _check_schema(path: Path, version: int) -> None:
    if version != SCHEMA_VERSION:
        raise OtherVersion(
            f"{path}: written in schema version {version}, this npuview reads {SCHEMA_VERSION};"
            " run npuview ingest on the profile again"
        )


def write_manifest(path: Path, manifest: msgspec.Struct) -> None:
    """Replace a manifest in one step; raise OSError, with the old one in place, if that fails."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(sealed(manifest)), indent=1))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    sync(path.parent)


def sealed(manifest: Manifest) -> Manifest:
    """Return a manifest with the hash of its content in it."""
    content = msgspec.json.encode(msgspec.structs.replace(manifest, seal=""))
    seal = hashlib.blake2b(content, digest_size=16).hexdigest()
    return msgspec.structs.replace(manifest, seal=seal)


def sync(path: Path) -> None:
    """Wait until a file's content, or a directory's list of names, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
