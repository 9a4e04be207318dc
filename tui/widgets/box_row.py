"""The boxes of the overview: side by side, or one below the other where it is narrow."""

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.message import Message

from ..draw.boxes import BOX_HEIGHT, FOLDED_HEIGHT, Box, beside, folded, in_one_row
from ..draw.look import Look
from ..draw.run import Run
from .canvas import Canvas, Line

BESIDE_FROM_WIDTH = 98
BESIDE_FROM_HEIGHT = 24
"""Columns of the boxes, and rows of the terminal, from which they stand side by side."""


class BoxRow(Canvas):
    """Boxes that can be opened, and under them, in a row each, those that cannot."""

    class Opened(Message):
        """A box was clicked; ``key`` is its key."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    def __init__(self, look: Look, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(look, id=id)
        self._boxes: Sequence[Box] = ()
        self._others: Sequence[Box] = ()
        self._drawn: tuple[tuple[int, bool], list[list[Run]]] | None = None

    def fill(self, boxes: Sequence[Box], others: Sequence[Box]) -> None:
        """Show boxes, and those that cannot be opened."""
        as_high = (len(boxes), len(others)) == (len(self._boxes), len(self._others))
        self._boxes, self._others, self._drawn = boxes, others, None
        self.refresh(layout=not as_high)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 Textual's names
        """Return the rows that the boxes take at a width."""
        return len(self._rows(width))

    def draw_line(self, y: int, width: int) -> Line:
        """Return a row of the boxes."""
        rows = self._rows(width)
        return rows[y] if y < len(rows) else ()

    def on_click(self, event: events.Click) -> None:
        """Open the box that was clicked."""
        width, count = self.size.width, len(self._boxes)
        if self._is_narrow(width):
            at = event.y // FOLDED_HEIGHT
        else:
            at = event.x * count // width if event.y < BOX_HEIGHT else count
        if 0 <= at < count:
            self.post_message(self.Opened(self._boxes[at].key))

    def _is_narrow(self, width: int) -> bool:
        return width < BESIDE_FROM_WIDTH or self.app.size.height < BESIDE_FROM_HEIGHT

    def _rows(self, width: int) -> list[list[Run]]:
        narrow = self._is_narrow(width)
        if self._drawn is None or self._drawn[0] != (width, narrow):
            self._drawn = ((width, narrow), self._draw(width, narrow=narrow))
        return self._drawn[1]

    def _draw(self, width: int, *, narrow: bool) -> list[list[Run]]:
        if narrow:
            rows = [row for box in self._boxes for row in folded(box, width, self.look)]
        else:
            rows = beside(self._boxes, width, self.look)
        others = (in_one_row(box, width, self.look, short=narrow) for box in self._others)
        return [*rows, *others]
