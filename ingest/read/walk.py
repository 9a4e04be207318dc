"""Reads the events of a text one by one, past whatever is damaged between and in them."""

import re
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from ..notice import ImportLog, Severity
from .boundary import PHASE_BYTES, holds, is_event, next_event, object_end, object_rest
from .duplicate_key import repeats_key
from .event import Event, decode_event, repair_event, without_args
from .long_event import KEPT_BYTES, LongEvent

LONGEST_EVENT_BYTES: Final = 64 << 20
"""A longer event is not held in memory: of its args the middle is left out."""
LONGEST_HOLDER_BYTES: Final = 1 << 20
"""An event that seems to hold others is believed if it ends so soon."""
LONGEST_TAIL_BYTES: Final = 1 << 20
"""So much of what follows the events is looked into for how it ends."""

BETWEEN: Final = re.compile(rb"[\s,]*")

_NEXT: Final = re.compile(rb"[][{]")
_AFTER_OBJECT_ARRAY: Final = re.compile(rb"\s*(?:,\s*\"|\}|$)")
_HEAD_AGAIN: Final = re.compile(rb'\{[^][{}]{0,4096}?"traceEvents"\s*:\s*\[')


@dataclass(frozen=True, slots=True)
class Step:
    """What stands at a place of the text, and where to go on.

    Of kind ``more`` the text from ``following`` on is to be read again when there is
    more of it; ``end`` is the end of the array, behind which no events are looked for.
    An event that is longer than the text begins before it, at a negative ``start``.
    """

    kind: Literal["event", "more", "end"]
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
        self.closed = True
        """Whether the array of events needs no closing bracket any more."""
        self.odd = False
        """Whether anything in the file was damaged so far."""
        self.headless = False
        """Whether the file begins with an object that may be an event or hold all of them."""
        self._name = name
        self._log = log
        self._bracket: int | None = None
        """Offset of a bracket behind the last event: the end, if no event follows."""
        self._long: LongEvent | None = None
        self._long_offset = 0
        self._lost_to = -1
        """Offset where the last text that was counted as lost ends."""
        self._inside: int | None = None
        """Where in the text the next event begins, once it was looked for."""
        self._looked = False

    @property
    def unsure(self) -> bool:
        """Whether what comes next may be no event even if it is an object."""
        return self.headless or self._bracket is not None or self._long is not None

    @property
    def within(self) -> bool:
        """Whether the text read so far ends within a long event."""
        return self._long is not None

    @property
    def ended(self) -> bool:
        """Whether the last thing that was read may be the end of the events."""
        return self.closed or self._bracket is not None

    def load(self, text: bytes, offset: int, *, final: bool) -> None:
        """Take the next text."""
        self.text = text
        self.offset = offset
        self.final = final
        self._looked = False

    def drop(self, count: int) -> None:
        """Forget the first bytes of the text."""
        self.load(self.text[count:], self.offset + count, final=self.final)

    def step(self, position: int) -> Step:
        """Read the next event from a position on, past brackets and what is damaged."""
        if self._long is not None:
            return self._long_on(position)
        while (begin := self._begin(position)) is not None:
            if not self.text.startswith(b"{", begin):
                step = self._bracket_at(begin)
            elif head := _HEAD_AGAIN.match(self.text, begin):
                if self._bracket is None:
                    self._bracket = self.offset + begin
                self.keyed, self.closed, self.headless = True, False, False
                step = Step("event", begin, head.end())
            else:
                step = self._one(begin)
            if step.event is not None and not self._is_part_of_loss(step):
                self.passed_event()
            elif step.kind == "event":
                position = step.following
                continue
            return step
        return Step("more", len(self.text), len(self.text))

    def passed_event(self) -> None:
        """Say that a bracket was not the end, now that an event follows it."""
        self.headless = False
        if self._bracket is not None:
            self._log.add(
                self._name,
                "bracket_between_events",
                "info",
                offset=self._bracket,
                sample="another list of events follows, or the bracket is stray; all are read",
            )
            self._bracket = None

    def decode(self, text: bytes, offset: int) -> Event | None:
        """Read the text of one event; None if it is beyond repair."""
        found: list[tuple[str, Severity]] = []
        try:
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
            self.odd = True
            found.append(("duplicate_key", "data_loss"))
        for name, severity in found:
            sample = text[:200].decode("utf-8", "backslashreplace")
            self._log.add(self._name, name, severity, offset=offset, sample=sample)
        return event

    def lost(self, name: str, start: int, end: int, *, before: int | None = None) -> None:
        """Count text that holds no event; what joins text lost before is one with it."""
        self.odd = True
        joins = before is not None and self._lost_to == self.offset + before
        self._lost_to = self.offset + end
        if joins:
            return
        self._log.add(
            self._name,
            name,
            "data_loss",
            offset=self.offset + start,
            sample=self.text[start : min(end, start + 200)].decode("utf-8", "backslashreplace"),
        )

    def unread(self, text: bytes | bytearray, offset: int) -> None:
        """Count events in a text where none are read."""
        if (place := next_event(text, 0)) is not None:
            self._log.add(
                self._name,
                "events_after_the_end",
                "data_loss",
                offset=offset + place,
                sample="events under another key than traceEvents are not read",
            )

    def _begin(self, position: int) -> int | None:
        """Return where the next event or a bracket stands in the text."""
        between = BETWEEN.match(self.text, position)
        after = between.end() if between else position
        begin = _NEXT.search(self.text, after)
        place = len(self.text) if begin is None else begin.start()
        # Room that was reserved for more events, and never used, is filled with zeros.
        blank = b" \t\r\n," if self._bracket is None else b"\0 \t\r\n,"
        if self.text[after:place].strip(blank):
            self.lost("text_between_events", after, place, before=position)
        return None if begin is None else place

    def _bracket_at(self, begin: int) -> Step:
        """Pass a bracket between events, or the end of the events."""
        if self.keyed and self.text.startswith(b"]", begin):
            return self._array_end(begin)
        return self._pass_bracket(begin)

    def _array_end(self, begin: int) -> Step:
        """Pass what follows the value of a key, or a bracket that only looks like its end."""
        if not self.final and len(self.text) - begin < LONGEST_TAIL_BYTES:
            return Step("more", begin, begin)
        if _AFTER_OBJECT_ARRAY.match(self.text, begin + 1) is None:
            return self._pass_bracket(begin)
        outcome, end = object_rest(self.text, begin + 1)
        if outcome == "broken":
            return self._pass_bracket(begin)
        if outcome == "open":
            if not self.final:
                return Step("end", begin, begin + 1)
            if next_event(self.text, begin + 1) is not None:
                # The file ends within its last keys, or the bracket was part of damage.
                return self._pass_bracket(begin)
        self.unread(self.text[begin:end], self.offset + begin)
        self._pass_bracket(begin)
        self.closed = True
        return Step("event", begin, end)

    def _pass_bracket(self, begin: int) -> Step:
        if self._lost_to == self.offset + begin:
            self._lost_to += 1
        if self._bracket is None:
            self._bracket = self.offset + begin
        return Step("event", begin, begin + 1)

    def _is_doubtful(self, start: int) -> bool:
        """Tell whether an object may be one that holds the events."""
        return self.unsure or self._lost_to == self.offset + start

    def _is_part_of_loss(self, step: Step) -> bool:
        """Tell whether an object is a part of what was lost before, not an event of its own."""
        if step.event is None or step.event.ph or self._lost_to != self.offset + step.start:
            return False
        self._lost_to = self.offset + step.following
        return True

    def _one(self, start: int) -> Step:
        """Read the event at ``start``; without an event what stands there is lost."""
        if not self._looked or (self._inside is not None and self._inside <= start):
            self._inside = next_event(self.text, start + 1)
            self._looked = True
        inside = self._inside
        limit = start + LONGEST_EVENT_BYTES if inside is None else inside
        end = object_end(self.text, start, limit)
        if end is None and inside is not None and holds(self.text, start, inside):
            limit = start + LONGEST_HOLDER_BYTES
            end = object_end(self.text, start, limit)
        if end is None and not self.final and len(self.text) < limit:
            return Step("more", start, start)
        if end is None and inside is None and len(self.text) >= limit:
            self._long, self._long_offset = LongEvent(), self.offset + start
            return self._long_on(start)
        if end is not None:
            event = self.decode(self.text[start:end], self.offset + start)
            holder = self._is_doubtful(start) and event is not None and not event.ph
            if event is not None and not (holder and inside is not None and inside < end):
                return Step("event", start, end, event)
            if inside is None and not self.final and len(self.text) - end < PHASE_BYTES:
                return Step("more", start, start)
            if event is not None:
                # What holds the events is no event: the key of the list is damaged.
                end = None
        known = [place for place in (end, inside) if place is not None]
        following = min(known, default=len(self.text))
        if self._lost_to == self.offset + start and not is_event(self.text, start):
            self._lost_to = self.offset + following
        else:
            self.lost("event_malformed" if known else "truncated", start, following)
        return Step("event", start, following)

    def _long_on(self, position: int) -> Step:
        """Read on in an event that is longer than may be held."""
        long = self._long
        assert long is not None, "an event was begun"  # noqa: S101 # by whoever calls this
        following = next_event(self.text, position + (long.length == 0))
        used = long.take(
            memoryview(self.text)[position:].tobytes(), following and following - position
        )
        if used is None and not self.final:
            return Step("more", len(self.text), len(self.text))
        self._long = None
        event = long.event()
        self._log.add(
            self._name,
            "event_malformed" if event is None else "args_cut",
            "data_loss",
            offset=self._long_offset,
            sample=f"no end within {long.length} bytes"
            if event is None
            else f"{long.length} bytes long; {KEPT_BYTES} of its args are kept",
        )
        end = len(self.text) if used is None else position + used
        step = Step("event", self._long_offset - self.offset, end, event)
        return step if event is not None else self.step(end)
