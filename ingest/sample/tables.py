"""Writes the tables of calls, operators and steps of a made-up run.

torch_npu ends lines of its own tables with CRLF and puts a TAB behind an instant;
tables that it passes on from msprof end lines with LF. Each function returns the
text of one file.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import pvariance

from .overlap import step_figures
from .record import HostSlice, Run, Task
from .trace import LEVELS, stamp

NOT_AVAILABLE = "N/A"


def decimal(ns: int) -> str:
    """Return a length as microseconds without needless zeros."""
    text = f"{ns // 1000}.{ns % 1000:03}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def instant(ns: int) -> str:
    """Return an instant as a table holds it: the TAB keeps spreadsheets from rounding it."""
    return stamp(ns) + "\t"


def rounded(value: float) -> float:
    """Return a figure to the three decimals that msprof prints."""
    return round(value, 3)


def table(header: str, rows: Iterable[Sequence[object]], newline: str) -> str:
    """Return a table as text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=newline)
    writer.writerow(header.split(","))
    writer.writerows(rows)
    return out.getvalue()


def api_statistic(run: Run) -> str:
    """Return api_statistic.csv: calls into CANN by level and name."""
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for call in run.calls:
        level, _, function = call.name.partition("@")
        groups[LEVELS[level], function].append(call.dur)
    rows = [
        (
            "host",
            level,
            function,
            decimal(sum(times)),
            len(times),
            rounded(sum(times) / len(times) / 1000),
            decimal(min(times)),
            decimal(max(times)),
            rounded(pvariance(times) / 1e6),
        )
        for (level, function), times in sorted(groups.items())
    ]
    header = "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance"
    return table(header, rows, "\n")


def step_trace_time(run: Run) -> str:
    """Return step_trace_time.csv."""
    rows = [
        (
            run.rank,
            "" if figures.step is None else figures.step,
            figures.computing / 1000,
            figures.not_overlapped / 1000,
            (figures.communication - figures.not_overlapped) / 1000,
            figures.communication / 1000,
            figures.free / 1000,
            figures.stage / 1000,
            0,
            figures.not_overlapped / 1000,
            figures.preparing / 1000,
        )
        for figures in step_figures(run)
    ]
    header = (
        "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,"
        "Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing"
    )
    return table(header, rows, "\r\n")


def operator_details(run: Run) -> str:
    """Return operator_details.csv: every call of an operator, without its time."""
    direct: defaultdict[tuple[int, int], list[Task]] = defaultdict(list)
    tasks = {(task.stream, task.ts): task for task in run.tasks}
    for arrow in run.arrows:
        if arrow.cat == "async_npu" and arrow.dst.lane == "Ascend Hardware":
            direct[arrow.src.tid, arrow.src.ts].append(tasks[arrow.dst.tid, arrow.dst.ts])
    operators = [
        slice_
        for slice_ in run.slices
        if slice_.cat == "cpu_op" and not slice_.name.startswith("ProfilerStep")
    ]
    rows: list[tuple[object, ...]] = []
    for operator, inner in _nested(operators):
        own = direct[operator.tid, operator.ts]
        every = own + [task for child in inner for task in direct[child.tid, child.ts]]
        children = sum(child.dur for child in _outermost(inner))
        cells = [
            operator.dur - children,
            operator.dur,
            *(sum(task.dur for task in some) for some in (own, every)),
            *(sum(task.dur for task in some if task.type == "AI_CORE") for some in (own, every)),
        ]
        shapes = str(operator.args.get("Input Dims", "")).replace("\r\n", "\n")
        stack = str(operator.args.get("Call stack", "")).replace("\r\n", "\n")
        rows.append((operator.name, shapes, stack, *map(_short, cells)))
    header = (
        "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),"
        "Device Self Duration(us),Device Total Duration(us),"
        "Device Self Duration With AICore(us),Device Total Duration With AICore(us)"
    )
    return table(header, rows, "\n")


def _nested(operators: list[HostSlice]) -> Iterable[tuple[HostSlice, list[HostSlice]]]:
    """Give each operator by start with all operators inside it."""
    ordered = sorted(operators, key=lambda slice_: (slice_.tid, slice_.ts, -slice_.dur))
    inside: dict[int, list[HostSlice]] = {}
    open_: list[int] = []
    for index, operator in enumerate(ordered):
        inside[index] = []
        while open_ and not _holds(ordered[open_[-1]], operator):
            open_.pop()
        for parent in open_:
            inside[parent].append(operator)
        open_.append(index)
    by_start = sorted(inside, key=lambda index: ordered[index].ts)
    return [(ordered[index], inside[index]) for index in by_start]


def _outermost(operators: list[HostSlice]) -> list[HostSlice]:
    """Return those of nested operators that no other one holds; they are in order of time."""
    found: list[HostSlice] = []
    for operator in operators:
        if not found or not _holds(found[-1], operator):
            found.append(operator)
    return found


def _holds(outer: HostSlice, inner: HostSlice) -> bool:
    return outer.tid == inner.tid and inner.ts < outer.ts + outer.dur


def _short(ns: int) -> str:
    return decimal(ns) if ns else "0"
