"""A block of a timeline as the scanner in C gives it: columns, and the events it left."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa
from msgspec import Raw

from .event import raw_text
from .frame import Batch
from .lanes import ScannedLane
from .rows import ARG_ROWS, FLOW_ROWS, SLICE_ROWS

if TYPE_CHECKING:
    from array import array

    from .._scan import Scanner

_NULLABLE: Final[tuple[int, ...]] = (5, 7, 8, 9, 10, 11)
"""Places of the columns of SLICE_ROWS that may be NULL where the scanner made them."""


class Numbering(NamedTuple):
    """What the codes and numbers of a block are in the whole profile."""

    words: "array[int]"
    lanes: "array[int]"
    first_seq: int
    first_arg_set_id: int
    span: int
    instant: int
    """Codes of the phases X and i."""


@dataclass(frozen=True, slots=True)
class ScannedBlock:
    """The rows of a block, and the ``others``: events for the tolerant reader.

    ``numbers`` are those of the others among all events of the block.
    """

    scanner: "Scanner"
    text: bytearray
    others: Batch
    numbers: list[int]

    @property
    def events(self) -> int:
        """Return how many events the block has."""
        return self.scanner.counts[0]

    def lanes(self) -> list[ScannedLane]:
        """Return the lanes of the scanner's rows in the order of their codes."""
        return [ScannedLane._make(lane) for lane in self.scanner.lanes(self.text)]

    def words(self) -> list[tuple[str, bool]]:
        """Return the words of the rows in the order of their codes, and if they must last."""
        return [
            (
                raw_text(Raw(b'"' + word + b'"')) if b"\\" in word else word.decode(),
                lasting,
            )
            for word, lasting in self.scanner.words(self.text)
        ]

    def slices(self, numbering: Numbering) -> pa.RecordBatch | None:
        """Return the rows of SLICE_ROWS."""
        _, count, _, _ = self.scanner.counts
        if not count:
            return None
        columns = self.scanner.slices(*numbering)
        bits = columns[len(SLICE_ROWS) :]
        return _batch(SLICE_ROWS, count, columns, dict(zip(_NULLABLE, bits, strict=True)))

    def flows(self, numbering: Numbering) -> pa.RecordBatch | None:
        """Return the rows of FLOW_ROWS."""
        _, _, count, _ = self.scanner.counts
        if not count:
            return None
        return _batch(FLOW_ROWS, count, self.scanner.flows(*numbering[:3]), {})

    def slice_args(self, numbering: Numbering) -> pa.RecordBatch | None:
        """Return the rows of ARG_ROWS."""
        *_, count = self.scanner.counts
        if not count:
            return None
        ids, offsets, texts = self.scanner.args(self.text, numbering.first_arg_set_id)
        args = pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(texts))
        arrays = [pa.Array.from_buffers(pa.int64(), count, [None, pa.py_buffer(ids)]), args]
        return pa.record_batch(arrays, schema=ARG_ROWS)


def _batch(
    schema: pa.Schema, count: int, columns: tuple[bytes, ...], valid: dict[int, bytes]
) -> pa.RecordBatch:
    arrays = [
        pa.Array.from_buffers(
            kind,
            count,
            [pa.py_buffer(valid[place]) if place in valid else None, pa.py_buffer(columns[place])],
        )
        for place, kind in enumerate(schema.types)
    ]
    return pa.record_batch(arrays, schema=schema)
