"""Cuts a timeline's bytes into events, whatever the file has been through.

The file is cut into blocks at *candidate* boundaries (a closing brace, a comma,
an opening brace and a quote). A block that decodes as an array of objects proves
its own cut: its start was right, so the parser's state at its end is known. A
block that does not decode is walked event by event. One bad event costs one event.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from ..errors import IngestError
from ..notice import ImportLog, Severity
from .boundary import PHASE_BYTES, holds, is_event, next_event, object_end, object_rest
from .duplicate_key import repeats_key, some_repeat_key
from .event import Event, decode_event, decode_events, repair_event, without_args
from .long_event import KEPT_BYTES, LONGEST_BYTES, LongEvent

MOST_DAMAGED_BYTES = 64
CUT_SEARCH_BYTES = 256 << 10
MOST_UNCUT_BYTES = 8 << 20
LONGEST_EVENT_BYTES = 64 << 20
"""A longer event is not held in memory: of its args the middle is left out."""
LONGEST_HOLDER_BYTES = 1 << 20
"""An event that seems to hold others is believed if it ends so soon."""
LONGEST_TAIL_BYTES = 1 << 20
"""So much of what follows the events is looked into for how it ends."""

CLOSE_LOOK_BYTES = 1 << 20
"""So far into a file that is clean, a writer that repeats keys is found out."""

LONGEST_MARK_BYTES = 8
"""Bytes that tell the encoding and whether the file is JSON."""

_HEAD = re.compile(rb'"traceEvents"\s*:\s*\[')
_HEAD_BYTES = 64
_HEAD_AGAIN = re.compile(rb'\{[^][{}]{0,4096}?"traceEvents"\s*:\s*\[')
_ARRAY_END = re.compile(rb"\}\s*,?\s*\]")
_NEXT = re.compile(rb"[][{]")
_BETWEEN = re.compile(rb"[\s,]*")
_AFTER_OBJECT_ARRAY = re.compile(rb"\s*(?:,\s*\"|\}|$)")
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

    def offset_of(self, event: Event) -> int:
        """Return the byte offset in the file at which an event of the batch begins."""
        position = 0
        for place, one in enumerate(self.events):
            if self.starts is None:
                position = self.text.index(b"{", position)
            if one is event:
                return self.offset + position if self.starts is None else self.starts[place]
            if self.starts is None:
                position = object_end(self.text, position) or position
        return self.offset


class Frame:
    """The events of one file; what is damaged is counted in the log with its offset."""

    def __init__(self, chunks: Iterable[bytes], name: str, log: ImportLog) -> None:
        self._chunks = iter(chunks)
        self._name = name
        self._log = log
        self._buffer = b""
        self._offset = 0
        self._final = False
        self._closed = True
        """Whether the array of events needs no closing bracket any more."""
        self._keyed = False
        """Whether the array is the value of a key, so that other keys may follow it."""
        self._bracket: int | None = None
        """Offset of a bracket behind the last event: the end, if no event follows."""
        self._inside: int | None = None
        """Where in the buffer the next event begins, once it was looked for."""
        self._looked = False
        self._odd = False
        """Whether anything in the file was damaged so far."""
        self._lost_to = -1
        """Offset where the last text that was counted as lost ends."""

    def batches(self) -> Iterator[Batch]:
        """Yield all events in batches of a few megabytes of text.

        Raises IngestError when the file is not JSON text at all.
        """
        if not self._open():
            return
        while True:
            cut = self._cut()
            if cut is not None and (batch := self._block(cut)) is not None:
                yield batch
            elif cut is not None or len(self._buffer) > MOST_UNCUT_BYTES:
                yield from self._walk()
            elif not self._more():
                break
        yield from self._tail()
        if not self._closed and self._bracket is None:
            self._log.add(
                self._name,
                "array_not_closed",
                "info",
                offset=self._offset,
                sample="the file ends without ]: the writer was stopped, or wrote it that way",
            )

    def _open(self) -> bool:
        """Move to the first event; return whether there is any text."""
        while len(self._buffer.lstrip()) < LONGEST_MARK_BYTES and self._more():
            pass
        if _is_utf16(self._buffer):
            raise IngestError(f"{self._name}: UTF-16 text at byte 0, expected UTF-8")
        if self._buffer.startswith(b"\xef\xbb\xbf"):
            self._drop(3)
        start = len(self._buffer) - len(self._buffer.lstrip())
        first = self._buffer[start : start + 1]
        if first and first not in b"[{":
            first = self._skip_to_begin(start)
            start = 0
        if first == b"[":
            self._drop(start + 1)
            self._closed = False
        elif first:
            head = self._head(start)
            # Without the key the file is one event per line, or one single event.
            self._closed = head is None
            self._keyed = head is not None
            self._drop(head or start)
        return bool(first)

    def _head(self, start: int) -> int | None:
        """Return where the events of the object at ``start`` begin, if it has the key."""
        searched = start
        while True:
            if (head := _HEAD.search(self._buffer, searched)) is not None:
                # Behind events it is the key of another list; the key of theirs is damaged.
                before = next_event(self._buffer, start, head.start())
                return head.end() if before is None else None
            whole = object_end(self._buffer, start, start + LONGEST_TAIL_BYTES) is not None
            if whole or len(self._buffer) > LONGEST_EVENT_BYTES or not self._grow():
                return None
            searched = max(start, searched - _HEAD_BYTES)

    def _skip_to_begin(self, start: int) -> bytes:
        """Pass over a few damaged bytes before the events; return what stands behind them."""
        begin = _BEGIN.search(self._buffer, start, start + MOST_DAMAGED_BYTES)
        if begin is None or next_event(self._buffer, begin.start()) is None:
            raise IngestError(
                f"{self._name}: not a JSON timeline (byte {self._offset + start} is"
                f" {self._buffer[start : start + 1]!r}, expected [ or {{)"
            )
        self._lost("text_between_events", start, begin.start())
        self._drop(begin.start())
        return b"{" if self._buffer.startswith(b'"') else self._buffer[:1]

    def _cut(self) -> int | None:
        """Return the end of the last event that a candidate boundary shows, if any."""
        end = len(self._buffer)
        while (close := self._buffer.rfind(b"}", 0, end)) > 0:
            after = _BETWEEN.match(self._buffer, close + 1)
            if after and self._buffer.find(b",", close + 1, after.end()) >= 0:
                start = after.end()
                if self._buffer.startswith(b"{", start):
                    return close + 1
            end = close
            if len(self._buffer) - end > CUT_SEARCH_BYTES:
                break
        return None

    def _block(self, cut: int) -> Batch | None:
        """Take the events before a cut; None if one of them has to be looked at."""
        try:
            events = decode_events(memoryview(self._buffer)[:cut])
        except (msgspec.MsgspecError, RecursionError):
            return None
        close = self._odd or self._offset < CLOSE_LOOK_BYTES
        if close and some_repeat_key(self._buffer, cut, events):
            return None
        batch = Batch(self._offset, events, self._buffer)
        self._note_bracket()
        rest = _BETWEEN.match(self._buffer, cut)
        self._drop(rest.end() if rest else cut)
        return batch

    def _tail(self) -> Iterator[Batch]:
        """Read what is left when the file has ended."""
        ends = list(_ARRAY_END.finditer(self._buffer))
        for end in reversed(ends[-8:]):
            if (batch := self._block(end.start() + 1)) is not None:
                yield batch
                self._drop(self._end(0))
                break
        while self._buffer:
            yield from self._walk()

    def _walk(self) -> Iterator[Batch]:
        """Take the events of the buffer one by one up to where more text is needed."""
        events: list[Event] = []
        starts: list[int] = []
        offset = self._offset
        position = 0
        joined = _HEAD.search(self._buffer) is not None
        while (begin := self._begin(position)) is not None:
            if not self._buffer.startswith(b"{", begin):
                position = self._end(begin)
                continue
            if joined and (head := _HEAD_AGAIN.match(self._buffer, begin)):
                self._bracket = self._offset + begin
                self._keyed, self._closed = True, False
                position = head.end()
                continue
            start = self._offset + begin
            event, following = self._one(begin)
            if following is None:
                position = begin
                break
            position = following
            if event is None:
                continue
            if not event.ph and self._lost_to == start:
                # A part of what is damaged, not an event of its own.
                self._lost_to = self._offset + following
                continue
            self._note_bracket()
            events.append(event)
            starts.append(start)
        else:
            position = len(self._buffer)
        if position == 0 and self._buffer:
            self._grow()
        self._drop(position)
        if events:
            yield Batch(offset, events, starts=tuple(starts))

    def _begin(self, position: int) -> int | None:
        """Return where the next event or a bracket stands in the buffer."""
        between = _BETWEEN.match(self._buffer, position)
        after = between.end() if between else position
        begin = _NEXT.search(self._buffer, after)
        place = len(self._buffer) if begin is None else begin.start()
        # Room that was reserved for more events, and never used, is filled with zeros.
        blank = b" \t\r\n," if self._bracket is None else b"\0 \t\r\n,"
        if self._buffer[after:place].strip(blank):
            self._lost("text_between_events", after, place, before=position)
        return None if begin is None else place

    def _end(self, begin: int) -> int:
        """Pass a bracket between events, or the end of the events; return where to go on."""
        opening = self._buffer.startswith(b"[", begin)
        if self._lost_to == self._offset + begin:
            self._lost_to += 1
        if self._bracket is None:
            self._bracket = self._offset + begin
        if opening or not self._keyed:
            return begin + 1
        while len(self._buffer) < begin + LONGEST_TAIL_BYTES and self._more():
            pass
        if _AFTER_OBJECT_ARRAY.match(self._buffer, begin + 1) is None:
            return begin + 1
        outcome, end = object_rest(self._buffer, begin + 1)
        if outcome == "broken":
            return begin + 1
        inside = next_event(self._buffer, begin + 1, end)
        if outcome == "open":
            if not self._final:
                self._pass_rest()
                return len(self._buffer)
            # The file ends within its last keys, or the bracket was part of damage.
            return begin + 1 if inside is not None else end
        self._closed = True
        if inside is not None:
            self._note_unread(inside)
        return end

    def _pass_rest(self) -> None:
        """Read to the end of a file whose last keys are long."""
        counted = False
        while not self._final:
            if not counted and (inside := next_event(self._buffer, 0)) is not None:
                counted = True
                self._note_unread(inside)
            # An event may begin in one chunk and have its phase in the next.
            self._drop(max(0, len(self._buffer) - PHASE_BYTES))
            self._more()
        self._closed = True

    def _one(self, start: int) -> tuple[Event | None, int | None]:
        """Read the event at ``start``; return it and where to go on.

        Without an event what stands there is lost; without a place to go on more text
        is needed.
        """
        if not self._looked or (self._inside is not None and self._inside <= start):
            self._inside = next_event(self._buffer, start + 1)
            self._looked = True
        inside = self._inside
        limit = start + LONGEST_EVENT_BYTES if inside is None else inside
        end = object_end(self._buffer, start, limit)
        if end is None and inside is not None and holds(self._buffer, start, inside):
            limit = start + LONGEST_HOLDER_BYTES
            end = object_end(self._buffer, start, limit)
        if end is None and not self._final and len(self._buffer) < limit:
            return None, None
        if end is None and inside is None and len(self._buffer) >= limit:
            return self._long(start)
        if end is not None and (event := self._decode(start, end)) is not None:
            if event.ph or inside is None or inside > end:
                return event, end
            # What holds the events is no event: the key of the list is damaged.
            end = None
        known = [place for place in (end, inside) if place is not None]
        following = min(known, default=len(self._buffer))
        if self._lost_to == self._offset + start and not is_event(self._buffer, start):
            self._lost_to = self._offset + following
        else:
            self._lost("event_malformed" if known else "truncated", start, following)
        return None, following

    def _long(self, start: int) -> tuple[Event | None, int | None]:
        """Read an event that is longer than may be held, without the middle of its args."""
        if start:
            return None, None
        offset = self._offset
        long = LongEvent()
        used: int | None = None
        while self._buffer and used is None:
            following = next_event(self._buffer, 1 if long.length == 0 else 0)
            used = long.take(self._buffer, following)
            if used is None:
                self._drop(len(self._buffer))
                self._more()
        event = long.event()
        self._log.add(
            self._name,
            "event_malformed" if event is None else "args_cut",
            "data_loss",
            offset=offset,
            sample=f"{long.length} bytes long; {KEPT_BYTES} of its args are kept"
            if event is not None
            else f"no end within {min(long.length, LONGEST_BYTES)} bytes",
        )
        return event, used or 0

    def _decode(self, start: int, end: int) -> Event | None:
        text = self._buffer[start:end]
        found: list[tuple[str, Severity]] = []
        try:
            event = decode_event(text)
        except msgspec.MsgspecError:
            event = repair_event(text)
            found.append(("text_repaired", "info"))
        except RecursionError:
            event = without_args(text)
            found.append(("args_too_deep", "data_loss"))
        if event is None:
            return None
        if repeats_key(text):
            self._odd = True
            found.append(("duplicate_key", "data_loss"))
        for name, severity in found:
            self._log.add(
                self._name,
                name,
                severity,
                offset=self._offset + start,
                sample=text[:200].decode("utf-8", "backslashreplace"),
            )
        return event

    def _note_bracket(self) -> None:
        """Say that a bracket was not the end, now that an event follows it."""
        if self._bracket is not None:
            self._log.add(
                self._name,
                "bracket_between_events",
                "info",
                offset=self._bracket,
                sample="another list of events follows, or the bracket is stray; all are read",
            )
            self._bracket = None

    def _note_unread(self, place: int) -> None:
        self._log.add(
            self._name,
            "events_after_the_end",
            "data_loss",
            offset=self._offset + place,
            sample="events under another key than traceEvents are not read",
        )

    def _lost(self, name: str, start: int, end: int, *, before: int | None = None) -> None:
        """Count text that holds no event; what joins text lost before is one with it."""
        self._odd = True
        joins = before is not None and self._lost_to == self._offset + before
        self._lost_to = self._offset + end
        if joins:
            return
        self._log.add(
            self._name,
            name,
            "data_loss",
            offset=self._offset + start,
            sample=self._buffer[start : min(end, start + 200)].decode("utf-8", "backslashreplace"),
        )

    def _more(self) -> bool:
        chunk = next(self._chunks, None)
        if chunk is None:
            self._final = True
            return False
        self._buffer = b"".join((self._buffer, chunk)) if self._buffer else chunk
        self._looked = False
        return True

    def _grow(self) -> bool:
        """Read until the buffer is twice as long, so that long events are not read too often."""
        chunks = [self._buffer]
        wanted = len(self._buffer)
        while wanted >= 0 and (chunk := next(self._chunks, None)) is not None:
            chunks.append(chunk)
            wanted -= len(chunk)
        self._final = wanted >= 0
        self._buffer = b"".join(chunks)
        self._looked = False
        return len(chunks) > 1

    def _drop(self, count: int) -> None:
        self._offset += count
        self._buffer = self._buffer[count:]
        self._looked = False


def _is_utf16(text: bytes) -> bool:
    """Tell UTF-16, with or without its mark, from text with a few zero bytes."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    even, odd = text[0:LONGEST_MARK_BYTES:2], text[1:LONGEST_MARK_BYTES:2]
    return len(odd) >= 3 and any(
        not zeros.strip(b"\0") and b"\0" not in others
        for zeros, others in ((odd, even), (even, odd))
    )
