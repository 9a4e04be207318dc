"""Keys that an event has twice: the last one counts, as everywhere, and it is told of.

Two times in one event are mostly the begin of one event and the end of another, with a
piece of the file between them lost.
"""

import json
import re
from typing import Final

from .event import Event

KEYS: Final = ("ts", "dur", "name")
_ESCAPED: Final = re.compile(rb"\\u00[67]")
"""A letter that needs no escape and has one may be part of a key."""
_QUOTED: Final = tuple(f'"{key}"'.encode() for key in KEYS)


def repeats_key(text: bytes) -> bool:
    """Tell whether an event has one of the keys twice."""
    if all(text.count(key) < 2 for key in _QUOTED) and _ESCAPED.search(text) is None:
        return False
    keys: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        # The outermost object comes last.
        keys[:] = [key for key, _ in pairs]

    try:
        json.loads(
            text.decode("utf-8", "surrogateescape"),
            strict=False,
            parse_int=str,
            parse_float=str,
            object_pairs_hook=note,
        )
    except (ValueError, RecursionError):
        return False
    return any(keys.count(key) > 1 for key in KEYS)


def some_repeat_key(block: bytes, end: int, events: list[Event]) -> bool:
    """Tell whether one of the events that a block up to ``end`` holds may do so."""
    if _ESCAPED.search(block, 0, end):
        return True
    return any(_stands_too_often(key, block, end, events) for key in KEYS)


def _stands_too_often(key: str, block: bytes, end: int, events: list[Event]) -> bool:
    quoted = f'"{key}"'.encode()
    found = block.count(quoted, 0, end)
    # Args may have the key as well: a process_name has its name there.
    found -= sum(bytes(event.args).count(quoted) for event in events)
    missing = getattr(Event(), key)
    return found > sum(getattr(event, key) != missing for event in events)
