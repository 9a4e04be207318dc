"""The section about the units of the cores that ran a kernel."""

from collections.abc import Iterator, Sequence

from ...queries.rows_cores import AicoreKernelsRow
from ..draw import numbers
from ..draw.core import look_of_core
from ..draw.facts import Fact, fact_lines
from ..draw.pipe_rows import bar_cells, pipe_row
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import clean, pad
from ..kernel.pipes import Core
from ..widgets.canvas import Line
from ..widgets.sheet import Section
from ..words.spoken import counted, say
from .details_facts import KernelFacts
from .details_scene import INDENT, Scene, told

AI_CPU = "p"
"""Letter of the core that has no cube and vector units."""


def phases_section(kernel: KernelFacts, scene: Scene) -> Section:
    """Return the units of the cores against the time of their core, and what leads."""
    cores = kernel.cores

    def draw(width: int, compact: bool) -> Sequence[Line]:  # noqa: FBT001 the form of Section
        bound = fact_lines(_bound_facts(kernel.bound), width, scene.look, compact=compact)
        if not cores:
            return [*told(_no_phases(kernel, scene), width, scene.look), *bound]
        lines: list[Line] = []
        if not compact:
            lines.append(_scale(width))
        for core in cores:
            if len(cores) > 1:
                said = say("cores_of_kind", kind=core.name, time=numbers.time(core.dur))
                lines.append([Run(INDENT + scene.look.text(said), Role.DIM)])
            lines += [pipe_row(phase, width, scene.look) for phase in core.phases]
            lines += [] if compact else [()]
            lines += told(_verdict(core), width, scene.look, attributes=Attributes.BOLD)
        return [*lines, *bound]

    return Section("Phases", draw, _against(cores))


def _bound_facts(one: AicoreKernelsRow | None) -> Iterator[Fact]:
    """Yield what bounds a kernel, and how well its blocks fill the cores."""
    if one is None:
        return
    if one.bound is not None:
        said = f"{one.busiest} {numbers.ratio(one.busiest_ratio)}"
        least = numbers.ratio(one.least_ratio)
        text = "bound_none" if one.bound == "none" else "bound_at_least"
        yield Fact("bound", say(text, what=said, least=least))
        moved = numbers.times(one.memory_bound)
        yield Fact("memory bound", say("nothing_computes") if one.memory_bound is None else moved)
    if one.blocks is not None and one.cores is not None:
        cores = counted(one.cores, "core of the chip")
        said = say("blocks_on", blocks=f"{one.blocks:,}", cores=cores)
        yield Fact("blocks", say("by_inference", what=said) if one.cores_inferred else said)
        yield Fact("cores filled", numbers.ratio(one.efficiency_ratio))


def _against(cores: Sequence[Core]) -> str:
    if not cores:
        return ""
    if len(cores) > 1:
        return say("against_cores")
    core = cores[0]
    time = say("unknown") if core.dur is None else numbers.time(core.dur)
    return say("against_core", time=time)


def _scale(width: int) -> Line:
    cells = bar_cells(width)
    half = cells // 2
    marks = pad("0 %", half) + pad("50 %", cells - half - 2) + "100 %"
    return [Run(INDENT + " " * 9 + marks, Role.DIM)]


def _verdict(core: Core) -> str:
    return say("stated", what=core.verdict)


def _no_phases(kernel: KernelFacts, scene: Scene) -> str:
    core = kernel.row.core
    if look_of_core(core).letter == AI_CPU:
        return say("stated", what=say("no_units", core=clean(core or "")))
    return scene.without("units", say("no_figures_of_units"))
