"""A document as Markdown: readable as it is, and the source of the page for browsers.

Names of a profile stand in code spans and all other text is escaped, so that nothing of
a trace can become markup. Pictures are named where they belong and stand, as data, at
the end: the text above them stays readable.
"""

import re
from base64 import b64encode
from collections.abc import Iterator

from .document import Block, CommandLine, Document, Head, Picture, Section, Sentences, Table

PICTURE_PREFIX = "data:image/svg+xml;base64,"

_ACTIVE = re.compile(
    r"""[\\`*\[\]|~]               # of these any may begin markup
    | (?<![^\W_])_ | _(?![^\W_])   # within a word it is plain
    | <(?=[a-zA-Z/!?])             # a tag
    | &(?=\#|\w+;)                 # an entity
    """,
    re.VERBOSE,
)

_AT_START = re.compile(r"(?:([#>=]|[+-](?=[\s+-]|$))|(\d+)([.)])(?=\s|$))")
"""What would begin a title, a quotation or a list."""

_BACKTICKS = re.compile("`+")


def markdown(document: Document) -> str:
    """Return a document as CommonMark with tables, ending with a newline."""
    lines = [f"# {escaped(document.title)}", ""]
    pictures: list[Picture] = []
    lines += _blocks(document.lead, pictures)
    for section in document.sections:
        lines += _section(section, 2, pictures)
    lines += (f"[{one.name}]: {PICTURE_PREFIX}{_encoded(one.svg)}" for one in pictures)
    return "\n".join(lines).rstrip("\n") + "\n"


def escaped(text: str) -> str:
    """Return clean text in which nothing is markup, without blanks around it."""
    text = _ACTIVE.sub(lambda match: f"\\{match[0]}", text.strip())
    if (start := _AT_START.match(text)) is None:
        return text
    sign, number, end = start.groups()
    return (f"\\{sign}" if sign else f"{number}\\{end}") + text[start.end() :]


def code(text: str, *, in_table: bool = False) -> str:
    """Return clean text as a code span, in which it stays as it is; empty text stays empty."""
    if not text.strip():
        return ""
    longest = max((len(one) for one in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    padded = f" {text} " if text.startswith("`") or text.endswith("`") else text
    # A table is divided into cells before spans are looked for.
    inside = padded.replace("|", "\\|") if in_table else padded
    return f"{fence}{inside}{fence}"


def _section(section: Section, level: int, pictures: list[Picture]) -> Iterator[str]:
    yield f"{'#' * level} {escaped(section.title)}"
    yield ""
    yield from _blocks(section.blocks, pictures)
    for part in section.parts:
        yield from _section(part, level + 1, pictures)


def _blocks(blocks: tuple[Block, ...], pictures: list[Picture]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Sentences(lines, listed=True):
                yield from (f"- {escaped(line)}" for line in lines)
            case Sentences(lines):
                # Two blanks end a line without ending the paragraph.
                yield "  \n".join(map(escaped, lines))
            case Table():
                yield from _table(block)
            case Picture(name, words):
                pictures.append(block)
                yield f"![{escaped(words)}][{name}]"
            case CommandLine(text):
                yield code(text)
        yield ""


def _table(table: Table) -> Iterator[str]:
    yield _row(escaped(head.text) for head in table.heads)
    yield _row("---:" if head.right else "---" for head in table.heads)
    for row in table.rows:
        yield _row(_cell(text, head) for text, head in zip(row, table.heads, strict=True))


def _cell(text: str, head: Head) -> str:
    return code(text, in_table=True) if head.verbatim else escaped(text)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _encoded(svg: str) -> str:
    return b64encode(svg.encode()).decode("ascii")
