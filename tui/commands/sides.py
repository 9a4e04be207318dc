"""The two sides of a comparison: each a profile, a store, or a baseline by its name."""

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path

import click

from ...ingest.baseline import baseline_path, baseline_root, baselines_in, is_name
from ...ingest.cache import has_store
from ...ingest.errors import OtherVersion, StoreError, UsageError
from ...ingest.pipeline import open_store
from ...ingest.store import Store, is_store
from ..compare.against import OtherRun
from ..compare.reading import RunReading
from ..text.narration import note
from ..user.run_card import RunCard, card_of, read_card
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

    def named(self, word: str, *, say: Callable[[str], None] = note) -> Source:
        """Return the profile, store or baseline that a word means.

        What lies at a path comes before a baseline of that name. Raises UsageError, with
        the baselines that there are, for a word that is neither.
        """
        named = self._baseline(word)
        if os.path.lexists(word) or has_store(Path(word), self.source.cache_dir):
            if named is not None:
                say(f"{word} is a path here; the baseline of that name is {named}")
            return replace(self.source, path=Path(word))
        if named is None:
            known = ", ".join(place.name for place in baselines_in(self.root))
            hint = f"baselines are: {known}" if known else "there are no baselines"
            raise UsageError(f"{word}: neither a profile nor a baseline; {hint}")
        from ...ingest.renewed_baseline import renew_baseline  # noqa: PLC0415 imports DuckDB

        try:
            if renew_baseline(named):
                say(f"the baseline {word} is of an earlier version: kept anew with its figures")
        except OtherVersion as error:
            raise self.outdated(named, error) from error
        return replace(self.source, path=named)

    def opened(self, word: str, reading: RunReading) -> OtherRun:
        """Open the run that a word means while an app has the terminal: nothing is said."""
        path = self.named(word, say=_nothing).path
        cache = self.source.cache_dir
        try:
            store = open_store(path, cache_dir=cache, progress=reading, stop=reading.stop).store
        except OtherVersion as error:
            raise self.outdated(path, error) from error
        return OtherRun(word, store, self.card(store), has_timeline=not self.is_baseline(store))

    def is_baseline(self, store: Store) -> bool:
        """Tell whether a store lies among the baselines."""
        return self._holds(store.path)

    def outdated(self, path: Path, error: OtherVersion) -> StoreError:
        """Return what to say of a store of another version: of a baseline, how to renew it."""
        if not self._holds(path):
            return error
        from ...ingest.renewed_baseline import source_of  # noqa: PLC0415 imports DuckDB

        source = source_of(path)
        again = "PATH" if source is None else shlex.quote(source)
        return StoreError(
            f"the baseline {path.name} was saved by a version of npuview whose figures are not"
            f" those of this one; save it again with npuview baseline save {path.name} {again}"
            " --force"
        )

    def card(self, store: Store) -> RunCard:
        """Return what a person noted of a run: that of a baseline lies beside it."""
        if self.is_baseline(store):
            return read_card(card_beside(store.path))
        return card_of(store.path)

    def _holds(self, path: Path) -> bool:
        # Who has no home has no baselines, but may look at a profile.
        with suppress(UsageError):
            return path.parent.resolve() == self.root.resolve()
        return False

    def _baseline(self, word: str) -> Path | None:
        if not is_name(word):
            return None
        place = baseline_path(self.root, word)
        return place if is_store(place) else None


def _nothing(_: str) -> None:
    """Say nothing."""


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


def card_beside(place: Path) -> Path:
    """Return where the run card of a baseline lies."""
    return place.with_name(f"{place.name}{CARD_SUFFIX}")
