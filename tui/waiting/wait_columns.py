"""The columns in which waits are listed by what was waited for."""

from collections.abc import Sequence

from ..draw import numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.safe_text import cut
from ..widgets.figure_columns import bar_column, count_column, share_column, time_column
from ..widgets.row_list import Column
from ..words.spoken import shown
from .wait_groups import WaitGroup

WIDE = 96
REMARK_FROM = 130
REMARK_CELLS = 36


def wait_columns(
    groups: Sequence[WaitGroup], period: int, look: Look, width: int
) -> Sequence[Column[WaitGroup]]:
    """Return the columns for a table of ``width`` cells; shares are of ``period``, ns.

    The bars are on the scale of the group of ``groups`` with the most time.
    """
    return (
        Column("kind", lambda group, cells: cut(shown(group.kind), cells), width=6),
        Column("name", lambda group, cells: cut(group.name, cells)),
        count_column("count", lambda group: group.count, "most often first"),
        time_column("total", lambda group: group.total, "most time first"),
        bar_column(
            "of most", groups, lambda group: group.total, Role.WAITING, look, wide=width >= WIDE
        ),
        share_column("share", lambda group: numbers.share(group.total, period), from_width=WIDE),
        time_column("longest", lambda group: group.longest),
        Column(
            "",
            lambda group, cells: cut(group.remark, cells),
            width=REMARK_CELLS,
            from_width=REMARK_FROM,
        ),
    )
