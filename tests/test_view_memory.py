"""Device memory on the screen: the curve, who holds it at the cursor, what grows."""

import re
from pathlib import Path

import pytest
from made_up import MadeUp
from rich.cells import cell_len
from screen import Screen, opened
from store_build import StoreBuilder

from npuview.ingest.store import Store
from npuview.tui.draw.look import Look
from npuview.tui.draw.run import row_text
from npuview.tui.focus import Window
from npuview.tui.memory.memory_curve import LABEL_CELLS, Curve, Level
from npuview.tui.process.display import Display
from npuview.tui.words.spoken import speak

NARROW = (80, 24)
SMALL = (60, 15)
WIDE = (160, 45)
MIB = 1 << 20
HOSTILE = "很长的名字" * 30 + "\x1b[31m"


def with_memory(path: Path, *, name: str = "aten::mm") -> Store:
    """Write a run of two steps of 1 ms, whose peak of 96 MiB is in the second."""
    store = StoreBuilder(path).rank(0)
    store.add(
        "profile", rank_known=True, producer="torch_npu", versions="{}", level="Level1",
        switches="{}", name="made_up", path="made_up", clock="epoch", clock_offset=0, ts=0,
        dur=2_000_000,
    )  # fmt: skip
    store.add("track", track_id=1, kind="stream", device_id=0, stream_id=2, sort_order=1)
    store.add("slice", slice_id=1, track_id=1, ts=0, dur=2_000_000, name="k", class_="compute")
    for step in (1, 2):
        ts = (step - 1) * 1_000_000
        store.add("step", step=step, kind="train", ts=ts, dur=1_000_000)
    store.add("track", track_id=9, kind="counter", device_id=0, process_name="memory_record")
    for number, key in enumerate(("allocated", "reserved"), 1):
        store.add("counter_series", series_id=number, track_id=9, name="PTA", key=key, unit="bytes")
    held = {0: 32, 200_000: 64, 400_000: 32, 1_200_000: 96, 1_400_000: 48}
    for ts, size in held.items():
        store.add("counter", series_id=1, ts=ts, value=float(size * MIB))
        store.add("counter", series_id=2, ts=ts, value=float(128 * MIB))
    lives = ((name, 32, 200_000, 400_000), ("aten::cat", 64, 1_200_000, 1_400_000))
    for number, (by, size, ts, release) in enumerate((*lives, ("kept", 16, 1_400_000, None))):
        store.add(
            "allocation", allocation_id=number, device_id=0, component="PTA", name=by,
            bytes=size * MIB, ts=ts, release_ts=release, step=1 + ts // 1_000_000,
        )  # fmt: skip
    return store.build()


async def of_the_run(screen: Screen) -> None:
    """Open the memory of the whole run."""
    screen.app.move(screen.app.place.at_step(None))
    await screen.press("M")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return with_memory(tmp_path)


