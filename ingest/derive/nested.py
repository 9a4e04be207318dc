"""Nesting, ends of arrows and cells in one pass over the slices, in C.

The pass sees the slices in the order of their numbers and remembers only what is
open, so its memory does not grow with the trace. Where the C module is missing,
SELECTs make the same tables.
"""

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..compiled import compiled
from ..progress import Work
from ..read.rows import batch
from ..workspace import Workspace

if TYPE_CHECKING:
    from .._nest import Nest


def _built() -> "type[Nest] | None":
    module = compiled("_nest")
    return module and module.Nest


NEST: Final = _built()
"""The pass; None where the C module is not built. Tests take it away here."""

CLASSES: Final = (
    *("compute", "communication", "mc2", "copy", "wait", "sync", "control", "host"),
    *("step", "overlap", "other"),
)
"""Classes by their number in ``derive/pattern.sql``."""

PARTS: Final = ("compute", "control", "cube", "transfer", "vector", "waiting")
"""Parts by their number in ``derive/part.sql``; in the pass 0 is the whole, then these."""

NESTING_ROWS: Final = pa.schema(
    [
        ("slice_id", pa.int64()),
        ("depth", pa.int32()),
        ("sublane", pa.int32()),
        ("parent_id", pa.int64()),
    ]
)
FLOW_END_ROWS: Final = pa.schema(
    [
        ("seq", pa.int64()),
        ("phase", pa.int8()),
        ("category", pa.int32()),
        ("name", pa.int32()),
        ("key", pa.int64()),
        ("track_id", pa.int64()),
        ("ts", pa.int64()),
        ("slice_id", pa.int64()),
    ]
)
CELL_ROWS: Final = pa.schema(
    [
        ("track_id", pa.int64()),
        ("part", pa.string()),
        ("level", pa.int16()),
        ("bucket", pa.int64()),
        ("busy", pa.int64()),
        ("count", pa.int64()),
        ("top_slice_id", pa.int64()),
        ("top_class", pa.string()),
    ]
)
LANE_ROWS: Final = pa.schema(
    [
        ("track_id", pa.int64()),
        ("part", pa.string()),
        ("slices", pa.int64()),
        ("busy", pa.int64()),
        ("deepest", pa.int32()),
        ("sublanes", pa.int32()),
        ("ts", pa.int64()),
        ("end_ts", pa.int64()),
    ]
)


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells: their finest and coarsest level, and from when slices have some (ns)."""

    finest: int
    coarsest: int
    first_ts: int


def is_built() -> bool:
    """Tell whether there is a pass in C."""
    return NEST is not None


def nest_slices(
    space: Workspace, grid: Grid, work: Work, *, base: int, tracks: int, block_bits: int
) -> None:
    """Make ``nesting``, ``flow_end``, ``lod_cell`` and ``lane_row`` of the slices.

    Reads ``placed``, ``part`` and ``read_flow``; rows of ``nesting`` are in the order of
    slice_id. Lanes are numbered from ``base``.
    """
    for name, schema in (
        ("nesting", NESTING_ROWS),
        ("flow_end", FLOW_END_ROWS),
        ("lane_row", LANE_ROWS),
    ):
        space.add(name, schema.empty_table())
    space.derive("lod_cell")
    nest = _nest(grid, base, tracks, block_bits)
    slices, flows = space.stream("nested_slice"), space.stream("nested_flow", block_bits=block_bits)
    with closing(slices), closing(flows), closing(space.stream("nested_part")) as parts:
        slice_rows = flow_rows = None
        while (want := nest.run()) != nest.DONE:
            work.check()
            if want == nest.SLICES:
                if slice_rows is not None:
                    space.add("nesting", _nestings(slice_rows, nest))
                slice_rows = next(slices, None)
                nest.slices(*_columns(slice_rows, "slice_id", "track_id", "ts", "dur", "code"))
            elif want == nest.FLOWS:
                if flow_rows is not None:
                    space.add("flow_end", _bound(flow_rows, nest))
                flow_rows = next(flows, None)
                nest.flows(*_columns(flow_rows, "track_id", "ts"))
            elif want == nest.PARTS:
                nest.parts(*_columns(next(parts, None), "slice_id", "part"))
            else:
                space.add("lod_cell", _cells(nest))
    space.add("lod_cell", _cells(nest))
    space.add("lane_row", _lanes(nest))


def nest_stretches(space: Workspace, grid: Grid, work: Work, *, base: int, tracks: int) -> None:
    """Add the rows of ``stretch`` to ``lod_cell`` and ``lane_row``: time, but no slices."""
    # In blocks of one nanosecond the order is that of time.
    nest = _nest(grid, base, tracks, block_bits=0)
    nest.parts(*_columns(None, "slice_id", "part"))
    nest.flows(*_columns(None, "track_id", "ts"))
    with closing(space.stream("nested_stretch")) as stretches:
        while (want := nest.run()) != nest.DONE:
            work.check()
            if want == nest.SLICES:
                rows = next(stretches, None)
                nest.slices(*_columns(rows, "slice_id", "track_id", "ts", "dur", "code"))
            else:
                space.add("lod_cell", _cells(nest, tops=False))
    space.add("lod_cell", _cells(nest, tops=False))
    space.add("lane_row", _lanes(nest, slices=False))


def _nest(grid: Grid, base: int, tracks: int, block_bits: int) -> "Nest":
    if NEST is None:
        raise RuntimeError("the C module npuview.ingest._nest is not there")
    return NEST(
        tracks=tracks,
        first_track=base,
        first_ts=grid.first_ts,
        block_bits=block_bits,
        finest=grid.finest,
        coarsest=grid.coarsest,
    )


def _columns(rows: pa.RecordBatch | None, *names: str) -> tuple[Any, ...]:
    """Return how many rows there are, and the values of columns without NULLs."""
    if rows is None:
        return 0, *([b""] * len(names))
    return rows.num_rows, *(_values(rows.column(name)) for name in names)


def _values(column: pa.Array) -> pa.Buffer:
    if column.null_count or column.offset:
        # Batches of a statement begin at their first value.
        raise ValueError("NULLs, or a part of a batch, where all values are needed")
    return column.buffers()[1]


def _numbers(kind: pa.DataType, count: int, values: bytes) -> pa.Array:
    return pa.Array.from_buffers(kind, count, [None, pa.py_buffer(values)])


def _optional(count: int, nulls: int, there: bytes, values: bytes) -> pa.Array:
    buffers = [pa.py_buffer(there), pa.py_buffer(values)]
    return pa.Array.from_buffers(pa.int64(), count, buffers, nulls)


def _nestings(rows: pa.RecordBatch, nest: "Nest") -> pa.RecordBatch:
    nulls, depth, sublane, there, parent = nest.nestings()
    count = rows.num_rows
    columns = [
        rows.column("slice_id"),
        _numbers(pa.int32(), count, depth),
        _numbers(pa.int32(), count, sublane),
        _optional(count, nulls, there, parent),
    ]
    return pa.record_batch(columns, schema=NESTING_ROWS)


def _bound(rows: pa.RecordBatch, nest: "Nest") -> pa.RecordBatch:
    nulls, there, slices = nest.bound()
    columns = [*rows.columns, _optional(rows.num_rows, nulls, there, slices)]
    return pa.record_batch(columns, schema=FLOW_END_ROWS)


def _cells(nest: "Nest", *, tops: bool = True) -> pa.RecordBatch:
    count, track, part, level, bucket, busy, starts, top, top_class = nest.cells()
    none = None if tops else pa.nulls(count)
    columns = [
        _numbers(pa.int64(), count, track),
        pa.DictionaryArray.from_arrays(_numbers(pa.uint8(), count, part), [None, *PARTS]),
        _numbers(pa.uint8(), count, level),
        _numbers(pa.int64(), count, bucket),
        _numbers(pa.int64(), count, busy),
        _numbers(pa.int64(), count, starts),
        none or _numbers(pa.int64(), count, top),
        none or pa.DictionaryArray.from_arrays(_numbers(pa.uint8(), count, top_class), CLASSES),
    ]
    return pa.record_batch(columns, names=CELL_ROWS.names)


def _lanes(nest: "Nest", *, slices: bool = True) -> pa.RecordBatch | pa.Table:
    names: list[str | None] = [None, *PARTS]
    rows: list[tuple[object, ...]] = []
    for track, part, count, busy, deepest, sublanes, *times in nest.lanes():
        known = (count, busy, deepest, sublanes) if slices else (0, busy, None, None)
        rows.append((track, names[part], *known, *times))
    return batch(rows, LANE_ROWS) if rows else LANE_ROWS.empty_table()
