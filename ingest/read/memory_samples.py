"""Memory over time, from memory_record, npu_module_mem and npu_mem."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from ..folder import relative_name
from ..notice import ImportLog
from ..profile import TableFile
from .cells import doubles, scaled_integers, text_or_null
from .csv_blocks import Block, csv_blocks, refuse_cells
from .headers import BYTE_UNITS, TIME_POWERS, parse_header

MEMORY_SAMPLES: Final = pa.schema(
    [
        ("device", pa.string()),
        ("component", pa.string()),
        ("key", pa.string()),
        ("ts", pa.int64()),
        ("value", pa.float64()),
    ]
)
"""What ``read_memory_samples`` returns: ts in ns, value in bytes."""

_KEYS: Final = {
    "total allocated": "allocated",
    "total reserved": "reserved",
    "total active": "active",
    "ddr": "ddr",
    "hbm": "hbm",
    "memory": "memory",
}
_DEVICES: Final = ("device type", "device id", "device")
_COMPONENTS: Final = ("component", "event")


def read_memory_samples(file: TableFile, root: Path, log: ImportLog) -> pa.Table:
    """Return every measured value of a memory table as a row of its own.

    ``device`` is the text of the file (``NPU:0``, ``0``), ``key`` says what is counted
    (allocated, reserved, active, ddr, hbm, memory). KB and MB are 1024-based. Values
    that were not collected, and the -1 that stands for it, are no rows. A component
    like ``PTA+GE`` is a sum of others. A column without a unit is left out and counted
    (``unit_unknown``); a cell that is no number too (``cell_malformed``). Rows that do
    not fit the header are counted by ``read_summary``, once. Raises IngestError if the
    file cannot be opened.
    """
    batches: list[pa.RecordBatch] = []
    for path in file.paths:
        name = relative_name(path, root)
        for block in csv_blocks(path, root, ImportLog()):
            batches += _samples(block, name, log)
    return pa.Table.from_batches(batches, MEMORY_SAMPLES)


def _samples(block: Block, name: str, log: ImportLog) -> Iterator[pa.RecordBatch]:
    parsed = [parse_header(header) for header in block.cells.schema.names]
    names = [header.name for header in parsed]
    rows = block.cells.num_rows

    def text(spellings: tuple[str, ...]) -> pa.Array:
        place = next((names.index(one) for one in spellings if one in names), None)
        if place is None:
            return pa.nulls(rows, pa.string())
        return text_or_null(block.cells.column(place))

    if "timestamp" not in names:
        return
    clock = parsed[names.index("timestamp")]
    stamps = block.cells.column(names.index("timestamp"))
    ts = scaled_integers(
        stamps, TIME_POWERS.get(clock.unit, 0), refuse_cells(block, clock.name, name, log)
    )
    device, component = text(_DEVICES), text(_COMPONENTS)
    for place, header in enumerate(parsed):
        key = _KEYS.get(header.name)
        if key is None:
            continue
        if header.unit not in BYTE_UNITS:
            log.add(name, "unit_unknown", "data_loss", count=rows, offset=1, sample=header.name)
            continue
        values = doubles(block.cells.column(place), refuse_cells(block, header.name, name, log))
        sizes = pc.call_function("multiply", [values, float(BYTE_UNITS[header.unit])])
        keys = pa.repeat(pa.scalar(key), rows)
        batch = pa.RecordBatch.from_arrays(
            [device, component, keys, ts, sizes], schema=MEMORY_SAMPLES
        )
        measured = pc.call_function("greater_equal", [values, 0.0])
        yield batch.filter(pc.call_function("and", [measured, ts.is_valid()]))
