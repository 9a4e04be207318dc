"""The vendor's figures of a made-up run: the Overlap Analysis lane and step_trace_time.

The rules are those of msprof (overlap_analysis_processor) and torch_npu
(_trace_step_time_parser): Computing is the union of the compute kernels,
Communication that of the collectives, Free whatever neither covers between the
first and the last device task.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .record import Run, StepMark

Interval = tuple[int, int]
"""Start and end in ns."""

OVERLAP_NAMES: tuple[str, ...] = (
    "Computing",
    "Communication",
    "Communication(Not Overlapped)",
    "Free",
)
PROFILER_TASKS = {"PROFILING_ENABLE", "PROFILING_DISABLE"}


class StepFigures(NamedTuple):
    """The official figures of a step in ns; no receives, so Bubble is 0."""

    step: int | None
    computing: int
    not_overlapped: int
    communication: int
    free: int
    stage: int
    preparing: int


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the maximal intervals that these cover, in order; touching ones join."""
    joined: list[Interval] = []
    for start, end in sorted(intervals):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        elif start < end:
            joined.append((start, end))
    return joined


def subtract(minuend: Iterable[Interval], subtrahend: Iterable[Interval]) -> list[Interval]:
    """Return what one union covers and another does not, in order."""
    holes = list(subtrahend)
    rest: list[Interval] = []
    for start, end in minuend:
        at = start
        for hole_start, hole_end in holes:
            if hole_end <= at or hole_start >= end:
                continue
            if hole_start > at:
                rest.append((at, hole_start))
            at = hole_end
        if at < end:
            rest.append((at, end))
    return rest


def overlap_lanes(run: Run) -> dict[str, list[Interval]]:
    """Return the rows of the Overlap Analysis lane by name."""
    tasks = [task for task in run.tasks if task.name not in PROFILER_TASKS]
    computing = union((task.ts, task.end) for task in run.kernels)
    communication = union((whole.ts, whole.end) for whole in run.collectives)
    whole = (min(task.ts for task in tasks), max(task.end for task in tasks))
    busy = union((*computing, *communication))
    rows = (
        computing,
        communication,
        subtract(communication, computing),
        subtract([whole], busy),
    )
    return dict(zip(OVERLAP_NAMES, rows, strict=True))


class StepRange(NamedTuple):
    """A step and its device range: from its first launched task to its end on the host."""

    step: StepMark
    start: int
    end: int


def step_ranges(run: Run) -> list[StepRange]:
    """Return the device range of every step, by the operators that it queued."""
    arrows = [arrow for arrow in run.arrows if arrow.cat == "async_npu"]
    ranges: list[StepRange] = []
    for step in run.steps:
        launches = [arrow for arrow in arrows if step.ts <= arrow.src.ts < step.end]
        first = min(launches, key=lambda arrow: arrow.src.ts)
        ranges.append(StepRange(step, first.dst.ts, max(step.end, step.device_end)))
    return ranges


def step_at(ranges: Iterable[StepRange], ts: int) -> StepMark | None:
    """Return the first step whose device range holds an instant."""
    return next((known.step for known in ranges if known.start <= ts < known.end), None)


def step_figures(run: Run) -> list[StepFigures]:
    """Return the official figures of every step: an interval belongs whole to one step.

    A run without steps has one row, which is of no step.
    """
    lanes = overlap_lanes(run)
    if not run.steps:
        first = min(slice_.ts for slice_ in run.slices)
        return [_figures(None, first, {name: list(rows) for name, rows in lanes.items()})]
    ranges = step_ranges(run)
    return [
        _figures(
            step.number,
            step.ts,
            {
                name: [part for part in rows if step_at(ranges, part[0]) == step]
                for name, rows in lanes.items()
            },
        )
        for step in run.steps
    ]


def _figures(step: int | None, start: int, parts: dict[str, list[Interval]]) -> StepFigures:
    """Sum the rows of the lane that belong to a step."""
    every = [part for rows in parts.values() for part in rows]
    begin = min(start for start, _ in parts["Computing"] + parts["Communication"])
    lengths = {name: sum(end - start for start, end in rows) for name, rows in parts.items()}
    computing, communication, not_overlapped, free = (lengths[name] for name in OVERLAP_NAMES)
    return StepFigures(
        step,
        computing,
        not_overlapped,
        communication,
        free,
        max(end for _, end in every) - min(start for start, _ in every),
        begin - start,
    )
