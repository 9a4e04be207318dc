"""A session: the tables of a store as DuckDB views, and questions asked of them.

Every table is one view over all ranks that are opened. Once they are, access to
files is taken away, so that a question reads the store and nothing else.
"""

import re
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self
from weakref import WeakSet

import duckdb

from ..ingest.errors import UsageError
from ..ingest.schema import SLICE_ARG, SUMMARY_PREFIX
from ..ingest.store import RankStore, Store
from .engine import Answer, connect, interruptible, lock
from .errors import QueryCancelled, QueryError, engine_errors
from .gate import Statement, read_only_statement
from .patterns import VIEW
from .query import AnswerColumn, Parameter, Query, Value, listed
from .result import Result, Stream, described, growing_batches, in_exact_types
from .sources import Opening, Record, attach_indexes
from .views import MAIN, shared_views

if TYPE_CHECKING:
    import pyarrow as pa

Engine = Literal["index", "parquet"]
Rows = list[tuple[Value, ...]]

BATCH_ROWS: Final = 8192
CLOSE_SECONDS: Final = 2.0

_NAMES_ARGS: Final = re.compile(rf"\b{SLICE_ARG.name}\b", re.IGNORECASE)


class Session:
    """Questions to the ranks of a store; a context manager, usable from any thread.

    ``ranks`` chooses some of them. ``engine`` is what answers: the index, or the
    Parquet files of the record. Raises UsageError for a rank that is not there and
    StoreError for files that cannot be opened.
    """

    def __init__(
        self,
        store: Store,
        *,
        ranks: Sequence[int] | None = None,
        engine: Engine = "index",
        memory_bytes: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.store = store
        self.ranks = chosen_ranks(store, ranks)
        self.tables = tuple(dict.fromkeys(name for rank in self.ranks for name in rank.tables))
        # Of several files DuckDB does not say which one it could not read.
        self.place = self.ranks[0].index if len(self.ranks) == 1 else store.path
        self._reads_record = engine == "parquet"
        self._record = Record(opening(store, self.ranks))
        # Those of branches, too: whoever made a branch may be gone before it.
        self._branches: WeakSet[Session] = WeakSet()
        self._branching = threading.Lock()
        self._begin()
        self._closed = False
        self._key_pressed = False
        self._connection = connect(threads=threads, memory_bytes=memory_bytes)
        try:
            if not self._reads_record:
                self._attach(self._connection)
            lock(self._connection)
        except BaseException:
            self._connection.close()
            raise

    def _attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the tables readable, and every other file unreadable."""
        attach_indexes(connection, {MAIN: opening(self.store, self.ranks)})

    def branch(self) -> "Session":
        """Return a session over the same connection whose questions are stopped apart.

        ``interrupt`` of a branch stops nothing of another one; its ``close`` stops its
        own questions and leaves the connection to the session that it comes from.
        """
        other = copy(self)
        other._begin(branch=True)  # noqa: SLF001 - of the same class
        with self._branching:
            self._branches.add(other)
        return other

    def _begin(self, *, branch: bool = False) -> None:
        """Start without cursors and interruptions."""
        self._branch = branch
        self._lock = threading.Lock()
        self._local = threading.local()
        self._cursors: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()
        self._interruptions = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop what runs here and in branches, and close; to ask afterwards raises QueryError."""
        self._closed = True
        # After the interrupt key what still runs is deaf, and was waited for already.
        give_up = time.monotonic() + (0 if self._key_pressed else CLOSE_SECONDS)
        if self._branch:
            self.interrupt()
            return
        while True:
            self.interrupt()
            with self._branching:
                branches = list(self._branches)
            for branch in branches:
                branch.close()
            try:
                self._connection.close()
            except duckdb.ResourceInUseException:
                if time.monotonic() >= give_up:
                    return
                # An interrupted question takes a moment to end.
                time.sleep(CLOSE_SECONDS / 1000)
            else:
                return

    def interrupt(self) -> None:
        """Stop every question that is being answered; its asker gets QueryCancelled."""
        with self._lock:
            self._interruptions += 1
            for cursor in list(self._cursors):
                # A stream that was read to its end has closed its own.
                with suppress(duckdb.ConnectionException):
                    cursor.interrupt()

    def run(
        self,
        query: Query,
        params: Mapping[str, object] | None = None,
        *,
        limit: int | None = None,
    ) -> Result:
        """Answer a question, with at most ``limit`` rows.

        Raises UsageError for wrong parameters, QueryError when it cannot be answered,
        StoreError when the store is damaged, QueryCancelled when it was stopped.
        """
        cursor = self.cursor()
        rows: Rows = []
        try:
            columns, batches = self._answer(cursor, query, params, BATCH_ROWS)
            for batch in batches:
                rows += batch
                if limit is not None and len(rows) > limit:
                    return Result(query.name, columns, rows[:limit], truncated=True)
            return Result(query.name, columns, rows)
        except KeyboardInterrupt:
            # The cursor may be busy for long: the next question takes another.
            self._local.cursor = None
            raise
        finally:
            # What was not read is in the way of the next question.
            if self._local.cursor is cursor:
                with suppress(duckdb.Error):
                    cursor.abort()

    def stream(
        self,
        query: Query,
        params: Mapping[str, object] | None = None,
        *,
        batch_rows: int = BATCH_ROWS,
    ) -> Stream:
        """Answer a question in batches; others may be asked before all are read.

        Raises as ``run`` does, at the call or while it is read.
        """
        cursor = self._new_cursor()
        columns, answered = self._answer(cursor, query, params, batch_rows)

        def batches() -> Generator[Rows]:
            with _closing(cursor):
                yield from answered

        return Stream(query.name, columns, batches())

    def arrow(
        self,
        query: Query,
        params: Mapping[str, object] | None = None,
        *,
        batch_rows: int = BATCH_ROWS,
    ) -> "pa.RecordBatchReader":
        """Answer a question as Arrow batches, in the types of DuckDB.

        Raises as ``run`` does, at the call or while it is read.
        """
        import pyarrow as pa  # noqa: PLC0415 - takes longer than most questions

        begun = self._interruptions
        values = query.bind(params)
        cursor = self._new_cursor()

        def begin() -> "pa.RecordBatchReader":
            statement = self._readied(cursor, query)
            self._columns(cursor, query, statement, values)
            return cursor.sql(statement.text, params=values).to_arrow_reader(batch_rows)

        with engine_errors(query.name, self.place):
            reader = self._interruptible(begin)

        def batches() -> "Generator[pa.RecordBatch]":
            with _closing(cursor):
                try:
                    while True:
                        batch = self._interruptible(lambda: next(reader, None))
                        if batch is None:
                            return
                        self._check(query.name, begun)
                        yield batch
                except (pa.ArrowException, OSError) as error:
                    # Arrow hands DuckDB's errors on as its own.
                    self._check(query.name, begun)
                    raise QueryError(str(error), query.name) from error

        return pa.RecordBatchReader.from_batches(reader.schema, batches())

    def prepare(self, text: str) -> Query:
        """Make a question of SQL that a person typed.

        Raises QueryError unless it is one statement that only reads.
        """
        cursor = self.cursor()
        with engine_errors("sql", self.place):
            statement = read_only_statement(cursor, text)
        params = tuple(
            Parameter(name, None, required=True) for name in sorted(statement.parameters)
        )
        return Query("sql", text, params=params, origin="typed")

    def sql(
        self,
        text: str,
        params: Mapping[str, object] | None = None,
        *,
        limit: int | None = None,
    ) -> Result:
        """Answer SQL that a person typed; raises as ``prepare`` and ``run`` do.

        Values of types for which Python has no exact word come as text.
        """
        return self.run(self.prepare(text), params, limit=limit)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return this thread's own cursor, on which all tables but slice_arg are views."""
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._local, "cursor", None)
        if cursor is None or self._closed:
            cursor = self._local.cursor = self._new_cursor()
        return cursor

    def need(self, table: str) -> None:
        """Make a table readable on this thread's cursor: ``slice_arg`` has to be asked for.

        It is read from Parquet, which takes pyarrow.
        """
        if table == SLICE_ARG.name:
            cursor = self.cursor()
            with engine_errors(table, self.place):
                self._record.register_args(cursor)

    def _new_cursor(self) -> duckdb.DuckDBPyConnection:
        if self._closed:
            raise QueryError("the session is closed", "session")
        with self._lock:
            try:
                cursor = self._connection.cursor()
            except duckdb.ConnectionException as error:
                # Closed by another thread in the meantime.
                raise QueryError("the session is closed", "session") from error
            self._cursors.add(cursor)
        if self._reads_record:
            with engine_errors("session", self.place):
                self._record.register(cursor)
        return cursor

    def _answer(
        self,
        cursor: duckdb.DuckDBPyConnection,
        query: Query,
        params: Mapping[str, object] | None,
        batch_rows: int,
    ) -> tuple[tuple[AnswerColumn, ...], Iterator[Rows]]:
        begun = self._interruptions
        values = query.bind(params)

        def begin() -> None:
            statement = self._readied(cursor, query)
            answers = self._columns(cursor, query, statement, values)
            cursor.execute(in_exact_types(statement.text, answers), values)

        def fetch(rows: int) -> Rows:
            return self._interruptible(lambda: cursor.fetchmany(rows))

        with engine_errors(query.name, self.place):
            self._interruptible(begin)
            columns = tuple(AnswerColumn(one[0], str(one[1])) for one in cursor.description)

        def batches() -> Generator[Rows]:
            with engine_errors(query.name, self.place):
                for batch in growing_batches(fetch, batch_rows):
                    self._check(query.name, begun)
                    yield batch
            self._check(query.name, begun)

        return columns, batches()

    def _interruptible(self, call: Callable[[], Answer]) -> Answer:
        try:
            return interruptible(call, self.interrupt)
        except KeyboardInterrupt:
            self._key_pressed = True
            raise

    def _columns(
        self,
        cursor: duckdb.DuckDBPyConnection,
        query: Query,
        statement: Statement,
        values: Mapping[str, Value],
    ) -> tuple[AnswerColumn, ...]:
        """Return what a question answers; none where that is known to be in exact types.

        Raises QueryError for a preset that does not answer what its header says. That
        is found out here and not when it is loaded: it may take work.
        """
        # What npuview ships answers in exact types only, which a test holds.
        if query.origin == "shipped" or statement.explains:
            return ()
        columns = described(cursor, statement.text, values, query.name)
        # Tables of CSV files differ from profile to profile, and so may the answer.
        of_files = any(table.startswith(SUMMARY_PREFIX) for table in query.needs)
        if query.columns and not of_files and columns != query.columns:
            raise QueryError(
                f"answers {listed(columns)}; its header says {listed(query.columns)}", query.name
            )
        return columns

    def _readied(self, cursor: duckdb.DuckDBPyConnection, query: Query) -> Statement:
        """Check that a question may be asked here; make slice_arg readable if it is named."""
        missing = [
            name for name in query.needs if name not in (*self.tables, VIEW, *shared_views())
        ]
        if missing:
            raise QueryError(f"this profile has no table {', '.join(missing)}", query.name)
        if SLICE_ARG.name in query.needs or (
            query.origin != "shipped" and _NAMES_ARGS.search(query.sql)
        ):
            self._record.register_args(cursor)
        if query.origin == "shipped":
            return Statement(query.sql, frozenset(one.name for one in query.params))
        return read_only_statement(cursor, query.sql, query.name)

    def _check(self, name: str, begun: int) -> None:
        if self._interruptions != begun:
            raise QueryCancelled(f"{name}: stopped")


