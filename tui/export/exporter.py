"""One file at a time, written off the screen's thread."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from textual.dom import DOMNode

from ...ingest.errors import Interrupted, NpuviewError
from ..answers import Answers
from ..asker import Answered
from ..draw.safe_text import clean
from ..words.spoken import say
from .export_choice import ExportChoice, Target

TELL_SECONDS = 0.25
"""What is said of the writing changes so often at most."""


class Exporter:
    """Writes what was chosen, and says how far it is and what came of it.

    ``tell`` takes a clean sentence that stands until the next one; ``end`` takes the
    last one, and whether it is about something that went wrong. Both are called on the
    screen's thread, by way of the messages of ``owner``.
    """

    def __init__(
        self, owner: DOMNode, tell: Callable[[str], None], end: Callable[[str, bool], None]
    ) -> None:
        self._owner = owner
        self._tell = tell
        self._end = end
        self._stopped: Event | None = None
        self._answers: Answers | None = None

    @property
    def busy(self) -> bool:
        """Tell whether a file is being written."""
        return self._stopped is not None

    def write(self, choice: ExportChoice, target: Target, answers: Answers) -> None:
        """Begin to write a file; one at a time."""
        stopped = self._stopped = Event()
        asking = self._answers = answers.branch()
        name = clean(target.path.name)
        told_at = time.monotonic()

        def told(how_far: str) -> None:
            nonlocal told_at
            if stopped.is_set():
                raise Interrupted("stopped")
            if time.monotonic() - told_at >= TELL_SECONDS:
                told_at = time.monotonic()
                self._send(lambda: self._say(say("writing_so_far", file=name, done=how_far)))

        def work() -> None:
            try:
                said = choice.write(asking, target, told)
            except NpuviewError as error:
                # What is stopped may say so in many ways.
                if stopped.is_set() or isinstance(error, Interrupted):
                    self._send(lambda: self._over(say("writing_stopped")))
                else:
                    reason = clean(str(error))
                    self._send(lambda: self._over(reason, wrong=True))
            else:
                wrote = say("written", what=said, file=_full(target.path))
                self._send(lambda: self._over(wrote))

        self._say(say("writing", file=name))
        self._owner.run_worker(work, thread=True, exit_on_error=True)

    def stop(self) -> None:
        """Stop the writing; the file that was begun goes away, and its end is said."""
        if self._stopped is not None and self._answers is not None:
            self._stopped.set()
            self._answers.close()

    def _say(self, text: str) -> None:
        if self.busy:
            self._tell(text)

    def _over(self, text: str, *, wrong: bool = False) -> None:
        self._stopped = self._answers = None
        self._end(text, wrong)

    def _send(self, deliver: Callable[[], None]) -> None:
        self._owner.post_message(Answered(deliver))


def _full(path: Path) -> str:
    return clean(str(path.absolute()))
