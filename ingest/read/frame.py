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
from ..notice import ImportLog
from .event import Event, decode_event, decode_events, repair_event

WALK_BYTES = 256 << 10
MOST_UNCUT_BYTES = 8 << 20
LONGEST_EVENT_BYTES = 64 << 20

LONGEST_MARK_BYTES = 4
"""Bytes that tell the encoding and whether the file is JSON."""

_HEAD = re.compile(rb'"traceEvents"\s*:\s*\[')
_ARRAY_END = re.compile(rb"\}\s*,?\s*\]")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}"]', re.DOTALL)
_NEXT = re.compile(rb"[{\]]")
_BETWEEN = re.compile(rb"[\s,]*")
_RESYNC = re.compile(rb'\{\s*"(?:ph|name|pid|tid|ts|dur|cat|id|args|bp|s)"\s*:')


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order of the file and the offset of the first of them."""

    offset: int
    events: list[Event]


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

    def batches(self) -> Iterator[Batch]:
        """Yield all events in batches of a few megabytes of text.

        Raises IngestError when the file is not JSON text at all.
        """
        if not self._open():
            return
        while True:
            cut = self._cut()
            if cut is None and len(self._buffer) <= MOST_UNCUT_BYTES:
                if not self._more():
                    break
                continue
            if cut is None:
                yield from self._walk()
                continue
            block = self._buffer[:cut]
            try:
                events = decode_events(block)
            except msgspec.MsgspecError:
                yield from self._walk()
                if self._final and not self._buffer:
                    break
            else:
                if events:
                    yield Batch(self._offset, events)
                self._drop(_BETWEEN.match(self._buffer, cut).end())  # pyright: ignore[reportOptionalMemberAccess] # matches the empty text too
        yield from self._tail()
        if not self._closed:
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
        if self._buffer.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise IngestError(f"{self._name}: UTF-16 text at byte 0, expected UTF-8")
        if self._buffer.startswith(b"\xef\xbb\xbf"):
            self._drop(3)
        start = len(self._buffer) - len(self._buffer.lstrip())
        first = self._buffer[start : start + 1]
        if first == b"[":
            self._drop(start + 1)
            self._closed = False
        elif first == b"{":
            while (head := _HEAD.search(self._buffer)) is None and self._more():
                if len(self._buffer) > LONGEST_EVENT_BYTES:
                    break
            # Without the key the file is one event per line, or one single event.
            self._closed = head is None
            self._drop(head.end() if head else start)
        elif first:
            raise IngestError(
                f"{self._name}: not a JSON timeline (byte {self._offset + start} is {first!r},"
                " expected [ or {)"
            )
        return bool(first)

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
            if len(self._buffer) - end > WALK_BYTES:
                break
        return None

    def _tail(self) -> Iterator[Batch]:
        """Read what is left when the file has ended."""
        if not self._buffer:
            return
        ends = list(_ARRAY_END.finditer(self._buffer))
        for end in reversed(ends[-8:]):
            try:
                events = decode_events(self._buffer[: end.start() + 1])
            except msgspec.MsgspecError:
                continue
            yield Batch(self._offset, events)
            self._drop(end.end())
            self._check_rest()
            return
        yield from self._walk()

    def _walk(self) -> Iterator[Batch]:
        """Take the events of the buffer one by one up to where more text is needed."""
        events: list[Event] = []
        first = self._offset
        position = 0
        while True:
            gap = _BETWEEN.match(self._buffer, position)
            position = gap.end() if gap else position
            begin = _NEXT.search(self._buffer, position)
            if begin is None:
                self._garbage(position, len(self._buffer))
                position = len(self._buffer)
                break
            self._garbage(position, begin.start())
            position = begin.start()
            if begin.group() == b"]":
                self._drop(position + 1)
                if events:
                    yield Batch(first, events)
                self._check_rest()
                return
            end = self._event_end(position)
            event = self._decode(position, end) if end is not None else None
            if event is not None and end is not None:
                events.append(event)
                position = end
                continue
            following = self._resync(position)
            if following is None and end is None and not self._final:
                if len(self._buffer) - position <= LONGEST_EVENT_BYTES:
                    break
                following = len(self._buffer)
            if following is None:
                following = end if end is not None else len(self._buffer)
            self._lose(position, following, whole=end is not None)
            position = following
        self._drop(position)
        if events:
            yield Batch(first, events)
        if position == 0:
            self._more()

    def _event_end(self, start: int) -> int | None:
        """Return where the object at ``start`` ends; None if not within the buffer."""
        depth = 0
        doubtful = start + WALK_BYTES
        for token in _TOKEN.finditer(self._buffer, start, start + LONGEST_EVENT_BYTES):
            first = self._buffer[token.start()]
            if first == 0x7B:
                depth += 1
            elif first == 0x7D:
                depth -= 1
                if depth == 0:
                    return token.end()
            elif token.end() - token.start() == 1:
                return None
            if token.start() > doubtful:
                # A quote too many turns text into structure: is this still one event?
                if self._resync(start) is not None:
                    return None
                doubtful = len(self._buffer)
        return None

    def _decode(self, start: int, end: int) -> Event | None:
        text = self._buffer[start:end]
        try:
            return decode_event(text)
        except msgspec.MsgspecError:
            event = repair_event(text)
        if event is not None:
            self._log.add(
                self._name,
                "text_repaired",
                "info",
                offset=self._offset + start,
                sample=text[:200].decode("utf-8", "backslashreplace"),
            )
        return event

    def _resync(self, start: int) -> int | None:
        """Return the next place after ``start`` where a whole event stands by itself."""
        for candidate in _RESYNC.finditer(self._buffer, start + 1):
            end = self._plain_end(candidate.start())
            if end is None:
                continue
            try:
                event = decode_event(self._buffer[candidate.start() : end])
            except msgspec.MsgspecError:
                continue
            if event.ph:
                return candidate.start()
        return None

    def _plain_end(self, start: int) -> int | None:
        depth = 0
        for token in _TOKEN.finditer(self._buffer, start, start + WALK_BYTES):
            first = self._buffer[token.start()]
            if first == 0x7B:
                depth += 1
            elif first == 0x7D:
                depth -= 1
                if depth == 0:
                    return token.end()
        return None

    def _lose(self, start: int, end: int, *, whole: bool) -> None:
        """Count an event that cannot be read."""
        at_end = end == len(self._buffer) and self._final and not whole
        self._log.add(
            self._name,
            "truncated" if at_end else "event_malformed",
            "data_loss",
            offset=self._offset + start,
            sample=self._buffer[start : min(end, start + 200)].decode("utf-8", "backslashreplace"),
        )

    def _garbage(self, start: int, end: int) -> None:
        if self._buffer[start:end].strip(b" \t\r\n,"):
            self._log.add(
                self._name,
                "text_between_events",
                "data_loss",
                offset=self._offset + start,
                sample=self._buffer[start : min(end, start + 200)].decode(
                    "utf-8", "backslashreplace"
                ),
            )

    def _check_rest(self) -> None:
        """Read to the end of the file; other keys may follow the events, not other events."""
        counted = False
        while self._buffer or self._more():
            if not counted and b'"ph"' in self._buffer and _RESYNC.search(self._buffer):
                counted = True
                self._log.add(
                    self._name,
                    "events_after_the_end",
                    "data_loss",
                    offset=self._offset,
                    sample="another list of events follows; only the first was read",
                )
            self._drop(len(self._buffer))
        self._closed = True

    def _more(self) -> bool:
        chunk = next(self._chunks, None)
        if chunk is None:
            self._final = True
            return False
        self._buffer += chunk
        return True

    def _drop(self, count: int) -> None:
        self._offset += count
        self._buffer = self._buffer[count:]
