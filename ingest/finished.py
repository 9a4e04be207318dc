"""Tables that are finished: written while others are still being derived.

Each goes to its Parquet file, the record, and from there into the index that readers
open. A directory of a store holds both.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from .engine import Engine
from .record import WRITTEN_ROWS, RecordFile, in_groups
from .schema import quoted
from .store import INDEX

if TYPE_CHECKING:
    from concurrent.futures import Future

Shape = Callable[[pa.Table], pa.Table]


class FinishedTables:
    """Writes tables one after another, beside what the other connections do."""

    def __init__(self, engine: Engine, directory: Path) -> None:
        self._engine = engine
        self._directory = directory
        self._begun: dict[str, Future[int]] = {}
        self._engine.execute(f"ATTACH {_literal(directory / INDEX)} AS store_index")
        # What is inserted as a whole goes to its place at once, not to a log before.
        self._engine.execute("SET checkpoint_threshold = '1TB'")

    def add(
        self,
        name: str,
        select: str,
        *,
        shape: Shape = lambda rows: rows,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        """Begin to write the rows of a SELECT, each group of them shaped, as a table.

        The tables that it reads must stay as they are until ``rows`` returns.
        """
        self._begun[name] = self._engine.begin(lambda: self._write(name, select, shape, parameters))

    def rows(self) -> dict[str, int]:
        """Wait for all tables; return how many rows each has."""
        counts = {name: self._engine.answer(begun) for name, begun in self._begun.items()}
        self._engine.patiently(lambda: self._engine.execute("DETACH store_index"))
        return counts

    def _write(
        self,
        name: str,
        select: str,
        shape: Shape,
        parameters: Mapping[str, object] | None,
    ) -> int:
        path = self._directory / f"{name}.parquet"
        reader = self._engine.stream(select, parameters, WRITTEN_ROWS)
        with ExitStack() as stack:
            file: RecordFile | None = None
            for rows in in_groups(reader):
                shaped = shape(rows)
                if file is None:
                    file = stack.enter_context(RecordFile(path, shaped.schema))
                file.write(shaped)
            if file is None:
                empty = shape(reader.schema.empty_table())
                file = stack.enter_context(RecordFile(path, empty.schema))
        self._engine.execute(f"CREATE TABLE store_index.{quoted(name)} AS {parquet_rows(path)}")
        return file.rows


def parquet_rows(path: Path) -> str:
    """Return the FROM of a Parquet file; a directory called rank=0 is not a column of it."""
    return f"FROM read_parquet({_literal(path)}, hive_partitioning = false)"


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
