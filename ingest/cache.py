"""The places where stores lie, and the stores in them: found, measured, removed."""

import atexit
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from .errors import NoRoom, StoreError
from .lock import FileLock, holder, try_lock
from .store import IN_USE, MANIFEST, check_private, is_store

KEY: Final = re.compile(r".+-[0-9a-f]{16}")
"""Names of store directories, so that nothing else in a shared place is touched."""

GENERATION: Final = re.compile(r"[0-9]+")
RANK: Final = re.compile(r"rank=[0-9]+")
UNFINISHED: Final = re.compile(r"\.(?:rank=[0-9]+|manifest|new)\..+")

UNLOCKED_SECONDS: Final = 24 * 60 * 60
"""Without locks, what changed so recently may be somebody's."""

_OF_A_RANK: Final = re.compile(
    r"manifest\.json|index\.duckdb(?:\.wal)?|\w+\.parquet|\.manifest\..+"
)
_ALIVE: Final = "alive.lock"
_PASSING: Final = "npuview-passing-"


def named_root(explicit: Path | None) -> Path | None:
    """Return the place that somebody chose: the given one, else ``$NPUVIEW_CACHE_DIR``."""
    if explicit is not None:
        return explicit
    named = os.environ.get("NPUVIEW_CACHE_DIR")
    return Path(named) if named else None


def cache_roots(explicit: Path | None = None) -> list[Path]:
    """Return the directories in which a store may lie, not yet made, the best first.

    One that was chosen is the only one. Else ``$XDG_CACHE_HOME/npuview``,
    ``~/.cache/npuview``, and ``npuview-<uid>`` among temporary files.
    """
    named = named_root(explicit)
    if named is not None:
        return [named]
    roots: list[Path] = []
    if cache := os.environ.get("XDG_CACHE_HOME"):
        roots.append(Path(cache) / "npuview")
    with suppress(RuntimeError):
        roots.append(Path.home() / ".cache" / "npuview")
    roots.append(Path(tempfile.gettempdir()) / f"npuview-{os.geteuid()}")
    return list(dict.fromkeys(roots))


def cache_root(explicit: Path | None = None) -> Path:
    """Return the directory that stores are made in, if there is room for them."""
    return cache_roots(explicit)[0]


def passing_root() -> Path:
    """Make a directory for stores that is removed when this process ends.

    What processes left there that were killed goes first. Raises NoRoom when there is
    no place for temporary files.
    """
    try:
        # Large files do not belong into memory, where /tmp often lies.
        parent = Path("/var/tmp") if not os.environ.get("TMPDIR") else None  # noqa: S108 - see above
        if parent is None or not os.access(parent, os.W_OK):
            parent = Path(tempfile.gettempdir())
        for left in parent.glob(f"{_PASSING}*"):
            _remove_if_dead(left)
        root = Path(tempfile.mkdtemp(prefix=_PASSING, dir=parent))
        alive = try_lock(root / _ALIVE)
    except OSError as error:
        raise NoRoom(f"no place for temporary files: {error.strerror}") from error
    atexit.register(_end, root, alive)
    return root


def _end(root: Path, alive: FileLock | None) -> None:
    shutil.rmtree(root, ignore_errors=True)
    if alive is not None:
        alive.release()


def _remove_if_dead(root: Path) -> None:
    with suppress(OSError, StoreError):
        check_private(root)
        # Who has just made it has not come to lock it.
        lock = try_lock(root / _ALIVE) if (root / _ALIVE).exists() else None
        if lock is not None and lock.real:
            shutil.rmtree(root, ignore_errors=True)


def store_path(root: Path, source: Path) -> Path:
    """Return where the store of a profile lies: its name and a hash of its real path."""
    real = source.resolve()
    key = hashlib.blake2b(os.fsencode(real), digest_size=8).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9._-]+", "_", real.name)[:48].strip(".") or "profile"
    return root / f"{readable}-{key}"


def has_store(source: Path, explicit: Path | None = None) -> bool:
    """Tell whether a store was made of what lies, or lay, at a path."""
    return any(is_store(store_path(root, source)) for root in cache_roots(explicit))


