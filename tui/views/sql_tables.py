"""The tables that SQL can read, and the columns of the one under the cursor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical

from ...ingest.schema import TABLES
from ...ingest.table import quoted
from ...queries.views import shared_views
from ..answers import Answers
from ..draw import numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean, cut, pad
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import say, shown

COUNT_CELLS = 7
TYPE_CELLS = 8

VIEW = "view"
"""What stands for the rows of a view: to count them is to make them."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table or view; ``count`` is None for a view, ``about`` says what a row is."""

    name: str
    count: int | None
    columns: Sequence[tuple[str, str]]
    """Names with their types."""
    about: str


def ask_tables(answers: Answers) -> list[ReadTable]:
    """Ask for the tables and views there are; raises as ``Session.run`` does."""
    counts = _counts(answers)
    found = [
        ReadTable(
            name,
            counts.get(name),
            _columns_of(answers, name),
            TABLES[name].about if name in TABLES else "",
        )
        for name in (*answers.session.tables, *shared_views())
    ]
    # First what was read, then what is made of it, then the CSV files.
    return sorted(found, key=lambda one: (one.name not in TABLES, one.count is not None, one.name))


def _columns_of(answers: Answers, name: str) -> Sequence[tuple[str, str]]:
    if name in TABLES:
        return [(column.name, column.type) for column in TABLES[name].columns]
    described = answers.session.sql(f"DESCRIBE {quoted(name)}")
    return [(str(row[0]), str(row[1])) for row in described.rows]


def _counts(answers: Answers) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for rank in answers.session.ranks:
        for name, count in rank.manifest.tables.items():
            counts[name] = counts.get(name, 0) + count
    return counts


class SqlTables(Vertical):
    """The list of tables over the columns of the one under the cursor."""

    DEFAULT_CSS = """
    SqlTables #sql_tables { height: 3fr; }
    SqlTables #sql_columns { height: 2fr; }
    """

    def __init__(self, look: Look, *, id: str | None = None) -> None:  # noqa: A002 Textual's name
        super().__init__(id=id)
        self._look = look
        self.list: RowList[ReadTable] = RowList(look, "Tables", self._columns, id="sql_tables")
        self.list.searched = lambda table: table.name
        self._panel = Panel(look, "Columns", id="sql_columns")

    def compose(self) -> ComposeResult:
        """Put the list over the columns."""
        yield self.list
        yield self._panel

    def show(self, tables: Sequence[ReadTable]) -> None:
        """Show the tables that there are."""
        self.list.fill(tables, empty="No tables here.")
        self.show_columns()

    def show_columns(self) -> None:
        """Show the columns of the table under the cursor."""
        table = self.list.row
        count = f"{len(table.columns)}" if table else ""
        self._panel.fill(self._drawn, count=count)

    def _columns(self, width: int) -> Sequence[Column[ReadTable]]:  # noqa: ARG002 the same at any
        return (
            Column("name", lambda table, cells: fitted(clean(table.name), cells)),
            Column(
                "rows",
                lambda table, _: shown(VIEW) if table.count is None else numbers.count(table.count),
                width=COUNT_CELLS,
                right=True,
                order=lambda table: table.count,
                ordered="most rows first",
            ),
        )

    def _drawn(self, width: int, height: int) -> Sequence[Line]:
        table = self.list.row
        if table is None:
            return ()
        room = max(1, width - TYPE_CELLS - 3)
        lines: list[Line] = [
            [
                Run(f"  {pad(self._look.text(fitted(clean(name), room)), room)} ", Role.PLAIN),
                Run(cut(self._look.text(clean(type_)), TYPE_CELLS), Role.DIM),
            ]
            for name, type_ in table.columns
        ]
        if len(lines) > height:
            left = len(lines) - height + 1
            lines[height - 1 :] = [[Run(f"  {say('columns_more', count=left)}", Role.DIM)]]
        return lines
