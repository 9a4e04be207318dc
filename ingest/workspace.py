"""The database in which a rank's tables are derived, and what it becomes on disk.

Rows of the readers go in, each derived table is one SELECT in ``derive/*.sql``,
and finished tables leave as Parquet and for the index. What does not fit its memory
spills into the directory of the rank under construction.
"""

import shutil
import threading
from collections.abc import Generator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from . import derive
from .derive.slice_rows import SliceRows
from .engine import Engine
from .finished import FinishedTables, parquet_rows
from .read.rows import ARG_ROWS, COUNTER_ROWS, FLOW_ROWS, SLICE_ROWS
from .schema import SLICE
from .table import Table, quoted

ARG_ROW_GROUP_ROWS: Final = 65_536
BATCH_ROWS: Final = 131_072
INSERTED_ROWS: Final = 122_880
"""A row group of DuckDB: less at a time costs more for each row."""


class Workspace:
    """A scratch database; use it as a context manager."""

    def __init__(self, directory: Path, *, threads: int, stop: threading.Event) -> None:
        self.directory = directory
        # Tables live in memory up to the limit and beyond it in this directory.
        self._spill = directory / "spill"
        self._engine = Engine.open(directory, threads=threads, spill=self._spill, stop=stop)
        self._beside = [self._engine.branch() for _ in range(threads)]
        self._finished = FinishedTables(self._beside, directory)
        self._args = pq.ParquetWriter(
            directory / "slice_arg.parquet",
            ARG_ROWS,
            compression="zstd",
            compression_level=1,
            write_page_checksum=True,
            # Statistics of long texts cost much and prune nothing.
            write_statistics=["arg_set_id"],  # pyright: ignore[reportArgumentType] # stubs: bool
            use_dictionary=False,
        )
        self.arg_rows = 0
        self._tables: set[str] = set()
        self._collected: dict[str, list[pa.RecordBatch]] = {}
        for name, schema in (
            ("read_slice", SLICE_ROWS),
            ("read_flow", FLOW_ROWS),
            ("read_counter", COUNTER_ROWS),
        ):
            self.add(name, schema.empty_table())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._args.close()
        for engine in self._beside:
            engine.close()
        self._engine.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def slices(self, rows: pa.RecordBatch) -> None:
        """Take slices as a reader gives them."""
        self._collect("read_slice", rows)

    def slice_args(self, rows: pa.RecordBatch) -> None:
        """Write args of slices; they are written once and take part in no sort."""
        self.arg_rows += rows.num_rows
        self._args.write_batch(rows, row_group_size=ARG_ROW_GROUP_ROWS)

    def flows(self, rows: pa.RecordBatch) -> None:
        """Take ends of arrows."""
        self._collect("read_flow", rows)

    def counters(self, rows: pa.RecordBatch) -> None:
        """Take counter samples."""
        self._collect("read_counter", rows)

    def finish_rows(self) -> None:
        """Add the rows of slices, arrows and counters that wait for more of their kind."""
        for name, batches in self._collected.items():
            if batches:
                self.add(name, pa.Table.from_batches(batches))
            batches.clear()

    def _collect(self, name: str, rows: pa.RecordBatch) -> None:
        """Keep rows until there are as many as DuckDB stores in one go."""
        batches = self._collected.setdefault(name, [])
        batches.append(rows)
        if sum(batch.num_rows for batch in batches) >= INSERTED_ROWS:
            self.add(name, pa.Table.from_batches(batches))
            batches.clear()

    def words(self, texts: Sequence[str]) -> None:
        """Take the texts whose codes the rows carry, in the order of their codes."""
        columns = {"code": pa.array(range(len(texts)), pa.int32()), "text": pa.array(texts)}
        self.add("word", pa.table(columns))

    def finish_args(self) -> None:
        """Close the file of slice args and make it readable as ``slice_arg``."""
        self._args.close()
        rows = parquet_rows(self.directory / "slice_arg.parquet")
        self._execute(f"CREATE VIEW slice_arg AS {rows}")

    def add(self, name: str, rows: pa.Table | pa.RecordBatch) -> None:
        """Append rows to a table, which the first rows create."""
        known = name in self._tables
        begin = "INSERT INTO {} BY NAME" if known else "CREATE TABLE {} AS"
        self._engine.insert(f"{begin.format(quoted(name))} FROM incoming", rows)
        self._tables.add(name)

    def split_kernels(self) -> None:
        """Part the kernel rows from their many metrics, which take part in no join."""
        self._execute("CREATE VIEW kernel_row AS SELECT * EXCLUDE (metrics) FROM read_kernel")
        self._execute(
            "CREATE VIEW kernel_metrics_row AS SELECT row_number, metrics FROM read_kernel"
        )

    def derive(self, name: str, *, into: str | None = None, **parameters: object) -> None:
        """Make a table by the SELECT in ``derive/<name>.sql``.

        Of ``parameters`` those that the SELECT names are used. With ``into`` the rows
        are added to, or create, a table of another name.
        """
        text = _select(name)
        table = into or name
        known = table in self._tables
        begin = f"INSERT INTO {quoted(table)}" if known else f"CREATE TABLE {quoted(table)} AS"
        self._tables.add(table)
        named = _named(text, parameters)
        self._engine.patiently(lambda: self._execute(f"{begin}\n{text}", named))

    def ask(self, name: str, **parameters: object) -> list[Any]:
        """Return the rows of the SELECT in ``derive/<name>.sql``; parameters as in derive."""
        text = _select(name)
        return self.rows(text, _named(text, parameters))

    def is_empty(self, name: str) -> bool:
        """Tell whether a table has no rows."""
        return not self.rows(f"SELECT 1 FROM {quoted(name)} LIMIT 1")

    def rows(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[Any]:
        """Return all rows of a small answer."""
        return self._execute(sql, parameters).fetchall()

    def drop(self, *names: str) -> None:
        """Drop tables that nothing needs any more, so that the file stays small."""
        for name in names:
            self._execute(f"DROP TABLE {quoted(name)}")
            self._tables.discard(name)

    def view(self, name: str, select: str | None = None) -> None:
        """Make a view by the SELECT in ``derive/<select>.sql``, which takes no parameters.

        The file has the view's name unless another is given.
        """
        self._execute(f"CREATE VIEW {quoted(name)} AS\n{_select(select or name)}")

    def stream(self, name: str, **parameters: object) -> Generator[pa.RecordBatch]:
        """Give the rows of the SELECT in ``derive/<name>.sql``, batch by batch.

        Parameters as in derive. Tables that it reads must not change meanwhile; others may.
        """
        text = _select(name)
        branch = self._engine.branch()
        try:
            reader = branch.patiently(
                lambda: branch.stream(text, _named(text, parameters), BATCH_ROWS)
            )
            while (rows := branch.patiently(lambda: next(reader, None))) is not None:
                if rows.num_rows:
                    yield rows
        finally:
            branch.close()

    def table(self, name: str) -> pa.Table:
        """Return the columns of the SELECT in ``derive/<name>.sql``, a small answer."""
        return self._engine.stream(_select(name), None, BATCH_ROWS).read_all()

    def finish(self, *tables: Table) -> None:
        """Take tables as finished; they are written in the order of their rows."""
        for table in tables:
            columns = ", ".join(
                f"{quoted(c.name)}::{c.type} AS {quoted(c.name)}" for c in table.columns
            )
            self._finished.add(table.name, f"SELECT {columns} FROM {quoted(table.name)}")

    def finish_as_read(self, name: str) -> None:
        """Take a table as finished with the columns that it has."""
        self._finished.add(name, f"FROM {quoted(name)}")

    def finish_slices(self, rows: SliceRows, **parameters: object) -> None:
        """Take the slices as finished; their table is never held as a whole."""
        text = _select("slice_rows")
        self._finished.add_longest(
            SLICE.name, text, shape=rows.complete, parameters=_named(text, parameters)
        )

    def finished(self) -> dict[str, int]:
        """Write every finished table; return how many rows each has."""
        return self._finished.rows()

    def _execute(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        return self._engine.execute(sql, parameters)


@cache
def _select(name: str) -> str:
    return resources.files(derive).joinpath(f"{name}.sql").read_text("utf-8")


def _named(text: str, parameters: Mapping[str, object]) -> dict[str, object]:
    """Return those of the parameters that a SELECT names."""
    return {key: value for key, value in parameters.items() if f"${key}" in text}
