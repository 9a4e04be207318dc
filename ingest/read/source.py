"""A timeline file as a stream of bytes: plain, gzip or one member of a zip.

Nothing here blocks on a pipe or follows a bomb: only regular files are opened,
and unpacking stops at a size and a ratio that no profiler reaches.
"""

import gzip
import os
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import cast

from ..errors import IngestError
from ..folder import open_regular
from ..notice import ImportLog

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
CHUNK_BYTES = 512 << 10
"""So few events at a time stay in the processor's cache: larger chunks take a third longer."""
PACKED_CHUNK_BYTES = 64 << 10
"""A damaged archive loses what is unpacked in one go with the damage."""
MOST_UNPACKED_BYTES = 64 << 30
MOST_UNPACKED_RATIO = 200

_Packed = gzip.GzipFile | zipfile.ZipExtFile


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
        appends later is not read. Raises IngestError when the file cannot be read.
        """
        with self.opened() as stream:
            while chunk := stream.read(size):
                yield chunk

    @contextmanager
    def opened(self) -> Generator["TimelineStream"]:
        """Open the file; raise IngestError when it cannot be read."""
        with ExitStack() as stack:
            try:
                stream = self._stream(stack)
            except OSError as error:
                raise _unreadable(self._path, error) from error
            yield stream

    def _stream(self, stack: ExitStack) -> "TimelineStream":
        disk = stack.enter_context(open_regular(self._path))
        magic = disk.read(4)
        disk.seek(0)
        packed: _Packed | None = None
        if magic.startswith(GZIP_MAGIC):
            packed = stack.enter_context(gzip.GzipFile(fileobj=disk))
        elif magic == ZIP_MAGIC:
            archive = stack.enter_context(zipfile.ZipFile(disk))
            member = self._member or archive.namelist()[0]
            packed = cast("zipfile.ZipExtFile", stack.enter_context(archive.open(member)))

        def cut_short(name: str, offset: int, sample: str) -> None:
            self._log.add(self._name, name, "data_loss", offset=offset, sample=sample)

        return TimelineStream(self._path, disk, packed, cut_short, self._advance)


class TimelineStream:
    """The unpacked bytes of an open timeline file, in their order."""

    def __init__(
        self,
        path: Path,
        disk: BufferedReader,
        packed: _Packed | None,
        cut_short: Callable[[str, int, str], None],
        advance: Callable[[int], None],
    ) -> None:
        self._path = path
        self._disk = disk
        self._packed = packed
        self._cut_short = cut_short
        self._advance = advance
        self._limit = os.fstat(disk.fileno()).st_size
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
        except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile) as error:
            self._ended = True
            self._cut_short("truncated", self._produced, str(error))
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


def _unreadable(path: Path, error: OSError) -> IngestError:
    return IngestError(f"{path}: {error.strerror or error}")
