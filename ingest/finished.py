"""Tables that are finished: written while others are still being derived.

Each goes to its Parquet file, the record, and from there into the index that readers
open. A directory of a store holds both.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from .engine import Engine
from .record import WRITTEN_ROWS, RecordFile, in_groups
from .schema import TABLES, index_type, quoted
from .store import INDEX

if TYPE_CHECKING:
    from concurrent.futures import Future

Shape = Callable[[pa.Table], pa.Table]


class FinishedTables:
    """Writes tables beside what other connections do, one after another on each of its own."""

    def __init__(self, engines: Sequence[Engine], directory: Path) -> None:
        self._engines = engines
        self._directory = directory
        self._begun: dict[str, tuple[Engine, Future[int]]] = {}
        self._engine = engines[0]
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
        waiting = [engine for engine, begun in self._begun.values() if not begun.done()]
        engine = min(self._engines, key=waiting.count)
        begun = engine.begin(lambda: self._write(engine, name, select, shape, parameters))
        self._begun[name] = engine, begun

    def rows(self) -> dict[str, int]:
        """Wait for all tables; return how many rows each has."""
        counts = {name: engine.answer(begun) for name, (engine, begun) in self._begun.items()}
        self._engine.patiently(lambda: self._engine.execute("DETACH store_index"))
        return counts

    def _write(
        self,
        engine: Engine,
        name: str,
        select: str,
        shape: Shape,
        parameters: Mapping[str, object] | None,
    ) -> int:
        path = self._directory / f"{name}.parquet"
        reader = engine.stream(select, parameters, WRITTEN_ROWS)
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
        columns = (
            ", ".join(
                f"{quoted(c.name)}::{index_type(TABLES[name], c)} AS {quoted(c.name)}"
                for c in TABLES[name].columns
            )
            if name in TABLES
            else "*"
        )
        engine.execute(
            f"CREATE TABLE store_index.{quoted(name)} AS SELECT {columns} {parquet_rows(path)}"
        )
        return file.rows


def parquet_rows(path: Path) -> str:
    """Return the FROM of a Parquet file; a directory called rank=0 is not a column of it."""
    return f"FROM read_parquet({_literal(path)}, hive_partitioning = false)"


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
