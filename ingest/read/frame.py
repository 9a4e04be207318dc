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
from .event import Event, decode_events
from .walk import BETWEEN, LONGEST_EVENT_BYTES, RESYNC, Walk, object_end

MOST_DAMAGED_BYTES = 64
CUT_SEARCH_BYTES = 256 << 10
MOST_UNCUT_BYTES = 8 << 20

LONGEST_MARK_BYTES = 4
"""Bytes that tell the encoding and whether the file is JSON."""

_HEAD = re.compile(rb'"traceEvents"\s*:\s*\[')
_ARRAY_END = re.compile(rb"\}\s*,?\s*\]")
_BEGIN = re.compile(rb'"traceEvents"\s*:|[\[{]')


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
        self._closed = True
        """Whether the array of events needs no closing bracket any more."""

    def batches(self) -> Iterator[Batch]:
        """Yield all events in batches of a few megabytes of text.

        Raises IngestError when the file is not JSON text at all.
        """
        if not self.open():
            return
        while True:
            cut = self._cut()
            if cut is not None and (batch := self._block(cut)) is not None:
                if batch.events:
                    yield batch
            elif cut is not None or len(self.walk.text) > MOST_UNCUT_BYTES:
                yield from self._walk_on()
                if self.walk.final and not self.walk.text:
                    break
            elif not self._more():
                break
        yield from self._tail()
        self.close()

    def close(self) -> None:
        """Count an array that has no end."""
        if not self._closed:
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
        if self.walk.text.startswith((b"\xff\xfe", b"\xfe\xff")):
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
            self._closed = False
        elif first:
            while (head := _HEAD.search(self.walk.text)) is None and self._more():
                if len(self.walk.text) > LONGEST_EVENT_BYTES:
                    break
            # Without the key the file is one event per line, or one single event.
            self._closed = head is None
            self.walk.keyed = head is not None
            self.walk.drop(head.end() if head else start)
        return bool(first)

    def _skip_to_begin(self, start: int) -> bytes:
        """Pass over a few damaged bytes before the events; return what stands behind them."""
        begin = _BEGIN.search(self.walk.text, start, start + MOST_DAMAGED_BYTES)
        if begin is None or RESYNC.search(self.walk.text, begin.start()) is None:
            raise IngestError(
                f"{self._name}: not a JSON timeline (byte {self.walk.offset + start} is"
                f" {self.walk.text[start : start + 1]!r}, expected [ or {{)"
            )
        self.walk.lost("text_between_events", start, begin.start())
        self.walk.drop(begin.start())
        return b"{" if self.walk.text.startswith(b'"') else self.walk.text[:1]

    def _cut(self) -> int | None:
        """Return the end of the last event that a candidate boundary shows, if any."""
        end = len(self.walk.text)
        while (close := self.walk.text.rfind(b"}", 0, end)) > 0:
            after = BETWEEN.match(self.walk.text, close + 1)
            if after and self.walk.text.find(b",", close + 1, after.end()) >= 0:
                start = after.end()
                if self.walk.text.startswith(b"{", start):
                    return close + 1
            end = close
            if len(self.walk.text) - end > CUT_SEARCH_BYTES:
                break
        return None

    def _block(self, cut: int) -> Batch | None:
        """Take the events before a cut; None if they do not decode."""
        text = self.walk.text[:cut]
        try:
            batch = Batch(self.walk.offset, decode_events(text), text)
        except (msgspec.MsgspecError, RecursionError):
            return None
        rest = BETWEEN.match(self.walk.text, cut)
        self.walk.drop(rest.end() if rest else cut)
        return batch

    def _tail(self) -> Iterator[Batch]:
        """Read what is left when the file has ended."""
        if not self.walk.text:
            return
        ends = list(_ARRAY_END.finditer(self.walk.text))
        for end in reversed(ends[-8:]):
            text = self.walk.text[: end.start() + 1]
            if not self.walk.ends(end.end()):
                continue
            try:
                events = decode_events(text)
            except (msgspec.MsgspecError, RecursionError):
                continue
            yield Batch(self.walk.offset, events, text)
            self.walk.drop(end.end())
            self._check_rest()
            return
        yield from self._walk_on()

    def _walk_on(self) -> Iterator[Batch]:
        """Take the events of the text one by one up to where more text is needed."""
        events: list[Event] = []
        starts: list[int] = []
        walk = self.walk
        step = walk.step(0)
        while step.kind in {"event", "lost"}:
            if step.event is not None:
                events.append(step.event)
                starts.append(walk.offset + step.start)
            step = walk.step(step.following)
        offset = walk.offset
        walk.drop(step.following)
        if events:
            yield Batch(offset, events, starts=tuple(starts))
        if step.kind == "end":
            self._check_rest()
        elif step.following == 0:
            self._more()

    def _check_rest(self) -> None:
        self.check_rest(self.walk.text, self.walk.offset)
        self.walk.drop(len(self.walk.text))
        while self._more():
            self.check_rest(self.walk.text, self.walk.offset)
            self.walk.drop(len(self.walk.text))

    def check_rest(self, text: bytes | bytearray, offset: int) -> None:
        """Look at what follows the array: other keys may, not other events."""
        self._closed = True
        if self._log.knows(self._name, "events_after_the_end") or b'"ph"' not in text:
            return
        if (event := RESYNC.search(text)) is not None:
            self._log.add(
                self._name,
                "events_after_the_end",
                "data_loss",
                offset=offset + event.start(),
                sample="another list of events follows; only the first was read",
            )

    def _more(self) -> bool:
        chunk = next(self._chunks, None)
        if chunk is None:
            self.walk.final = True
            return False
        self.walk.text += chunk
        return True
