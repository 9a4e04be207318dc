"""Where JSON objects end and where, after damage, the next event begins."""

import re
from typing import Final, Literal

PHASE_BYTES: Final = 4 << 10
"""So far from its begin an event's phase is looked for."""

_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}"]', re.DOTALL)
_MARK: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}:,"]', re.DOTALL)
_BRACKET: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{}]', re.DOTALL)
_EVENT: Final = re.compile(rb'\{\s*"[^"\\]{0,64}"\s*:')
_PHASE: Final = re.compile(rb'"ph"\s*:\s*"')

_OBJECT: Final = 0x7B
_LIST: Final = 0x5B
_QUOTE: Final = 0x22
_OPENED_BY: Final = {0x7D: _OBJECT, 0x5D: _LIST}

Outcome = Literal["closed", "open", "broken"]


def object_end(text: bytes | bytearray, start: int, limit: int | None = None) -> int | None:
    """Return where the JSON object at ``start`` ends; None if not before ``limit``."""
    depth = 0
    for token in _TOKEN.finditer(text, start, len(text) if limit is None else limit):
        first = text[token.start()]
        if first == _OBJECT:
            depth += 1
        elif first == 0x7D:
            depth -= 1
            if depth == 0:
                return token.end()
        elif token.end() - token.start() == 1:
            return None
    return None


def value_end(text: bytes, start: int) -> int | None:
    """Return where the object or list at ``start`` ends; None if it does not."""
    depth = 0
    for mark in _BRACKET.finditer(text, start):
        first = text[mark.start()]
        if first in {_OBJECT, _LIST}:
            depth += 1
        elif first in _OPENED_BY:
            depth -= 1
            if depth == 0:
                return mark.end()
    return None


def next_event(text: bytes | bytearray, start: int, limit: int | None = None) -> int | None:
    """Return the next place from ``start`` on that looks like the begin of an event.

    Objects without a phase of their own are parts of args, or hold events, and are passed
    over.
    """
    limit = len(text) if limit is None else limit
    searched = start
    while (phase := _PHASE.search(text, searched, limit)) is not None:
        begin = max(start, phase.start() - PHASE_BYTES)
        for candidate in _EVENT.finditer(text, begin, phase.end()):
            if _is_in(text, candidate.start(), phase.start()):
                return candidate.start()
        searched = phase.end()
    return None


def is_event(text: bytes, start: int) -> bool:
    """Tell whether what begins at ``start`` looks like an event."""
    if _EVENT.match(text, start) is None:
        return False
    phases = _PHASE.finditer(text, start, start + PHASE_BYTES)
    return any(_is_in(text, start, phase.start()) for phase in phases)


def _is_in(text: bytes | bytearray, start: int, place: int) -> bool:
    """Tell whether a place is in the object at ``start``, and in none within it."""
    depth = 0
    for token in _TOKEN.finditer(text, start, place):
        first = text[token.start()]
        if first == _OBJECT:
            depth += 1
        elif first == 0x7D:
            depth -= 1
            if depth == 0:
                return False
        elif token.end() - token.start() == 1:
            return False
    return depth == 1


def holds(text: bytes, start: int, place: int) -> bool:
    """Tell whether an object at ``place`` can be a value within the one at ``start``."""
    outcome, _, may_open = _follow(text, start, place, bytearray(), colon=True)
    return outcome == "open" and may_open


def object_rest(text: bytes, start: int) -> tuple[Outcome, int]:
    """Follow the rest of an object from behind one of its values; return how far it goes.

    It is ``closed`` there, still ``open`` at the end of the text, or ``broken``: what
    stands there is the rest of no object.
    """
    outcome, place, _ = _follow(text, start, len(text), bytearray(b"{"), colon=False)
    return outcome, place


def _follow(
    text: bytes, start: int, limit: int, inside: bytearray, *, colon: bool
) -> tuple[Outcome, int, bool]:
    """Follow brackets, colons and commas; also tell whether a value may begin at the limit.

    ``inside`` are the brackets that are open at the start, ``colon`` whether a value is due.
    """
    last = 0x3A if colon else _QUOTE
    for token in _MARK.finditer(text, start, limit):
        first = text[token.start()]
        if first == _QUOTE:
            if token.end() - token.start() == 1:
                return ("open" if limit == len(text) else "broken"), limit, False
            if last == _QUOTE:
                return "broken", token.start(), False
        elif first in {_OBJECT, _LIST}:
            if not _is_due(inside, last):
                return "broken", token.start(), False
            inside.append(first)
        elif first in _OPENED_BY:
            if not inside or inside.pop() != _OPENED_BY[first]:
                return "broken", token.start(), False
            if not inside:
                return "closed", token.end(), False
            first = _QUOTE
        last = first
    return "open", limit, _is_due(inside, last)


def _is_due(inside: bytearray, last: int) -> bool:
    """Tell whether a value may stand behind the mark ``last``."""
    if inside and inside[-1] == _LIST:
        return last in {_LIST, 0x2C}
    return last == 0x3A
