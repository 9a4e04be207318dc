"""Answers as Python values: whole ones, and streams of batches."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

import duckdb

from ..ingest.schema import quoted
from .errors import QueryError
from .query import AnswerColumn, Value

RowType = TypeVar("RowType")

_EXACT_TYPES: Final = frozenset(
    [
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "UHUGEINT",
        "FLOAT",
        "DOUBLE",
        "VARCHAR",
    ]
)
"""Types whose values Python holds as they are; DECIMAL is one more."""
_DECIMAL: Final = re.compile(r"DECIMAL\(\d+,\d+\)")


@dataclass(frozen=True, slots=True)
class Result:
    """A whole answer: whole numbers, text, booleans, floats and NULL as None."""

    name: str
    columns: tuple[AnswerColumn, ...]
    rows: list[tuple[Value, ...]]
    truncated: bool = False
    """Whether there are more rows than were asked for."""

    def as_(self, row_type: Callable[..., RowType]) -> list[RowType]:
        """Return the rows as a NamedTuple of ``rows`` or ``rows_timeline``.

        Raises QueryError unless its fields are the columns. A field whose name Python
        uses itself (``class_``, ``count_``) has an underscore behind it.
        """
        fields = tuple(name.rstrip("_") for name in inspect.get_annotations(row_type))
        names = tuple(column.name for column in self.columns)
        if fields != names:
            raise QueryError(f"answers {', '.join(names)}, not {', '.join(fields)}", self.name)
        return [row_type(*row) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer in batches of rows, which can be read once; reading may raise errors."""

    name: str
    columns: tuple[AnswerColumn, ...]
    batches: Iterator[list[tuple[Value, ...]]]

    def __iter__(self) -> Iterator[list[tuple[Value, ...]]]:
        return self.batches


def in_exact_types(cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Value]) -> str:
    """Return a SELECT whose values Python can hold exactly: all others become text."""
    cursor.execute(f"DESCRIBE {sql}", dict(values))
    types = [(str(row[0]), str(row[1])) for row in cursor.fetchall()]
    exact = [type_ in _EXACT_TYPES or _DECIMAL.fullmatch(type_) for _, type_ in types]
    if all(exact):
        return sql
    listed = ", ".join(
        f"{f'#{place}' if exact[place - 1] else f'CAST(#{place} AS VARCHAR)'} AS {quoted(name)}"
        for place, (name, _) in enumerate(types, 1)
    )
    return f"SELECT {listed} FROM (\n{sql}\n)"
