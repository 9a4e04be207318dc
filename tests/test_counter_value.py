"""Values of counters: in few characters, with the unit that the file gives them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw import numbers
from npuview.tui.draw.counter_value import counter_value
from npuview.tui.draw.safe_text import clean
from npuview.tui.widgets.lane_canvas import SHARE_CELLS, beside_lane


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (1800.0, "MHz", "1,800 MHz"),
        (0.5, "MHz", "0.50 MHz"),
        (0.0, None, "0"),
        (9.994, None, "9.99"),
        (12_345.6, None, "12,346"),
        (93.25, "%", "93.2 %"),
        (2048.0, "KB", "2.0 MiB"),
        (2.5, "MB", "2.5 MiB"),
        (2.0, "GB", "2,048 MiB"),
        (123.0, "bytes", "123 B"),
        (22_300.0, "MB/s", f"{numbers.size(22_300_000_000)}/s"),
        (1.5, "GB/s", f"{numbers.size(1_500_000_000)}/s"),
        (-3.0, "W", "-3.00 W"),
    ],
)
def test_a_value_has_its_unit(value: float, unit: str | None, said: str) -> None:
    assert counter_value(value, unit) == said


@given(st.integers(0, 1 << 40), st.sampled_from(["bytes", "B"]))
def test_held_memory_reads_the_same_on_a_lane_as_in_the_view_of_memory(
    held: int, unit: str
) -> None:
    assert counter_value(float(held), unit) == numbers.memory(held)


def test_a_value_before_the_first_sample_is_not_measured() -> None:
    assert counter_value(None, "MHz") == numbers.NOT_MEASURED


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("412 MiB", "412 MiB"),
        ("1,452 MiB", "1,452MiB"),
        ("17,408 MiB", "17408MiB"),
        ("22.3 GB/s", "22.3GB/s"),
        ("1,800 MHz", "1,800MHz"),
    ],
)
def test_beside_a_lane_no_unit_is_cut(value: str, said: str) -> None:
    assert beside_lane(value) == said
    assert len(said) <= SHARE_CELLS


@given(st.text(min_size=1), st.floats(-1e15, 1e15))
def test_a_unit_of_the_file_steers_nothing(unit: str, value: float) -> None:
    said = counter_value(value, unit)
    assert clean(said) == said
