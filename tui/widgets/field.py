"""A line of text to fill in, behind its label."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal

from ..draw.look import Look
from .caption import Caption
from .text_input import TextInput


class Field(Horizontal):
    """An input of one row behind a clean label of a fixed width.

    Its messages are those of ``Input``.
    """

    DEFAULT_CSS: ClassVar[str] = """
    Field { height: 1; width: 100%; }
    Field Input { width: 1fr; }
    """

    def __init__(
        self,
        look: Look,
        label: str,
        text: str = "",
        *,
        cells: int,
        id: str | None = None,  # noqa: A002 Textual's name
    ) -> None:
        super().__init__(id=id)
        self._label = Caption(look, label)
        self._label.styles.width = cells
        self.input = TextInput(text)

    def compose(self) -> ComposeResult:
        """Put the label before the input."""
        yield self._label
        yield self.input

    @property
    def text(self) -> str:
        """Return what stands in it."""
        return self.input.value

    def fill(self, text: str) -> None:
        """Put another text into it, the cursor behind."""
        self.input.value = text
        self.input.cursor_position = len(text)
