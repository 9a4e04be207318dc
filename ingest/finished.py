"""Tables that are finished, and how they are written.

Each goes to its Parquet file, the record, and from there into the index that readers
open. A directory of a store holds both.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa

from .engine import Engine
from .record import ROW_GROUP_ROWS, WRITTEN_ROWS, in_groups, record_writer
from .store import INDEX
from .table import quoted

Shape = Callable[[pa.Table], pa.Table]


@dataclass(frozen=True, slots=True)
class _Finished:
    """A table by the SELECT of its rows, which are shaped group by group."""

    name: str
    select: str
    shape: Shape
    parameters: Mapping[str, object] | None


class FinishedTables:
    """Writes tables when all are there, as many at a time as there are connections."""

    def __init__(self, engines: Sequence[Engine], directory: Path) -> None:
        self._engines = engines
        self._directory = directory
        self._waiting: deque[_Finished] = deque()
        engines[0].execute(f"ATTACH {_literal(directory / INDEX)} AS store_index")
        # What is inserted as a whole goes to its place at once, not to a log before.
        engines[0].execute("SET checkpoint_threshold = '1TB'")

    def add(self, name: str, select: str) -> None:
        """Take the rows of a SELECT for a table.

        The tables that it reads must stay as they are until ``rows`` returns.
        """
        self._waiting.append(_Finished(name, select, lambda rows: rows, None))

    def add_longest(
        self, name: str, select: str, *, shape: Shape, parameters: Mapping[str, object]
    ) -> None:
        """Take the rows of a SELECT, each group of them shaped, for the longest table.

        It is written first, so that the others fill the time beside it.
        """
        self._waiting.appendleft(_Finished(name, select, shape, parameters))

    def rows(self) -> dict[str, int]:
        """Write all tables; return how many rows each has."""
        counts = {table.name: 0 for table in self._waiting}
        # Encoding a column is the work of one thread: several tables at a time keep all
        # processors busy, where several threads on one table wait for each other.
        self._engines[0].execute("SET threads = 1")
        begun = [engine.begin(partial(self._write_all, engine)) for engine in self._engines]
        try:
            for engine, written in zip(self._engines, begun, strict=True):
                counts |= engine.answer(written)
        finally:
            # After a failure or a stop the others begin no further table.
            self._waiting.clear()
        self._engines[0].patiently(lambda: self._engines[0].execute("DETACH store_index"))
        return counts

    def _write_all(self, engine: Engine) -> dict[str, int]:
        """Write tables as long as there are any."""
        counts: dict[str, int] = {}
        while self._waiting:
            with suppress(IndexError):
                table = self._waiting.popleft()
                counts[table.name] = self._write(engine, table)
        return counts

    def _write(self, engine: Engine, table: _Finished) -> int:
        name, shape = table.name, table.shape
        path = self._directory / f"{name}.parquet"
        reader = engine.stream(table.select, table.parameters, WRITTEN_ROWS)
        # Without any rows there are columns all the same.
        columns = shape(reader.schema.empty_table()).schema
        count = 0
        with record_writer(path, columns) as file:
            for rows in in_groups(reader):
                file.write_table(shape(rows), row_group_size=ROW_GROUP_ROWS)
                count += rows.num_rows
        engine.execute(f"CREATE TABLE store_index.{quoted(name)} AS {parquet_rows(path)}")
        return count


def parquet_rows(path: Path) -> str:
    """Return the FROM of a Parquet file; a directory called rank=0 is not a column of it."""
    return f"FROM read_parquet({_literal(path)}, hive_partitioning = false)"


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
