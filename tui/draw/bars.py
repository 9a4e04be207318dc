"""Bars made of characters: exact to an eighth of a cell, and never empty for a little.

A part that is not zero gets the least mark at least; no part gets more cells than
its share rounded up, so ink stays proportional to time.
"""

from collections.abc import Sequence
from typing import NamedTuple

EIGHTHS = " ▏▎▍▌▋▊▉█"
FULL = "█"
ASCII_FULL = "#"


class Ink(NamedTuple):
    """The character of a part of a stacked bar, and the one at ASCII level."""

    unicode: str
    ascii: str


COMPUTING = Ink("█", "#")
MOVING = Ink("▓", "+")
UNSPLIT = Ink("░", "%")
WAITING = Ink("▒", "=")
IDLE = Ink("·", ".")


def bar(part: int | None, whole: int | None, width: int, *, ascii_level: bool = False) -> str:
    """Draw ``part / whole`` from left to right without a track, at most ``width`` cells.

    Both are integers in the same unit; a part beyond the whole fills the width.
    """
    if not part or not whole or part < 0 or whole < 0 or width <= 0:
        return ""
    part = min(part, whole)
    if ascii_level:
        cells = max(1, _nearest(part * width, whole))
        return ASCII_FULL * cells
    eighths = max(1, _nearest(part * width * 8, whole))
    full, rest = divmod(eighths, 8)
    return FULL * full + (EIGHTHS[rest] if rest else "")


def difference(value: int, most: int, width: int, *, ascii_level: bool = False) -> str:
    """Draw a difference from a mark in the middle: to the left less, to the right more.

    ``most`` takes ``width`` cells on one side, both in the same unit; what is not zero
    has one at least. It is ``2 * width + 1`` cells wide.
    """
    cells = 0
    if value and most > 0 and width > 0:
        cells = min(width, max(1, _nearest(abs(value) * width, most)))
    ink = (ASCII_FULL if ascii_level else FULL) * cells
    left, right = (ink, "") if value < 0 else ("", ink)
    return f"{left:>{width}}{'|' if ascii_level else '│'}{right:<{width}}"


def stacked(
    parts: Sequence[tuple[int, Ink]], width: int, whole: int = 0, *, ascii_level: bool = False
) -> str:
    """Draw parts one after another, together ``sum / whole`` of ``width`` cells.

    ``whole`` is the scale that several bars share; without it the parts are the
    whole. Every part above zero has a cell, as long as there is room.
    """
    values = [max(0, value) for value, _ in parts]
    total = sum(values)
    if total == 0 or width <= 0:
        return ""
    room = width if total >= whole else max(1, _nearest(total * width, whole))
    inks = [ink.ascii if ascii_level else ink.unicode for _, ink in parts]
    return "".join(ink * cells for ink, cells in zip(inks, _apportioned(values, room), strict=True))


def _apportioned(values: Sequence[int], cells: int) -> list[int]:
    """Divide cells by largest remainder; each value above zero gets one if it can."""
    total = sum(values)
    shares = [value * cells // total for value in values]
    by_remainder = sorted(range(len(values)), key=lambda at: -(values[at] * cells % total))
    for at in by_remainder[: cells - sum(shares)]:
        shares[at] += 1
    for at, value in enumerate(values):
        richest = max(range(len(values)), key=lambda other: shares[other])
        if value and not shares[at] and shares[richest] > 1:
            shares[richest] -= 1
            shares[at] = 1
    return shares


def _nearest(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)
