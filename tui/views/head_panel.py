"""The head of the overview: which run it is, what distorts it, and how its time splits."""

from ..draw.role import Role
from ..draw.run import Run
from ..overview.overview_facts import Block, Conditions
from ..overview.overview_head import about_rank, split_rows
from ..text.boxes_text import Split
from ..text.overview_tables import split_of
from ..widgets.box_row import BESIDE_FROM_WIDTH
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import UNTIL_KNOWN
from .view import Desk

SPLIT_ROWS = 2
"""Rows of the title and the strip."""


class HeadPanel(Panel):
    """The rows over the boxes, as many as what is said of the run needs."""

    def __init__(self, desk: Desk, *, id: str) -> None:  # noqa: A002 Textual's name
        super().__init__(desk.look, id=id)
        self._desk = desk
        self.conditions = Conditions()

    def wait(self) -> None:
        """Show that what it tells is still to come."""
        self.fill(lambda _width, _height: [[Run(f" {UNTIL_KNOWN}", Role.PLAIN)]])

    def show(self, block: Block) -> None:
        """Tell of a block's rank and of its time."""
        known = [step for step in block.steps if step.idle is not None]
        split = split_of(known) if known else None
        self.fit()
        self.fill(lambda width, _height: self._lines(block, split, width))

    def fit(self) -> None:
        """Take the rows that it needs at the width that there is."""
        self.styles.height = len(self._about(self.app.size.width)) + SPLIT_ROWS

    def _lines(self, block: Block, split: Split | None, width: int) -> list[Line]:
        about = [[Run(self.look.text(f" {row}"), Role.DIM)] for row in self._about(width)]
        return [*about, *split_rows(block, split, width, self.look)]

    def _about(self, width: int) -> list[str]:
        rank, roomy = self._desk.place.rank, width >= BESIDE_FROM_WIDTH
        return about_rank(self._desk.run_facts, rank, self.conditions, width - 2, roomy=roomy)
