"""The places that somebody kept."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from ..draw.look import Look
from ..draw.safe_text import clean, cut
from ..keyboard.key_places import PLACES
from ..keyboard.keys import Keymap, bindings, place_text
from ..user.state import Bookmark
from ..widgets.field import Field
from ..widgets.row_list import Column, RowList
from ..words.spoken import shown
from .dialog import Dialog

TABLE_HEAD_ROWS = 2
VIEW_CELLS = 9
PLACE_CELLS = 30
NOTES_FROM = 84

Put = Callable[[Bookmark, Bookmark | None], None]
"""Puts a bookmark in the place of another one; None deletes it."""


class Bookmarks(Dialog[Bookmark]):
    """Lets a bookmark be chosen, be given a note and be deleted."""

    WHERE = "bookmarks"
    BINDINGS: ClassVar[list[BindingType]] = bindings("bookmarks")
    DEFAULT_CSS: ClassVar[str] = """
    Bookmarks RowList { height: 1fr; }
    """

    def __init__(
        self,
        look: Look,
        bookmarks: Sequence[Bookmark],
        place: Callable[[Bookmark], str],
        put: Put,
        keymap: Keymap | None = None,
    ) -> None:
        super().__init__(look, "Bookmarks", keymap)
        self._bookmarks = list(bookmarks)
        self._place = place
        self._put = put
        self._field = Field(look, shown("note"), cells=6)
        self._field.display = False
        self._table: RowList[Bookmark] = RowList(look, "Bookmarks", self._columns)
        self._fill()

    def content(self) -> list[Widget]:
        """Return the table over the field for a note."""
        return [self._table, self._field]

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 no row is broken
        """Return room for all bookmarks and a note."""
        return TABLE_HEAD_ROWS + max(1, len(self._bookmarks)) + 1

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Show the note of the bookmark under the cursor, whatever the width."""
        message.stop()
        self._say_note()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Go to the bookmark that was clicked twice."""
        message.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Take the note that is written, else go to the bookmark."""
        row = self._table.row
        if row is None:
            return
        if self._field.display:
            self._exchange(row, replace(row, note=self._field.text.strip()))
            self._end_note()
        else:
            self.dismiss(row)

    def action_close(self) -> None:
        """Leave the note as it was; without one being written close the list."""
        if self._field.display:
            self._end_note()
        else:
            super().action_close()

    def action_note(self) -> None:
        """Ask for the note of the bookmark."""
        row = self._table.row
        if row is not None:
            self._field.fill(row.note)
            self._field.display = True
            self._field.input.focus()

    def action_delete(self) -> None:
        """Delete the bookmark."""
        row = self._table.row
        if row is not None:
            self._exchange(row, None)

    def _end_note(self) -> None:
        self._field.display = False
        self._table.focus()
        self._say_note()

    def _exchange(self, old: Bookmark, new: Bookmark | None) -> None:
        self._put(old, new)
        at = next(at for at, one in enumerate(self._bookmarks) if one is old)
        self._bookmarks[at : at + 1] = [] if new is None else [new]
        cursor = self._table.cursor
        self._fill()
        self._table.go_to(cursor)

    def _fill(self) -> None:
        self._table.fill(
            list(self._bookmarks),
            remark=shown("in their order"),
            empty="No bookmark yet; b keeps a place.",
        )

    def _say_note(self) -> None:
        row = self._table.row
        self.note(clean(row.note) if row is not None else "", serious=False)

    def _columns(self, width: int) -> Sequence[Column[Bookmark]]:  # noqa: ARG002 they say it themselves
        return (
            Column(
                "name",
                lambda one, cells: cut(clean(one.name), cells),
                order=lambda one: one.name,
                descending=False,
            ),
            Column("view", lambda one, cells: cut(_view(one), cells), width=VIEW_CELLS),
            Column("place", lambda one, cells: cut(self._place(one), cells), width=PLACE_CELLS),
            Column("note", lambda one, cells: cut(clean(one.note), cells), from_width=NOTES_FROM),
        )


def _view(one: Bookmark) -> str:
    """Return the name of the view of a bookmark, which may be kept of another version."""
    return place_text(one.view)[0].lower() if one.view in PLACES else clean(one.view)
