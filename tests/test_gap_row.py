"""The row of gaps: frames, lines, and coverage for what is shorter than a cell."""

import pytest
from canvas import coverage_of, spots, width
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.gap_row import Gap, gap_row, least_gap_ns
from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.mark import Mark
from npuview.tui.draw.role import Role
from npuview.tui.draw.run import SELECTED, Attributes, Run, row_text
from npuview.tui.draw.safe_text import clean
from npuview.tui.draw.viewport import Viewport

VIEW = Viewport(3, 0, 40)
"""Forty cells of 8 ns."""

LOOK = Look()
glyph_levels: tuple[Glyphs, ...] = ("unicode", "blocks", "ascii")
causes = st.sampled_from([None, "host late", "矩阵乘法", "\x1b[31m", "x" * 60])


@st.composite
def gap_lists(draw: st.DrawFn) -> list[Gap]:
    """Gaps one after another, with at least an instant between them."""
    gaps: list[Gap] = []
    ts = draw(st.integers(-200, 50))
    for at, (distance, dur) in enumerate(
        draw(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 300)), max_size=12))
    ):
        ts += distance
        gaps.append(Gap(at, ts, dur, draw(causes)))
        ts += dur
    return gaps


def drawn(gaps: list[Gap], marks: list[Mark] | None = None, look: Look = LOOK) -> list[Run]:
    coverage = coverage_of([(gap.ts, gap.dur) for gap in gaps], VIEW, look)
    return gap_row(VIEW, coverage, gaps, marks or [], look)


def text(gaps: list[Gap], marks: list[Mark] | None = None, look: Look = LOOK) -> str:
    return row_text(drawn(gaps, marks, look))


def test_a_long_gap_is_a_frame_with_length_and_cause() -> None:
    assert text([Gap(1, 12, 228, "host late")]) == (" ▄├╌ gap 228 ns  host late ╌╌┤" + " " * 10)


def test_the_cause_goes_first_where_there_is_no_room() -> None:
    assert text([Gap(1, 0, 160, "a stage of another rank")]) == ("├╌╌╌ gap 160 ns ╌╌╌┤" + " " * 20)


def test_a_gap_under_twenty_cells_is_a_line_and_one_under_a_cell_coverage() -> None:
    assert text([Gap(1, 0, 152), Gap(2, 160, 8), Gap(3, 177, 4)]) == ("╌" * 19 + " ╌ ▄" + " " * 17)
    assert least_gap_ns(VIEW.level) == 8


def test_a_gap_that_goes_on_outside_the_view_has_no_end_there() -> None:
    row = text([Gap(1, -100, 1000)])
    assert row.startswith("╌")
    assert row.endswith("╌")
    assert " gap 1.00 µs " in row


def test_at_ascii_level_a_line_is_no_step_of_the_ramp() -> None:
    row = text([Gap(1, 0, 160, "host late"), Gap(2, 176, 16)], look=Look("ascii"))
    assert row == "|~~~ gap 160 ns ~~~|  ~~" + " " * 16


def test_a_selected_gap_is_in_reverse() -> None:
    gaps = [Gap(1, 0, 160), Gap(2, 170, 3)]
    frame, *rest = drawn(gaps, [Mark(1, 0, 160, SELECTED)])
    assert frame.attributes == SELECTED
    assert not any(run.attributes for run in rest)
    row = spots(drawn(gaps, [Mark(2, 170, 3, SELECTED)]))
    assert [cell for cell, spot in enumerate(row) if spot.attributes] == [21]


@pytest.mark.parametrize(("ts", "cell", "sign"), [(-50, 0, "◀"), (400, 39, "▶")])
def test_an_arrow_points_to_a_selected_gap_outside_the_view(ts: int, cell: int, sign: str) -> None:
    for gaps in ([Gap(1, 16, 160)], [Gap(1, -1, 1000)], []):
        row = spots(drawn(gaps, [Mark(7, ts, 10, SELECTED)]))
        assert row[cell].character == sign
        assert row[cell].attributes == Attributes.BOLD
        assert len(row) == VIEW.cells


marks = st.lists(
    st.builds(
        Mark, st.integers(0, 12), st.integers(-300, 600), st.integers(0, 50), st.just(SELECTED)
    ),
    max_size=2,
)


@given(gap_lists(), marks, st.sampled_from(glyph_levels))
def test_a_row_is_exactly_as_wide_as_the_canvas(
    gaps: list[Gap], selected: list[Mark], glyphs: Glyphs
) -> None:
    runs = drawn(gaps, selected, Look(glyphs))
    assert width(runs) == VIEW.cells
    assert clean(row_text(runs)) == row_text(runs)


@given(gap_lists(), st.sampled_from(glyph_levels))
def test_a_line_is_only_where_the_whole_cell_is_in_one_gap(gaps: list[Gap], glyphs: Glyphs) -> None:
    look = Look(glyphs)
    whole = {cell for gap in gaps for cell in VIEW.within(gap.ts, gap.dur)}
    busy = {instant // 8 for gap in gaps for instant in range(gap.ts, gap.ts + gap.dur)}
    for cell, spot in enumerate(spots(drawn(gaps, look=look))):
        if cell not in whole:
            assert spot.character in look.signs.ramp
            assert (spot.character == " ") == (cell not in busy)
        else:
            assert spot.role is Role.IDLE
        if spot.character == look.signs.gap_line:
            assert cell in whole
