"""Cuts a timeline's bytes into events, whatever the file has been through.

The file is cut into blocks at *candidate* boundaries (a closing brace, a comma,
an opening brace and a quote). A block that decodes as an array of objects proves
its own cut: its start was right, so the parser's state at its end is known. A
block that does not decode is walked event by event. One bad event costs one event.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

import msgspec

from ..errors import IngestError
from ..notice import ImportLog
from .boundary import PHASE_BYTES, next_event, object_end
from .duplicate_key import some_repeat_key
from .event import Event, decode_events
from .walk import BETWEEN, LONGEST_EVENT_BYTES, LONGEST_TAIL_BYTES, Walk

MOST_DAMAGED_BYTES = 64
CUT_SEARCH_BYTES = 256 << 10
MOST_UNCUT_BYTES = 8 << 20

CLOSE_LOOK_BYTES = 1 << 20
"""So far into a file that is clean, a writer that repeats keys is found out."""

LONGEST_MARK_BYTES = 8
"""Bytes that tell the encoding and whether the file is JSON."""

_KEY = b'"traceEvents"'
_PHASE = attrgetter("ph")
_HEAD = re.compile(rb'"traceEvents"\s*:\s*\[')
_HEAD_BYTES = 64
_ARRAY_END = re.compile(rb"\}\s*,?\s*\]")
_BEGIN = re.compile(rb'"traceEvents"\s*:|[\[{]')


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order of the file, and what tells where each of them stands.

    Events that were taken one by one have their ``starts``; for others ``text`` begins
    with what they were read from.
    """

    offset: int
    events: list[Event]
    text: bytes = b""
    starts: tuple[int, ...] | None = None

    def offset_of(self, place: int) -> int:
        """Return the byte offset in the file at which the event at a place begins."""
        if self.starts is not None:
            return self.starts[place]
        position = self.text.index(b"{")
        for _ in range(place):
            position = self.text.index(b"{", object_end(self.text, position) or position)
        return self.offset + position


