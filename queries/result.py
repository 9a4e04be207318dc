"""Answers as Python values: whole ones, and streams of batches."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import duckdb

from ..ingest.table import quoted
from .errors import QueryError
from .query import AnswerColumn, Value

RowType = TypeVar("RowType")

FIRST_ROWS: Final = 64
GROWTH: Final = 4
BATCH_CHARACTERS: Final = 8 << 20
"""Batches of rows with more text than this become smaller."""

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
_LINE: Final = re.compile(r"(?<=\n\nLINE )\d+(?=: )")


@dataclass(frozen=True, slots=True)
class Result:
    """A whole answer: whole numbers, text, booleans, floats and NULL as None."""

    name: str
    columns: tuple[AnswerColumn, ...]
    rows: list[tuple[Value, ...]]
    truncated: bool = False
    """Whether there are more rows than were asked for."""

    def as_(self, row_type: Callable[..., RowType]) -> list[RowType]:
        """Return the rows as a NamedTuple of one of the modules ``rows`` and ``rows_*``.

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


def described(
    cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, Value], name: str
) -> tuple[AnswerColumn, ...]:
    """Return the columns that a statement would answer, in DuckDB's own types.

    Nothing is answered, but to find them may take work: arguments of table functions
    are computed. Raises QueryError for what cannot be asked.
    """
    found = cursor.extract_statements(f"DESCRIBE\n{sql}")
    if len(found) != 1:
        raise QueryError("one statement at a time", name)
    try:
        cursor.execute(found[0], dict(values))
    except (duckdb.ProgrammingError, duckdb.DataError) as error:
        # It counts the line of the DESCRIBE, which nobody typed.
        text = _LINE.sub(lambda line: str(int(line[0]) - 1), str(error), count=1)
        raise QueryError(text, name) from error
    return tuple(AnswerColumn(str(row[0]), str(row[1])) for row in cursor.fetchall())


def in_exact_types(sql: str, columns: Sequence[AnswerColumn]) -> str:
    """Return a SELECT whose values Python can hold exactly: all others become text.

    ``columns`` are those that ``sql`` answers.
    """
    exact = [one.type in _EXACT_TYPES or _DECIMAL.fullmatch(one.type) for one in columns]
    if all(exact):
        return sql
    listed = ", ".join(
        f"{f'#{place}' if exact[place - 1] else f'CAST(#{place} AS VARCHAR)'} AS {quoted(one.name)}"
        for place, one in enumerate(columns, 1)
    )
    return f"SELECT {listed} FROM (\n{sql}\n)"


def growing_batches(
    fetch: Callable[[int], list[tuple[Value, ...]]], most_rows: int
) -> Iterator[list[tuple[Value, ...]]]:
    """Fetch an answer in batches that grow to ``most_rows`` while their text stays small.

    ``fetch`` returns as many rows as it is told, or what is left.
    """
    rows = min(FIRST_ROWS, most_rows)
    while batch := fetch(rows):
        yield batch
        size = sum(len(value) for row in batch for value in row if isinstance(value, str))
        fitting = BATCH_CHARACTERS * len(batch) // max(size, 1)
        rows = max(1, min(most_rows, rows * GROWTH, fitting))
