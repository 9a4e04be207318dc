"""Places to go to, as people type them."""

import re
from typing import NamedTuple

from ...ingest.errors import UsageError
from ..draw.numbers import MILLISECONDS, counted, place
from ..focus import Focus, Window
from ..places import Place, parse_place
from ..run import Run
from ..start import AROUND_INSTANT_NS

EXAMPLES = "step 50, +41.2ms, slice 123, ns"
"""What can be typed, for the line that asks."""

MOST_NAMED = 8

_NUMBERED = re.compile(r"(?P<noun>step|slice|rank)\s*(?P<number>[0-9]{1,18})", re.IGNORECASE)


class SliceNumber(NamedTuple):
    """A slice, by its slice_id."""

    slice_id: int


class StepNumber(NamedTuple):
    """A step, by its number."""

    step: int


class RankNumber(NamedTuple):
    """A rank, by its number."""

    rank: int


Wanted = SliceNumber | StepNumber | RankNumber | Place


def read_goto(text: str) -> Wanted:
    """Read ``step N``, ``slice N``, ``rank N`` or a place in time.

    Raises UsageError for anything else.
    """
    numbered = _NUMBERED.fullmatch(text.strip())
    if numbered is None:
        try:
            return parse_place(text)
        except UsageError as error:
            raise UsageError(f"{error}; or step N, slice N, rank N") from error
    number = int(numbered["number"])
    match numbered["noun"].lower():
        case "step":
            return StepNumber(number)
        case "slice":
            return SliceNumber(number)
        case _:
            return RankNumber(number)


def found_focus(wanted: StepNumber | RankNumber | Place, focus: Focus, run: Run) -> Focus:
    """Return the place that is wanted, seen from a place.

    A time with a unit counts from the start of the step. Raises UsageError, naming what
    there is, for a step or rank that is not there and an instant outside of the run.
    """
    match wanted:
        case StepNumber(step):
            steps = [row.step for row in run.steps_of(focus.rank)]
            if step not in steps:
                raise UsageError(_no_step(step, steps))
            return focus.at_step(step)
        case RankNumber(rank):
            if rank not in run.ranks:
                known = ", ".join(map(str, run.ranks[:MOST_NAMED]))
                raise UsageError(f"no rank {rank} is open here; there are: {known}")
            same = any(row.step == focus.step for row in run.steps_of(rank))
            return Focus(rank, focus.step if same else None)
        case Place():
            return _at_instant(wanted.absolute(run.origin(focus)), focus, run)


def step_at(ts: int, rank: int, run: Run) -> int | None:
    """Return the step in whose period an instant lies; None if it lies in none."""
    for row in run.steps_of(rank):
        period = run.period(rank, row.step)
        if period is not None and period.holds(ts):
            return row.step
    return None


def _at_instant(ts: int, focus: Focus, run: Run) -> Focus:
    """Return the focus with an instant in the middle; the window keeps its length."""
    extent = run.extent(focus.rank)
    if extent is None:
        raise UsageError(f"rank {focus.rank} has no timeline: there is no time to go to")
    if not extent.holds(ts):
        origin = run.origin(focus)
        first, last = (place(one - origin, 1000, MILLISECONDS) for one in extent)
        raise UsageError(f"the run goes from {first} to {last} here; that lies outside of it")
    half = AROUND_INSTANT_NS if focus.window is None else max(1, focus.window.dur // 2)
    window = Window(ts - half, ts + half)
    whole = run.period(focus.rank, focus.step)
    step = focus.step if whole and whole.holds(ts) else step_at(ts, focus.rank, run)
    return Focus(focus.rank, step, window, marked=focus.marked)


def _no_step(step: int, steps: list[int]) -> str:
    if not steps:
        return "this profile has no steps"
    known = ", ".join(map(str, steps[:MOST_NAMED]))
    more = len(steps) - MOST_NAMED
    return f"no step {step} here; there are: {known}" + (
        f" and {counted(more, 'other')}" if more > 0 else ""
    )
