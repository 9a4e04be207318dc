"""A table: rows that are chosen with the keys, under a title rule and a heading.

Only the rows on the screen are drawn, so a million of them cost as much as twenty.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, cut, pad
from ..keyboard.keys import bindings
from ..words.spoken import counted, say, shown
from .canvas import Canvas, Line
from .panel import title_rule

RowType = TypeVar("RowType")

Cell = str | Sequence[Run]
"""Clean text, or runs, of at most the width that was asked for."""

COLUMN_GAP = 2
MARK_CELLS = 2
LEAST_FLEXIBLE = 8
UNTIL_KNOWN = "…"
"""What stands for an answer that is still to come."""


@dataclass(frozen=True, slots=True)
class Column(Generic[RowType]):
    """A column of a table.

    ``draw`` gets a row and the cells that there are. ``width`` None takes what the
    others leave, and gives way first. ``order`` makes the column one to sort by;
    ``from_width`` is the width of the table from which on the column is shown.
    """

    title: str
    draw: Callable[[RowType, int], Cell]
    width: int | None = None
    right: bool = False
    order: Callable[[RowType], Any] | None = None
    descending: bool = True
    ordered: str = ""
    """What the order is called in the title rule, such as ``longest first``."""
    from_width: int = 0


class RowList(Canvas, Generic[RowType], can_focus=True):
    """A table of rows.

    Its columns are made for a width by ``columns``. Sends ``Moved`` when another row is
    under the cursor and ``Chosen`` when it is clicked twice; the view that holds the
    table gives the enter key its meaning.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("table")

    class Moved(Message):
        """Another row is under the cursor."""

        def __init__(self, table: "RowList[Any]") -> None:
            self.table = table
            super().__init__()

        @property
        def control(self) -> "RowList[Any]":
            """Return the table."""
            return self.table

    class Chosen(Moved):
        """The row under the cursor was chosen with the mouse."""

    class FilterAsked(Moved):
        """The text that rows must hold is to be asked for."""

    def __init__(
        self,
        look: Look,
        title: str,
        columns: Callable[[int], Sequence[Column[RowType]]],
        *,
        id: str | None = None,  # noqa: A002 Textual's name
    ) -> None:
        super().__init__(look, id=id)
        self.title = shown(title)
        self.count = ""
        self.remark = ""
        self.empty = ""
        """The sentence that stands where the first row would be."""
        self.searched: Callable[[RowType], str] | None = None
        """The text of a row that filter and search look at."""
        self.cursor = 0
        self.rows: Sequence[RowType] = ()
        self._all: Sequence[RowType] = ()
        self._filled = False
        self._columns_for = columns
        self._columns: tuple[int, Sequence[tuple[Column[RowType], int]]] | None = None
        self._top = 0
        self._sorted_by: str | None = None
        self._filter = ""

    def fill(
        self,
        rows: Sequence[RowType],
        *,
        count: str | None = None,
        remark: str = "",
        empty: str = "",
    ) -> None:
        """Show other rows; the cursor keeps its place as far as there are rows.

        ``count`` and ``remark`` stand in the title rule, ``empty`` where no row is.
        """
        self._all, self._filled = rows, True
        self.count = f"{len(rows):,}" if count is None else count
        self.remark, self.empty = remark, empty
        self._columns = None
        self._arrange()

    @property
    def row(self) -> RowType | None:
        """Return the row under the cursor, None of an empty table."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def page(self) -> int:
        """Return how many rows there is room for."""
        return max(1, self.size.height - 2)

    @property
    def filtered(self) -> str:
        """Return the text that rows must hold; empty: all are shown."""
        return self._filter

    def go_to(self, index: int) -> None:
        """Put the cursor on a row, as near as there is one."""
        before, top = self.cursor, self._top
        self.cursor = max(0, min(index, len(self.rows) - 1))
        self._keep_in_sight()
        if self._top != top:
            self.refresh()
        else:
            rows = (2 + before - top, 2 + self.cursor - top)
            # The title rule names the row where not all are in sight.
            self.refresh_rows(*rows, *((0,) if len(self.rows) > self.page else ()))
        if self.cursor != before:
            self.post_message(self.Moved(self))

    def go_to_row(self, wanted: Callable[[RowType], bool]) -> None:
        """Put the cursor on the first row that is wanted; it stays if there is none."""
        found = (index for index, row in enumerate(self.rows) if wanted(row))
        self.go_to(next(found, self.cursor))

    def filter(self, text: str) -> None:
        """Show only rows whose text holds ``text``, whatever the case; empty text: all."""
        self._filter = text
        self._arrange()

    def forget(self) -> None:
        """Show that rows are still to come, from the first one on and without a filter."""
        self.rows = self._all = ()
        self.cursor = self._top = 0
        self._filter = self.count = self.remark = ""
        self._filled = False
        self.refresh()

    def find(self, text: str, *, forward: bool = True) -> bool:
        """Go to the next row whose text holds ``text``, around the end; tell if there is one."""
        wanted = text.casefold()
        count = len(self.rows)
        for away in range(1, count + 1):
            index = (self.cursor + (away if forward else -away)) % count
            if wanted in self._text(self.rows[index]).casefold():
                self.go_to(index)
                return True
        return False

    def action_cursor_down(self) -> None:
        """Go one row down."""
        self.go_to(self.cursor + 1)

    def action_cursor_up(self) -> None:
        """Go one row up."""
        self.go_to(self.cursor - 1)

    def action_page_down(self) -> None:
        """Go one page down."""
        self.go_to(self.cursor + self.page)

    def action_page_up(self) -> None:
        """Go one page up."""
        self.go_to(self.cursor - self.page)

    def action_first(self) -> None:
        """Go to the first row."""
        self.go_to(0)

    def action_last(self) -> None:
        """Go to the last row."""
        self.go_to(len(self.rows) - 1)

    def action_sort(self) -> None:
        """Sort by the next column that can be sorted by; after the last one, as it was."""
        names = [column.title for column, _ in self._layout() if column.order is not None]
        if not names:
            return
        at = names.index(self._sorted_by) + 1 if self._sorted_by in names else 0
        self._sorted_by = names[at] if at < len(names) else None
        self._arrange(keep_row=False)

    def action_filter(self) -> None:
        """Let the view ask which rows to show."""
        self.post_message(self.FilterAsked(self))

    def on_resize(self) -> None:
        """Keep the cursor in sight at another size."""
        self._columns = None
        self._keep_in_sight()

    def on_focus(self) -> None:
        """Draw the rule of the table that has the keys."""
        self.refresh_rows(0)

    def on_blur(self) -> None:
        """Draw the rule of a table that lost the keys."""
        self.refresh_rows(0)

    def on_click(self, event: events.Click) -> None:
        """Go to the row that was clicked; a second click chooses it."""
        index = self._top + event.y - 2
        if event.y < 2 or index >= len(self.rows):
            return
        again = index == self.cursor and event.chain > 1
        self.go_to(index)
        if again:
            self.post_message(self.Chosen(self))

    def on_mouse_scroll_down(self) -> None:
        """Go down with the wheel."""
        self.go_to(self.cursor + 3)

    def on_mouse_scroll_up(self) -> None:
        """Go up with the wheel."""
        self.go_to(self.cursor - 3)

    def draw_line(self, y: int, width: int) -> Line:
        """Return the title rule, the heading or a row."""
        if y == 0:
            return title_rule(
                self.title, self._said_count(), self._said_remark(), width, self.look,
                focused=self.has_focus,
            )  # fmt: skip
        if not self.rows:
            told = shown(self.empty) if self._filled else UNTIL_KNOWN
            if self._filter and self._all:
                told = self._no_match()
            text = self.look.text(cut(told, max(0, width - MARK_CELLS)))
            return [Run(" " * MARK_CELLS + text, Role.PLAIN)] if y == 1 else ()
        if y == 1:
            return self._heading()
        index = self._top + y - 2
        return self._row_line(index) if index < len(self.rows) else ()

    def _said_count(self) -> str:
        if len(self.rows) != len(self._all):
            return say("some_of", some=f"{len(self.rows):,}", all=self.count)
        return self.count

    def _said_remark(self) -> str:
        said = self.remark
        for column, _ in self._layout():
            if column.title == self._sorted_by:
                said = shown(column.ordered) or say("sorted_by", title=self.titled(column))
        if self._filter:
            said = f"{say('filtered', text=clean(self._filter))}   {said}".rstrip()
        if len(self.rows) > self.page:
            said = f"{said}   {say('row_at', row=f'{self.cursor + 1:,}')}".lstrip()
        return said

    def _no_match(self) -> str:
        rows = counted(len(self._all), "row")
        return say("no_row_holds", rows=rows, text=repr(clean(self._filter)))

    def titled(self, column: Column[RowType]) -> str:
        """Return the head of a column in the language that is spoken."""
        return shown(column.title)

    def _heading(self) -> Line:
        runs = [Run(" " * MARK_CELLS, Role.PLAIN)]
        for column, width in self._layout():
            title = self.look.text(cut(self.titled(column), width))
            runs.append(Run(pad(title, width, right=column.right) + " " * COLUMN_GAP, Role.DIM))
        return runs

    def _row_line(self, index: int) -> Line:
        row = self.rows[index]
        here = index == self.cursor
        mark = self.look.signs.mark if here else " "
        bold = Attributes.BOLD if here else Attributes.NONE
        runs = [Run(mark + " " * (MARK_CELLS - 1), Role.PLAIN, attributes=bold)]
        for column, width in self._layout():
            drawn = column.draw(row, width)
            parts = (
                [Run(self.look.text(cut(drawn, width)), Role.PLAIN)]
                if isinstance(drawn, str)
                else drawn
            )
            used = sum(cell_len(run.text) for run in parts)
            blanks = " " * max(0, width - used)
            if column.right and blanks:
                runs.append(Run(blanks, Role.PLAIN))
            runs += [run._replace(attributes=run.attributes | bold) for run in parts]
            runs.append(Run(("" if column.right else blanks) + " " * COLUMN_GAP, Role.PLAIN))
        return runs

    def _layout(self) -> Sequence[tuple[Column[RowType], int]]:
        """Return the columns that are shown with their widths; none before there are rows."""
        if not self._filled:
            return ()
        width = self.size.width
        if self._columns is None or self._columns[0] != width:
            shown = [one for one in self._columns_for(width) if width >= one.from_width]
            fixed = sum(one.width or 0 for one in shown) + COLUMN_GAP * (len(shown) - 1)
            flexible = sum(one.width is None for one in shown)
            left = max(0, width - MARK_CELLS - fixed)
            each = max(LEAST_FLEXIBLE, left // flexible) if flexible else 0
            laid = [(one, each if one.width is None else one.width) for one in shown]
            self._columns = (width, laid)
        return self._columns[1]

    def _arrange(self, *, keep_row: bool = True) -> None:
        """Filter and sort the rows; keep the cursor on its row if it is still there."""
        row = self.row if keep_row else None
        rows = self._all
        if self._filter:
            wanted = self._filter.casefold()
            rows = [one for one in rows if wanted in self._text(one).casefold()]
        for column, _ in self._layout():
            if column.title == self._sorted_by and column.order is not None:
                rows = _sorted(rows, column.order, descending=column.descending)
        self.rows = rows
        # A column may be drawn on the scale of its rows.
        self._columns = None
        at = next((index for index, one in enumerate(rows) if one is row), None)
        self.cursor = (
            at if at is not None else 0 if row is None else min(self.cursor, max(0, len(rows) - 1))
        )
        self._top = 0
        self._keep_in_sight()
        self.refresh()
        self.post_message(self.Moved(self))

    def _text(self, row: RowType) -> str:
        return self.searched(row) if self.searched else str(row)

    def _keep_in_sight(self) -> None:
        least = self.cursor - self.page + 1
        # What became free below is filled again.
        top = min(self._top, max(0, len(self.rows) - self.page))
        self._top = max(0, min(max(top, least), self.cursor))


def _sorted(
    rows: Sequence[RowType], order: Callable[[RowType], Any], *, descending: bool
) -> list[RowType]:
    """Sort by values of which None, what is not known, comes last both ways."""
    known = [row for row in rows if order(row) is not None]
    unknown = [row for row in rows if order(row) is None]
    return [*sorted(known, key=order, reverse=descending), *unknown]
