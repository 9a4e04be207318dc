"""The axis: round places in one unit, none of them cut."""

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from canvas import spots, width
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.look import Glyphs, Look
from npuview.tui.draw.numbers import MICROSECONDS, MILLISECONDS, NANOSECONDS, SECONDS
from npuview.tui.draw.ruler import Ruler, view_row
from npuview.tui.draw.run import Attributes, row_text
from npuview.tui.draw.viewport import Viewport

MS = 10**6
STEP_START = 1_700_000_000_123_456_789
LOOK = Look()
glyph_levels: tuple[Glyphs, ...] = ("unicode", "blocks", "ascii")

rulers = st.builds(
    Ruler,
    st.just(STEP_START),
    st.sampled_from([NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS]),
)


@st.composite
def views(draw: st.DrawFn) -> Viewport:
    """A view of a millisecond to hours around the start of a step."""
    level = draw(st.integers(0, 36))
    first = (STEP_START + draw(st.integers(-(10**9), 10**13))) >> level
    return Viewport(level, first, draw(st.integers(1, 200)))


def axis(view: Viewport, look: Look = LOOK) -> str:
    return row_text(Ruler.over(STEP_START, STEP_START + 136 * MS).row(view, look))


def test_a_whole_step_has_a_tick_every_ten_milliseconds() -> None:
    view = Viewport(20, STEP_START >> 20, 134)
    assert axis(view).startswith("╵0 ms    ╵+10      ╵+20     ╵+30      ╵+40      ╵+50")
    assert axis(view, Look("ascii")).startswith("'0 ms    '+10      '+20  ")


def test_zoomed_in_the_labels_have_the_digits_of_the_ticks() -> None:
    view = Viewport(12, (STEP_START + 14_700_000) >> 12, 134)
    assert re.findall(r"╵(\S+)", axis(view))[:3] == ["+14.70", "+14.75", "+14.80"]


@given(rulers, views(), st.sampled_from(glyph_levels))
def test_every_label_is_the_exact_place_of_its_tick(
    ruler: Ruler, view: Viewport, glyphs: Glyphs
) -> None:
    look = Look(glyphs)
    row = row_text(ruler.row(view, look))
    assert len(row) == view.cells
    for match in re.finditer(rf"{re.escape(look.signs.tick)}([^\s]*)", row):
        label = match[1].replace(",", "")
        if label:
            offset = Fraction(label) * ruler.unit.size
            assert offset.denominator == 1
            assert view.cell_of(ruler.origin + int(offset)) == match.start()


@given(rulers, views())
def test_ticks_are_round_and_their_labels_end_a_blank_before_the_next(
    ruler: Ruler, view: Viewport
) -> None:
    row = row_text(ruler.row(view, LOOK))
    assert re.fullmatch(r"[125]0*", str(ruler.tick_ns(view)))
    ticks = [match.start() for match in re.finditer("╵", row)]
    for one, other in pairwise(ticks):
        assert row[other - 1] == " "
        assert row[one + 1 : other].strip()


@given(
    rulers,
    views(),
    st.integers(-50, 250),
    st.tuples(st.integers(-50, 250), st.integers(-50, 250)) | st.none(),
    st.sampled_from(glyph_levels),
)
def test_the_cursor_is_in_its_cell_and_no_label_is_cut(
    ruler: Ruler,
    view: Viewport,
    cursor: int,
    ends: tuple[int, int] | None,
    glyphs: Glyphs,
) -> None:
    look = Look(glyphs)
    measured = (view.ts_of(ends[0]), view.ts_of(ends[1])) if ends else None
    bare = spots(ruler.row(view, look))
    row = spots(ruler.row(view, look, view.ts_of(cursor), measured))
    assert width(ruler.row(view, look, view.ts_of(cursor), measured)) == view.cells
    if 0 <= cursor < view.cells:
        assert row[cursor].character == look.signs.cursor
        assert row[cursor].attributes == Attributes.BOLD
    plain = "".join(" " if spot.attributes else spot.character for spot in row)
    whole = "".join(spot.character for spot in bare)
    for match in re.finditer(r"[+-][\d.,]+|0 [nµum]?s", plain):
        assert whole[match.start() : match.end() + 1].rstrip() == match[0]


@pytest.mark.parametrize(
    ("glyphs", "row"),
    [
        ("unicode", "  ┣━━ 1.04 ms ━━━┫  "),
        ("blocks", "  ╠══ 1.04 ms ═══╣  "),
        ("ascii", "  |== 1.04 ms ===|  "),
    ],
)
def test_a_measured_range_has_its_length_inside(glyphs: Glyphs, row: str) -> None:
    view = Viewport(16, STEP_START >> 16, 20)
    from_ts, to_ts = view.ts_of(2), view.ts_of(2) + 1_040_000
    runs = Ruler(STEP_START, MILLISECONDS).row(view, Look(glyphs), None, (to_ts, from_ts))
    characters = [spot.character if spot.attributes else " " for spot in spots(runs)]
    assert "".join(characters) == row


@pytest.mark.parametrize(
    ("cells", "row"), [(0, "┃"), (1, "┃"), (2, "┣┫"), (5, "┣━━━┫"), (60, "━" * 10)]
)
def test_a_short_range_has_no_length_and_a_long_one_no_ends(cells: int, row: str) -> None:
    view = Viewport(10, STEP_START >> 10, 10)
    start = 3 if cells < 10 else -20
    measured = (view.ts_of(start), view.ts_of(start + cells))
    runs = Ruler(STEP_START, MILLISECONDS).row(view, LOOK, None, measured)
    text = "".join(spot.character for spot in spots(runs) if spot.attributes)
    assert text == row


@pytest.mark.parametrize(
    ("where", "cells", "label"),
    [
        ("step 50", 14, "+ms in step 50"),
        ("step 5000", 14, "+ms step 5000 "),
        ("step 500000000", 14, "+ms           "),
        ("step 50", 7, "+ms    "),
        ("step\x1b", 14, "+ms in step␛  "),
    ],
)
def test_the_unit_stands_once_in_the_label(where: str, cells: int, label: str) -> None:
    ruler = Ruler.over(STEP_START, STEP_START + 136 * MS)
    assert ruler.label(where, cells, LOOK) == label


def test_microseconds_are_written_in_ascii_where_that_is_all() -> None:
    assert Ruler(0, MICROSECONDS).label("step 1", 14, Look("ascii")) == "+us in step 1 "


@given(views(), st.integers(0, 199))
def test_one_cell_changes_the_last_digit_of_a_place(view: Viewport, cell: int) -> None:
    ruler = Ruler(STEP_START, MILLISECONDS)
    one, other = ruler.place(view.ts_of(cell), view), ruler.place(view.ts_of(cell + 1), view)
    assert one != other
    assert one.endswith(" ms")


def test_the_view_is_a_line_in_the_whole_or_a_point() -> None:
    whole = Viewport(10, 0, 10)
    assert row_text(view_row(whole, whole, LOOK)) == "━" * 10
    assert row_text(view_row(whole, Viewport(9, 4, 6), LOOK)) == "  ━━━     "
    assert row_text(view_row(whole, Viewport(9, 5, 2), LOOK)) == "  ━━      "
    assert row_text(view_row(whole, Viewport(3, 400, 10), LOOK)) == "   ┻      "
    assert row_text(view_row(whole, Viewport(3, 400, 10), Look("ascii"))) == "   ^      "
    assert row_text(view_row(whole, Viewport(3, 9999, 10), LOOK)) == " " * 10
