"""Text from data, made safe and measurable for a terminal.

Names in a trace, file names, error messages and query results may hold escape
sequences, line breaks or characters without width. They are shown as visible
signs and never swallowed: the reader sees that something was there. The store,
files and exports keep the true text; only what reaches a terminal is cleaned.
"""

import re
import unicodedata
from itertools import groupby

from rich.cells import cell_len, set_cell_size

ELLIPSIS = "…"

SHORTEST_END = 3
"""Cells of an end that is worth keeping."""

MAX_COMBINING_RUN = 8
"""Marks on one letter that are drawn; more are only meant to break the line."""

_INVISIBLE = re.compile(
    "["
    "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers and joiners
    "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "]"
)
"""Letters and marks by their category that draw nothing."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG_RUN = re.compile(f"[\u0300-\U0010ffff]{{{MAX_COMBINING_RUN + 1},}}")

_ASCII_SIGNS = str.maketrans(
    {
        "µ": "u",
        "\N{EN DASH}": "-",
        "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}": ">",
        "─": "-",
        "·": ".",
        "⟨": "<",
        "⟩": ">",
        ELLIPSIS: "~",
    }
)


def clean(text: str, limit: int | None = None) -> str:
    """Return text in which nothing can steer a terminal, cut to ``limit`` cells.

    Control characters become their control pictures; what has no width, turns the
    direction of writing, or has no meaning that is agreed on (Unicode's categories Cc,
    Cf, Cs, Co, Cn, Zl and Zp) becomes ``⟨U+XXXX⟩``; a run of more than eight combining
    marks becomes ``⟨+N⟩``. Applying it twice changes nothing.
    """
    if not text.isprintable():
        text = "".join(one if _is_drawn(one) else _sign(one) for one in text)
    if not text.isascii():
        text = _INVISIBLE.sub(_named, text)
        text = _LONG_RUN.sub(_collapsed, text)
    return text if limit is None else cut(text, limit)


def masked(text: str) -> str:
    """Return text in which nothing can steer a terminal, with a sign for each character.

    For text that is being written, in which places are counted in characters: what
    ``clean`` names in several becomes a control picture or U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    marks = 0
    signs: list[str] = []
    for one in text:
        marks = marks + 1 if _is_combining(one) else 0
        drawn = _is_drawn(one) and not _INVISIBLE.match(one) and marks <= MAX_COMBINING_RUN
        sign = one if drawn else _sign(one)
        signs.append(sign if len(sign) == 1 else "\ufffd")
    return "".join(signs)


def encodable(text: str) -> str:
    """Return text that UTF-8 can hold: bytes of a file name that are none become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def cut(text: str, width: int) -> str:
    """Cut clean text to ``width`` cells, the last of them an ellipsis.

    A character two cells wide is never split.
    """
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    return set_cell_size(text, width - 1) + ELLIPSIS


def cut_middle(text: str, width: int) -> str:
    """Cut clean text to ``width`` cells, an ellipsis in its middle."""
    if cell_len(text) <= width:
        return text
    room = width // 2
    if room < SHORTEST_END:
        return cut(text, width)
    start = len(text)
    while cell_len(text[start - 1 :]) <= room:
        start -= 1
    return set_cell_size(text, width - 1 - room) + ELLIPSIS + text[start:]


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill clean text with blanks to ``width`` cells; ``right`` aligns it there."""
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if right else text + blanks


def ascii_text(text: str) -> str:
    """Return clean text for a terminal that knows only ASCII, of the same width.

    Our own signs have equivalents; any other character becomes ``?`` per cell.
    """
    if text.isascii():
        return text
    return "".join(
        sign if sign.isascii() else "?" * cell_len(sign) for sign in text.translate(_ASCII_SIGNS)
    )


def _is_drawn(character: str) -> bool:
    # Python calls every blank but the ASCII one unprintable.
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _named(match: re.Match[str]) -> str:
    return _sign(match[0])


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"⟨U+{code:04X}⟩"


def _collapsed(match: re.Match[str]) -> str:
    parts: list[str] = []
    for combining, run in groupby(match[0], _is_combining):
        marks = "".join(run)
        too_long = combining and len(marks) > MAX_COMBINING_RUN
        parts.append(f"⟨+{len(marks)}⟩" if too_long else marks)
    return "".join(parts)


def _is_combining(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me"}
