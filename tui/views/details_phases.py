"""The section about the units of the cores that ran a kernel."""

from collections.abc import Sequence

from ..draw import numbers
from ..draw.core import look_of_core
from ..draw.pipe_rows import bar_cells, pipe_row
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import clean, pad
from ..kernel.pipes import Core
from ..widgets.canvas import Line
from ..widgets.sheet import Section
from .details_facts import KernelFacts
from .details_scene import INDENT, Scene, told

AI_CPU = "p"
"""Letter of the core that has no cube and vector units."""


def phases_section(kernel: KernelFacts, scene: Scene) -> Section:
    """Return the units of the cores against the time of their core, and what leads."""
    cores = kernel.cores

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        if not cores:
            return told(_no_phases(kernel, scene), width, scene.look)
        lines: list[Line] = []
        if not compact:
            lines.append(_scale(width))
        for core in cores:
            if len(cores) > 1:
                said = f"{INDENT}{core.name} cores, {numbers.time(core.dur)}"
                lines.append([Run(scene.look.text(said), Role.DIM)])
            lines += [pipe_row(phase, width, scene.look) for phase in core.phases]
            lines += [] if compact else [()]
            lines += told(_verdict(core), width, scene.look, attributes=Attributes.BOLD)
        return lines

    return Section("Phases", draw, _against(cores))


def _against(cores: Sequence[Core]) -> str:
    if not cores:
        return ""
    if len(cores) > 1:
        return "in parallel, against core time"
    core = cores[0]
    time = "unknown" if core.dur is None else numbers.time(core.dur)
    return f"in parallel, against {time} core time"


def _scale(width: int) -> Line:
    cells = bar_cells(width)
    half = cells // 2
    marks = pad("0 %", half) + pad("50 %", cells - half - 2) + "100 %"
    return [Run(INDENT + " " * 9 + marks, Role.DIM)]


def _verdict(core: Core) -> str:
    return f"{core.verdict}."


def _no_phases(kernel: KernelFacts, scene: Scene) -> str:
    core = kernel.row.core
    if look_of_core(core).letter == AI_CPU:
        return f"{clean(core or '')} has no cube or vector units to measure."
    return scene.without("units", "No figures of the core's units are given for it")
