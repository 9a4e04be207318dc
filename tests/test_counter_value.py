"""Values of counters: in few characters, with the unit that the file gives them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw import numbers
from npuview.tui.draw.counter_value import counter_value
from npuview.tui.draw.safe_text import clean


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (1800.0, "MHz", "1,800 MHz"),
        (0.5, "MHz", "0.50 MHz"),
        (0.0, None, "0"),
        (9.994, None, "9.99"),
        (12_345.6, None, "12,346"),
        (93.25, "%", "93.2 %"),
        (2048.0, "KB", numbers.size(2 << 20)),
        (2.5, "MB", numbers.size(5 << 19)),
        (123.0, "bytes", numbers.size(123)),
        (22_300.0, "MB/s", f"{numbers.size(22_300_000_000)}/s"),
        (1.5, "GB/s", f"{numbers.size(1_500_000_000)}/s"),
        (-3.0, "W", "-3.00 W"),
    ],
)
def test_a_value_has_its_unit(value: float, unit: str | None, said: str) -> None:
    assert counter_value(value, unit) == said


def test_a_value_before_the_first_sample_is_not_measured() -> None:
    assert counter_value(None, "MHz") == numbers.NOT_MEASURED


@given(st.text(min_size=1), st.floats(-1e15, 1e15))
def test_a_unit_of_the_file_steers_nothing(unit: str, value: float) -> None:
    said = counter_value(value, unit)
    assert clean(said) == said
