"""What is wrong with a statement, in the words of the engine, with its mark."""

from collections.abc import Sequence
from typing import ClassVar

from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean
from .canvas import Line
from .panel import Panel

MOST_ROWS = 8
INDENT = 2


class ErrorPanel(Panel):
    """Shown while something is wrong; as high as its text, within limits."""

    DEFAULT_CSS: ClassVar[str] = "ErrorPanel { display: none; margin: 0 0 1 0; }"

    def show(self, text: str, width: int) -> None:
        """Show a text of several lines under a statement of ``width`` cells."""
        self.fill(lambda cells, _: error_lines(text, cells, self.look))
        self.styles.height = min(MOST_ROWS, len(error_lines(text, width, self.look)))
        self.display = True

    def hide(self) -> None:
        """Take no room."""
        self.display = False


def error_lines(text: str, width: int, look: Look) -> Sequence[Line]:
    """Return an error as rows: long lines are broken but for the two of a place's mark."""
    lines: list[str] = []
    for line in text.splitlines():
        shown = look.text(clean(line.expandtabs()))
        if line.startswith("LINE ") or not line.strip(" ^"):
            # A mark points at its place in the line above: those two stay as they are.
            lines.append(shown)
        else:
            room = max(16, width - 2 * INDENT)
            lines += wrapped(shown, room, indent="")
    blank = Run(" " * INDENT, Role.PLAIN)
    return [[blank, Run(line, Role.IDLE)] for line in lines if line.strip()]
