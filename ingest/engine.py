"""A DuckDB connection that works in a thread of its own and can be stopped."""

import threading
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self, TypeVar

import duckdb
import pyarrow as pa

from .errors import IngestError, Interrupted

MEMORY_LIMIT: Final = "512MB"
STOP_SECONDS: Final = 0.1

T = TypeVar("T")


class Engine:
    """Asks DuckDB; what it raises becomes IngestError naming the place.

    ``stop`` ends what runs: whoever waits for an answer then gets Interrupted.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, place: Path, stop: threading.Event
    ) -> None:
        self._connection = connection
        self._place = place
        self._stop = stop
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="derive")

    @classmethod
    def open(cls, place: Path, *, threads: int, spill: Path, stop: threading.Event) -> Self:
        """Open a database in memory; what is more than its share goes to ``spill``."""
        connection = duckdb.connect(
            ":memory:",
            config={
                "threads": threads,
                "memory_limit": MEMORY_LIMIT,
                "temp_directory": str(spill),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                # Kept for the next table: fresh memory costs as much as what is done in it.
                "block_allocator_memory": MEMORY_LIMIT,
            },
        )
        return cls(connection, place, stop)

    def branch(self) -> "Engine":
        """Return another connection to the same database, with a thread of its own."""
        return Engine(self._connection.cursor(), self._place, self._stop)

    def close(self) -> None:
        """Wait for what runs, end it if the work is stopped, and close the connection."""
        if self._stop.is_set():
            self._connection.interrupt()
        self._worker.shutdown(wait=True)
        with suppress(duckdb.Error):
            # A statement that was just interrupted may still hold it.
            self._connection.close()

    def execute(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> duckdb.DuckDBPyConnection:
        """Execute a statement here and now."""
        with self._converted(sql.split("\n", 1)[0][:80]):
            if parameters:
                return self._connection.execute(sql, dict(parameters))
            return self._connection.execute(sql)

    def insert(self, sql: str, rows: pa.Table | pa.RecordBatch) -> None:
        """Execute a statement that takes rows from ``incoming``."""
        with self._converted(sql):
            self._connection.register("incoming", rows)
            try:
                self._connection.execute(sql)
            finally:
                self._connection.unregister("incoming")

    def stream(
        self, sql: str, parameters: Mapping[str, object] | None, rows: int
    ) -> pa.RecordBatchReader:
        """Return the rows of a SELECT in batches of about ``rows``."""
        with self._converted(sql.split("\n", 1)[0][:80]):
            found = self._connection.sql(sql, params=dict(parameters or {}) or None)
            return found.to_arrow_reader(rows)

    def patiently(self, work: Callable[[], T]) -> T:
        """Do what may take long; raise Interrupted when it is stopped meanwhile."""
        return self.answer(self.begin(work))

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Begin what may take long in the thread of this connection."""
        return self._worker.submit(self._work, work)

    def answer(self, begun: Future[T]) -> T:
        """Wait for what was begun; raise Interrupted when it is stopped meanwhile.

        DuckDB keeps the thread that asks it, and only the main thread is told of Ctrl-C.
        """
        try:
            while not wait([begun], timeout=STOP_SECONDS).done and not self._stop.is_set():
                pass
        finally:
            # Left by a key or by an event: what still runs is of no use to anybody.
            if not begun.done():
                self._connection.interrupt()
                wait([begun])
        if self._stop.is_set():
            raise Interrupted("stopped; nothing was written")
        return begun.result()

    def _work(self, work: Callable[[], T]) -> T:
        if self._stop.is_set():
            raise Interrupted("stopped; nothing was written")
        with self._converted("rows"):
            return work()

    @contextmanager
    def _converted(self, sql: str) -> Generator[None]:
        """Turn what DuckDB and Arrow raise into IngestError; Ctrl-C comes in many forms."""
        try:
            yield
        except (duckdb.Error, RuntimeError, pa.ArrowException) as error:
            if "nterrupt" in str(error):
                raise Interrupted("stopped; nothing was written") from error
            raise IngestError(f"{self._place}: {error} (at: {sql})") from error
