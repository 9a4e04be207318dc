"""Ranks under construction, and the one step that makes them the store.

Whoever is killed at any moment leaves the old store or the new one: ranks are built
out of sight, move into a generation of their own, and count when the manifest, which
is replaced last, lists them.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .cache import GENERATION, RANK, UNFINISHED, is_recent, lock_of
from .errors import ClosedPlace, NoRoom, NoStore, StoreError
from .lock import FileLock, holder, try_lock
from .progress import Work
from .schema import SCHEMA_VERSION
from .space import CLOSED, says_full
from .store import (
    IN_USE,
    MANIFEST,
    RankEntry,
    RankManifest,
    RankStore,
    StoreManifest,
    check_private,
    read_manifest,
    sync,
    write_manifest,
)
from .text import printable

WAIT_SECONDS: Final = 0.05

Say = Callable[[str], None]


def say_nothing(_: str) -> None:
    """Ignore a word to the person."""


@dataclass(slots=True)
class Construction:
    """The right to change a store's directory.

    ``alone`` is False where the file system has no locks: others may be building
    there too, and the last manifest counts.
    """

    store: Path
    alone: bool
    _new: Path | None = field(default=None, init=False)

    def begin(self, rank: int) -> Path:
        """Make the directory in which a rank is built; remove leftovers of others.

        Raises OSError when it cannot be made.
        """
        make_private(self.store)
        if self.alone:
            for leftover in self.store.glob(f".rank={rank}.*"):
                shutil.rmtree(leftover, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f".rank={rank}.", dir=self.store))

    def finish(self, built: Path, manifest: RankManifest) -> RankStore:
        """Write the manifest into a built directory and keep it for the next generation.

        Raises OSError when something cannot be written.
        """
        for file in built.iterdir():
            sync(file)
        write_manifest(built / MANIFEST, manifest)
        return self.take(RankStore(built, manifest))

    def take(self, rank: RankStore) -> RankStore:
        """Keep a finished rank that is not in a store yet for the next generation."""
        if self._new is None:
            self._new = Path(tempfile.mkdtemp(prefix=".new.", dir=self.store))
        place = self._new / f"rank={rank.rank}"
        rank.path.rename(place)
        return RankStore(place, rank.manifest)

    def finished(self, rank: int) -> Iterator[Path]:
        """Yield the directories of a rank that are there, also what was not published."""
        for directory in sorted(self.store.glob(f"*/rank={rank}")):
            if self.alone or not is_unfinished(directory.parent):
                yield directory

    def publish(self, source: Path, ranks: Iterable[RankStore], selection: str = "") -> None:
        """Make these ranks the store; ``selection`` says which part of the source they are.

        Raises OSError when something cannot be written; what is the store then is whole.
        """
        generation = self._new_generation()
        entries = tuple(
            RankEntry(rank.rank, f"{self._generation_of(rank, generation)}/rank={rank.rank}")
            for rank in sorted(ranks, key=lambda rank: rank.manifest.ordinal)
        )
        manifest = StoreManifest(SCHEMA_VERSION, printable(str(source)), entries, selection)
        try:
            (self.store / IN_USE).touch(0o600)
            write_manifest(self.store / MANIFEST, manifest)
        except BaseException:
            # The last step may have failed behind the one that counts.
            kept = listed(self.store)
            counts = kept is None or any(rank.parent == generation for rank in kept)
            if generation is not None and not counts:
                shutil.rmtree(generation, ignore_errors=True)
            raise
        # While this process does not read it either.
        self.tidy()

    def _new_generation(self) -> Path | None:
        """Give the directory of new ranks its number; None if there are none."""
        if self._new is None:
            return None
        sync(self._new)
        known = [int(one.name) for one in self.store.iterdir() if GENERATION.fullmatch(one.name)]
        number = max(known, default=0) + 1
        # Without locks somebody else may take the number meanwhile: then this fails.
        generation = self._new.rename(self.store / str(number))
        sync(self.store)
        return generation

    def _generation_of(self, rank: RankStore, generation: Path | None) -> str:
        parent = rank.path.parent
        return generation.name if generation is not None and parent == self._new else parent.name

    def tidy(self) -> None:
        """Remove ranks under construction, and old ones that nobody reads."""
        if self._new is not None:
            shutil.rmtree(self._new, ignore_errors=True)
        with suppress(OSError):
            for unfinished in self.store.iterdir():
                if is_unfinished(unfinished):
                    self._remove(unfinished)
            reading = try_lock(self.store / IN_USE) if unlisted(self.store) else None
            if reading is not None:
                for old in unlisted(self.store):
                    self._remove(old)
                reading.release()
        if not (self.store / MANIFEST).exists():
            with suppress(OSError):
                (self.store / IN_USE).unlink(missing_ok=True)
                with suppress(FileNotFoundError):
                    self.store.rmdir()
                if self.alone:
                    lock_of(self.store).unlink(missing_ok=True)

    def _remove(self, place: Path) -> None:
        if not self.alone and is_recent(place):
            return
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink()


def listed(store: Path) -> set[Path] | None:
    """Return the directories of ranks that are the store, none without one.

    None where the manifest cannot be read: what counts is not known.
    """
    try:
        manifest = read_manifest(store / MANIFEST, StoreManifest)
    except NoStore:
        return set()
    except StoreError:
        return None
    return {store / entry.directory for entry in manifest.ranks}


def unlisted(store: Path) -> list[Path]:
    """Return the generations, and ranks in others, that are not the store any more."""
    kept = listed(store)
    if kept is None:
        return []
    generations = {rank.parent for rank in kept}
    found: list[Path] = []
    for entry in store.iterdir():
        if entry in generations:
            found += [rank for rank in entry.iterdir() if rank not in kept]
        elif GENERATION.fullmatch(entry.name) or RANK.fullmatch(entry.name):
            found.append(entry)
    return found


def needs_tidying(store: Path) -> bool:
    """Tell whether a store's directory holds what is not the store."""
    with suppress(OSError):
        unfinished = any(is_unfinished(entry) for entry in store.iterdir())
        return unfinished or bool(unlisted(store))
    return False