class Frame:
    """The events of one file; what is damaged is counted in the log with its offset."""

    def __init__(self, chunks: Iterable[bytes], name: str, log: ImportLog) -> None:
        self._chunks = iter(chunks)
        self._name = name
        self._log = log
        self.walk = Walk(name, log)
        """The text that is read, from the next event on."""

    def batches(self) -> Iterator[Batch]:
        """Yield all events in batches of a few megabytes of text.

        Raises IngestError when the file is not JSON text at all.
        """
        if not self.open():
            return
        while True:
            cut = None if self.walk.unsure else self._cut()
            if cut is not None and (batch := self._block(cut)) is not None:
                yield batch
            elif cut is not None or self.walk.unsure or len(self.walk.text) > MOST_UNCUT_BYTES:
                yield from self._walk_on()
                if self.walk.final and not self.walk.text:
                    break
            elif not self._more():
                break
        yield from self._tail()
        self.close()

    def close(self) -> None:
        """Count an array that has no end."""
        if not self.walk.ended:
            self._log.add(
                self._name,
                "array_not_closed",
                "info",
                offset=self.walk.offset,
                sample="the file ends without ]: the writer was stopped, or wrote it that way",
            )

    def open(self) -> bool:
        """Move to the first event; return whether there is any text."""
        while len(self.walk.text.lstrip()) < LONGEST_MARK_BYTES and self._more():
            pass
        if _is_utf16(self.walk.text):
            raise IngestError(f"{self._name}: UTF-16 text at byte 0, expected UTF-8")
        if self.walk.text.startswith(b"\xef\xbb\xbf"):
            self.walk.drop(3)
        start = len(self.walk.text) - len(self.walk.text.lstrip())
        first = self.walk.text[start : start + 1]
        if first and first not in b"[{":
            first = self._skip_to_begin(start)
            start = 0
        if first == b"[":
            self.walk.drop(start + 1)
            self.walk.closed = False
        elif first:
            head = self._head(start)
            # Without the key the file is one event per line, or one single event.
            self.walk.headless = self.walk.closed = head is None
            self.walk.keyed = head is not None
            self.walk.drop(head or start)
        return bool(first)

    def _head(self, start: int) -> int | None:
        """Return where the events of the object at ``start`` begin, if it has the key."""
        searched = start
        while True:
            if (head := _HEAD.search(self.walk.text, searched)) is not None:
                # Behind events it is the key of another list; the key of theirs is damaged.
                before = next_event(self.walk.text, start, head.start())
                return head.end() if before is None else None
            whole = object_end(self.walk.text, start, start + LONGEST_TAIL_BYTES) is not None
            if whole or len(self.walk.text) > LONGEST_EVENT_BYTES:
                return None
            searched = max(start, len(self.walk.text) - _HEAD_BYTES)
            if not self._grow():
                return None

    def _skip_to_begin(self, start: int) -> bytes:
        """Pass over a few damaged bytes before the events; return what stands behind them."""
        begin = _BEGIN.search(self.walk.text, start, start + MOST_DAMAGED_BYTES)
        if begin is None or next_event(self.walk.text, begin.start()) is None:
            raise IngestError(
                f"{self._name}: not a JSON timeline (byte {self.walk.offset + start} is"
                f" {self.walk.text[start : start + 1]!r}, expected [ or {{)"
            )
        self.walk.lost("text_between_events", start, begin.start())
        self.walk.drop(begin.start())
        return b"{" if self.walk.text.startswith(b'"') else self.walk.text[:1]

    def _cut(self) -> int | None:
        """Return the end of the last event that a candidate boundary shows, if any."""
        text = self.walk.text
        end = len(text)
        while (close := text.rfind(b"}", 0, end)) > 0:
            after = BETWEEN.match(text, close + 1)
            if after and text.find(b",", close + 1, after.end()) >= 0:
                start = after.end()
                if text.startswith(b"{", start):
                    return close + 1
            end = close
            if len(text) - end > CUT_SEARCH_BYTES:
                break
        return None

    def _block(self, cut: int) -> Batch | None:
        """Take the events before a cut; None if one of them has to be looked at."""
        text, offset = self.walk.text, self.walk.offset
        try:
            events = decode_events(memoryview(text)[:cut])
        except (msgspec.MsgspecError, RecursionError):
            return None
        if not all(map(_PHASE, events)) and text.find(_KEY, 0, cut) >= 0:
            return None
        close = self.walk.odd or offset < CLOSE_LOOK_BYTES
        if close and some_repeat_key(text, cut, events):
            return None
        rest = BETWEEN.match(text, cut)
        self.walk.drop(rest.end() if rest else cut)
        return Batch(offset, events, text)

    def _tail(self) -> Iterator[Batch]:
        """Read what is left when the file has ended."""
        if not self.walk.unsure:
            ends = list(_ARRAY_END.finditer(self.walk.text))
            for end in reversed(ends[-8:]):
                if (batch := self._block(end.start() + 1)) is not None:
                    yield batch
                    break
        while self.walk.text or self.walk.within:
            yield from self._walk_on()

    def _walk_on(self) -> Iterator[Batch]:
        """Take the events of the text one by one up to where more text is needed."""
        events: list[Event] = []
        starts: list[int] = []
        walk = self.walk
        step = walk.step(0)
        while step.event is not None:
            events.append(step.event)
            starts.append(walk.offset + step.start)
            step = walk.step(step.following)
        offset = walk.offset
        walk.drop(step.following)
        if events:
            yield Batch(offset, events, starts=tuple(starts))
        if step.kind == "end":
            self._pass_rest()
        elif step.following == 0:
            self._grow()

    def _pass_rest(self) -> None:
        """Read to the end of a file whose last keys are long."""
        self.check_rest(self.walk.text, self.walk.offset)
        while self._more():
            self.check_rest(self.walk.text, self.walk.offset)
            # An event may begin in one chunk and have its phase in the next.
            self.walk.drop(max(0, len(self.walk.text) - PHASE_BYTES))
        self.walk.drop(len(self.walk.text))

    def check_rest(self, text: bytes | bytearray, offset: int) -> None:
        """Look at what follows the array: other keys may, not other events."""
        self.walk.closed = True
        if not self._log.knows(self._name, "events_after_the_end"):
            self.walk.unread(text, offset)

    def _more(self) -> bool:
        chunk = next(self._chunks, b"")
        walk = self.walk
        text = b"".join((walk.text, chunk)) if walk.text else chunk
        walk.load(text, walk.offset, final=not chunk)
        return bool(chunk)

    def _grow(self) -> bool:
        """Read until the text is twice as long, so that long events are not read too often."""
        walk = self.walk
        chunks = [walk.text]
        wanted = len(walk.text)
        while wanted >= 0 and (chunk := next(self._chunks, b"")):
            chunks.append(chunk)
            wanted -= len(chunk)
        walk.load(b"".join(chunks), walk.offset, final=wanted >= 0)
        return len(chunks) > 1


def _is_utf16(text: bytes) -> bool:
    """Tell UTF-16, with or without its mark, from text with a few zero bytes."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    even, odd = text[0:LONGEST_MARK_BYTES:2], text[1:LONGEST_MARK_BYTES:2]
    return len(odd) >= 3 and any(
        not zeros.strip(b"\0") and b"\0" not in others
        for zeros, others in ((odd, even), (even, odd))
    )
