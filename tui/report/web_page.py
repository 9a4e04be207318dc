"""A document as one page for browsers: nothing is loaded, and nothing in it runs."""

import re
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt

from ..draw.safe_text import encodable
from .document import Document
from .markdown import PICTURE_PREFIX, escaped, markdown

FOLDER = Path(__file__).parent

_HEAD = re.compile(r"(?<=>)[^<>]+(?=</th>)")
"""The name of a column, which may be broken behind an underscore."""


def web_page(document: Document) -> str:
    """Return a document as HTML.

    It is made of the Markdown, so that both say the same. Markup in a text is shown as
    it is, never taken; the only addresses are our own pictures, which are in the page.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.validateLink = lambda url: url.startswith(PICTURE_PREFIX)
    body = _HEAD.sub(lambda head: head[0].replace("_", "_<wbr>"), reader.render(markdown(document)))
    # What is wider than the page scrolls by itself: the page does not.
    body = body.replace("<table>", '<div class="table"><table>').replace(
        "</table>", "</table></div>"
    )
    page = FOLDER.joinpath("page.html").read_text("utf-8")
    return Template(page).substitute(
        language=document.language,
        title=encodable(reader.renderInline(escaped(document.title))),
        body=encodable(body),
    )
