"""What each device did: its states and the gaps between its tasks.

One pass in C over the spans of a device makes both tables and remembers only the
spans that are open. Where the C module is missing, SELECTs make the same tables.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from ..compiled import compiled
from ..errors import IngestError
from ..progress import Work
from ..workspace import Workspace

if TYPE_CHECKING:
    from .._sweep import Columns, Sweep


def _built() -> "type[Sweep] | None":
    module = compiled("_sweep")
    return module and module.Sweep


SWEEP = _built()
"""The pass; None without the C module."""

SEGMENT_ROWS: Final = pa.schema(
    [
        ("device_id", pa.int32()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
        ("state", pa.uint8()),
        ("computes", pa.bool_()),
        ("communicates", pa.bool_()),
    ]
)
GAP_ROWS: Final = pa.schema(
    [
        ("device_id", pa.int32()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
        ("wait_ns", pa.int64()),
        ("prev_slice_id", pa.int64()),
        ("next_slice_id", pa.int64()),
    ]
)


def derive_states(space: Workspace, work: Work) -> None:
    """Make ``device_segment`` and ``device_gap`` of ``device_span`` and ``step_period``."""
    work.stage("derive device_segment")
    if SWEEP is None:
        space.derive("device_segment")
        work.stage("derive device_gap")
        space.derive("device_gap")
        return
    space.add("device_segment", SEGMENT_ROWS.empty_table())
    space.add("device_gap", GAP_ROWS.empty_table())
    borders = pa.array([edge for (edge,) in space.ask("step_border")], pa.int64())
    for (device,) in space.ask("swept_device"):
        try:
            _sweep_device(space, work, device, SWEEP(_values(borders)))
        except (OverflowError, ValueError) as error:
            raise IngestError(f"{space.directory}: device {device}: {error}") from error


def _sweep_device(space: Workspace, work: Work, device: int | None, sweep: "Sweep") -> None:
    with closing(space.stream("swept_span", device=device)) as batches:
        for spans in batches:
            work.check()
            names = ("ts", "end_ts", "state", "slice_id")
            _add(space, device, sweep.feed(*(_values(spans.column(name)) for name in names)))
    _add(space, device, sweep.finish())


def _add(space: Workspace, device: int | None, told: "tuple[Columns, Columns]") -> None:
    rows = (("device_segment", SEGMENT_ROWS), ("device_gap", GAP_ROWS))
    for (name, schema), columns in zip(rows, told, strict=True):
        count = len(columns[0]) // 8
        if count:
            space.add(name, _batch(schema, device, columns, count))


def _batch(
    schema: pa.Schema, device: int | None, columns: Sequence[bytes], count: int
) -> pa.RecordBatch:
    arrays = [pa.repeat(pa.scalar(device, pa.int32()), count)]
    for field, values in zip(list(schema)[1:], columns, strict=True):
        arrays.append(pa.Array.from_buffers(field.type, count, [None, pa.py_buffer(values)]))
    return pa.record_batch(arrays, schema=schema)


def _values(column: pa.Array) -> pa.Buffer:
    """Return the numbers of a column side by side; none of them may be missing."""
    if column.null_count:
        raise ValueError(f"{column.null_count} of {len(column)} values are missing")
    width = column.type.bit_width // 8
    held = column.buffers()[1]
    return held.slice(column.offset * width, len(column) * width) if held else pa.py_buffer(b"")
