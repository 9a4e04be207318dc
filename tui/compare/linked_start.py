"""Where two timelines begin to be looked at together, and what of them stands side by side."""

from dataclasses import replace
from typing import NamedTuple

from ..focus import Focus, Window
from ..timeline.found import Found, mark_on
from ..timeline.lanes import Lanes
from ..timeline.paired_lanes import paired_lanes
from ..timeline.rank_lanes import RankLanes, load_rank
from ..timeline.selected import SelectedSlice
from .against import common_place
from .change_place import Placed, load_place
from .change_rows import Change
from .side import Side

AROUND_PLACE = 1.0
"""Lengths of what is gone to that are shown on both sides of it."""

Two = tuple[Side, Side]
"""A above and B below."""


class Beginning(NamedTuple):
    """A run of the two: its rank and step, and the instant that stands beside the other's."""

    side: Side
    focus: Focus
    anchor: int
    found: Found | None
    lanes: RankLanes
    """As they are in this run alone."""

    @property
    def offset(self) -> int:
        """Return how long after the start of the step the anchor is, ns."""
        return self.anchor - self.side.run.origin(self.focus)


class LinkedStart(NamedTuple):
    """Both runs, and the window in the clock of the first, ns."""

    above: Beginning
    below: Beginning
    window: Window

    @property
    def apart(self) -> int:
        """Return what is added to an instant of the first to have that of the second."""
        return self.below.anchor - self.above.anchor

    @property
    def both(self) -> tuple[Beginning, Beginning]:
        """Return A and B."""
        return self.above, self.below

    def lanes_in(self, room: int) -> tuple[RankLanes, RankLanes]:
        """Return the lanes of both for a number of rows, each in the same row of both.

        The lane of what was gone to is among them.
        """
        above, below = (_opened(one, one.lanes.lanes.fitted(room)) for one in self.both)
        pair = paired_lanes(above, below)
        return replace(self.above.lanes, lanes=pair[0]), replace(self.below.lanes, lanes=pair[1])

    def lane_of(self, lanes: tuple[RankLanes, RankLanes]) -> int:
        """Return which of the paired lanes is that of what was gone to.

        Without it that is the first one of a device.
        """
        for one, rank in zip(self.both, lanes, strict=True):
            for at, lane in enumerate(rank.lanes.shown):
                if not lane.absent and mark_on(lane, one.found) is not None:
                    return at
        return lanes[0].lanes.first

    @property
    def whole(self) -> Window:
        """Return the steps of both, or the runs, in the clock of the first, ns."""
        return self._hull(*(one.side.run.whole(one.focus) for one in self.both))

    @property
    def extent(self) -> Window:
        """Return the time that can be moved over: both runs, in the clock of the first, ns."""
        return self._hull(*(one.side.run.extent(one.focus.rank) for one in self.both))

    def _hull(self, one: Window | None, other: Window | None) -> Window:
        """Return the time from the earlier start to the later end."""
        windows = [] if one is None else [one]
        if other is not None:
            windows.append(Window(other.from_ts - self.apart, other.to_ts - self.apart))
        if not windows:
            return Window(self.above.anchor, self.above.anchor + 1)
        return Window(min(one.from_ts for one in windows), max(one.to_ts for one in windows))

    def asked_of(self, own: int, side: Side) -> "LinkedStart":
        """Return it with the questions to one of the runs going another way."""
        both = [*self.both]
        both[own] = both[own]._replace(side=side)
        return self._replace(above=both[0], below=both[1])

    @property
    def aligned(self) -> "LinkedStart":
        """Return it with the starts of both steps side by side, over both whole."""
        above, below = (one._replace(anchor=one.side.run.origin(one.focus)) for one in self.both)
        return _over_steps(above, below)

    def swapped(self) -> "LinkedStart":
        """Return A below and B above."""
        window = Window(self.window.from_ts + self.apart, self.window.to_ts + self.apart)
        return LinkedStart(self.below, self.above, window)


