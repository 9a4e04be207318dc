"""Nesting, ends of arrows and cells by SELECTs, as ``nested`` makes them where C is there.

Slower, but it needs nothing built; both make the same tables.
"""

from typing import Final

import pyarrow as pa

from ..progress import Work
from ..read.rows import batch
from ..workspace import Workspace
from .nested import Grid
from .nesting import Placed, untangle

NESTING_ROWS: Final = pa.schema(
    [
        ("slice_id", pa.int64()),
        ("depth", pa.int64()),
        ("sublane", pa.int64()),
        ("parent_id", pa.int64()),
    ]
)


def nest_by_sets(space: Workspace, work: Work) -> None:
    """Make ``nesting`` and ``flow_end``; ``segment`` stays for the cells.

    Reads ``placed``, ``lane`` and ``read_flow``.
    """
    _derive(space, work, "nesting_guess", "tangle")
    tangled = (Placed._make(row) for row in space.rows("FROM tangle"))
    nestings = untangle(tangled)
    space.add("untangled", NESTING_ROWS.empty_table())
    if nestings:
        space.add("untangled", batch(nestings, NESTING_ROWS))
    _derive(space, work, "nesting", "segment", "flow_end")
    space.drop("nesting_guess", "tangle", "untangled")


def cells_by_sets(space: Workspace, grid: Grid, work: Work) -> None:
    """Make ``lod`` and ``lane_row``.

    Reads ``placed``, ``nesting``, ``part``, ``segment`` and ``stretch``.
    """
    space.view("slice")
    sizes = {"ts": grid.first_ts, "finest": grid.finest, "cell": 1 << grid.finest}
    space.derive("lod_base", into="lod_cell", **sizes)
    for level in range(grid.finest, grid.coarsest):
        work.check()
        space.derive("lod_next", into="lod_cell", level=level)
    space.view("lod")
    space.derive("lane_row", ts=grid.first_ts, coarsest=grid.coarsest)


def _derive(space: Workspace, work: Work, *names: str) -> None:
    for name in names:
        work.stage(f"derive {name}")
        space.derive(name)
