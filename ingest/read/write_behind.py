"""Rows written by a second thread while the first decodes the next events."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self

import pyarrow as pa

from .rows import RowSink

MOST_WAITING: Final = 4
"""Batches that may wait to be written; more would only hold memory."""


class WriteBehind:
    """A sink that hands rows to another sink in their order; use it as a context manager.

    Writing Parquet and filling DuckDB let other threads run. What the other sink raises
    is raised by a later call or at the end.
    """

    def __init__(self, sink: RowSink) -> None:
        self._sink = sink
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="write")
        self._waiting: deque[Future[None]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.shutdown(wait=True, cancel_futures=error is not None)
        if error is None:
            for written in self._waiting:
                written.result()

    def slices(self, rows: pa.RecordBatch) -> None:
        """Take rows of SLICE_ROWS."""
        self._put(self._sink.slices, rows)

    def slice_args(self, rows: pa.RecordBatch) -> None:
        """Take rows of ARG_ROWS."""
        self._put(self._sink.slice_args, rows)

    def flows(self, rows: pa.RecordBatch) -> None:
        """Take rows of FLOW_ROWS."""
        self._put(self._sink.flows, rows)

    def counters(self, rows: pa.RecordBatch) -> None:
        """Take rows of COUNTER_ROWS."""
        self._put(self._sink.counters, rows)

    def _put(self, write: Callable[[pa.RecordBatch], None], rows: pa.RecordBatch) -> None:
        while len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._writer.submit(write, rows))
