"""What a file is, told from its first bytes and not from its name."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, Final, Literal

import msgspec

from ..folder import open_regular
from ..read.boundary import next_event, object_end
from ..read.event import decode_event, repair_event
from ..read.gunzip import Gunzip

Kind = Literal[
    "timeline",
    "json",
    "csv",
    "sqlite",
    "text",
    "empty",
    "archive",
    "damaged",
    "utf-16",
    "unreadable",
]

SEARCH_BYTES: Final = 1 << 20
"""How far into a file of a folder the first trace event, or row, is looked for."""

DEEP_SEARCH_BYTES: Final = 64 << 20
"""The same for a file that the user named, or whose name says that it is a timeline."""

_CHUNK_BYTES: Final = 16 << 10
_SQLITE_MAGIC: Final = b"SQLite format 3\0"
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_NO_EVENTS: Final = (b"[]", b"[", b"{}", b"{")
_TIMELINE_KEYS: Final = {b"[": b'"ph"', b"{": b'"traceEvents"'}
"""What a list of trace events, or an object with one, has and other JSON lacks."""
_MOST_DAMAGE_BYTES: Final = 64
"""Up to here the first event is looked for where a timeline's first byte is damaged."""
_STORED_IN_ZIP: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Content:
    """What a file is: its kind, its unpacked beginning, and what a zip holds.

    ``member`` is the JSON file inside a zip; ``about`` says what is wrong with a file
    of kind ``archive``, ``damaged`` or ``unreadable``.
    """

    kind: Kind
    head: bytes = b""
    member: str | None = None
    about: str = ""


def look_into(path: Path, search: int = SEARCH_BYTES) -> Content:
    """Read the beginning of a file, unpacking gzip and zip, and say what it is.

    Reads on up to ``search`` bytes only while it may still turn out to be a timeline.
    """
    try:
        with open_regular(path) as file:
            magic = file.read(4)
            file.seek(0)
            if magic.startswith(_GZIP_MAGIC):
                return _classify(_unzipped(file, search), search)
            if magic == _ZIP_MAGIC:
                return _look_into_zip(file, search)
            return _classify(_chunks(file, search), search)
    except OSError as error:
        return Content("unreadable", about=error.strerror or str(error))
    except (zlib.error, zipfile.BadZipFile, EOFError, ValueError, RuntimeError) as error:
        return Content("damaged", about=str(error))


def first_rows(head: bytes, count: int) -> list[list[str]]:
    """Return up to ``count`` records of the beginning of a CSV file, blanks removed."""
    text = head.removeprefix(_UTF8_MARK).decode("utf-8", "replace")
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline="")):
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append(cells)
            if len(rows) == count:
                break
    except csv.Error as error:
        # A cell longer than this reader takes is the begin of a record all the same.
        rows.append([str(error)])
    return rows


def _chunks(file: IO[bytes], search: int) -> Iterator[bytes]:
    read = 0
    while read < search and (chunk := file.read(_CHUNK_BYTES)):
        read += len(chunk)
        yield chunk


def _unzipped(file: BinaryIO, search: int) -> Iterator[bytes]:
    """Unpack the beginning of a gzip stream; a cut stream just ends."""
    stream = Gunzip(file)
    read = 0
    with suppress(EOFError):
        while read < search and (chunk := stream.read1(_CHUNK_BYTES)):
            read += len(chunk)
            yield chunk


def _look_into_zip(file: BinaryIO, search: int) -> Content:
    with zipfile.ZipFile(file) as archive:
        members = [one for one in archive.infolist() if one.filename.lower().endswith(".json")]
        if len(members) != 1:
            return Content("archive", about=f"holds {len(members)} JSON files, not one")
        if members[0].flag_bits & 1:
            return Content("archive", about="is encrypted")
        if members[0].compress_type not in _STORED_IN_ZIP:
            return Content("archive", about="is not packed with deflate")
        with archive.open(members[0]) as member:
            found = _classify(_chunks(member, search), search)
    return Content(found.kind, found.head, members[0].filename, found.about)


def _classify(chunks: Iterator[bytes], search: int) -> Content:
    head = next(chunks, b"")
    text = head.removeprefix(_UTF8_MARK).lstrip()
    if key := _TIMELINE_KEYS.get(text[:1]):
        if b"".join(text.split()) in _NO_EVENTS:
            return Content("empty", head)
        return _search(key, head, chunks, search)
    kind: Kind
    if head.startswith(_SQLITE_MAGIC):
        kind = "sqlite"
    elif head.startswith(_UTF16_MARKS):
        kind = "utf-16"
    elif not text:
        return _after_blanks(head, chunks, search)
    elif 0 <= text.find(b"{") <= _MOST_DAMAGE_BYTES and _first_event(text):
        kind = "timeline"
    else:
        is_csv = b"\0" not in head and b"," in text.splitlines()[0]
        kind = "csv" if is_csv else "text"
        head = _with_rows(head, chunks)
    return Content(kind, head)


def _after_blanks(head: bytes, chunks: Iterator[bytes], search: int) -> Content:
    """Go on after a beginning of blank lines only."""
    for chunk in chunks:
        if chunk.strip():
            return _classify(chain([chunk], chunks), search)
    return Content("empty", head)


def _with_rows(head: bytes, chunks: Iterator[bytes]) -> bytes:
    """Return the beginning of a table, longer if its first two records are."""
    if len(first_rows(head, 2)) == 2:
        return head
    seen = bytearray(head)
    while len(seen) < SEARCH_BYTES and (chunk := next(chunks, b"")):
        seen += chunk
    return bytes(seen)


def _first_event(text: bytes) -> bool:
    """Whether the first whole object is a trace event by itself."""
    start = text.find(b"{")
    return start >= 0 and _is_event(text, start)


def _is_event(text: bytes, start: int) -> bool:
    end = object_end(text, start)
    if end is None:
        return False
    try:
        try:
            event = decode_event(text[start:end])
        except msgspec.MsgspecError:
            event = repair_event(text[start:end])
    except RecursionError:
        return False
    return event is not None and bool(event.ph)


def _holds_event(text: bytes) -> bool:
    """Whether there are events in an object whose key for them is damaged."""
    start = next_event(text, 0)
    return start is not None and b'"ts"' in text and _is_event(text, start)


def _search(key: bytes, head: bytes, chunks: Iterator[bytes], search: int) -> Content:
    """Look for the key that makes it a timeline, or for events one after another."""
    if b'"ph"' in head and _first_event(head):
        return Content("timeline", head)
    seen = bytearray(head)
    start = 0
    while True:
        if seen.find(key, start) >= 0:
            return Content("timeline", bytes(seen[:SEARCH_BYTES]))
        chunk = next(chunks, b"")
        if not chunk or len(seen) >= search:
            found = bytes(seen[:SEARCH_BYTES])
            alone = b'"ph"' in found and (_first_event(found) or _holds_event(found))
            return Content("timeline" if alone else "json", head)
        start = max(0, len(seen) - len(key))
        seen += chunk
