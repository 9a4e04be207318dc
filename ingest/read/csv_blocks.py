"""A CSV file as blocks of text cells, whatever its dialect, with nothing lost in silence."""

import codecs
import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from ..folder import relative_name
from ..notice import ImportLog
from .cells import Refuse, trimmed, without_quotes
from .headers import parse_header, unique_headers
from .source import TimelineSource

BLOCK_BYTES: Final = 4 << 20

CHUNK_BYTES: Final = 1 << 20

_HEADER_BYTES: Final = 1 << 20
_UTF8_MARK: Final = "\ufeff"
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_SHAPES: Final = "shapes"


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a CSV: string columns, blanks and TABs around cells removed.

    ``left_out`` are the numbers (header = 1) of rows that did not fit the header and
    are not in ``cells``.
    """

    cells: pa.RecordBatch
    first_row: int
    left_out: tuple[int, ...]

    def row(self, index: int) -> int:
        """Return the number in the file of the row at an index of ``cells``."""
        number = self.first_row + index
        for row in self.left_out:
            if row <= number:
                number += 1
        return number


def refuse_cells(block: Block, column: str, file: str, log: ImportLog, *, start: int = 0) -> Refuse:
    """Return what counts a cell of a column that is not what it should be.

    Indices are those of the block's rows from ``start`` on.
    """

    def refuse(index: int, cell: str) -> None:
        log.add(
            file,
            "cell_malformed",
            "data_loss",
            offset=block.row(start + index),
            sample=f"{column}: {cell}",
        )

    return refuse


def without(
    column: pa.Array,
    wrong: pa.Array,
    block: Block,
    *,
    start: int = 0,
    count: Callable[[int, int, str], None],
) -> pa.Array:
    """Make NULL of the cells that are ``wrong``, and hand them to ``count`` if there are any.

    It is told how many they are, the row of the first, and the first.
    """
    many = pc.call_function("sum", [wrong.cast(pa.int64())]).as_py()
    if not many:
        return column
    index = pc.call_function("index", [wrong], pc.IndexOptions(pa.scalar(value=True))).as_py()
    count(many, block.row(start + index), str(column[index].as_py()))
    return pc.call_function("if_else", [wrong, pa.scalar(None, column.type), column])


def csv_blocks(path: Path, root: Path, log: ImportLog) -> Iterator[Block]:
    """Yield the rows of a CSV file under its own headers, repeated ones numbered.

    The file may be packed with gzip; blank lines may come first; cells may hold line
    ends and commas in quotes; LF, CRLF and CR may be mixed. A header whose quotes do
    not close or of more than 1 MB is counted (``header_unreadable``), and what a
    damaged archive lacks (``truncated``). Bytes that are no UTF-8 are written out in
    hex and counted (``text_repaired``). A row with too many or too few cells is left
    out (``row_malformed``), unless it is one of msprof_tx, whose unquoted message may
    hold commas. Raises IngestError if the file cannot be opened.
    """
    name = relative_name(path, root)
    text = _TableText(TimelineSource(path, name, log).chunks(CHUNK_BYTES), name, log)
    headers = text.header()
    if headers and text.has_more():
        yield from _Rows(name, headers, log).blocks(text)


class _TableText:
    """The bytes of a table: first its header, then the rest as pyarrow reads a file.

    What pyarrow reads is made valid UTF-8.
    """

    closed = False

    def __init__(self, chunks: Iterator[bytes], name: str, log: ImportLog) -> None:
        self._chunks = chunks
        self._name = name
        self._log = log
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._ahead = b""
        self._taken = 0
        """Read from the file, and how much of it was given away as lines."""
        self._left = b""
        """The same, repaired."""

    def header(self) -> list[str]:
        """Take the first line that has a cell with text; empty if there is none."""
        while (line := self._line()) is not None:
            text = line.decode("utf-8", "backslashreplace").removeprefix(_UTF8_MARK)
            try:
                cells = [cell.strip() for cell in next(csv.reader([text]), [])]
            except csv.Error:
                cells = [text]
            if line.count(b'"') % 2 or len(line) > _HEADER_BYTES:
                self._log.add(self._name, "header_unreadable", "data_loss", offset=1, sample=text)
                return []
            if any(cells):
                return cells
        return []

    def has_more(self) -> bool:
        """Tell whether anything follows what was taken."""
        return len(self._ahead) > self._taken or self._fetch()

    def read(self, size: int) -> bytes:
        """Return about so many bytes: Arrow takes each answer for a block."""
        parts: list[bytes] = []
        while size > 0:
            if not self._left:
                more = self.has_more()
                self._left = self._repaired(self._ahead[self._taken :])
                self._ahead, self._taken = b"", 0
                if not more and not self._left:
                    break
            parts.append(self._left[:size])
            self._left = self._left[size:]
            size -= len(parts[-1])
        data = b"".join(parts)
        if size == 0 and len(data) > 1 and data.endswith(b"\r"):
            # Between blocks Arrow takes the LF after it for the end of a row, in quotes too.
            data, self._left = data[:-1], data[-1:] + self._left
        return data

    def close(self) -> None:
        """Leave the file to whoever opened it."""

    def _line(self) -> bytes | None:
        """Take a line, however it ends, without its end; None for a last one without."""
        # A CR at the end of what was read may be the first half of an end.
        while (end := _LINE_END.search(self._ahead, self._taken)) is None or end.end() == len(
            self._ahead
        ):
            if len(self._ahead) - self._taken > _HEADER_BYTES or not self._fetch():
                break
        stop = len(self._ahead) if end is None else end.start()
        if end is None and stop - self._taken <= _HEADER_BYTES:
            return None
        line = self._ahead[self._taken : stop]
        self._taken = stop if end is None else end.end()
        return line

    def _fetch(self) -> bool:
        chunk = next(self._chunks, b"")
        if chunk:
            self._ahead = self._ahead[self._taken :] + chunk
            self._taken = 0
        return bool(chunk)

    def _repaired(self, chunk: bytes) -> bytes:
        if chunk.isascii() and not self._decoder.getstate()[0]:
            return chunk
        text = self._decoder.decode(chunk, final=not chunk)
        repaired = text.count("\\x") - chunk.count(b"\\x")
        if repaired > 0:
            place = text.index("\\x")
            sample = text[max(0, place - 40) : place + 80]
            self._log.add(self._name, "text_repaired", "info", count=repaired, sample=sample)
        return text.encode()


class _InvalidRow(Protocol):
    """What pyarrow says of a row that does not fit the header."""

    expected_columns: int
    actual_columns: int
    number: int
    text: str


class _Rows:
    """Reads the rows below a header and keeps account of those that do not fit it."""

    def __init__(self, name: str, headers: list[str], log: ImportLog) -> None:
        self._name = name
        self._log = log
        self._headers = unique_headers(headers)
        self._shapes = [_SHAPES in header.casefold() for header in self._headers]
        plain = [parse_header(header).name for header in headers]
        self._message = plain.index("message") if {"message", "pid", "tid"} <= {*plain} else None
        self._misfits: dict[int, list[str] | None] = {}

    def blocks(self, file: _TableText) -> Iterator[Block]:
        first = 2
        try:
            for batch in self._open(file):
                block = self._block(batch, first)
                first = block.first_row + block.cells.num_rows + len(block.left_out)
                yield block
        except pa.ArrowInvalid as error:
            self._log.add(self._name, "table_damaged", "data_loss", offset=first, sample=str(error))
        if self._misfits:
            # Rows after the last good one.
            yield self._block(self._nothing(), first, last=True)

    def _open(self, file: _TableText) -> Iterator[pa.RecordBatch]:
        names = [str(place) for place in range(len(self._headers))]
        return arrow_csv.open_csv(
            pa.PythonFile(file, mode="r"),
            read_options=arrow_csv.ReadOptions(
                use_threads=False, block_size=BLOCK_BYTES, column_names=names
            ),
            parse_options=arrow_csv.ParseOptions(
                newlines_in_values=True, invalid_row_handler=self._misfit
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )

    def _misfit(self, row: _InvalidRow) -> str:
        """Keep a row that msprof's missing quotes broke; count any other."""
        surplus = row.actual_columns - row.expected_columns
        # Arrow counts from the row below the header, which is 1 here.
        number = row.number + 1
        cells: list[str] | None = None
        if self._message is not None and surplus > 0:
            parts = row.text.split(",")
            end = self._message + len(parts) - len(self._headers) + 1
            cells = [*parts[: self._message], ",".join(parts[self._message : end]), *parts[end:]]
        if cells is None or len(cells) != len(self._headers):
            cells = None
            self._log.add(self._name, "row_malformed", "data_loss", offset=number, sample=row.text)
        self._misfits[number] = cells
        return "skip"

    def _block(self, batch: pa.RecordBatch, first: int, *, last: bool = False) -> Block:
        """Put rows that were repaired back to their places."""
        end = first + batch.num_rows
        inside: list[int] = []
        for number in sorted(self._misfits):
            if number < end or last:
                inside.append(number)
                end += 1
        repaired = {number: self._misfits.pop(number) for number in inside}
        columns: list[pa.Array] = batch.columns
        kept = {number: cells for number, cells in repaired.items() if cells is not None}
        left_out = tuple(number for number in inside if number not in kept)
        if kept:
            columns = _spliced(columns, kept, first, left_out)
        cleaned = [
            without_quotes(column) if shapes else column
            for column, shapes in zip(map(trimmed, columns), self._shapes, strict=True)
        ]
        return Block(
            pa.RecordBatch.from_arrays(cleaned, names=list(self._headers)), first, left_out
        )

    def _nothing(self) -> pa.RecordBatch:
        names = list(self._headers)
        return pa.RecordBatch.from_arrays([pa.array([], pa.string())] * len(names), names=names)


def _spliced(
    columns: list[pa.Array], kept: dict[int, list[str]], first: int, left_out: tuple[int, ...]
) -> list[pa.Array]:
    """Insert rows by their numbers into columns whose other rows are in order."""
    count = len(columns[0])
    order: list[int] = []
    source = 0
    number = first
    added = {row: count + place for place, row in enumerate(kept)}
    while len(order) < count + len(kept):
        if number in added:
            order.append(added[number])
        elif number not in left_out:
            order.append(source)
            source += 1
        number += 1
    extra = list(zip(*kept.values(), strict=True))
    indices = pa.array(order, pa.int64())
    return [
        pa.concat_arrays([column, pa.array(extra[place], pa.string())]).take(indices)
        for place, column in enumerate(columns)
    ]
