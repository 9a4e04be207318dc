"""Numbers for people: three significant digits and a unit, from exact integers.

Nothing passes through a float on its way; halves round away from zero. ``None``
is a value that was not measured and is drawn as a dash, zero is ``0``.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NOT_MEASURED = "\N{EN DASH}"

THOUSAND = 1000
NEW = "new"
GONE = "gone"


class Unit(NamedTuple):
    """A unit's sign and how many base units (ns, bytes, ones) it holds."""

    sign: str
    size: int


NANOSECONDS = Unit("ns", 1)
MICROSECONDS = Unit("µs", 10**3)
MILLISECONDS = Unit("ms", 10**6)
SECONDS = Unit("s", 10**9)

TIME_UNITS = (NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS)
BYTE_UNITS = (
    Unit("B", 1),
    Unit("kB", 10**3),
    Unit("MB", 10**6),
    Unit("GB", 10**9),
    Unit("TB", 10**12),
)
MEMORY_UNITS = (Unit("MiB", 1 << 20), Unit("KiB", 1 << 10), Unit("B", 1))
COUNT_UNITS = (Unit("M", 10**6), Unit("G", 10**9), Unit("T", 10**12))

MOST_WITH_DECIMAL = 100
"""Memory below so many of its unit has a decimal."""

MOST_PLAIN_COUNT = 999_999
"""Counts up to here are written out."""


def time(ns: int | None) -> str:
    """Return a time such as ``706 µs``, ``1.24 ms`` or ``102 ms``."""
    return " ".join(_significant(ns, TIME_UNITS)).rstrip()


def time_field(ns: int | None) -> str:
    """Return ``time`` eight cells wide, numbers and units each in their column."""
    number, unit = _significant(ns, TIME_UNITS)
    return f"{number:>5} {unit:<2}"


def size(count: int | None) -> str:
    """Return a number of bytes such as ``19.3 MB``; 1 MB is 10^6 bytes."""
    return " ".join(_significant(count, BYTE_UNITS)).rstrip()


def memory(count: int | None) -> str:
    """Return a number of bytes such as ``1,452 MiB``, as allocators count and files tell it.

    One unit from 1 MiB on, so that levels of memory can be compared at a glance.
    """
    if count is None or count == 0:
        return NOT_MEASURED if count is None else "0"
    unit = next((one for one in MEMORY_UNITS if abs(count) >= one.size), MEMORY_UNITS[-1])
    decimals = 1 if unit.size > 1 and abs(count) < MOST_WITH_DECIMAL * unit.size else 0
    return f"{_decimal(_rounded(count * 10**decimals, unit.size), decimals)} {unit.sign}"


def memory_difference(count: int | None) -> str:
    """Return ``memory`` with its sign, such as ``+16.0 MiB``."""
    return NOT_MEASURED if count is None else _signed(memory(count))


def rate(count: int, ns: int) -> str:
    """Return bytes per second such as ``439 GB/s``."""
    if ns <= 0:
        return NOT_MEASURED
    return size(_rounded(count * SECONDS.size, ns)) + "/s"


def count(number: int | None) -> str:
    """Return ``1,721`` up to 999,999 and ``1.23 M`` above."""
    if number is None:
        return NOT_MEASURED
    if abs(number) <= MOST_PLAIN_COUNT:
        return f"{number:,}"
    return " ".join(_significant(number, COUNT_UNITS))


def counted(number: int, noun: str) -> str:
    """Return ``1 row`` or ``1,721 rows``: a count with its noun, all digits of it."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def share(part: int | None, whole: int | None) -> str:
    """Return ``part / whole`` such as ``74.7 %``; ``<0.1 %`` for what would be 0.0."""
    if part is None or not whole:
        return NOT_MEASURED
    if part == 0:
        return "0"
    per_mille = _rounded(part * THOUSAND, whole)
    if per_mille == 0:
        return "<0.1 %" if (part > 0) == (whole > 0) else ">-0.1 %"
    if per_mille == THOUSAND:
        return "100 %"
    return f"{_decimal(per_mille, 1)} %"


def ratio(value: float | None) -> str:
    """Return a ratio of 0..1 as ``share`` does, from the float's exact value."""
    if value is None or not math.isfinite(value):
        return NOT_MEASURED
    return share(*value.as_integer_ratio())


