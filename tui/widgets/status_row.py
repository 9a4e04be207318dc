"""The row above the keys: what is selected, a message for a while, or a question."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget

from ..draw.look import Look
from .frame import StatusLine
from .prompt import Prompt, Take

if TYPE_CHECKING:
    from textual.timer import Timer

MESSAGE_SECONDS = 4.0


class StatusRow(Container):
    """One row that tells, says and asks; while it asks, nothing is told."""

    def __init__(self, look: Look) -> None:
        super().__init__(id="status_row")
        self._line = StatusLine(look)
        self._prompt = Prompt(look)
        self._message: Timer | None = None

    def compose(self) -> ComposeResult:
        """Put line and question into the same place."""
        yield self._line
        yield self._prompt

    def tell(self, status: str) -> None:
        """Show clean text about what is selected."""
        self._line.show(status)

    def say(self, message: str, *, serious: bool = False, lasting: bool = False) -> None:
        """Show a clean message for a few seconds, or until the next one."""
        self._forget_timer()
        self._line.say(message, serious=serious)
        if not lasting:
            self._message = self.set_timer(MESSAGE_SECONDS, self.unsay)

    def unsay(self) -> None:
        """Take a message away: what it was about is left."""
        self._forget_timer()
        self._line.say("")

    def ask(
        self,
        label: str,
        taken: Take,
        *,
        text: str = "",
        typed: Take | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        """Ask for a line of text; then the keys go back to where they went before."""
        before = self.app.focused

        def take(given: str) -> None:
            self._answered(before)
            taken(given)

        def leave() -> None:
            self._answered(before)
            if left is not None:
                left()

        self._line.display = False
        self._prompt.ask(label, take, text=text, typed=typed, left=leave)

    def _answered(self, before: Widget | None) -> None:
        self._line.display = True
        if before is not None and before.is_attached:
            before.focus(scroll_visible=False)
        else:
            self.screen.set_focus(None)

    def _forget_timer(self) -> None:
        if self._message is not None:
            self._message.stop()
            self._message = None
