"""What a file is, told from its first bytes and not from its name."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Final, Literal

from ..folder import open_regular

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
"""How far into a file of a folder the first trace event is looked for."""

DEEP_SEARCH_BYTES: Final = 64 << 20
"""The same for a file that the user named."""

_CHUNK_BYTES: Final = 16 << 10
_SQLITE_MAGIC: Final = b"SQLite format 3\0"
_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZIP_MAGIC: Final = b"PK\x03\x04"
_UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_NO_EVENTS: Final = (b"[]", b"[", b"{}", b"{")
_TIMELINE_KEYS: Final = {b"[": b'"ph"', b"{": b'"traceEvents"'}
"""What a list of trace events, or an object with one, has and other JSON lacks."""


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
    except (zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        return Content("damaged", about=str(error))


def first_rows(head: bytes, count: int) -> list[list[str]]:
    """Return up to ``count`` records of the beginning of a CSV file, blanks removed."""
    text = head.removeprefix(_UTF8_MARK).decode("utf-8", "replace")
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(io.StringIO(text, newline="")):
            cells = [cell.strip() for cell in row]
            if any(cells):
                rows.append(cells)
            if len(rows) == count:
                break
    return rows


def _chunks(file: IO[bytes], search: int) -> Iterator[bytes]:
    read = 0
    while read < search and (chunk := file.read(_CHUNK_BYTES)):
        read += len(chunk)
        yield chunk


def _unzipped(file: BinaryIO, search: int) -> Iterator[bytes]:
    """Unpack the beginning of a gzip stream; a cut stream just ends."""
    stream = zlib.decompressobj(wbits=31)
    for packed in _chunks(file, search):
        data = packed
        while data and not stream.eof:
            piece = stream.decompress(data, _CHUNK_BYTES)
            data = stream.unconsumed_tail
            if piece:
                yield piece


def _look_into_zip(file: BinaryIO, search: int) -> Content:
    with zipfile.ZipFile(file) as archive:
        members = [one for one in archive.infolist() if one.filename.lower().endswith(".json")]
        if len(members) != 1:
            return Content("archive", about=f"holds {len(members)} JSON files, not one")
        if members[0].flag_bits & 1:
            return Content("archive", about="is encrypted")
        with archive.open(members[0]) as member:
            found = _classify(_chunks(member, search), search)
    return Content(found.kind, found.head, members[0].filename, found.about)


def _classify(chunks: Iterator[bytes], search: int) -> Content:
    head = next(chunks, b"")
    text = head.removeprefix(_UTF8_MARK).lstrip()
    if key := _TIMELINE_KEYS.get(text[:1]):
        if text.rstrip() in _NO_EVENTS:
            return Content("empty", head)
        return _search(key, head, chunks, search)
    kind: Kind = "text"
    if head.startswith(_SQLITE_MAGIC):
        kind = "sqlite"
    elif head.startswith(_UTF16_MARKS):
        kind = "utf-16"
    elif not text:
        kind = "empty"
    elif b"\0" not in head and b"," in head.partition(b"\n")[0]:
        kind = "csv"
    return Content(kind, head)


def _search(key: bytes, head: bytes, chunks: Iterator[bytes], search: int) -> Content:
    """Look for the key that makes it a timeline."""
    seen = bytearray(head)
    start = 0
    while True:
        if seen.find(key, start) >= 0:
            return Content("timeline", bytes(seen[:SEARCH_BYTES]))
        chunk = next(chunks, b"")
        if not chunk or len(seen) >= search:
            return Content("json", head)
        start = max(0, len(seen) - len(key))
        seen += chunk
