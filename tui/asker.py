"""Questions asked off the screen's thread, the newest of a place instead of the one before."""

from collections.abc import Callable
from typing import TypeVar

from textual.dom import DOMNode
from textual.message import Message

from ..ingest.errors import Interrupted, NpuviewError
from .answers import Answers

Answer = TypeVar("Answer")


class Answered(Message):
    """What a question brought, for the widget that asked."""

    def __init__(self, deliver: Callable[[], None]) -> None:
        self.deliver = deliver
        super().__init__()


class Asker:
    """Asks for one place on the screen.

    Every question takes the place of the one before, which is interrupted and whose
    answer, if it still comes, is dropped. ``show`` and ``failed`` are called on the
    screen's thread.
    """

    def __init__(self, owner: DOMNode, answers: Answers) -> None:
        self._owner = owner
        self._answers = answers
        self._asking: Answers | None = None

    def ask(
        self,
        work: Callable[[Answers], Answer],
        show: Callable[[Answer], None],
        failed: Callable[[NpuviewError], None],
    ) -> None:
        """Run ``work`` on a thread of its own; then ``show`` its answer, or say it ``failed``."""
        self.stop()
        # Closing the branch of a question that is not wanted any more also ends those
        # that its work would ask next.
        asking = self._asking = self._answers.branch()

        def answer() -> None:
            try:
                answered = work(asking)
            except Interrupted:
                return
            except NpuviewError as error:
                self._send(asking, failed, error)
                return
            self._send(asking, show, answered)

        self._owner.run_worker(answer, thread=True, exit_on_error=True)

    @property
    def busy(self) -> bool:
        """Tell whether an answer is still to come."""
        return self._asking is not None

    def stop(self) -> None:
        """Stop the question that is being answered; nothing of it is shown any more."""
        if self._asking is not None:
            self._asking.close()
            self._asking = None

    def _send(self, asking: Answers, show: Callable[[Answer], None], answered: Answer) -> None:
        def deliver() -> None:
            if self._asking is asking:
                self._asking = None
                show(answered)

        self._owner.post_message(Answered(deliver))
