"""Waits and moves on the screen: what waited and moved, by whom, and where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from device_store import device_store
from screen import Screen, opened
from store_build import StoreBuilder, identifier

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.export.export_choice import Target
from npuview.tui.process.display import Display

NARROW = (80, 24)
SMALL = (60, 15)
WIDE = (160, 45)
LONG_NAME = "很长的名字" * 30 + "\x1b[31m"


def with_profile(builder: StoreBuilder, level: str = "Level1") -> StoreBuilder:
    """Add what the frame tells of a profile, and where the time of its step went."""
    builder.add(
        "profile", rank_known=True, producer="torch_npu", versions="{}", level=level, switches="{}",
        name="made_up", path="made_up", clock="epoch", clock_offset=0, ts=0, dur=1000,
    )  # fmt: skip
    exchanged = {"waiting_peer": 80, "transferring": 15, "idle": 881}
    if level == "Level0":
        exchanged = {"collective_other": 100, "idle": 876}
    for state, dur in {"copying": 24, **exchanged}.items():
        builder.add("ledger", device_id=0, step=1, state=state, dur=dur)
    return builder


@pytest.fixture
def split(tmp_path: Path) -> Store:
    return with_profile(device_store(tmp_path, planes=True)).build()


@pytest.fixture
def unsplit(tmp_path: Path) -> Store:
    return with_profile(device_store(tmp_path, planes=False), "Level0").build()


async def open_waits(screen: Screen) -> None:
    screen.app.open_view("waits")
    await screen.settle()


async def open_moves(screen: Screen) -> None:
    screen.app.open_view("moves")
    await screen.settle()


async def test_the_wait_of_a_step_is_told_with_its_peers(split: Store) -> None:
    async with opened(split, size=NARROW) as screen:
        await screen.press("w")
        assert "waiting 80 ns   8.0 % of the step" in screen.text()
        assert "rank 5" in screen.row_with("hcom_allReduce_")
        assert screen.row_with("peer    rank 5").split()[3:6] == ["5", "1", "80"]
        arrivals = screen.row_with("last   not in this data")
        assert arrivals.split()[:4] == ["rank", "5", "80", "ns"]
        assert "██        not in this data" in screen.text()


async def test_enter_shows_the_collective_or_the_longest_wait_of_a_group(split: Store) -> None:
    async with opened(split) as screen:
        await screen.press("w", "enter")
        assert screen.app.view.WHERE == "timeline"
        selection = screen.app.place.selection
        assert selection is not None
        assert selection.slice_id == identifier(0, 40)
        assert tuple(selection.window) == (300, 400)
    async with opened(split) as screen:
        await screen.press("w", "tab")
        table = screen.app.view.table
        assert table is not None
        assert table.find("EVENT_WAIT")
        await screen.press("enter")
        assert (selection := screen.app.place.selection) is not None
        assert selection.slice_id == identifier(0, 12)
    async with opened(split) as screen:
        await screen.press("w", "tab", "home", "enter")
        assert (selection := screen.app.place.selection) is not None
        assert selection.slice_id == identifier(0, 40)


async def test_the_place_follows_the_collective_under_the_cursor(tmp_path: Path) -> None:
    builder = with_profile(device_store(tmp_path, planes=True))
    builder.add(
        "collective", collective_id=2, device_id=0, step=1, name="second", group="g", ts=600,
        dur=50, transfer_ns=5, wait_ns=1,
    )  # fmt: skip
    async with opened(builder.build()) as screen:
        await screen.press("w", "j")
        assert (selection := screen.app.place.selection) is not None
        assert selection.name == "second"
        assert "No wait for a peer was recorded" in screen.text()


async def test_without_plane_tasks_it_is_said_how_to_collect_them(unsplit: Store) -> None:
    async with opened(unsplit, size=NARROW) as screen:
        await screen.press("w")
        assert "Level1 splits them" in screen.text()
        assert "Which peer came last is not known" in screen.text()
        assert "to collect it: experimental_config=" in screen.text()
        assert "notify" in screen.row_with("Notify Wait")


async def test_what_moved_is_grouped_and_listed_one_by_one(split: Store) -> None:
    async with opened(split, size=NARROW) as screen:
        await screen.press("m")
        assert "moving 39 ns" in screen.text()
        assert screen.row_with("SDMA_SQE").split()[2:5] == ["2", "15", "ns"]
        assert "hcom_allReduce_" in screen.row_with("group g")
        table = screen.app.view.table
        assert table is not None
        assert table.find("SDMA_SQE")
        await screen.settle()
        assert "One by one  2" in screen.text()
        assert "no sizes at this level, Level2 has them" in screen.text()
        await screen.press("enter")
        assert (selection := screen.app.place.selection) is not None
        assert selection.slice_id == identifier(0, 15)


async def test_sizes_and_directions_are_shown_where_they_are_known(tmp_path: Path) -> None:
    builder = with_profile(device_store(tmp_path, planes=True), "Level2")
    builder.add(
        "slice", slice_id=60, track_id=1, ts=700, dur=100, name="MEMCPY_ASYNC", class_="copy",
        task_type="PCIE", stream_id=2, step=1,
    )  # fmt: skip
    builder.add("copy", slice_id=60, device_id=0, direction="H2D", bytes=5000)
    async with opened(builder.build(), size=NARROW) as screen:
        await screen.press("m")
        assert "5.00 kB" in screen.row_with("host to device")
        await screen.press("tab")
        assert "50.0 GB/s" in screen.row_with("+0.001 ms")
        assert screen.app.view.copied() == "MEMCPY_ASYNC ts=700 dur=100 ns bytes=5000"


@pytest.mark.parametrize("opening", [open_waits, open_moves])
async def test_a_profile_without_any_of_it_says_so(
    opening: Callable[[Screen], object], tmp_path: Path
) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("profile", rank_known=True, producer="chrome", versions="{}", switches="{}")
    builder.add("track", track_id=1, kind="host", sort_order=1)
    builder.add("slice", slice_id=1, track_id=1, ts=0, dur=10, name="f", class_="host")
    async with opened(builder.build()) as screen:
        screen.app.open_view("waits" if opening is open_waits else "moves")
        await screen.settle()
        assert "unknown" in screen.text()
        assert "No co" in screen.text()
        await screen.press("enter", "tab", "enter", "y")
        assert screen.app.view.WHERE in {"waits", "moves"}


@pytest.mark.parametrize("size", [SMALL, NARROW, WIDE])
@pytest.mark.parametrize("view", ["waits", "moves"])
async def test_hostile_names_are_shown_as_signs_at_every_size(
    view: str, size: tuple[int, int], tmp_path: Path
) -> None:
    builder = with_profile(device_store(tmp_path, planes=True))
    builder.add(
        "collective", collective_id=2, device_id=0, step=1, name=LONG_NAME, group=LONG_NAME, ts=600,
        dur=90, transfer_ns=50, wait_ns=40, bytes=7, last_peer=3, last_number=3,
    )  # fmt: skip
    builder.add(
        "slice", slice_id=60, track_id=1, ts=700, dur=100, name=LONG_NAME, class_="copy",
        task_type=LONG_NAME, stream_id=2, step=1,
    )  # fmt: skip
    builder.add("copy", slice_id=60, device_id=0)
    async with opened(builder.build(), size=size) as screen:
        screen.app.open_view(view)
        await screen.settle()
        await screen.press("j", "tab", "j")
        assert "\x1b" not in screen.text()
        assert "很长" in screen.text()


@pytest.mark.parametrize("view", ["waits", "moves"])
async def test_at_ascii_level_nothing_else_is_drawn(view: str, split: Store) -> None:
    async with opened(split, display=Display(glyphs="ascii", color=False)) as screen:
        screen.app.open_view(view)
        await screen.settle()
        assert screen.text().isascii()


async def test_both_views_follow_the_step_and_have_the_whole_run(
    sample: Path, places: Path
) -> None:
    store = open_store(sample, cache_dir=places / "cache").store
    async with opened(store) as screen:
        for view in ("waits", "moves"):
            screen.app.open_view(view)
            await screen.settle()
            whole = screen.text()
            await screen.press("greater_than_sign")
            assert screen.text() != whole
            assert "of the step" in screen.text()
            screen.app.move(screen.app.place.at_step(None))
            await screen.settle()
            assert "of the steps" in screen.text()


async def test_the_lists_are_exported_as_they_are_asked(split: Store, tmp_path: Path) -> None:
    async with opened(split) as screen:
        for view, count in (("waits", 2), ("moves", 2)):
            screen.app.open_view(view)
            await screen.settle()
            choices = screen.app.view.export_choices()
            assert len(choices) == count
            for choice in choices:
                file = tmp_path / f"{view}_{choice.file_name}"
                choice.write(screen.app.answers, Target(file), lambda _: None)
                assert len(file.read_text().splitlines()) > 1
