"""The vendor's own figures of collectives, from communication.json and communication_matrix.json.

Both are one JSON object: steps, in them ``p2p`` and ``collective``, in them collectives. What
msprof --analyze writes has neither steps nor kinds. Lengths are decimal ms and sizes MB of
10^6 bytes, written from floats: their digits become whole ns and bytes, without a float. Of a
key that an object has twice the last one counts.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import pyarrow as pa

from ..errors import IngestError
from ..folder import relative_name
from ..notice import ImportLog
from .cells import MOST_NANOSECONDS
from .decimal_time import scaled
from .event import raw_text
from .source import TimelineSource

MOST_BYTES: Final = 128 << 20
"""Of a file, unpacked: some 100,000 collectives. It is in memory as a whole."""

COLLECTIVE_FIGURES: Final = pa.schema(
    [
        ("step", pa.int32()),
        ("kind", pa.string()),
        ("name", pa.string()),
        ("group", pa.string()),
        ("ts", pa.int64()),
        ("elapse_ns", pa.int64()),
        ("transit_ns", pa.int64()),
        ("wait_ns", pa.int64()),
        ("synchronization_ns", pa.int64()),
        ("idle_ns", pa.int64()),
        ("wait_ratio", pa.float64()),
        ("bytes", pa.int64()),
        ("total", pa.int64()),
    ]
)
"""What ``read_collective_figures`` returns, as the table vendor_collective describes it."""

LINK_FIGURES: Final = pa.schema(
    [
        ("step", pa.int32()),
        ("kind", pa.string()),
        ("operation", pa.string()),
        ("choice", pa.string()),
        ("group", pa.string()),
        ("src", pa.int32()),
        ("dst", pa.int32()),
        ("transport", pa.string()),
        ("bytes", pa.int64()),
        ("total", pa.int64()),
        ("name", pa.string()),
    ]
)
"""What ``read_link_figures`` returns, as the table vendor_link describes it."""

_STEP: Final = re.compile(r"step([0-9]{0,9})")
_KINDS: Final = ("collective", "p2p")
_TOTAL: Final = "Total Op Info"
_TIMES: Final = "Communication Time Info"
_BANDWIDTHS: Final = "Communication Bandwidth Info"
_LENGTHS: Final = (
    "Elapse Time(ms)",
    "Transit Time(ms)",
    "Wait Time(ms)",
    "Synchronization Time(ms)",
    "Idle Time(ms)",
)
_SIZE: Final = "Transit Size(MB)"
_TIME: Final = "Transit Time(ms)"
_MILLISECONDS: Final = 6
_MICROSECONDS: Final = 3
_MEGABYTES: Final = 6
_APART: Final = ("SDMA", "RDMA")
"""The other transports are parts of SDMA."""

_PAIR: Final = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_CHOICE: Final = re.compile(r"(.*)-(top[0-9]+|middle|bottom[0-9]+|total)", re.DOTALL)

_MARK: Final = b"\xef\xbb\xbf"
_NO_UTF_8: Final = re.compile("[\udc80-\udcff]")
"""How Python decodes bytes that are no UTF-8."""
_BATCH_ROWS: Final = 1 << 16

_Number = TypeVar("_Number", int, float)
_Object = Mapping[str, msgspec.Raw]
_decode: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


@dataclass(frozen=True, slots=True)
class _Entry:
    """A collective, or a kind of them, as a file names it: ``<name>@<group>``."""

    step: int | None
    kind: str | None
    name: str
    group: str | None
    content: _Object


class _File:
    """One file: its entries and numbers, and the counts of what is none."""

    def __init__(self, path: Path, root: Path, log: ImportLog) -> None:
        self._path = path
        self._log = log
        self._name = relative_name(path, root)

    def entries(self) -> Iterator[_Entry]:
        """Yield every entry at the third level, or at the first without steps and kinds."""
        for key, raw in self._document().items():
            step = _STEP.fullmatch(key)
            if step is None and key not in _KINDS:
                yield from self._entry(None, None, key, raw)
                continue
            number = int(step[1]) if step is not None and step[1] else None
            if number is not None and number >= 1 << 31:
                self._odd("number_out_of_range", key)
                number = None
            inner = {key: raw} if step is None else self.object_of(key, raw)
            for kind, group in inner.items():
                if kind not in _KINDS:
                    yield from self._entry(number, None, kind, group)
                    continue
                for name, content in self.object_of(kind, group).items():
                    yield from self._entry(number, kind, name, content)

    def number(self, values: _Object, name: str, power: int) -> int | None:
        """Return a number times ``10**power``; None if it is not there, or none and counted."""
        return self._value(values, name, lambda text: _bounded(scaled(text, power)))

    def ratio(self, values: _Object, name: str) -> float | None:
        """Return a ratio; None as for ``number``."""
        return self._value(values, name, _finite)

    def object_of(self, name: str, raw: msgspec.Raw | None) -> _Object:
        """Return the object in a place; an empty one, and counted, if there is no object."""
        try:
            return _decode(raw) if raw is not None else {}
        except (msgspec.MsgspecError, RecursionError):
            self._odd("entry_malformed", name)
            return {}

    def skip(self, name: str) -> None:
        """Count an entry whose name says nothing."""
        self._odd("entry_malformed", name)

    def _document(self) -> _Object:
        try:
            return _decode(self._text())
        except IngestError as error:
            self._log.add(self._name, "file_unreadable", "error", sample=str(error))
        except (msgspec.MsgspecError, RecursionError) as error:
            self._odd("side_file_damaged", f"no JSON object: {error}")
        return {}

    def _text(self) -> bytes:
        chunks: list[bytes] = []
        room = MOST_BYTES
        for chunk in TimelineSource(self._path, self._name, self._log).chunks():
            chunks.append(chunk)
            room -= len(chunk)
            if room < 0:
                self._odd("side_file_too_large", f"more than {MOST_BYTES >> 20} MiB: not read")
                return b"{}"
        text = b"".join(chunks).removeprefix(_MARK)
        if text.isascii():
            return text
        repaired, count = _NO_UTF_8.subn(_escaped, text.decode("utf-8", "surrogateescape"))
        if count:
            self._log.add(self._name, "text_repaired", "info", count=count)
        return repaired.encode()

    def _entry(
        self, step: int | None, kind: str | None, name: str, raw: msgspec.Raw
    ) -> Iterator[_Entry]:
        if name == _TOTAL:
            # It is the sum of the others.
            return
        if content := self.object_of(name, raw):
            own, at, group = name.rpartition("@")
            yield _Entry(step, kind, own if at else name, group if at else None, content)

    def _value(self, values: _Object, name: str, read: Callable[[str], _Number]) -> _Number | None:
        raw = values.get(name)
        if raw is None or bytes(raw) == b"null":
            return None
        text = raw_text(raw)
        try:
            return read(text)
        except ValueError:
            self._odd("cell_malformed", f"{name}: {text[:64]}")
            return None

    def _odd(self, what: str, sample: str) -> None:
        self._log.add(self._name, what, "data_loss", sample=sample)


def read_collective_figures(path: Path, root: Path, log: ImportLog) -> pa.Table:
    """Return a row for each collective of communication.json.

    ``ts`` is to 0.1 us. ``bytes`` and ``total`` are what its tasks sent to other ranks and
    how long they took one after the other: SDMA, which holds HCCS, PCIE and SIO, and RDMA.
    An entry that is no object is no row and counted as ``entry_malformed``, a value that is
    no number as ``cell_malformed``, a file that is none as ``side_file_damaged`` or, beyond
    128 MiB, ``side_file_too_large``.
    """
    return _table(_collectives(_File(path, root, log)), COLLECTIVE_FIGURES)


def read_link_figures(path: Path, root: Path, log: ImportLog) -> pa.Table:
    """Return a row for each pair of ranks in each entry of communication_matrix.json.

    An entry is the sum over the collectives of an operation (``choice`` total), or one of
    them that the vendor chose by its bandwidth. What is damaged is counted as by
    ``read_collective_figures``.
    """
    return _table(_links(_File(path, root, log)), LINK_FIGURES)


def _collectives(file: _File) -> Iterator[tuple[object, ...]]:
    for entry in file.entries():
        times = file.object_of(entry.name, entry.content.get(_TIMES))
        if not times:
            file.skip(entry.name)
            continue
        parts = file.object_of(entry.name, entry.content.get(_BANDWIDTHS))
        sent = [file.object_of(name, parts[name]) for name in _APART if name in parts]
        yield (
            *(entry.step, entry.kind, entry.name, entry.group),
            file.number(times, "Start Timestamp(us)", _MICROSECONDS),
            *(file.number(times, name, _MILLISECONDS) for name in _LENGTHS),
            file.ratio(times, "Wait Time Ratio"),
            _sum(file.number(one, _SIZE, _MEGABYTES) for one in sent),
            _sum(file.number(one, _TIME, _MILLISECONDS) for one in sent),
        )


def _links(file: _File) -> Iterator[tuple[object, ...]]:
    for entry in file.entries():
        chosen = _CHOICE.fullmatch(entry.name)
        operation, choice = (chosen[1], chosen[2]) if chosen else (entry.name, None)
        for pair, raw in entry.content.items():
            ranks = _PAIR.fullmatch(pair)
            link = file.object_of(pair, raw)
            if ranks is None:
                file.skip(pair)
            if ranks is None or not link:
                continue
            yield (
                *(entry.step, entry.kind, operation, choice, entry.group),
                *(int(ranks[1]), int(ranks[2]), _words(link.get("Transport Type"))),
                file.number(link, _SIZE, _MEGABYTES),
                file.number(link, _TIME, _MILLISECONDS),
                _words(link.get("Op Name")),
            )


def _table(rows: Iterator[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    batches: list[pa.RecordBatch] = []
    while some := list(islice(rows, _BATCH_ROWS)):
        columns = zip(*some, strict=True)
        arrays = [
            pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)
        ]
        batches.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _escaped(byte: re.Match[str]) -> str:
    """Return a byte as the content of a JSON string that says which it was."""
    return f"\\\\x{ord(byte[0]) & 0xFF:02x}"


def _words(raw: msgspec.Raw | None) -> str | None:
    return (raw_text(raw) or None) if raw is not None and bytes(raw) != b"null" else None


def _sum(values: Iterator[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return _bounded_or_none(sum(known)) if known else None


def _bounded_or_none(value: int) -> int | None:
    return value if abs(value) < MOST_NANOSECONDS else None


def _bounded(value: int) -> int:
    if abs(value) >= MOST_NANOSECONDS:
        raise ValueError(value)
    return value


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value
