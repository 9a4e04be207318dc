"""Tables: what is sorted, filtered and found, where the cursor stays, and what is drawn."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from npuview.tui.draw.look import Look
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.widgets.row_list import Column, RowList
from npuview.tui.widgets.row_list import _sorted as sort_rows  # pyright: ignore[reportPrivateUsage]


class Call(NamedTuple):
    name: str
    dur: int | None = None


CALLS = [Call("matmul", 30), Call("Add", None), Call("mul", 50), Call("copy", 10)]


class Drawn:
    """Counts what is drawn, and in which columns."""

    def __init__(self) -> None:
        self.rows: list[Call] = []

    def columns(self, width: int) -> Sequence[Column[Call]]:
        columns: list[Column[Call]] = [
            Column("Name", self._name, order=lambda call: call.name, descending=False),
            Column(
                "Time", lambda call, _: str(call.dur), 8, right=True,
                order=lambda call: call.dur, ordered="longest first",
            ),
        ]  # fmt: skip
        wide: Column[Call] = Column("Wide", lambda *_: "seen", 6, from_width=70)
        return [*columns, wide] if width else columns

    def _name(self, call: Call, width: int) -> str:
        self.rows.append(call)
        return call.name[:width]


class Table(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.drawn = Drawn()
        self.table = RowList[Call](Look(), "Calls", self.drawn.columns)
        self.moves: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.table

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        self.moves.append(message.table.cursor)

    def on_row_list_filter_asked(self) -> None:
        self.moves.append(-1)


@asynccontextmanager
async def shown(
    rows: Sequence[Call] | None = CALLS, size: tuple[int, int] = (60, 12)
) -> AsyncGenerator[tuple[RowList[Call], Pilot[None], Table]]:
    app = Table()
    app.table.searched = lambda call: call.name
    async with app.run_test(size=size) as pilot:
        app.table.focus()
        if rows is not None:
            app.table.fill(rows, empty="no calls")
        await pilot.pause()
        yield app.table, pilot, app


def texts(table: RowList[Call]) -> list[str]:
    width, height = table.size
    lines = [table.draw_line(y, width) for y in range(height)]
    return ["".join(run.text for run in line).rstrip() for line in lines]


def names(table: RowList[Call]) -> list[str]:
    return [call.name for call in table.rows]


@given(st.lists(st.none() | st.integers(0, 9)), st.booleans())
def test_what_is_not_known_comes_last_both_ways_and_equals_keep_their_order(
    durs: list[int | None], descending: bool
) -> None:
    calls = [Call(str(at), dur) for at, dur in enumerate(durs)]
    ordered = sort_rows(calls, lambda call: call.dur, descending=descending)
    known = [call for call in ordered if call.dur is not None]
    assert ordered == known + [call for call in calls if call.dur is None]
    assert sorted(ordered, key=lambda call: int(call.name)) == calls
    for one, next_one in pairwise(known):
        assert one.dur is not None
        assert next_one.dur is not None
        if one.dur == next_one.dur:
            assert int(one.name) < int(next_one.name)
        else:
            assert (one.dur > next_one.dur) == descending


async def test_sorting_goes_through_the_columns_and_back_to_how_it_was() -> None:
    async with shown() as (table, pilot, _):
        table.go_to(2)
        orders: list[list[str]] = []
        for _ in range(3):
            table.action_sort()
            await pilot.pause()
            orders.append(names(table))
            assert table.cursor == 0
        assert orders == [
            ["Add", "copy", "matmul", "mul"],
            ["mul", "matmul", "copy", "Add"],
            ["matmul", "Add", "mul", "copy"],
        ]
        table.action_sort()
        assert "sorted by Name" in texts(table)[0]
        table.action_sort()
        assert "longest first" in texts(table)[0]


async def test_rows_that_come_later_are_sorted_and_filtered_as_those_before() -> None:
    async with shown() as (table, _, _):
        table.action_sort()
        table.filter("M")
        assert names(table) == ["matmul", "mul"]
        table.fill([Call("zmul"), Call("amul"), Call("x")])
        assert names(table) == ["amul", "zmul"]
        assert "2 of 3" in texts(table)[0]
        assert "filter: M" in texts(table)[0]


async def test_the_cursor_stays_on_its_row_through_filters_and_is_told_when_it_cannot() -> None:
    async with shown() as (table, pilot, app):
        table.go_to(2)
        table.filter("mul")
        assert table.row == CALLS[2]
        assert table.cursor == 1
        table.filter("")
        assert table.cursor == 2
        table.filter("copy")
        assert (table.cursor, table.row) == (0, CALLS[3])
        await pilot.pause()
        assert app.moves[-1] == 0


async def test_another_answer_leaves_the_cursor_where_it_was_as_far_as_there_are_rows() -> None:
    async with shown() as (table, _, _):
        table.go_to(3)
        table.fill([Call(name) for name in "abcde"])
        assert table.cursor == 3
        table.fill([Call(name) for name in "ab"])
        assert table.cursor == 1
        table.fill([])
        assert (table.cursor, table.row) == (0, None)
        table.fill(CALLS)
        assert table.row == CALLS[0]


async def test_a_filter_that_nothing_matches_says_so_and_how_to_change_it() -> None:
    async with shown() as (table, _, _):
        table.filter("[b]\x1b")
        assert table.row is None
        said = texts(table)[1]
        assert "No row of 4 rows holds" in said
        assert "\x1b" not in said
        assert "[b]" in said


async def test_finding_goes_around_the_end_both_ways() -> None:
    async with shown() as (table, _, _):
        found: list[int] = []
        for _ in range(3):
            assert table.find("MUL")
            found.append(table.cursor)
        assert found == [2, 0, 2]
        assert table.find("mul", forward=False)
        assert table.cursor == 0
        assert table.find("mul", forward=False)
        assert table.cursor == 2
        assert table.find("copy")
        assert table.find("copy")
        assert table.cursor == 3
        assert not table.find("nowhere")
        assert table.cursor == 3
        table.fill([])
        assert not table.find("mul")


async def test_keys_keep_the_cursor_in_the_table_and_in_sight() -> None:
    calls = [Call(str(number)) for number in range(100)]
    async with shown(calls) as (table, pilot, app):
        app.moves.clear()
        for action, cursor in (
            (table.action_cursor_up, 0),
            (table.action_cursor_down, 1),
            (table.action_page_down, 1 + table.page),
            (table.action_page_up, 1),
            (table.action_last, 99),
            (table.action_cursor_down, 99),
            (table.action_page_up, 99 - table.page),
            (table.action_first, 0),
        ):
            action()
            assert table.cursor == cursor
            [marked] = [text for text in texts(table)[2:] if text.startswith(Look().signs.mark)]
            assert str(cursor) in marked
            assert f"row {cursor + 1}" in texts(table)[0]
        await pilot.pause()
        # A key that leads nowhere moves nothing.
        assert len(app.moves) == 6


async def test_a_row_is_gone_to_by_what_it_is() -> None:
    async with shown() as (table, _, _):
        table.go_to_row(lambda call: call.dur == 10)
        assert table.cursor == 3
        table.go_to_row(lambda call: call.dur == 11)
        assert table.cursor == 3


async def test_an_answer_that_is_still_to_come_and_an_empty_one_are_told_apart() -> None:
    async with shown(None) as (table, _, _):
        assert texts(table)[1].strip() == "…"
        assert table.row is None
        table.fill([], empty="no calls in this step")
        assert texts(table)[1].strip() == "no calls in this step"
        table.fill(CALLS)
        table.filter("mul")
        table.forget()
        assert texts(table)[1].strip() == "…"
        assert (table.filtered, table.cursor) == ("", 0)


async def test_the_filter_is_asked_for_by_the_view() -> None:
    async with shown() as (table, pilot, app):
        table.action_filter()
        await pilot.pause()
        assert app.moves[-1] == -1


@pytest.mark.parametrize("size", [(40, 10), (60, 12), (70, 12), (120, 30)])
async def test_every_row_fits_and_columns_come_with_their_width(size: tuple[int, int]) -> None:
    calls = [Call("n" * 200, 10**6), Call("算子" * 60, 1)]
    async with shown(calls, size) as (table, _, _):
        lines = texts(table)
        assert max(map(cell_len, lines)) <= size[0]
        assert ("Wide" in lines[1]) == (size[0] >= 70)
        assert all(text.rstrip().endswith(("1000000", "1", "seen")) for text in lines[2:4])


async def test_a_million_rows_are_drawn_as_few_as_are_in_sight() -> None:
    calls = [Call(str(number), number) for number in range(1_000_000)]
    async with shown(calls) as (table, pilot, app):
        height = table.size.height
        assert 0 < len(app.drawn.rows) <= 3 * height
        app.drawn.rows.clear()
        table.go_to(1)
        await pilot.pause()
        # The row that was left and the one that was come to.
        assert {call.dur for call in app.drawn.rows} == {0, 1}
        app.drawn.rows.clear()
        table.action_last()
        await pilot.pause()
        assert {call.dur for call in app.drawn.rows} == set(range(10**6 - table.page, 10**6))


async def test_a_click_goes_to_its_row_and_a_second_one_chooses_it() -> None:
    chosen: list[Any] = []

    class Clicked(Table):
        def on_row_list_chosen(self, message: RowList.Chosen) -> None:
            chosen.append(message.control.row)

    app = Clicked()
    async with app.run_test(size=(60, 12)) as pilot:
        app.table.fill(CALLS)
        await pilot.click(RowList, offset=(5, 4))
        assert app.table.row == CALLS[2]
        assert chosen == []
        await pilot.click(RowList, offset=(5, 4), times=2)
        assert chosen == [CALLS[2]]
        await pilot.click(RowList, offset=(5, 0))
        await pilot.click(RowList, offset=(5, 9))
        assert app.table.row == CALLS[2]
