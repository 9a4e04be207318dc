"""The columns in which steps are listed, on the overview and in their own view."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..draw import numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, cut
from ..widgets.row_list import Column
from ..words.spoken import say, shown
from .step_lines import StepLine, StepLines, parts_bar

OUTLIER = " !"
DEVICE_CELLS = 6

PARTS_FROM = 60
"""Columns from which the parts stand as numbers too."""
PARTS_FROM_IN_FULL = 96
MOVING_FROM = 130
"""Columns from which moving has a number of its own."""

Times = Callable[[StepLine], int | None]


@dataclass(frozen=True, slots=True)
class StepColumns:
    """How steps are listed; ``in_full`` compares each with the median."""

    lines: StepLines
    look: Look
    in_full: bool

    def for_width(self, width: int) -> Sequence[Column[StepLine]]:
        """Return the columns for a table of ``width`` cells."""
        columns = [self._name()]
        if self.lines.several_devices:
            columns.append(Column("device", _device, width=DEVICE_CELLS, right=True))
        columns.append(self._time())
        if self.in_full:
            columns.append(self._from_median())
        if width >= (PARTS_FROM_IN_FULL if self.in_full else PARTS_FROM):
            columns += [self._part("computing", _computing), self._part("waiting", _waiting)]
            if width >= MOVING_FROM:
                columns.append(self._part("moving", _moving))
            columns.append(self._part("idle", _idle))
        columns.append(self._parts())
        return columns

    def _name(self) -> Column[StepLine]:
        title = "step"
        names = [title, *(line.name for line in self.lines.lines)]
        cells = max(cell_len(shown(name)) for name in names)
        return Column(title, lambda line, _: shown(line.name), width=cells, right=True)

    def _time(self) -> Column[StepLine]:
        unit, title = self.lines.unit, "time"

        def draw(line: StepLine, _: int) -> Sequence[Run]:
            mark = Run(OUTLIER, Role.IDLE) if line.outlier else Run(" " * len(OUTLIER), Role.PLAIN)
            return [Run(self.look.text(_said(line, line.period, unit)), Role.PLAIN), mark]

        return Column(
            title,
            draw,
            width=self._cells(title, _period) + len(OUTLIER),
            right=True,
            order=_period,
            ordered="longest first",
        )

    def _from_median(self) -> Column[StepLine]:
        title, unit, median = "from median", self.lines.unit, self.lines.median

        def draw(line: StepLine, _: int) -> str:
            if line.step is None:
                return ""
            return numbers.time_difference(median, line.period, unit)

        return Column(
            title,
            draw,
            width=max(
                [cell_len(shown(title)), *(cell_len(draw(line, 0)) for line in self.lines.lines)]
            ),
            right=True,
            order=lambda line: line.from_median,
            ordered="most over the median first",
        )

    def _part(self, title: str, read: Times) -> Column[StepLine]:
        unit = self.lines.unit
        return Column(
            title,
            lambda line, _: _said(line, read(line), unit),
            width=self._cells(title, read),
            right=True,
            order=read,
            ordered=f"most {title} first",
        )

    def _parts(self) -> Column[StepLine]:
        longest, look = self.lines.longest, self.look

        def draw(line: StepLine, cells: int) -> Sequence[Run]:
            if line.step is None or line.split is None:
                said = say("all_steps") if line.step is None else _why_unknown(line)
                return [Run(look.text(cut(said, cells)), Role.DIM)]
            bar = parts_bar(line, longest, cells, ascii_level=look.ascii_level)
            return [Run(bar, Role.VECTOR)]

        return Column("parts, on one scale" if self.in_full else "parts", draw)

    def _cells(self, title: str, read: Times) -> int:
        unit = self.lines.unit
        said = (_said(line, read(line), unit) for line in self.lines.lines)
        return max([cell_len(shown(title)), *map(cell_len, said)])


def _said(line: StepLine, ns: int | None, unit: numbers.Unit) -> str:
    """Return a time of a line: those of single steps in one unit, so that they compare."""
    return numbers.time(ns) if line.step is None else numbers.time_in(ns, unit)


def _device(line: StepLine, _: int) -> str:
    if line.step is None:
        return shown("all")
    return numbers.NOT_MEASURED if line.device_id is None else f"{line.device_id}"


def _why_unknown(line: StepLine) -> str:
    return say("no_times" if line.period is None else "no_device_short")


def _period(line: StepLine) -> int | None:
    return line.period


def _computing(line: StepLine) -> int | None:
    return line.split.computing if line.split else None


def _waiting(line: StepLine) -> int | None:
    return line.split.waiting if line.split else None


def _moving(line: StepLine) -> int | None:
    return line.split.moving if line.split else None


def _idle(line: StepLine) -> int | None:
    return line.split.idle if line.split else None
