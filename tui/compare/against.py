"""The run that the opened one is held against, and the place that both have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..focus import Focus, Window
from ..run import Run
from ..user.run_card import RunCard

if TYPE_CHECKING:
    from ...ingest.store import Store


@dataclass(frozen=True, slots=True)
class OtherRun:
    """A run under the name that it was asked for by, and what a person noted of it.

    ``has_timeline`` is False for a baseline: there is nothing of it to go to.
    """

    name: str
    store: "Store"
    card: RunCard
    has_timeline: bool = True


Opener = Callable[[str], OtherRun]
"""Opens what a word means: a profile, a store or a baseline. Raises as ``open_store`` does."""


@dataclass(slots=True)
class Against:
    """What the opened run is held against: ``word`` is asked for where it is None.

    ``own`` is the opened run itself, the one to come back to from the other.
    """

    own: OtherRun | None = None
    opener: Opener | None = None
    word: str | None = None
    other: OtherRun | None = None

    def choose(self, word: str) -> None:
        """Hold the opened run against another word's."""
        self.word, self.other = word, None

    def opened(self) -> OtherRun:
        """Return the other run, opened when it is needed first; not for the screen's thread."""
        if self.other is None:
            if self.opener is None or self.word is None:
                raise RuntimeError("there is nothing to hold this run against")
            self.other = self.opener(self.word)
        return self.other


class CommonPlace(NamedTuple):
    """A place by what two runs of a job share: a step and the time since it began.

    ``nth`` is which step of its rank it is, for runs that number theirs differently;
    without a step it is counted from the start of the run. ``dur`` None is all of it.
    """

    rank: int
    step: int | None
    nth: int | None
    offset: int
    dur: int | None

    def focus(self, run: Run) -> Focus:
        """Return the place in a run: in the step of the same number, else in the nth one."""
        rank = self.rank if self.rank in run.ranks else run.ranks[0]
        steps = [row.step for row in run.steps_of(rank)]
        step = self.step
        if step is not None and step not in steps:
            step = steps[min(self.nth or 0, len(steps) - 1)] if steps else None
        whole = run.period(rank, step) or run.extent(rank)
        if self.dur is None or whole is None:
            return Focus(rank, step)
        begin = whole.from_ts + self.offset
        return Focus(rank, step, Window(begin, begin + self.dur))


class Switch(NamedTuple):
    """The other run, and the place in it at which to go on."""

    run: OtherRun
    place: CommonPlace


def common_place(run: Run, focus: Focus) -> CommonPlace:
    """Return a place of a run as one that another run of the job has too."""
    steps = [row.step for row in run.steps_of(focus.rank)]
    nth = steps.index(focus.step) if focus.step in steps else None
    if focus.window is None:
        return CommonPlace(focus.rank, focus.step, nth, 0, None)
    offset = focus.window.from_ts - run.origin(focus)
    return CommonPlace(focus.rank, focus.step, nth, offset, focus.window.dur)
