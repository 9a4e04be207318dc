"""Columns of text cells made into exact numbers by Arrow, cell by cell where Arrow refuses.

A cell that means "not collected" is NULL in every number; a cell that is no number at
all is NULL too and is handed to ``refuse`` with its index, so that it is counted.
"""

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation, localcontext
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from .decimal_time import scaled

Refuse = Callable[[int, str], None]
"""Called with the index and text of a cell that is not what its column is."""

DECIMAL_DIGITS: Final = 38
"""Digits of the widest exact number of Arrow and DuckDB."""

MOST_NANOSECONDS: Final = 1 << 62
"""A time this far from zero is none: two below it still have a sum of 64 bits."""

_FRACTION_DIGITS: Final = 18
_UNIT_DIGITS: Final = 7
"""Digits of the largest unit that Arrow multiplies with: 1 MB."""
_SIZE_FRACTION_DIGITS: Final = 20
"""Of a size in MB: one byte is 2**-20 of it."""
_SIZE_DIGITS: Final = 64
_NO_DIGITS: Final = 1 << 31
_NOT_TEXT: Final = pa.array(["", "N/A"])
_NOT_A_NUMBER: Final = pa.array(["", "N/A", "-", "NA", "nan", "NaN", "None"])
_NO_ID: Final = pa.array(["-1", "4294967295", "18446744073709551615"])
_NUMBER: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_NUMBER_PATTERN: Final = re.compile(_NUMBER)


def trimmed(cells: pa.Array) -> pa.Array:
    """Remove blanks and TABs around cells."""
    return pc.call_function("utf8_trim_whitespace", [cells])


def without_quotes(cells: pa.Array) -> pa.Array:
    """Remove the quotes that are part of the text of a shape."""
    options = pc.ReplaceSubstringOptions('"', "")
    return pc.call_function("replace_substring", [cells], options)


def text_or_null(cells: pa.Array) -> pa.Array:
    """Make NULL of cells that hold no text or N/A."""
    return _without(cells, _NOT_TEXT)


def number_text(cells: pa.Array) -> pa.Array:
    """Make NULL of cells that stand for a number that was not collected."""
    return _without(cells, _NOT_A_NUMBER)


def id_text(cells: pa.Array) -> pa.Array:
    """Make NULL of these and of the numbers that writers use for "none"."""
    return _without(number_text(cells), _NO_ID)


def scaled_integers(cells: pa.Array, power: int, refuse: Refuse) -> pa.Array:
    """Return cells times ``10**power`` as int64, half to even below one.

    Power 3 makes nanoseconds of microseconds. What is not below 2**62 is refused.
    """
    text = number_text(cells)
    try:
        exact = text.cast(pa.decimal128(DECIMAL_DIGITS, _FRACTION_DIGITS))
        # The same digits with the point moved: exact, and no second copy.
        moved = exact.view(pa.decimal128(DECIMAL_DIGITS, _FRACTION_DIGITS - power))
        times = _rounded(moved).cast(pa.int64())
        _check_times(times)
    except pa.ArrowInvalid:
        return _one_by_one(text, lambda cell: _time(cell, power), pa.int64(), refuse)
    return times


def byte_counts(cells: pa.Array, unit: int, refuse: Refuse) -> pa.Array:
    """Return sizes times ``unit`` bytes as int64, half to even below one.

    What is not below 2**62 is refused.
    """
    text = number_text(cells)
    whole = DECIMAL_DIGITS - _UNIT_DIGITS - 1
    try:
        exact = text.cast(pa.decimal128(whole, _SIZE_FRACTION_DIGITS))
        factor = pa.scalar(Decimal(unit), pa.decimal128(_UNIT_DIGITS, 0))
        sizes = _rounded(pc.call_function("multiply", [exact, factor])).cast(pa.int64())
        _check_times(sizes)
    except pa.ArrowInvalid:
        return _one_by_one(text, lambda cell: _size(cell, unit), pa.int64(), refuse)
    return sizes


def integers(cells: pa.Array, type_: pa.DataType, refuse: Refuse) -> pa.Array:
    """Return whole numbers; identifiers that mean "none" are NULL."""
    text = id_text(cells)
    try:
        return _whole(text).cast(type_)
    except pa.ArrowInvalid:
        limit = 1 << (type_.bit_width - 1)
        return _one_by_one(text, lambda cell: _integer(cell, limit), type_, refuse)


def doubles(cells: pa.Array, refuse: Refuse) -> pa.Array:
    """Return numbers as float64."""
    text = number_text(cells)
    try:
        values = text.cast(pa.float64())
        _check_finite(values)
    except pa.ArrowInvalid:
        return _one_by_one(text, _double, pa.float64(), refuse)
    return values


def are_integers(cells: pa.Array) -> bool:
    """Whether every cell is a whole number of 64 bits."""
    try:
        _whole(cells)
    except pa.ArrowInvalid:
        return False
    return True


