"""Every CSV of a profile as it is: its own columns, cleaned, each with the narrowest exact type."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
import pyarrow.compute as pc

from ..folder import relative_name
from ..notice import ImportLog
from ..profile import TableFile
from .cells import (
    DECIMAL_DIGITS,
    are_integers,
    are_numbers,
    decimal_digits,
    number_text,
    text_or_null,
)
from .csv_blocks import Block, csv_blocks, without
from .decimal_time import INT64_MAX
from .headers import TIME_POWERS, parse_header

_KEPT_BYTES: Final = 32 << 20
"""Up to this size a table is held in memory between finding its types and using them."""

_MOST_SCALE: Final = 18
_MOST_DOUBLE: Final = 308
"""Digits before the point that a double has room for."""


@dataclass(slots=True)
class _ColumnType:
    """The type that fits every cell seen so far."""

    kind: Literal["nothing", "integer", "decimal", "double", "text"] = "nothing"
    whole: int = 19
    scale: int = 0

    def observe(self, cells: pa.Array) -> None:
        """Widen the type until these cells fit."""
        if self.kind == "text":
            return
        numbers = number_text(cells)
        if numbers.null_count == len(numbers):
            return
        if self.kind in {"nothing", "integer"} and are_integers(numbers):
            self.kind = "integer"
        elif not are_numbers(numbers):
            self.kind = "text"
        elif self.kind != "double":
            whole, scale = decimal_digits(numbers)
            self.whole = max(self.whole, whole)
            self.scale = max(self.scale, scale)
            fits = self.scale <= _MOST_SCALE and self.whole + self.scale <= DECIMAL_DIGITS
            self.kind = "decimal" if fits else "double" if self.whole <= _MOST_DOUBLE else "text"

    @property
    def arrow(self) -> pa.DataType:
        """The Arrow type of the column."""
        if self.kind == "integer":
            return pa.int64()
        if self.kind == "decimal":
            return pa.decimal128(DECIMAL_DIGITS, self.scale)
        return pa.float64() if self.kind == "double" else pa.string()

    def typed(self, cells: pa.Array) -> pa.Array:
        """Return observed cells in this type."""
        if self.kind in {"nothing", "text"}:
            return text_or_null(cells)
        return number_text(cells).cast(self.arrow)


def read_summary(file: TableFile, root: Path, log: ImportLog) -> pa.Table:
    """Return a CSV with all its parts under its own column names.

    Cells lose blanks, TABs and literal quotes of shapes; N/A and empty cells are NULL, in
    numeric columns ``-`` and ``nan`` too. A column is int64 if all its cells are,
    else an exact decimal of up to 18 places, else double, else text; values keep the unit
    of their header. A repeated header gets a number; parts with different columns are
    laid over one another. A time beyond 64 bits of ns is an unsigned wrap-around of its
    writer: NULL, and counted as ``value_wrapped``. Raises IngestError if a part cannot be
    opened.
    """
    schema, batches = summary_batches(file, root, log)
    return pa.Table.from_batches(batches, schema)


def summary_batches(
    file: TableFile, root: Path, log: ImportLog
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return schema and rows of ``read_summary`` without holding a big table in memory.

    A table with more than 32 MB of cells is read twice: for its types, and for its rows.
    """
    types: dict[str, _ColumnType] = {}
    kept: list[tuple[Path, Block]] | None = []
    room = _KEPT_BYTES
    for path, block in _blocks(file, root, log):
        for name, cells in zip(block.cells.schema.names, block.cells.columns, strict=True):
            types.setdefault(name, _ColumnType()).observe(cells)
        # A packed file does not tell from its size how much it holds.
        room -= block.cells.nbytes
        if kept is not None and room >= 0:
            kept.append((path, block))
        else:
            kept = None
    schema = pa.schema([(name, type_.arrow) for name, type_ in types.items()])
    # What is wrong with the file was counted on the way through it.
    blocks = kept if kept is not None else _blocks(file, root, ImportLog())
    return schema, _typed(blocks, types, schema, root, log)


def _blocks(file: TableFile, root: Path, log: ImportLog) -> Iterator[tuple[Path, Block]]:
    for path in file.paths:
        for block in csv_blocks(path, root, log):
            yield path, block


def _typed(
    blocks: Iterable[tuple[Path, Block]],
    types: dict[str, _ColumnType],
    schema: pa.Schema,
    root: Path,
    log: ImportLog,
) -> Iterator[pa.RecordBatch]:
    for path, block in blocks:
        columns: list[pa.Array] = []
        for field in schema:
            place = block.cells.schema.get_field_index(field.name)
            if place < 0:
                columns.append(pa.nulls(block.cells.num_rows, field.type))
                continue
            column = types[field.name].typed(block.cells.column(place))
            columns.append(_unwrapped(column, field.name, block, relative_name(path, root), log))
        yield pa.RecordBatch.from_arrays(columns, schema=schema)


def _unwrapped(column: pa.Array, header: str, block: Block, file: str, log: ImportLog) -> pa.Array:
    """Make NULL of times that no clock reaches: start minus end, written unsigned."""
    power = TIME_POWERS.get(parse_header(header).unit)
    if power is None or pa.types.is_string(column.type):
        return column
    most = INT64_MAX // 10**power
    if pa.types.is_decimal(column.type):
        limit = pa.scalar(Decimal(most), pa.decimal128(DECIMAL_DIGITS, 0)).cast(column.type)
    else:
        limit = pa.scalar(float(most)) if column.type == pa.float64() else pa.scalar(most)

    def count(many: int, row: int, cell: str) -> None:
        log.add(file, "value_wrapped", "info", count=many, offset=row, sample=f"{header}: {cell}")

    wrapped = pc.call_function("greater", [column, limit])
    return without(column, wrapped, block, count=count)
