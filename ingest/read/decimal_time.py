"""Decimal text to whole nanoseconds, exactly.

A float64 cannot tell two neighbouring nanoseconds of a wall clock apart, so
times are never read as numbers: the digits of the file are moved.
"""

import re
from typing import Final

INT64_MIN: Final = -(1 << 63)
INT64_MAX: Final = (1 << 63) - 1

_NUMBER: Final = re.compile(r"\s*([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?\s*")
_MAX_EXPONENT: Final = 400
"""Beyond any float64; a longer one would only make a huge power of ten."""


def nanoseconds(text: str | bytes) -> int:
    """Return decimal microseconds as int64 nanoseconds, half to even below one.

    Accepts a sign, blanks or TABs around it, an exponent, and a missing whole part
    or fraction. Raises ValueError for anything else and beyond int64.
    """
    if isinstance(text, bytes):
        text = text.decode("ascii")
    # What the profilers write: digits, a point and exactly three decimals.
    if text[-4:-3] == "." and text.isascii():
        whole, fraction = text[:-4], text[-3:]
        if whole.isdigit() and fraction.isdigit():
            value = int(whole + fraction)
            if value <= INT64_MAX:
                return value
    return scaled(text, 3)


def scaled(text: str | bytes, power: int) -> int:
    """Return decimal text times ``10**power`` as an int64, half to even below one.

    Power 3 makes nanoseconds of microseconds, 6 of milliseconds, 9 of seconds.
    Raises ValueError as ``nanoseconds`` does.
    """
    if isinstance(text, bytes):
        text = text.decode("ascii")
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"not a decimal number: {text[:64]!r}")
    sign, whole, fraction, exponent_text = match.groups()
    exponent = int(exponent_text or "0")
    if abs(exponent) > _MAX_EXPONENT:
        raise ValueError(f"not a time: {text[:64]!r} is far out of range")
    digits = int(whole + fraction)
    shift = power + exponent - len(fraction)
    if shift >= 0:
        value = digits * 10**shift
    else:
        unit = 10**-shift
        value, rest = divmod(digits, unit)
        value += 2 * rest > unit or (2 * rest == unit and value & 1)
    if sign == "-":
        value = -value
    if not INT64_MIN <= value <= INT64_MAX:
        raise ValueError(f"not a time: {text[:64]!r} does not fit 64 bits")
    return value
