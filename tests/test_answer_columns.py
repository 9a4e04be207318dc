"""Columns of an answer: what fits, what is cut and what never is."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from npuview.queries.query import AnswerColumn
from npuview.tui.draw.look import Look
from npuview.tui.draw.run import row_text
from npuview.tui.sql.answer_columns import NARROW_BAR, AnswerColumns, measured_columns
from npuview.tui.sql.kept_answer import Row
from npuview.tui.text.table_text import Style, readable
from npuview.tui.widgets.row_list import COLUMN_GAP, MARK_CELLS

NS = st.integers(-(1 << 62), 1 << 62)
COLUMNS = (
    (AnswerColumn("dur", "BIGINT"), NS),
    (AnswerColumn("ts", "BIGINT"), NS),
    (AnswerColumn("from_median_ns", "BIGINT"), NS),
    (AnswerColumn("count", "BIGINT"), NS),
    (AnswerColumn("bytes", "BIGINT"), NS),
    (AnswerColumn("bytes_per_s", "DOUBLE"), st.floats()),
    (AnswerColumn("share", "DOUBLE"), st.floats(0, 1)),
    (AnswerColumn("slice_id", "BIGINT"), NS),
    (AnswerColumn("value", "DOUBLE"), st.floats()),
    (AnswerColumn("price", "DECIMAL(18,3)"), st.decimals(allow_nan=False, allow_infinity=False)),
    (AnswerColumn("ok", "BOOLEAN"), st.booleans()),
    (AnswerColumn("name", "VARCHAR"), st.text(max_size=300)),
)
ROWS = st.lists(st.tuples(*(st.none() | values for _, values in COLUMNS)), max_size=8)
STYLES = st.builds(Style, origin_ns=st.just(1_000), plain=st.booleans())
NAMES = tuple(column for column, _ in COLUMNS)


@given(ROWS, STYLES, st.integers(1, 300), st.integers(0, len(NAMES) - 1))
def test_no_number_is_cut_and_no_row_is_wider_than_its_table(
    rows: list[Row], style: Style, width: int, first: int
) -> None:
    measured = measured_columns(NAMES, rows, style)
    shown = measured.shown(width, first)
    assert shown
    used = MARK_CELLS + sum(cells for _, cells in shown) + COLUMN_GAP * (len(shown) - 1)
    assert used <= max(width, MARK_CELLS + 1)
    if len(shown) > 1:
        for one, cells in shown:
            assert one.is_text or cells >= one.cells
    for one, _ in shown:
        for row in rows:
            text = readable(row[one.place], one.kind, style, one.unit)
            assert one.is_text or cell_len(text) <= one.cells


@given(ROWS, st.integers(40, 200))
def test_every_column_is_reached_by_going_right(rows: list[Row], width: int) -> None:
    measured = measured_columns(NAMES, rows, Style())
    reached: set[int] = set()
    first = 0
    while first < len(NAMES):
        extent = measured.extent(width, first)
        assert extent.first == first < extent.stop
        reached.update(range(first, extent.stop))
        first = extent.stop
    assert reached == set(range(len(NAMES)))


def shown_cells(measured: AnswerColumns, row: Row, width: int) -> list[str]:
    columns = measured.drawn(width, 0, Look(), stale=lambda: False)
    drawn = [column.draw(row, column.width or 0) for column in columns]
    return [cell if isinstance(cell, str) else row_text(cell) for cell in drawn]


def test_the_first_column_of_times_has_a_bar_on_the_scale_of_the_largest() -> None:
    rows: list[Row] = [("a", 100, 1), ("b", 50, 2)]
    columns = (
        AnswerColumn("name", "VARCHAR"),
        AnswerColumn("total", "BIGINT"),
        AnswerColumn("dur", "BIGINT"),
    )
    measured = measured_columns(columns, rows, Style())
    assert shown_cells(measured, rows[0], 80)[2] == "█" * NARROW_BAR
    assert shown_cells(measured, rows[1], 80)[2] == "█" * (NARROW_BAR // 2)
    plain = measured_columns(columns, rows, Style(plain=True))
    assert shown_cells(plain, rows[1], 80) == ["b", "50", "2"]


def test_a_long_text_gives_way_before_a_number_does() -> None:
    rows: list[Row] = [("很长的算子" * 40, 123_456_789)]
    columns = (AnswerColumn("name", "VARCHAR"), AnswerColumn("slice_id", "BIGINT"))
    [name, number] = shown_cells(measured_columns(columns, rows, Style()), rows[0], 40)
    assert number == "123456789"
    assert 20 <= cell_len(name) <= 27


def test_sums_that_are_decimals_are_times_too() -> None:
    rows: list[Row] = [(Decimal(1_500_000),)]
    measured = measured_columns((AnswerColumn("total", "DECIMAL(38,0)"),), rows, Style())
    assert shown_cells(measured, rows[0], 80)[0].strip() == "1.50 ms"
