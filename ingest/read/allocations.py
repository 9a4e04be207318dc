"""Who took device memory and when it was given back, from operator_memory."""

from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
import pyarrow.compute as pc

from ..folder import relative_name
from ..notice import ImportLog
from ..profile import TableFile
from .cells import byte_counts, integers, scaled_integers, text_or_null
from .csv_blocks import Block, csv_blocks, refuse_cells
from .headers import BYTE_UNITS, TIME_POWERS, Header, parse_header

_SIZE: Final = "size"
_TAKEN: Final = "allocation time"
_RELEASED: Final = "release time"
_ACTIVE: Final = "active release time"
_LENGTH: Final = "duration"
_TOTALS: Final = {
    "allocated": "allocation total allocated",
    "reserved": "allocation total reserved",
    "active": "allocation total active",
    "release_allocated": "release total allocated",
    "release_reserved": "release total reserved",
    "release_active": "release total active",
}
_DEVICES: Final = ("device type", "device id", "device")
_TIMES: Final = ("ts", "release_ts", "active_release_ts")

ALLOCATION_ROWS: Final = pa.schema(
    [
        ("device", pa.string()),
        ("name", pa.string()),
        ("bytes", pa.int64()),
        *((name, pa.int64()) for name in _TIMES),
        *((name, pa.int64()) for name in _TOTALS),
        ("stream_ptr", pa.int64()),
    ]
)
"""What ``read_allocations`` returns: times in ns, sizes in bytes."""


def read_allocations(file: TableFile, root: Path, log: ImportLog) -> pa.Table:
    """Return the rows of operator_memory, exactly as their decimal texts say.

    KB and MB are 1024-based. What was never released has no ``release_ts``; msprof gives
    a Duration in place of it. A negative size is the release of memory that was taken
    before the profile began: its ``ts`` is NULL and its instant is ``release_ts``. Totals
    that were not collected, and the -1 that stands for it, are NULL. Rows without size,
    without an instant and those released before they were taken are left out and counted
    (``allocation_unusable``), cells that are no number as ``cell_malformed``, a column
    without a unit as ``unit_unknown``; rows that do not fit the header are counted by
    ``read_summary``, once. Raises IngestError if the file cannot be opened.
    """
    batches: list[pa.RecordBatch] = []
    for path in file.paths:
        name = relative_name(path, root)
        blocks = csv_blocks(path, root, ImportLog())
        batches += [_Reader(block, name, log).rows() for block in blocks]
    return pa.Table.from_batches(batches, ALLOCATION_ROWS)


class _Reader:
    """Reads one block of the table."""

    def __init__(self, block: Block, file: str, log: ImportLog) -> None:
        self._block = block
        self._file = file
        self._log = log
        parsed = [parse_header(header) for header in block.cells.schema.names]
        self._places = {one.name: place for place, one in reversed(list(enumerate(parsed)))}
        self._headers = parsed

    def rows(self) -> pa.RecordBatch:
        """Return the allocations of the block."""
        size = self._measured(_SIZE, "size")
        taken, released = self._measured(_TAKEN, "time"), self._measured(_RELEASED, "time")
        ended = pc.call_function("add", [taken, self._measured(_LENGTH, "time")])
        released = pc.call_function("coalesce", [released, ended])
        earlier = pc.call_function("less", [size, 0])
        nothing = pa.nulls(len(size), pa.int64())
        columns = {
            "device": self._text(_DEVICES),
            "name": self._text(("name",)),
            "bytes": pc.call_function("abs", [size]),
            "ts": pc.call_function("if_else", [earlier, nothing, taken]),
            "release_ts": pc.call_function("if_else", [earlier, taken, released]),
            "active_release_ts": self._measured(_ACTIVE, "time"),
            **{name: self._total(header) for name, header in _TOTALS.items()},
            "stream_ptr": self._pointers(),
        }
        batch = pa.RecordBatch.from_arrays(
            [columns[field.name] for field in ALLOCATION_ROWS], schema=ALLOCATION_ROWS
        )
        return batch.filter(self._usable(size, taken, columns["ts"], columns["release_ts"]))

    def _usable(self, size: pa.Array, taken: pa.Array, ts: pa.Array, end: pa.Array) -> pa.Array:
        """Tell which rows are allocations; count the others with the first of them."""
        known = pc.call_function("and", [size.is_valid(), taken.is_valid()])
        backwards = pc.call_function("coalesce", [pc.call_function("less", [end, ts]), False])
        usable = pc.call_function("and_not", [known, backwards])
        lost = len(usable) - (pc.call_function("sum", [usable.cast(pa.int64())]).as_py() or 0)
        if lost:
            first = pc.call_function("index", [usable], pc.IndexOptions(pa.scalar(value=False)))
            place = first.as_py()
            self._log.add(
                self._file,
                "allocation_unusable",
                "data_loss",
                count=lost,
                offset=self._block.row(place),
                sample=",".join(str(cell[place]) for cell in self._block.cells.columns),
            )
        return usable

    def _measured(self, name: str, kind: Literal["size", "time"]) -> pa.Array:
        """Return a column in bytes or ns; all NULL where the file has no such column."""
        cells, header = self._cells((name,))
        if header is None:
            return pa.nulls(len(cells), pa.int64())
        refuse = refuse_cells(self._block, name, self._file, self._log)
        if kind == "time":
            return scaled_integers(cells, TIME_POWERS.get(header.unit, 0), refuse)
        if header.unit in BYTE_UNITS:
            return byte_counts(cells, BYTE_UNITS[header.unit], refuse)
        self._log.add(
            self._file, "unit_unknown", "data_loss", count=len(cells), offset=1, sample=name
        )
        return pa.nulls(len(cells), pa.int64())

    def _total(self, name: str) -> pa.Array:
        sizes = self._measured(name, "size")
        measured = pc.call_function("greater_equal", [sizes, 0])
        return pc.call_function("if_else", [measured, sizes, pa.scalar(None, pa.int64())])

    def _pointers(self) -> pa.Array:
        cells, header = self._cells(("stream ptr",))
        if header is None:
            return pa.nulls(len(cells), pa.int64())
        return integers(
            cells, pa.int64(), refuse_cells(self._block, "stream ptr", self._file, self._log)
        )

    def _text(self, spellings: tuple[str, ...]) -> pa.Array:
        cells, header = self._cells(spellings)
        return text_or_null(cells) if header is not None else cells

    def _cells(self, spellings: tuple[str, ...]) -> tuple[pa.Array, Header | None]:
        place = next((self._places[one] for one in spellings if one in self._places), None)
        if place is None:
            return pa.nulls(self._block.cells.num_rows, pa.string()), None
        return self._block.cells.column(place), self._headers[place]
