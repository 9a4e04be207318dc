"""A timeline file as a stream of bytes: plain, gzip or one member of a zip.

Nothing here blocks on a pipe or follows a bomb: only regular files are opened,
and unpacking stops at a size and a ratio that no profiler reaches.
"""

import io
import os
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
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

_Packed = Gunzip | zipfile.ZipExtFile


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
        appends later is not read, and counted. Raises IngestError when the file cannot be read.
        """
        with self.opened() as stream:
            while chunk := stream.read(size):
                yield chunk

    @contextmanager
    def opened(self) -> Generator["TimelineStream"]:
        """Open the file; raise IngestError when it cannot be read."""
        with ExitStack() as stack:
            try:
                file = stack.enter_context(open_regular(self._path))
                opened = os.fstat(file.fileno())
                stream = self._stream(stack, _FixedSize(file, opened.st_size))
            except OSError as error:
                raise _unreadable(self._path, error) from error
            except (zipfile.BadZipFile, RuntimeError) as error:
                raise IngestError(f"{self._path}: cannot be unpacked: {error}") from error
            yield stream
            self._check_unchanged(opened, os.fstat(file.fileno()))

    def _stream(self, stack: ExitStack, fixed: "_FixedSize") -> "TimelineStream":
        disk = cast("io.BufferedReader", io.BufferedReader(fixed))
        magic = disk.read(4)
        disk.seek(0)
        packed: _Packed | None = None
        if magic.startswith(GZIP_MAGIC):
            packed = Gunzip(disk)
        elif magic == ZIP_MAGIC:
            archive = stack.enter_context(zipfile.ZipFile(disk))
            member = self._member or archive.namelist()[0]
            packed = cast("zipfile.ZipExtFile", stack.enter_context(archive.open(member)))
        return TimelineStream(self._path, disk, fixed.size, packed, self._lose, self._advance)

    def _lose(self, name: str, offset: int, sample: str) -> None:
        self._log.add(self._name, name, "data_loss", offset=offset, sample=sample)

    def _check_unchanged(self, opened: os.stat_result, now: os.stat_result) -> None:
        if (opened.st_size, opened.st_mtime_ns) == (now.st_size, now.st_mtime_ns):
            return
        said = f"written to while it was read: {opened.st_size} bytes then, {now.st_size} now"
        self._lose("source_changing", min(opened.st_size, now.st_size), said)


class TimelineStream:
    """The unpacked bytes of an open timeline file, in their order."""

    def __init__(
        self,
        path: Path,
        disk: io.BufferedReader,
        limit: int,
        packed: _Packed | None,
        cut_short: Callable[[str, int, str], None],
        advance: Callable[[int], None],
    ) -> None:
        self._path = path
        self._disk = disk
        self._packed = packed
        self._cut_short = cut_short
        self._advance = advance
        self._limit = limit
        self._produced = 0
        self._told = 0
        self._ended = False

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most ``size``; none at the end.

        Raises IngestError when the file cannot be read.
        """
        if self._packed is not None:
            return self._unpacked(size)
        try:
            chunk = self._disk.read(min(size, self._limit - self._produced))
        except OSError as error:
            raise _unreadable(self._path, error) from error
        self._count(len(chunk))
        return chunk

    def read_into(self, buffer: memoryview) -> int:
        """Fill a buffer with the next bytes; return how many, fewer only at the end."""
        if self._packed is None:
            try:
                count = self._disk.readinto(buffer[: self._limit - self._produced])
            except OSError as error:
                raise _unreadable(self._path, error) from error
            self._count(count)
            return count
        filled = 0
        while filled < len(buffer) and (chunk := self._unpacked(len(buffer) - filled)):
            buffer[filled : filled + len(chunk)] = chunk
            filled += len(chunk)
        return filled

    def _unpacked(self, size: int) -> bytes:
        if self._ended or self._packed is None:
            return b""
        try:
            # A packed stream that is cut off gives what it has before it fails.
            chunk = self._packed.read1(min(size, PACKED_CHUNK_BYTES))
        except (EOFError, zlib.error, zipfile.BadZipFile) as error:
            self._ended = True
            name = "truncated" if isinstance(error, EOFError) else "archive_damaged"
            self._cut_short(name, self._produced, str(error))
            return b""
        except OSError as error:
            raise _unreadable(self._path, error) from error
        self._count(len(chunk))
        if self._produced > max(MOST_UNPACKED_BYTES, self._limit * MOST_UNPACKED_RATIO):
            self._ended = True
            self._cut_short(
                "unpacks_too_far", self._produced, f"stopped after {self._produced} unpacked bytes"
            )
            return b""
        return chunk

    def _count(self, produced: int) -> None:
        self._produced += produced
        position = min(self._disk.tell(), self._limit)
        self._advance(position - self._told)
        self._told = position


class _FixedSize(io.RawIOBase):
    """The first ``size`` bytes of a file, however long it becomes."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: "memoryview", /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] # any buffer
        wanted = min(len(buffer), max(0, self.size - self._position))
        if not wanted:
            return 0
        part = memoryview(buffer)[:wanted]
        count = os.preadv(self._file.fileno(), [part], self._position)
        self._position += count
        return count


def _unreadable(path: Path, error: OSError) -> IngestError:
    return IngestError(f"{path}: {error.strerror or error}")
