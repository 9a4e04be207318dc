"""A timeline file as a stream of bytes: plain, gzip or one member of a zip.

Nothing here blocks on a pipe or follows a bomb: only regular files are opened,
and unpacking stops at a size and a ratio that no profiler reaches.
"""

import gzip
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

GZIP_MAGIC = b"\x1f\x8b"
ZIP_MAGIC = b"PK\x03\x04"
CHUNK_BYTES = 512 << 10
"""So few events at a time stay in the processor's cache: larger chunks take a third longer."""
PACKED_CHUNK_BYTES = 64 << 10
"""A damaged archive loses what is unpacked in one go with the damage."""
MOST_UNPACKED_BYTES = 64 << 30
MOST_UNPACKED_RATIO = 200


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
        try:
            with ExitStack() as stack:
                disk = stack.enter_context(open_regular(self._path))
                yield from self._unpacked(disk, stack, size)
        except OSError as error:
            raise IngestError(f"{self._path}: {error.strerror or error}") from error

    def _unpacked(self, disk: BinaryIO, stack: ExitStack, size: int) -> Iterator[bytes]:
        magic = disk.read(4)
        disk.seek(0)
        packed: gzip.GzipFile | zipfile.ZipExtFile | None = None
        if magic.startswith(GZIP_MAGIC):
            packed = stack.enter_context(gzip.GzipFile(fileobj=disk))
        elif magic == ZIP_MAGIC:
            archive = stack.enter_context(zipfile.ZipFile(disk))
            member = self._member or archive.namelist()[0]
            packed = cast("zipfile.ZipExtFile", stack.enter_context(archive.open(member)))
        limit = os.fstat(disk.fileno()).st_size
        produced = 0
        told = 0
        while True:
            try:
                # A packed stream that is cut off gives what it has before it fails.
                chunk = (
                    packed.read1(min(size, PACKED_CHUNK_BYTES))
                    if packed is not None
                    else disk.read(min(size, limit - produced))
                )
            except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile) as error:
                self._log.add(
                    self._name, "truncated", "data_loss", offset=produced, sample=str(error)
                )
                return
            if not chunk:
                return
            produced += len(chunk)
            position = min(disk.tell(), limit)
            self._advance(position - told)
            told = position
            if packed is not None and produced > max(
                MOST_UNPACKED_BYTES, limit * MOST_UNPACKED_RATIO
            ):
                self._log.add(
                    self._name,
                    "unpacks_too_far",
                    "data_loss",
                    offset=produced,
                    sample=f"stopped after {produced} unpacked bytes",
                )
                return
            yield chunk
