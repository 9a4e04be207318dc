"""Rows that are read: more of them than there is room for are scrolled."""

from collections.abc import Callable, Sequence

from ..draw.look import Look
from .canvas import Canvas, Line

DrawRows = Callable[[int], Sequence[Line]]
"""From a width to all rows."""


class Reading(Canvas, can_focus=True):
    """Rows that are drawn for a width, and scrolled by the keys of whoever holds it."""

    def __init__(self, look: Look, draw: DrawRows, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(look, id=id)
        self._draw = draw
        self._drawn: tuple[int, Sequence[Line]] | None = None
        self.top = 0

    def rows(self, width: int) -> Sequence[Line]:
        """Return all rows at a width."""
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, self._draw(width))
        return self._drawn[1]

    @property
    def below(self) -> int:
        """Return how many rows are still to come below."""
        return max(0, len(self.rows(self.size.width)) - self.top - self.size.height)

    def scroll_rows(self, away: int) -> None:
        """Go down by so many rows, or up."""
        top, most = self.top, self.top + self.below
        self.top = max(0, min(self.top + away, most))
        if self.top != top:
            self.refresh()

    def on_resize(self) -> None:
        """Show no more emptiness at the end than there has to be."""
        self.top = max(0, min(self.top, self.top + self.below))

    def draw_line(self, y: int, width: int) -> Line:
        """Return a row."""
        rows, at = self.rows(width), self.top + y
        return rows[at] if at < len(rows) else ()