@contextmanager
def _closing(cursor: duckdb.DuckDBPyConnection) -> Generator[None]:
    """Close a cursor behind its use; not after the interrupt key: it may be busy for long."""
    pressed = False
    try:
        yield
    except KeyboardInterrupt:
        pressed = True
        raise
    finally:
        if not pressed:
            cursor.close()


def opening(store: Store, ranks: Sequence[RankStore]) -> Opening:
    """Return some ranks of a store with the numbers of all its others."""
    chosen = {rank.rank for rank in ranks}
    return Opening(ranks, [rank.rank for rank in store.ranks if rank.rank not in chosen])


def chosen_ranks(store: Store, ranks: Sequence[int] | None) -> tuple[RankStore, ...]:
    """Return some ranks of a store, all without a choice; raise UsageError for one that is not."""
    if ranks is None:
        ranks = [rank.rank for rank in store.ranks]
    if not ranks:
        raise UsageError(f"{store.path}: no rank to open")
    there = {rank.rank: rank for rank in store.ranks}
    missing = [str(rank) for rank in ranks if rank not in there]
    if missing:
        raise UsageError(
            f"no rank {', '.join(missing)} in {store.path}; there are {', '.join(map(str, there))}"
        )
    return tuple(there[rank] for rank in dict.fromkeys(ranks))
