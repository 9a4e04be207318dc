"""The answer to a statement, as far as it is kept to be looked at."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ...queries.query import AnswerColumn, Query, Value
    from ...queries.session import Session

Row = tuple["Value", ...]

MOST_ROWS: Final = 100_000
MOST_CHARACTERS: Final = 64 << 20
"""Text that is kept; an answer with more of it is cut off like one with too many rows."""

PLAN: Final = "plan"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The first rows of an answer; ``more`` tells that there are others."""

    query: "Query"
    params: Mapping[str, object]
    columns: "tuple[AnswerColumn, ...]"
    rows: list[Row]
    more: bool
    dur: int
    """How long it took to answer, ns."""


def keep_answer(session: "Session", query: "Query", params: Mapping[str, object]) -> KeptAnswer:
    """Answer a question and keep its first rows; raises as ``Session.stream`` does."""
    # Known before the answer is made, a limit saves most of the work.
    limits = {one.name for one in query.params if one.name == "limit" and one.type == "BIGINT"}
    asked = {**dict.fromkeys(limits, MOST_ROWS + 1), **params}
    begun = time.monotonic_ns()
    stream = session.stream(query, asked)
    rows: list[Row] = []
    characters, more = 0, False
    for batch in stream:
        rows += batch
        characters += sum(len(value) for row in batch for value in row if isinstance(value, str))
        if len(rows) > MOST_ROWS or characters > MOST_CHARACTERS:
            more = True
            break
    # A batch that brought too much text is shown whole: more may follow it.
    del rows[MOST_ROWS:]
    answered = time.monotonic_ns() - begun
    columns, shown = _without_plan(query, stream.columns, rows)
    return KeptAnswer(query, dict(params), columns, shown, more, answered)


def _without_plan(
    query: "Query", columns: "tuple[AnswerColumn, ...]", rows: list[Row]
) -> "tuple[tuple[AnswerColumn, ...], list[Row]]":
    """Return the plan of an EXPLAIN, one drawing of many lines, as a row for each line."""
    names = [column.name for column in columns]
    if query.origin != "typed" or names != ["explain_key", "explain_value"]:
        return columns, rows
    from ...queries.query import AnswerColumn  # noqa: PLC0415 DuckDB takes long to import

    lines: list[Row] = [(line,) for *_, plan in rows for line in str(plan).splitlines()]
    return (AnswerColumn(PLAN, "VARCHAR"),), lines