def load_start(sides: Two, own: int, place: Focus, change: Change | None) -> LinkedStart:
    """Ask where to begin: at a change, else at the step of a place of the ``own`` side.

    Where all steps are looked at it is the median one of each run. Raises as
    ``Session.run`` does.
    """
    placed = [
        None if change is None else load_place(side.answers, side.run, change) for side in sides
    ]
    focuses = _focuses(sides, own, place, placed)
    anchors = _anchors(sides, focuses, placed)
    above, below = (
        Beginning(
            sides[at],
            focuses[at],
            anchors[at],
            one.found if (one := placed[at]) is not None else None,
            load_rank(sides[at].answers, focuses[at].rank),
        )
        for at in (0, 1)
    )
    lengths = [one.window.dur for one in placed if one is not None]
    if not lengths:
        return _over_steps(above, below)
    window = Window(above.anchor, above.anchor + max(lengths)).around(AROUND_PLACE)
    return LinkedStart(above, below, window)


def stepped(start: LinkedStart, own: int, place: Focus) -> LinkedStart | None:
    """Go to a step of the ``own`` run, and in the other one as many steps further on.

    None where the other has no such step.
    """
    both = [*start.both]
    mine, theirs = both[own], both[1 - own]
    steps = [row.step for row in mine.side.run.steps_of(place.rank)]
    if mine.focus.step not in steps or place.step not in steps:
        return None
    away = steps.index(place.step) - steps.index(mine.focus.step)
    focus: Focus | None = theirs.focus
    for _ in range(abs(away)):
        focus = focus and theirs.side.run.step_beside(focus, 1 if away > 0 else -1)
    if focus is None:
        return None
    both[own] = _at_start(mine, Focus(place.rank, place.step))
    both[1 - own] = _at_start(theirs, focus)
    return _over_steps(*both)


def _opened(one: Beginning, lanes: Lanes) -> Lanes:
    match one.found:
        case SelectedSlice(slice=found):
            return lanes.showing(found.track_id, found.part)
        case _:
            return lanes


def _at_start(one: Beginning, focus: Focus) -> Beginning:
    return one._replace(focus=focus, anchor=one.side.run.origin(focus), found=None)


def _over_steps(above: Beginning, below: Beginning) -> LinkedStart:
    start = LinkedStart(above, below, Window(above.anchor, above.anchor + 1))
    return start._replace(window=start.whole)


def _focuses(
    sides: Two, own: int, place: Focus, placed: list[Placed | None]
) -> tuple[Focus, Focus]:
    focuses: list[Focus | None] = [
        None if one is None else Focus(one.rank, one.step) for one in placed
    ]
    if focuses[0] is None and focuses[1] is None:
        median = place.step is None
        step = sides[own].median_step(place.rank) if median else place.step
        focuses[own] = Focus(place.rank, step)
        if median:
            other = sides[1 - own]
            rank = place.rank if place.rank in other.run.ranks else other.run.ranks[0]
            focuses[1 - own] = Focus(rank, other.median_step(rank))
    known = 0 if focuses[0] is not None else 1
    first = focuses[known] or place
    other = focuses[1 - known] or common_place(sides[known].run, first).focus(sides[1 - known].run)
    return (first, other) if known == 0 else (other, first)


def _anchors(
    sides: Two, focuses: tuple[Focus, Focus], placed: list[Placed | None]
) -> tuple[int, int]:
    """Return the instants that stand beside each other: of what is gone to, else the starts."""
    origins = [side.run.origin(focus) for side, focus in zip(sides, focuses, strict=True)]
    offsets = [
        None if one is None else one.window.from_ts - origin
        for one, origin in zip(placed, origins, strict=True)
    ]
    first, second = offsets
    return (
        origins[0] + (first if first is not None else second or 0),
        origins[1] + (second if second is not None else first or 0),
    )
