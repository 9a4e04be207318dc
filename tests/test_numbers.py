"""Numbers and bars as people read them."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw import bars, numbers
from npuview.tui.draw.numbers import MICROSECONDS, MILLISECONDS, NANOSECONDS, SECONDS

MS = 10**6
DASH = numbers.NOT_MEASURED
positive = st.integers(1, 10**18)


@pytest.mark.parametrize(
    ("ns", "shown"),
    [
        (0, "0"),
        (1, "1 ns"),
        (999, "999 ns"),
        (1_000, "1.00 µs"),
        (9_994, "9.99 µs"),
        (9_995, "10.0 µs"),
        (706_000, "706 µs"),
        (999_499, "999 µs"),
        (999_500, "1.00 ms"),
        (1_240_000, "1.24 ms"),
        (79_089_520, "79.1 ms"),
        (102_000_000, "102 ms"),
        (999_500_000, "1.00 s"),
        (12_345 * 10**9, "12,345 s"),
        (-1_240_000, "-1.24 ms"),
        (None, DASH),
    ],
)
def test_a_time_has_three_significant_digits_and_a_unit(ns: int | None, shown: str) -> None:
    assert numbers.time(ns) == shown


def test_times_in_a_field_have_numbers_and_units_under_each_other() -> None:
    fields = [numbers.time_field(ns) for ns in (706_000, 1_240_000, 2 * 10**9, 0, None)]
    assert fields == ["  706 µs", " 1.24 ms", " 2.00 s ", "    0   ", f"    {DASH}   "]


@given(positive)
def test_a_time_is_the_exact_value_rounded_in_its_unit(ns: int) -> None:
    number, sign = numbers.time(ns).split(" ")
    unit = next(unit for unit in numbers.TIME_UNITS if unit.sign == sign)
    digits = Decimal(number.replace(",", ""))
    exact = Decimal(ns) / unit.size
    assert digits == exact.quantize(digits, ROUND_HALF_UP)
    if unit is not SECONDS:
        assert digits < 1000
    if unit is not NANOSECONDS:
        assert digits >= 1
        assert len(number.replace(".", "").replace(",", "")) >= 3


@given(positive, positive)
def test_a_longer_time_is_never_shown_as_a_shorter_one(one: int, other: int) -> None:
    def shown(ns: int) -> Decimal:
        number, sign = numbers.time(ns).split(" ")
        size = next(unit.size for unit in numbers.TIME_UNITS if unit.sign == sign)
        return Decimal(number.replace(",", "")) * size

    assert (shown(one) <= shown(other)) if one <= other else (shown(one) >= shown(other))


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (1_721, "1,721"),
        (999_999, "999,999"),
        (1_000_000, "1.00 M"),
        (1_234_567, "1.23 M"),
        (9_830_000, "9.83 M"),
        (999_500_000, "1.00 G"),
        (None, DASH),
    ],
)
def test_counts_have_commas_and_then_millions(number: int | None, shown: str) -> None:
    assert numbers.count(number) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (747, 1000, "74.7 %"),
        (1, 100_000, "<0.1 %"),
        (1, 1000, "0.1 %"),
        (100, 100, "100 %"),
        (0, 5, "0"),
        (5, 0, DASH),
        (None, 5, DASH),
        (1234, 1000, "123.4 %"),
    ],
)
def test_a_share_has_one_decimal(part: int | None, whole: int, shown: str) -> None:
    assert numbers.share(part, whole) == shown


def test_a_ratio_is_rounded_from_its_exact_value() -> None:
    assert numbers.ratio(0.747) == "74.7 %"
    # The float nearest to 0.7475 lies above it, the one nearest to 0.0045 below.
    assert numbers.ratio(0.7475) == "74.8 %"
    assert numbers.ratio(0.0045) == "0.4 %"
    assert numbers.ratio(float("nan")) == DASH


def test_shares_in_a_field_keep_the_sign_in_its_column() -> None:
    fields = [numbers.share_field(text) for text in ("74.7 %", "<0.1 %", "100 %", "0", DASH)]
    assert fields == [" 74.7 %", " <0.1 %", "  100 %", "    0  ", f"    {DASH}  "]


def test_sizes_are_decimal_and_rates_are_per_second() -> None:
    assert numbers.size(19_267_584) == "19.3 MB"
    assert numbers.size(512) == "512 B"
    assert numbers.rate(439 * 10**9, 10**9) == "439 GB/s"
    assert numbers.rate(1, 0) == DASH


def test_a_column_of_times_keeps_one_unit_and_one_decimal() -> None:
    values = [410_100_000, 598_349_999, None]
    unit = numbers.column_unit(values)
    assert [numbers.time_in(value, unit) for value in values] == ["410.1 ms", "598.3 ms", DASH]


@pytest.mark.parametrize(
    ("longest", "unit"),
    [(0, NANOSECONDS), (9_999, NANOSECONDS), (10_000, MICROSECONDS), (10**10, SECONDS)],
)
def test_the_longest_time_of_a_column_keeps_three_digits(longest: int, unit: numbers.Unit) -> None:
    assert numbers.column_unit([1, longest]) is unit


@given(st.integers(-(10**18), 10**18), st.sampled_from(numbers.TIME_UNITS))
def test_a_time_in_a_fixed_unit_is_the_exact_value_rounded(ns: int, unit: numbers.Unit) -> None:
    digits = Decimal(numbers.time_in(ns, unit).split(" ")[0].replace(",", ""))
    assert digits == (Decimal(ns) / unit.size).quantize(digits, ROUND_HALF_UP)


@pytest.mark.parametrize(
    ("base", "other", "shown"),
    [
        (410 * MS, 598_200_000, "+188.2 ms"),
        (598_200_000, 410 * MS, "-188.2 ms"),
        (5, 5, "0.0 ms"),
        (0, 49_999, "0.0 ms"),
        (None, 5, "new"),
        (5, None, "gone"),
        (None, None, DASH),
    ],
)
def test_a_difference_always_carries_a_sign_and_zero_none(
    base: int | None, other: int | None, shown: str
) -> None:
    assert numbers.time_difference(base, other, MILLISECONDS) == shown


@pytest.mark.parametrize(
    ("base", "other", "shown"),
    [(1_000, 898, "-10.2 %"), (1_000, 9_999, "+899.9 %"), (1_000, 10_000, "10.0 x"),
     (16, 451, "28.2 x"), (10, 0, "-100.0 %"), (0, 5, numbers.NEW), (None, 5, numbers.NEW)],
)  # fmt: skip
def test_a_change_is_a_share_until_one_holds_the_other_ten_times(
    base: int | None, other: int | None, shown: str
) -> None:
    assert numbers.change(base, other) == shown


def test_the_decimals_of_a_place_follow_the_cell() -> None:
    assert numbers.place(41_041_234, MS) == "+41 ms"
    assert numbers.place(41_041_234, 100_000) == "+41.0 ms"
    assert numbers.place(41_041_234, 65_536) == "+41.04 ms"
    assert numbers.place(41_041_234, 1) == "+41.041234 ms"
    assert numbers.place(3_126_000, 1_000, MILLISECONDS) == "+3.126 ms"
    assert numbers.place(-3_126_000, 1_000, MILLISECONDS) == "-3.126 ms"
    assert numbers.place(0, 1_000, MILLISECONDS) == "+0.000 ms"


@given(st.integers(0, 10**15), st.integers(1, 10**9))
def test_neighbouring_cells_have_different_places(offset: int, cell: int) -> None:
    assert numbers.place(offset, cell, MILLISECONDS) != numbers.place(
        offset + cell, cell, MILLISECONDS
    )


@pytest.mark.parametrize(
    ("part", "drawn"),
    [(0, ""), (1, "▏"), (125, "█"), (500, "████"), (1000, "████████"), (2000, "████████")],
)
def test_a_bar_is_exact_to_an_eighth_of_a_cell(part: int, drawn: str) -> None:
    assert bars.bar(part, 1000, 8) == drawn


def test_a_bar_of_nothing_known_is_empty() -> None:
    assert bars.bar(None, 10, 8) == bars.bar(5, None, 8) == bars.bar(5, 0, 8) == ""


@given(st.integers(1, 10**12), st.integers(1, 10**12), st.integers(1, 60))
def test_the_ink_of_a_bar_is_its_share_within_half_an_eighth(
    part: int, whole: int, width: int
) -> None:
    drawn = bars.bar(part, whole, width)
    eighths = sum(bars.EIGHTHS.index(cell) for cell in drawn)
    exact = min(part, whole) * width * 8 / whole
    assert eighths >= 1
    assert abs(eighths - exact) <= 0.5 or (eighths == 1 and exact < 1)
    assert set(bars.bar(part, whole, width, ascii_level=True)) == {"#"}


PARTS = (bars.COMPUTING, bars.MOVING, bars.WAITING, bars.IDLE)


@given(st.lists(st.integers(0, 10**12), min_size=4, max_size=4), st.integers(4, 100))
def test_a_stacked_bar_fills_its_width_and_loses_no_part(values: list[int], width: int) -> None:
    drawn = bars.stacked(list(zip(values, PARTS, strict=True)), width)
    if not any(values):
        assert drawn == ""
        return
    assert len(drawn) == width
    for value, ink in zip(values, PARTS, strict=True):
        assert (ink.unicode in drawn) == (value > 0)
    assert drawn == "".join(sorted(drawn, key=[ink.unicode for ink in PARTS].index))


def test_stacked_bars_can_share_the_scale_of_the_longest() -> None:
    parts = [(50, bars.COMPUTING), (50, bars.IDLE)]
    assert bars.stacked(parts, 8, 100) == "████····"
    assert bars.stacked(parts, 8, 200) == "██··"
    assert bars.stacked(parts, 8, 200, ascii_level=True) == "##.."


def test_a_count_with_its_noun_is_one_or_several() -> None:
    assert [numbers.counted(number, "row") for number in (0, 1, 1_721, 1_234_567)] == [
        "0 rows",
        "1 row",
        "1,721 rows",
        "1,234,567 rows",
    ]


def test_how_often_one_holds_the_other_has_one_decimal() -> None:
    assert numbers.times(900 / 100) == "9.0 x"
    assert numbers.times(20 / 3) == "6.7 x"
    assert numbers.times(12_345.0) == "12,345.0 x"
    assert numbers.times(None) == numbers.times(float("inf")) == numbers.NOT_MEASURED


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, numbers.NOT_MEASURED),
        (0, "0"),
        (512, "512 B"),
        (1536, "1.5 KiB"),
        (1452 << 20, "1,452 MiB"),
        ((99 << 20) + (1 << 19), "99.5 MiB"),
        (1 << 36, "65,536 MiB"),
        (-(3 << 20), "-3.0 MiB"),
    ],
)
def test_memory_is_told_in_the_powers_of_1024_that_allocators_count_in(
    count: int | None, text: str
) -> None:
    assert numbers.memory(count) == text


def test_growth_of_memory_has_its_sign() -> None:
    told = [numbers.memory_difference(count) for count in (3 << 20, -(3 << 20), 0, None)]
    assert told == ["+3.0 MiB", "-3.0 MiB", "0", numbers.NOT_MEASURED]
