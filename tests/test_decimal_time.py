from decimal import ROUND_HALF_EVEN, Context, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.read.decimal_time import INT64_MAX, nanoseconds, scaled

EXACT = Context(prec=1000, Emax=10**6, Emin=-(10**6))
TIMES = st.decimals(min_value=-(10**15), max_value=10**15, places=6)


def by_decimal(text: str, power: int) -> int:
    shifted = Decimal(text).scaleb(power, context=EXACT)
    return int(shifted.to_integral_value(rounding=ROUND_HALF_EVEN, context=EXACT))


@given(TIMES, st.sampled_from(["", " ", "\t", "\r\n"]), st.booleans())
def test_microseconds_become_what_decimal_arithmetic_says(
    value: Decimal, around: str, as_bytes: bool
) -> None:
    text = f"{around}{value}{around}"
    assert nanoseconds(text.encode() if as_bytes else text) == by_decimal(str(value), 3)


@given(
    st.from_regex(
        r"[+-]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})([eE][+-]?[0-9]{1,2})?", fullmatch=True
    ),
    st.sampled_from([0, 3, 6, 9]),
)
def test_any_decimal_spelling_is_scaled_exactly_or_refused_as_too_big(
    text: str, power: int
) -> None:
    expected = by_decimal(text, power)
    if -INT64_MAX - 1 <= expected <= INT64_MAX:
        assert scaled(text, power) == expected
    else:
        with pytest.raises(ValueError, match="64 bits"):
            scaled(text, power)


@given(st.integers(min_value=0, max_value=INT64_MAX))
def test_the_common_form_keeps_every_nanosecond(ns: int) -> None:
    assert nanoseconds(f"{ns // 1000}.{ns % 1000:03d}") == ns


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1736408883704643.212", 1736408883704643212),
        ("1782114242842466.760\t", 1782114242842466760),
        ("56635864652.490005", 56635864652490),
        ("79089.52021875", 79089520),
        ("784", 784000),
        ("5.", 5000),
        (".5", 500),
        ("1e3", 1_000_000),
        ("1.69e+15", 1_690_000_000_000_000_000),
        ("0.0005", 0),
        ("0.0015", 2),
        ("0.0025", 2),
        ("0.00250001", 3),
        ("-0.0015", -2),
        ("-.5", -500),
        ("1e-300", 0),
    ],
)
def test_known_spellings(text: str, expected: int) -> None:
    assert nanoseconds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ".", "-", "e5", "N/A", "nan", "inf", "-Infinity", "1_000.000", "1,000", "1 2",
        "0x10", "--1", "1.2.3", "1.2.345", "\u0661.\u0660\u0660\u0660", "\uff11\uff12.000",
        "1e", "1e9999999999", "-.", "_1.000",
    ],
)  # fmt: skip
def test_what_is_not_a_decimal_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        nanoseconds(text)


def test_bytes_that_are_not_ascii_are_refused() -> None:
    with pytest.raises(ValueError, match="ascii"):
        nanoseconds("\uff11.000".encode())


def test_an_unsigned_wrap_around_is_refused_instead_of_overflowing() -> None:
    with pytest.raises(ValueError, match="64 bits"):
        nanoseconds("18446744073709000.616")
