"""The database in which a rank's tables are derived, and what it becomes on disk.

Rows of the readers go in, each derived table is one SELECT in ``derive/*.sql``,
and finished tables leave as Parquet. What does not fit its memory spills into the
directory of the rank under construction.
"""

import shutil
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from . import derive
from .errors import IngestError, Interrupted
from .read.rows import ARG_ROWS, COUNTER_ROWS, FLOW_ROWS, SLICE_ROWS
from .schema import Table, quoted

MEMORY_LIMIT = "512MB"
STOP_SECONDS = 0.1
ROW_GROUP_ROWS = 32_768
ARG_ROW_GROUP_ROWS = 65_536
BATCH_ROWS = 131_072

T = TypeVar("T")


class Workspace:
    """A scratch database; use it as a context manager."""

    def __init__(self, directory: Path, *, threads: int, stop: threading.Event) -> None:
        self.directory = directory
        self._stop = stop
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="derive")
        # Tables live in memory up to the limit and beyond it in this directory.
        self._spill = directory / "spill"
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "threads": threads,
                "memory_limit": MEMORY_LIMIT,
                "temp_directory": str(self._spill),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            },
        )
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
        self._worker.shutdown(wait=True)
        self._args.close()
        with suppress(duckdb.Error):
            # A statement that was just interrupted may still hold it.
            self._connection.close()
        shutil.rmtree(self._spill, ignore_errors=True)

    def slices(self, rows: pa.RecordBatch) -> None:
        """Take slices as a reader gives them."""
        self.add("read_slice", rows)

    def slice_args(self, rows: pa.RecordBatch) -> None:
        """Write args of slices; they are written once and take part in no sort."""
        self.arg_rows += rows.num_rows
        self._args.write_batch(rows, row_group_size=ARG_ROW_GROUP_ROWS)

    def flows(self, rows: pa.RecordBatch) -> None:
        """Take ends of arrows."""
        self.add("read_flow", rows)

    def counters(self, rows: pa.RecordBatch) -> None:
        """Take counter samples."""
        self.add("read_counter", rows)

    def words(self, texts: Sequence[str]) -> None:
        """Take the texts whose codes the rows carry, in the order of their codes."""
        columns = {"code": pa.array(range(len(texts)), pa.int32()), "text": pa.array(texts)}
        self.add("word", pa.table(columns))

    def finish_args(self) -> None:
        """Close the file of slice args and make it readable as ``slice_arg``."""
        self._args.close()
        self._execute(f"CREATE VIEW slice_arg AS {self._parquet('slice_arg')}")

    def add(self, name: str, rows: pa.Table | pa.RecordBatch) -> None:
        """Append rows to a table, which the first rows create."""
        with _converted(self.directory):
            self._connection.register("incoming", rows)
        table = quoted(name)
        try:
            if name in self._tables:
                self._execute(f"INSERT INTO {table} BY NAME FROM incoming")
            else:
                self._execute(f"CREATE TABLE {table} AS FROM incoming")
                self._tables.add(name)
        finally:
            self._connection.unregister("incoming")

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
        named = {key: value for key, value in parameters.items() if f"${key}" in text}
        self._patiently(f"{begin}\n{text}", named)

    def ask(self, name: str, **parameters: object) -> list[Any]:
        """Return the rows of the SELECT in ``derive/<name>.sql``; parameters as in derive."""
        text = _select(name)
        return self.rows(text, {key: parameters[key] for key in parameters if f"${key}" in text})

    def stream(self, name: str, **parameters: object) -> Generator[pa.RecordBatch]:
        """Give the rows of the SELECT in ``derive/<name>.sql`` in their order, batch by batch.

        Parameters as in derive. Tables that it reads must not change meanwhile; others may.
        """
        text = _select(name)
        named = {key: value for key, value in parameters.items() if f"${key}" in text}
        cursor = self._connection.cursor()

        def begin() -> pa.RecordBatchReader:
            return cursor.sql(text, params=named or None).to_arrow_reader(BATCH_ROWS)

        def batches() -> Generator[pa.RecordBatch]:
            try:
                with _converted(self.directory, f" (at: {name})"):
                    reader = self._wait(begin, cursor)
                    while (rows := self._wait(lambda: next(reader, None), cursor)) is not None:
                        if rows.num_rows:
                            yield rows
            finally:
                cursor.close()

        return batches()

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

    def write(self, table: Table) -> int:
        """Write a finished table as Parquet in the order of its rows; return how many."""
        columns = ", ".join(
            f"{quoted(c.name)}::{c.type} AS {quoted(c.name)}" for c in table.columns
        )
        return self.copy(table.name, f"SELECT {columns} FROM {quoted(table.name)}")

    def copy(self, name: str, select: str) -> int:
        """Write the rows of a SELECT as ``<name>.parquet``; return how many."""
        path = str(self.directory / f"{name}.parquet").replace("'", "''")
        options = (
            "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1,"
            f" ROW_GROUP_SIZE {ROW_GROUP_ROWS}"
        )
        count = self._patiently(f"COPY ({select}) TO '{path}' ({options})").fetchone()
        return int(count[0]) if count else 0

    def index(self, path: Path, tables: Iterable[str]) -> None:
        """Make the database that readers open, from the Parquet files of the tables."""
        target = str(path).replace("'", "''")
        self._execute(f"ATTACH '{target}' AS store_index")
        # In one transaction, so that nothing is written twice: to a log, then to the file.
        self._execute("BEGIN")
        for name in tables:
            self._patiently(f"CREATE TABLE store_index.{quoted(name)} AS {self._parquet(name)}")
        self._execute("COMMIT")
        self._execute("DETACH store_index")

    def _parquet(self, name: str) -> str:
        # A directory called rank=0 would be taken for a column of that name.
        path = str(self.directory / f"{name}.parquet").replace("'", "''")
        return f"FROM read_parquet('{path}', hive_partitioning = false)"

    def _patiently(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        """Execute what may take long, so that the work can be stopped meanwhile."""
        return self._wait(lambda: self._execute(sql, parameters), self._connection)

    def _wait(self, ask: Callable[[], T], connection: duckdb.DuckDBPyConnection) -> T:
        """Let the worker ask.

        DuckDB keeps the thread that asks it, and only the main thread is told of Ctrl-C.
        """
        answer = self._worker.submit(ask)
        try:
            while not wait([answer], timeout=STOP_SECONDS).done and not self._stop.is_set():
                pass
        finally:
            # Left by a key or by an event: what still runs is of no use to anybody.
            if not answer.done():
                connection.interrupt()
                wait([answer])
        if self._stop.is_set():
            raise Interrupted("stopped; nothing was written")
        return answer.result()

    def _execute(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        first = sql.split("\n", 1)[0][:80]
        with _converted(self.directory, f" (at: {first})"):
            if parameters:
                return self._connection.execute(sql, dict(parameters))
            return self._connection.execute(sql)


def _select(name: str) -> str:
    return resources.files(derive).joinpath(f"{name}.sql").read_text("utf-8")


@contextmanager
def _converted(directory: Path, place: str = "") -> Generator[None]:
    """Turn what DuckDB raises into IngestError; Ctrl-C comes in many forms."""
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if "nterrupt" in str(error):
            raise Interrupted("stopped; nothing was written") from error
        raise IngestError(f"{directory}: {error}{place}") from error
