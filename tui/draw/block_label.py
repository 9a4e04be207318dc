"""What is written inside a slice: its name and length, as far as they fit."""

from functools import lru_cache

from . import names, numbers
from .safe_text import ascii_text, cell_len, clean, pad

SHORTEST_NAME = 4
"""Cells of a name that was cut; with fewer it says nothing."""


@lru_cache(maxsize=8192)
def block_label(
    start: str, name: str, dur: int | None, width: int, *, ascii_level: bool = False
) -> str:
    """Return the text of a block, exactly ``width`` cells: ``start``, name and length.

    Where there is no room the length goes first, then the name is cut, then dropped.
    The length is dropped as a whole: half a number is another number. ``name`` may hold
    anything; ``dur`` is in ns, None if the slice never ended.
    """
    if width <= 0:
        return ""
    name = clean(name)
    length = "" if dur is None else numbers.time(dur)
    if ascii_level:
        # Not after cutting: the sign of a cut is a cell wide, that of a wide sign two.
        name, length = ascii_text(name), ascii_text(length)
    text = start + _fitted(name, length, width - cell_len(start))
    if ascii_level:
        text = ascii_text(text)
    return pad(text, width)


def _fitted(name: str, length: str, width: int) -> str:
    both = f"{name} {length}".strip()
    if cell_len(both) <= width:
        return both
    if cell_len(name) <= width:
        return name
    return names.fitted(name, width) if width >= SHORTEST_NAME else ""
