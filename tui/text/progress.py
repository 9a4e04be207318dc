"""How far reading a profile has come, on standard error.

On a terminal one line is redrawn, at most four times a second; anywhere else each
kind of work leaves one line when it is done.
"""

import sys
import time
from contextlib import suppress
from typing import IO, Self

from ..draw import numbers
from ..draw.safe_text import clean, cut
from .stage import Stage
from .terminal import can_redraw, terminal_of

SECONDS_BETWEEN_DRAWINGS = 0.25
ERASE_LINE = "\r\x1b[2K"
_OBJECTS = {"read": "files", "derive": "tables"}
"""What stages of a kind work on: the first word of their names is the kind."""


class Stages:
    """Finished stages of one kind that ran one after another."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._seconds: list[tuple[float, str]] = []
        self._bytes = 0

    def add(self, name: str, seconds: float, read: int) -> None:
        """Count a stage: its name, seconds and bytes read."""
        self._seconds.append((seconds, name))
        self._bytes += read

    def sentence(self) -> str:
        """Return one line such as ``1.20 s  read 14 files, 2.39 GB, 1.99 GB/s``."""
        ns = _nanoseconds(sum(seconds for seconds, _ in self._seconds))
        longest, name = max(self._seconds)
        parts = [f"{numbers.time_field(ns)}  {name}"]
        if len(self._seconds) > 1:
            what = _OBJECTS.get(self.kind, "stages")
            parts = [f"{numbers.time_field(ns)}  {self.kind} {len(self._seconds):,} {what}"]
        if self._bytes:
            parts += [numbers.size(self._bytes), numbers.rate(self._bytes, ns)]
        if len(self._seconds) > 1:
            object_ = name.removeprefix(self.kind).strip()
            parts.append(f"longest {object_} {numbers.time(_nanoseconds(longest))}")
        return clean(", ".join(parts))


class Progress:
    """Reports stages and their progress to a person; a context manager.

    ``keep`` leaves the lines of finished work on a terminal as well, and ``detailed``
    one of each stage.
    """

    def __init__(
        self, stream: IO[str] | None = None, *, keep: bool = False, detailed: bool = False
    ) -> None:
        self._detailed = detailed
        self._stream = sys.stderr if stream is None else stream
        self._terminal = terminal_of(self._stream)
        self._redraws = can_redraw(self._stream)
        self._keep = keep or not self._redraws
        self._finished: Stages | None = None
        self._kinds = 0
        self._stage: Stage | None = None
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()
        # A valid store is found in one short stage, of which there is nothing to tell.
        if self._kinds > 1:
            self._say_finished()
        if self._redraws:
            self._write(ERASE_LINE)

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Begin a stage, which ends the one before; ``total_bytes`` is what it will read."""
        self._finish()
        kind = name.partition(" ")[0]
        other = self._finished is not None and self._finished.kind != kind
        if self._finished is not None and (other or self._detailed):
            self._say_finished()
            self._finished = None
        self._stage = Stage(name, total_bytes, time.monotonic())
        self._draw()

    def advance(self, bytes_: int) -> None:
        """Count bytes read since the last call."""
        if self._stage is not None:
            self._stage.done += bytes_
        self._draw()

    def say(self, text: str) -> None:
        """Say something beside the progress, on a line of its own that stays."""
        if self._redraws:
            self._write(ERASE_LINE)
        said = "\n  ".join(self._terminal.text(clean(line)) for line in text.split("\n"))
        self._write(f"npuview: {said}\n")

    def line(self, now: float) -> str:
        """Return the line of the running stage at an instant of the monotonic clock."""
        stage = self._stage
        line = "" if stage is None else stage.line(now, ascii_level=self._terminal.ascii_level)
        # The last cell stays free: writing into it moves some terminals to the next line.
        return self._terminal.text(cut(line, (self._terminal.width or len(line) + 1) - 1))

    def _finish(self) -> None:
        if self._stage is None:
            return
        if self._finished is None:
            self._finished = Stages(self._stage.name.partition(" ")[0])
            self._kinds += 1
        stage = self._stage
        self._finished.add(stage.name, time.monotonic() - stage.began, stage.done)
        self._stage = None

    def _say_finished(self) -> None:
        if self._keep and self._finished is not None:
            erase = ERASE_LINE if self._redraws else ""
            self._write(f"{erase}npuview: {self._terminal.text(self._finished.sentence())}\n")

    def _draw(self) -> None:
        now = time.monotonic()
        if self._redraws and now - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._drawn = now
            self._write(ERASE_LINE + self.line(now))

    def _write(self, text: str) -> None:
        # A terminal that is gone, or a full disk, is no reason to read no further.
        with suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


def _nanoseconds(seconds: float) -> int:
    return round(seconds * numbers.SECONDS.size)
