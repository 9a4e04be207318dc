"""How the work tells what it is doing, and is told to stop."""

import threading
from dataclasses import dataclass, field
from typing import Protocol

from .errors import Interrupted


class Progress(Protocol):
    """Is told what is being done and how much of a file is read."""

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Begin a stage; with ``total_bytes`` advances follow."""
        ...

    def advance(self, bytes_: int) -> None:
        """Count bytes of the file that is being read."""
        ...


class Silent:
    """Progress that nobody watches."""

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Ignore a stage."""

    def advance(self, bytes_: int) -> None:
        """Ignore bytes."""


@dataclass(frozen=True, slots=True)
class Work:
    """Who watches the work and who may stop it."""

    progress: Progress = field(default_factory=Silent)
    stop: threading.Event = field(default_factory=threading.Event)

    def stage(self, name: str, *, total_bytes: int | None = None) -> None:
        """Begin a stage; raise Interrupted if the work was stopped."""
        self.check()
        self.progress.stage(name, total_bytes=total_bytes)

    def advance(self, bytes_: int) -> None:
        """Count bytes; raise Interrupted if the work was stopped."""
        self.check()
        self.progress.advance(bytes_)

    def check(self) -> None:
        """Raise Interrupted if the work was stopped."""
        if self.stop.is_set():
            raise Interrupted("stopped; nothing was written")
