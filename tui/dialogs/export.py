"""What is written into which file."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.widget import Widget
from textual.widgets import Input

from ..draw.look import Look
from ..draw.safe_text import clean, cut, cut_middle
from ..export.export_choice import ExportChoice, Target
from ..keyboard.keys import Keymap
from ..widgets.field import Field
from ..widgets.row_list import Column, RowList
from ..words.spoken import say, shown
from .dialog import Dialog

TABLE_HEAD_ROWS = 2
FIELD_ROWS = 3
LABEL_CELLS = 8


class Order(NamedTuple):
    """What is to be written, and where."""

    choice: ExportChoice
    target: Target


class Export(Dialog[Order]):
    """Lets somebody choose what is written, which lanes of it, and the file.

    A file that is there is replaced only when it was asked for twice.
    """

    DEFAULT_CSS: ClassVar[str] = """
    Export RowList { height: 1fr; margin: 0 0 1 0; }
    """

    def __init__(
        self, look: Look, choices: Sequence[ExportChoice], keymap: Keymap | None = None
    ) -> None:
        super().__init__(look, "Export", keymap)
        self._choices = choices
        self._table: RowList[ExportChoice] = RowList(look, "What", self._columns)
        self._lanes = Field(look, shown("lanes"), cells=LABEL_CELLS)
        self._file = Field(look, shown("file"), cells=LABEL_CELLS)
        self._proposed = ""
        self._asked: Path | None = None
        self._table.fill(choices, remark=shown("tab goes on to lanes and file"))

    def content(self) -> list[Widget]:
        """Return the choices over the fields."""
        return [self._table, self._lanes, self._file]

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 no row is broken
        """Return room for all choices and the fields."""
        return TABLE_HEAD_ROWS + len(self._choices) + FIELD_ROWS

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Propose a name for what is chosen, unless another one was typed."""
        message.stop()
        choice = self._table.row
        if choice is None:
            return
        self._lanes.display = choice.takes_lanes
        if self._file.text == self._proposed:
            self._proposed = choice.file_name
            self._file.fill(choice.file_name)

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Write what was clicked twice."""
        message.stop()
        self.action_accept()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Forget what was said about another name."""
        event.stop()
        if event.input is self._file.input:
            self._asked = None
            self.note("")
        elif event.value:
            self.note(say("lanes_note"), serious=False)

    def action_accept(self) -> None:
        """Write it, if it can be written there."""
        choice = self._table.row
        if choice is None:
            self.dismiss(None)
            return
        lanes = self._lanes.text if choice.takes_lanes and self._lanes.text else None
        path = typed_path(self._file.text)
        wrong = refusal(path, self._file.text) or (lanes and _no_expression(lanes))
        if path is None or wrong:
            self.note(wrong or "")
        elif path.exists() and self._asked != path:
            self._asked = path
            self.note(say("file_there", file=clean(path.name)))
        else:
            self.dismiss(Order(choice, Target(path, force=path.exists(), lanes=lanes)))

    def _columns(self, width: int) -> Sequence[Column[ExportChoice]]:  # noqa: ARG002 two always
        return (
            Column("what", lambda one, cells: cut_middle(one.label, cells)),
            Column("how much", lambda one, cells: cut(one.about, cells)),
        )


def typed_path(text: str) -> Path | None:
    """Return the file that was typed, with ``~`` as the home; None if it names none."""
    if not text.strip() or "\0" in text:
        return None
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError:
        return None


def refusal(path: Path | None, text: str) -> str | None:
    """Return a clean sentence about why a file cannot be written; None if it may be."""
    if path is None:
        return say("file_of_no_name", text=clean(text)) if text.strip() else say("file_unnamed")
    name = clean(str(path))
    try:
        there = path.exists()
        if path.is_dir():
            return say("file_is_directory", file=name)
        if not path.parent.is_dir():
            return say("no_directory", directory=clean(str(path.parent)))
        if there and not path.is_file():
            return say("file_not_plain", file=name)
        free = os.access(path if there else path.parent, os.W_OK)
    except OSError as error:
        return f"{name}: {clean(error.strerror or str(error))}"
    return None if free else say("file_refused", file=name)


def _no_expression(lanes: str) -> str | None:
    try:
        re.compile(lanes)
    except (re.error, OverflowError, RecursionError) as error:
        return say("lanes_wrong", error=clean(str(error)))
    return None
