"""The two sides of a comparison: each a profile, a store, or a baseline by its name."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import NamedTuple

import click

from ...ingest.baseline import baseline_path, baseline_root, baselines_in, is_name
from ...ingest.cache import has_store
from ...ingest.errors import UsageError
from ...ingest.store import Store, is_store
from ...queries.pair import PairSession
from ...queries.session import Session
from ..text.narration import note
from ..user.run_card import RunCard, card_of, read_card
from .opening import damage_status, opened_session
from .options import Command, FolderPath, Source, allow_damaged_option, cache_dir_option

CARD_SUFFIX = ".card.json"

baseline_dir_option = click.option(
    "--baseline-dir",
    type=FolderPath(file_okay=False, path_type=Path),
    help="Where baselines lie; else $NPUVIEW_BASELINE_DIR, $XDG_DATA_HOME/npuview/baselines,"
    " ~/.local/share/npuview/baselines.",
)


@dataclass(frozen=True, slots=True)
class Sides:
    """Where what is compared lies, and the options that both sides share."""

    source: Source
    """Of the options; its path is that of neither side."""
    baseline_dir: Path | None = None

    @property
    def root(self) -> Path:
        """Return the directory of baselines."""
        return baseline_root(self.baseline_dir)

    def named(self, word: str) -> Source:
        """Return the profile, store or baseline that a word means.

        What lies at a path comes before a baseline of that name. Raises UsageError, with
        the baselines that there are, for a word that is neither.
        """
        named = self._baseline(word)
        if os.path.lexists(word) or has_store(Path(word), self.source.cache_dir):
            if named is not None:
                note(f"{word} is a path here; the baseline of that name is {named}")
            return replace(self.source, path=Path(word))
        if named is None:
            known = ", ".join(place.name for place in baselines_in(self.root))
            hint = f"baselines are: {known}" if known else "there are no baselines"
            raise UsageError(f"{word}: neither a profile nor a baseline; {hint}")
        return replace(self.source, path=named)

    def card(self, store: Store) -> RunCard:
        """Return what a person noted of a run: that of a baseline lies beside it."""
        kept = store.path.parent.resolve() == self.root.resolve()
        return read_card(card_beside(store.path)) if kept else card_of(store.path)

    def _baseline(self, word: str) -> Path | None:
        if not is_name(word):
            return None
        place = baseline_path(self.root, word)
        return place if is_store(place) else None


def sides_options(command: Command) -> Command:
    """Add the options of both sides; the command gets ``sides``."""

    @cache_dir_option
    @baseline_dir_option
    @click.option("--rank", type=int, metavar="R", help="Only this rank of both.")
    @allow_damaged_option
    @wraps(command)
    def collected(
        *,
        cache_dir: Path | None,
        baseline_dir: Path | None,
        rank: int | None,
        allow_damaged: bool,
        **rest: object,
    ) -> int:
        source = Source(Path(), cache_dir, rank, allow_damaged)
        return command(sides=Sides(source, baseline_dir), **rest)

    return collected


class Side(NamedTuple):
    """An opened run: its store, a session over it, its run card, and 3 if it lost data."""

    store: Store
    session: Session
    card: RunCard
    status: int


@contextmanager
def opened_side(sides: Sides, word: str) -> Generator[Side]:
    """Open the run that a word means; raises as ``opened_session`` does."""
    source = sides.named(word)
    with opened_session(source) as (opened, session):
        status = damage_status(session, allow_damaged=source.allow_damaged)
        yield Side(opened.store, session, sides.card(opened.store), status)


class Pair(NamedTuple):
    """Two opened runs: a session over both, what a person noted of each, and their losses."""

    session: PairSession
    base_card: RunCard
    test_card: RunCard
    status: int
    """3 if reading one of them lost data, else 0."""


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
        yield Pair(session, first.card, second.card, max(first.status, second.status))


def card_beside(place: Path) -> Path:
    """Return where the run card of a baseline lies."""
    return place.with_name(f"{place.name}{CARD_SUFFIX}")
