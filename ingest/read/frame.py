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

USUAL_EVENT_BYTES = 8 << 10
"""A longer event is looked into: is it one, or has a quote too many joined several?"""
PROBE_BYTES = 1 << 10
MOST_DAMAGED_BYTES = 64
PHASE_BYTES = 4 << 10
CUT_SEARCH_BYTES = 256 << 10
MOST_UNCUT_BYTES = 8 << 20
LONGEST_EVENT_BYTES = 64 << 20

LONGEST_MARK_BYTES = 4
"""Bytes that tell the encoding and whether the file is JSON."""

_HEAD = re.compile(rb'"traceEvents"\s*:\s*\[')
_ARRAY_END = re.compile(rb"\}\s*,?\s*\]")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}"]', re.DOTALL)
_NEXT = re.compile(rb"[{\]]")
_BETWEEN = re.compile(rb"[\s,]*")
_AFTER_OBJECT_ARRAY = re.compile(rb"\s*(?:,\s*\"|\}|$)")
_ARGS = re.compile(rb'"args"\s*:\s*(?=[{\[])')
_PHASE = re.compile(rb'"ph"\s*:\s*"')
_BEGIN = re.compile(rb'"traceEvents"\s*:|[\[{]')
_RESYNC = re.compile(rb'\{\s*"(?:ph|name|pid|tid|ts|dur|cat|id|args|bp|s)"\s*:')


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order of the file, and what tells where each of them stands.

    Events that were taken one by one have their ``starts``; for others ``text`` holds
    what they were read from.
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


