"""Which events of a damaged file are whole, worked out without npuview's reader.

The rule: from left to right, at each opening brace, the standard library's decoder reads
an object. If it has a phase it is an event, and the search goes on behind it; otherwise,
or if nothing can be read there, the search goes on behind the brace.
"""

import json
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, NamedTuple

EXACT = Context(prec=400, Emax=10**6, Emin=-(10**6))
MOST_TS_NS = 1 << 62
MOST_DUR_NS = 1 << 61

_decoder = json.JSONDecoder(
    strict=False, parse_float=str, parse_int=str, parse_constant=lambda _: None
)


class WholeSlice(NamedTuple):
    """What a complete event says of a slice: its begin and its length, ns."""

    ts: int
    dur: int


def whole_events(text: bytes) -> list[dict[str, Any]]:
    """Return the events that are intact, in the order of the file."""
    decoded = text.decode("utf-8", "surrogateescape")
    found: list[dict[str, Any]] = []
    place = decoded.find("{")
    while place >= 0:
        following = place + 1
        try:
            value, end = _decoder.raw_decode(decoded, place)
        except (ValueError, RecursionError):
            value, end = None, 0
        if isinstance(value, dict) and value.get("ph"):
            found.append(value)
            following = end
        place = decoded.find("{", following)
    return found


def whole_slices(text: bytes) -> list[WholeSlice]:
    """Return the complete events of phase X that have a time."""
    slices: list[WholeSlice] = []
    for event in whole_events(text):
        if event["ph"] == "X":
            ts = nanoseconds(event.get("ts"), MOST_TS_NS)
            dur = nanoseconds(event.get("dur"), MOST_DUR_NS) or 0
            if ts is not None:
                slices.append(WholeSlice(ts, max(0, dur)))
    return slices


def nanoseconds(text: object, most: int) -> int | None:
    """Return decimal microseconds as nanoseconds, half to even; None if they are no time."""
    if not isinstance(text, str) or "_" in text or not text.isascii():
        return None
    try:
        value = Decimal(text.strip()).scaleb(3, context=EXACT)
        whole = int(value.to_integral_value(rounding=ROUND_HALF_EVEN, context=EXACT))
    except (ArithmeticError, ValueError):
        return None
    return whole if -most <= whole <= most else None
