"""The tables of a store as one view each, over all ranks that are opened.

Both engines and the check of questions use the same views, so an answer cannot
depend on which one is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ..ingest.schema import SUMMARY_PREFIX, TABLES
from ..ingest.table import Table, quoted
from .patterns import VIEW, pattern_view, user_patterns

MAIN: Final = "main"
"""The schema of a session over one store."""

UNOPENED: Final = "unopened_rank"
"""The view of ranks that are in the data although no question reads their tables."""

SHARED: Final = Path(__file__).parent / "sql" / "views"
MACROS: Final = Path(__file__).parent / "sql" / "macros"

READ_SUMMARIES: Final[Mapping[str, tuple[str, ...]]] = {
    "fusion_op": ("Model Name", "Fusion Op", "Original Ops", "Memory Total(KB)"),
    "op_statistic": ("OP Type", "Core Type", "Count", "Total Time(us)"),
}
"""Tables of CSV files that shared views read, under these names, and the columns they need."""


def table_view(table: Table, sources: Sequence[str]) -> str:
    """Return the SELECT that makes one table of its parts, one per rank.

    ``sources`` are SQL names; without any the view is empty but has its columns.
    """
    if not sources:
        nulls = ", ".join(
            f"NULL::{column.type} AS {quoted(column.name)}" for column in table.columns
        )
        return f"SELECT {nulls} WHERE FALSE"
    listed = ", ".join(quoted(column.name) for column in table.columns)
    return " UNION ALL ".join(f"SELECT {listed} FROM {source}" for source in sources)


def summary_view(parts: Iterable[tuple[int, str, Sequence[str]]]) -> str:
    """Return the SELECT that makes one table of a CSV's tables in several ranks.

    Each part is a rank, its SQL name and its columns: they may differ between ranks.
    A column ``rank`` is put in front unless the file has one.
    """
    return " UNION ALL BY NAME ".join(
        f"SELECT * FROM {source}"
        if "rank" in columns
        else f"SELECT {rank}::INTEGER AS rank, * FROM {source}"
        for rank, source, columns in parts
    )


def read_summaries(summaries: Iterable[str] = ()) -> Mapping[str, str]:
    """Return the views of ``READ_SUMMARIES``, of a store that has some summaries.

    They have the columns that are read, as text, whatever the files have, and no row
    where there is no file.
    """
    known = set(summaries)
    views: dict[str, str] = {}
    for name, columns in READ_SUMMARIES.items():
        listed = ", ".join(f"NULL::VARCHAR AS {quoted(column)}" for column in columns)
        views[name] = f"SELECT NULL::INTEGER AS rank, {listed} WHERE FALSE"
        if SUMMARY_PREFIX + name in known:
            views[name] += f" UNION ALL BY NAME FROM {SUMMARY_PREFIX}{name}"
    return views


def unopened_view(ranks: Iterable[int]) -> str:
    """Return the SELECT of the ranks that a store has and a session did not open."""
    listed = ", ".join(str(rank) for rank in ranks)
    return f"SELECT unnest([{listed}]::INTEGER[]) AS rank"


def all_views(summaries: Iterable[str] = (), unopened: Iterable[int] = ()) -> Mapping[str, str]:
    """Return the views that a session has besides the tables: what they build on comes first.

    ``unopened`` are the ranks of the store that the session leaves out.
    """
    return {
        VIEW: pattern_view(user_patterns()),
        UNOPENED: unopened_view(unopened),
        **read_summaries(summaries),
        **shared_views(),
    }


@cache
def shared_views() -> Mapping[str, str]:
    """Return the views made of other views that several questions share, by name."""
    return {file.stem: file.read_text("utf-8") for file in sorted(SHARED.glob("*.sql"))}


@cache
def macros() -> Mapping[str, str]:
    """Return the statement that makes each macro that several questions share, by name.

    A view takes no parameters: what is narrowed by those of a question is a macro.
    """
    return {file.stem: file.read_text("utf-8") for file in sorted(MACROS.glob("*.sql"))}


def create_macros(*, temporary: bool = False) -> list[str]:
    """Return the statements that make the macros, for one connection only if temporary.

    Views have to be there before them. A macro may use those whose names come before its own.
    """
    kind = "CREATE TEMP MACRO" if temporary else "CREATE MACRO"
    return [text.replace("CREATE MACRO", kind, 1) for text in macros().values()]


def create_view(name: str, select: str, *, schema: str | None = MAIN) -> str:
    """Return the statement that makes a view in a schema; without one for one connection only.

    What it reads without naming a schema is looked for in its own first.
    """
    if schema is None:
        return f"CREATE TEMP VIEW {quoted(name)} AS\n{select}"
    return f"CREATE VIEW {quoted(schema)}.{quoted(name)} AS\n{select}"


def empty_views(schema: str = MAIN) -> list[str]:
    """Return statements that make every table of the store in a schema, without rows.

    In that of a session over one store the macros are made too.
    """
    tables = {table.name: table_view(table, ()) for table in TABLES.values()}
    views = {**tables, **all_views()}
    made = [create_view(name, select, schema=schema) for name, select in views.items()]
    return [*made, *(create_macros() if schema == MAIN else ())]
