"""A sheet: titled sections, side by side where there is room, that scroll as one."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual.binding import BindingType

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, cut
from ..words.spoken import shown
from .canvas import Canvas, Line
from .panel import title_rule

TWO_COLUMNS = 96
"""Columns from which on there are two sections side by side."""
COLUMN_GAP = 2


class Section(NamedTuple):
    """Rows under a title rule; ``title`` and ``remark`` are clean text.

    ``draw`` gets the width, and whether the rows are to be few: there is one column.
    """

    title: str
    draw: Callable[[int, bool], Sequence[Line]]
    remark: str = ""


class Sheet(Canvas, can_focus=True, inherit_bindings=False):
    """Sections one after another, in one column or two.

    Its view gives keys to ``scroll_rows`` and ``scroll_pages``.
    """

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, look: Look, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(look, id=id)
        self._head: Sequence[Line] = ()
        self._sections: Sequence[Section] = ()
        self._top = 0
        self._drawn: tuple[int, Sequence[Line]] | None = None

    def fill(self, head: Sequence[Line], sections: Sequence[Section]) -> None:
        """Show rows and the sections under them, from the top."""
        self._head, self._sections = head, sections
        self._top, self._drawn = 0, None
        self.refresh()

    @property
    def hidden_below(self) -> int:
        """Return how many rows are under the last one that is shown."""
        if not self.size.width:
            return 0
        return max(0, len(self._lines()) - self._top - self.size.height)

    def scroll_rows(self, rows: int) -> None:
        """Go down by rows, or up by a negative number, as far as there are any."""
        most = max(0, len(self._lines()) - self.size.height)
        top = max(0, min(self._top + rows, most))
        if top != self._top:
            self._top = top
            self.refresh()

    def scroll_pages(self, pages: int) -> None:
        """Go down by screens, or up by a negative number; one row stays in sight."""
        self.scroll_rows(pages * max(1, self.size.height - 1))

    def on_resize(self) -> None:
        """Keep what is shown within the sheet at another size."""
        self._drawn = None
        self.scroll_rows(0)

    def on_mouse_scroll_down(self) -> None:
        """Go down with the wheel."""
        self.scroll_rows(3)

    def on_mouse_scroll_up(self) -> None:
        """Go up with the wheel."""
        self.scroll_rows(-3)

    def draw_line(self, y: int, width: int) -> Line:  # noqa: ARG002 the rows are drawn for it
        """Return a row of the part in sight."""
        lines = self._lines()
        at = self._top + y
        return lines[at] if at < len(lines) else ()

    def _lines(self) -> Sequence[Line]:
        width = self.size.width
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, self._laid_out(width))
        return self._drawn[1]

    def _laid_out(self, width: int) -> Sequence[Line]:
        lines = list(self._head)
        if width < TWO_COLUMNS:
            for section in self._sections:
                lines += self._block(section, width, compact=True)
            return lines
        column = (width - COLUMN_GAP) // 2
        for at in range(0, len(self._sections), 2):
            blocks = [
                self._block(one, column, compact=False) for one in self._sections[at : at + 2]
            ]
            lines.append(())
            for row in range(max(map(len, blocks))):
                line: list[Run] = []
                for number, block in enumerate(blocks):
                    line += [Run(" " * COLUMN_GAP, Role.PLAIN)] if number else []
                    line += exactly(block[row] if row < len(block) else (), column)
                lines.append(line)
        return lines

    def _block(self, section: Section, width: int, *, compact: bool) -> list[Line]:
        rule = title_rule(shown(section.title), "", section.remark, width, self.look)
        return [rule, *section.draw(width, compact)]


def exactly(line: Line, width: int) -> list[Run]:
    """Return the runs of a line as wide as ``width``: cut, or filled with blanks."""
    runs: list[Run] = []
    left = width
    for run in line:
        text = cut(run.text, left)
        runs.append(run._replace(text=text))
        left -= cell_len(text)
        if left <= 0:
            return runs
    return [*runs, Run(" " * left, Role.PLAIN)]