async def test_the_peak_is_told_with_its_step_and_who_holds_it(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await of_the_run(screen)
        assert screen.app.view.WHERE == "memory"
        assert "peak 96.0 MiB" in screen.row_with("peak 96.0 MiB")
        assert "step 2" in screen.row_with("peak 96.0 MiB")
        assert "of 128 MiB reserved; 32.0 MiB (25.0 %) unused" in screen.text()
        assert screen.row_with("aten::cat").split()[1:5] == ["aten::cat", "1", "64.0", "MiB"]
        assert "33.3 %" in screen.row_with("before the profile, or not told")


async def test_moving_along_the_curve_shows_who_holds_memory_there(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await of_the_run(screen)
        for _ in range(60):
            await screen.press("h")
            if "aten::mm" in screen.text():
                break
        assert "50.0 %" in screen.row_with("aten::mm")
        await screen.press("p")
        assert "aten::mm" not in screen.text()
        assert "aten::cat" in screen.text()


async def test_enter_shows_when_the_largest_of_a_holder_was_taken(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await of_the_run(screen)
        await screen.press("enter")
        assert screen.app.view.WHERE == "timeline"
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.name == "aten::cat"
        assert selection.window.from_ts == 1_200_000


async def test_the_level_of_each_step_is_listed_with_its_growth(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await of_the_run(screen)
        assert "+16.0 MiB per step" in screen.row_with("By step")
        row = screen.row_with("2     48.0 MiB")
        assert "+16.0 MiB" in row
        assert "kept" in row


async def test_without_samples_the_switch_that_collects_them_is_named(tmp_path: Path) -> None:
    store = StoreBuilder(tmp_path).rank(0)
    store.add(
        "profile", rank_known=True, producer="torch_npu", versions="{}", level="Level1",
        switches="{}", name="made_up", path="made_up", clock="epoch", clock_offset=0, ts=0, dur=9,
    )  # fmt: skip
    async with opened(store.build(), size=NARROW) as screen:
        await screen.press("M")
        assert "Memory was not collected." in screen.text()
        assert "profile_memory=True" in screen.text()
        # Keys for a curve that is not there do nothing.
        await screen.press("h", "l", "p", "c", "T", "enter", "y")


@pytest.mark.parametrize("size", [SMALL, NARROW, WIDE])
async def test_hostile_names_stay_text_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    display = Display(glyphs="ascii")
    async with opened(with_memory(tmp_path, name=HOSTILE), size=size, display=display) as screen:
        await of_the_run(screen)
        await screen.press("h", "T", "c", "tab", "j", "y", "enter", "escape")
        assert "\x1b" not in screen.text()


LOOK = Look()


def test_a_cell_of_the_curve_shows_the_most_in_its_time() -> None:
    levels = [Level(0, 1), Level(50, 8), Level(51, 1), Level(99, 4)]
    lines = Curve(Window(0, 100), levels).lines(LABEL_CELLS + 2 + 10, 2, 50, LOOK)
    drawn = row_text(lines[0])[LABEL_CELLS + 1 : -1]
    assert drawn == "▁▁▁▁▁█▁▁▁▄"
    assert row_text(lines[1])[LABEL_CELLS + 1 + 5] == LOOK.signs.cursor


def test_before_the_first_level_the_curve_is_blank() -> None:
    lines = Curve(Window(0, 100), [Level(50, 8)]).lines(LABEL_CELLS + 2 + 10, 2, None, LOOK)
    assert row_text(lines[0])[LABEL_CELLS + 1 : -1] == "     █████"


def test_the_axis_marks_the_peak_and_where_steps_begin() -> None:
    curve = Curve(Window(0, 100), [Level(0, 1), Level(80, 2)], borders=[0, 50, 200])
    axis = row_text(curve.lines(LABEL_CELLS + 2 + 10, 2, None, LOOK)[1])[LABEL_CELLS + 1 : -1]
    assert axis == f"{LOOK.signs.tick}    {LOOK.signs.tick}  p "


def test_a_step_along_the_curve_goes_to_the_most_of_the_next_cell() -> None:
    curve = Curve(Window(0, 100), [Level(0, 1), Level(13, 9), Level(15, 2)])
    assert curve.stepped(0, 10, 1) == 13
    assert curve.stepped(13, 10, 1) == 20
    assert curve.stepped(0, 10, -1) == 0
    assert curve.stepped(0, 10, 1000) == 90


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_memory_is_told_in_chinese_alone(size: tuple[int, int], made_up: MadeUp) -> None:
    speak("zh")
    async with opened(made_up("leak").store, size=size) as screen:
        await screen.press("M")
        rows = [*screen.rows()[1:5], screen.row_with("占用者  "), screen.row_with("按迭代")]
        await screen.press("tab", "j", "j")
        rows += [screen.rows()[-2], screen.row_with("一直未释放")]
        for row in rows:
            assert not re.search("peak|reserved|unused|explained|per step|since|back|alloc", row), (
                row
            )
        assert all(cell_len(strip.text) == size[0] for strip in screen.strips())
