"""Where the app begins: at the place that was asked for, else at the first step."""

from dataclasses import dataclass

from .compare.against import CommonPlace
from .focus import Focus, Window
from .places import Place
from .run import Run

AROUND_INSTANT_NS = 500_000
"""What is shown on both sides of an instant that was asked for."""


@dataclass(frozen=True, slots=True)
class Start:
    """A step, or a place in time, at which the app begins."""

    step: int | None = None
    at: Place | None = None
    common: CommonPlace | None = None
    """The place of another run of the job that was left for this one."""

    @property
    def given(self) -> bool:
        """Tell whether somebody asked for a place."""
        return any(one is not None for one in (self.step, self.at, self.common))

    @property
    def way(self) -> tuple[str, ...]:
        """Return the views that lie above the overview at the start."""
        return ("timeline",) if self.at is not None or self.common is not None else ()

    def focus(self, run: Run) -> Focus:
        """Return the place that is shown first."""
        if self.common is not None:
            return self.common.focus(run)
        rank = run.ranks[0]
        for one in run.ranks:
            if self.step is not None and any(row.step == self.step for row in run.steps_of(one)):
                return Focus(one, self.step)
        if self.at is not None and (extent := run.extent(rank)) is not None:
            ts = self.at.absolute(extent.from_ts)
            return Focus(rank, None, Window(ts - AROUND_INSTANT_NS, ts + AROUND_INSTANT_NS))
        steps = run.steps_of(rank)
        return Focus(rank, steps[0].step if len(steps) == 1 else None)
