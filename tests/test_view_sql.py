"""SQL on the screen: a statement runs, fails, is stopped, saved, and its rows lead somewhere."""

import asyncio
import time
from pathlib import Path

import pytest
from screen import Screen, opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.queries.catalog import shipped_queries
from npuview.tui.dialogs.parameters import Parameters
from npuview.tui.dialogs.questions import Questions
from npuview.tui.export.export_choice import Target
from npuview.tui.process.display import Display
from npuview.tui.widgets.answer_table import AnswerTable
from npuview.tui.widgets.editor import Editor

NARROW = (80, 24)
WIDE = (160, 45)
ENDLESS = "SELECT count(*) FROM slice a, slice b, slice c WHERE a.ts % 7 + b.ts % 7 > c.ts % 11"


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.fixture(autouse=True)
def presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a folder of presets of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "config" / "npuview" / "presets"
    folder.mkdir(parents=True)
    return folder


async def ask(screen: Screen, text: str) -> None:
    """Put a statement into the editor of the shown SQL view and run it."""
    editor(screen).focus()
    editor(screen).put(text)
    await screen.press("ctrl+j")


def editor(screen: Screen) -> Editor:
    return screen.app.query_one(Editor)


def answer(screen: Screen) -> AnswerTable:
    return screen.app.query_one(AnswerTable)


