"""Shapes of a picture, as SVG: whole pixels, a plain font, nothing that is loaded."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from ..draw.safe_text import cell_len

FONT_PX = 12
LETTER_PX = 7.3
"""Width of a letter of the font, about: browsers draw it with a font of their own."""

INK = "#222222"
FAINT = "#888888"
GRID = "#E4E4E4"
MARK = "#FFF3C4"
"""Ground of what is pointed out."""


def picture(width: int, height: int, words: str, shapes: Iterable[str]) -> str:
    """Return a picture of a size in pixels; ``words`` say what it shows."""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
            f' viewBox="0 0 {width} {height}" role="img"',
            f' font-family="ui-monospace, DejaVu Sans Mono, monospace" font-size="{FONT_PX}">',
            f"<title>{escape(words)}</title>",
            box(0, 0, width, height, "#FFFFFF"),
            *shapes,
            "</svg>",
        )
    )


def box(x: float, y: float, width: float, height: float, color: str) -> str:
    """Return a filled box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{color}"/>'


def line(x1: float, y1: float, x2: float, y2: float, color: str = FAINT) -> str:
    """Return a line."""
    return f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{color}" fill="none"/>'


def area(points: Iterable[tuple[float, float]], color: str) -> str:
    """Return a filled area within a line through points."""
    path = "L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path d="M{path}Z" fill="{color}"/>'


def label(x: float, y: float, text: str, color: str = INK, *, anchor: str = "start") -> str:
    """Return clean text with its base line at ``y``; ``anchor`` is start, middle or end."""
    placed = f'x="{x:g}" y="{y:g}" fill="{color}"'
    if anchor != "start":
        placed += f" text-anchor={quoteattr(anchor)}"
    return f"<text {placed}>{escape(text)}</text>"


def width(text: str) -> float:
    """Return about how wide clean text is in pixels."""
    return cell_len(text) * LETTER_PX


def letters(width: float) -> int:
    """Return how many letters have room in a width in pixels."""
    return max(0, int(width / LETTER_PX))
