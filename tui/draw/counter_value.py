"""Values of counters for people: with their unit, in few characters."""

from . import numbers
from .safe_text import clean

_BYTES = {"bytes": 1, "B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}
"""Counters of bytes count memory, as allocators do: in powers of 1024."""
_RATES = {"MB/s": 10**6, "KB/s": 10**3, "GB/s": 10**9}
"""Rates are of data that moves, which the tools count in powers of 10."""


def counter_value(value: float | None, unit: str | None) -> str:
    """Return a value such as ``1,290 MiB``, ``22.3 GB/s`` or ``1,800``; a dash for None.

    A counter's value is what its file says, which may have a fraction.
    """
    if value is None:
        return numbers.NOT_MEASURED
    if unit in _BYTES:
        return numbers.memory(round(value * _BYTES[unit]))
    if unit in _RATES:
        return f"{numbers.size(round(value * _RATES[unit]))}/s"
    if unit == "%":
        return f"{value:.1f} %"
    text = f"{value:.2f}" if 0 < abs(value) < 10 else numbers.count(round(value))
    return f"{text} {clean(unit)}" if unit else text