def are_numbers(cells: pa.Array) -> bool:
    """Whether every cell is a decimal number, with or without exponent."""
    matches = pc.call_function("match_substring_regex", [cells], pc.MatchSubstringOptions(_NUMBER))
    return pc.call_function("all", [matches]).as_py() is not False


def decimal_digits(cells: pa.Array) -> tuple[int, int]:
    """Return the most digits before and after the point that any of these numbers has.

    An exponent that no number has makes them more than any type has room for.
    """
    exponent = pc.call_function(
        "match_substring", [cells], pc.MatchSubstringOptions("e", ignore_case=True)
    )
    if pc.call_function("any", [exponent]).as_py():
        digits = [_decimal_digits(cell) for cell in cells.to_pylist() if cell is not None]
        return max(whole for whole, _ in digits), max(fraction for _, fraction in digits)
    length = pc.call_function("binary_length", [cells])
    point = pc.call_function("find_substring", [cells], pc.MatchSubstringOptions("."))
    has_point = pc.call_function("greater_equal", [point, pa.scalar(0, pa.int32())])
    fraction = pc.call_function("subtract", [length, point])
    most = pc.call_function("max", [pc.call_function("if_else", [has_point, fraction, 1])]).as_py()
    whole = pc.call_function("max", [pc.call_function("if_else", [has_point, point, length])])
    return whole.as_py() or 0, (most or 1) - 1


def _without(cells: pa.Array, words: pa.Array) -> pa.Array:
    missing = pc.call_function("is_in", [cells], pc.SetLookupOptions(words))
    if not pc.call_function("any", [missing]).as_py():
        return cells
    return pc.call_function("if_else", [missing, pa.scalar(None, pa.string()), cells])


def _whole(text: pa.Array) -> pa.Array:
    """Cast to int64; Arrow would also take 0x10, which is no decimal number."""
    numbers = text.cast(pa.int64())
    hexadecimal = pc.call_function(
        "match_substring", [text], pc.MatchSubstringOptions("x", ignore_case=True)
    )
    if pc.call_function("any", [hexadecimal]).as_py():
        raise pa.ArrowInvalid("hexadecimal")
    return numbers


def _check_times(times: pa.Array) -> None:
    """Raise ArrowInvalid if a time is out of range."""
    reach = pc.call_function("min_max", [times]).as_py()
    least, most = reach["min"] or 0, reach["max"] or 0
    if not -MOST_NANOSECONDS < least <= most < MOST_NANOSECONDS:
        raise pa.ArrowInvalid("not a time")


def _check_finite(values: pa.Array) -> None:
    """Raise ArrowInvalid for what Arrow reads as infinity: words, and numbers too big."""
    if pc.call_function("all", [pc.call_function("is_finite", [values])]).as_py() is False:
        raise pa.ArrowInvalid("not finite")


def _rounded(numbers: pa.Array) -> pa.Array:
    return pc.call_function("round", [numbers], pc.RoundOptions(0, "half_to_even"))


def _one_by_one(
    text: pa.Array, read: Callable[[str], int | float], type_: pa.DataType, refuse: Refuse
) -> pa.Array:
    values: list[int | float | None] = []
    for index, cell in enumerate(text.to_pylist()):
        value = None
        if cell is not None:
            try:
                value = read(cell)
            except ValueError:
                refuse(index, cell)
        values.append(value)
    return pa.array(values, type_)


def _integer(cell: str, limit: int) -> int:
    number = _decimal(cell)
    if number != number.to_integral_value() or not -limit <= number < limit:
        raise ValueError(f"no whole number: {cell}")
    return int(number)


def _time(cell: str, power: int) -> int:
    time = scaled(cell, power)
    if not -MOST_NANOSECONDS < time < MOST_NANOSECONDS:
        raise ValueError(f"no time: {cell}")
    return time


def _size(cell: str, unit: int) -> int:
    number = _decimal(cell)
    if not -MOST_NANOSECONDS < number < MOST_NANOSECONDS:
        raise ValueError(f"no size: {cell}")
    with localcontext(prec=_SIZE_DIGITS):
        size = (number * unit).to_integral_value(ROUND_HALF_EVEN) if number else Decimal()
    if not -MOST_NANOSECONDS < size < MOST_NANOSECONDS:
        raise ValueError(f"no size: {cell}")
    return int(size)


def _double(cell: str) -> float:
    value = float(_decimal(cell))
    if not math.isfinite(value):
        raise ValueError(f"beyond 64 bits: {cell}")
    return value


def _decimal(cell: str) -> Decimal:
    if not _NUMBER_PATTERN.fullmatch(cell):
        raise ValueError(f"no number: {cell}")
    try:
        return Decimal(cell)
    except InvalidOperation as error:
        raise ValueError(f"no number: {cell}") from error


def _decimal_digits(cell: str) -> tuple[int, int]:
    try:
        number = Decimal(cell)
    except InvalidOperation:
        return _NO_DIGITS, 0
    exponent = number.as_tuple().exponent
    fraction = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    return max(number.adjusted() + 1, 1), fraction
