"""One line that asks for text, in the place of the status line."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from ..draw.look import Look
from ..draw.safe_text import cell_len
from .caption import Caption
from .text_input import TextInput

Take = Callable[[str], None]


class Prompt(Horizontal):
    """Asks for a text: ``typed`` hears every change, ``taken`` the end, Esc takes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "close", show=False)]

    def __init__(self, look: Look) -> None:
        super().__init__(id="prompt")
        self._label = Caption(look, bold=True)
        self._input = TextInput()
        self._taken: Take | None = None
        self._typed: Take | None = None
        self._left: Callable[[], None] | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        """Put the label before the field."""
        yield self._label
        yield self._input

    @property
    def open(self) -> bool:
        """Tell whether it asks."""
        return self.display

    def ask(
        self,
        label: str,
        taken: Take,
        *,
        text: str = "",
        typed: Take | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        """Ask with a clean label; ``left`` hears when nothing was taken."""
        self._label.text = f" {label} "
        self._label.styles.width = cell_len(self._label.text)
        self._label.refresh()
        self._taken, self._typed, self._left = taken, None, left
        self._input.value = text
        self._input.cursor_position = len(text)
        self._typed = typed
        self.display = True
        self._input.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Hand over what is typed."""
        event.stop()
        if self.display and self._typed is not None:
            self._typed(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand over the text."""
        event.stop()
        taken = self._taken
        self._close()
        if taken is not None:
            taken(event.value)

    def action_leave(self) -> None:
        """Close it without taking the text."""
        left = self._left
        self._close()
        if left is not None:
            left()

    def _close(self) -> None:
        self.display = False
        self._taken = self._typed = self._left = None
