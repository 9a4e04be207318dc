"""What lists are about: a run, one step of it, or the range that is marked in the timeline."""

from typing import TYPE_CHECKING, NamedTuple

from .draw import numbers
from .focus import Focus, Window
from .words.spoken import say

if TYPE_CHECKING:
    from .run import Run

CELL_PART = 100
"""Ends of a range are told so exactly that they differ in this part of it."""


class Scope(NamedTuple):
    """Of a rank the run, or with ``step`` a step; with ``window`` a range of time alone.

    A range may pass the ends of its step, so it is asked for without one.
    """

    rank: int
    step: int | None = None
    window: Window | None = None

    @property
    def asked(self) -> dict[str, int | None]:
        """Return it as the parameters that questions have for it."""
        if self.window is None:
            return {"rank": self.rank, "step": self.step}
        return {"rank": self.rank, "from_ts": self.window.from_ts, "to_ts": self.window.to_ts}


def scope_of(focus: Focus) -> Scope:
    """Return what lists at a place are about."""
    if focus.marked is None:
        return Scope(focus.rank, focus.step)
    return Scope(focus.rank, None, focus.marked)


def scope_noun(focus: Focus) -> str:
    """Return what shares are of, such as ``the step``."""
    if focus.marked is not None:
        return say("the_range")
    return say("the_run" if focus.step is None else "the_step")


def scope_title(focus: Focus, run: "Run") -> str:
    """Return what a list is about, to stand in its title; with the rank where there are several."""
    whole = say("the_run") if focus.step is None else say("step", step=focus.step)
    if focus.marked is not None:
        origin, cell = run.origin(focus), focus.marked.dur // CELL_PART
        start, end = (numbers.place(ts - origin, cell, numbers.MILLISECONDS) for ts in focus.marked)
        title = say("range_of", start=start.split()[0], end=end, whole=whole)
    else:
        title = whole
    if len(run.ranks) < 2:
        return title
    return say("of_rank", scope=title, rank=focus.rank)
