"""A path to a valid store: reused where nothing changed, built where it did."""

import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .discover import find_profiles
from .errors import IngestError, StoreError, UnsafeStore
from .profile import Profile, fingerprint
from .progress import Progress, Silent, Work
from .store import (
    RankStore,
    Store,
    begin_rank,
    builder_lock,
    cache_root,
    is_store,
    open_rank,
    publish_rank,
    publish_store,
    store_path,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A store that is ready, and whether anything of it had to be built now."""

    store: Store
    built: bool


def open_store(
    path: Path,
    *,
    cache_dir: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Opened:
    """Return the store of a profile, or open the store that ``path`` already is.

    Nothing is parsed when the store is there, whole, of this version, and no source
    file has changed; one changed rank is built alone. ``force`` builds everything.
    Raises UnsupportedProfile when there is no profile, IngestError when one cannot be
    read, StoreError when the store cannot be written, Interrupted when ``stop`` is set.
    """
    work = Work(progress or Silent(), stop or threading.Event())
    if is_store(path):
        return Opened(Store.open(path), built=False)
    work.stage("discover")
    profiles = find_profiles(path)
    target = store_path(cache_root(cache_dir), path)
    if not force and (ready := _ready(target, profiles)) is not None:
        return Opened(ready, built=False)
    with builder_lock(target):
        # Somebody else may have built it while this process waited.
        if not force and (ready := _ready(target, profiles)) is not None:
            return Opened(ready, built=False)
        ranks = [
            _rank(target, profile, ordinal, work, force=force)
            for ordinal, profile in enumerate(profiles)
        ]
        _forget_others(target, ranks)
        try:
            store = publish_store(target, path.resolve(), ranks)
        except OSError as error:
            raise StoreError(
                f"{target}: {error.strerror}; choose a place with --cache-dir"
            ) from error
        return Opened(store, built=True)


def _ready(target: Path, profiles: Sequence[Profile]) -> Store | None:
    """Return the store if it holds just these profiles as they are now."""
    try:
        store = Store.open(target)
    except UnsafeStore:
        raise
    except StoreError:
        return None
    if len(store.ranks) != len(profiles):
        return None
    fresh = all(
        _is_of(rank, profile, ordinal)
        for ordinal, (rank, profile) in enumerate(zip(store.ranks, profiles, strict=True))
    )
    return store if fresh else None


def _is_of(rank: RankStore, profile: Profile, ordinal: int) -> bool:
    known = rank.manifest
    return (known.rank, known.ordinal, known.fingerprint) == (
        profile.rank,
        ordinal,
        fingerprint(profile),
    )


def _rank(target: Path, profile: Profile, ordinal: int, work: Work, *, force: bool) -> RankStore:
    if not force and (rank := _known_rank(target, profile)) and _is_of(rank, profile, ordinal):
        return rank
    # Arrow and DuckDB take a third of a second to import; a valid store needs neither.
    from .build import build_rank  # noqa: PLC0415 # see above

    try:
        directory = begin_rank(target, profile.rank)
    except OSError as error:
        raise _unwritable(target, error) from error
    try:
        manifest = build_rank(profile, ordinal, directory, work)
        return publish_rank(directory, target, manifest)
    except OSError as error:
        raise IngestError(
            f"{profile.path}: {error.strerror or error} while writing {directory}"
        ) from error
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _known_rank(target: Path, profile: Profile) -> RankStore | None:
    try:
        return open_rank(target / f"rank={profile.rank}")
    except UnsafeStore:
        raise
    except StoreError:
        return None


def _unwritable(target: Path, error: OSError) -> StoreError:
    return StoreError(f"{target}: {error.strerror}; choose another place with --cache-dir")


def _forget_others(target: Path, ranks: Sequence[RankStore]) -> None:
    """Remove directories of ranks that the profile no longer has."""
    kept = {rank.path for rank in ranks}
    for directory in target.glob("rank=*"):
        if directory not in kept:
            shutil.rmtree(directory, ignore_errors=True)
