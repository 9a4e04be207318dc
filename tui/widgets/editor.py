"""The editor of a statement: as high as its text, within limits, and without any frame."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import TextArea

from ..draw.look import Look
from ..draw.safe_text import masked
from ..keyboard.keys import bindings
from ..words.spoken import shown

LEAST_ROWS = 3
MOST_ROWS = 12

PLACEHOLDER = "ctrl+j runs it, ctrl+o shows the questions there are"

Replace = Callable[[str], str | None]
"""From the text that stands to the one that takes its place, None for none."""


class Editor(TextArea):
    """A statement of SQL that is written.

    ``older`` and ``newer`` give what ctrl+up and ctrl+down put in its place.
    """

    WHERE = "editor"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    DEFAULT_CSS = """
    Editor {
        height: 3;
        padding: 0;
        border: none;
        background: transparent;
        scrollbar-size: 0 0;
        &:focus { border: none; background-tint: transparent; }
        & .text-area--cursor-gutter { background: transparent; text-style: none; }
        & .text-area--selection { background: transparent; text-style: reverse; }
        & .text-area--matching-bracket { background: transparent; text-style: underline; }
    }
    """

    def __init__(
        self,
        look: Look,
        older: Replace,
        newer: Replace,
        *,
        id: str | None = None,  # noqa: A002 Textual's name
    ) -> None:
        super().__init__(
            show_line_numbers=True,
            highlight_cursor_line=False,
            placeholder=Content(look.text(f"SELECT … FROM …    {shown(PLACEHOLDER)}")),
            id=id,
        )
        self.cursor_blink = False
        self._look = look
        self._older = older
        self._newer = newer

    def put(self, text: str) -> None:
        """Put a statement in the place of what stands; ctrl+z brings that back.

        The cursor goes to the first line that is no comment.
        """
        self.replace(text, (0, 0), self.document.end)
        lines = text.splitlines()
        at = next((n for n, line in enumerate(lines) if not line.lstrip().startswith("--")), 0)
        self.move_cursor((at, 0))
        self.fit()
        self.call_after_refresh(self._show_from, at)

    def get_line(self, line_index: int) -> Text:
        """Return a line as it is shown: what would steer the terminal has signs."""
        parts = self.document.get_line(line_index).split("\t")
        shown = "\t".join(map(masked, parts))
        if self._look.ascii_level:
            shown = "".join(one if one.isascii() else "?" for one in shown)
        return Text(shown, end="", no_wrap=True)

    def fit(self) -> None:
        """Take as many rows as the text has, within limits."""
        # What is asked leaves room for what is answered.
        most = max(LEAST_ROWS, min(MOST_ROWS, self.app.size.height // 3))
        self.styles.height = max(LEAST_ROWS, min(most, self.wrapped_document.height))

    def on_resize(self) -> None:
        """Fit what is wrapped at another width."""
        self.call_after_refresh(self.fit)

    def action_older(self) -> None:
        """Bring back an older statement."""
        self._replace(self._older)

    def action_newer(self) -> None:
        """Bring back a newer statement."""
        self._replace(self._newer)

    def _show_from(self, line: int) -> None:
        row = self.wrapped_document.location_to_offset((line, 0)).y
        self.scroll_to(y=row, animate=False)

    def _replace(self, replace: Replace) -> None:
        text = replace(self.text)
        if text is not None:
            self.put(text)
