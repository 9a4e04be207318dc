"""What a table of the store is: its columns, their meaning, and the order of its rows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, DuckDB type and meaning (with unit and what NULL says)."""

    name: str
    type: str
    about: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store and the order in which its rows are written."""

    name: str
    about: str
    columns: tuple[Column, ...]
    order: tuple[str, ...] = ()
    indexed: bool = True
    """Whether index.duckdb holds it too; the Parquet record always does."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns in order."""
        return tuple(column.name for column in self.columns)


def described(
    name: str,
    about: str,
    columns: str,
    *,
    order: tuple[str, ...] = (),
    indexed: bool = True,
) -> Table:
    """Read a table from lines of ``name | TYPE | meaning``."""
    rows = [
        Column(*(part.strip() for part in line.split("|", 2)))
        for line in columns.strip().splitlines()
    ]
    return Table(name, about, tuple(rows), order, indexed)


def quoted(identifier: str) -> str:
    """Quote an identifier for SQL."""
    return '"' + identifier.replace('"', '""') + '"'


def create_statement(table: Table) -> str:
    """Return the ``CREATE TABLE`` of a table."""
    columns = ", ".join(f"{quoted(c.name)} {c.type}" for c in table.columns)
    return f"CREATE TABLE {quoted(table.name)} ({columns})"
