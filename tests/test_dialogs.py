"""Dialogs: they say what works here, do what is asked, and let nothing through to the view."""

import asyncio
import gzip
import json
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screen import Screen, opened

from npuview.ingest.errors import Interrupted, UsageError
from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.perfetto import export
from npuview.queries.selection import Selection
from npuview.queries.session import Session
from npuview.tui.answers import Answers
from npuview.tui.dialogs.export import refusal, typed_path
from npuview.tui.dialogs.fuzzy import match
from npuview.tui.dialogs.goto import RankNumber, SliceNumber, StepNumber, found_focus, read_goto
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.export.export_choice import ExportChoice, Target, Told
from npuview.tui.focus import Focus
from npuview.tui.places import Place
from npuview.tui.process.display import Display
from npuview.tui.run import Run
from npuview.tui.user.clipboard import MOST_BYTES, clipboard_text, copied
from npuview.tui.views.gaps import Gaps

SMALL = (60, 15)
NARROW = (80, 24)
DIALOGS = {"question_mark": "Keys", "colon": "Commands", "e": "Export", "B": "Bookmarks"}
HOSTILE = "[red]\x1b[31mX[/] [@click=app.quit()]" + "名" * 40


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a directory to write into and one for what is kept."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.delenv("STY", raising=False)
    return here


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def only_file(folder: Path) -> Path:
    [written] = files(folder)
    return written


def trace_in(path: Path) -> Any:  # noqa: ANN401 what JSON holds
    with gzip.open(path) as file:
        return json.load(file)


def facts(screen: Screen) -> Run:
    return screen.app.run_facts


async def until(done: Callable[[], bool]) -> None:
    """Wait for what does not wait for the end of all threads."""
    give_up = time.monotonic() + 5
    while not done():
        assert time.monotonic() < give_up
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("size", [SMALL, NARROW, (160, 45)])
async def test_a_dialog_is_whole_at_every_size(store: Store, size: tuple[int, int]) -> None:
    display = Display(glyphs="ascii", color=False)
    async with opened(store, size=size, display=display) as screen:
        await screen.press("4")
        for key, title in DIALOGS.items():
            await screen.press(key)
            rows = screen.rows()
            top = next(at for at, row in enumerate(rows) if f"- {title}" in row)
            bottom = max(at for at, row in enumerate(rows) if "+---" in row)
            assert top < bottom
            assert "esc close" in rows[bottom - 1] + rows[bottom - 2]
            assert screen.text().isascii()
            await screen.press("escape")


