"""Panels: a title with a rule over rows that do not scroll."""

from collections.abc import Callable, Sequence

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut
from ..words.spoken import PARTED, shown
from .canvas import Canvas, Line

Draw = Callable[[int, int], Sequence[Line]]
"""From the width and height that there is to the rows, of which what fits is shown."""


def title_rule(
    title: str, count: str, remark: str, width: int, look: Look, *, focused: bool = False
) -> Line:
    """Draw a rule with clean title and count, a line to the edge, and a remark at its end.

    Of a count its last parts give way first, parted by ``PARTED``.
    """
    sign = look.signs.focused_rule if focused else look.signs.rule
    role = Role.PLAIN if focused else Role.DIM
    title = cut(title, max(0, width - 6))
    while count and cell_len(title) + cell_len(count) + 8 > width:
        count = count.rpartition(PARTED)[0]
    head = cell_len(title) + 4 + (cell_len(count) + 2 if count else 0)
    tail = f" {remark}" if remark and head + cell_len(remark) + 4 <= width else ""
    line = max(0, width - head - cell_len(tail))
    bold = Attributes.BOLD if focused else Attributes.NONE
    runs = [Run(f"{sign * 2} ", role), Run(look.text(title), Role.PLAIN, attributes=bold)]
    if count:
        runs.append(Run(f"  {look.text(count)}", Role.PLAIN))
    runs += [Run(f" {sign * line}", role), Run(look.text(tail), Role.DIM)]
    return runs


class Panel(Canvas):
    """Rows under a title rule; without a title only the rows.

    ``fill`` gives it a function that draws the rows for a width and height, so that it
    can be drawn again at another size.
    """

    def __init__(self, look: Look, title: str = "", *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(look, id=id)
        self.title = shown(title)
        self.count = ""
        self.remark = ""
        self._draw: Draw | None = None
        self._drawn: tuple[int, int, Sequence[Line]] | None = None

    def fill(
        self, draw: Draw, *, title: str | None = None, count: str = "", remark: str = ""
    ) -> None:
        """Show rows; ``title``, ``count`` and ``remark`` are clean text for its rule."""
        self.title = self.title if title is None else title
        self.count, self.remark = count, remark
        self._draw, self._drawn = draw, None
        self.refresh()

    def on_focus(self) -> None:
        """Draw the rule of the panel that has the keys."""
        self.refresh_rows(0)

    def on_blur(self) -> None:
        """Draw the rule of a panel that lost the keys."""
        self.refresh_rows(0)

    def draw_line(self, y: int, width: int) -> Line:
        """Return the rule, or a row under it."""
        above = 1 if self.title else 0
        if y < above:
            return title_rule(
                self.title, self.count, self.remark, width, self.look, focused=self.has_focus
            )
        rows = self._rows(width, self.size.height - above)
        return rows[y - above] if y - above < len(rows) else ()

    def _rows(self, width: int, height: int) -> Sequence[Line]:
        if self._drawn is None or self._drawn[:2] != (width, height):
            rows = self._draw(width, height) if self._draw else ()
            self._drawn = (width, height, rows)
        return self._drawn[2]
