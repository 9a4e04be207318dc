"""The questions there are: those that npuview ships, and the files of the user and the project."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from ..draw.lines import wrapped
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import ELLIPSIS, clean, cut
from ..keyboard.keys import Keymap, bindings
from ..widgets.canvas import Line
from ..widgets.field import Field
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import say, shown
from .dialog import Dialog

if TYPE_CHECKING:
    from ...queries.catalog import Catalog
    from ...queries.errors import PresetError
    from ...queries.query import Parameter, Query

TABLE_ROWS = 16
ABOUT_ROWS = 8
FEW_ABOUT_ROWS = 3
ROOMY = 22
"""Rows of the screen from which on there is room for all that a question is about."""
NAME_CELLS = 18
NAME_FROM = 70

NOT_USABLE = "not usable"


class _Listed(NamedTuple):
    """A question, or a file that should be one and is not."""

    title: str
    name: str
    origin: str
    query: "Query | None"
    problem: "PresetError | None"


class Questions(Dialog["Query"]):
    """Lets a question be chosen; what is typed narrows the list down."""

    WHERE = "questions"
    BINDINGS: ClassVar[list[BindingType]] = bindings("questions")
    DEFAULT_CSS: ClassVar[str] = f"""
    Questions RowList {{ height: 1fr; margin: 1 0 0 0; }}
    Questions Panel {{ height: {ABOUT_ROWS}; }}
    """

    def __init__(self, look: Look, catalog: "Catalog", keymap: Keymap | None = None) -> None:
        super().__init__(look, "Questions", keymap)
        self._listed = _listed(catalog)
        self._field = Field(look, shown("find"), cells=6)
        self._table: RowList[_Listed] = RowList(look, "Questions", self._columns)
        self._table.searched = _text
        # The keys belong to the field.
        self._table.can_focus = False
        self._about = Panel(look, "About")
        self._table.fill(self._listed)

    def content(self) -> list[Widget]:
        """Return the field over the questions, and what the one under the cursor is about."""
        return [self._field, self._table, self._about]

    def on_resize(self) -> None:
        """Tell less about a question where there is little room."""
        super().on_resize()
        height = self.app.size.height
        self._about.styles.height = ABOUT_ROWS if height >= ROOMY else FEW_ABOUT_ROWS

    def wanted_rows(self, width: int) -> int:  # noqa: ARG002 what is about is cut off
        """Return room for what can be looked over."""
        return 2 + ABOUT_ROWS + 2 + min(TABLE_ROWS, len(self._listed))

    def on_mount(self) -> None:
        """Let letters be typed at once."""
        super().on_mount()
        self._field.input.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the questions that hold what is typed, word by word."""
        event.stop()
        words = event.value.casefold().split()
        found = [one for one in self._listed if all(word in _text(one) for word in words)]
        # Those that are called so come before those that only tell of it.
        found.sort(key=lambda one: not all(word in _heading(one) for word in words))
        count = say("some_of_all", some=f"{len(found):,}", all=f"{len(self._listed):,}")
        self._table.fill(found, count=count, empty="No question holds these words.")
        self._table.go_to(0)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Tell what the question under the cursor is about."""
        message.stop()
        self.note("")
        self._about.fill(self._told)

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Take the question that was clicked twice."""
        message.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Take the question under the cursor."""
        row = self._table.row
        if row is None:
            return
        if row.query is None:
            self.note(say("question_unusable"))
        else:
            self.dismiss(row.query)

    def action_down(self) -> None:
        """Go to the next question."""
        self._table.action_cursor_down()

    def action_up(self) -> None:
        """Go to the question before."""
        self._table.action_cursor_up()

    def action_page_down(self) -> None:
        """Go one page down."""
        self._table.action_page_down()

    def action_page_up(self) -> None:
        """Go one page up."""
        self._table.action_page_up()

    def _columns(self, width: int) -> Sequence[Column[_Listed]]:  # noqa: ARG002 they say it themselves
        return (
            Column("title", lambda one, cells: cut(one.title, cells)),
            Column(
                "name",
                lambda one, cells: cut(one.name, cells),
                width=NAME_CELLS,
                from_width=NAME_FROM,
            ),
            Column("from", lambda one, cells: cut(_origin(one), cells), width=len(NOT_USABLE)),
        )

    def _told(self, width: int, height: int) -> Sequence[Line]:
        row = self._table.row
        if row is None:
            return ()
        lines: list[Line] = [
            [Run(f"  {self.look.text(line)}", Role.PLAIN)]
            for text in _facts(row)
            for line in wrapped(text, max(20, width - 2), indent="")
        ]
        if len(lines) > height:
            lines[height - 1 :] = [[Run(f"  {self.look.text(ELLIPSIS)}", Role.DIM)]]
        return lines


def _listed(catalog: "Catalog") -> list[_Listed]:
    """List the questions by title, then the files that cannot be used."""
    questions = [
        _Listed(
            clean(query.title or query.name),
            clean(query.name),
            query.origin,
            query,
            None,
        )
        for query in catalog
    ]
    # One's own come first, then those of the project; last those that need to be told of what.
    order = ("user", "project", "shipped")
    questions.sort(
        key=lambda one: (order.index(one.origin), _needs_values(one), one.title.casefold())
    )
    broken = [
        _Listed(clean(Path(problem.file).name), "", NOT_USABLE, None, problem)
        for problem in catalog.problems
    ]
    return [*questions, *broken]


def _needs_values(row: _Listed) -> bool:
    return row.query is not None and any(one.required for one in row.query.params)


def _origin(row: _Listed) -> str:
    """Return where a question is from; a star says that it replaces one that is shipped."""
    star = "*" if row.query is not None and row.query.replaces else ""
    return f"{shown(row.origin)}{star}"


def _facts(row: _Listed) -> list[str]:
    if row.query is None:
        # Further lines quote the file, which may be a link to what is not for every eye.
        return [clean(str(row.problem).partition("\n")[0])]
    query = row.query
    facts = [clean(query.about) or say("question_silent")]
    if query.replaces:
        facts.append(say("question_replaces"))
    if query.params:
        facts.append(say("question_takes", parameters=", ".join(map(parameter_text, query.params))))
    columns = ", ".join(clean(column.name) for column in query.columns)
    return [*facts, say("question_columns", columns=columns)] if columns else facts


def parameter_text(parameter: "Parameter") -> str:
    """Return a parameter with its default, as clean text."""
    if parameter.required:
        return clean(parameter.name)
    if parameter.default is None:
        return say("parameter_all", name=clean(parameter.name))
    return clean(f"{parameter.name}={parameter.default}")


def _heading(row: _Listed) -> str:
    return f"{row.title} {row.name}".casefold()


def _text(row: _Listed) -> str:
    about = row.query.about.casefold() if row.query else ""
    return f"{_heading(row)} {about}"
