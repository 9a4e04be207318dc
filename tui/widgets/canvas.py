"""Drawn runs become the strips that Textual puts on the screen."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ..draw.look import Look
from ..draw.run import Attributes, Run

if TYPE_CHECKING:
    from ..draw.role import Role

Line = Sequence[Run]
"""A row of the screen."""


class Canvas(Widget):
    """A widget that draws rows of runs.

    A subclass returns the runs of a row from ``draw_line``; what they leave free is
    blank. Text in runs is clean: nothing here parses it.
    """

    def __init__(self, look: Look, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id, markup=False)
        self.look = look
        self._styles: dict[tuple[Role, bool, Attributes], Style] = {}
        self._styles_on: Style | None = None

    def draw_line(self, y: int, width: int) -> Line:
        """Return the runs of row ``y``; at most ``width`` cells of them are shown."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Return row ``y`` as Textual wants it."""
        width = self.size.width
        return self.strip(self.draw_line(y, width), width)

    def strip(self, runs: Iterable[Run], width: int) -> Strip:
        """Return runs as a strip of exactly ``width`` cells on the widget's ground."""
        ground = self.rich_style
        if ground is not self._styles_on:
            # The theme changed, or the widget was put somewhere else.
            self._styles, self._styles_on = {}, ground
        # What was drawn of other characters than there are is replaced, cell by cell.
        text = self.look.text
        segments = [Segment(text(run.text), self._style(run, ground)) for run in runs]
        return Strip(segments).adjust_cell_length(width, ground)

    def refresh_rows(self, *rows: int) -> None:
        """Draw single rows again, and send nothing of the others."""
        width = self.size.width
        shown = [y for y in dict.fromkeys(rows) if 0 <= y < self.size.height]
        if shown and width:
            self.refresh(*(Region(0, y, width, 1) for y in shown))

    def _style(self, run: Run, ground: Style) -> Style:
        _, role, filled, attributes = run
        key = (role, filled, attributes)
        style = self._styles.get(key)
        if style is None:
            paint = self.look.paint(role, filled=filled, attributes=attributes)
            style = self._styles[key] = ground + Style(
                color=paint.foreground,
                bgcolor=paint.ground,
                bold=paint.bold or None,
                dim=paint.dim or None,
                underline=paint.underline or None,
                reverse=paint.reverse or None,
            )
        return style
