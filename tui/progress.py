"""How far reading a profile has come, on standard error.

On a terminal one line is redrawn, at most four times a second; anywhere else each
stage leaves one line when it is done.
"""

import sys
import time
from typing import IO, NamedTuple, Self

from .draw import bars, numbers
from .draw.safe_text import clean, cut
from .terminal import Terminal, terminal_of

SECONDS_BETWEEN_DRAWINGS = 0.25
BAR_CELLS = 10
ERASE_LINE = "\r\x1b[2K"
SECONDS_OF_RATE = 1.0
"""How long a stage runs before its speed says something."""


class Timing(NamedTuple):
    """A finished stage: its name, its seconds, and bytes read if it counted them."""

    stage: str
    seconds: float
    bytes: int

    @property
    def sentence(self) -> str:
        """Return the stage in one line, such as ``2.31 s  read trace.json, 1.02 GB``."""
        ns = round(self.seconds * numbers.SECONDS.size)
        read = f", {numbers.size(self.bytes)}, {numbers.rate(self.bytes, ns)}" if self.bytes else ""
        return f"{numbers.time_field(ns)}  {clean(self.stage)}{read}"


class Progress:
    """Reports stages and their progress to a person; a context manager.

    ``keep`` leaves a line for each finished stage on a terminal as well.
    """

    def __init__(self, stream: IO[str] | None = None, *, keep: bool = False) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._terminal: Terminal = terminal_of(self._stream)
        self._redraws = self._terminal.color or self._terminal.width is not None
        self._keep = keep or not self._redraws
        self._timings: list[Timing] = []
        self._unsaid = 0
        self._stage: str | None = None
        self._total: int | None = None
        self._done = 0
        self._began = 0.0
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()
        # A valid store is found in one short stage, of which there is nothing to tell.
        if len(self._timings) > 1:
            self._say_finished()
        self._write(ERASE_LINE if self._redraws else "")

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Begin a stage, which ends the one before; ``total_bytes`` is what it will read."""
        self._finish()
        if self._timings:
            self._say_finished()
        self._stage, self._total, self._done = name, total_bytes, 0
        self._began = time.monotonic()
        self._draw()

    def advance(self, bytes_: int) -> None:
        """Count bytes read since the last call."""
        self._done += bytes_
        self._draw()

    def line(self, now: float) -> str:
        """Return the line of the running stage at an instant of the monotonic clock."""
        parts = [clean(self._stage or "")]
        elapsed = now - self._began
        rate = self._done / elapsed if elapsed >= SECONDS_OF_RATE else 0.0
        if self._total:
            parts.append(f"{numbers.size(self._done)} of {numbers.size(self._total)}")
            ascii_level = self._terminal.ascii_level
            parts.append(bars.bar(self._done, self._total, BAR_CELLS, ascii_level=ascii_level))
        elif self._done:
            parts.append(numbers.size(self._done))
        if rate:
            parts.append(f"{numbers.size(round(rate))}/s")
            if self._total and self._total > self._done:
                parts.append(f"{_duration((self._total - self._done) / rate)} left")
        line = "   ".join(part for part in parts if part)
        return self._terminal.text(cut(line, (self._terminal.width or len(line) + 1) - 1))

    def _finish(self) -> None:
        if self._stage is not None:
            seconds = time.monotonic() - self._began
            self._timings.append(Timing(self._stage, seconds, self._done))
            self._stage = None

    def _say_finished(self) -> None:
        if not self._keep:
            return
        for timing in self._timings[self._unsaid :]:
            erase = ERASE_LINE if self._redraws else ""
            self._write(f"{erase}npuview: {self._terminal.text(timing.sentence)}\n")
        self._unsaid = len(self._timings)

    def _draw(self) -> None:
        now = time.monotonic()
        if self._redraws and now - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._drawn = now
            self._write(ERASE_LINE + self.line(now))

    def _write(self, text: str) -> None:
        if text:
            self._stream.write(text)
            self._stream.flush()


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
