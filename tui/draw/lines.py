"""Whole lines: titles with a rule, and sentences broken to a width."""

import re
import textwrap

from rich.cells import set_cell_size

from ..words.spoken import PARTED
from .safe_text import ELLIPSIS, cell_len, cut

NARROWEST = 8
"""Cells of a line of a sentence."""

LEAST_PART = 20
"""Cells of a part that are worth to be shown without its end."""

_PIECE = re.compile(
    r"[\u201c\uff08]?(?:[!-~\xb5\xd7]+|.)[\uff0c\u3002\uff1b\uff1a\u3001\uff09\u201d]* ?"
)
"""A word or a wide character, with Chinese marks that may not end or begin a line."""


def rule(title: str, remark: str, width: int, *, ascii_level: bool = False) -> str:
    """Draw a clean title with a line to the right edge, a remark at its end if there is room."""
    line = "-" if ascii_level else "─"
    head = f"{line * 2} {title} "
    tail = f" {remark}" if remark and cell_len(head) + cell_len(remark) + 4 <= width else ""
    return head + line * (width - cell_len(head) - cell_len(tail)) + tail


def parts_within(text: str, width: int) -> str:
    """Return clean text, whose parts stand three blanks apart, in ``width`` cells.

    What has no room at its end is cut where enough of its last part is left to be read;
    else an ellipsis is left of the part: half a figure would be another one.
    """
    parts, said = text.split(PARTED), text
    while len(parts) > 1 and cell_len(said) > width:
        left = width - cell_len(PARTED.join(parts[:-1])) - len(PARTED)
        if left >= LEAST_PART:
            return cut(PARTED.join(parts), width)
        parts.pop()
        said = f"{PARTED.join(parts)} {ELLIPSIS}"
    return cut(said, width)


def wrapped(sentence: str, width: int, *, indent: str = "  ") -> list[str]:
    """Break a clean sentence into lines of cells; all but the first begin with ``indent``."""
    width = max(width, NARROWEST)
    if cell_len(sentence) == len(sentence):
        return textwrap.wrap(sentence, width, break_on_hyphens=False, subsequent_indent=indent)
    lines = [""]
    for piece in _PIECE.findall(sentence):
        if cell_len(lines[-1] + piece.rstrip()) > width and lines[-1].strip():
            lines.append(indent)
            piece = piece.lstrip()  # noqa: PLW2901 - blanks between words end with the line
        while cell_len(lines[-1] + piece.rstrip()) > width:
            fitting = set_cell_size(piece, width - cell_len(lines[-1])).rstrip()
            lines[-1] += fitting
            piece = piece[len(fitting) :]  # noqa: PLW2901 - the rest of a word without a break
            lines.append(indent)
        lines[-1] += piece
    return [line.rstrip() for line in lines]
