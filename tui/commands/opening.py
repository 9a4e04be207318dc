"""From what was typed to a session over a store, and from its losses to an exit status."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from ...ingest.errors import StoreError, UnsafeStore, UsageError
from ...ingest.pipeline import Opened
from ...ingest.store import is_store
from ...queries.catalog import shipped_queries
from ...queries.rows import HealthRow, ProfilesRow, StepsRow
from ...queries.session import Session
from ..text.narration import note
from .options import Source
from .part import WHOLE, Part
from .source import open_source

EXIT_DAMAGED = 3
"""Done, but reading the profile lost data."""

MOST_STEPS_NAMED = 20


@contextmanager
def session_on(source: Source) -> Generator[Session]:
    """Open a session over the rank that was asked for, or all of them."""
    with opened_session(source) as (_, session):
        yield session


@contextmanager
def opened_session(
    source: Source, *, force: bool = False, lasting: bool = False, part: Part = WHOLE
) -> Generator[tuple[Opened, Session]]:
    """Open the store of a source and a session over it; arguments as of ``open_source``.

    What cannot be read of a store is made again, once, where the profile is there.
    """
    ranks = None if source.rank is None else [source.rank]
    opened = open_source(source, force=force, lasting=lasting, part=part)
    try:
        session = Session(opened.store, ranks=ranks)
    except StoreError as error:
        opened = mended(opened, source, error, lasting=lasting, part=part)
        session = Session(opened.store, ranks=ranks)
    try:
        with session:
            yield opened, session
    finally:
        opened.store.close()


def mended(
    opened: Opened,
    source: Source,
    error: StoreError,
    *,
    lasting: bool = False,
    part: Part = WHOLE,
) -> Opened:
    """Make again what is damaged of a store; raise the error if there is no profile for that."""
    if isinstance(error, UnsafeStore) or opened.source_missing or is_store(source.path):
        raise error
    opened.store.close()
    note(f"store damaged ({error}); comparing it with what was written")
    return open_source(source, lasting=lasting, doubt=True, part=part)


def start_of(session: Session) -> int:
    """Return the first instant of the opened ranks, ns in the trace's own clock.

    Places in time count from here. Raises UsageError when nothing has a time.
    """
    start = first_instant(session)
    if start is None:
        raise UsageError("this profile has no timeline: there is no start to count from")
    return start


def first_instant(session: Session) -> int | None:
    """Return the first instant of the opened ranks, ns; None when nothing has a time."""
    profiles = session.run(shipped_queries()["profiles"]).as_(ProfilesRow)
    return min((profile.ts for profile in profiles if profile.ts is not None), default=None)


def check_step(session: Session, step: int) -> None:
    """Raise UsageError, naming the steps there are, for a step that no opened rank has."""
    known = {row.step for row in session.run(shipped_queries()["steps"]).as_(StepsRow)}
    if step in known:
        return
    listed = ", ".join(str(one) for one in sorted(known)[:MOST_STEPS_NAMED])
    more = ", …" if len(known) > MOST_STEPS_NAMED else ""
    raise UsageError(f"no step {step} here; there are: {listed}{more}")


def damage_status(session: Session, *, allow_damaged: bool) -> int:
    """Return 3 if reading the opened ranks lost data or failed somewhere, else 0.

    The counts are said on standard error.
    """
    counts: Counter[str] = Counter()
    for finding in session.run(shipped_queries()["health"]).as_(HealthRow):
        if finding.severity != "info":
            counts[finding.severity] += finding.count_ or 1
    if not counts:
        return 0
    said = ", ".join(f"{count:,} {severity}" for severity, count in sorted(counts.items()))
    note(f"reading this profile was not complete: {said}; npuview info says what is damaged")
    return 0 if allow_damaged else EXIT_DAMAGED
