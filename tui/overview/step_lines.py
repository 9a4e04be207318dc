"""Steps as lines of a table: their times, their parts, and which of them are outliers."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

from ...queries.rows import OverviewRow
from ..draw import bars, numbers
from ..run import Run
from ..text.boxes_text import Split
from ..text.overview_tables import split_of
from ..words.spoken import say

LEAST_STEPS = 3
"""Steps from which on one of them can stand out of the others."""

RUN = "run"
"""The name of the one line of a profile in which no step is marked."""

GROWN_PERCENT = 1
"""Share of the step's time over the median by which a part has to grow to be named."""


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step on a device; ``step`` None is all steps together. Times are in ns.

    ``split`` is None where no device was recorded.
    """

    step: int | None
    name: str
    device_id: int | None
    ts: int | None
    period: int | None
    split: Split | None
    from_median: int | None = None
    outlier: bool = False
    warmup: bool = False
    warmup_by: str | None = None
    """What proves that it is one: words of the store, with commas."""


@dataclass(frozen=True, slots=True)
class StepLines:
    """The steps of a rank, and what they are compared with.

    The medians leave out what is a warm-up; None where no step is left.
    """

    lines: Sequence[StepLine]
    median: int | None
    typical: Split | None
    """The median of each part, by itself: these do not sum to the median step."""

    @property
    def steps(self) -> list[StepLine]:
        """Return the lines of single steps."""
        return [line for line in self.lines if line.step is not None]

    @property
    def longest(self) -> int:
        """Return the longest period, the scale of all bars, ns."""
        return max((line.period or 0 for line in self.steps), default=0)

    @property
    def unit(self) -> numbers.Unit:
        """Return the unit of all times of single steps."""
        return numbers.column_unit(line.period for line in self.steps)

    @property
    def several_devices(self) -> bool:
        """Tell whether steps are listed by device."""
        return len({line.device_id for line in self.steps}) > 1

    @property
    def count(self) -> int:
        """Return how many steps there are, whatever their devices."""
        return len({line.step for line in self.steps})


def step_lines(run: Run, rank: int) -> StepLines:
    """Return the steps of a rank in time, before them all together if there are several.

    Which of them are outliers is what the question ``steps`` says.
    """
    rows = [row for row in run.splits if row.rank == rank]
    periods = periods_without_warmup(rows)
    middle = median_low(periods) if periods else None
    alike = {
        kind: periods_without_warmup([row for row in rows if row.kind == kind])
        for kind in {row.kind for row in rows}
    }
    outliers = {step.step for step in run.steps_of(rank) if step.outlier}
    lines = [_line(row, alike[row.kind], outlier=row.step in outliers) for row in rows]
    usual = [
        line.split for row, line in zip(rows, lines, strict=True) if line.split and not row.warmup
    ]
    if len({row.step for row in rows}) > 1:
        known = [row for row in rows if row.idle is not None]
        whole = {row.step: row.period or 0 for row in rows}
        together = split_of(known) if known else None
        lines.insert(0, StepLine(None, "all", None, None, sum(whole.values()), together))
    return StepLines(lines, middle, _typical(usual))


def periods_without_warmup(rows: Sequence[OverviewRow]) -> list[int]:
    """Return the period of each step that is no warm-up, ns; of all where all are warm-up."""
    periods = {row.step: row.period for row in rows if row.period is not None and not row.warmup}
    return list((periods or {row.step: row.period for row in rows if row.period}).values())


def grown(line: StepLine, lines: StepLines) -> str:
    """Say how a step compares with the median, and which parts of it grew; clean text."""
    if line.period is None or line.from_median is None or line.step is None:
        return ""
    unit = lines.unit
    if line.warmup:
        proofs = [say(f"warm_up_{one}") for one in (line.warmup_by or "").split(", ") if one]
        if proofs:
            return say("left_out_warm_up_by", proofs=say("comma").join(proofs))
        return say("left_out_warm_up")
    over = line.from_median
    if over == 0 or len(lines.steps) < LEAST_STEPS:
        return ""
    said = say("from_median", time=numbers.time_difference(line.period - over, line.period, unit))
    if over < 0 or line.split is None or lines.typical is None:
        return said
    parts = [
        (part - usual, name)
        for (name, part, _), (_, usual, _) in zip(
            line.split.named_parts(), lines.typical.named_parts(), strict=True
        )
        if (part - usual) * 100 > max(over, 1) * GROWN_PERCENT
    ]
    parts.sort(reverse=True)
    grew = say("comma").join(
        say("part_grew", part=name, time=numbers.time(ns)) for ns, name in parts
    )
    return f"{said}; {grew or say('no_part_grew')}"


def step_status(line: StepLine, lines: StepLines) -> str:
    """Return a step as a status line: its time, and what made it longer than others."""
    device = (
        say("device", device=line.device_id)
        if lines.several_devices and line.step is not None
        else ""
    )
    unknown = "" if line.period is not None else say("when_unknown")
    parts = (_named(line), device, numbers.time(line.period), unknown, grown(line, lines))
    return "   ".join(part for part in parts if part)


def step_text(line: StepLine) -> str:
    """Return a step with all its digits as one line."""
    return f"{_named(line)} ts={line.ts} period={line.period} ns"


def parts_bar(line: StepLine, longest: int, cells: int, *, ascii_level: bool) -> str:
    """Draw the parts of a step on the scale of the longest one."""
    if line.split is None:
        return ""
    return bars.stacked(line.split.parts(), cells, longest, ascii_level=ascii_level)


def _named(line: StepLine) -> str:
    if line.step is None:
        return say("all_steps")
    return say("the_run") if line.name == RUN else say("step", step=line.name)


def _line(row: OverviewRow, alike: Sequence[int], *, outlier: bool) -> StepLine:
    """Return a step beside the periods of those of its kind."""
    middle = median_low(alike) if alike else None
    return StepLine(
        row.step,
        RUN if row.kind == "run" else f"{row.step}",
        row.device_id,
        row.ts,
        row.period,
        split_of([row]) if row.idle is not None else None,
        None if middle is None or row.period is None else row.period - middle,
        outlier,
        bool(row.warmup),
        row.warmup_by,
    )


def _typical(splits: Sequence[Split]) -> Split | None:
    if not splits:
        return None

    def middle(name: str) -> int:
        return median_low(getattr(split, name) or 0 for split in splits)

    names = ("period", "computing", "moving", "waiting", "idle", "unsplit")
    return Split(**{name: middle(name) for name in names})
