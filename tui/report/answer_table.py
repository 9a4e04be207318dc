"""The answer to a question as a table of a report: what its command shows, as readable."""

from collections.abc import Sequence

from ...queries.query import AnswerColumn
from ..draw import numbers
from ..draw.safe_text import clean
from ..text.columns import Answer, Kind, is_name, kind_of
from ..text.table_text import Style, readable
from .document import Head, Table


def answer_table(answer: Answer, style: Style) -> Table:
    """Return rows under the names of their columns, each value as a table of text has it.

    Columns in which nothing is known in any row are left out.
    """
    columns, kept = answer.columns, list(answer.rows)
    places = [at for at in range(len(columns)) if any(row[at] is not None for row in kept)]
    heads = tuple(_head(columns[at]) for at in places)
    cells = [_cells(columns[at], [row[at] for row in kept], style) for at in places]
    return Table(heads, tuple(zip(*cells, strict=True)))


def _head(column: AnswerColumn) -> Head:
    is_text = kind_of(column) in {Kind.TEXT, Kind.FLAG}
    return Head(clean(column.name), right=not is_text, verbatim=is_name(column))


def _cells(column: AnswerColumn, values: Sequence[object], style: Style) -> list[str]:
    kind = kind_of(column)
    unit = style.unit
    if unit is None and (style.compared or kind is Kind.DIFFERENCE):
        unit = numbers.column_unit(value for value in values if isinstance(value, int))
    return [readable(value, kind, style, unit).strip() for value in values]
