"""Answers as Parquet, with the types that the answer's columns have."""

from decimal import Decimal
from itertools import islice
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from ...ingest.errors import NpuviewError
from ...queries.query import AnswerColumn
from ..draw.safe_text import encodable
from .columns import Answer, unique_names

BATCH_ROWS = 10_000
"""Rows that are held at once."""

_TYPES = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "UTINYINT": pa.uint8(),
    "USMALLINT": pa.uint16(),
    "UINTEGER": pa.uint32(),
    "UBIGINT": pa.uint64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    # Sums of BIGINT are HUGEINT; 38 digits hold every sum of ns there can be.
    "HUGEINT": pa.decimal128(38, 0),
}


def write_rows(answer: Answer, file: IO[bytes]) -> None:
    """Write the rows; raise NpuviewError for a value that its column cannot hold."""
    names = unique_names(answer.columns)
    types = [_arrow_type(column) for column in answer.columns]
    schema = pa.schema(list(zip(names, types, strict=True)))
    rows = iter(answer.rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(rows, BATCH_ROWS)):
            writer.write_batch(_record_batch(batch, schema))


def _record_batch(rows: "list[tuple[object, ...]]", schema: pa.Schema) -> pa.RecordBatch:
    arrays: list[pa.Array] = []
    for at, field in enumerate(schema):
        values = [_arrow_value(row[at], field.type) for row in rows]
        try:
            arrays.append(pa.array(values, field.type))
        except (pa.ArrowInvalid, OverflowError) as error:
            raise NpuviewError(
                f"column {field.name}: {error}; --format csv or json writes it"
            ) from error
    return pa.record_batch(arrays, schema=schema)


def _arrow_type(column: AnswerColumn) -> pa.DataType:
    if column.type.startswith("DECIMAL("):
        precision, scale = column.type.removeprefix("DECIMAL(").rstrip(")").split(",")
        return pa.decimal128(int(precision), int(scale))
    return _TYPES.get(column.type, pa.string())


def _arrow_value(value: object, type_: pa.DataType) -> object:
    if value is None:
        return None
    if pa.types.is_decimal(type_) and isinstance(value, int):
        return Decimal(value)
    if pa.types.is_string(type_):
        return value.hex() if isinstance(value, bytes) else encodable(str(value))
    return value
