"""Both timelines at once: the same time since the start of their steps, moved over together."""

import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from made_up import MadeUp
from pair_build import Made, maker
from screen import Screen, opened

from npuview.ingest.errors import Interrupted
from npuview.ingest.store import Store
from npuview.tui.compare.against import Against, OtherRun
from npuview.tui.compare.reading import RunReading
from npuview.tui.focus import Focus
from npuview.tui.start import Start
from npuview.tui.user.run_card import RunCard
from npuview.tui.views.linked import Linked
from npuview.tui.views.side_lanes import SideLanes


@pytest.fixture(scope="module")
def made(made_up: MadeUp) -> Made:
    return maker(made_up)


def named(name: str, store: Store) -> OtherRun:
    return OtherRun(name, store, RunCard())


@asynccontextmanager
async def both(
    test: Store, base: Store, *keys: str, size: tuple[int, int] = (120, 40), step: int | None = None
) -> AsyncGenerator[Screen]:
    """Hold a run against a base and press keys in the view of the comparison."""
    against = Against(named("after", test), None, "before", named("before", base))
    async with opened(test, size=size, against=against, start=Start(step=step)) as screen:
        await screen.press("6", *keys)
        await screen.rest()
        yield screen


def panes(screen: Screen) -> tuple[SideLanes, SideLanes]:
    view = screen.app.view
    assert isinstance(view, Linked)
    return view.panes


def offsets(screen: Screen) -> list[int]:
    """Return how long after the start of its step each window begins, ns."""
    return [one.position.view.from_ts - one.run_facts.origin(one.place) for one in panes(screen)]


def cursor_cells(screen: Screen) -> list[int]:
    return [one.position.view.cell_of(one.position.cursor_ts) for one in panes(screen)]


def assert_linked(screen: Screen, apart: int = 0) -> None:
    """Hold both to the same cells and, to less than one, to the same time; to one column."""
    above, below = panes(screen)
    first, second = above.position.view, below.position.view
    assert (first.level, first.cells) == (second.level, second.cells)
    one, other = offsets(screen)
    assert abs(other - one - apart) < first.cell_ns
    assert len(set(cursor_cells(screen))) == 1
    assert above.lane == below.lane
    if above.canvas.size and below.canvas.size:
        # Neither is hidden by the other.
        assert above.canvas.top == below.canvas.top
    assert len(above.lanes.shown) == len(below.lanes.shown)


