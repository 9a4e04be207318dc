"""Numbers of a trace event, read from the digits of the file: times and identifiers."""

from typing import Final

import msgspec

from .decimal_time import INT64_MAX, nanoseconds
from .event import raw_text

MOST_TS_NS: Final = 1 << 62
MOST_DUR_NS: Final = 1 << 61
"""Times beyond (the year 2116, 73 years) are damage; sums of those within fit 64 bits."""

NO_CONNECTION: Final = frozenset({-1, 4294967295, 18446744073709551615})

_SCALES: Final = (1000, 100, 10, 1)
"""Nanoseconds of the last digit of microseconds with so many decimals."""


def raw_nanoseconds(raw: msgspec.Raw) -> int:
    """Return decimal microseconds, a number or text, as ns; raise ValueError if it is none."""
    text = bytes(raw)
    if text[:1] == b'"':
        text = text[1:-1]
    # Most times have at most three decimals: their digits are moved at once.
    whole, _, fraction = text.partition(b".")
    digits = whole + fraction
    if len(fraction) <= 3 and digits.isdigit():
        return int(digits) * _SCALES[len(fraction)]
    # A blank or TAB within the text may be written as an escape.
    return nanoseconds(raw_text(raw) if b"\\" in text else text)


def raw_identifier(raw: msgspec.Raw) -> int | None:
    """Return a stream, task or connection number; None for the marks that mean none."""
    if not raw:
        return None
    text = bytes(raw)
    if text[:1] == b'"':
        text = raw_text(raw).encode() if b"\\" in text else text[1:-1]
    try:
        value = int(text)
    except ValueError:
        return None
    return None if value in NO_CONNECTION or not -INT64_MAX <= value <= INT64_MAX else value
