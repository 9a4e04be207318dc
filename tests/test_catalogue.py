"""What is said of a run: every word of it in every language, and as wide as there is room."""

import ast
import re
from pathlib import Path

import pytest

from npuview.queries.catalog import shipped_queries
from npuview.queries.rows_collection import UntoldRow
from npuview.queries.session import Session
from npuview.tui import words
from npuview.tui.collect.hints import hints
from npuview.tui.commands.overview import gather
from npuview.tui.draw.boxes import LABEL_CELLS, SHORT_LABEL_CELLS
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.text.overview_text import overview_lines
from npuview.tui.text.terminal import Terminal
from npuview.tui.words.catalogue import words_of
from npuview.tui.words.spoken import LANGUAGES, Language, counted, say, speak, untold_words

TUI = Path(words.__file__).parents[1]

MADE_OF = re.compile(r"(fact|figure|gap|info|picture|warm_up|why)_\w+")
"""Names of texts that are put together from a word."""

SAME = re.compile(
    r"[\W\d_]*|AI CPU|Stage|Prefill|Decode|Prefill\+Decode|H2D|D2H|D2D"
    r"|(.*\brank\b|device|slice).*",
    re.IGNORECASE,
)
"""What may be the same in every language: values alone, and terms of the field."""


def literals() -> set[str]:
    """Return every literal text in the code of the screen and of text commands."""
    return {
        node.value
        for file in TUI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def asked_for() -> set[str]:
    """Return the name of every text that the code asks for by a literal."""
    return {
        argument.value
        for file in TUI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"
        for argument in node.args[:1]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_every_text_that_is_asked_for_is_there_and_every_text_there_is_asked_for() -> None:
    texts = words_of("en").texts.keys()
    assert asked_for() <= texts
    assert {name for name in texts - literals() if not MADE_OF.fullmatch(name)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hint_and_everything_that_cannot_be_told_has_its_words(language: Language) -> None:
    known = words_of(language)
    assert known.hints.keys() == hints().keys()
    asked = shipped_queries()["untold"].sql
    ordered = re.findall(r"'(\w+)'", asked[asked.index("list_position") :])
    assert set(ordered) == known.untold.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_boxes_fit_into_the_columns_that_they_stand_in(language: Language) -> None:
    known = words_of(language)
    assert max(map(cell_len, known.short_boxes.values())) < SHORT_LABEL_CELLS
    for names in (known.boxes, known.text_boxes):
        assert max(map(cell_len, names.values())) < LABEL_CELLS


def test_chinese_is_not_english_left_over() -> None:
    english, chinese = words_of("en"), words_of("zh")
    for name in ("texts", "causes", "stages", "places", "phases", "parts", "boxes", "untold"):
        for key, text in getattr(chinese, name).items():
            bare = re.sub(r"\{\w+\}", "", text)
            same = text == getattr(english, name)[key]
            assert not same or SAME.fullmatch(bare), (name, key, text)


def test_what_cannot_be_told_is_told_as_the_question_tells_it(session: Session) -> None:
    rows = session.run(shipped_queries()["untold"]).as_(UntoldRow)
    assert rows
    for row in rows:
        assert untold_words(row.name, None, row.values) == row.sample
        speak("zh")
        assert re.search("[\u4e00-\u9fff]", untold_words(row.name, None, row.values))
        speak("en")


def test_a_language_is_spoken_from_the_moment_on_that_it_is_chosen() -> None:
    assert (say("inferred"), counted(1, "gap"), counted(2, "gap")) == (
        "inferred",
        "1 gap",
        "2 gaps",
    )
    speak("zh")
    assert (say("inferred"), counted(1_721, "gap")) == ("推断", "1,721 个空泡")


def test_what_has_no_words_is_told_clean() -> None:
    assert "\x1b" not in untold_words("news", "\x1b[31mred")


@pytest.mark.parametrize("width", [80, 160])
def test_chinese_columns_stand_under_each_other(session: Session, width: int) -> None:
    speak("zh")
    lines = overview_lines(gather(session, 13), Terminal(width))
    assert max(map(cell_len, lines)) <= width
    names = list(words_of("zh").text_boxes.values())
    boxes = [line for line in lines if line.split(" ")[0] in names and " % " in line]
    assert len(boxes) == len(names) - 1
    assert len({cell_len(line[: line.index(" %")]) for line in boxes}) == 1
