"""The words of the screen in Chinese: titles, heads of columns, orders, footers and help."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Run
from screen import opened

from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui import words
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.keyboard.actions import ACTIONS
from npuview.tui.keyboard.key_places import PLACES
from npuview.tui.keyboard.keys import footer_entries, help_rows
from npuview.tui.views.gaps import GROUP_TITLES, GROUPS
from npuview.tui.views.top_operator import GROUPINGS
from npuview.tui.words.catalogue import words_of
from npuview.tui.words.spoken import Language, listed, shown, speak

TUI = Path(words.__file__).parents[1]
COLUMNS = {
    "Column", "place_column", "time_column", "share_column", "count_column", "size_column",
    "bar_column",
}  # fmt: skip
TITLED = {"RowList", "Panel", "TitleRule", "Section", "Field"}
SAME = {"", "p50", "p95", "SQL"}
"""What has no other word in Chinese."""

WIDTHS = {"time_column": 8, "share_column": 7, "count_column": 7, "size_column": 7}


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of a plain name in the code of the screen, with the name."""
    for file in TUI.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id, node


def texts(*nodes: ast.expr | None) -> list[str]:
    """Return those expressions that are literal texts."""
    return [
        one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


def said_on_screen() -> set[str]:
    """Return the literal titles, heads and orders that the code has."""
    found = {title for titles in GROUPINGS.values() for title in titles}
    found |= {*GROUPS.values(), *GROUP_TITLES.values()}
    for name, call in calls():
        if name in COLUMNS:
            found |= {*texts(*call.args[:1], keyword(call, "ordered"))}
            found |= {one for one in texts(*call.args[2:3]) if one.endswith("first")}
        elif name in TITLED:
            found |= {*texts(*call.args[(0 if name == "Section" else 1) :][:1])}
        elif name == "Fact":
            found |= {*texts(*call.args[:1])}
    return found - SAME


def test_every_title_head_and_order_of_the_screen_has_its_chinese() -> None:
    said = said_on_screen()
    assert {"total", "Operators", "most time first", "Calls"} <= said
    assert said - words_of("zh").screen.keys() == set()


def test_every_key_and_place_has_its_chinese_and_no_other_has() -> None:
    known = words_of("zh")
    assert known.keys.keys() == {action.id for action in ACTIONS}
    assert known.places_of_keys.keys() == PLACES.keys()
    # What has one entry of the footer together has one label.
    for one in ACTIONS:
        alike = [two for two in ACTIONS if (two.where, two.label) == (one.where, one.label)]
        if one.show is not None:
            assert len({known.keys[two.id].label for two in alike if two.show}) == 1, one.id


def test_chinese_heads_fit_into_their_columns() -> None:
    for name, call in calls():
        if name not in COLUMNS:
            continue
        given = keyword(call, "width")
        width = given.value if isinstance(given, ast.Constant) else WIDTHS.get(name)
        if isinstance(width, int):
            for title in texts(*call.args[:1]):
                chinese = words_of("zh").screen.get(title, title)
                assert cell_len(chinese) <= max(width, cell_len(title)), (title, chinese, width)


def test_the_footer_and_the_help_are_in_the_language_that_is_spoken() -> None:
    assert "sort" in [one.label for one in footer_entries("top", 160)]
    speak("zh")
    labels = [one.label for one in footer_entries("top", 160)]
    assert "排序" in labels
    assert not {"sort", "filter", "keys", "quit"} & set(labels)
    assert all(any("\u4e00" <= sign <= "\u9fff" for sign in row.about) for row in help_rows("gaps"))


def test_parts_of_a_title_are_looked_up_one_by_one() -> None:
    assert shown("v evidence   h host lane") == "v evidence   h host lane"
    speak("zh")
    assert shown("v evidence   12   h host lane") == "v 依据   12   h Host 泳道"


@pytest.mark.parametrize(("language", "said"), [("en", "a, b and c"), ("zh", "a、b和c")])
def test_a_list_is_joined_as_the_language_does(language: Language, said: str) -> None:
    speak(language)
    assert listed(["a", "b", "c"]) == said
    assert listed(["a"]) == "a"
    assert listed([]) == ""


@pytest.fixture
def store(sample: Path, places: Path) -> Store:
    return open_store(sample, cache_dir=places / "cache").store


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_columns_of_chinese_heads_stay_aligned(store: Store, size: tuple[int, int]) -> None:
    speak("zh")
    async with opened(store, size=size) as screen:
        await screen.press("greater_than_sign", "3")
        rows = screen.rows()
        assert all(cell_len(row) <= size[0] for row in rows)
        at = next(y for y, row in enumerate(rows) if "总计" in row)
        head, first = rows[at], rows[at + 1]
        # The head ends in the cell in which the share under it ends.
        assert cell_len(head) == cell_len(first) or size[0] == 160
        ends = cell_len(head[: head.index("总计") + 2])
        assert "s" in cut_cells(first, ends - 3, ends)
        assert "算子" in rows[at - 1]
        assert "most time first" not in screen.text()
        assert "筛选" in rows[-1]


def cut_cells(row: str, start: int, end: int) -> str:
    """Return the characters that lie in some cells of a row."""
    at, found = 0, ""
    for sign in row:
        if start <= at < end:
            found += sign
        at += cell_len(sign)
    return found


def test_ascii_cannot_show_chinese_and_says_so_once(run: Run, sample: Path) -> None:
    told = run("overview", sample, "--ascii", "--lang", "zh")
    assert told.out == run("overview", sample, "--ascii", "--lang", "en").out
    assert "?" not in told.out.split("\n", 3)[2]
    assert told.err.count("Chinese cannot be shown in ASCII") == 1
    assert run("overview", sample, "--ascii").err == ""
