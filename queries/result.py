"""Answers as Python values: whole ones, and streams of batches."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from .errors import QueryError
from .query import AnswerColumn, Value

RowType = TypeVar("RowType")


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
