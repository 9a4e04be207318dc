"""An event longer than memory should hold: all its fields, and the begin of its args."""

import re
from typing import Final

import msgspec

from .event import Event, decode_event, repair_event

KEPT_BYTES: Final = 500_000
"""So much of the args is kept; written as a JSON string they stay below 1 MB."""
LONGEST_BYTES: Final = 1 << 30
LONGEST_FIELD_BYTES: Final = 1 << 20

_MARK: Final = re.compile(rb'[][{}"]')
_STRING_REST: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_QUOTE: Final = 0x22


class LongEvent:
    """Takes the text of an event piece by piece and keeps what is worth keeping."""

    def __init__(self) -> None:
        self.length = 0
        """Bytes taken so far."""
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._closed = False
        self._fields: list[bytes] = []
        self._fields_length = 0
        self._value = bytearray()
        """The begin of the object or list that stands in a field."""
        self._value_length = 0

    def take(self, text: bytes, following: int | None) -> int | None:
        """Take the next piece; return how much of it belongs to the event, if it ends there.

        Where another event begins, at ``following``, this one has ended without a brace.
        """
        limit = len(text) if following is None else following
        end = self._follow(text, limit)
        self.length += end
        if self._closed or following is not None or self.length > LONGEST_BYTES:
            return end
        return None

    def event(self) -> Event | None:
        """Return the event; None if it has no end, or fields that are too long themselves."""
        if not self._closed or self._fields_length > LONGEST_FIELD_BYTES:
            return None
        text = b"".join(self._fields)
        # What is nested was cut out of it.
        try:
            return decode_event(text)
        except msgspec.MsgspecError:
            return repair_event(text)

    def _follow(self, text: bytes, limit: int) -> int:
        position = min(limit, 1) if self._escaped else 0
        self._escaped = False
        begin = 0
        while position < limit:
            if self._quoted:
                position = self._string(text, position, limit)
                continue
            mark = _MARK.search(text, position, limit)
            if mark is None:
                break
            position = mark.end()
            match text[mark.start() : position]:
                case b'"':
                    self._quoted = True
                case b"{" | b"[":
                    self._depth += 1
                    if self._depth == 2:
                        self._keep_fields(text[begin : mark.start()])
                        begin = mark.start()
                case _:
                    self._depth -= 1
                    if self._depth == 1:
                        self._keep_value(text[begin:position])
                        self._end_value()
                        begin = position
                    elif self._depth == 0:
                        self._keep_fields(text[begin:position])
                        self._closed = True
                        return position
        if self._depth > 1:
            self._keep_value(text[begin:limit])
        else:
            self._keep_fields(text[begin:limit])
        return limit

    def _string(self, text: bytes, position: int, limit: int) -> int:
        """Go on within a string; return where it, or the piece, ends."""
        rest = _STRING_REST.match(text, position, limit)
        position = rest.end() if rest else position
        if position < limit:
            self._quoted = text[position] != _QUOTE
            # A backslash that is last in the piece takes the first byte of the next one.
            self._escaped = self._quoted
            position += 1
        return position

    def _keep_fields(self, text: bytes) -> None:
        self._fields_length += len(text)
        if self._fields_length <= LONGEST_FIELD_BYTES:
            self._fields.append(text)

    def _keep_value(self, text: bytes) -> None:
        self._value += text[: KEPT_BYTES - len(self._value)]
        self._value_length += len(text)

    def _end_value(self) -> None:
        kept = bytes(self._value)
        if self._value_length > len(kept):
            kept = msgspec.json.encode({"cut": kept.decode("utf-8", "backslashreplace")})
        self._fields.append(kept)
        self._value = bytearray()
        self._value_length = 0
