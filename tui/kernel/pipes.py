"""The units of a core that work at the same time, and which of them a kernel waits for.

Their busy shares are of the time of the core, and add up to more than the whole: none
of them is to be added to another.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...queries.rows import KernelMetricsRow, OperatorCallsRow
from ..draw import numbers
from ..draw.role import Role
from ..words.spoken import say

NS_PER_US = 1000


class Pipe(NamedTuple):
    """A unit of a core: ``letter`` heads its cell in tables, ``does`` says what it is for."""

    name: str
    letter: str
    field: str
    """Its busy share in the rows of ``operator_calls``."""
    does: str
    role: Role
    leading: str
    """The text of what it means when it is busy all the time."""
    computes: bool = False


CUBE_PIPES = (
    Pipe("mac", "m", "aic_mac_ratio", "multiply", Role.CUBE, "unit_computes", computes=True),
    Pipe("mte1", "1", "aic_mte1_ratio", "L1 to L0", Role.MOVING, "unit_fills_l0"),
    Pipe("mte2", "2", "aic_mte2_ratio", "HBM to L1", Role.MOVING, "unit_reads_hbm"),
    Pipe("fixpipe", "f", "aic_fixpipe_ratio", "L0 to HBM", Role.MOVING, "unit_writes_l0c"),
    Pipe("scalar", "s", "aic_scalar_ratio", "control", Role.HOST, "unit_controls"),
)
"""The units of a cube core, in machine order."""

VECTOR_PIPES = (
    Pipe("vec", "v", "aiv_vec_ratio", "compute", Role.VECTOR, "unit_computes", computes=True),
    Pipe("mte2", "2", "aiv_mte2_ratio", "HBM to UB", Role.MOVING, "unit_reads_hbm"),
    Pipe("mte3", "3", "aiv_mte3_ratio", "UB to HBM", Role.MOVING, "unit_writes_hbm"),
    Pipe("scalar", "s", "aiv_scalar_ratio", "control", Role.HOST, "unit_controls"),
)
"""The units of a vector core, in machine order."""


class Phase(NamedTuple):
    """How long a unit was busy: a share 0..1 of the core's time and ns, None if not measured."""

    pipe: Pipe
    busy: float | None
    dur: int | None


class Core(NamedTuple):
    """The units of the cores of one kind that ran a kernel; ``dur`` is the time of the core.

    ``least_ratio`` is the busy share from which a unit is the bound, as ``aicore_kernels``
    answers it; None where that does not judge the kernel.
    """

    name: str
    dur: int | None
    phases: Sequence[Phase]
    least_ratio: float | None = None

    @property
    def leads(self) -> bool:
        """Tell whether a unit was busy for so long that the core waited for it."""
        leader = self.leader
        if leader is None or leader.busy is None or self.least_ratio is None:
            return False
        return leader.busy >= self.least_ratio

    @property
    def leader(self) -> Phase | None:
        """Return the unit with the greatest busy share, of equals the first."""
        known = [phase for phase in self.phases if phase.busy is not None]
        return max(known, key=lambda phase: phase.busy or 0, default=None)

    @property
    def verdict(self) -> str:
        """Say which unit the core waited for, or that none was busy most of the time."""
        leader = self.leader
        if leader is None:
            return say("units_not_measured")
        if not leader.busy:
            return say("units_not_busy")
        said = f"{leader.pipe.name} {numbers.ratio(leader.busy)}"
        if self.least_ratio is None:
            return say("busiest_unit", what=said)
        if not self.leads:
            least = numbers.ratio(self.least_ratio)
            return say("no_unit_leads", what=said, least=least)
        led = say("unit_leads", unit=leader.pipe.name, what=say(leader.pipe.leading))
        computing = next((phase for phase in self.phases if phase.pipe.computes), None)
        if computing is None or computing is leader or computing.busy is None:
            return led
        works = {"unit": computing.pipe.name, "share": numbers.ratio(computing.busy)}
        return say("unit_works", what=led, **works)


def cores_of(
    kernel: OperatorCallsRow,
    metrics: Iterable[KernelMetricsRow] = (),
    least_ratio: float | None = None,
) -> list[Core]:
    """Return the kinds of cores whose units were measured while a kernel ran.

    Times are those of the file where it gives them, else shares of the core's time. Of a
    file that gives both kinds of cores for every kernel, those that did not run are left
    out; if none ran, the measured ones are kept.
    """
    written = {one.metric: one.value for one in metrics}
    cores = (
        _core("cube", kernel, kernel.aicore_time, CUBE_PIPES, written, "aic"),
        _core("vector", kernel, kernel.aiv_time, VECTOR_PIPES, written, "aiv"),
    )
    measured = [core for core in cores if any(phase.busy is not None for phase in core.phases)]
    ran = [core for core in measured if core.dur or any(phase.busy for phase in core.phases)]
    return [core._replace(least_ratio=least_ratio) for core in ran or measured]


def _core(
    name: str,
    kernel: OperatorCallsRow,
    dur: int | None,
    pipes: Sequence[Pipe],
    written: Mapping[str, float | None],
    prefix: str,
) -> Core:
    phases: list[Phase] = []
    for pipe in pipes:
        busy: float | None = getattr(kernel, pipe.field)
        if busy is not None and not math.isfinite(busy):
            busy = None
        microseconds = written.get(f"{prefix}_{pipe.name}_time(us)")
        if busy is None:
            time = None
        elif microseconds is not None and math.isfinite(microseconds):
            time = round(microseconds * NS_PER_US)
        else:
            time = None if dur is None else part_of(dur, busy)
        phases.append(Phase(pipe, busy, time))
    return Core(name, dur, phases)


def part_of(dur: int, share: float) -> int:
    """Return a share of a time, in whole ns, without a float for the time."""
    numerator, denominator = share.as_integer_ratio()
    return (2 * dur * numerator + denominator) // (2 * denominator)
