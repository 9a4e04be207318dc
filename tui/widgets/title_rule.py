"""A title rule over a widget that draws none itself."""

from ..draw.look import Look
from ..words.spoken import shown
from .canvas import Canvas, Line
from .panel import title_rule


class TitleRule(Canvas):
    """One row: a title and a line to the edge, heavy while what is under it has the keys."""

    DEFAULT_CSS = "TitleRule { height: 1; width: 100%; }"

    def __init__(self, look: Look, title: str) -> None:
        super().__init__(look)
        self._title = shown(title)
        self._focused = False

    def light(self, *, focused: bool) -> None:
        """Draw it for a widget that has the keys, or has not."""
        if focused != self._focused:
            self._focused = focused
            self.refresh()

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 there is one row
        """Return the rule."""
        return title_rule(self._title, "", "", width, self.look, focused=self._focused)