def object_end(text: bytes, start: int, limit: int | None = None) -> int | None:
    """Return where the JSON object at ``start`` ends; None if not before ``limit``."""
    depth = 0
    for token in _TOKEN.finditer(text, start, len(text) if limit is None else limit):
        first = text[token.start()]
        if first == 0x7B:
            depth += 1
        elif first == 0x7D:
            depth -= 1
            if depth == 0:
                return token.end()
        elif token.end() - token.start() == 1:
            return None
    return None


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

    def batches(self) -> Iterator[Batch]:
        """Yield all events in batches of a few megabytes of text.

        Raises IngestError when the file is not JSON text at all.
        """
        if not self._open():
            return
        while True:
            cut = self._cut()
            if cut is not None and (batch := self._block(cut)) is not None:
                if batch.events:
                    yield batch
            elif cut is not None or len(self._buffer) > MOST_UNCUT_BYTES:
                yield from self._walk()
                if self._final and not self._buffer:
                    break
            elif not self._more():
                break
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
        if first and first not in b"[{":
            first = self._skip_to_begin(start)
            start = 0
        if first == b"[":
            self._drop(start + 1)
            self._closed = False
        elif first:
            while (head := _HEAD.search(self._buffer)) is None and self._more():
                if len(self._buffer) > LONGEST_EVENT_BYTES:
                    break
            # Without the key the file is one event per line, or one single event.
            self._closed = head is None
            self._keyed = head is not None
            self._drop(head.end() if head else start)
        return bool(first)

    def _skip_to_begin(self, start: int) -> bytes:
        """Pass over a few damaged bytes before the events; return what stands behind them."""
        begin = _BEGIN.search(self._buffer, start, start + MOST_DAMAGED_BYTES)
        if begin is None or _RESYNC.search(self._buffer, begin.start()) is None:
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
        """Take the events before a cut; None if they do not decode."""
        text = self._buffer[:cut]
        try:
            batch = Batch(self._offset, decode_events(text), text)
        except (msgspec.MsgspecError, RecursionError):
            return None
        rest = _BETWEEN.match(self._buffer, cut)
        self._drop(rest.end() if rest else cut)
        return batch

    def _tail(self) -> Iterator[Batch]:
        """Read what is left when the file has ended."""
        if not self._buffer:
            return
        ends = list(_ARRAY_END.finditer(self._buffer))
        for end in reversed(ends[-8:]):
            text = self._buffer[: end.start() + 1]
            if not self._ends(end.end()):
                continue
            try:
                events = decode_events(text)
            except (msgspec.MsgspecError, RecursionError):
                continue
            yield Batch(self._offset, events, text)
            self._drop(end.end())
            self._check_rest()
            return
        yield from self._walk()

    def _walk(self) -> Iterator[Batch]:
        """Take the events of the buffer one by one up to where more text is needed."""
        events: list[Event] = []
        starts: list[int] = []
        position = 0
        ended = False
        while (begin := self._begin(position)) is not None:
            if self._buffer.startswith(b"]", begin):
                if not self._final and len(self._buffer) - begin < PROBE_BYTES:
                    position = begin
                    break
                ended = self._ends(begin + 1)
                position = begin + 1
                if ended:
                    break
                self._log.add(
                    self._name,
                    "bracket_between_events",
                    "info",
                    offset=self._offset + begin,
                    sample="another list of events follows, or the bracket is stray; all are read",
                )
                continue
            event, following = self._one(begin)
            if following is None:
                position = begin
                break
            if event is not None:
                events.append(event)
                starts.append(self._offset + begin)
            position = following
        else:
            position = len(self._buffer)
        offset = self._offset
        self._drop(position)
        if events:
            yield Batch(offset, events, starts=tuple(starts))
        if ended:
            self._check_rest()
        elif position == 0:
            self._more()

    def _ends(self, position: int) -> bool:
        """Tell whether a bracket before ``position`` ends the events, and is not stray."""
        if self._keyed:
            return _AFTER_OBJECT_ARRAY.match(self._buffer, position) is not None
        return not self._buffer[position:].strip(b"\0 \t\r\n") or (
            _RESYNC.search(self._buffer, position) is None and self._final
        )

    def _begin(self, position: int) -> int | None:
        """Return where the next event or the end of the array stands in the buffer."""
        between = _BETWEEN.match(self._buffer, position)
        position = between.end() if between else position
        begin = _NEXT.search(self._buffer, position)
        place = len(self._buffer) if begin is None else begin.start()
        if self._buffer[position:place].strip(b" \t\r\n,"):
            self._lost("text_between_events", position, place)
        return None if begin is None else place

    def _one(self, start: int) -> tuple[Event | None, int | None]:
        """Read the event at ``start``; return it and where to go on.

        Without an event what stands there is lost; without a place to go on more text
        is needed.
        """
        end = object_end(self._buffer, start, start + USUAL_EVENT_BYTES)
        following = None
        if end is None:
            if not self._final and len(self._buffer) - start < USUAL_EVENT_BYTES:
                return None, None
            following = self._resync(start)
            if following is None:
                end = object_end(self._buffer, start, start + LONGEST_EVENT_BYTES)
        if end is not None:
            if (event := self._decode(start, end)) is not None:
                return event, end
            inside = self._resync(start)
            following = end if inside is None else min(end, inside)
        if following is None:
            if not self._final and len(self._buffer) - start <= LONGEST_EVENT_BYTES:
                return None, None
            following = len(self._buffer)
        torn = self._final and end is None and following == len(self._buffer)
        self._lost("truncated" if torn else "event_malformed", start, following)
        return None, following

    def _decode(self, start: int, end: int) -> Event | None:
        text = self._buffer[start:end]
        try:
            return decode_event(text)
        except msgspec.MsgspecError:
            event, noticed = repair_event(text), "text_repaired"
        except RecursionError:
            event, noticed = _without_args(text), "args_too_deep"
        if event is not None:
            self._log.add(
                self._name,
                noticed,
                "info" if noticed == "text_repaired" else "data_loss",
                offset=self._offset + start,
                sample=text[:200].decode("utf-8", "backslashreplace"),
            )
        return event

    def _resync(self, start: int) -> int | None:
        """Return the next place after ``start`` that looks like the begin of an event.

        Small objects without a phase are parts of args and are passed over.
        """
        for candidate in _RESYNC.finditer(self._buffer, start + 1):
            place = candidate.start()
            end = object_end(self._buffer, place, place + PROBE_BYTES)
            reach = place + PHASE_BYTES if end is None else end
            if _PHASE.search(self._buffer, place, reach):
                return place
        return None

    def _lost(self, name: str, start: int, end: int) -> None:
        """Count text that holds no event that can be read."""
        self._log.add(
            self._name,
            name,
            "data_loss",
            offset=self._offset + start,
            sample=self._buffer[start : min(end, start + 200)].decode("utf-8", "backslashreplace"),
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


def _without_args(text: bytes) -> Event | None:
    """Decode an event whose args are nested deeper than anybody can read, without them."""
    args = _ARGS.search(text)
    if args is None:
        return None
    closing = text.rfind(b"}", 0, text.rfind(b"}"))
    end = object_end(text, args.end()) or closing + 1
    try:
        return decode_event(text[: args.start()] + b'"args":null' + text[end:])
    except (msgspec.MsgspecError, RecursionError):
        return None
