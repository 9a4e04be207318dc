"""The profiler's own figures of each step, from step_trace_time."""

from pathlib import Path
from typing import Final

import pyarrow as pa

from ..folder import relative_name
from ..notice import ImportLog
from ..profile import TableFile
from .cells import integers, scaled_integers
from .csv_blocks import Block, csv_blocks, refuse_cells
from .headers import TIME_POWERS, parse_header

_NUMBERS: Final = {"device_id": ("device id", "device"), "step": ("step", "step id")}
_FIGURES: Final = {
    "computing": "computing",
    "communication": "communication",
    "communication_not_overlapped": "communication(not overlapped)",
    "overlapped": "overlapped",
    "free": "free",
    "stage": "stage",
    "bubble": "bubble",
    "preparing": "preparing",
}
_MICROSECONDS: Final = TIME_POWERS["us"]
"""The file prints no unit; its writer counts in microseconds."""

STEP_FIGURES: Final = pa.schema(
    [*((name, pa.int32()) for name in _NUMBERS), *((name, pa.int64()) for name in _FIGURES)]
)
"""What ``read_step_figures`` returns: one row per device and step, figures in ns."""


def read_step_figures(file: TableFile, root: Path, log: ImportLog) -> pa.Table:
    """Return step_trace_time under the names of the store, its figures as int64 ns.

    ``step`` is NULL for the one row of a run without steps; a column that the file
    lacks is NULL. A cell that is no number is NULL and counted as ``cell_malformed``;
    rows that do not fit the header are counted by ``read_summary``, once. Raises
    IngestError if the file cannot be opened.
    """
    batches: list[pa.RecordBatch] = []
    for path in file.paths:
        name = relative_name(path, root)
        batches += [_batch(block, name, log) for block in csv_blocks(path, root, ImportLog())]
    return pa.Table.from_batches(batches, STEP_FIGURES)


def _batch(block: Block, name: str, log: ImportLog) -> pa.RecordBatch:
    parsed = [parse_header(header) for header in block.cells.schema.names]
    places = {header.name: place for place, header in reversed(list(enumerate(parsed)))}

    def column(field: pa.Field) -> pa.Array:
        wanted = _NUMBERS.get(field.name) or (_FIGURES[field.name],)
        place = next((places[one] for one in wanted if one in places), None)
        if place is None:
            return pa.nulls(block.cells.num_rows, field.type)
        cells = block.cells.column(place)
        refuse = refuse_cells(block, field.name, name, log)
        if field.name in _NUMBERS:
            return integers(cells, field.type, refuse)
        power = TIME_POWERS.get(parsed[place].unit, _MICROSECONDS)
        return scaled_integers(cells, power, refuse)

    return pa.RecordBatch.from_arrays(
        [column(field) for field in STEP_FIGURES], schema=STEP_FIGURES
    )
