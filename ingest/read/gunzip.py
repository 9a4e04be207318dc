"""Unpacks gzip as a stream, member by member, up to the very byte where it is damaged."""

import zlib
from contextlib import suppress
from typing import IO, Final

PACKED_BYTES: Final = 16 << 10
_GZIP_WINDOW: Final = 31


class Gunzip:
    """Unpacks gzip members one after another; gives every byte before damage."""

    def __init__(self, disk: IO[bytes]) -> None:
        self._disk = disk
        self._stream = zlib.decompressobj(_GZIP_WINDOW)
        self._packed = b""
        self._failed: zlib.error | None = None

    def read1(self, size: int = -1, /) -> bytes:
        """Return some unpacked bytes, none at the end.

        Raises EOFError where the file is cut and zlib.error where it is damaged.
        """
        while self._failed is None:
            if not self._packed:
                self._packed = self._disk.read(PACKED_BYTES)
            ended = not self._packed
            if self._stream.eof:
                self._packed = self._packed.lstrip(b"\0") or self._disk_without_zeros()
                if not self._packed:
                    return b""
                self._stream = zlib.decompressobj(_GZIP_WINDOW)
            # With nothing left to unpack, what was taken in may not all be given out yet.
            if piece := self._unpack(size):
                return piece
            if ended and not self._stream.eof:
                raise EOFError("the gzip stream ends before its end-of-stream marker")
        raise self._failed

    def _disk_without_zeros(self) -> bytes:
        """Pass over zeros that pad a file behind its last member."""
        while packed := self._disk.read(PACKED_BYTES):
            if packed := packed.lstrip(b"\0"):
                return packed
        return b""

    def _unpack(self, size: int) -> bytes:
        before = self._stream.copy()
        try:
            piece = self._stream.decompress(self._packed, size)
        except zlib.error as error:
            self._failed = error
            unpacked = bytearray()
            with suppress(zlib.error):
                for at in range(len(self._packed)):
                    unpacked += before.decompress(self._packed[at : at + 1])
            return bytes(unpacked)
        self._packed = self._stream.unconsumed_tail or self._stream.unused_data
        return piece