async def test_a_typed_statement_shows_its_rows_with_their_count_and_time(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("5")
        await screen.type("select 7 as step, 1500000 as dur")
        await screen.press("ctrl+j")
        assert "Result  1 row  " in screen.text()
        row = screen.row_with("1.50 ms")
        assert row.startswith("▌")
        assert " 7 " in row
        assert editor(screen).has_focus


async def test_times_have_units_and_a_copy_has_whole_ns(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT 1234567 AS dur, 'a' AS name, NULL AS wait_ns")
        assert "1.23 ms" in screen.text()
        assert screen.app.view.copied() == "1234567\ta\t"
        await screen.press("escape", "u")
        assert "1234567" in screen.text()
        await screen.press("u")
        assert "1.23 ms" in screen.text()


async def test_an_error_is_shown_with_its_mark_and_the_last_answer_stays(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT 42 AS answered")
        await ask(screen, "SELECT nothing_like_it FROM slice")
        rows = screen.rows()
        at = next(at for at, row in enumerate(rows) if "LINE 1:" in row)
        assert rows[at + 1].index("^") == rows[at].index("nothing_like_it")
        assert "42" in screen.text()
        assert answer(screen).stale
        await ask(screen, "SELECT 43")
        assert "LINE 1:" not in screen.text()
        assert not answer(screen).stale


@pytest.mark.parametrize(
    "text", ["DROP TABLE slice", "COPY slice TO 'x.csv'", "SELECT 1; SELECT 2"]
)
async def test_what_does_not_only_read_is_refused_with_a_sentence(text: str, store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, text)
        assert "not allowed" in screen.text() or "one statement at a time" in screen.text()


async def test_escape_stops_a_statement_and_leaves_the_last_answer(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT 42 AS answered")
        editor(screen).put(ENDLESS)
        await screen.hit("ctrl+j")
        for _ in range(50):
            await asyncio.sleep(0.05)
            if "esc stops it" in screen.text():
                break
        assert "running" in screen.text()
        assert "esc stops it" in screen.text()
        begun = time.monotonic()
        await screen.hit("escape")
        await screen.settle()
        assert time.monotonic() - begun < 5
        assert "stopped" in screen.text()
        assert "42" in screen.text()
        assert not answer(screen).stale
        assert screen.app.view.WHERE == "sql"


async def test_escape_leaves_the_editor_then_the_filter_then_the_view(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT unnest(['ab', 'bc', 'cd']) AS name")
        await screen.press("escape")
        assert answer(screen).has_focus
        answer(screen).filter("b")
        await screen.settle()
        assert "2 of 3 rows" in screen.text()
        await screen.press("escape")
        assert "2 of 3 rows" not in screen.text()
        await screen.press("escape")
        assert screen.app.view.WHERE == "overview"


async def test_an_empty_answer_and_an_empty_statement_are_said(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5", "ctrl+j")
        assert "there is no statement" in screen.text()
        await ask(screen, "SELECT 1 WHERE FALSE")
        assert "No rows: nothing in this profile answers to that." in screen.text()
        assert "0 rows" in screen.text()


async def test_columns_without_room_are_scrolled_to_and_counted(store: Store) -> None:
    names = [f"column_number_{number:02}" for number in range(20)]
    listed = ", ".join(f"{number} AS {name}" for number, name in enumerate(names))
    async with opened(store, size=NARROW) as screen:
        await screen.press("5")
        await ask(screen, f"SELECT {listed}")
        assert "columns 1-4 of 20" in screen.text()
        assert names[4] not in screen.row_with(names[0])
        await screen.press("escape", "l", "l")
        assert "columns 3-6 of 20" in screen.text()
        for _ in range(25):
            await screen.hit("l")
        await screen.settle()
        assert "columns 17-20 of 20" in screen.text()
        assert names[-1] in screen.text()
        await screen.press("left")
        assert "columns 16-19 of 20" in screen.text()


async def test_hostile_text_in_statement_and_answer_steers_nothing(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT '\x1b[31m' || chr(27) || '[2J\u202e' AS \"[red]a\x1b\"")
        assert "\x1b" not in screen.text()
        assert "\u202e" not in screen.text()
        assert "[red]a␛" in screen.text()
        assert "␛[2J⟨U+202E⟩" in screen.text()
        assert "'␛[31m'" in screen.text()


async def test_at_ascii_level_and_without_colour_the_view_is_ascii(store: Store) -> None:
    async with opened(store, display=Display(glyphs="ascii", color=False)) as screen:
        await screen.press("5")
        await ask(screen, "SELECT 'é' AS name, 15 AS dur")
        assert screen.text().isascii()
        await screen.press("ctrl+o")
        assert screen.text().isascii()


async def test_a_chosen_question_runs_as_it_is_shipped_until_it_is_changed(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5", "ctrl+o")
        assert isinstance(screen.app.screen, Questions)
        await screen.type("longest")
        await screen.press("escape")
        await screen.press("ctrl+o")
        await screen.type("late peers")
        await screen.press("enter")
        assert isinstance(screen.app.screen, Parameters)
        await screen.press("enter")
        shown = answer(screen).answer
        assert shown is not None
        assert shown.query is shipped_queries()["peers"]
        assert editor(screen).text == shipped_queries()["peers"].sql
        await screen.press("ctrl+j")
        assert answer(screen).answer is not shown
        assert (again := answer(screen).answer) is not None
        assert again.query.origin == "shipped"
        editor(screen).put(editor(screen).text + "-- mine")
        await screen.press("ctrl+j")
        assert (own := answer(screen).answer) is not None
        assert own.query.origin == "typed"
        assert own.rows == again.rows


async def test_values_are_those_of_the_place_and_times_are_read(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("greater_than_sign", "5")
        step = screen.app.place.step
        assert step is not None
        screen.app.open_view("sql", item="gaps")
        await screen.settle()
        assert f"step INTEGER    {step}" in screen.text()
        dialog = screen.app.screen
        assert isinstance(dialog, Parameters)
        for _ in range(4):
            await screen.press("down")
        await screen.type("soon")
        await screen.press("enter")
        assert "no length of time" in screen.text()
        await screen.press(*["backspace"] * 4)
        await screen.type("1us")
        await screen.press("enter")
        shown = answer(screen).answer
        assert shown is not None
        assert shown.params["min_dur"] == 1_000
        assert shown.params["step"] == str(step)
        assert {row[4] for row in shown.rows} == {step}


async def test_a_typed_parameter_is_asked_for_and_kept(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT $what AS said")
        assert isinstance(screen.app.screen, Parameters)
        await screen.type("hello")
        await screen.press("enter")
        assert "hello" in screen.row_with("▌ hello")
        assert "with what=hello" in screen.text()
        await screen.press("ctrl+j")
        assert not isinstance(screen.app.screen, Parameters)
        await screen.press("escape", "p")
        assert isinstance(screen.app.screen, Parameters)


async def test_a_statement_is_saved_with_a_header_and_listed(store: Store, presets: Path) -> None:
    async with opened(store) as screen:
        await screen.press("greater_than_sign", "5")
        editor(screen).put("SELECT name FROM slice WHERE step = $step")
        await screen.press("ctrl+s")
        await screen.type("My slices")
        await screen.press("enter")
        file = presets / "my_slices.sql"
        assert file.read_text() == (
            "-- title:   My slices\n"
            "-- param:   step INTEGER\n"
            "SELECT name FROM slice WHERE step = $step\n"
        )
        await screen.press("ctrl+o")
        assert "▌ My slices" in screen.text()
        await screen.press("enter", "enter")
        shown = answer(screen).answer
        assert shown is not None
        assert shown.query.origin == "user"


async def test_a_saved_question_is_not_written_over_by_another_one(
    store: Store, presets: Path
) -> None:
    (presets / "mine.sql").write_text("-- title:   Mine\nSELECT 1\n")
    async with opened(store) as screen:
        await screen.press("5")
        editor(screen).put("SELECT 2")
        await screen.press("ctrl+s")
        await screen.type("mine")
        await screen.press("enter")
        assert "there is a question mine already" in screen.text()
        assert (presets / "mine.sql").read_text().endswith("SELECT 1\n")
        screen.app.open_view("sql", item="mine")
        await screen.settle()
        editor(screen).put("SELECT 3")
        await screen.press("ctrl+s", "enter")
        assert (presets / "mine.sql").read_text().endswith("SELECT 3\n")


async def test_a_file_that_is_no_question_is_listed_last_with_its_reason(
    store: Store, presets: Path
) -> None:
    (presets / "broken.sql").write_text("-- tittle: x\nSELECT 1\n")
    async with opened(store, size=WIDE) as screen:
        await screen.press("5", "ctrl+o")
        await screen.type("broken")
        assert "not usable" in screen.row_with("▌ broken.sql")
        assert "'tittle'" in screen.text()
        await screen.press("enter")
        assert isinstance(screen.app.screen, Questions)


async def test_a_question_that_is_not_there_is_said(store: Store) -> None:
    async with opened(store) as screen:
        screen.app.open_view("sql", item="gapz")
        await screen.settle()
        assert "no preset 'gapz'; did you mean gap" in screen.text()


async def test_a_row_with_a_slice_leads_to_the_timeline(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT slice_id FROM slice WHERE class = 'compute' LIMIT 1")
        await screen.press("escape", "enter")
        assert screen.app.view.WHERE == "timeline"
        selection = screen.app.place.selection
        assert selection is not None
        row = answer(screen).row
        assert row is not None
        assert selection.slice_id == row[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT 1 AS one", "no slice_id, gap_id or ts"),
        ("SELECT -5::BIGINT AS slice_id", "no such slice or gap"),
        ("SELECT 5 AS ts, 6 AS dur", "outside of the run"),
    ],
)
async def test_a_row_that_leads_nowhere_says_why(text: str, said: str, store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, text)
        await screen.press("escape", "enter")
        assert said in screen.text()
        assert screen.app.view.WHERE == "sql"


async def test_the_tables_stand_beside_the_statement_or_in_its_place(store: Store) -> None:
    async with opened(store, size=WIDE) as screen:
        await screen.press("5")
        assert "Tables" in screen.row_with("Query")
    async with opened(store, size=NARROW) as screen:
        await screen.press("5")
        assert "Tables" not in screen.text()
        await screen.press("escape", "t")
        assert "Query" not in screen.text()
        assert "BIGINT" in screen.text()
        await screen.press("escape")
        assert "Query" in screen.text()
        await screen.press("t")
        tables = screen.app.view.table
        assert tables is not None
        assert tables.find("step")
        await screen.press("enter")
        assert editor(screen).text == 'FROM "step" LIMIT 100'
        assert (shown := answer(screen).answer) is not None
        assert shown.rows


async def test_older_statements_come_back_and_what_was_written_too(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "SELECT 1")
        await ask(screen, "SELECT 2")
        editor(screen).put("SELECT 3")
        await screen.press("ctrl+up")
        assert editor(screen).text == "SELECT 2"
        await screen.press("ctrl+up", "ctrl+up")
        assert editor(screen).text == "SELECT 1"
        await screen.press("ctrl+down", "ctrl+down")
        assert editor(screen).text == "SELECT 3"
        assert tuple(screen.app.kept.history) == ("SELECT 1", "SELECT 2")


async def test_the_whole_answer_is_exported(store: Store, tmp_path: Path) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        assert not screen.app.view.export_choices()
        await ask(screen, "SELECT range AS n FROM range(3)")
        [choice] = screen.app.view.export_choices()
        file = tmp_path / "answer.csv"
        told: list[str] = []
        said = choice.write(screen.app.answers, Target(file), told.append)
        assert file.read_text() == "n\n0\n1\n2\n"
        assert said == f"3 rows, {file.stat().st_size} B"
        assert told


async def test_more_rows_than_are_kept_are_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("npuview.tui.sql.kept_answer.MOST_ROWS", 70)
    async with opened(store, size=WIDE) as screen:
        await screen.press("5")
        await ask(screen, "FROM range(71)")
        assert "first 70 rows; e exports all" in screen.text()
        await ask(screen, "FROM range(70)")
        assert "Result  70 rows" in screen.text()


async def test_the_editor_grows_with_its_text_and_leaves_room_for_rows(store: Store) -> None:
    async with opened(store, size=NARROW) as screen:
        await screen.press("5")
        assert editor(screen).size.height == 3
        editor(screen).put("SELECT 1,\n" * 5 + "2")
        await screen.settle()
        assert editor(screen).size.height == 6
        editor(screen).put("SELECT 1,\n" * 50 + "2")
        await screen.settle()
        assert editor(screen).size.height == 8


async def test_a_plan_is_shown_line_by_line(store: Store) -> None:
    async with opened(store) as screen:
        await screen.press("5")
        await ask(screen, "EXPLAIN SELECT count(*) FROM slice")
        shown = answer(screen).answer
        assert shown is not None
        assert len(shown.rows) > 1
        assert "plan" in screen.text()
