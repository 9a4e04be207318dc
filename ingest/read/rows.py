"""Rows that the timeline reader gives away, before lanes have names and slices numbers.

Texts that repeat are codes of ``words``, so that nothing that is sorted or joined
carries them.
"""

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
        ("name", pa.int32()),
        ("category", pa.int32()),
        ("phase", pa.int32()),
        ("task_type", pa.int32()),
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
        ("phase", pa.int8()),
        ("category", pa.int32()),
        ("name", pa.int32()),
        ("key", pa.int64()),
        ("lane", pa.int32()),
        ("ts", pa.int64()),
    ]
)
"""One row is one end of an arrow: its phase's place in FLOW_PHASES, and the id that joins
the ends, as ``flow_key`` makes it a number."""

FLOW_PHASES: Final = "stf"

MOST_FLOW_NUMBER: Final = 1 << 62
"""Ids from here on, like all that are no plain decimal number, are words."""

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
