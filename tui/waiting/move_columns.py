"""The columns in which movements of data are listed, together and one by one."""

from collections.abc import Sequence

from ..draw import numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.safe_text import cut
from ..widgets.figure_columns import (
    bar_column,
    count_column,
    place_column,
    share_column,
    size_column,
    time_column,
)
from ..widgets.row_list import Column
from .data_moves import Move, MoveGroup

WIDE = 96
FULL = 120
BY_CELLS = 22
NARROW_BY_CELLS = 17


def group_columns(
    groups: Sequence[MoveGroup], period: int, look: Look, width: int
) -> Sequence[Column[MoveGroup]]:
    """Return the columns of groups for a table of ``width`` cells; shares are of ``period``, ns."""
    return (
        Column("kind", lambda group, cells: cut(group.kind, cells), width=8, from_width=FULL),
        Column("name", lambda group, cells: fitted(group.name, cells)),
        Column(
            "by",
            lambda group, cells: cut(group.by, cells),
            width=BY_CELLS if width >= WIDE else NARROW_BY_CELLS,
        ),
        count_column("count", lambda group: group.count, "most often first"),
        time_column("total", lambda group: group.total, "most time first"),
        bar_column(
            "of most", groups, lambda group: group.total, Role.MOVING, look, wide=width >= FULL
        ),
        share_column("share", lambda group: numbers.share(group.total, period), from_width=WIDE),
        time_column("longest", lambda group: group.longest, from_width=FULL),
        size_column("bytes", lambda group: group.size),
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
    return (
        place_column("at", lambda move: move.ts, origin),
        time_column("moved for", lambda move: move.dur, width=9),
        bar_column("of most", found, lambda move: move.dur, Role.MOVING, look, wide=width >= FULL),
        size_column("bytes", lambda move: move.size),
        Column("speed", lambda move, _: speed(move.size, move.dur), width=9, right=True),
        Column("name", lambda move, cells: fitted(move.name, cells)),
    )


def speed(size: int | None, ns: int) -> str:
    """Return bytes per second; a dash where the size is not known."""
    return numbers.NOT_MEASURED if size is None else numbers.rate(size, ns)
