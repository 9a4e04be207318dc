"""Questions in SQL: the statement over its answer, and the tables there are beside both."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import TextArea

from ...ingest.errors import NpuviewError
from ...ingest.table import quoted
from ...queries.errors import QueryError
from ...queries.query import Query
from ..draw import numbers
from ..draw.safe_text import clean
from ..export.export_choice import ExportChoice
from ..keyboard.keys import bindings
from ..sql.answer_export import answer_choice
from ..sql.parameters import GivenQuestion
from ..sql.statement_history import StatementHistory
from ..sql.statement_runner import Heard, MeasuredAnswer, StatementRunner
from ..text.table_text import Style
from ..widgets.answer_table import AnswerTable, answer_count
from ..widgets.editor import Editor
from ..widgets.error_panel import ErrorPanel
from ..widgets.row_list import RowList
from ..widgets.title_rule import TitleRule
from ..words.spoken import counted, say, shown
from .sql_places import SqlPlaces
from .sql_questions import SqlQuestions
from .sql_tables import ReadTable, SqlTables, ask_tables
from .view import Desk, View

TABLES_FROM = 100
"""Columns of the screen from which on the tables stand beside the statement."""

TICK_SECONDS = 0.25
TYPED = "sql"
"""The name of every question that was typed."""

FIRST_ROWS = 100
"""Rows that are asked for of a table that is chosen in the list."""


class Sql(View):
    """A statement, run on a thread of its own, and the rows that it answers."""

    WHERE = "sql"
    BINDINGS: ClassVar[list[BindingType]] = bindings("sql")
    DEFAULT_CSS = """
    #sql_side { width: 28; margin: 0 2 0 0; }
    #sql_answer { height: 1fr; }
    #sql_statement { margin: 0 0 1 0; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._history = StatementHistory(desk.kept.history)
        self._side = SqlTables(self.look, id="sql_side")
        self._rule = TitleRule(self.look, "Query")
        self._editor = Editor(
            self.look, self._history.older, lambda _: self._history.newer(), id="sql_statement"
        )
        self._error = ErrorPanel(self.look, id="sql_error")
        self._answer = AnswerTable(self.look, id="sql_answer")
        self._main = Vertical(self._rule, self._editor, self._error, self._answer, id="sql_main")
        self._runner_made: StatementRunner | None = None
        self._took = ""
        self._preset: Query | None = None
        self._item: object = None
        self._questions = SqlQuestions(self, self._run)
        self._places = SqlPlaces(self)
        self._plain = False
        self._lists_tables = False
        self._had_keys: Editor | AnswerTable = self._editor

    @property
    def table(self) -> RowList[ReadTable] | AnswerTable:
        """Return the list of tables while it has the keys, else the answer."""
        return self._side.list if self._side.list.has_focus else self._answer

    def compose(self) -> ComposeResult:
        """Put the tables beside the statement and its answer."""
        with Horizontal():
            yield self._side
            yield self._main

    def on_mount(self) -> None:
        """Begin to tell how long a statement runs."""
        self.set_interval(TICK_SECONDS, self._tick)

    def on_resize(self) -> None:
        """Show the tables where they have room."""
        self._arrange()

    def enter(self, item: object) -> None:
        """Go on with the statement, or ask the question of a name."""
        self._arrange()
        self._had_keys.focus(scroll_visible=False)
        self._show_keys()
        if self._runner_made is None:
            self.ask(ask_tables, self._side.show, channel="tables")
        match item:
            case str() if item != self._item:
                self._item = item
                self._questions.find(item, self._choose)
            # An equal one is asked again: only when it is come back to it is the same one.
            case GivenQuestion(name, values) if item is not self._item:
                self._item = item
                self._questions.find(name, lambda query: self._show_rows(query, dict(values)))
            case _:
                pass
        self._tell()

    def refocus(self) -> None:
        """Keep the answer: it was not asked about the shared place."""
        self._tell()

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("sql"),)

    def copied(self) -> str:
        """Return the true values of the selected row, tabs between them, or a table's name."""
        if self._side.list.has_focus:
            table = self._side.list.row
            return table.name if table else ""
        row = self._answer.row
        return "" if row is None else "\t".join("" if one is None else str(one) for one in row)

    def leave(self) -> bool:
        """Stop what runs; then close the tables, leave the statement, show all rows again."""
        if self._is_busy:
            self._runner.stop()
            self._answer.tell(self._took, stale=False)
            self.desk.say(say("stopped"))
            return True
        if self._lists_tables:
            self._list_tables(shown=False)
            return True
        if self._editor.has_focus:
            self._answer.focus()
            return True
        return super().leave()

    def export_choices(self) -> list[ExportChoice]:
        """Offer the whole answer of the statement that was run last."""
        answer = self._answer.answer
        if answer is None:
            return []
        name = f"rank{self.desk.place.rank}_{answer.query.name}.csv"
        count = counted(len(answer.rows), "row")
        about = say("more_than", count=count) if answer.more else count
        return [answer_choice(answer.query, answer.params, say("export_answer"), name, about)]

    @property
    def _runner(self) -> StatementRunner:
        """Return what runs statements, made when the store is open."""
        if self._runner_made is None:
            heard = Heard(self._show, self._want_values, self._failed)
            self._runner_made = StatementRunner(self, self.desk.answers, heard)
        return self._runner_made

    @property
    def _is_busy(self) -> bool:
        return self._runner_made is not None and self._runner_made.busy

    # What the keys do.

    def action_run(self) -> None:
        """Run the statement; a question that was not changed runs as what it is."""
        text = self._editor.text
        if not text.strip():
            self.desk.say(say("no_statement"))
            return
        preset = self._preset
        if preset is not None and preset.sql == text:
            self._questions.ask(preset)
            return
        self._item = None
        self._run_text(text)

    def action_presets(self) -> None:
        """Let a question be chosen."""
        self._questions.choose(self._choose)

    def action_parameters(self) -> None:
        """Ask the same question again with other values."""
        answer = self._answer.answer
        if answer is None or not answer.query.params:
            self.desk.say(say("no_values"))
            return
        self._questions.ask_values(answer.query)

    def action_save(self) -> None:
        """Keep the statement as a question of one's own."""
        text = self._editor.text
        if not text.strip():
            self.desk.say(say("no_statement_to_save"))
            return
        self._questions.save(text, self._preset)

    def action_tables(self) -> None:
        """Go to the tables; without room beside the statement they take its place."""
        if self._is_wide:
            self._side.list.focus()
        else:
            self._list_tables(shown=not self._lists_tables)

    def action_units(self) -> None:
        """Show values as they are stored, or readable again."""
        self._plain = not self._plain
        answer = self._answer.answer
        if answer is not None:
            self._answer.restyle(self._style())
        self.desk.say(say("numbers_plain" if self._plain else "numbers_with_units"))

    def action_column_left(self) -> None:
        """Show the columns further left."""
        self._scroll_columns(-1)

    def action_column_right(self) -> None:
        """Show the columns further right."""
        self._scroll_columns(1)

    def action_open(self) -> None:
        """Show the row in the timeline, or the first rows of a table."""
        if self._side.list.has_focus:
            self._open_table()
            return
        answer, row = self._answer.answer, self._answer.row
        if answer is not None and row is not None:
            self._places.open(answer, row)

    # What the widgets say.

    def on_text_area_changed(self, message: TextArea.Changed) -> None:
        """Let the statement have the rows that it needs."""
        message.stop()
        self._editor.fit()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Tell about the row under the cursor, and let the other views look at its place."""
        message.stop()
        if message.table is self._side.list:
            self._side.show_columns()
        elif self._answer.has_focus and self.display and self._answer.answer is not None:
            row = self._answer.row
            if row is not None:
                self._places.share(self._answer.answer, row)
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self.action_open()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember who has the keys, for the way back to this view."""
        if isinstance(event.widget, Editor | AnswerTable):
            self._had_keys = event.widget
        self._rule.light(focused=event.widget is self._editor)
        self._show_keys()
        self._tell()

    def _show_keys(self) -> None:
        self.desk.show_keys(Editor.WHERE if self._editor.has_focus else self.WHERE)

    # To run statements.

    def _run(self, query: Query, values: Mapping[str, str]) -> None:
        self._remember(query.sql)
        self._error.hide()
        self._runner.run(query, values, self._style(), self._questions.origin)

    def _run_text(self, text: str) -> None:
        self._remember(text)
        self._error.hide()
        # What was made of a question is asked with the values of it.
        made_of = self._questions.values(self._preset.name) if self._preset else {}
        values = {**made_of, **self._questions.values(TYPED)}
        self._runner.run_text(text, values, self._style(), self._questions.origin)

    def _want_values(self, query: Query) -> None:
        self._answer.tell(self._took, stale=False)
        self._questions.ask_values(query)

    def _remember(self, text: str) -> None:
        if text.strip():
            self._history.add(text)
            self.desk.kept.add_statement(text)

    def _show(self, measured: MeasuredAnswer) -> None:
        answer = measured.answer
        self._took = answer_count(answer, numbers.time(answer.dur))
        self._answer.show_answer(answer, measured.columns, self._took)
        self._tell()

    def _failed(self, error: NpuviewError) -> None:
        """Show under the statement what is wrong with it; the last answer stays, dim."""
        text = str(error)
        if isinstance(error, QueryError):
            text = text.removeprefix(f"{error.name}: ")
        self._answer.tell(self._took, stale=self._answer.answer is not None)
        self._error.show(text, self._main.size.width)

    def _tick(self) -> None:
        if self._is_busy:
            # One unit and decimal, so that nothing moves while it runs.
            told = numbers.time_in(self._runner.running_for, numbers.SECONDS)
            known = self._answer.answer is not None
            self._answer.tell(say("running", time=told), stale=known)

    def _choose(self, query: Query) -> None:
        """Put a question in the place of the statement, and ask it."""
        self._item = query.name
        self._put(query)
        self._questions.ask_values(query)

    def _show_rows(self, query: Query, values: Mapping[str, str]) -> None:
        """Put a question in the place of the statement, and ask it with values that are known."""
        self._put(query)
        self._questions.give(query.name, values)
        self._questions.ask(query)

    def _put(self, query: Query) -> None:
        self._remember(self._editor.text)
        self._preset = query
        self._questions.forget(TYPED)
        self._editor.put(query.sql)
        self._answer.focus()

    def _style(self) -> Style:
        return Style(origin_ns=self._questions.origin, plain=self._plain)

    # The tables.

    @property
    def _is_wide(self) -> bool:
        return self.app.size.width >= TABLES_FROM

    def _arrange(self) -> None:
        self._lists_tables = self._lists_tables and not self._is_wide
        self._side.display = self._is_wide or self._lists_tables
        self._main.display = not self._lists_tables
        self._side.styles.width = "1fr" if self._lists_tables else 28
        self._side.styles.margin = (0, 0 if self._lists_tables else 2, 0, 0)

    def _list_tables(self, *, shown: bool) -> None:
        self._lists_tables = shown
        self._arrange()
        if shown:
            self._side.list.focus()
        else:
            self._had_keys.focus(scroll_visible=False)

    def _open_table(self) -> None:
        table: ReadTable | None = self._side.list.row
        if table is None:
            return
        if self._lists_tables:
            self._list_tables(shown=False)
        self._remember(self._editor.text)
        self._editor.put(f"FROM {quoted(table.name)} LIMIT {FIRST_ROWS}")
        self._answer.focus()
        self.action_run()

    def _scroll_columns(self, away: int) -> None:
        if not self._answer.scroll_columns(away):
            self.desk.say(say("no_columns_right" if away > 0 else "no_columns_left"))

    def _tell(self) -> None:
        if not self.display:
            return
        table = self._side.list.row
        if self._side.list.has_focus and table is not None:
            about = f"   {clean(table.about)}" if table.about else ""
            self.tell(f"{clean(table.name)}{about}")
            return
        answer = self._answer.answer
        if answer is None:
            self.tell(say("read_only"))
            return
        rows, count = counted(len(answer.rows), "row"), len(self._answer.rows)
        said = [
            say("rows_in_time", rows=rows, time=numbers.time(answer.dur)),
            say("row_of", at=f"{self._answer.cursor + 1:,}", count=f"{count:,}")
            if count
            else say("no_row"),
            say("read_only"),
        ]
        values = [f"{clean(name)}={clean(str(one))}" for name, one in answer.params.items() if one]
        if values:
            said.insert(1, say("with_values", values=", ".join(values)))
        if answer.more:
            said.append(say("more_rows"))
        elif count:
            said.append(say("all_rows_here"))
        self.tell("   ".join(said))
