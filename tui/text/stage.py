"""What is being done to a profile that is read, in one line."""

from dataclasses import dataclass

from ..draw import bars, numbers
from ..draw.safe_text import clean

BAR_CELLS = 10
SECONDS_OF_RATE = 1.0
"""How long a stage runs before its speed says something."""


@dataclass(slots=True)
class Stage:
    """A stage of reading: its name, what it will read in bytes, and when it began.

    ``total`` is None where it is not known; ``began`` is of the monotonic clock.
    """

    name: str
    total: int | None
    began: float
    done: int = 0
    """Bytes read so far."""

    def line(self, now: float, *, ascii_level: bool) -> str:
        """Return one clean line such as ``read trace.json   12.0 MB of 40.0 MB   ███   2 s left``.

        ``now`` is an instant of the monotonic clock.
        """
        parts = [clean(self.name)]
        elapsed = now - self.began
        rate = self.done / elapsed if elapsed >= SECONDS_OF_RATE else 0.0
        if self.total:
            parts.append(f"{numbers.size(self.done)} of {numbers.size(self.total)}")
            parts.append(bars.bar(self.done, self.total, BAR_CELLS, ascii_level=ascii_level))
        elif self.done:
            parts.append(numbers.size(self.done))
        if rate:
            parts.append(f"{numbers.size(round(rate))}/s")
            if self.total and self.total > self.done:
                parts.append(f"{_duration((self.total - self.done) / rate)} left")
        return "   ".join(part for part in parts if part)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
