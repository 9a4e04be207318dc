"""Ask a question and write its answer in the order, length and format asked for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ...ingest.errors import UsageError
from ...ingest.table import quoted
from ...queries.gate import statement_text
from ...queries.query import AnswerColumn, Query, Value
from ...queries.session import Session
from ..draw import numbers
from ..places import Order, parse_order
from ..sql.parameters import read_times
from ..text.columns import Answer, Kind, columns_of_table, kind_of
from ..text.narration import note
from ..text.output import write_answer, write_lines
from ..text.table_text import Style
from .opening import first_instant, start_of
from .options import Presentation

Row = tuple[Value, ...]

MOST_ROWS = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its parameters, and how a table shows the answer.

    ``table`` names the columns of a table in their order, none of them for all;
    ``rows`` is how many it has unless --limit is given, None for all. Columns of
    ``where_known`` are left out where no row has a value in them.
    """

    query: Query
    params: Mapping[str, object] = field(default_factory=dict[str, object])
    table: tuple[str, ...] = ()
    style: Style = field(default_factory=Style)
    rows: int | None = None
    where_known: frozenset[str] = frozenset()


def ask(session: Session, asked: Asked, presentation: Presentation) -> None:
    """Answer a question; say on standard error when there are more rows than shown.

    Raises UsageError for a parameter or a column to sort by that does not exist,
    QueryError when the question cannot be answered.

    Parameters that are times may be text such as ``1.2ms``.
    """
    is_table = presentation.destination.format == "table"
    limit = presentation.limit
    if limit is None and is_table:
        limit = asked.rows
    query = asked.query
    params = read_times(query, asked.params, lambda: start_of(session))
    if presentation.sort is not None:
        if not query.columns:
            raise UsageError("--sort needs columns that are known: write ORDER BY in the SQL")
        names = tuple(column.name for column in query.columns)
        query = _sorted(query, parse_order(presentation.sort, names))
    elif limit and any(
        parameter.name == "limit" and parameter.type == "BIGINT" for parameter in query.params
    ):
        # Known before the answer is made, a limit saves most of the work.
        params.setdefault("limit", min(limit + 1, MOST_ROWS))
    stream = session.stream(query, params)
    rows = _First(chain.from_iterable(stream), limit or None)
    if is_table and _is_plan(query, stream.columns):
        lines = [line for *_, plan in rows for line in str(plan).splitlines()]
        write_lines(map(presentation.destination.terminal.text, lines), presentation.destination)
        return
    answer, style = Answer(stream.columns, rows), asked.style
    if is_table:
        several = len(session.ranks) > 1
        answer = columns_of_table(
            stream.columns,
            list(rows),
            asked.table,
            several_ranks=several,
            where_known=asked.where_known,
        )
        if not style.plain and any(kind_of(one) is Kind.INSTANT for one in answer.columns):
            style = replace(style, origin_ns=first_instant(session))
    write_answer(answer, presentation.destination, style)
    if not rows.count:
        note("no rows: nothing in this profile answers to that")
    if rows.more:
        verb = "is" if rows.count == 1 else "are"
        shown = f"{numbers.counted(rows.count, 'row')} {verb} shown"
        note(f"{shown} and there are more; --limit 0 shows all")


class _First:
    """At most ``limit`` of some rows, how many they were, and whether there are more."""

    def __init__(self, rows: Iterable[Row], limit: int | None) -> None:
        self._rows = rows
        self._limit = limit
        self.count = 0
        self.more = False

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            if self.count == self._limit:
                self.more = True
                return
            self.count += 1
            yield row


def _is_plan(query: Query, columns: Sequence[AnswerColumn]) -> bool:
    """Tell whether typed SQL was an EXPLAIN: its answer is a drawing of many lines."""
    names = [column.name for column in columns]
    return query.origin == "typed" and names == ["explain_key", "explain_value"]


def _sorted(query: Query, order: Order) -> Query:
    """Return a question with its rows in another order; ties by all columns in turn."""
    places = ", ".join(str(at) for at in range(1, len(query.columns) + 1))
    direction = "DESC" if order.descending else "ASC"
    sql = statement_text(query.sql)
    return replace(
        query,
        sql=f"SELECT * FROM (\n{sql}\n)"
        f"\nORDER BY {quoted(order.column)} {direction} NULLS LAST, {places}",
    )
