"""The tables of kernels, kernel_details and op_summary, under the names of the store."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from ..folder import relative_name
from ..notice import ImportLog
from ..profile import TableFile
from ..schema import KERNEL
from .cells import Refuse, doubles, integers, scaled_integers, text_or_null
from .csv_blocks import Block, csv_blocks, refuse_cells, without
from .headers import TIME_POWERS, Header, parse_header

_ROWS: Final = 4096
"""Rows of a batch; the same for most of them, so that the index arrays are made once."""

_ARROW_TYPES: Final = {
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
}
_ADDED_LATER: Final = ("kernel_id", "rank", "slice_id", "mhz", "shape_id")
_METRIC: Final = pa.struct([("metric", pa.string()), ("value", pa.float64())])

KERNEL_ROWS: Final = pa.schema(
    [
        *(
            pa.field(column.name, _ARROW_TYPES[column.type])
            for column in KERNEL.columns
            if column.name not in _ADDED_LATER
        ),
        pa.field("metrics", pa.list_(_METRIC)),
    ]
)
"""What ``read_kernels`` yields: schema.KERNEL without what is derived, and ``metrics``."""

_SPELLINGS: Final = {
    "device_id": ("device id", "device"),
    "step": ("step id", "step"),
    "name": ("op name", "name"),
    "type": ("op type", "type"),
    "core": ("task type", "accelerator core"),
    "ts": ("task start time", "start time"),
    "dur": ("task duration", "duration"),
    "wait": ("task wait time", "wait time"),
    "block_num": ("block num", "block dim"),
    "mix_block_num": ("mix block num", "mix block dim"),
    "input_dtypes": ("input data types",),
    "output_dtypes": ("output data types",),
    # The older chips have one kind of core, and its columns no prefix.
    "aicore_time": ("aicore time", "total time"),
    "aic_mac_ratio": ("aic mac ratio", "mac ratio"),
    "aic_mte1_ratio": ("aic mte1 ratio", "mte1 ratio"),
    "aic_mte2_ratio": ("aic mte2 ratio", "mte2 ratio"),
    "aic_scalar_ratio": ("aic scalar ratio", "scalar ratio"),
    "aiv_vec_ratio": ("aiv vec ratio", "vec ratio"),
    "aiv_mte3_ratio": ("aiv mte3 ratio", "mte3 ratio"),
}
"""Headers of a column besides its own name; the first that is there counts."""

_TIMES: Final = frozenset(["ts", "dur", "wait", "aicore_time", "aiv_time"])
_NO_METRIC: Final = frozenset(
    ["model id", "model name", "infer id", "hf32 eligible", "context id", "batch id", "subtask id"]
)
_FIRST_METRIC: Final = "aicore_time"
"""From this column on, the columns of schema.KERNEL are measured ones too."""

_DEVICE_PREFIX: Final = r"^(?i:npu)[: ]*"
_DEVICE_IN_PATH: Final = re.compile(r"device_([0-9]+)")
MOST_DEVICE: Final = 65_535
"""Beyond this a number is no device: a time, where columns are not in the order of the header."""


def read_kernels(file: TableFile, root: Path, log: ImportLog) -> Iterator[pa.RecordBatch]:
    """Yield the kernels of a table in the order of its parts, with the schema KERNEL_ROWS.

    Times are exact ns (the unit is that of the header; a header without one is in ns, as
    CANN 6.0 writes), ratios 0..1. ``metrics`` lists each measured column that has a
    value under its own name and in its own unit. What was not collected is NULL; a
    cell that cannot be what its column is, too, and counted as ``cell_malformed``
    (a device may be text, but no time); so is a length below zero, counted as
    ``dur_negative``. Rows that do not fit the header are counted as ``read_summary``
    counts them. Raises IngestError if a part cannot be opened.
    """
    for path in file.paths:
        table = _KernelTable(path, root, log)
        for block in csv_blocks(path, root, log):
            for start in range(0, block.cells.num_rows, _ROWS):
                yield table.batch(block, start)


class _KernelTable:
    """The columns of one file, and what they mean."""

    def __init__(self, path: Path, root: Path, log: ImportLog) -> None:
        self._name = relative_name(path, root)
        self._log = log
        match = _DEVICE_IN_PATH.search(relative_name(path.parent, root))
        self._device = int(match[1]) if match and int(match[1]) <= MOST_DEVICE else None
        self._places: dict[str, tuple[int, Header]] = {}
        self._metrics: tuple[str, ...] = ()
        self._metric_places: tuple[int, ...] = ()

    def batch(self, block: Block, start: int) -> pa.RecordBatch:
        """Return some rows of a block as kernels."""
        if not self._places:
            self._understand(block.cells.schema.names)
        cells = block.cells.slice(start, _ROWS)
        columns = [
            self._column(field, cells, block, start)
            for field in KERNEL_ROWS
            if field.name != "metrics"
        ]
        columns.append(self._listed(cells))
        return pa.RecordBatch.from_arrays(columns, schema=KERNEL_ROWS)

    def _understand(self, headers: list[str]) -> None:
        parsed = [parse_header(header) for header in headers]
        names = [header.name for header in parsed]
        measured = False
        known: set[int] = set()
        for field in KERNEL_ROWS:
            measured = measured or field.name == _FIRST_METRIC
            for spelling in _SPELLINGS.get(field.name, (field.name.replace("_", " "),)):
                if spelling in names:
                    place = names.index(spelling)
                    self._places[field.name] = (place, parsed[place])
                    if not measured:
                        known.add(place)
                    break
        self._metric_places = tuple(
            place
            for place, name in enumerate(names)
            if place not in known and name not in _NO_METRIC
        )
        self._metrics = tuple(headers[place] for place in self._metric_places)

    def _column(self, field: pa.Field, cells: pa.RecordBatch, block: Block, start: int) -> pa.Array:
        if field.name not in self._places:
            if field.name == "device_id" and self._device is not None:
                return pa.repeat(pa.scalar(self._device, field.type), cells.num_rows)
            if field.name == "name":
                return pa.repeat("", cells.num_rows)
            return pa.nulls(cells.num_rows, field.type)
        place, header = self._places[field.name]
        column = cells.column(place)
        refuse = refuse_cells(block, header.name, self._name, self._log, start=start)
        if field.name == "device_id":
            return _devices(column, field.type, refuse)
        values = _typed(field, column, header, refuse)
        return self._lengths(values, block, start) if field.name == "dur" else values

    def _lengths(self, values: pa.Array, block: Block, start: int) -> pa.Array:
        def count(many: int, row: int, cell: str) -> None:
            self._log.add(
                self._name, "dur_negative", "info", count=many, offset=row, sample=f"{cell} ns"
            )

        negative = pc.call_function("less", [values, 0])
        return without(values, negative, block, start=start, count=count)

    def _listed(self, cells: pa.RecordBatch) -> pa.Array:
        """List the measured columns of each row, without those that have no value.

        A column that npuview does not know need not be a number: its text is in the
        summary of the table, and nothing is said about it here.
        """
        rows = cells.num_rows
        width = len(self._metrics)
        if not width or not rows:
            return pa.nulls(rows, pa.list_(_METRIC)) if rows else pa.array([], pa.list_(_METRIC))
        columns = [doubles(cells.column(place), _keep_silent) for place in self._metric_places]
        row_major = _row_major(rows, width)
        values = pa.concat_arrays(columns).take(row_major)
        names = _repeated(self._metrics, rows)
        present = values.is_valid()
        counts = present.cast(pa.int32())
        ends = pc.call_function("cumulative_sum", [counts]).take(_row_ends(rows, width))
        offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
        entries = pa.StructArray.from_arrays(
            [names.filter(present), values.filter(present)], fields=list(_METRIC)
        )
        return pa.ListArray.from_arrays(offsets, entries)


def _typed(field: pa.Field, column: pa.Array, header: Header, refuse: Refuse) -> pa.Array:
    if field.name == "name":
        # A kernel without a name has an empty one, as its slice on the timeline does.
        return text_or_null(column).fill_null("")
    if field.type == pa.string():
        return text_or_null(column)
    if field.type == pa.float64():
        values = doubles(column, refuse)
        return pc.call_function("divide", [values, 100.0]) if header.unit == "%" else values
    if field.name in _TIMES:
        return scaled_integers(column, TIME_POWERS.get(header.unit, 0), refuse)
    return integers(column, field.type, refuse)


@lru_cache(maxsize=4)
def _row_major(rows: int, width: int) -> pa.Array:
    """Return where the values of row 0, row 1, … lie among whole columns one after another."""
    return pa.array(
        (row + column * rows for row in range(rows) for column in range(width)), pa.int32()
    )


@lru_cache(maxsize=4)
def _row_ends(rows: int, width: int) -> pa.Array:
    return pa.array(range(width - 1, rows * width, width), pa.int32())


@lru_cache(maxsize=4)
def _repeated(names: tuple[str, ...], rows: int) -> pa.Array:
    return pa.array(names * rows, pa.string())


def _devices(column: pa.Array, type_: pa.DataType, refuse: Refuse) -> pa.Array:
    """Return the numbers of devices; text, like ``host``, is none, and a number beyond refused."""

    def refuse_numbers(index: int, cell: str) -> None:
        if cell.isdecimal():
            refuse(index, cell)

    options = pc.ReplaceSubstringOptions(_DEVICE_PREFIX, "")
    plain = pc.call_function("replace_substring_regex", [column], options)
    numbers = integers(plain, pa.int64(), refuse_numbers)
    beyond = pc.call_function("greater", [numbers, MOST_DEVICE]).fill_null(fill_value=False)
    for index in pc.call_function("indices_nonzero", [beyond]).to_pylist():
        refuse(index, column[index].as_py())
    known = pc.call_function("if_else", [beyond, pa.scalar(None, pa.int64()), numbers])
    return known.cast(type_)


def _keep_silent(index: int, cell: str) -> None:
    """Say nothing of a cell that may be text."""
    del index, cell
