"""The keys that work at a place, and what the place shows."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, pad
from ..keyboard.keys import Keymap, bindings, help_rows, place_text
from ..widgets.canvas import Line
from ..widgets.reading import Reading
from ..words.spoken import say
from .dialog import Dialog

TWO_COLUMNS = 90
"""Columns from which on there are two of them beside each other."""

GAP = 3
MOST_KEY_CELLS = 20

Block = Sequence[Line]
"""Rows that stay together: the name of a place, or a key with its sentence."""


class Help(Dialog[None]):
    """Says what a place shows and which keys work there; nothing is to be answered."""

    WHERE = "help"
    BINDINGS: ClassVar[list[BindingType]] = bindings("help")
    DEFAULT_CSS: ClassVar[str] = "Help Reading { height: 1fr; }"

    def __init__(self, look: Look, where: str, keymap: Keymap | None = None) -> None:
        super().__init__(look, say("keys_of", place=place_text(where)[0]), keymap)
        self._where = where
        self._keymap = keymap
        self._rows = Reading(look, self._drawn)

    def content(self) -> list[Widget]:
        """Return the rows."""
        return [self._rows]

    def wanted_rows(self, width: int) -> int:
        """Return as many rows as there are."""
        return len(self._rows.rows(width))

    def action_accept(self) -> None:
        """Close it: there is nothing to take."""
        self.dismiss(None)

    def action_down(self) -> None:
        """Go one row down."""
        self._scroll(1)

    def action_up(self) -> None:
        """Go one row up."""
        self._scroll(-1)

    def action_page_down(self) -> None:
        """Go one page down."""
        self._scroll(self._rows.size.height)

    def action_page_up(self) -> None:
        """Go one page up."""
        self._scroll(-self._rows.size.height)

    def on_mouse_scroll_down(self) -> None:
        """Go down with the wheel."""
        self._scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Go up with the wheel."""
        self._scroll(-3)

    def on_resize(self) -> None:
        """Say how much is below at this size."""
        self.call_after_refresh(self._scroll, 0)

    def _scroll(self, away: int) -> None:
        self._rows.scroll_rows(away)
        below = self._rows.below
        self.note(say("more_below", rows=below) if below else "", serious=False)

    def _drawn(self, width: int) -> Sequence[Line]:
        about = [[Run(line, Role.PLAIN)] for line in self._about(width)]
        blocks_of = self._blocks
        if width < TWO_COLUMNS:
            return [*about, (), *(line for block in blocks_of(width) for line in block)]
        half = (width - GAP) // 2
        left, right = _halves(list(blocks_of(half)))
        return [*about, (), *_beside(left, right, half)]

    def _about(self, width: int) -> list[str]:
        about = place_text(self._where)[1]
        return [self.look.text(line.strip()) for line in wrapped(about, width)]

    def _blocks(self, width: int) -> Iterator[Block]:
        rows = help_rows(self._where, self._keymap)
        cells = min(MOST_KEY_CELLS, max((cell_len(row.keys) for row in rows), default=0))
        for place, of_place in groupby(rows, key=lambda row: row.where):
            title = Run(place_text(place)[0], Role.PLAIN, attributes=Attributes.BOLD)
            yield [[title]]
            for row in of_place:
                yield list(self._entry(row.keys, row.about, cells, width))
            yield [()]

    def _entry(self, keys: str, about: str, cells: int, width: int) -> Iterator[Line]:
        begin = "  " + pad(self.look.text(keys), cells) + "  "
        for line in wrapped(about, max(1, width - cell_len(begin))):
            yield [
                Run(begin, Role.PLAIN, attributes=Attributes.BOLD),
                Run(self.look.text(line.strip()), Role.PLAIN),
            ]
            begin = " " * cell_len(begin)


def _halves(blocks: Sequence[Block]) -> tuple[Sequence[Line], Sequence[Line]]:
    """Cut blocks where both sides are most alike in height."""
    most = sum(len(block) for block in blocks)
    left: list[Line] = []
    at = 0
    while at < len(blocks) and 2 * len(left) < most:
        left += blocks[at]
        at += 1
    # A title does not stay behind what it is the title of.
    if at and len(blocks[at - 1]) == 1 and len(blocks[at - 1][0]) == 1:
        at -= 1
        left.pop()
    return left, [line for block in blocks[at:] for line in block]


def _beside(left: Sequence[Line], right: Sequence[Line], half: int) -> Iterator[Line]:
    for at in range(max(len(left), len(right))):
        first = list(left[at]) if at < len(left) else []
        second = right[at] if at < len(right) else ()
        used = sum(cell_len(run.text) for run in first)
        yield [*first, Run(" " * (half + GAP - used), Role.PLAIN), *second]
