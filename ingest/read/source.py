"""A timeline file as a stream of bytes: plain, gzip or one member of a zip.

Nothing here blocks on a pipe or follows a bomb: only regular files are opened,
and unpacking stops at a size and a ratio that no profiler reaches.
"""

import io
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import IngestError
from ..folder import open_regular
from ..notice import ImportLog
from .gunzip import Gunzip

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
CHUNK_BYTES = 512 << 10
"""So few events at a time stay in the processor's cache: larger chunks take a third longer."""
PACKED_CHUNK_BYTES = 64 << 10
MOST_UNPACKED_BYTES = 64 << 30
MOST_UNPACKED_RATIO = 200
"""Unpacking stops beyond both: a small file may hold much, a big one more."""


class TimelineSource:
    """Reads a timeline file chunk by chunk; a damaged end of a packed file is counted.

    ``advance`` is told how many bytes of the file on disk each chunk used.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        log: ImportLog,
        *,
        member: str | None = None,
        advance: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._path = path
        self._name = name
        self._log = log
        self._member = member
        self._advance = advance

    def chunks(self, size: int = CHUNK_BYTES) -> Iterator[bytes]:
        """Yield the unpacked content in chunks of about ``size`` bytes.

        The size of the file is fixed when it is opened: what a running profiler
        appends later is not read, and counted. Raises IngestError when the file
        cannot be read.
        """
        try:
            with ExitStack() as stack:
                file = stack.enter_context(open_regular(self._path))
                opened = os.fstat(file.fileno())
                fixed = io.BufferedReader(_FixedSize(file, opened.st_size))
                yield from self._unpacked(cast("BinaryIO", fixed), stack, size, opened.st_size)
                self._check_unchanged(opened, os.fstat(file.fileno()))
        except OSError as error:
            raise IngestError(f"{self._path}: {error.strerror or error}") from error
        except (zipfile.BadZipFile, RuntimeError) as error:
            raise IngestError(f"{self._path}: cannot be unpacked: {error}") from error

    def _unpacked(self, disk: BinaryIO, stack: ExitStack, size: int, limit: int) -> Iterator[bytes]:
        magic = disk.read(4)
        disk.seek(0)
        read: Callable[[int], bytes] = disk.read
        packed = False
        if magic.startswith(GZIP_MAGIC):
            read, packed = Gunzip(disk).read1, True
        elif magic == ZIP_MAGIC:
            archive = stack.enter_context(zipfile.ZipFile(disk))
            member = self._member or archive.namelist()[0]
            unpacked = stack.enter_context(archive.open(member))
            read, packed = cast("zipfile.ZipExtFile", unpacked).read1, True
        if packed:
            size = min(size, PACKED_CHUNK_BYTES)
        most = max(MOST_UNPACKED_BYTES, limit * MOST_UNPACKED_RATIO)
        produced = 0
        told = 0
        while True:
            try:
                chunk = read(size)
            except EOFError as error:
                self._lose("truncated", produced, str(error))
                return
            except (zlib.error, zipfile.BadZipFile) as error:
                self._lose("archive_damaged", produced, str(error))
                return
            if not chunk:
                return
            produced += len(chunk)
            position = disk.tell()
            self._advance(position - told)
            told = position
            if packed and produced > most:
                self._lose("unpacks_too_far", produced, f"stopped after {produced} unpacked bytes")
                return
            yield chunk

    def _lose(self, name: str, offset: int, sample: str) -> None:
        self._log.add(self._name, name, "data_loss", offset=offset, sample=sample)

    def _check_unchanged(self, opened: os.stat_result, now: os.stat_result) -> None:
        if (opened.st_size, opened.st_mtime_ns) == (now.st_size, now.st_mtime_ns):
            return
        said = f"written to while it was read: {opened.st_size} bytes then, {now.st_size} now"
        self._lose("source_changing", min(opened.st_size, now.st_size), said)


class _FixedSize(io.RawIOBase):
    """The first ``size`` bytes of a file, however long it becomes."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: "memoryview", /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] # any buffer
        wanted = min(len(buffer), max(0, self._size - self._position))
        if not wanted:
            return 0
        part = memoryview(buffer)[:wanted]
        count = os.preadv(self._file.fileno(), [part], self._position)
        self._position += count
        return count
