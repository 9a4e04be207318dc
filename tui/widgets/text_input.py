"""The input of one line of text, in which nothing that stands can steer the terminal."""

from rich.text import Text
from textual.widgets import Input

from ..draw.safe_text import masked


class TextInput(Input):
    """A line that is written, without frame, blinking or selecting by itself.

    ``value`` is the true text; shown is a sign for each of its characters, so that the
    cursor stands where it is. A paste, a name to start from or a kept note may hold anything.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(text, compact=True, select_on_focus=False)
        self.cursor_blink = False

    @property
    def _value(self) -> Text:
        # Textual drops some characters and hands on the others as they are.
        return Text(masked(self.value), no_wrap=True, overflow="ignore", end="")
