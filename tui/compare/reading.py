"""A run that is being read while the app goes on: how far that is, and how to stop it."""

import threading
import time

from ..text.stage import Stage


class RunReading:
    """Is told what is read, by the thread that reads; the screen asks for its line.

    It is what ``open_store`` calls a progress; ``stop`` ends the reading.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.stop = threading.Event()
        self._stage: Stage | None = None

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Begin a stage; ``total_bytes`` is what it will read."""
        self._stage = Stage(name, total_bytes, time.monotonic())

    def advance(self, bytes_: int) -> None:
        """Count bytes read since the last call."""
        if self._stage is not None:
            self._stage.done += bytes_

    def line(self, *, ascii_level: bool) -> str:
        """Return what is being done now, as one clean line; empty before anything is."""
        stage = self._stage
        return "" if stage is None else stage.line(time.monotonic(), ascii_level=ascii_level)
