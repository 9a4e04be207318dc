"""The tables that take the place of the details: units of the cores, and all args."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean
from ..kernel.pipes import Phase
from ..widgets.row_list import Column
from ..words.spoken import say, shown
from .details_facts import Arg, Facts

SHARE_SCALE = 10**6


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A unit of a core of a kernel."""

    core: str
    phase: Phase


def phase_columns(width: int, look: Look) -> Sequence[Column[PhaseRow]]:
    """Return the columns of the table of units."""
    bar = max(8, min(60, width - 60))

    def drawn(row: PhaseRow, cells: int) -> Sequence[Run]:
        part = None if row.phase.busy is None else round(row.phase.busy * SHARE_SCALE)
        text = bars.bar(part, SHARE_SCALE, cells, ascii_level=look.ascii_level)
        return [Run(text, row.phase.pipe.role)]

    return (
        Column("core", lambda row, _: row.core, width=6),
        Column("unit", lambda row, _: row.phase.pipe.name, width=7),
        Column(
            "busy",
            lambda row, _: numbers.share_field(numbers.ratio(row.phase.busy)),
            width=7,
            right=True,
            order=lambda row: row.phase.busy,
            ordered="busiest first",
        ),
        Column("of core time", drawn, width=bar),
        Column(
            "time",
            lambda row, _: numbers.time_field(row.phase.dur),
            width=8,
            right=True,
            order=lambda row: row.phase.dur,
            ordered="longest first",
        ),
        Column("does", lambda row, _: shown(row.phase.pipe.does)),
    )


def columns_of(facts: Facts) -> Iterable[Arg]:
    """Yield the columns of the table of kernels, under the names of the file or of the store."""
    if facts.kernel is None:
        return
    row = facts.kernel.row
    for name in (
        "input_shapes",
        "input_dtypes",
        "input_formats",
        "output_shapes",
        "output_dtypes",
        "output_formats",
    ):
        value: str | None = getattr(row, name)
        if value is not None:
            yield Arg("kernel", name, value)
    for metric in facts.kernel.metrics:
        value = say("not_given") if metric.value is None else f"{metric.value:.15g}"
        yield Arg("kernel", metric.metric, value)


def arg_columns(width: int) -> Sequence[Column[Arg]]:
    """Return the columns of the table of args."""
    return (
        Column(
            "from",
            lambda arg, _: arg.source,
            width=6,
            order=lambda arg: arg.source,
            descending=False,
        ),
        Column(
            "name",
            lambda arg, cells: clean(arg.name, cells),
            width=max(16, min(40, width // 3)),
            order=lambda arg: arg.name,
            descending=False,
            ordered="by name",
        ),
        Column("value", lambda arg, cells: [Run(clean(arg.value, cells), Role.PLAIN)]),
    )
