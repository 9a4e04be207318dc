"""A timeline file read by the scanner in C, and by the tolerant reader where it stops."""

from collections.abc import Iterator
from typing import Final

from .._scan import END, MORE, REFUSED
from ..notice import ImportLog
from .blocks import BLOCK_BYTES, Block, Blocks, Feed
from .event import Event
from .frame import Batch, Frame
from .scanned import ScannedBlock
from .source import TimelineSource
from .walk import LONGEST_EVENT_BYTES, Walk
from .window import EVER, Window

HEAD_BYTES: Final = 64 << 10


def scanned_blocks(
    source: TimelineSource,
    name: str,
    log: ImportLog,
    *,
    jobs: int,
    window: Window = EVER,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[ScannedBlock]:
    """Yield all events of a file in blocks, each valid until the next is asked for.

    ``jobs`` threads scan ahead. What is damaged is counted in the log with its offset.
    Raises IngestError when the file is not JSON text at all or cannot be read.
    """
    with source.opened() as stream:
        frame = Frame(iter(lambda: stream.read(HEAD_BYTES), b""), name, log)
        if not frame.open():
            return
        walk = frame.walk
        feed = Feed(stream, walk.text, walk.offset, block_bytes)
        with Blocks(feed, jobs, window) as blocks:
            yield from _joined(blocks, frame)
        frame.close()


def _joined(blocks: Blocks, frame: Frame) -> Iterator[ScannedBlock]:
    """Join blocks to what the one before left of its last event, up to the array's end."""
    left = b""
    ended = False
    for block in blocks:
        if ended:
            frame.check_rest(block.text(0, block.length), block.offset)
            continue
        if left:
            # The cut was no boundary: where the block really begins is known only now.
            block.prepend(left)
            block.scan()
        reading = _Reading(block, frame.walk)
        following, ended = reading.finish()
        frame.walk.offset = block.offset + following
        yield reading.scanned()
        left = b"" if ended else block.text(following, block.length)
        if ended:
            frame.check_rest(block.text(following, block.length), block.offset + following)


class _Reading:
    """The events of a block: what the scanner stops at is read by the tolerant reader."""

    def __init__(self, block: Block, walk: Walk) -> None:
        self._block = block
        self._walk = walk
        self._loaded = False
        self._odd = 0
        self._events: list[Event] = []
        self._starts: list[int] = []
        self._numbers: list[int] = []

    def scanned(self) -> ScannedBlock:
        """Return the block with the events that the scanner left."""
        block = self._block
        others = Batch(block.offset, self._events, starts=tuple(self._starts))
        return ScannedBlock(block.scanner, block.buffer, others, self._numbers)

    def finish(self) -> tuple[int, bool]:
        """Read to the end of the block.

        Return where the text begins that is to be read with the next block, and
        whether the array of events has ended there.
        """
        block = self._block
        if self._walk.unsure:
            # What the scanner took for an event may be what holds the events.
            block.scanner.clear()
            block.position, block.stop = 0, REFUSED
        else:
            self._take_odd()
        while block.stop != END:
            unread = block.length - block.position
            more = block.stop == MORE and not block.final and not self._walk.unsure
            if more and unread <= LONGEST_EVENT_BYTES:
                return block.position, False
            if not self._loaded:
                self._walk.load(block.text(0, block.length), block.offset, final=block.final)
                self._loaded = True
            step = self._walk.step(block.position)
            if step.event is None:
                return step.following, step.kind == "end"
            number = block.scanner.pass_event()
            self._add(number, block.offset + step.start, step.event)
            block.scan(step.following)
            self._take_odd()
        return block.length, False

    def _take_odd(self) -> None:
        """Read the events that are strict JSON, but not simple."""
        block = self._block
        odd = block.scanner.odd()
        for number, start, end in odd[self._odd :]:
            event = self._walk.decode(block.text(start, end), block.offset + start)
            if event is None:
                raise AssertionError("what the scanner accepts, every reader accepts")
            self._add(number, block.offset + start, event)
        self._odd = len(odd)

    def _add(self, number: int, offset: int, event: Event) -> None:
        self._numbers.append(number)
        self._starts.append(offset)
        self._events.append(event)
