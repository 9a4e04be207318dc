"""The overview on the screen: the boxes, the lists, and where they lead."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from finding_build import RunBuilder
from overview_build import MS
from rich.cells import cell_len
from screen import Screen, opened
from store_build import StoreBuilder, Value

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.findings import Finding, find
from npuview.queries.rules import RuleBook, shipped_rules
from npuview.queries.session import Session
from npuview.tui.app import VIEWS, NpuviewApp
from npuview.tui.draw import numbers
from npuview.tui.focus import Window
from npuview.tui.overview.finding_list import FindingList
from npuview.tui.overview.overview_answers import ask_findings
from npuview.tui.process.display import Display
from npuview.tui.user.config import load_config
from npuview.tui.views import overview
from npuview.tui.views.overview import QUESTIONS
from npuview.tui.words.spoken import speak

HOSTILE = "名" * 40 + "[bold]\x1b[31mred\n" + "x" * 120

SIZES = [(160, 45), (100, 30), (100, 20), (80, 24), (60, 17)]


@pytest.fixture(scope="module")
def of_sample(places: Path, sample: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


async def test_the_top_rows_say_where_the_time_went(of_sample: Store) -> None:
    async with opened(of_sample, size=(160, 45)) as screen:
        text = screen.text()
        assert "rank 0 of 8 (7 not in this data)" in text
        assert "host times are inflated by" in text
        assert "computing 84.9 %" in screen.row_with("4 steps")
        assert "180 ms   11.0 % of the steps" in text
        assert "rank 5 (not here)" in text
        assert "blocking call" in screen.row_with("framework")
        assert "forward" in screen.row_with("  phases")
        assert "not overlapped" in screen.row_with("  official")
        assert "Where in time" in text


@pytest.mark.parametrize("size", SIZES)
async def test_the_three_questions_are_answered_at_every_size(
    of_sample: Store, size: tuple[int, int]
) -> None:
    async with opened(of_sample, size=size) as screen:
        text = screen.text()
        for share in ("11.0 %", "2.1 %", "2.0 %"):
            assert share in text
        assert "Look here first" in text
        # On a small screen they make room for a finding while one is read.
        screen.app.view.query_one("#overview_steps").focus()
        await screen.resize(80, 24)
        assert "i IDLE" in screen.text()
        await screen.resize(160, 45)
        assert "╭─ IDLE" in screen.text()


async def test_the_step_under_the_cursor_is_what_the_boxes_show(of_sample: Store) -> None:
    async with opened(of_sample, size=(160, 45)) as screen:
        assert "of the steps" in screen.text()
        await screen.press("j")
        assert screen.app.place.step == 12
        assert "44.5 ms   10.8 % of the step" in screen.text()
        await screen.press("k")
        assert screen.app.place.step is None
        await screen.press("greater_than_sign")
        assert "▌   12" in screen.text()


def stalled(path: Path) -> Store:
    """Write a run of two steps that garbage collection stops, once for 30 ms."""
    run = RunBuilder(path).rank(steps=2, switches={"with_stack": True})
    return run.stall("gc", 6, step=1).stall("gc", 30, step=2).build()


async def test_findings_are_those_of_the_rules_with_time_per_step_and_share(
    of_sample: Store,
) -> None:
    with Session(of_sample) as session:
        every = find(session, shipped_rules(), rank=0)
    async with opened(of_sample, size=(160, 45)) as screen:
        listed = screen.app.view.query_one("#overview_look", FindingList)
        assert list(listed.rows) == every
        first = every[0]
        row = screen.row_with(numbers.time(first.ns_per_step))
        assert numbers.share(first.ns, first.period) in row


async def test_findings_are_those_of_the_step_that_is_shown(tmp_path: Path) -> None:
    store = stalled(tmp_path)
    async with opened(store, size=(160, 45)) as screen:
        assert "18.0 ms" in screen.row_with("garbage collection:")
        await screen.press("j")
        assert screen.app.place.step == 1
        assert "6.00 ms" in screen.row_with("garbage collection:")
        await screen.press("j")
        assert "30.0 ms" in screen.row_with("garbage collection:")


async def test_enter_on_a_finding_shows_its_place_in_the_timeline(tmp_path: Path) -> None:
    store = stalled(tmp_path)
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("tab")
        await screen.press("j", "home")
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.window == Window(100 * MS, 130 * MS)
        assert "18.0 ms of 100 ms per step (18.0 %)" in screen.rows()[-2]
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.selection == selection


async def test_the_slice_that_shows_a_finding_is_a_key_away(tmp_path: Path) -> None:
    store = stalled(tmp_path)
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("tab", "v")
        assert screen.app.view.WHERE == "timeline"
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.name == "gc call"
        assert selection.window.dur == 30 * MS


async def test_the_rows_behind_a_finding_are_a_key_away_without_a_question(
    tmp_path: Path,
) -> None:
    store = stalled(tmp_path)
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("tab", "r")
        assert screen.app.view.WHERE == "sql"
        assert "with rank=0, cause=gc" in screen.rows()[-2]
        assert "garbage" not in screen.rows()[-2]
        await screen.press("escape")
        assert screen.app.view.WHERE == "overview"
        # The same rows are asked for again, whatever was typed there meanwhile.
        await screen.press("5", "ctrl+o", *"steps", "enter", "enter", "1", "r")
        assert "with rank=0, cause=gc" in screen.rows()[-2]


@pytest.mark.parametrize("size", [(160, 45), (120, 40), (80, 24)])
async def test_all_of_a_finding_is_said_below_the_list(
    size: tuple[int, int], tmp_path: Path
) -> None:
    store = stalled(tmp_path)
    async with opened(store, size=size) as screen:
        assert "try:" not in screen.text()
        await screen.press("tab")
        assert "try:" in screen.text()
        await screen.press("tab")
        assert "try:" not in screen.text()


async def test_what_stands_out_is_asked_behind_the_boxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stalled(tmp_path)
    may_end = Event()

    def slow(
        session: Session, book: RuleBook, *, rank: int | None, step: int | None
    ) -> list[Finding]:
        assert may_end.wait(30)
        return ask_findings(session, book, rank=rank, step=step)

    monkeypatch.setattr(overview, "ask_findings", slow)
    app = NpuviewApp(store, Display(), load_config({}, {}), remember=False)
    async with app.run_test(size=(160, 45)) as pilot:
        screen = Screen(app, pilot)
        try:
            while "36.0 ms   18.0 % of the steps" not in screen.text():
                await pilot.pause(0.02)
            assert "garbage collection:" not in screen.text()
            await pilot.press("j")
            await pilot.pause()
            assert app.place.step == 1
        finally:
            may_end.set()
        await screen.settle()
        assert "6.00 ms" in screen.row_with("garbage collection:")


async def test_rules_that_cannot_be_read_are_told_where_findings_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stalled(tmp_path / "store")
    file = tmp_path / "npuview" / "rules.toml"
    file.parent.mkdir()
    file.write_text("[rules.W9]\nof = true\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    async with opened(store, size=(160, 45)) as screen:
        assert str(file)[:20] in screen.rows()[-2]
        listed = screen.app.view.query_one("#overview_look", FindingList)
        assert listed.empty.startswith(str(file))
        assert "36.0 ms   18.0 % of the steps" in screen.text()


@pytest.mark.parametrize("size", [(160, 45), (80, 24)])
async def test_the_analysis_is_told_in_the_language_that_is_spoken(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    store = stalled(tmp_path)
    speak("zh")
    async with opened(store, size=size) as screen:
        assert "每迭代" in screen.row_with("类别")
        assert "垃圾回收 (GC)" in screen.text()
        assert "IDLE" not in screen.text()
        await screen.press("tab")
        assert all(cell_len(line) <= size[0] for line in screen.rows())


async def test_enter_on_a_step_shows_all_of_it_in_the_timeline(of_sample: Store) -> None:
    async with opened(of_sample, size=(120, 40)) as screen:
        await screen.press("j", "j", "enter")
        assert screen.app.view.WHERE == "timeline"
        assert screen.app.place.step == 13


async def test_a_box_is_opened_by_its_key(of_sample: Store) -> None:
    async with opened(of_sample, size=(120, 40)) as screen:
        await screen.press("i")
        assert screen.app.view.WHERE == "gaps"
    assert set(QUESTIONS.values()) <= VIEWS.keys()


async def test_the_ascii_level_shows_only_ascii(of_sample: Store) -> None:
    for size in ((160, 30), (80, 24)):
        async with opened(of_sample, size=size, display=Display(glyphs="ascii")) as screen:
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
        assert "cannot tell" in screen.row_with("no device tasks were collected")
        assert "collect with: " in screen.text()
        await screen.press("enter")
        assert screen.app.view.WHERE == "overview"
        assert "no place in time" in screen.rows()[-2]
