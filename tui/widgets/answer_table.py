"""The table of an answer to SQL: columns that have no room are scrolled to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..draw.look import Look
from ..sql.answer_columns import AnswerColumns, measured_columns
from ..text.table_text import Style
from ..words.spoken import counted, say
from .row_list import Column, RowList

if TYPE_CHECKING:
    from ..sql.kept_answer import KeptAnswer, Row

NOTHING_ASKED = (
    "Nothing asked yet: ctrl+j runs the statement, ctrl+o shows the questions there are."
)
NO_ROWS = "No rows: nothing in this profile answers to that."


class AnswerTable(RowList["Row"]):
    """The rows of an answer.

    ``stale`` dims them while they are not the answer to what was asked last.
    """

    def __init__(self, look: Look, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(look, "Result", self._shown_columns, id=id)
        self.searched = _text
        self.stale = False
        self.answer: KeptAnswer | None = None
        self._measured: AnswerColumns | None = None
        self._first = 0
        self.fill((), count="", empty=NOTHING_ASKED)

    def show_answer(self, answer: "KeptAnswer", measured: AnswerColumns, count: str) -> None:
        """Show another answer from its first row and column on."""
        self.answer, self._measured = answer, measured
        self.stale = False
        self._first = 0
        self.cursor = 0
        self._sorted_by = None
        self._filter = ""
        self.fill(answer.rows, count=count, empty=NO_ROWS)
        self.go_to(0)

    def restyle(self, style: Style) -> None:
        """Show the values of the same answer in another style."""
        if self.answer is not None:
            self._measured = measured_columns(self.answer.columns, self.answer.rows, style)
            self._lay_out_again()

    def tell(self, count: str, *, stale: bool) -> None:
        """Say something else in the title rule; ``stale`` rows become dim."""
        if stale != self.stale:
            self.stale, self.count = stale, count
            self.refresh()
        elif count != self.count:
            self.count = count
            self.refresh_rows(0)

    def scroll_columns(self, away: int) -> bool:
        """Show columns further right or left; tell whether there are any."""
        if self._measured is None:
            return False
        width, last = self.size.width, len(self._measured.measured)
        extent = self._measured.extent(width, self._first)
        if away > 0 and extent.stop >= last:
            return False
        first = max(0, min(self._first + away, last - 1))
        if first == self._first:
            return False
        self._first = first
        self._lay_out_again()
        return True

    def titled(self, column: Column["Row"]) -> str:
        """Return the name of a column as SQL has it."""
        return column.title

    def _lay_out_again(self) -> None:
        self._columns = None
        self.refresh()

    def _shown_columns(self, width: int) -> Sequence[Column["Row"]]:
        if self._measured is None:
            return ()
        return self._measured.drawn(width, self._first, self.look, stale=lambda: self.stale)

    def _said_remark(self) -> str:
        said = super()._said_remark()
        if self._measured is None or not self.rows:
            return said
        count = len(self._measured.measured)
        extent = self._measured.extent(self.size.width, self._first)
        if extent == (0, count):
            return said
        columns = say("columns_of", first=extent.first + 1, last=extent.stop, count=count)
        return f"{columns}   {said}".rstrip()


def answer_count(answer: "KeptAnswer", took: str) -> str:
    """Return how many rows an answer has and how long it took, for its title rule."""
    rows = counted(len(answer.rows), "row")
    return say("first_rows", rows=rows, time=took) if answer.more else f"{rows}  {took}"


def _text(row: "Row") -> str:
    # Of many rows, to put every number into words would take long.
    return " ".join(value for value in row if isinstance(value, str)) or str(row)
