"""Two runs opened side by side."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from ...ingest.errors import OtherVersion
from ...ingest.store import Store
from ...queries.pair import PairSession
from ...queries.session import Session
from ..user.run_card import RunCard
from .opening import damage_status, opened_session
from .sides import Sides


class Side(NamedTuple):
    """An opened run: its store, a session over it, its run card, and 3 if it lost data."""

    store: Store
    session: Session
    card: RunCard
    status: int
    has_timeline: bool
    """False for a baseline."""


@contextmanager
def opened_side(sides: Sides, word: str) -> Generator[Side]:
    """Open the run that a word means; raises as ``opened_session`` does."""
    source = sides.named(word)
    with ExitStack() as stack:
        try:
            opened, session = stack.enter_context(opened_session(source))
        except OtherVersion as error:
            raise sides.outdated(source.path, error) from error
        status = damage_status(session, allow_damaged=source.allow_damaged)
        card, baseline = sides.card(opened.store), sides.is_baseline(opened.store)
        yield Side(opened.store, session, card, status, not baseline)


class Pair(NamedTuple):
    """Two opened runs: a session over both, what a person noted of each, and their losses."""

    session: PairSession
    base_card: RunCard
    test_card: RunCard
    status: int
    """3 if reading one of them lost data, else 0."""
    sides: tuple[Side, Side]


@contextmanager
def opened_pair(sides: Sides, base: str, test: str) -> Generator[Pair]:
    """Open two runs; raises as ``opened_session`` and ``PairSession`` do."""
    rank = sides.source.rank
    ranks = None if rank is None else [rank]
    with (
        opened_side(sides, base) as first,
        opened_side(sides, test) as second,
        PairSession(first.store, second.store, ranks=ranks) as session,
    ):
        status = max(first.status, second.status)
        yield Pair(session, first.card, second.card, status, (first, second))