def lock_of(store: Path) -> Path:
    """Return the file whose lock allows to change a store's directory."""
    return store.with_name(store.name + ".lock")


def stores_in(root: Path) -> list[Path]:
    """Return the directories that are stores, also half-made ones, by name."""
    try:
        found = sorted(root.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [
        directory
        for directory in found
        if KEY.fullmatch(directory.name)
        and not directory.is_symlink()
        and (is_store(directory) or any(directory.glob("*rank=*")) or _generations(directory))
    ]


def _generations(store: Path) -> bool:
    return any(RANK.fullmatch(rank.name) for rank in store.glob("*/rank=*"))


def bytes_of(store: Path) -> int:
    """Return how many bytes the files in a store's directory hold."""
    total = 0
    for folder, _, files in os.walk(store):
        for name in files:
            # Somebody else may be removing it.
            with suppress(OSError):
                total += (Path(folder) / name).lstat().st_size
    return total


def last_use(store: Path) -> int:
    """Return when a store was last opened or made, epoch ns."""
    for place in (store / IN_USE, store / MANIFEST, store):
        with suppress(OSError):
            return place.lstat().st_mtime_ns
    return 0


def is_recent(place: Path) -> bool:
    """Tell whether a place changed within ``UNLOCKED_SECONDS``."""
    try:
        return time.time() - place.lstat().st_mtime < UNLOCKED_SECONDS
    except OSError:
        return False


def user_of(store: Path) -> str | None:
    """Return who builds a store or that somebody reads it; None if nobody does.

    Raises OSError when that cannot be found out.
    """
    building = try_lock(lock_of(store))
    if building is None:
        return f"{holder(lock_of(store))} builds it"
    reading = try_lock(store / IN_USE)
    building.release()
    if reading is None:
        return "in use"
    reading.release()
    return None


def remove_store(store: Path, *, patient: bool = False) -> int:
    """Remove a store that nobody uses and return its bytes.

    ``patient`` also keeps one whose use cannot be told, for a day after the last one.
    Raises StoreError, with nothing removed, for a store in use and for a directory that
    holds anything else; OSError when it cannot be removed.
    """
    check_private(store)
    building = try_lock(lock_of(store))
    if building is None:
        raise StoreError(f"{store}: in use: {holder(lock_of(store))} builds it")
    reading: FileLock | None = None
    try:
        for entry in _foreign(store):
            raise StoreError(f"{store}: holds {entry.name}, which is no part of a store")
        if patient and not building.real and is_recent(store / IN_USE):
            raise StoreError(f"{store}: may be in use: there are no locks here")
        reading = try_lock(store / IN_USE)
        if reading is None:
            raise StoreError(f"{store}: in use")
        size = bytes_of(store)
        # Without its manifest it is no store any more, whatever happens to the rest.
        (store / MANIFEST).unlink(missing_ok=True)
        reading.release()
        shutil.rmtree(store)
        lock_of(store).unlink(missing_ok=True)
    finally:
        if reading is not None:
            reading.release()
        building.release()
    return size


def _foreign(store: Path) -> Iterator[Path]:
    """Yield what lies in a store's directory and was not put there by npuview."""
    for entry in sorted(store.iterdir()):
        if entry.is_symlink():
            yield entry
        elif UNFINISHED.fullmatch(entry.name):
            continue
        elif GENERATION.fullmatch(entry.name) and entry.is_dir():
            for rank in sorted(entry.iterdir()):
                yield from _foreign_to_rank(rank)
        elif RANK.fullmatch(entry.name):
            # Earlier versions had ranks here.
            yield from _foreign_to_rank(entry)
        elif entry.name not in {MANIFEST, IN_USE} or not entry.is_file():
            yield entry


def _foreign_to_rank(rank: Path) -> Iterator[Path]:
    if rank.is_symlink() or not rank.is_dir() or not RANK.fullmatch(rank.name):
        yield rank
        return
    yield from (
        file
        for file in sorted(rank.iterdir())
        if file.is_symlink() or not (file.is_file() and _OF_A_RANK.fullmatch(file.name))
    )
