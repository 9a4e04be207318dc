"""A path to a valid store: reused where nothing changed, built where it did."""

import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from .budget import default_budget, keep_within
from .cache import cache_roots, named_root, passing_root, store_name
from .discover import find_profiles
from .errors import (
    ClosedPlace,
    IngestError,
    NoRoom,
    NoStore,
    NpuviewError,
    OtherVersion,
    StoreError,
    UnsafeStore,
    UnsupportedProfile,
)
from .gentle import gently
from .profile import Profile, fingerprint
from .progress import Progress, Silent, Work
from .publish import (
    Construction,
    Say,
    construction,
    is_unfinished,
    needs_tidying,
    say_nothing,
    tidy_up,
    unwritable,
)
from .selection import EVERYTHING, Selection
from .size import readable
from .space import room_at, room_needed, says_full
from .store import RankStore, Store, is_gone, is_store, open_rank

SourceState = Literal["unchanged", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A store that is ready, and whether anything of it had to be built now.

    ``source_missing`` says that the profile is not there any more: nothing can be
    compared with it or read again.
    """

    store: Store
    built: bool
    source_missing: bool = False


@dataclass(frozen=True, slots=True)
class Keeping:
    """How stores are kept.

    ``say`` is told in a sentence what a person should know. ``budget`` returns how many
    bytes all stores in a directory may take, None without a limit. ``lasting`` refuses a
    place that is gone when the process ends. ``doubt`` compares every byte of a store
    with what was written before it is used.
    """

    say: Say = say_nothing
    budget: Callable[[Path], int | None] = default_budget
    lasting: bool = False
    doubt: bool = False


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be opened, and how."""

    path: Path
    profiles: tuple[Profile, ...]
    work: Work
    keeping: Keeping
    force: bool
    selection: Selection
    jobs: int | None

    @property
    def store_name(self) -> str:
        """Return the name of the store's directory."""
        return store_name(self.path, self.selection.text)


def open_store(  # noqa: PLR0913 - the one door to all stores
    path: Path,
    *,
    cache_dir: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    keeping: Keeping | None = None,
    selection: Selection = EVERYTHING,
    jobs: int | None = None,
) -> Opened:
    """Return the store of a profile, or open the store that ``path`` already is.

    The store of a ``selection`` lies apart from that of the whole. ``jobs`` is how many
    threads may work, as many as the machine allows without it.

    Nothing is parsed when the store is there, whole, of this version, and no source
    file has changed; one changed rank is built alone. ``force`` builds everything. Where
    the place for stores has no room, the next one is taken, at last one that passes with
    the process. The store of a profile that is gone is opened as it is.

    Raises UnsupportedProfile when there is no profile, UsageError when there is nothing
    of the selection, IngestError when a profile cannot be read, StoreError when the
    store cannot be written, Interrupted when ``stop`` is set.
    """
    keeping = keeping or Keeping()
    work = Work(progress or Silent(), stop or threading.Event())
    if is_store(path):
        return _as_it_is(Store.open(path), keeping)
    roots = cache_roots(cache_dir)
    if is_gone(path):
        return _left(store_name(path, selection.text), path, roots, keeping)
    work.stage("discover")
    profiles = tuple(selection.chosen(find_profiles(path)))
    task = _Task(path, profiles, work, keeping, force, selection, jobs)
    if not force:
        for root in roots:
            # Anybody can block a place among temporary files: that is no reason to end.
            with nullcontext() if root == roots[0] else suppress(UnsafeStore):
                ready = _ready(root / task.store_name, task, say_nothing)
                if ready is not None:
                    return Opened(ready, built=False)
    return _in_first_room(task, roots, chosen=named_root(cache_dir) is not None)


def source_state(store: Store) -> SourceState:
    """Tell whether the profile that a store was made from is still what it was."""
    if store.source_is_gone:
        return "gone"
    try:
        profiles = find_profiles(Path(store.source))
        if store.selection:
            there = {rank.rank for rank in store.ranks}
            profiles = [profile for profile in profiles if profile.rank in there]
        same = _is_of_all(store, profiles)
    except NpuviewError:
        return "changed"
    return "unchanged" if same else "changed"


def _left(name: str, path: Path, roots: Sequence[Path], keeping: Keeping) -> Opened:
    """Open the store of a profile that is gone."""
    for root in roots:
        try:
            return _as_it_is(Store.open(root / name), keeping, missing=True)
        except NoStore:
            continue
    raise UnsupportedProfile(f"{path}: nothing is there, and no store was made of it")


def _as_it_is(store: Store, keeping: Keeping, *, missing: bool = False) -> Opened:
    missing = missing or store.source_is_gone
    if missing:
        keeping.say(f"source missing: {store.source} is gone; this is what the store holds")
    return Opened(store, built=False, source_missing=missing)


def _in_first_room(task: _Task, roots: Sequence[Path], *, chosen: bool) -> Opened:
    """Make the store in the first place with room for it; say where else than expected.

    Raises NoRoom when there is none. A place that somebody chose must at least be open.
    """
    refusal: StoreError | None = None
    for root in roots:
        if refusal is not None:
            task.keeping.say(f"{refusal}; the store goes to {root}")
        try:
            return _built(task, root)
        except (NoRoom, ClosedPlace, UnsafeStore) as error:
            refuses = isinstance(error, UnsafeStore) or (chosen and isinstance(error, ClosedPlace))
            # Anybody can block a later one, among temporary files.
            if refuses and root == roots[0]:
                raise
            refusal = error
    if task.keeping.lasting and refusal is not None:
        raise refusal
    root = passing_root()
    task.keeping.say(f"{refusal}; the store goes to {root} and is removed at the end")
    return _built(task, root)


def _ready(target: Path, task: _Task, say: Say) -> Store | None:
    """Return the store if it holds just these profiles as they are now; else say why not."""
    try:
        store = Store.open(target)
        if task.keeping.doubt:
            _check_all(store)
    except UnsafeStore:
        raise
    except StoreError as error:
        if not isinstance(error, NoStore):
            other = isinstance(error, OtherVersion)
            why = "store of another version of npuview" if other else f"store damaged ({error})"
            say(f"{why}, building it again")
        return None
    if not _is_of_all(store, task.profiles):
        store.close()
        say("the profile changed since its store was made, building it again")
        return None
    if needs_tidying(target):
        store.close()
        tidy_up(target)
        # Somebody may have removed it meanwhile.
        with suppress(NoStore):
            return Store.open(target)
        return None
    return store


def _check_all(store: Store) -> None:
    for rank in store.ranks:
        for finding in rank.verify():
            store.close()
            raise StoreError(finding)


def _is_of_all(store: Store, profiles: Sequence[Profile]) -> bool:
    return len(store.ranks) == len(profiles) and all(
        _is_of(rank, profile, ordinal)
        for ordinal, (rank, profile) in enumerate(zip(store.ranks, profiles, strict=True))
    )


def _is_of(rank: RankStore, profile: Profile, ordinal: int) -> bool:
    known = rank.manifest
    return (known.rank, known.ordinal, known.fingerprint) == (
        profile.rank,
        ordinal,
        fingerprint(profile),
    )


def _built(task: _Task, root: Path) -> Opened:
    """Build what is missing or changed of a store; raise NoRoom if it does not fit there."""
    target = root / task.store_name
    with construction(target, task.work, task.keeping.say) as site:
        if not task.force:
            # Somebody else may have built it while this process waited.
            ready = _ready(target, task, task.keeping.say)
            if ready is not None:
                return Opened(ready, built=False)
        try:
            site.publish(task.path.resolve(), _ranks(site, task), task.selection.text)
        except OSError as error:
            raise unwritable(target, error) from error
        store = Store.open(target)
    _keep_within(root, task.keeping, target)
    return Opened(store, built=True)


def _ranks(site: Construction, task: _Task) -> list[RankStore]:
    """Return the ranks of a store, those that did not change as they are."""
    known = [
        None if task.force else _known_rank(site, profile, ordinal, doubt=task.keeping.doubt)
        for ordinal, profile in enumerate(task.profiles)
    ]
    needed = room_needed(
        profile for profile, rank in zip(task.profiles, known, strict=True) if rank is None
    )
    free = room_at(site.store)
    if free < needed:
        raise NoRoom(_no_room(site.store, needed, f"{readable(free)} are free"))
    try:
        return [rank or _new_rank(site, task, ordinal) for ordinal, rank in enumerate(known)]
    except (IngestError, OSError) as error:
        if says_full(error):
            why = f"the disk is full, or a quota; {readable(free)} were free"
            raise NoRoom(_no_room(site.store, needed, why)) from error
        raise


def _no_room(store: Path, needed: int, why: str) -> str:
    return (
        f"{store.parent}: no space for this store, which takes about {readable(needed)}: {why};"
        " make room there, or choose another place with --cache-dir"
    )


def _known_rank(
    site: Construction, profile: Profile, ordinal: int, *, doubt: bool
) -> RankStore | None:
    for directory in site.finished(profile.rank):
        try:
            rank = open_rank(directory)
        except UnsafeStore:
            raise
        except StoreError:
            continue
        if _is_of(rank, profile, ordinal) and not (doubt and rank.verify()):
            return site.take(rank) if is_unfinished(directory.parent) else rank
    return None


def _new_rank(site: Construction, task: _Task, ordinal: int) -> RankStore:
    # Arrow and DuckDB take a third of a second to import; a valid store needs neither.
    from .build import build_rank  # noqa: PLC0415 # see above

    profile = task.profiles[ordinal]
    try:
        directory = site.begin(profile.rank)
    except OSError as error:
        raise unwritable(site.store, error) from error
    try:
        build = partial(
            build_rank,
            *(profile, ordinal, directory, task.work),
            selection=task.selection,
            jobs=task.jobs,
        )
        return site.finish(directory, gently(build, task.work.stop))
    except OSError as error:
        raise IngestError(
            f"{profile.path}: {error.strerror or error} while writing {directory}"
        ) from error
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _keep_within(root: Path, keeping: Keeping, target: Path) -> None:
    """Remove stores not used for longest; say so."""
    try:
        budget = keeping.budget(root)
        removed = keep_within(root, budget, target) if budget is not None else []
    except OSError:
        # What cannot be counted is not cleaned; the store is ready all the same.
        return
    if removed:
        freed = readable(sum(size for _, size in removed))
        names = ", ".join(store.name for store, _ in removed)
        keeping.say(f"removed the stores not used for longest ({freed}): {names}")
