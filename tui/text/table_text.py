"""Rows as aligned text: readable values under the columns' names, fitting the width.

No row is wrapped and no number is cut. Where the width is short, names of columns
are stacked, then text gives way in its middle, then the bar, and at last whole
columns from the right; which ones is told, never hidden. Names and the measure stay.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from ...queries.query import AnswerColumn
from ..draw import bars, numbers
from ..draw.names import fitted
from ..draw.safe_text import cell_len, clean, cut, pad
from .columns import Kind, is_name, kind_of, measure_of
from .terminal import Terminal

GAP = "  "
SHORTEST_TEXT = 16
"""Cells that a column of text keeps when it gives way."""

LONGEST_TEXT = 400
"""Cells of a text where no width limits it; the other formats have all of it."""

BAR_CELLS = 20
NARROW_BAR_CELLS = 8
WIDE = 140

PLACE_CELL_NS = 1_000
"""Places in time are printed to the microsecond, and can be typed back."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a table is drawn besides its values."""

    origin_ns: int | None = None
    """Where instants are counted from; None leaves them whole ns of the trace's clock."""
    compared: bool = False
    """Whether each column of times keeps one unit, so that digits stand under digits."""
    unit: numbers.Unit | None = None
    """One unit for all times of the table, where they are parts of one another."""
    bar: str | None = None
    """A column that is drawn as a bar as well, on the scale of its largest value."""
    plain: bool = False
    """Whether values are printed as they are: columns of SQL that somebody typed."""


class Drawing(NamedTuple):
    """The lines of a table, and the columns for which there was no room."""

    lines: list[str]
    left_out: tuple[str, ...]


class _Cells(NamedTuple):
    heads: tuple[str, ...]
    """The column's name in lines; empty over a bar."""
    cells: list[str]
    width: int
    right: bool = False
    flexible: bool = False
    stays: bool = False
    """Whether it is there at any width."""


def draw(
    columns: Sequence[AnswerColumn],
    rows: Iterable[Sequence[object]],
    terminal: Terminal,
    style: Style | None = None,
) -> Drawing:
    """Draw rows under their columns; no trailing newline, no trailing blanks."""
    style = style or Style()
    by_column: list[list[object]] = [[] for _ in columns]
    for row in rows:
        for values, value in zip(by_column, row, strict=True):
            values.append(value)
    measure = style.bar or measure_of(columns)
    parts: list[_Cells] = []
    for column, values in zip(columns, by_column, strict=True):
        stays = is_name(column) or column.name == measure
        parts.append(_column_cells(column, values, style)._replace(stays=stays))
        if column.name == style.bar and terminal.width is not None:
            parts.append(_bar_cells(values, terminal))
    kept, left_out = _fitted(parts, terminal.width)
    return Drawing(_lines(kept, terminal), left_out)


def readable(value: object, kind: Kind, style: Style, unit: numbers.Unit | None = None) -> str:
    """Return one value as people read it; text comes out clean."""
    if value is None:
        return _missing(kind, unit)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    match kind, value:
        case Kind.FLAG, bool():
            text = "yes" if value else "no"
        case ((Kind.TIME | Kind.DIFFERENCE), int() | float() | Decimal()):
            text = _time(round(value), kind, unit)
        case Kind.INSTANT, int() if style.origin_ns is not None:
            text = numbers.place(value - style.origin_ns, PLACE_CELL_NS, numbers.MILLISECONDS)
        case Kind.SHARE, float():
            text = numbers.share_field(numbers.ratio(value))
        case Kind.TIMES, float():
            text = numbers.times(value)
        case _, int() | float() if kind in _AMOUNTS:
            text = _AMOUNTS[kind](round(value))
        case _, float():
            text = repr(value) if style.plain else f"{value:.6g}"
        case _:
            text = clean(str(value), LONGEST_TEXT)
    return text


_AMOUNTS: dict[Kind, Callable[[int], str]] = {
    Kind.SIZE: numbers.size,
    Kind.MEMORY: numbers.memory,
    Kind.GROWTH: numbers.memory_difference,
    Kind.RATE: lambda amount: f"{numbers.size(amount)}/s",
    Kind.COUNT: numbers.count,
}


def _time(ns: int, kind: Kind, unit: numbers.Unit | None) -> str:
    if unit is None:
        return numbers.time_field(ns)
    if kind is Kind.DIFFERENCE:
        return numbers.time_difference(0, ns, unit)
    return numbers.time_in(ns, unit)


