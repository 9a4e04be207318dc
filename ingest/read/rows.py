"""Rows that the timeline reader gives away, before lanes have names and slices numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import pyarrow as pa

SLICE_ROWS: Final = pa.schema(
    [
        ("seq", pa.int64()),
        ("lane", pa.int32()),
        ("ts", pa.int64()),
        ("dur", pa.int64()),
        ("name", pa.string()),
        ("category", pa.string()),
        ("phase", pa.string()),
        ("unfinished", pa.bool_()),
        ("task_type", pa.string()),
        ("stream_id", pa.int64()),
        ("task_id", pa.int64()),
        ("connection_id", pa.int64()),
        ("arg_set_id", pa.int64()),
    ]
)
"""``seq`` is the order of the file; ``dur`` is NULL for a slice that never ended."""

ARG_ROWS: Final = pa.schema([("arg_set_id", pa.int64()), ("args", pa.string())])

FLOW_ROWS: Final = pa.schema(
    [
        ("seq", pa.int64()),
        ("phase", pa.string()),
        ("category", pa.string()),
        ("name", pa.string()),
        ("flow_key", pa.string()),
        ("lane", pa.int32()),
        ("ts", pa.int64()),
    ]
)
"""One row is one end of an arrow: phase s, t or f."""

COUNTER_ROWS: Final = pa.schema(
    [("series", pa.int32()), ("ts", pa.int64()), ("value", pa.float64())]
)


class RowSink(Protocol):
    """Takes the rows of one batch of events."""

    def slices(self, rows: pa.RecordBatch) -> None:
        """Take rows of SLICE_ROWS."""
        ...

    def slice_args(self, rows: pa.RecordBatch) -> None:
        """Take rows of ARG_ROWS."""
        ...

    def flows(self, rows: pa.RecordBatch) -> None:
        """Take rows of FLOW_ROWS."""
        ...

    def counters(self, rows: pa.RecordBatch) -> None:
        """Take rows of COUNTER_ROWS."""
        ...


@dataclass(frozen=True, slots=True)
class Series:
    """A counter series: its lane's number, the counter's name, which value, its unit."""

    number: int
    lane: int
    name: str
    key: str
    unit: str | None = None


def batch(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.RecordBatch:
    """Turn rows into columns; there must be at least one."""
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.record_batch(arrays, schema=schema)
