"""The tables of a store as one view each, over all ranks that are opened.

Both engines and the check of questions use the same views, so an answer cannot
depend on which one is asked. ``slice`` has a column more than the stored table:
``end_ts``.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from ..ingest.schema import TABLES, Column, Table, quoted

SHARED: Final = Path(__file__).parent / "sql" / "views"

COMPUTED: Final[Mapping[str, tuple[tuple[Column, str], ...]]] = {
    "slice": ((Column("end_ts", "BIGINT", "ts + dur"), "ts + dur"),),
}
"""Columns that a view adds to its table: the column and the SQL that makes it."""


def view_columns(table: Table) -> tuple[Column, ...]:
    """Return the columns of a table's view."""
    return table.columns + tuple(column for column, _ in COMPUTED.get(table.name, ()))


def table_view(table: Table, sources: Sequence[str]) -> str:
    """Return the SELECT that makes one table of its parts, one per rank.

    ``sources`` are SQL names; without any the view is empty but has its columns.
    """
    if not sources:
        nulls = ", ".join(
            f"NULL::{column.type} AS {quoted(column.name)}" for column in view_columns(table)
        )
        return f"SELECT {nulls} WHERE FALSE"
    columns = [quoted(column.name) for column in table.columns]
    columns += [f"{sql} AS {quoted(column.name)}" for column, sql in COMPUTED.get(table.name, ())]
    listed = ", ".join(columns)
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


@cache
def shared_views() -> Mapping[str, str]:
    """Return the views made of other views that several questions share, by name."""
    return {file.stem: file.read_text("utf-8") for file in sorted(SHARED.glob("*.sql"))}


def create_view(name: str, select: str, *, temporary: bool = False) -> str:
    """Return the statement that makes a view, for one connection only if temporary."""
    return f"CREATE {'TEMP ' if temporary else ''}VIEW {quoted(name)} AS\n{select}"


def empty_views() -> list[str]:
    """Return statements that make every table of the schema, without rows."""
    tables = {table.name: table_view(table, ()) for table in TABLES.values()}
    return [create_view(name, select) for name, select in {**tables, **shared_views()}.items()]
