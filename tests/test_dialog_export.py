"""The export dialog: what is written, where, and how it is stopped."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from screen import opened

from npuview.ingest.errors import Interrupted, UsageError
from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.perfetto import export
from npuview.queries.selection import Selection
from npuview.queries.session import Session
from npuview.tui.answers import Answers
from npuview.tui.dialogs.export import refusal, typed_path
from npuview.tui.export.export_choice import ExportChoice, Target, Told
from npuview.tui.focus import Focus
from npuview.tui.views.gaps import Gaps

pytestmark = pytest.mark.usefixtures("own_folders")


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def only_file(folder: Path) -> Path:
    [written] = files(folder)
    return written


def trace_in(path: Path) -> Any:  # noqa: ANN401 what JSON holds
    with gzip.open(path) as file:
        return json.load(file)


async def until(done: Callable[[], bool]) -> None:
    """Wait for what does not wait for the end of all threads."""
    give_up = time.monotonic() + 5
    while not done():
        assert time.monotonic() < give_up
        await asyncio.sleep(0.01)


async def test_what_is_selected_is_written_and_said(store: Store, own_folders: Path) -> None:
    async with opened(store, size=(200, 40)) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "e", "end", "up", "enter")
        written = only_file(own_folders)
        said = screen.rows()[-2]
    assert written.name == "rank0_step13.json.gz"
    trace = trace_in(written)
    assert trace["metadata"]["selection"]["step"] == 13
    counts = trace["metadata"]["counts"]
    assert f"wrote {counts['slices'] + counts['instants']:,} slices, " in said
    assert str(written) in said


async def test_the_gap_under_the_cursor_is_what_is_proposed(
    store: Store, own_folders: Path
) -> None:
    async with opened(store) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "j", "e", "enter")
        selection = screen.app.place.selection
    assert selection is not None
    written = only_file(own_folders)
    [window] = trace_in(written)["metadata"]["selection"]["windows"]
    assert (window["from_ts"], window["to_ts"]) == selection.window


async def test_only_the_lanes_that_match_are_written(store: Store, own_folders: Path) -> None:
    async with opened(store) as screen:
        await screen.press("4", "e", "end", "tab")
        await screen.type("Stream 2")
        await screen.press("enter")
    written = only_file(own_folders)
    trace = trace_in(written)
    names = {one["args"]["name"] for one in trace["traceEvents"] if one["name"] == "thread_name"}
    assert names
    assert all("Stream 2" in name for name in names)


async def test_a_file_that_is_there_is_replaced_only_when_asked_twice(
    store: Store, own_folders: Path
) -> None:
    there = own_folders / "rank0.json.gz"
    there.write_text("mine")
    async with opened(store) as screen:
        await screen.press("4", "e", "end", "enter")
        assert "enter again replaces it" in screen.text()
        await screen.press("escape")
        assert there.read_text() == "mine"
        await screen.press("e", "end", "enter", "enter")
        assert "wrote" in screen.rows()[-2]
    assert there.read_bytes()[:2] == b"\x1f\x8b"


async def test_an_expression_that_is_none_is_said_in_the_dialog(
    store: Store, own_folders: Path
) -> None:
    async with opened(store) as screen:
        await screen.press("4", "e", "tab")
        await screen.type("(")
        await screen.press("enter")
        assert "lanes: missing )" in screen.text()
    assert not files(own_folders)


async def test_lanes_that_match_nothing_leave_no_file(store: Store, own_folders: Path) -> None:
    async with opened(store, size=(140, 40)) as screen:
        await screen.press("4", "e", "tab")
        await screen.type("nowhere")
        await screen.press("enter")
        assert "no lane matches 'nowhere'" in screen.rows()[-2]
    assert not files(own_folders)


def test_a_path_that_cannot_be_a_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.touch()
    for text, reason in {
        "": "give the file a name",
        "a\0b": "names no file",
        str(tmp_path): "is a directory",
        str(tmp_path / "none" / "x.json"): "there is no directory",
        str(there / "x.json"): "there is no directory",
        "/dev/null": "not a plain file",
        "x" * 300: "too long",
        str(tmp_path / "\x1b[31m" / "x"): "␛[31m",
    }.items():
        assert reason in (refusal(typed_path(text), text) or ""), text
    assert refusal(typed_path(str(there)), str(there)) is None
    assert refusal(typed_path("new.json"), "new.json") is None


def test_an_export_tells_how_far_it_is_and_what_it_is_told_ends_it(
    session: Session, own_folders: Path
) -> None:
    heard: list[tuple[int, int]] = []
    export(session, Selection(), own_folders / "x.json", told=lambda *one: heard.append(one))
    done, of = heard[-1]
    assert done == of == session.sql("SELECT count(*) FROM slice").rows[0][0]

    def stop(done: int, of: int) -> None:  # noqa: ARG001 whatever was done
        raise Interrupted("stopped")

    with pytest.raises(Interrupted):
        export(session, Selection(), own_folders / "y.json", told=stop)
    assert only_file(own_folders).name == "x.json"


def slow_choice(target_written: list[Path]) -> ExportChoice:
    """Return something to write that never comes to an end by itself."""

    def write(answers: Answers, target: Target, told: Told) -> str:  # noqa: ARG001 asks nothing
        target_written.append(target.path)
        try:
            while True:
                told("1 of 2 rows")
                time.sleep(0.01)
        finally:
            target_written.clear()

    return ExportChoice("slow", "slow.csv", write)


async def test_escape_stops_what_is_being_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    monkeypatch.setattr(Gaps, "export_choices", lambda _: [slow_choice(written)])
    async with opened(store) as screen:
        await screen.press("4", "e")
        screen.app.simulate_key("enter")
        await until(lambda: "1 of 2 rows   esc stops it" in screen.text())
        screen.app.simulate_key("escape")
        await until(lambda: "stopped; nothing was written" in screen.text())
        assert not written
        assert screen.app.view.WHERE == "gaps"
        await screen.press("escape")
        assert screen.app.view.WHERE == "overview"


async def test_the_end_of_the_app_stops_what_is_being_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    monkeypatch.setattr(Gaps, "export_choices", lambda _: [slow_choice(written)])
    async with opened(store) as screen:
        await screen.press("4", "e")
        screen.app.simulate_key("enter")
        await until(lambda: bool(written))
    await until(lambda: not written)


async def test_what_a_view_can_write_comes_first_and_its_errors_are_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(answers: Answers, target: Target, told: Told) -> str:  # noqa: ARG001 fails at once
        raise UsageError(f"{target.path}: \x1b[31m is full")

    choice = ExportChoice("the rows", "rows.csv", write)
    monkeypatch.setattr(Gaps, "export_choices", lambda _: [choice])
    async with opened(store) as screen:
        await screen.press("4", "e")
        assert "▌ the rows" in screen.text()
        assert "lanes  " not in screen.text()
        await screen.press("enter")
        assert "rows.csv: ␛[31m is full" in screen.rows()[-2]
