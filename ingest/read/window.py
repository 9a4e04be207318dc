"""The part of a trace's time that is wanted."""

from typing import Final, NamedTuple

from .decimal_time import INT64_MAX, INT64_MIN


class Window(NamedTuple):
    """A range of time in ns: from ``start``, and before ``end``."""

    start: int = INT64_MIN
    end: int = INT64_MAX

    def has(self, ts: int, dur: int) -> bool:
        """Tell whether some of a slice, or an instant, lies in the window."""
        return ts < self.end and (ts >= self.start or ts + dur > self.start)


EVER: Final = Window()
