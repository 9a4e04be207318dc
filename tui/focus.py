"""What the views look at together: rank, step, window of time and selection.

Changing views keeps it, so that every view talks about the same place.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .words.spoken import say


class Window(NamedTuple):
    """A stretch of time [from_ts, to_ts), ns in the trace's own clock."""

    from_ts: int
    to_ts: int

    @property
    def dur(self) -> int:
        """Return its length in ns."""
        return self.to_ts - self.from_ts

    def holds(self, ts: int) -> bool:
        """Tell whether an instant lies in it."""
        return self.from_ts <= ts < self.to_ts

    def meets(self, other: "Window") -> bool:
        """Tell whether two windows have an instant in common."""
        return self.from_ts < other.to_ts and other.from_ts < self.to_ts

    def within(self, other: "Window") -> "Window":
        """Return the part of it that lies in another window; all of it if no part does."""
        if not self.meets(other):
            return self
        return Window(max(self.from_ts, other.from_ts), min(self.to_ts, other.to_ts))

    def around(self, part: float) -> "Window":
        """Return it with a margin of ``part`` of its length on both sides, at least 1 ns."""
        margin = max(1, int(self.dur * part))
        return Window(self.from_ts - margin, self.to_ts + margin)


class OperatorKey(NamedTuple):
    """An operator, or another group of kernels: what all of them have, as far as it is known.

    Without a name it is all kernels of the type; without any, all of a core or stream.
    """

    name: str | None
    type: str | None
    core: str | None
    input_shapes: str | None = None
    input_dtypes: str | None = None
    stream_id: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected: a slice, or a gap or another stretch of time without one."""

    window: Window
    name: str
    slice_id: int | None = field(default=None, kw_only=True)
    gap_id: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Focus:
    """The place that all views show.

    ``step`` None is the whole run; ``window`` None is all of the step or run. ``marked``
    is the range that was measured, for the export.
    """

    rank: int
    step: int | None = None
    window: Window | None = None
    selection: Selection | None = None
    marked: Window | None = None

    def on(self, selection: Selection) -> "Focus":
        """Return the focus on a selection; a window that shows nothing of it is given up."""
        window = self.window
        if window is not None and not window.meets(selection.window):
            window = None
        return replace(self, selection=selection, window=window)

    def around(self, selection: Selection) -> "Focus":
        """Return the focus on a selection, with a window that shows what is around it."""
        window = selection.window.around(AROUND_SELECTION)
        return replace(self, selection=selection, window=window)

    def at_step(self, step: int | None) -> "Focus":
        """Return the focus on a whole step, or on the whole run, with nothing selected."""
        return replace(self, step=step, window=None, selection=None, marked=None)


def place_title(focus: Focus) -> str:
    """Return what heads a column of places: where they are counted from."""
    return say("in_run") if focus.step is None else say("in_step", step=focus.step)


AROUND_SELECTION = 4.0
"""Lengths of a selection that are shown on both sides of it when it is gone to."""
