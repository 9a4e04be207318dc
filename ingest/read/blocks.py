"""A timeline's bytes in blocks that are scanned by several threads and come in their order.

The bytes are cut at *candidate* boundaries: a closing brace, a comma, an opening brace
and a quote. Where a block begins is a guess, which holds if the block before was read
to its very end: then the state of the lexer at the cut is known. The reader of the
blocks checks that and scans again from where the events really go on.
"""

import queue
import re
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Final, Self

from .._scan import Scanner
from .source import TimelineStream
from .window import Window

BLOCK_BYTES: Final = 4 << 20
"""So large that threads seldom wait for each other, so small that all blocks fit the cache
of a large processor."""
CUT_SEARCH_BYTES: Final = (16 << 10, 256 << 10)
BLOCKS_AHEAD: Final = 2
"""Scanned blocks that wait for their turn, beyond those that are being scanned."""

_BOUNDARY: Final = re.compile(rb'\}\s*,\s*(?=\{\s*")')


class Block:
    """Some bytes of the file in a buffer that is used again, and what scanning them gave."""

    def __init__(self, window: Window) -> None:
        self.scanner = Scanner(*window)
        self.buffer = bytearray()
        self.number = 0
        self.offset = 0
        """In the file, of the first byte."""
        self.length = 0
        self.final = False
        """Whether the file ends with the block."""
        self.position = 0
        self.stop = 0
        """Where scanning stopped, and why."""
        self.error: BaseException | None = None

    def scan(self, start: int = 0) -> None:
        """Read the events from a position on; at 0 the rows begin anew."""
        if not start:
            self.scanner.clear()
        self.position, self.stop = self.scanner.scan(self.buffer, start, self.length)

    def prepend(self, text: bytes) -> None:
        """Put the bytes that precede the block before it."""
        self.scanner.clear()
        self.buffer = bytearray(b"%b%b" % (text, memoryview(self.buffer)[: self.length]))
        self.length += len(text)
        self.offset -= len(text)

    def text(self, start: int, end: int) -> bytes:
        """Return a part of the bytes."""
        return bytes(memoryview(self.buffer)[start:end])


class Feed:
    """Fills blocks one after the other with the bytes of a stream."""

    def __init__(self, stream: TimelineStream, ahead: bytes, offset: int, size: int) -> None:
        self._stream = stream
        self._ahead = ahead
        """Bytes that were read before, from ``offset`` on."""
        self._offset = offset
        self._size = size
        self._number = 0
        self._ended = False

    def fill(self, block: Block) -> bool:
        """Fill a block up to a candidate boundary; return False when nothing is left."""
        if self._ended:
            return False
        block.number = self._number
        self._number += 1
        # Whatever reading raises, it is the last that is heard of the stream.
        self._ended = True
        ahead = len(self._ahead)
        wanted = ahead + self._size
        if len(block.buffer) < wanted:
            block.buffer = bytearray(wanted + CUT_SEARCH_BYTES[0])
        block.buffer[:ahead] = self._ahead
        with memoryview(block.buffer)[ahead:wanted] as room:
            read = self._stream.read_into(room)
        end = ahead + read
        block.final = self._ended = read < self._size
        block.length = end if block.final else _last_boundary(block.buffer, end)
        block.offset = self._offset
        self._ahead = block.text(block.length, end)
        self._offset += block.length
        return True


class Blocks:
    """The blocks of a feed, scanned by threads of their own; use it as a context manager.

    What a thread raises is raised where its block would have come.
    """

    def __init__(self, feed: Feed, jobs: int, window: Window) -> None:
        self._feed = feed
        self._feeding = threading.Lock()
        self._free: queue.SimpleQueue[Block | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Block | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._run, name=f"scan-{number}") for number in range(jobs)
        ]
        for _ in range(jobs + BLOCKS_AHEAD):
            self._free.put(Block(window))

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while not self._free.empty():
            self._free.get()
        for _ in self._threads:
            self._free.put(None)
        for thread in self._threads:
            thread.join()

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks in their order; each is used again when the next is asked for."""
        waiting: dict[int, Block] = {}
        number = 0
        running = len(self._threads)
        while running or waiting:
            if number in waiting:
                block = waiting.pop(number)
                number += 1
                if block.error is not None:
                    raise block.error
                yield block
                self._free.put(block)
            elif (block := self._done.get()) is None:
                running -= 1
            else:
                waiting[block.number] = block

    def _run(self) -> None:
        while (block := self._free.get()) is not None:
            try:
                with self._feeding:
                    filled = self._feed.fill(block)
                if not filled:
                    break
                block.scan()
            except BaseException as error:  # noqa: BLE001 # raised again by the reader's thread
                block.error = error
            self._done.put(block)
        self._done.put(None)


def _last_boundary(buffer: bytearray, end: int) -> int:
    """Return where the last event before ``end`` seems to begin, ``end`` if none does."""
    for reach in CUT_SEARCH_BYTES:
        found = [cut.end() for cut in _BOUNDARY.finditer(buffer, max(0, end - reach), end)]
        if found:
            return found[-1]
    return end
