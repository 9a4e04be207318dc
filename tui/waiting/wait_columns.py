"""The columns in which waits are listed by what was waited for."""

from collections.abc import Sequence

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cut
from ..widgets.row_list import Column
from .wait_groups import WaitGroup

WIDE = 96
REMARK_FROM = 130
WIDE_BAR = 20
NARROW_BAR = 8
REMARK_CELLS = 36


def wait_columns(
    groups: Sequence[WaitGroup], period: int, look: Look, width: int
) -> Sequence[Column[WaitGroup]]:
    """Return the columns for a table of ``width`` cells; shares are of ``period``, ns.

    The bars are on the scale of the group of ``groups`` with the most time.
    """
    most = max((group.total for group in groups), default=0)

    def bar(group: WaitGroup, cells: int) -> Sequence[Run]:
        drawn = bars.bar(group.total, most, cells, ascii_level=look.ascii_level)
        return [Run(drawn, Role.WAITING)]

    return (
        Column("kind", lambda group, cells: cut(group.kind, cells), width=6),
        Column("name", lambda group, cells: cut(group.name, cells)),
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
        Column("of most", bar, width=WIDE_BAR if width >= WIDE else NARROW_BAR),
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
        ),
        Column(
            "",
            lambda group, cells: cut(group.remark, cells),
            width=REMARK_CELLS,
            from_width=REMARK_FROM,
        ),
    )
