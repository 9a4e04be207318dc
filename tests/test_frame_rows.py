"""The rows around every view: crumb, status line and keys, at every width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.look import Look
from npuview.tui.draw.run import Attributes, Run
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.keyboard.key_places import PLACES
from npuview.tui.keyboard.keys import footer_entries, footer_gap
from npuview.tui.widgets.frame import SEPARATOR, VIEW_NAMES, Crumb, KeyLine, StatusLine

WIDTHS = (80, 100, 120, 160)

words = st.text("abc 算子é", min_size=1, max_size=40)
ways = st.lists(words, max_size=6)


def text(runs: list[Run]) -> str:
    return "".join(run.text for run in runs)


def crumb(parts: list[str], view: int, width: int, *, lost: bool = False) -> list[Run]:
    made = Crumb(Look())
    made.parts, made.view, made.lost = parts, view, lost
    return list(made.draw_line(0, width))


@pytest.mark.parametrize("width", WIDTHS)
@given(parts=ways, view=st.integers(0, 5), lost=st.booleans())
def test_the_crumb_fits_and_keeps_its_tabs_whole(
    width: int, parts: list[str], view: int, lost: bool
) -> None:
    runs = crumb(parts, view, width, lost=lost)
    assert cell_len(text(runs)) <= width
    tabs = text(crumb([], view, width)).split("npuview")[1].strip()
    assert text(runs).endswith(tabs)
    assert ("! " in text(runs)) == lost


@pytest.mark.parametrize("width", WIDTHS)
@given(parts=st.lists(words, min_size=1, max_size=6))
def test_the_crumb_is_cut_from_the_left_at_whole_parts(width: int, parts: list[str]) -> None:
    runs = crumb(parts, 2, width)
    [last] = [run.text for run in runs if run.attributes == Attributes.BOLD and "[" not in run.text]
    assert last == parts[-1] or "…" in last
    before = [run.text for run in runs if run.text.endswith(SEPARATOR)]
    kept = parts[len(parts) - 1 - len(before) : -1]
    assert before == [part + SEPARATOR for part in kept]


def test_the_crumb_says_the_name_of_the_program_where_there_is_room() -> None:
    assert text(crumb(["rank 0", "step 12"], 1, 160)).startswith(
        f" npuview  rank 0{SEPARATOR}step 12"
    )
    assert text(crumb(["x" * 60, "step 12"], 1, 80)).startswith(" step 12")
    assert text(crumb([], 1, 80)).startswith(" npuview")


@pytest.mark.parametrize(
    ("width", "tabs"),
    [
        (80, "1 2 [3 Top] 4 5"),
        (120, "1 Overview  2 Timeline  [3 Top]  4 Gaps  5 SQL"),
        (160, "1 Overview   2 Timeline   [3 Top]   4 Gaps   5 SQL"),
    ],
)
def test_the_views_are_named_as_far_as_there_is_room(width: int, tabs: str) -> None:
    assert text(crumb(["rank 0"], 3, width)).endswith(" " + tabs)


@pytest.mark.parametrize("view", range(6))
def test_the_view_that_is_shown_is_in_brackets_and_bold(view: int) -> None:
    bold = [run.text for run in crumb([], view, 160) if run.attributes == Attributes.BOLD]
    assert bold == ([f"[{view} {VIEW_NAMES[view - 1]}]"] if view else [])


@pytest.mark.parametrize("width", [80, 99, 100, 140, 200])
@pytest.mark.parametrize("where", PLACES)
def test_the_keys_are_whole_entries_that_fit(where: str, width: int) -> None:
    line = KeyLine(Look())
    line.where = where
    drawn = text(list(line.draw_line(0, width)))
    assert cell_len(drawn) <= width
    gap = " " * footer_gap(width)
    entries = footer_entries(where, width)
    assert drawn.strip() == gap.join(f"{one.keys} {one.label}" for one in entries)
    assert len(entries) > 1


@pytest.mark.parametrize("level", ["unicode", "ascii"])
@given(said=st.text("abc算…", max_size=200), message=st.text("xyz子", max_size=200))
def test_the_status_line_fits_and_a_message_takes_its_place(
    level: str, said: str, message: str
) -> None:
    line = StatusLine(Look("ascii" if level == "ascii" else "unicode"))
    line.text, line.message = said, message
    drawn = text(list(line.draw_line(0, 80)))
    assert cell_len(drawn) <= 80
    assert drawn.isascii() or level != "ascii"
    shown = (message or said)[:20]
    if level == "unicode":
        assert drawn.startswith(f" {shown}")