async def test_a_dialog_lets_no_key_through_and_gives_the_focus_back(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        before = screen.app.focused
        assert before is not None
        for key in DIALOGS:
            await screen.press(key, "1", "tab", "escape")
            assert screen.app.view.WHERE == "gaps"
            assert screen.app.focused is before
            assert len(screen.app.screen_stack) == 1


async def test_a_dialog_follows_the_terminal_to_another_size(store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await screen.press("4", "question_mark")
        assert "below" not in screen.text()
        await screen.resize(*SMALL)
        assert "below" in screen.text()
        assert max(len(row) for row in screen.rows()) <= SMALL[0]


async def test_before_the_profile_is_open_no_dialog_comes_up(store: Store) -> None:
    async with opened(store) as screen:
        run, screen.app._run = screen.app._run, None  # pyright: ignore[reportPrivateUsage] # as before the store is open
        await screen.press("e")
        assert "still being opened" in screen.text()
        assert len(screen.app.screen_stack) == 1
        screen.app._run = run  # pyright: ignore[reportPrivateUsage]


async def test_the_help_has_the_keys_of_the_place_and_of_no_other(store: Store) -> None:
    async with opened(store, size=(120, 50)) as screen:
        await screen.press("4", "question_mark")
        text = screen.text()
        assert "Keys: Gaps" in text
        assert "Every row is a time between two tasks" in text
        assert "Show only gaps of the next cause." in text
        assert "Go one row down." in text
        assert "Leave npuview." in text
        assert "Fit the window" not in text


async def test_every_key_that_may_mean_it_closes_the_help_and_not_the_app(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        for key in ("escape", "question_mark", "q", "f1", "enter"):
            await screen.press("question_mark")
            assert "Keys: Gaps" in screen.text()
            await screen.press(key)
            assert "Keys: Gaps" not in screen.text()
        assert screen.app.is_running


async def test_the_end_of_the_help_can_be_read_on_a_small_screen(store: Store) -> None:
    async with opened(store, size=SMALL) as screen:
        await screen.press("4", "question_mark")
        assert "Leave npuview." not in screen.text()
        await screen.press(*["pagedown"] * 9)
        assert "Leave npuview." in screen.text()
        assert "below" not in screen.text()
        await screen.press(*["pageup"] * 9)
        assert "When the device had nothing to do" in screen.text()


async def test_a_command_acts_where_its_key_would(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "colon")
        await screen.type("from which a gap")
        await screen.press("enter")
        assert "gaps from" in screen.rows()[-2]


async def test_a_step_can_be_gone_to_by_name(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "ctrl+p")
        await screen.type("go step 14")
        await screen.press("enter")
        assert screen.app.place.step == 14
        assert screen.app.view.WHERE == "gaps"


async def test_letters_that_no_command_has_choose_none(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "colon")
        await screen.type("zzzz")
        await screen.press("enter")
        assert "no command has these letters" in screen.text()


async def test_names_of_bookmarks_are_text_and_never_markup(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("4")
        screen.app.kept.add_bookmark(HOSTILE, screen.app.spot, facts(screen))
        await screen.press("colon")
        await screen.type("[red")
        assert "Bookmark: [red]␛[31mX[/] [@click=app.quit()]" in screen.text()
        await screen.press("escape", "B")
        assert "[red]␛[31mX[/]" in screen.text()
        await screen.press("d")
        assert "[red]" not in screen.text()


@given(st.text(max_size=12), st.text(max_size=40))
def test_a_match_names_the_letters_in_their_order(typed: str, text: str) -> None:
    found = match(typed, text)
    letters = [letter for word in typed.casefold().split() for letter in word]
    if found is not None:
        assert list(found.places) == sorted(set(found.places))
        assert [text.lower()[at] for at in found.places] == letters


@given(st.text("abc ", max_size=8), st.text("abc ", max_size=8), st.text("abc ", max_size=8))
def test_what_a_text_holds_is_found(before: str, typed: str, behind: str) -> None:
    assert match(typed, f"{before}{typed}{behind}") is not None


def test_the_start_of_a_word_counts_more_than_its_middle() -> None:
    start, middle = match("gap", "show the gaps"), match("gap", "show the agape")
    assert start is not None
    assert middle is not None
    assert start.score > middle.score


def test_many_equal_letters_take_no_time() -> None:
    begun = time.monotonic()
    assert match("a" * 60 + "b", "a" * 5_000) is None
    assert time.monotonic() - begun < 0.5


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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("step 50", StepNumber(50)),
        ("Slice123", SliceNumber(123)),
        (" rank 3 ", RankNumber(3)),
        ("+41.2ms", Place(41_200_000, relative=True)),
        ("1690000000000000000", Place(1_690_000_000_000_000_000, relative=False)),
    ],
)
def test_a_place_is_read_as_people_type_it(text: str, wanted: object) -> None:
    assert read_goto(text) == wanted


@pytest.mark.parametrize("text", ["", "step", "step -1", "slice x", "tomorrow"])
def test_what_is_no_place_says_what_is_one(text: str) -> None:
    with pytest.raises(UsageError, match="step N, slice N"):
        read_goto(text)


async def test_a_step_is_gone_to_in_the_view_that_is_shown(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "g")
        await screen.type("step 14")
        await screen.press("enter")
        assert (screen.app.view.WHERE, screen.app.place.step) == ("gaps", 14)


async def test_a_place_that_is_not_there_is_said(store: Store) -> None:
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4")
        before = screen.app.place
        for typed, said in {
            "step 99": "no step 99 here; there are: 12, 13, 14, 15",
            "rank 7": "no rank 7 is open here; there are: 0",
            "slice 999999999": "there is no slice 999999999 here",
            "90s": "that lies outside of it",
            "nonsense": "is no place in time",
        }.items():
            await screen.press("g")
            await screen.type(typed)
            await screen.press("enter")
            assert said in screen.rows()[-2]
            assert screen.app.place == before


async def test_an_instant_is_in_the_middle_of_a_window_in_its_step(store: Store) -> None:
    async with opened(store) as screen:
        run = facts(screen)
        wanted = found_focus(Place(450_000_000, relative=True), Focus(0, 12), run)
        period = run.period(0, 12)
    assert period is not None
    assert wanted.step == 13
    assert wanted.window is not None
    assert sum(wanted.window) // 2 == period.from_ts + 450_000_000


async def test_a_place_is_kept_listed_gone_to_and_deleted(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        screen.app.move(Focus(0, 13))
        await screen.press("4", "j", "b")
        kept = screen.app.place
        await screen.press("ctrl+u")
        await screen.type("slow")
        await screen.press("enter")
        assert "kept as slow" in screen.rows()[-2]
        screen.app.move(Focus(0, 12))
        await screen.press("1", "B")
        assert "step 13" in screen.row_with("slow")
        await screen.press("enter")
        there = screen.app.place
        assert (there.rank, there.step, there.window) == (kept.rank, kept.step, kept.window)
        assert screen.app.view.WHERE == "gaps"
        await screen.press("B", "d", "escape")
        assert not screen.app.kept.bookmarks


async def test_a_bookmark_gets_a_note_in_which_letters_are_text(store: Store) -> None:
    async with opened(store, size=(120, 40)) as screen:
        await screen.press("4", "b", "enter", "B", "n")
        await screen.type("dqn")
        await screen.press("enter")
        assert [one.note for one in screen.app.kept.bookmarks] == ["dqn"]
        await screen.press("n")
        await screen.type("x")
        await screen.press("escape", "escape")
        assert [one.note for one in screen.app.kept.bookmarks] == ["dqn"]


async def test_what_is_selected_reaches_the_clipboard(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4", "y")
        assert screen.app.clipboard == screen.app.view.copied()
        assert f"copied {screen.app.clipboard[:20]}" in screen.rows()[-2]
        assert "tmux" not in screen.rows()[-2]
        monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")  # noqa: S108 a made-up value
        await screen.press("y")
        assert "tmux set -s set-clipboard on" in screen.rows()[-2]


async def test_nothing_to_copy_is_said(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gaps, "copied", lambda _: "")
    async with opened(store) as screen:
        await screen.press("4", "y")
        assert "nothing is selected" in screen.rows()[-2]


async def test_a_text_too_long_for_a_terminal_goes_to_a_private_file(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "名" * (MOST_BYTES // 2)
    monkeypatch.setattr(Gaps, "copied", lambda _: text)
    async with opened(store, size=(160, 40)) as screen:
        await screen.press("4", "y")
        written = only_file(tmp_path / "state" / "npuview")
        assert "too long for the clipboard" in screen.rows()[-2]
        assert written.name in screen.rows()[-2]
        assert screen.app.clipboard == ""
    assert written.read_text(encoding="utf-8") == text
    assert stat.S_IMODE(written.stat().st_mode) == 0o600


def test_a_copy_keeps_lines_and_tabs_and_nothing_that_steers() -> None:
    assert clipboard_text("a\tb\nc\x1b]52;c;\x07\x9b") == "a\tb\nc␛]52;c;␇⟨U+009B⟩"
    assert copied("a\nb\nc", {}) == "copied 3 lines"
    assert "screen" in copied("a", {"STY": "1.x"})
    for environ in ({"TMUX": "x"}, {"STY": "1.x"}):
        assert cell_len(copied("数" * 100, environ)) <= 78


async def test_a_panel_takes_the_body_and_gives_it_back(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4")
        before = screen.rows()[:-2]
        for back in ("z", "escape"):
            await screen.press("z")
            assert "━━ Gaps" in screen.rows()[2]
            assert "── Why" not in screen.text()
            await screen.press(back)
            assert screen.rows()[:-2] == before
        assert screen.app.view.WHERE == "gaps"


async def test_another_view_is_shown_whole(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("4", "z", "1", "4")
        assert "── Why" in screen.text()
