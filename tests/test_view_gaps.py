"""The gaps by keyboard, on the made-up run."""

from pathlib import Path
from typing import Any

import pytest
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.rows import GapsRow
from npuview.queries.rows_stall import CausesRow
from npuview.tui.focus import Focus, Selection, Window
from npuview.tui.widgets.row_list import RowList


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def focus(screen: Screen) -> Focus:
    return screen.app.place


def table(screen: Screen) -> RowList[Any]:
    found = screen.app.view.table
    assert found is not None
    return found


def gap_at_cursor(screen: Screen) -> GapsRow:
    row = table(screen).row
    assert isinstance(row, GapsRow)
    return row


def selected(screen: Screen) -> Selection:
    selection = focus(screen).selection
    assert selection is not None
    return selection


async def test_the_longest_gap_comes_first_and_is_what_all_views_look_at(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        first = selected(screen).window.dur
        await screen.press("j")
        assert selected(screen).window.dur <= first
        assert "── Why" in screen.text()


async def test_a_gap_is_proved_by_its_tasks_its_launch_and_its_pieces(store: Store) -> None:
    async with opened(store, size=(80, 24)) as screen:
        await screen.press("4")
        assert "done 2.10 ms after the device was free: +" in screen.row_with("launched")
        assert " before " in screen.row_with("free  ")
        assert "blocking call 2.0" in screen.row_with("causes  ")
        assert "blocking call, 2.10 ms of 2.10 ms, at debug/check.py" in screen.row_with("so  ")


async def test_where_there_is_room_a_gap_is_drawn_with_the_threads_that_feed_the_device(
    store: Store,
) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4")
        assert "├╌" in screen.row_with("  device")
        assert "▏blocking call" in screen.row_with("  why")
        assert "▏" in screen.row_with("  enqueues")
        assert "╌┤" in screen.row_with("  device")
        wide = len(screen.row_with("  device"))
        await screen.resize(120, 45)
        await screen.rest()
        assert len(screen.row_with("  device")) < wide


async def test_the_head_says_where_idle_time_was_lost(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4")
        assert "host late" in screen.text()
        assert "after the launch" in screen.text()


async def test_a_key_shows_only_the_gaps_of_one_cause_after_the_other(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        causes = {gap.cause for gap in table(screen).rows}
        seen: set[str] = set()
        for _ in causes:
            await screen.press("c")
            [cause] = {gap.cause for gap in table(screen).rows}
            seen.add(cause)
        assert seen == causes
        await screen.press("c")
        assert {gap.cause for gap in table(screen).rows} == causes


async def test_time_is_put_together_by_cause_next_task_and_line(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4", "T")
        by_cause = table(screen).rows
        assert "host late, framework" in screen.row_with("▌ blocking call")
        total = sum(row.total for row in by_cause)
        for title in ("next task", "line"):
            await screen.press("T")
            assert title in screen.row_with("  cause ")
            assert sum(row.total for row in table(screen).rows) == total
        longest = table(screen).row
        assert isinstance(longest, CausesRow)
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        assert selected(screen).window.from_ts == longest.longest_ts
        await screen.press("escape", "escape", "T")
        assert gap_at_cursor(screen).kind == "device"


async def test_gaps_in_computing_hold_what_waits_for_peers_too(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        device = sum(gap.dur for gap in table(screen).rows)
        await screen.press("K")
        assert "gaps in computing" in screen.text()
        assert "rank 5" in {gap.cause for gap in table(screen).rows}
        assert sum(gap.dur for gap in table(screen).rows) > device
        await screen.press("K")
        assert sum(gap.dur for gap in table(screen).rows) == device


async def test_one_key_leads_to_the_evidence_the_line_and_the_host_thread(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        gap = gap_at_cursor(screen)
        await screen.press("v")
        assert screen.app.view.WHERE == "timeline"
        assert selected(screen).slice_id == gap.evidence_slice_id
        await screen.press("escape", "escape", "p")
        assert screen.app.view.WHERE == "timeline"
        assert ".py(" in selected(screen).name
        await screen.press("escape", "escape", "h")
        window = focus(screen).window
        assert window is not None
        assert window.from_ts < gap.ts
        assert window.to_ts > gap.ts + gap.dur
        assert selected(screen).slice_id not in {None, gap.evidence_slice_id}


async def test_a_copied_gap_has_its_place_and_its_cause(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        gap = gap_at_cursor(screen)
        copied = screen.app.view.copied()
        assert f"ts={gap.ts} dur={gap.dur} ns: blocking call, 2.10 ms of 2.10 ms" in copied
        await screen.press("T")
        assert "host_sync" in screen.app.view.copied()


async def test_gaps_sorted_in_time_can_still_be_gone_through_by_cost(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        ranked = sorted(table(screen).rows, key=lambda gap: (-gap.dur, gap.gap_id))
        await screen.press("o")
        at = ranked.index(gap_at_cursor(screen))
        await screen.press(")")
        assert gap_at_cursor(screen) == ranked[at + 1]
        await screen.press(*"(" * (at + 1))
        assert gap_at_cursor(screen) == ranked[0]
        await screen.press("(")
        assert "no gap that is listed costs more" in screen.text()
        await screen.press("T", ")")
        assert "single gaps have an order by cost" in screen.text()


async def test_the_timeline_says_why_a_selected_gap_is_there(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "enter")
        await screen.rest()
        assert "ns: blocking call, 2.10 ms of 2.10 ms, at" in screen.app.view.copied()
        assert "blocking call, 2.10 ms of 2.10 ms, host late" in screen.row_with("  cause")
        assert "Synchronize" in screen.row_with("  shown by")
        await screen.press("w", "w", "w")
        assert "gap 2.10 ms  blocking call" in screen.row_with("   · gaps")


async def test_moving_over_gaps_keeps_the_window_and_enter_shows_what_is_around(
    store: Store,
) -> None:
    async with opened(store) as screen:
        await screen.press("4", "j", "j")
        gap = selected(screen)
        assert focus(screen).window is None
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        window = focus(screen).window
        assert window is not None
        assert window.meets(gap.window)
        assert window.dur < 64 * gap.window.dur
        await screen.press("escape", "escape")
        assert screen.app.view.WHERE == "gaps"


async def test_the_threshold_is_offered_exactly_and_taken_by_all_views(store: Store) -> None:
    async with opened(store) as screen:
        screen.app.settings.gap_threshold_ns = 123_456
        await screen.press("4", "t", "enter")
        assert screen.app.settings.gap_threshold_ns == 123_456
        await screen.press("t", *["backspace"] * 12)
        await screen.type("9s\n")
        assert "No gap over 9.00 s here" in screen.text()
        await screen.press("t", *["backspace"] * 12)
        await screen.type("nonsense\n")
        assert "is no length of time" in screen.text()
        assert screen.app.settings.gap_threshold_ns == 9 * 10**9


def test_a_window_that_shows_nothing_of_a_selection_is_given_up() -> None:
    far = Selection(Window(1_000, 1_100), "far")
    assert Focus(0, window=Window(0, 10)).on(far).window is None
    assert Focus(0, window=Window(0, 1_001)).on(far).window == Window(0, 1_001)
    around = Focus(0, window=Window(0, 10)).around(far).window
    assert around is not None
    assert around.from_ts < far.window.from_ts
    assert around.to_ts > far.window.to_ts


async def test_a_gap_in_computing_says_in_the_timeline_whom_it_waits_for(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "K")
        gap = gap_at_cursor(screen)
        assert gap.kind == "compute"
        await screen.press("enter")
        await screen.rest()
        assert selected(screen).gap_id == gap.gap_id
        assert "rank 5, " in screen.row_with("  cause")
        assert "Notify" in screen.row_with("  shown by")
