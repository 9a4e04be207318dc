"""What a terminal shows in which no view has room."""

from collections.abc import Sequence

from textual.geometry import Size
from textual.widget import Widget

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, cut
from ..words.spoken import say
from .canvas import Canvas, Line

LEAST_WIDTH = 60
LEAST_HEIGHT = 15


class TooSmall(Canvas):
    """One line in the middle that says how large the terminal has to be."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, id="too_small")
        self._focused_before: Widget | None = None

    def draw_line(self, y: int, width: int) -> Line:
        """Return the line, if it is the one in the middle."""
        if y != self.size.height // 2:
            return ()
        here = self.app.size
        text = say(
            "too_small", least=f"{LEAST_WIDTH}x{LEAST_HEIGHT}", size=f"{here.width}x{here.height}"
        )
        text = self.look.text(cut(text, width))
        return [Run(" " * ((width - cell_len(text)) // 2) + text, Role.PLAIN)]

    def judge(self, size: Size, others: Sequence[Widget]) -> None:
        """Be shown instead of other widgets where a terminal of this size has no room for them."""
        fits = size.width >= LEAST_WIDTH and size.height >= LEAST_HEIGHT
        if fits is not self.display:
            return
        if not fits:
            self._focused_before = self.screen.focused
        self.display = not fits
        for widget in others:
            widget.display = fits
        if fits:
            # What was hidden has lost the focus.
            self.screen.set_focus(self._focused_before, scroll_visible=False)
