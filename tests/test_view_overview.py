"""The overview on the screen: the boxes, the lists, and where they lead."""

from collections.abc import Callable
from pathlib import Path

import pytest
from overview_build import MS
from rich.cells import cell_len
from screen import opened
from store_build import StoreBuilder, Value

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.app import VIEWS
from npuview.tui.process.display import Display
from npuview.tui.views.overview import QUESTIONS

HOSTILE = "名" * 40 + "[bold]\x1b[31mred\n" + "x" * 120

SIZES = [(160, 45), (100, 30), (100, 20), (80, 24), (60, 17)]


@pytest.fixture(scope="module")
def made_up(places: Path, sample: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


async def test_the_top_rows_say_where_the_time_went(made_up: Store) -> None:
    async with opened(made_up, size=(160, 45)) as screen:
        text = screen.text()
        assert "rank 0 of 8 (7 not in this data)" in text
        assert "host times are inflated by" in text
        assert "computing 84.9 %" in screen.row_with("4 steps")
        assert "180 ms   11.0 % of the steps" in text
        assert "rank 5 (not here)" in text
        assert "framework" in screen.row_with("mostly blocking call")
        assert "forward" in screen.row_with("  phases")
        assert "not overlapped" in screen.row_with("  official")
        assert "Where in time" in text


@pytest.mark.parametrize("size", SIZES)
async def test_the_three_questions_are_answered_at_every_size(
    made_up: Store, size: tuple[int, int]
) -> None:
    async with opened(made_up, size=size) as screen:
        text = screen.text()
        for share in ("11.0 %", "2.1 %", "2.0 %"):
            assert share in text
        assert "Look here first" in text
        await screen.resize(80, 24)
        assert "i IDLE" in screen.text()
        await screen.resize(160, 45)
        assert "╭─ IDLE" in screen.text()


async def test_the_step_under_the_cursor_is_what_the_boxes_show(made_up: Store) -> None:
    async with opened(made_up, size=(160, 45)) as screen:
        assert "of the steps" in screen.text()
        await screen.press("j")
        assert screen.app.place.step == 12
        assert "44.5 ms   10.8 % of the step" in screen.text()
        await screen.press("k")
        assert screen.app.place.step is None
        await screen.press("greater_than_sign")
        assert "▌   12" in screen.text()


async def test_enter_on_a_finding_shows_its_place_in_the_timeline(made_up: Store) -> None:
    async with opened(made_up, size=(120, 40)) as screen:
        await screen.press("tab", "j")
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.name.startswith("gap")
        assert "idle 180 ms" in screen.rows()[-2]
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.selection == selection


async def test_enter_on_a_step_shows_all_of_it_in_the_timeline(made_up: Store) -> None:
    async with opened(made_up, size=(120, 40)) as screen:
        await screen.press("j", "j", "enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.step == 13


async def test_a_box_is_opened_by_its_key(made_up: Store) -> None:
    async with opened(made_up, size=(120, 40)) as screen:
        await screen.press("i")
        assert screen.app.view.WHERE == "gaps"
    assert set(QUESTIONS.values()) <= VIEWS.keys()


async def test_the_ascii_level_shows_only_ascii(made_up: Store) -> None:
    for size in ((160, 30), (80, 24)):
        async with opened(made_up, size=size, display=Display(glyphs="ascii")) as screen:
            assert screen.text().isascii()
            assert "IDLE" in screen.text()


def profile(builder: StoreBuilder, **values: Value) -> StoreBuilder:
    given = {
        "rank_known": True,
        "producer": "torch_npu",
        "versions": "{}",
        "switches": "{}",
        "name": HOSTILE,
        "path": "/a",
        "clock": "epoch",
        "ts": 0,
        "dur": 100 * MS,
    }
    return builder.add("profile", **(given | values))


def with_step(builder: StoreBuilder, step: int = 1, *devices: int, **values: Value) -> StoreBuilder:
    given = {"source": "profiler_step", "kind": "train", "inferred": False, "ts": 0}
    builder.add("step", step=step, **(given | {"dur": 100 * MS} | values))
    for device in devices:
        for state, dur in (("computing", 40), ("waiting_event", 25), ("idle", 35)):
            builder.add("ledger", device_id=device, step=step, state=state, dur=dur * MS)
    return builder


def hostile(path: Path) -> Store:
    """Write a store in which every name is long, wide and full of control characters."""
    builder = with_step(profile(StoreBuilder(path).rank(0)), 1, 0)
    builder.add("track", track_id=1, kind="stream", device_id=0, sort_order=1)
    builder.add("slice", slice_id=1, track_id=1, ts=0, dur=5, name=HOSTILE, class_="compute")
    builder.add(
        "gap",
        gap_id=1,
        device_id=0,
        kind="device",
        step=1,
        ts=5,
        dur=30 * MS,
        wait_ns=0,
        idle_ns=30 * MS,
        next_slice_id=1,
        step_boundary=False,
    )
    builder.add(
        "operator_total", step=1, name=HOSTILE, core="AI_CORE", count=1, total=5, min=5, max=5
    )
    return builder.build()


SHAPES: dict[str, Callable[[Path], Store]] = {
    "no steps": lambda path: profile(StoreBuilder(path).rank(0)).build(),
    "no device": lambda path: with_step(profile(StoreBuilder(path).rank(0))).build(),
    "one run": lambda path: with_step(
        profile(StoreBuilder(path).rank(0)), 0, 0, kind="run", source="run", inferred=True
    ).build(),
    "no times": lambda path: with_step(
        profile(StoreBuilder(path).rank(0), ts=None, dur=None), 3, ts=None, dur=None
    ).build(),
    "two devices": lambda path: with_step(profile(StoreBuilder(path).rank(0)), 1, 0, 1).build(),
    "two ranks": lambda path: with_step(
        profile(with_step(profile(StoreBuilder(path).rank(0)), 1, 0).rank(4)), 1, 0
    ).build(),
    "chrome": lambda path: profile(StoreBuilder(path).rank(0), producer="chrome").build(),
    "hostile": hostile,
}


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_profile_of_any_shape_has_an_overview(shape: str, tmp_path: Path) -> None:
    store = SHAPES[shape](tmp_path)
    for size in ((160, 45), (80, 24)):
        async with opened(store, size=size) as screen:
            text = screen.text()
            assert "Steps" in text
            assert "Look here first" in text
            assert "\x1b" not in text
            await screen.press("j", "tab", "j", "end", "R")
            assert all(cell_len(line) <= size[0] for line in screen.rows())


async def test_the_head_tells_how_many_ranks_the_next_key_leads_to(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (0, 1):
        profile(with_step(builder.rank(rank)))
    async with opened(builder.build(), size=(80, 24)) as screen:
        assert "rank 0, R: 1 more" in screen.text()
        await screen.press("R")
        assert "rank 1, R: 1 more" in screen.text()


async def test_without_a_device_the_split_is_said_not_to_be_known(tmp_path: Path) -> None:
    async with opened(SHAPES["no device"](tmp_path), size=(100, 30)) as screen:
        assert "no device was recorded: the split is not known" in screen.text()
        assert "no device" in screen.row_with("100.0 ms")


async def test_a_run_without_steps_is_one_period_with_its_own_name(tmp_path: Path) -> None:
    async with opened(SHAPES["one run"](tmp_path), size=(100, 30)) as screen:
        assert "35.0 ms   35.0 % of the run" in screen.text()
        assert "▌  run" in screen.text()


async def test_several_devices_are_listed_apart_and_split_together(tmp_path: Path) -> None:
    async with opened(SHAPES["two devices"](tmp_path), size=(160, 30)) as screen:
        assert "on 2 devices together" in screen.text()
        assert "70.0 ms   35.0 % of the step" in screen.text()
        assert "device" in screen.row_with("computing  waiting")


async def test_what_cannot_be_told_comes_last_with_what_to_collect(tmp_path: Path) -> None:
    async with opened(SHAPES["one run"](tmp_path), size=(160, 45)) as screen:
        await screen.press("tab", "end")
        assert "cannot tell" in screen.row_with("no lanes of Python")
        assert "to collect it: " in screen.rows()[-2]
        await screen.press("enter")
        assert screen.app.view.WHERE == "overview"