async def test_enter_shows_the_longest_gap_of_the_cause_in_both_runs(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter") as screen:
        assert "A  host" not in screen.text()
        assert "A  before" in screen.text()
        assert "B  after" in screen.text()
        rows = {
            row.strip()[:1]: row for row in screen.rows() if row.strip()[:4] in {"A  g", "B  g"}
        }
        assert "2.10 ms" in rows["A"]
        assert "500 µs" in rows["B"]
        assert "-1.60 ms   -76.2 %" in screen.row_with("B - A")
        above, below = panes(screen)
        lane = above.lane_here
        assert lane is not None
        assert lane.is_gap
        assert [len(one.marks()) for one in (above, below)] == [1, 1]
        # What stands side by side need not be at the same time of its step.
        one, other = offsets(screen)
        assert_linked(screen, other - one)


async def test_pan_zoom_cursor_and_lane_move_in_both_together(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "0") as screen:
        assert_linked(screen)
        for key in "wdwddaAsjjkDwwwkd0":
            await screen.press(key)
            assert_linked(screen)


async def test_the_wheel_over_either_of_the_two_moves_both(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "0", *"kkkkkk") as screen:
        for pane in panes(screen):
            lane, view = pane.lane, pane.position.view
            await screen.wheel(pane.canvas, 40, 3, 2)
            assert pane.lane == lane + 2
            assert pane.position.view == view
            await screen.wheel(pane.canvas, 40, 3, -1)
            assert pane.lane == lane + 1
            assert_linked(screen)
            await screen.wheel(pane.canvas, 40, 3, -2, ctrl=True)
            assert pane.position.view.level == view.level - 2
            await screen.wheel(pane.canvas, 40, 3, 1, ctrl=True)
            assert pane.position.view.level == view.level - 1
            assert pane.lane == lane + 1
            assert_linked(screen)


async def test_a_cell_is_as_wide_in_both_at_every_width(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "0") as screen:
        for width, height in ((80, 24), (160, 45), (100, 30), (60, 15)):
            await screen.resize(width, height)
            await screen.rest()
            assert_linked(screen)
            above, below = panes(screen)
            assert above.canvas.size == below.canvas.size


async def test_the_next_step_is_gone_to_in_both(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "0") as screen:
        above, below = panes(screen)
        before = (above.place.step, below.place.step)
        assert before == (12, 13)
        await screen.press("greater_than_sign")
        assert (above.place.step, below.place.step) == (13, 14)
        assert_linked(screen)
        await screen.press("less_than_sign", "less_than_sign")
        assert (above.place.step, below.place.step) == (12, 13)
        # There is none before in A: B stays too, and so does the shared place.
        assert "A has no step for that one" in screen.text()
        assert screen.app.place.step == 13


async def test_without_a_change_the_shared_step_is_shown_in_both(made: Made) -> None:
    # What did not change has no row to go to.
    async with both(made("pipelined", 7), made("pipelined"), "6", "enter", step=14) as screen:
        above, below = panes(screen)
        assert (above.place.step, below.place.step) == (14, 14)
        assert_linked(screen)


async def test_a_and_b_change_places_and_the_picture_with_them(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "w", "d") as screen:
        above, below = panes(screen)
        before = (above.position, below.position)
        await screen.press("x")
        assert "A  after" in screen.text()
        assert (above.position.view.level, offsets(screen)) != (0, [])
        assert (above.position, below.position) == before[::-1]
        await screen.press("escape")
        assert "A after" in screen.text()
        assert "+11.4 %" in screen.row_with("step time")


async def test_a_lane_that_only_one_run_has_says_so_in_the_other(made: Made) -> None:
    async with both(made("event_chain"), made("pipelined"), "enter", size=(120, 60)) as screen:
        above, below = panes(screen)
        shown = list(zip(above.lanes.shown, below.lanes.shown, strict=True))
        assert not any(one.absent and two.absent for one, two in shown)
        at = next(at for at, (one, two) in enumerate(shown) if one.absent or two.absent)
        assert "this run has no such lane" in screen.text()
        for _ in range(len(shown)):
            await screen.press("k")
        for _ in range(at):
            await screen.press("j")
        await screen.rest()
        assert [row for row in screen.rows() if row.strip()[:3] in {"A  ", "B  "}][-1]
        assert "there is nothing on both sides to compare" in screen.text()


async def test_the_way_back_leads_to_the_comparison_and_to_where_one_was(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", "w", "d", "j") as screen:
        view = screen.app.view
        place, where = screen.app.place, offsets(screen)
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.window == place.window
        await screen.press("escape")
        await screen.rest()
        assert screen.app.view is view
        assert offsets(screen) == where
        await screen.press("escape")
        assert screen.app.view.WHERE == "compare"
        assert screen.app.place == Focus(0, None)


async def test_what_is_under_the_cursor_is_copied_of_both(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter") as screen:
        assert screen.app.view.copied().startswith("A gap: blocking call ts=")
        assert "; B gap: blocking call ts=" in screen.app.view.copied()


async def test_a_baseline_says_that_it_has_no_timeline(made: Made) -> None:
    other = OtherRun("before", made("host_bound"), RunCard(), has_timeline=False)
    test = made("pipelined")
    against = Against(named("after", test), None, "before", other)
    async with opened(test, against=against) as screen:
        await screen.press("6", "enter")
        assert "before is a baseline: it has no timeline" in screen.text()
        await screen.press("j", "w", "x")
        assert screen.app.view.WHERE == "compare"


async def test_small_changes_are_one_line_until_they_are_asked_for(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound")) as screen:
        assert "2 of 30" in screen.row_with("What changed")
        assert "28 changed by less than 1 % or by less than the spread" in screen.text()
        assert "MatMulV3   " not in screen.text()
        await screen.press("f")
        assert "30 of 30" in screen.row_with("What changed")
        assert "f hides small changes" in screen.text()
        assert "+0.3 %" in screen.row_with("FlashAttentionScore")
        await screen.press("f")
        assert "2 of 30" in screen.row_with("What changed")


@pytest.mark.parametrize("end", ["escape", "q"])
async def test_a_run_that_is_being_read_says_how_far_it_is_and_is_not_waited_for(
    end: str, made: Made
) -> None:
    test = made("pipelined")
    begun, stopped = threading.Event(), threading.Event()

    def opener(word: str, reading: RunReading) -> OtherRun:
        reading.stage("read trace_view.json", total_bytes=1_000_000_000)
        reading.advance(412_000_000)
        begun.set()
        assert reading.stop.wait(20), f"nobody stopped reading {word}"
        stopped.set()
        raise Interrupted("stopped")

    async with opened(test, against=Against(named("after", test), opener, "base")) as screen:
        await screen.hit("6")
        assert begun.wait(20)
        await screen.pause(0.6)
        said = "reading base: read trace_view.json   412 MB of 1.00 GB"
        assert said in screen.text()
        assert "esc stops it" in screen.text()
        assert not stopped.is_set()
        await screen.hit(end)
        if end == "escape":
            assert stopped.wait(5)
            await screen.settle()
            assert "base was not read to its end; 6 reads it again" in screen.text()
            assert screen.app.view.WHERE == "compare"
    assert stopped.is_set()


async def test_the_other_run_is_gone_to_on_the_same_lane_with_the_cursor(made: Made) -> None:
    store, base = made("pipelined"), made("host_bound")
    mine, other = named("after", store), named("before", base)
    async with opened(
        store, start=Start(step=13), against=Against(mine, None, "b", other)
    ) as screen:
        await screen.press("2", "w", "w", "d", "d", "j", "j", "j")
        spot, here = screen.app.view.lane_spot, screen.app.place
        assert spot is not None
        assert spot.lane is not None
        offset = spot.cursor_ts - screen.app.run_facts.origin(here)
        await screen.hit("=")
        await screen.settle()
        assert screen.app.switch is not None
        there = Start(common=screen.app.switch.place)
    async with opened(base, start=there) as screen:
        found, place = screen.app.view.lane_spot, screen.app.place
        assert found is not None
        assert found.lane == spot.lane
        assert found.cursor_ts - screen.app.run_facts.origin(place) == offset
        assert place.step == 13


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_any_keys_leave_both_timelines_linked(made: Made, size: tuple[int, int]) -> None:
    keys = "wsadADjkV0x.fz*,}{)(mv][tu/n"
    async with both(made("transposes_fused"), made("transposes"), "enter", size=size) as screen:
        one, other = offsets(screen)
        for key in keys.replace("/", ""):
            await screen.type(key)
            await screen.rest() if key == "V" else None
            if isinstance(screen.app.view, Linked) and key != "0":
                one, other = offsets(screen)
                assert_linked(screen, other - one)


async def test_the_selected_lane_and_what_is_opened_stay_whatever_the_lanes_are_shown_for(
    made: Made,
) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", size=(160, 45)) as screen:
        above, below = panes(screen)
        await screen.press(*"kkkkkkkkkkkkkk", "V", "V", *"jjjjjjjjjjjj")
        lane, count = above.lane_here, len(above.lanes.shown)
        assert lane is not None
        assert lane.depth == 11
        for key in ("0", "x", "x", "greater_than_sign", "0"):
            await screen.press(key)
            assert above.lane_here is not None
            assert above.lane_here.depth == 11
            assert len(above.lanes.shown) == len(below.lanes.shown) == count
        await screen.resize(160, 44)
        await screen.rest()
        assert above.lane_here is not None
        assert above.lane_here.key == lane.key
        await screen.press("j", "j")
        device = above.lane_here.row.kind
        await screen.press("greater_than_sign")
        assert above.lane_here.row.kind == device


async def test_one_timeline_alone_has_all_rows_and_both_are_linked_after_it(made: Made) -> None:
    async with both(made("pipelined"), made("host_bound"), "enter", size=(80, 24)) as screen:
        above, below = panes(screen)
        rows = above.canvas.size.height
        await screen.press("z", *"kkkkkk0j")
        assert above.canvas.size.height > 2 * rows
        assert "B  after" not in screen.text()
        await screen.press("z")
        await screen.rest()
        assert above.canvas.size.height == rows
        assert_linked(screen)
        assert below.lane_here is not None


async def test_profiles_of_one_name_are_told_apart_by_their_folders(made: Made) -> None:
    test, base = (
        named("/d/after/x_ascend_pt", made("pipelined")),
        named("/d/before/x_ascend_pt", made("host_bound")),
    )
    against = Against(test, None, base.name, base)
    async with opened(test.store, size=(80, 24), against=against) as screen:
        await screen.press("6")
        assert "before ⇄ after" in screen.rows()[0]
        assert "A before  " in screen.text()
        assert "B after  " in screen.text()
        await screen.press("enter")
        await screen.rest()
        assert "A  before  step" in screen.text()
        assert "B  after  step" in screen.text()


async def test_of_several_ranks_each_timeline_says_which_it_is(made: Made) -> None:
    async with both(made("late_rank", 7), made("late_rank"), "enter") as screen:
        assert "rank 0   step" in screen.row_with("B  after")
