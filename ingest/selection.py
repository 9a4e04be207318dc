"""Which part of a profile is read: some ranks, steps or a time, or all of it."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from .errors import UsageError
from .profile import Profile
from .read.window import Window

MOST_STEP: Final = 2**31 - 1


class Moment(NamedTuple):
    """An instant in ns: in the trace's own clock, or ``relative`` to its first slice."""

    ns: int
    relative: bool = False


class Mark(NamedTuple):
    """When a step begins and ends, ns."""

    ts: int
    end_ts: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look through the timelines tells: their first instant, and marks of steps."""

    ts: int
    marks: dict[int, Mark]


@dataclass(frozen=True, slots=True)
class Selection:
    """What is wanted of a profile; all of it when nothing is said.

    ``steps`` are numbers from and up to which, both included. The time is from ``start``
    and before ``end``.
    """

    ranks: frozenset[int] | None = None
    steps: tuple[int, int] | None = None
    start: Moment | None = None
    end: Moment | None = None

    @property
    def text(self) -> str:
        """Return the selection as the options that make it; empty for all."""
        parts: list[str] = []
        if self.ranks is not None:
            parts.append("--ranks " + ",".join(map(str, sorted(self.ranks))))
        if self.steps is not None:
            parts.append(f"--steps {self.steps[0]}:{self.steps[1]}")
        if self.start is not None or self.end is not None:
            parts.append(f"--time {_typed(self.start)}:{_typed(self.end)}")
        return " ".join(parts)

    @property
    def needs_look(self) -> bool:
        """Tell whether the timelines must be looked through first, for a start or marks."""
        moments = (self.start, self.end)
        return self.steps is not None or any(one is not None and one.relative for one in moments)

    @property
    def step_range(self) -> tuple[int, int]:
        """Return the numbers from and up to which steps count."""
        return self.steps or (0, MOST_STEP)

    def chosen(self, profiles: list[Profile]) -> list[Profile]:
        """Return the profiles of the wanted ranks; raise UsageError for one that is not there."""
        if self.ranks is None:
            return profiles
        there = {profile.rank for profile in profiles}
        if missing := sorted(self.ranks - there):
            known = ", ".join(map(str, sorted(there)))
            raise UsageError(f"no rank {missing[0]} here; there are: {known}")
        return [profile for profile in profiles if profile.rank in self.ranks]

    def window(self, seen: Seen | None) -> Window:
        """Return the wanted range of time; ``seen`` is needed if ``needs_look`` says so.

        Of steps it reaches to the end of the one after the last, because a device is as
        much behind the host. Raises UsageError for steps that are not there.
        """
        start, end = Window()
        if self.steps is not None and seen is not None:
            start, end = _range_of(self.steps, seen.marks)
        first = 0 if seen is None else seen.ts
        if self.start is not None:
            start = max(start, _absolute(self.start, first))
        if self.end is not None:
            end = min(end, _absolute(self.end, first))
        if start >= end:
            raise UsageError(f"{self.text}: nothing lies in it, it ends before it begins")
        return Window(start, end)


def _range_of(steps: tuple[int, int], marks: dict[int, Mark]) -> Window:
    wanted = [mark for number, mark in marks.items() if steps[0] <= number <= steps[1]]
    if not wanted:
        known = f"steps {min(marks)} to {max(marks)}" if marks else "no marks of steps; try --time"
        raise UsageError(f"no step of {steps[0]}:{steps[1]} is on the timeline: it has {known}")
    last = max(wanted)
    after = sorted(mark for mark in marks.values() if mark.ts > last.ts)
    start = min(wanted).ts
    # With nothing behind the step after, the rest of the trace is its end.
    return Window(start, after[1].ts) if len(after) > 1 else Window(start)


def _absolute(moment: Moment, first: int) -> int:
    return first + moment.ns if moment.relative else moment.ns


def _typed(moment: Moment | None) -> str:
    if moment is None:
        return ""
    return f"{moment.ns}ns" if moment.relative else str(moment.ns)


EVERYTHING: Final = Selection()
