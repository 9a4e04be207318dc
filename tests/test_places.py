"""Places in time and sort orders as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.errors import UsageError
from npuview.queries.query import is_instant
from npuview.tui.draw import numbers
from npuview.tui.places import (
    Order,
    Place,
    is_length,
    parse_length,
    parse_order,
    parse_place,
)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1736408883732241564", Place(1736408883732241564, relative=False)),
        ("0", Place(0, relative=False)),
        ("-5", Place(-5, relative=False)),
        ("1.2ms", Place(1_200_000, relative=True)),
        ("1.2 ms", Place(1_200_000, relative=True)),
        ("+1,041.5 ms", Place(1_041_500_000, relative=True)),
        (".5us", Place(500, relative=True)),
        ("3µs", Place(3_000, relative=True)),
        ("2s", Place(2_000_000_000, relative=True)),
        ("7ns", Place(7, relative=True)),
        ("0.0000015ms", Place(2, relative=True)),
        ("1778649600000123.456us", Place(1778649600000123456, relative=True)),
    ],
)
def test_whole_numbers_are_absolute_and_times_with_a_unit_count_from_the_start(
    text: str, place: Place
) -> None:
    assert parse_place(text) == place


@pytest.mark.parametrize(
    "text", ["", "ms", "1.2", "1e3ms", "nan", "5 min", "1..2ms", "0x10", "9" * 41]
)
def test_what_is_no_place_is_refused_with_what_is_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"such as 1\.2ms"):
        parse_place(text)


@pytest.mark.parametrize(
    ("text", "ns"), [("1500", 1500), ("1ms", 1_000_000), ("1.5 us", 1500), ("2s", 2_000_000_000)]
)
def test_a_length_is_ns_or_has_a_unit(text: str, ns: int) -> None:
    assert parse_length(text) == ns


@pytest.mark.parametrize("text", ["", "1.5", "-1", "-1ms", "soon", "5 min"])
def test_what_is_no_length_is_refused_with_what_is_one(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no length of time; .*1\.2ms"):
        parse_length(text)


def test_the_name_of_a_parameter_says_whether_it_is_an_instant_or_a_length() -> None:
    names = ("ts", "from_ts", "dur", "min_dur", "slice_id", "points", "counts")
    assert [name for name in names if is_instant(name)] == ["ts", "from_ts"]
    assert [name for name in names if is_length(name)] == ["dur", "min_dur"]


def test_a_relative_place_counts_from_the_start_of_the_profile() -> None:
    assert parse_place("1ms").absolute(500) == 1_000_500
    assert parse_place("7").absolute(500) == 7


@given(st.integers(0, 10**15))
def test_a_place_that_a_table_prints_can_be_typed_back(ns: int) -> None:
    printed = numbers.place(ns, 1, numbers.MILLISECONDS)
    assert parse_place(printed) == Place(ns, relative=True)


def test_a_sort_order_names_a_column_and_a_minus_turns_it() -> None:
    assert parse_order("dur", ("name", "dur")) == Order("dur", descending=False)
    assert parse_order("-dur", ("name", "dur")) == Order("dur", descending=True)


def test_a_sort_order_by_an_unknown_column_names_the_columns() -> None:
    with pytest.raises(UsageError, match="there are: name, dur"):
        parse_order("length", ("name", "dur"))
