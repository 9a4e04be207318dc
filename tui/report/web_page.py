"""A document as one page for browsers: nothing is loaded, and nothing in it runs."""

from pathlib import Path
from string import Template

from markdown_it import MarkdownIt

from ..draw.safe_text import encodable
from .document import Document
from .markdown import PICTURE_PREFIX, escaped, markdown

FOLDER = Path(__file__).parent


def web_page(document: Document) -> str:
    """Return a document as HTML.

    It is made of the Markdown, so that both say the same. Markup in a text is shown as
    it is, never taken; the only addresses are our own pictures, which are in the page.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.validateLink = lambda url: url.startswith(PICTURE_PREFIX)
    page = FOLDER.joinpath("page.html").read_text("utf-8")
    return Template(page).substitute(
        language=document.language,
        title=encodable(reader.renderInline(escaped(document.title))),
        body=encodable(reader.render(markdown(document))),
    )
