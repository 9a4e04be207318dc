"""Markdown and HTML of a report: what is written is what is read, and nothing else."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hostile import NAMES
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from npuview.tui.draw.safe_text import clean
from npuview.tui.report import canvas
from npuview.tui.report.document import (
    CommandLine,
    Document,
    Head,
    Picture,
    Section,
    Sentences,
    Table,
)
from npuview.tui.report.markdown import PICTURE_PREFIX, code, escaped, markdown
from npuview.tui.report.web_page import web_page

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
"""Takes more for markup than our own page does: HTML and lines through text too."""

TEXTS = st.text(
    st.one_of(st.sampled_from(" \\`*_[]()<>|~&!#+-=.1a;:/\"'"), st.characters(codec="utf-8"))
)


class _Page(HTMLParser):
    """The text of a page, and its tags with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def _seen(text: str) -> str:
    """Return text as pages show it: blanks are one, and none are at the ends."""
    return " ".join(text.split())


def _document(*names: str) -> Document:
    heads = (Head("name", verbatim=True), Head("what"), Head("time", right=True))
    table = Table(heads, tuple((clean(name), clean(name), "1 ms") for name in names))
    picture = Picture("one", "a picture [of] *something*", canvas.picture(8, 8, "<&>", ()))
    listed = Sentences(tuple(clean(name) for name in names if clean(name).strip()), listed=True)
    section = Section("a # title", (table, picture, listed, CommandLine("npuview top 'a b'")))
    return Document("a <title>", "en", (Sentences(("lead", "second line")),), (section,))


@given(TEXTS)
def test_escaped_text_is_read_as_it_was(text: str) -> None:
    shown = clean(text)
    page = _Page(READER.render(f"before {escaped(shown)} after"))
    assert [tag for tag, _ in page.tags] == ["p"]
    assert _seen("".join(page.text)) == _seen(f"before {shown} after")


@given(TEXTS)
def test_escaped_text_begins_no_title_list_or_quotation(text: str) -> None:
    shown = clean(text).strip()
    page = _Page(READER.render(escaped(shown)))
    assert [tag for tag, _ in page.tags] == (["p"] if shown else [])
    assert _seen("".join(page.text)) == _seen(shown)


@given(TEXTS)
def test_a_name_in_a_table_stays_as_it_is_and_in_its_cell(text: str) -> None:
    shown = clean(text)
    row = f"| a | b |\n| --- | --- |\n| {code(shown, in_table=True)} | end |"
    page = _Page(READER.render(row))
    assert [tag for tag, _ in page.tags].count("td") == 2
    assert _seen("".join(page.text)) == _seen(f"a b {shown if shown.strip() else ''} end")


def test_hostile_names_are_no_markup_in_a_page() -> None:
    page = _Page(web_page(_document(*NAMES)))
    tags = {tag for tag, _ in page.tags}
    assert tags <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "br", "ul", "li"),
        *("table", "thead", "tbody", "tr", "th", "td", "code", "img", "div"),
    }
    assert sum(tag == "tr" for tag, _ in page.tags) == len(NAMES) + 1
    text = _seen(" ".join(page.text))
    for name in NAMES:
        if clean(name).strip() and "\ud800" not in name:
            assert _seen(clean(name)) in text


def test_a_page_loads_nothing() -> None:
    page = _Page(web_page(_document("a")))
    addresses = [
        value
        for _, attributes in page.tags
        for key, value in attributes.items()
        if key in {"src", "href", "action", "data"}
    ]
    assert len(addresses) == 1
    assert (addresses[0] or "").startswith(PICTURE_PREFIX)
    assert "default-src 'none'" in web_page(_document("a"))


def test_pictures_stand_at_the_end_of_the_text_and_are_whole() -> None:
    text = markdown(_document("a"))
    assert re.search(r"^!\[a picture \\\[of\\\] \\\*something\\\*\]\[one\]$", text, re.MULTILINE)
    last = text.splitlines()[-1]
    assert last.startswith(f"[one]: {PICTURE_PREFIX}")
    svg = b64decode(last.partition(",")[2]).decode()
    title = ET.fromstring(svg).find("{http://www.w3.org/2000/svg}title")  # noqa: S314 our own
    assert title is not None
    assert title.text == "<&>"


def test_parts_of_a_section_are_a_level_deeper() -> None:
    inner = Section("inner", (Sentences(("a",)),))
    document = Document("t", "en", (), (Section("outer", (), (inner,)),))
    assert markdown(document) == "# t\n\n## outer\n\n### inner\n\na\n"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("hcom_allReduce__586_0_1", "hcom_allReduce\\_\\_586_0_1"),
        ("<0.1 %", "<0.1 %"),
        ("<b>", "\\<b>"),
        ("1. one", "1\\. one"),
        ("- one", "\\- one"),
        ("a & b", "a & b"),
    ],
)
def test_only_what_could_be_markup_is_escaped(text: str, written: str) -> None:
    assert escaped(text) == written
