"""Columns that most tables have: a place in time, a time, a share, a count, a bar, a size."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from .row_list import Column

RowType = TypeVar("RowType")

PLACE_CELLS = 14
PLACE_CELL_NS = 1000
"""Places are told to the microsecond."""

TIME_CELLS = 8
SHARE_CELLS = 7
WIDE_BAR = 20
NARROW_BAR = 8


def place_column(
    title: str, ts: Callable[[RowType], int], origin: int, *, from_width: int = 0
) -> Column[RowType]:
    """Return a column of instants, told in ms from ``origin``, ns."""
    return Column(
        title,
        lambda row, _: numbers.place(ts(row) - origin, PLACE_CELL_NS, numbers.MILLISECONDS),
        width=PLACE_CELLS,
        right=True,
        order=ts,
        descending=False,
        ordered="in time",
        from_width=from_width,
    )


def time_column(
    title: str,
    ns: Callable[[RowType], int | None],
    ordered: str = "longest first",
    *,
    width: int = TIME_CELLS,
    from_width: int = 0,
) -> Column[RowType]:
    """Return a column of lengths, ns, each in its own unit; one without ``ordered`` is no order."""
    return Column(
        title,
        lambda row, _: numbers.time_field(ns(row)),
        width=width,
        right=True,
        order=ns if ordered else None,
        ordered=ordered,
        from_width=from_width,
    )


def share_column(
    title: str, share: Callable[[RowType], str], *, from_width: int = 0
) -> Column[RowType]:
    """Return a column of shares, as ``numbers`` writes them."""
    return Column(
        title,
        lambda row, _: numbers.share_field(share(row)),
        width=SHARE_CELLS,
        right=True,
        from_width=from_width,
    )


def count_column(
    title: str, count: Callable[[RowType], int], ordered: str, *, width: int = 7
) -> Column[RowType]:
    """Return a column of counts."""
    return Column(
        title,
        lambda row, _: numbers.count(count(row)),
        width=width,
        right=True,
        order=count,
        ordered=ordered,
    )


def size_column(
    title: str, size: Callable[[RowType], int | None], *, width: int = 7, from_width: int = 0
) -> Column[RowType]:
    """Return a column of sizes in bytes."""
    return Column(
        title,
        lambda row, _: numbers.size(size(row)),
        width=width,
        right=True,
        order=size,
        ordered="most bytes first",
        from_width=from_width,
    )


def bar_column(
    title: str,
    rows: Sequence[RowType],
    ns: Callable[[RowType], int],
    role: Callable[[RowType], Role] | Role,
    look: Look,
    *,
    wide: bool,
) -> Column[RowType]:
    """Return a column of bars, on the scale of the longest of ``rows``."""
    most = max(map(ns, rows), default=0)

    def draw(row: RowType, cells: int) -> Sequence[Run]:
        bar = bars.bar(ns(row), most, cells, ascii_level=look.ascii_level)
        return [Run(bar, role if isinstance(role, Role) else role(row))]

    return Column(title, draw, width=WIDE_BAR if wide else NARROW_BAR)