def _missing(kind: Kind, unit: numbers.Unit | None) -> str:
    """Return the dash of a value that is not known, where its number would stand."""
    match kind:
        case Kind.TIME | Kind.DIFFERENCE if unit is not None:
            return f"{numbers.NOT_MEASURED} {' ' * len(unit.sign)}"
        case Kind.TIME | Kind.DIFFERENCE:
            return numbers.time_field(None)
        case Kind.SHARE:
            return numbers.share_field(numbers.NOT_MEASURED)
        case _:
            return numbers.NOT_MEASURED


def _column_cells(column: AnswerColumn, values: Sequence[object], style: Style) -> _Cells:
    kind = kind_of(column)
    if style.plain and kind is not Kind.TEXT:
        kind = Kind.PLAIN
    unit = style.unit
    if unit is None and (style.compared or kind is Kind.DIFFERENCE):
        unit = numbers.column_unit(value for value in values if isinstance(value, int))
    cells = [readable(value, kind, style, unit) for value in values]
    is_text = kind is Kind.TEXT
    head = clean(column.name)
    return _Cells((head,), cells, _widest((head, *cells)), right=not is_text, flexible=is_text)


def _bar_cells(values: Sequence[object], terminal: Terminal) -> _Cells:
    lengths = [value if isinstance(value, int) else 0 for value in values]
    longest = max(lengths, default=0)
    width = BAR_CELLS if (terminal.width or 0) >= WIDE else NARROW_BAR_CELLS
    drawn = [
        bars.bar(length, longest, width, ascii_level=terminal.ascii_level) for length in lengths
    ]
    return _Cells((), drawn, _widest(drawn))


def _fitted(parts: list[_Cells], width: int | None) -> tuple[list[_Cells], tuple[str, ...]]:
    """Make columns narrower, then fewer, until they fit; name those that are left out."""
    if width is None or _total(parts) <= width:
        return parts, ()
    parts = [_stacked(part) for part in parts]
    if _total(parts, SHORTEST_TEXT) > width:
        parts = [part for part in parts if part.heads]
    left_out: list[str] = []
    for at in reversed(range(len(parts))):
        if len(parts) == 1 or _total(parts, SHORTEST_TEXT) <= width:
            break
        if not parts[at].stays:
            left_out.append("_".join(parts.pop(at).heads))
    # Text gives way together: the longest texts first, down to one width.
    limit = width
    while limit > 1 and _total(parts, limit) > width:
        limit -= 1
    return [_limited(part, limit) for part in parts], tuple(reversed(left_out))


def _stacked(part: _Cells) -> _Cells:
    """Write the words of a column's name one above the other if that saves room."""
    widest = _widest(part.cells)
    if not part.heads or cell_len(part.heads[0]) <= widest:
        return part
    heads: list[str] = []
    for word in part.heads[0].split("_"):
        joined = f"{heads[-1]}_{word}" if heads else word
        if heads and cell_len(joined) <= widest:
            heads[-1] = joined
        else:
            heads.append(word)
    return part._replace(heads=tuple(heads), width=max(widest, _widest(heads)))


def _limited(part: _Cells, limit: int) -> _Cells:
    if not part.flexible or part.width <= limit:
        return part
    heads = tuple(cut(head, limit) for head in part.heads)
    # Of a sentence the beginning stays, of a name both ends.
    cells = [
        cut(cell, limit) if " " in cell and not part.stays else fitted(cell, limit)
        for cell in part.cells
    ]
    return part._replace(heads=heads, cells=cells, width=limit)


def _total(parts: Sequence[_Cells], limit: int | None = None) -> int:
    widths = (
        part.width if limit is None or not part.flexible else min(part.width, limit)
        for part in parts
    )
    return sum(widths) + len(GAP) * (len(parts) - 1)


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _lines(parts: Sequence[_Cells], terminal: Terminal) -> list[str]:
    height = max((len(part.heads) for part in parts), default=0)
    padded: list[list[str]] = []
    for part in parts:
        heads = ("",) * (height - len(part.heads)) + part.heads
        padded.append([pad(text, part.width, right=part.right) for text in (*heads, *part.cells)])
    lines = [terminal.text(GAP.join(row).rstrip()) for row in zip(*padded, strict=True)]
    return [
        terminal.paint(line, bold=True) if at < height else line for at, line in enumerate(lines)
    ]