def times(value: float | None) -> str:
    """Return how often one holds the other, such as ``6.7 x``, from the float's exact value."""
    if value is None or not math.isfinite(value):
        return NOT_MEASURED
    return _times(*value.as_integer_ratio())


def share_field(text: str) -> str:
    """Align a share seven cells wide, the sign ``%`` in a column of its own."""
    return f"{text:>7}" if text.endswith("%") else f"{text:>5}  "


def column_unit(values: Iterable[int | None]) -> Unit:
    """Return the one unit for a column of times that are compared with each other.

    It is the largest unit in which the longest time is at least 10, so that one
    decimal leaves it three significant digits.
    """
    longest = max((abs(value) for value in values if value is not None), default=0)
    fitting = [unit for unit in TIME_UNITS if longest >= 10 * unit.size]
    return fitting[-1] if fitting else NANOSECONDS


def time_in(ns: int | None, unit: Unit, decimals: int = 1) -> str:
    """Return a time in a fixed unit such as ``410.1 ms``; ns have no decimals."""
    if ns is None:
        return NOT_MEASURED
    return f"{_fixed(ns, unit, decimals)} {unit.sign}"


def time_difference(base: int | None, other: int | None, unit: Unit) -> str:
    """Return ``other - base`` with its sign, such as ``+188.2 ms``."""
    if base is None or other is None:
        return _one_sided(base, other)
    return f"{_signed(_fixed(other - base, unit, 1))} {unit.sign}"


def change(base: int | None, other: int | None) -> str:
    """Return by which share of ``base`` the other differs, such as ``-10.2 %``.

    From ten times on it says how often the other holds it, such as ``28.3 x``.
    """
    if base is None or other is None:
        return _one_sided(base, other)
    if base == 0:
        return NEW if other else "0"
    if 0 < 10 * base <= other:
        return _times(other, base)
    said = share(other - base, base)
    return _signed(said) if said[0].isdigit() and other != base else said


def place(offset_ns: int, cell_ns: int, unit: Unit | None = None) -> str:
    """Return a place in time such as ``+41.0 ms``.

    It has as many decimals as make its last digit change from one cell of
    ``cell_ns`` to the next.
    """
    if unit is None:
        unit = column_unit([offset_ns])
    decimals = 0
    while unit.size > max(cell_ns, 1) * 10**decimals:
        decimals += 1
    return f"{_signed(_fixed(offset_ns, unit, decimals), zero='+')} {unit.sign}"


def _times(part: int, whole: int) -> str:
    return f"{_decimal(_rounded(10 * part, whole), 1)} x"


def _one_sided(base: int | None, other: int | None) -> str:
    if base is None and other is None:
        return NOT_MEASURED
    return NEW if base is None else GONE


def _significant(number: int | None, units: Sequence[Unit]) -> tuple[str, str]:
    """Return three significant digits and the sign of the unit they are in."""
    if number is None:
        return NOT_MEASURED, ""
    if number == 0:
        return "0", ""
    sign = "-" if number < 0 else ""
    magnitude = abs(number)
    for unit in units:
        for decimals in (0,) if unit.size == 1 else (2, 1, 0):
            rounded = _rounded(magnitude * 10**decimals, unit.size)
            if rounded < THOUSAND:
                return sign + _decimal(rounded, decimals), unit.sign
    last = units[-1]
    return f"{sign}{_rounded(magnitude, last.size):,}", last.sign


def _fixed(ns: int, unit: Unit, decimals: int) -> str:
    if unit.size == 1:
        decimals = 0
    return _decimal(_rounded(ns * 10**decimals, unit.size), decimals)


def _signed(number: str, zero: str = "") -> str:
    if number.startswith("-"):
        return number
    return f"+{number}" if number.strip("0.,") else f"{zero}{number}"


def _rounded(numerator: int, denominator: int) -> int:
    """Divide two integers exactly, halves away from zero."""
    quotient, rest = divmod(abs(numerator), abs(denominator))
    quotient += 2 * rest >= abs(denominator)
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


def _decimal(scaled: int, decimals: int) -> str:
    """Write ``scaled / 10^decimals`` with thousands separated by commas."""
    if decimals == 0:
        return f"{scaled:,}"
    whole, rest = divmod(abs(scaled), 10**decimals)
    return f"{'-' if scaled < 0 else ''}{whole:,}.{rest:0{decimals}}"