@contextmanager
def construction(
    store: Path, work: Work | None = None, say: Say = say_nothing
) -> Generator[Construction]:
    """Hold the right to change a store's directory; wait for who has it, and say so.

    Nothing unfinished stays behind. Raises NoRoom, ClosedPlace or StoreError when the
    directory of stores cannot be made or written, UnsafeStore when others could lead it
    elsewhere, Interrupted.
    """
    # DuckDB and Arrow make files as they please.
    umask = os.umask(0o077)
    try:
        lock = _lock(store, work or Work(), say)
        try:
            building = Construction(store, lock.real)
            try:
                yield building
            finally:
                building.tidy()
        finally:
            lock.release()
    finally:
        os.umask(umask)


def tidy_up(store: Path) -> None:
    """Remove what others left behind in a store's directory, unless somebody builds there."""
    with suppress(OSError):
        lock = try_lock(lock_of(store))
        if lock is not None:
            Construction(store, lock.real).tidy()
            lock.release()


def _lock(store: Path, work: Work, say: Say) -> FileLock:
    try:
        make_private(store.parent)
        for place in (store.parent, store):
            if place.is_symlink() or place.exists():
                check_private(place)
        said: str | None = None
        while (lock := try_lock(lock_of(store))) is None:
            builder = holder(lock_of(store))
            if builder != said:
                said = builder
                say(f"waiting for {builder}, which reads this profile")
            time.sleep(WAIT_SECONDS)
            work.check()
    except OSError as error:
        raise unwritable(store.parent, error) from error
    lock.sign()
    return lock


def unwritable(place: Path, error: OSError) -> StoreError:
    """Return what to raise when nothing can be written at a place."""
    said = f"{place}: {error.strerror or error}; choose another place with --cache-dir"
    if says_full(error):
        return NoRoom(said)
    return ClosedPlace(said) if error.errno in CLOSED else StoreError(said)


def is_unfinished(place: Path) -> bool:
    """Tell whether a directory was not published."""
    return UNFINISHED.fullmatch(place.name) is not None


def make_private(path: Path) -> None:
    """Make a directory that only its owner can enter, with its parents."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
