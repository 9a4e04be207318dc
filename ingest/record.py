"""The Parquet files of a store: the record, which other engines read too."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP_ROWS: Final = 32_768
"""A window of time is read from few rows; smaller groups make whole scans slow."""
WRITTEN_ROWS: Final = 4 * ROW_GROUP_ROWS
"""Rows that are taken together: groups among them share the words of their columns."""


def record_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Open the file of a table; groups of ``ROW_GROUP_ROWS`` are what readers skip by.

    Whole numbers are written as differences, which suits times and ids in their order
    better than a dictionary, and pages carry checksums. Raises OSError when the place
    is full or cannot be written, as the writer does.
    """
    whole = [field.name for field in schema if pa.types.is_integer(field.type)]
    texts = [field.name for field in schema if _is_text(field.type)]
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=texts,  # pyright: ignore[reportArgumentType] # stubs: bool
        column_encoding=dict.fromkeys(whole, "DELTA_BINARY_PACKED"),
        write_page_checksum=True,
    )


def in_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Join batches to tables of ``WRITTEN_ROWS`` rows; the last one has what is left."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        while count >= WRITTEN_ROWS:
            table = pa.Table.from_batches(waiting)
            yield table.slice(0, WRITTEN_ROWS).combine_chunks()
            waiting = table.slice(WRITTEN_ROWS).to_batches()
            count -= WRITTEN_ROWS
    if count:
        yield pa.Table.from_batches(waiting).combine_chunks()


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return True
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)
