"""Reads the events of a text one by one, past whatever is damaged between and in them."""

import re
from dataclasses import dataclass
from typing import Literal

import msgspec

from ..notice import ImportLog
from .event import Event, decode_event, repair_event

USUAL_EVENT_BYTES = 8 << 10
"""A longer event is looked into: is it one, or has a quote too many joined several?"""
PROBE_BYTES = 1 << 10
PHASE_BYTES = 4 << 10
LONGEST_EVENT_BYTES = 64 << 20

BETWEEN = re.compile(rb"[\s,]*")
RESYNC = re.compile(rb'\{\s*"(?:ph|name|pid|tid|ts|dur|cat|id|args|bp|s)"\s*:')

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}"]', re.DOTALL)
_NEXT = re.compile(rb"[{\]]")
_AFTER_OBJECT_ARRAY = re.compile(rb"\s*(?:,\s*\"|\}|$)")
_ARGS = re.compile(rb'"args"\s*:\s*(?=[{\[])')
_PHASE = re.compile(rb'"ph"\s*:\s*"')


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


@dataclass(frozen=True, slots=True)
class Step:
    """What stands at a place of the text, and where to go on.

    Of kind ``more`` the text from ``following`` on is to be read again when there is
    more of it; ``end`` is the end of the array.
    """

    kind: Literal["event", "lost", "more", "end"]
    start: int
    following: int
    event: Event | None = None


class Walk:
    """The events of a text that begins between two of them; positions are in the text.

    ``offset`` is where the text begins in the file; ``final`` says that nothing follows
    it. With ``keyed`` the array is the value of a key, so that other keys may follow it.
    What is damaged is counted in the log with its offset.
    """

    def __init__(self, name: str, log: ImportLog) -> None:
        self.text = b""
        self.offset = 0
        self.final = False
        self.keyed = False
        self._name = name
        self._log = log

    def load(self, text: bytes, offset: int, *, final: bool) -> None:
        """Take the next text."""
        self.text = text
        self.offset = offset
        self.final = final

    def drop(self, count: int) -> None:
        """Forget the first bytes of the text."""
        self.offset += count
        self.text = self.text[count:]

    def step(self, position: int) -> Step:
        """Read what stands at a position; stray brackets are passed over."""
        while (begin := self._begin(position)) is not None:
            if not self.text.startswith(b"]", begin):
                event, following = self._one(begin)
                if following is None:
                    return Step("more", begin, begin)
                return Step("lost" if event is None else "event", begin, following, event)
            if not self.final and len(self.text) - begin < PROBE_BYTES:
                return Step("more", begin, begin)
            position = begin + 1
            if self.ends(position):
                return Step("end", begin, position)
            self._log.add(
                self._name,
                "bracket_between_events",
                "info",
                offset=self.offset + begin,
                sample="another list of events follows, or the bracket is stray; all are read",
            )
        return Step("more", len(self.text), len(self.text))

    def ends(self, position: int) -> bool:
        """Tell whether a bracket before ``position`` ends the events, and is not stray."""
        if self.keyed:
            return _AFTER_OBJECT_ARRAY.match(self.text, position) is not None
        return not self.text[position:].strip(b"\0 \t\r\n") or (
            RESYNC.search(self.text, position) is None and self.final
        )

    def decode(self, text: bytes, offset: int) -> Event | None:
        """Read the text of one event; None if it is beyond repair."""
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
                offset=offset,
                sample=text[:200].decode("utf-8", "backslashreplace"),
            )
        return event

    def _begin(self, position: int) -> int | None:
        """Return where the next event or the end of the array stands in the buffer."""
        between = BETWEEN.match(self.text, position)
        position = between.end() if between else position
        begin = _NEXT.search(self.text, position)
        place = len(self.text) if begin is None else begin.start()
        if self.text[position:place].strip(b" \t\r\n,"):
            self.lost("text_between_events", position, place)
        return None if begin is None else place

    def _one(self, start: int) -> tuple[Event | None, int | None]:
        """Read the event at ``start``; return it and where to go on.

        Without an event what stands there is lost; without a place to go on more text
        is needed.
        """
        end = object_end(self.text, start, start + USUAL_EVENT_BYTES)
        following = None
        if end is None:
            if not self.final and len(self.text) - start < USUAL_EVENT_BYTES:
                return None, None
            following = self._resync(start)
            if following is None:
                end = object_end(self.text, start, start + LONGEST_EVENT_BYTES)
        if end is not None:
            if (event := self.decode(self.text[start:end], self.offset + start)) is not None:
                return event, end
            inside = self._resync(start)
            following = end if inside is None else min(end, inside)
        if following is None:
            if not self.final and len(self.text) - start <= LONGEST_EVENT_BYTES:
                return None, None
            following = len(self.text)
        torn = self.final and end is None and following == len(self.text)
        self.lost("truncated" if torn else "event_malformed", start, following)
        return None, following

    def _resync(self, start: int) -> int | None:
        """Return the next place after ``start`` that looks like the begin of an event.

        Small objects without a phase are parts of args and are passed over.
        """
        for candidate in RESYNC.finditer(self.text, start + 1):
            place = candidate.start()
            end = object_end(self.text, place, place + PROBE_BYTES)
            reach = place + PHASE_BYTES if end is None else end
            if _PHASE.search(self.text, place, reach):
                return place
        return None

    def lost(self, name: str, start: int, end: int) -> None:
        """Count text that holds no event that can be read."""
        self._log.add(
            self._name,
            name,
            "data_loss",
            offset=self.offset + start,
            sample=self.text[start : min(end, start + 200)].decode("utf-8", "backslashreplace"),
        )


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
