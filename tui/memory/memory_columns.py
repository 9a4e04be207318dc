"""The columns in which holders of memory and its level by step are listed."""

from collections.abc import Sequence

from ...queries.rows_memory import MemoryHoldersRow, MemoryStepsRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean
from ..widgets.row_list import Column
from ..words.spoken import say

WIDE = 96
FULL = 120
MEMORY_CELLS = 11


def holder_name(row: MemoryHoldersRow) -> str:
    """Return the operator that holds it, or what stands for the rest; not yet clean."""
    return say("memory_unnamed") if row.name is None else row.name


def holder_columns(
    found: Sequence[MemoryHoldersRow], origin: int, look: Look, width: int
) -> Sequence[Column[MemoryHoldersRow]]:
    """Return the columns of holders; places are told from ``origin``, ns."""
    most = max((row.held_bytes or 0 for row in found), default=0)

    def bar(row: MemoryHoldersRow, cells: int) -> Sequence[Run]:
        text = bars.bar(row.held_bytes or 0, most, cells, ascii_level=look.ascii_level)
        return [Run(text, Role.VECTOR)]

    def place(ts: int | None) -> str:
        if ts is None:
            return numbers.NOT_MEASURED
        return numbers.place(ts - origin, 1000, numbers.MILLISECONDS)

    return (
        Column("held by", lambda row, cells: fitted(clean(holder_name(row)), cells)),
        Column(
            "count",
            lambda row, _: numbers.count(row.count_),
            width=7,
            right=True,
            order=lambda row: row.count_,
            ordered="most often first",
        ),
        Column(
            "held",
            lambda row, _: numbers.memory(row.held_bytes),
            width=MEMORY_CELLS,
            right=True,
            order=lambda row: row.held_bytes,
            ordered="most first",
        ),
        Column("of most", bar, width=20 if width >= FULL else 8),
        Column(
            "share",
            lambda row, _: numbers.share_field(numbers.ratio(row.share)),
            width=7,
            right=True,
        ),
        Column(
            "largest",
            lambda row, _: numbers.memory(row.largest_bytes),
            width=MEMORY_CELLS,
            right=True,
            order=lambda row: row.largest_bytes,
            ordered="largest first",
            from_width=WIDE,
        ),
        Column("taken", lambda row, _: place(row.ts), width=14, right=True, from_width=WIDE),
        Column(
            "given back",
            lambda row, _: place(row.release_ts),
            width=14,
            right=True,
            from_width=FULL,
        ),
    )


def step_columns(_width: int) -> Sequence[Column[MemoryStepsRow]]:
    """Return the columns of memory by step."""
    return (
        Column("step", lambda row, _: str(row.step), width=6, right=True),
        Column(
            "at its end",
            lambda row, _: numbers.memory(row.level_bytes),
            width=MEMORY_CELLS,
            right=True,
        ),
        Column(
            "growth",
            lambda row, _: numbers.memory_difference(row.growth_bytes),
            width=MEMORY_CELLS,
            right=True,
            order=lambda row: row.growth_bytes,
            ordered="most growth first",
        ),
        Column(
            "peak", lambda row, _: numbers.memory(row.peak_bytes), width=MEMORY_CELLS, right=True
        ),
        Column(
            "kept",
            lambda row, _: numbers.memory(row.kept_bytes),
            width=MEMORY_CELLS,
            right=True,
            from_width=WIDE,
        ),
        Column(
            "kept mostly by",
            lambda row, cells: fitted(clean(row.kept_name), cells) if row.kept_name else "",
        ),
    )
