"""The run that the opened one is held against, and the place that both have in common."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ...ingest.errors import Interrupted, UsageError
from ..focus import Focus, Window
from ..run import Run
from ..timeline.lane_name import LaneName, LaneSpot
from ..user.run_card import RunCard
from ..words.spoken import say
from .reading import RunReading

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


Opener = Callable[[str, RunReading], OtherRun]
"""Opens what a word means: a profile, a store or a baseline, and tells how far that is.

Raises as ``open_store`` does.
"""


@dataclass(slots=True)
class Against:
    """What the opened run is held against: ``word`` is asked for where it is None.

    ``own`` is the opened run itself, the one to come back to from the other. ``swapped``
    makes the opened run A, what was before, and the other one B.
    """

    own: OtherRun | None = None
    opener: Opener | None = None
    word: str | None = None
    other: OtherRun | None = None
    swapped: bool = False
    reading: RunReading | None = field(default=None, init=False)
    """The other run, while it is being read."""
    _one_at_a_time: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    _stops: int = field(default=0, init=False)

    @property
    def is_named(self) -> bool:
        """Tell whether it is known what to hold the opened run against."""
        return self.word is not None or self.other is not None

    @property
    def name(self) -> str:
        """Return the name of the other run; empty without one."""
        return self.other.name if self.other is not None else self.word or ""

    def choose(self, word: str) -> None:
        """Hold the opened run against another word's; what is being read for it is stopped."""
        self.stop()
        self.word, self.other = word, None

    def stop(self) -> bool:
        """Stop reading the other run; tell whether it was being read."""
        reading = self.reading
        self._stops += 1
        if reading is None:
            return False
        reading.stop.set()
        return True

    def opened(self) -> OtherRun:
        """Return the other run, opened when it is needed first; not for the screen's thread.

        Raises UsageError when that was stopped, also while waiting for who began it.
        """
        stops, word = self._stops, self.word
        with self._one_at_a_time:
            other = self.other
            if other is not None:
                return other
            if self.opener is None or word is None:
                raise RuntimeError("there is nothing to hold this run against")
            if stops != self._stops:
                raise UsageError(say("reading_stopped", name=word))
            self.reading = reading = RunReading(word)
            try:
                other = self.opener(word, reading)
            except Interrupted as error:
                raise UsageError(say("reading_stopped", name=word)) from error
            finally:
                self.reading = None
            if stops != self._stops:
                # Another run was named meanwhile.
                other.store.close()
                raise UsageError(say("reading_stopped", name=word))
            self.other = other
            return other


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
    lane: LaneName | None = None
    cursor: int | None = None
    """Where the cursor is; None where no lanes are shown."""

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

    def lane_spot(self, run: Run) -> LaneSpot | None:
        """Return the lane and instant of the cursor in a run; None where there was none."""
        if self.cursor is None:
            return None
        return LaneSpot(self.lane, run.origin(self.focus(run)) + self.cursor)


class Switch(NamedTuple):
    """The other run, and the place in it at which to go on."""

    run: OtherRun
    place: CommonPlace


def common_place(run: Run, focus: Focus, spot: LaneSpot | None = None) -> CommonPlace:
    """Return a place of a run as one that another run of the job has too.

    ``spot`` is the lane and instant of the cursor, where lanes are shown.
    """
    steps = [row.step for row in run.steps_of(focus.rank)]
    nth = steps.index(focus.step) if focus.step in steps else None
    origin, window = run.origin(focus), focus.window
    offset, dur = (0, None) if window is None else (window.from_ts - origin, window.dur)
    lane, cursor = (None, None) if spot is None else (spot.lane, spot.cursor_ts - origin)
    return CommonPlace(focus.rank, focus.step, nth, offset, dur, lane, cursor)
