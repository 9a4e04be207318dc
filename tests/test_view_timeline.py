"""The timeline by keyboard, on the made-up run."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from build import TraceBuilder
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.focus import Focus, Selection, Window
from npuview.tui.process.display import Display
from npuview.tui.views.timeline import Timeline
from npuview.tui.widgets.lane_canvas import LABEL_CELLS
from npuview.tui.words.spoken import say


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def timeline(screen: Screen) -> Timeline:
    view = screen.app.view
    assert isinstance(view, Timeline)
    return view


def focus(screen: Screen) -> Focus:
    return screen.app.place


def lane_rows(screen: Screen) -> Iterator[str]:
    """Yield the rows of lanes: those with a frame."""
    return (row for row in screen.rows() if "│" in row)


async def test_lanes_stand_in_their_order_from_host_to_gaps(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("2")
        labels = [row.split("│")[0].strip(" ▌") for row in lane_rows(screen)]
        kinds = [label.split()[0] for label in labels if label][3:]
        assert kinds[0] == "host"
        first_stream = next(one for one in kinds if re.fullmatch(r"s\d+", one))
        assert kinds.index("cann") < kinds.index(first_stream)
        assert labels[-1] == "· gaps"
        waits = [label for label in labels if label.endswith("w waiting")]
        assert waits
        for label in waits:
            stream = label.split()[0]
            of_stream = [one for one in labels if one.startswith(f"{stream} ")]
            assert of_stream.index(label) == len(of_stream) - 1


async def test_zoom_in_and_out_comes_back_to_the_same_picture(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2")
        before = list(lane_rows(screen))
        await screen.press("w", "w")
        assert list(lane_rows(screen)) != before
        await screen.press("s", "s")
        assert list(lane_rows(screen)) == before


async def test_panning_past_the_end_moves_only_the_cursor(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "0")
        position = timeline(screen).position
        await screen.press("d")
        assert timeline(screen).position.view == position.view
        assert timeline(screen).position.cursor_ts > position.cursor_ts


async def test_the_next_slice_is_selected_told_and_gone_back_from(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".")
        first = focus(screen).selection
        assert first is not None
        assert first.slice_id is not None
        assert first.name in screen.row_with("Selected")
        await screen.press(".")
        second = focus(screen).selection
        assert second is not None
        assert second.window.from_ts >= first.window.from_ts
        assert second.slice_id != first.slice_id
        await screen.press(",")
        assert focus(screen).selection == first
        await screen.press("escape")
        assert focus(screen).selection is None
        await screen.rest()
        assert "Under the cursor" in screen.text()


async def test_the_launch_is_followed_to_the_host_and_back(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".")
        kernel = focus(screen).selection
        await screen.press("[")
        launch = focus(screen).selection
        assert launch is not None
        assert kernel is not None
        assert launch.window.from_ts <= kernel.window.from_ts
        lane = timeline(screen).lane_here
        assert lane is not None
        assert lane.is_host
        await screen.press("]")
        assert focus(screen).selection == kernel


async def test_gaps_are_gone_through_one_after_another(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2")
        found: list[int] = []
        for _ in range(3):
            await screen.press("}")
            selection = focus(screen).selection
            assert selection is not None
            assert selection.gap_id is not None
            found.append(selection.window.from_ts)
        assert found == sorted(set(found))
        await screen.press("{")
        selection = focus(screen).selection
        assert selection is not None
        assert selection.window.from_ts == found[1]


async def test_gaps_are_gone_through_by_cost_too_the_longest_first(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2")
        gone: list[Selection] = []
        for _ in range(6):
            await screen.press(")")
            selection = focus(screen).selection
            assert selection is not None
            gone.append(selection)
        lengths = [one.window.dur for one in gone]
        assert lengths == sorted(lengths, reverse=True)
        assert len({one.gap_id for one in gone} - {None}) == len(gone)
        await screen.press(*"(((((")
        assert focus(screen).selection == gone[0]
        await screen.press("(")
        assert "costs more" in screen.rows()[-2]


async def test_a_threshold_that_no_gap_reaches_says_so(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "t")
        await screen.press(*["backspace"] * 10)
        await screen.type("10s\n")
        await screen.press("}")
        assert "no gap over 10.0 s further on" in screen.text()


async def test_enter_without_a_selection_takes_the_longest_slice_under_the_cursor(
    store: Store,
) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".", "escape", "enter")
        assert focus(screen).selection is not None
        await screen.press("enter")
        assert "details" in screen.app.view.WHERE


async def test_a_range_is_measured_from_the_cursor_and_shared(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "w", "w", "v", "d", "d", "v")
        marked = focus(screen).marked
        assert marked is not None
        assert marked.dur > 0
        await screen.press("s", "s")
        assert "┣━" in screen.text()
        await screen.press("escape")
        assert focus(screen).marked is None
        assert "┣" not in screen.text()


async def test_the_extent_of_a_selection_is_marked_at_once(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".", "m")
        selection, marked = focus(screen).selection, focus(screen).marked
        assert selection is not None
        assert marked == selection.window


async def test_a_search_goes_to_its_hits_and_counts_them(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "/")
        await screen.type("MatMul\n")
        first = focus(screen).selection
        assert first is not None
        assert "matmul" in first.name.lower()
        counted = re.search(r"hit (\d+) of (\d+)", screen.text())
        assert counted is not None
        await screen.press("n")
        second = focus(screen).selection
        assert second is not None
        assert second.slice_id != first.slice_id
        await screen.press("N")
        assert focus(screen).selection == first


async def test_what_is_not_found_is_said(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "/")
        await screen.type("no such kernel\n")
        assert "no name holds 'no such kernel'" in screen.text()


async def test_folded_lanes_open_and_close(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("2")
        view = timeline(screen)
        at = next(at for at, lane in enumerate(view.lanes.shown) if view.lanes.hidden(lane))
        view.to_lane(at)
        before = len(view.lanes.shown)
        await screen.press("V")
        assert len(view.lanes.shown) > before
        for _ in range(3):
            if len(view.lanes.shown) == before:
                break
            await screen.press("V")
        assert len(view.lanes.shown) == before


async def test_the_depths_of_a_host_lane_open_as_lanes(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("2")
        view = timeline(screen)
        at = next(at for at, lane in enumerate(view.lanes.shown) if (lane.row.deepest or 0) > 0)
        view.to_lane(at)
        deepest = view.lanes.shown[at].row.deepest or 0
        for _ in range(2):
            if view.lanes.opened:
                break
            await screen.press("V")
        labels = [row for row in lane_rows(screen) if "depth" in row]
        assert len(labels) == deepest + 1


async def test_a_narrow_terminal_keeps_the_gaps_in_sight(store: Store) -> None:
    async with opened(store, size=(80, 24)) as screen:
        await screen.press("2")
        assert [row for row in lane_rows(screen) if row.strip().startswith("·")]
        assert max(len(row) for row in screen.rows()) <= 80


async def test_another_width_shows_the_same_time(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "w")
        window = timeline(screen).position.window
        await screen.resize(90, 30)
        assert timeline(screen).position.window.from_ts <= window.from_ts
        assert timeline(screen).position.window.to_ts >= window.to_ts
        assert max(len(row) for row in screen.rows()) <= 90


async def test_ascii_level_draws_nothing_else(store: Store) -> None:
    async with opened(store, display=Display(glyphs="ascii")) as screen:
        await screen.press("2", ".", "}")
        assert screen.text().isascii()


async def test_a_trace_without_a_device_is_shown(tmp_path: Path) -> None:
    trace = TraceBuilder()
    thread = trace.host_thread(1)
    thread.slice("work", 1_000, 5_000)
    thread.slice("more", 7_000, 1_000)
    store = open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache").store
    async with opened(store) as screen:
        await screen.press("2", ".", "}", "[", "]")
        assert "work" in screen.text()


@pytest.mark.parametrize("samples", [0, 1])
async def test_a_trace_without_slices_says_that_nothing_is_there(
    tmp_path: Path, samples: int
) -> None:
    trace = TraceBuilder()
    trace.event(ph="M", name="process_name", pid=1, tid=0, args={"name": "P"})
    for ts in range(samples):
        trace.counter("HBM", ts=ts, values={"Read": 7})
    store = open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache").store
    async with opened(store) as screen:
        await screen.press("2", "w", "s", "d", ".", "}", "enter", "escape", "2")
        assert say("no_lane_to_draw") in "\n".join(screen.rows())


async def test_a_trace_of_counters_alone_shows_them(tmp_path: Path) -> None:
    trace = TraceBuilder()
    for number in range(200):
        ts = 1_767_262_210_000_000_000 + 1_000_000 * number
        trace.counter("HBM", ts=ts, values={"Read": number % 5 + 1})
    store = open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache").store
    async with opened(store) as screen:
        await screen.press("2")
        [row] = [row for row in lane_rows(screen) if "HBM" in row]
        assert set(row) & set("▁▂▃▄▅▆▇█")


async def test_a_trace_of_one_instant_can_be_gone_through(tmp_path: Path) -> None:
    trace = TraceBuilder()
    trace.host_thread(1).slice("instant", 1_000, 0)
    store = open_store(trace.write(tmp_path / "t.json"), cache_dir=tmp_path / "cache").store
    async with opened(store) as screen:
        await screen.press("2", "w", "s", "d", ".", "}")
        selection = focus(screen).selection
        assert selection is not None
        assert selection.window.from_ts == 1_000


async def test_the_mouse_points_at_slices_and_drags_ranges(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".")
        view = timeline(screen)
        selection, lane = focus(screen).selection, view.lane_here
        assert selection is not None
        assert lane is not None
        rows = range(view.canvas.size.height)
        row = next(y for y in rows if view.canvas.lane_at(y) == view.lane)
        cell = view.position.view.cell_of(selection.window.from_ts)
        await screen.press("escape", "j")
        assert focus(screen).selection is None
        x = LABEL_CELLS + 1 + cell
        await screen.click(view.canvas, x, row)
        pointed = focus(screen).selection
        assert pointed is not None
        assert view.lane_here == lane
        await screen.drag(view.canvas, (x, row), (x + 5, row))
        marked = focus(screen).marked
        assert marked is not None
        assert marked.dur == 6 * view.position.view.cell_ns


async def test_the_wheel_goes_from_lane_to_lane(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", *"kkkkkkkk")
        view, place = timeline(screen), focus(screen)
        first, position = view.lane, view.position
        await screen.wheel(view.canvas, 40, 8, 3)
        assert view.lane == first + 3
        await screen.wheel(view.canvas, 40, 8, -1)
        assert view.lane == first + 2
        assert view.lane_here is not None
        assert screen.row_with(f"▌{view.lane_here.label(LABEL_CELLS - 1)}")
        assert (view.position, focus(screen)) == (position, place)


async def test_the_wheel_with_ctrl_zooms_about_the_cursor(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "d", "w")
        view = timeline(screen)
        lane, before = view.lane, view.position
        await screen.wheel(view.canvas, 40, 8, -2, ctrl=True)
        assert view.position.view.level == before.view.level - 2
        assert view.position.cursor_ts == before.cursor_ts
        await screen.wheel(view.canvas, 40, 8, 1, ctrl=True)
        assert view.position.view.level == before.view.level - 1
        assert view.lane == lane


async def test_enter_right_after_a_key_that_selects_opens_what_it_selects(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".")
        first = focus(screen).selection
        await screen.hit(".", "enter")
        await screen.settle()
        assert screen.app.view.WHERE == "details"
        second = focus(screen).selection
        assert second is not None
        assert second != first
        assert second.name in screen.text()


async def test_a_window_beyond_the_run_is_shown_as_far_as_the_run_goes(store: Store) -> None:
    async with opened(store) as screen:
        extent = screen.app.run_facts.extent(focus(screen).rank)
        assert extent is not None
        await screen.press("2", "0")
        whole = timeline(screen).position.view
        screen.app.move(replace(focus(screen), step=None, window=extent.around(4.0)))
        await screen.settle()
        assert timeline(screen).position.view == whole


async def test_an_instant_that_is_gone_to_is_under_the_cursor(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "w", "g")
        await screen.type("+41.2ms\n")
        origin = screen.app.run_facts.origin(focus(screen))
        assert timeline(screen).position.cursor_ts == origin + 41_200_000


async def test_a_stretch_that_is_no_slice_is_told_instead_of_what_was_selected(
    store: Store,
) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".")
        before = focus(screen).selection
        assert before is not None
        stretch = Selection(Window(before.window.to_ts, before.window.to_ts + 5_000), "nothing ran")
        screen.app.move(replace(focus(screen), selection=stretch))
        await screen.settle()
        await screen.rest()
        assert "nothing ran" in screen.row_with("Selected")
        assert "5.00 µs" in screen.row_with("when")
        assert timeline(screen).copied() == f"nothing ran ts={stretch.window.from_ts} dur=5000"
        await screen.press("]")
        assert "select a slice first" in screen.text()


async def test_from_a_gap_the_arrows_lead_to_what_ended_it_and_to_its_launch(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", "}")
        gap = focus(screen).selection
        assert gap is not None
        assert gap.gap_id is not None
        await screen.press("]")
        ended = focus(screen).selection
        assert ended is not None
        assert ended.slice_id is not None
        assert ended.window.from_ts == gap.window.to_ts
        await screen.press("{")
        assert focus(screen).selection == gap
        await screen.press("[")
        launch = focus(screen).selection
        assert launch is not None
        assert launch.slice_id not in {None, ended.slice_id}
        lane = timeline(screen).lane_here
        assert lane is not None
        assert lane.is_host
        await screen.press("]")
        assert focus(screen).selection == ended


async def test_a_message_goes_with_what_it_was_about(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("2", ".", "]")
        assert "nothing on the device was launched" in screen.text()
        await screen.press("[")
        assert "nothing on the device was launched" not in screen.text()
        await screen.press("escape", "v")
        assert "the range begins here" in screen.text()
        await screen.press("escape")
        assert "the range begins here" not in screen.text()
