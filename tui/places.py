"""Places in time, lengths and sort orders as people type them on the command line."""

import re
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import NamedTuple

from ..ingest.errors import UsageError

_PLACE = re.compile(r"(?P<number>[+-]?[0-9][0-9_,]*(?:\.[0-9]*)?|[+-]?\.[0-9]+)\s*(?P<unit>\w*)")
_NANOSECONDS = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9}

MAX_DIGITS = 40
"""More digits than any time in ns has; a longer number is a mistake."""


class Place(NamedTuple):
    """An instant in ns: in the trace's own clock, or ``relative`` to the start."""

    ns: int
    relative: bool

    def absolute(self, start_ns: int) -> int:
        """Return the instant in the trace's own clock."""
        return start_ns + self.ns if self.relative else self.ns


def parse_place(text: str) -> Place:
    """Read an integer (absolute ns) or a time with a unit (from the start).

    ``+1,041.5 ms`` as tables print it is read as well. The part below 1 ns is
    rounded half to even. Raises UsageError for anything else.
    """
    place = _read(text)
    if place is None:
        raise UsageError(
            f"{text!r} is no place in time; give ns as a whole number (absolute, in the trace's"
            " clock) or a time with a unit from the start, such as 1.2ms"
        )
    return place


def parse_length(text: str) -> int:
    """Read a length of time, a whole number of ns or a time with a unit, as ns.

    Raises UsageError for anything else.
    """
    place = _read(text)
    if place is None or place.ns < 0:
        raise UsageError(
            f"{text!r} is no length of time; give ns as a whole number or a time with a unit"
            " (ns, us, ms, s), such as 1.2ms"
        )
    return place.ns


def exact_length(ns: int) -> str:
    """Return a length as ``parse_length`` reads it back, in the largest unit that divides it."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if ns and ns % size == 0:
            return f"{ns // size}{unit}"
    return f"{ns}ns"


def is_length(name: str) -> bool:
    """Tell whether a parameter of a question is a length of time, by the store's naming."""
    return name.endswith("dur")


class Order(NamedTuple):
    """A column to sort by, and whether the largest comes first."""

    column: str
    descending: bool


def parse_order(text: str, columns: tuple[str, ...]) -> Order:
    """Read ``COL`` or ``-COL``; raise UsageError naming the columns there are."""
    descending = text.startswith("-")
    column = text.removeprefix("-")
    if column not in columns:
        raise UsageError(f"no column {column!r} to sort by; there are: {', '.join(columns)}")
    return Order(column, descending)


def _read(text: str) -> Place | None:
    """Read a number and its unit, if it has one; None for anything else."""
    match = _PLACE.fullmatch(text.strip())
    if match is None or len(text) > MAX_DIGITS:
        return None
    number = match["number"].replace(",", "").replace("_", "")
    if not match["unit"]:
        whole = re.fullmatch(r"-?[0-9]+", number)
        return Place(int(number), relative=False) if whole else None
    size = _NANOSECONDS.get(match["unit"])
    if size is None:
        return None
    with localcontext() as context:
        context.prec = 2 * MAX_DIGITS
        ns = (Decimal(number) * size).to_integral_value(ROUND_HALF_EVEN)
    return Place(int(ns), relative=True)
