"""The columns in which movements of data are listed, together and one by one."""

from collections.abc import Sequence

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cut
from ..widgets.row_list import Column
from .data_moves import Move, MoveGroup

WIDE = 96
FULL = 120
WIDE_BAR = 20
NARROW_BAR = 8
BY_CELLS = 22
NARROW_BY_CELLS = 17


def group_columns(
    groups: Sequence[MoveGroup], period: int, look: Look, width: int
) -> Sequence[Column[MoveGroup]]:
    """Return the columns of groups for a table of ``width`` cells; shares are of ``period``, ns."""
    most = max((group.total for group in groups), default=0)

    def bar(group: MoveGroup, cells: int) -> Sequence[Run]:
        return _bar(group.total, most, cells, look)

    return (
        Column("kind", lambda group, cells: cut(group.kind, cells), width=8, from_width=FULL),
        Column("name", lambda group, cells: fitted(group.name, cells)),
        Column(
            "by",
            lambda group, cells: cut(group.by, cells),
            width=BY_CELLS if width >= WIDE else NARROW_BY_CELLS,
        ),
        Column(
            "count",
            lambda group, _: numbers.count(group.count),
            width=7,
            right=True,
            order=lambda group: group.count,
            ordered="most often first",
        ),
        Column(
            "total",
            lambda group, _: numbers.time_field(group.total),
            width=8,
            right=True,
            order=lambda group: group.total,
            ordered="most time first",
        ),
        Column("of most", bar, width=WIDE_BAR if width >= FULL else NARROW_BAR),
        Column(
            "share",
            lambda group, _: numbers.share_field(numbers.share(group.total, period)),
            width=7,
            right=True,
            from_width=WIDE,
        ),
        Column(
            "longest",
            lambda group, _: numbers.time_field(group.longest),
            width=8,
            right=True,
            order=lambda group: group.longest,
            ordered="longest first",
            from_width=FULL,
        ),
        Column(
            "bytes",
            lambda group, _: numbers.size(group.size),
            width=7,
            right=True,
            order=lambda group: group.size,
            ordered="most bytes first",
        ),
        Column(
            "speed",
            lambda group, _: speed(group.size, group.timed),
            width=9,
            right=True,
            from_width=FULL,
        ),
    )


def move_columns(
    found: Sequence[Move], origin: int, look: Look, width: int
) -> Sequence[Column[Move]]:
    """Return the columns of movements for a table of ``width`` cells.

    Places are told from ``origin``, ns; the bars are on the scale of the longest of all.
    """
    most = max((move.dur for move in found), default=0)

    def bar(move: Move, cells: int) -> Sequence[Run]:
        return _bar(move.dur, most, cells, look)

    return (
        Column(
            "at",
            lambda move, _: numbers.place(move.ts - origin, 1000, numbers.MILLISECONDS),
            width=14,
            right=True,
            order=lambda move: move.ts,
            descending=False,
            ordered="in time",
        ),
        Column(
            "moved for",
            lambda move, _: numbers.time_field(move.dur),
            width=9,
            right=True,
            order=lambda move: move.dur,
            ordered="longest first",
        ),
        Column("of most", bar, width=WIDE_BAR if width >= FULL else NARROW_BAR),
        Column(
            "bytes",
            lambda move, _: numbers.size(move.size),
            width=7,
            right=True,
            order=lambda move: move.size,
            ordered="most bytes first",
        ),
        Column("speed", lambda move, _: speed(move.size, move.dur), width=9, right=True),
        Column("name", lambda move, cells: fitted(move.name, cells)),
    )


def speed(size: int | None, ns: int) -> str:
    """Return bytes per second; a dash where the size is not known."""
    return numbers.NOT_MEASURED if size is None else numbers.rate(size, ns)


def _bar(part: int, whole: int, cells: int, look: Look) -> Sequence[Run]:
    return [Run(bars.bar(part, whole, cells, ascii_level=look.ascii_level), Role.MOVING)]
