"""The columns of an answer for a table on the screen: how wide, how read, how many fit."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, clean, cut
from ..text.columns import Kind, kind_of, measure_of, unique_names
from ..text.table_text import Style, readable
from ..widgets.row_list import COLUMN_GAP, MARK_CELLS, Column
from ..words.spoken import shown

if TYPE_CHECKING:
    from ...queries.query import AnswerColumn
    from .kept_answer import Row

LONGEST_TEXT = 200
"""Cells of the longest text that a column makes room for."""
SHORT_TEXT = 20
"""Cells of a text while other columns wait for room."""
SHORTEST_TEXT = 12
"""Cells from which on a text that is cut is worth a column."""
MEASURED_TEXTS = 1_000
"""Rows whose texts are measured; longer ones further down are cut."""

WIDE = 96
WIDE_BAR = 20
NARROW_BAR = 8
BAR_TITLES = ("of largest", "largest")
"""The heads of a bar, the first one that fits."""

_LEAST_CELLS = {
    Kind.FLAG: 3,
    Kind.COUNT: len("999,999"),
    Kind.TIME: len("  706 µs"),
    Kind.DIFFERENCE: len("  706 µs"),
    Kind.SIZE: len("19.3 MB"),
    Kind.RATE: len("59.7 GB/s"),
    Kind.SHARE: len(" 74.7 %"),
}
"""Cells of any value of a kind but the extreme ones, which are measured."""


class Extent(NamedTuple):
    """The columns that are shown: from the first, counted from 0, to before ``stop``."""

    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A column with what its values mean and the cells of the widest one."""

    place: int
    title: str
    kind: Kind
    unit: numbers.Unit | None
    cells: int
    largest: int
    """The largest value of a column of whole numbers, the scale of its bar; else 0."""

    @property
    def is_text(self) -> bool:
        """Tell whether the values are text, which may be cut."""
        return self.kind is Kind.TEXT


@dataclass(frozen=True, slots=True)
class AnswerColumns:
    """The measured columns of an answer, and which of them has a bar."""

    style: Style
    measured: tuple[Measured, ...]
    bar: int | None

    def shown(self, width: int, first: int) -> list[tuple[Measured, int]]:
        """Return the columns from ``first`` on for which a table has room, with their cells.

        One is shown at any width. Numbers are never cut; text gets what is left over.
        """
        room = width - MARK_CELLS
        shown: list[tuple[Measured, int]] = []
        for one in self.measured[first:]:
            cells = min(one.cells, SHORT_TEXT) if one.is_text else one.cells
            gap = COLUMN_GAP if shown else 0
            if cells + gap > room:
                if not one.is_text or room - gap < SHORTEST_TEXT:
                    if not shown:
                        shown.append((one, max(1, room)))
                        room = 0
                    break
                cells = room - gap
            shown.append((one, cells))
            room -= cells + gap
        for at, (one, cells) in enumerate(shown):
            more = max(0, min(room, one.cells - cells)) if one.is_text else 0
            shown[at] = (one, cells + more)
            room -= more
        return shown

    def extent(self, width: int, first: int) -> Extent:
        """Return which columns a table of a width shows."""
        return Extent(first, first + len(self.shown(width, first)))

    def drawn(
        self, width: int, first: int, look: Look, *, stale: Callable[[], bool]
    ) -> Sequence[Column["Row"]]:
        """Return the columns of a table; while they are ``stale`` their values are dim."""
        fitting = self.shown(width, first)
        used = sum(cells + COLUMN_GAP for _, cells in fitting) + MARK_CELLS
        bar = WIDE_BAR if width >= WIDE else NARROW_BAR
        columns: list[Column[Row]] = []
        for one, cells in fitting:
            columns.append(self._column(one, cells, look, stale))
            if one.place == self.bar and used + bar <= width:
                columns.append(_bar_column(one, bar, look, stale))
        return columns

    def _column(
        self, one: Measured, width: int, look: Look, stale: Callable[[], bool]
    ) -> Column["Row"]:
        def draw(row: "Row", cells: int) -> Sequence[Run]:
            value = readable(row[one.place], one.kind, self.style, one.unit)
            if one.is_text:
                value = cut(value, cells) if " " in value else fitted(value, cells)
            return [Run(look.text(value), Role.DIM if stale() else Role.PLAIN)]

        return Column(
            one.title,
            draw,
            width=width,
            right=not one.is_text,
            order=lambda row: row[one.place],
            descending=not one.is_text,
        )


def measured_columns(
    columns: Sequence["AnswerColumn"], rows: Sequence["Row"], style: Style
) -> AnswerColumns:
    """Measure the columns of an answer; in a plain style all values stay as they are."""
    found = tuple(
        _measured(place, column, title, [row[place] for row in rows], style)
        for place, (column, title) in enumerate(zip(columns, unique_names(columns), strict=True))
    )
    names = [column.name for column in columns]
    measure = None if style.plain else measure_of(columns)
    bar = names.index(measure) if measure is not None else None
    return AnswerColumns(style, found, bar if bar is None or found[bar].largest else None)


def _measured(
    place: int, column: "AnswerColumn", title: str, values: Sequence[object], style: Style
) -> Measured:
    kind = kind_of(column)
    if style.plain and kind is not Kind.TEXT:
        kind = Kind.PLAIN
    unit = None
    if kind is Kind.DIFFERENCE:
        unit = numbers.column_unit(value for value in values if isinstance(value, int))
    known = [value for value in values if isinstance(value, int | float | Decimal)]
    finite = [value for value in known if math.isfinite(value)]
    extremes = [min(finite), max(finite)] if finite else []

    def cells_of(some: Iterable[object]) -> int:
        return max((cell_len(readable(value, kind, style, unit)) for value in some), default=1)

    if kind is Kind.TEXT:
        cells = min(cells_of(values[:MEASURED_TEXTS]), LONGEST_TEXT)
    elif kind is Kind.PLAIN and any(isinstance(value, float | Decimal) for value in known):
        cells = cells_of(values)
    else:
        # Between the extremes a number may be longer, but for the sign never than these.
        signed = bool(extremes) and extremes[0] < 0
        cells = max(cells_of(extremes), _LEAST_CELLS.get(kind, 1) + signed)
    largest = extremes[-1] if extremes else 0
    heading = clean(title)
    return Measured(
        place,
        heading,
        kind,
        unit,
        max(cells, cell_len(heading)),
        largest if isinstance(largest, int) and largest > 0 else 0,
    )


def _bar_column(one: Measured, width: int, look: Look, stale: Callable[[], bool]) -> Column["Row"]:
    def draw(row: "Row", cells: int) -> Sequence[Run]:
        value = row[one.place]
        length = value if isinstance(value, int) else 0
        drawn = bars.bar(length, one.largest, cells, ascii_level=look.ascii_level)
        return [Run(drawn, Role.DIM if stale() else Role.PLAIN)]

    title = next((one for one in map(shown, BAR_TITLES) if cell_len(one) <= width), "")
    return Column(title, draw, width=width)
