"""Rows of the units of a core: bars side by side in meaning, one under the other on the screen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..words.spoken import shown
from . import bars, numbers
from .look import Look
from .role import Role
from .run import Run

if TYPE_CHECKING:
    from ..kernel.pipes import Phase

SCALE = 10**6
NAME_CELLS = 9
FIGURES_CELLS = 19
DOES_CELLS = 11
LEAST_BAR = 4


def bar_cells(width: int) -> int:
    """Return the cells that a full bar has in rows of a width."""
    return max(LEAST_BAR, width - 2 - NAME_CELLS - 1 - FIGURES_CELLS - DOES_CELLS)


def pipe_row(phase: "Phase", width: int, look: Look) -> list[Run]:
    """Draw a unit against the time of its core, which ends at the line; then the figures."""
    cells = bar_cells(width)
    part = None if phase.busy is None else round(phase.busy * SCALE)
    drawn = bars.bar(part, SCALE, cells, ascii_level=look.ascii_level)
    shared = look.text(numbers.share_field(numbers.ratio(phase.busy)))
    return [
        Run(f"  {phase.pipe.name:<{NAME_CELLS}}", Role.PLAIN),
        Run(drawn, phase.pipe.role),
        Run(" " * (cells - len(drawn)) + look.signs.frame, Role.DIM),
        Run(f" {shared}  {look.text(numbers.time_field(phase.dur))}", Role.PLAIN),
        Run(f"  {shown(phase.pipe.does)}", Role.DIM),
    ]


def ramp_cells(shares: Sequence[float | None], look: Look) -> str:
    """Draw a cell for each busy share 0..1: as full as it is busy, ``?`` if not measured.

    A little is never nothing, and only what is busy all the time is full.
    """
    return " ".join(_ramp_cell(share, look.signs.ramp) for share in shares)


def _ramp_cell(share: float | None, ramp: str) -> str:
    if share is None:
        return "?"
    if share <= 0:
        return ramp[0]
    most = len(ramp) - 1
    return ramp[most if share >= 1 else max(1, min(most - 1, round(share * most)))]
