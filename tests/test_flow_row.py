"""Arrows from the launch on the host to the start on the device."""

import pytest
from canvas import spots, width
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.flow_row import Arrow, flow_row
from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.run import Attributes, row_text
from npuview.tui.draw.viewport import Viewport

VIEW = Viewport(3, 0, 10)
"""Ten cells of 8 ns."""


@pytest.mark.parametrize(
    ("arrow", "row"),
    [
        (Arrow(8, 35), " └──▸     "),
        (Arrow(8, 16), " └▸       "),
        (Arrow(9, 10), " ▸        "),
        (Arrow(35, 8), " ◂──┘     "),
        (Arrow(-50, 20), "──▸       "),
        (Arrow(64, 500), "        └─"),
        (Arrow(-50, 500), "──────────"),
        (Arrow(-50, -20), "          "),
        (Arrow(80, 90), "          "),
        (Arrow(500, 64), "        ◂─"),
    ],
)
def test_an_arrow_goes_from_launch_to_start(arrow: Arrow, row: str) -> None:
    assert row_text(flow_row(VIEW, [arrow], Look())) == row


def test_the_last_arrow_is_on_top_and_looks_its_own() -> None:
    row = spots(flow_row(VIEW, [Arrow(0, 72), Arrow(16, 32, Attributes.BOLD)], Look()))
    assert "".join(spot.character for spot in row) == "└─└─▸────▸"
    assert [cell for cell, spot in enumerate(row) if spot.attributes] == [2, 3, 4]


@pytest.mark.parametrize(("glyphs", "row"), [("blocks", " └──►     "), ("ascii", " `-->     ")])
def test_every_glyph_level_has_its_arrow(glyphs: Glyphs, row: str) -> None:
    assert row_text(flow_row(VIEW, [Arrow(8, 35)], Look(glyphs))) == row


@given(st.lists(st.builds(Arrow, st.integers(-99, 199), st.integers(-99, 199))))
def test_a_row_is_exactly_as_wide_as_the_canvas(arrows: list[Arrow]) -> None:
    assert width(flow_row(VIEW, arrows, Look())) == VIEW.cells
