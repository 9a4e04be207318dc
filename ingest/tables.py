"""The CSV tables of one profile, read into the workspace.

The kernel table becomes rows of its own; official figures, memory samples and allocations
are taken out of their files; and every other CSV is kept whole as ``summary_<name>``.
"""

import re
from typing import Any, Final

import pyarrow as pa
from pyarrow import compute

from .folder import relative_name
from .notice import ImportLog
from .profile import Profile, TableFile
from .progress import Work
from .read.allocations import ALLOCATION_ROWS, read_allocations
from .read.communication_files import (
    COLLECTIVE_FIGURES,
    LINK_FIGURES,
    read_collective_figures,
    read_link_figures,
)
from .read.kernel_table import KERNEL_ROWS, MOST_DEVICE, read_kernels
from .read.lanes import LaneTable
from .read.memory_samples import read_memory_samples
from .read.rows import Series
from .read.step_figures import STEP_FIGURES, read_step_figures
from .read.summaries import read_summary
from .read.window import EVER, Window
from .schema import SUMMARY_PREFIX
from .workspace import Workspace

pc: Any = compute
"""Its functions are made when it is imported; nobody can know their types."""

MEMORY_UNIT: Final = "bytes"
HARDWARE_PROCESS: Final = "Ascend Hardware"
COMMUNICATION_PROCESS: Final = "Communication"
_DEVICE: Final = re.compile(r"(?:NPU[:\s]*)?([0-9]{1,5})", re.IGNORECASE)

KERNEL_LANE_ROWS: Final = pa.schema(
    [("device_id", pa.int32()), ("stream_id", pa.int64()), ("lane", pa.int32())]
)


def read_tables(
    profile: Profile,
    space: Workspace,
    lanes: LaneTable,
    series: dict[tuple[int, str, str], Series],
    log: ImportLog,
    work: Work,
    window: Window,
) -> list[str]:
    """Read all tables; return the names of the summary tables made.

    Memory samples become counter series with lanes of their own, added to ``lanes``
    and ``series``.
    """
    space.add("read_kernel", _numbered(KERNEL_ROWS.empty_table(), 0))
    space.add("figure_row", STEP_FIGURES.empty_table())
    space.add("read_allocation", ALLOCATION_ROWS.empty_table())
    summaries: list[str] = []
    for file in profile.tables:
        work.stage(f"read {relative_name(file.paths[0], profile.root)}")
        if file.kind == "kernels":
            _read_kernels(profile, file, space, log, work, window)
            continue
        if file.kind == "step_figures":
            space.add("figure_row", read_step_figures(file, profile.root, log))
        elif file.kind == "memory_samples":
            _read_memory(profile, file, space, lanes, series, log, window)
        elif file.kind == "allocations":
            rows = read_allocations(file, profile.root, log)
            space.add("read_allocation", _living(window, rows))
        name = SUMMARY_PREFIX + file.name
        space.add(name, read_summary(file, profile.root, log))
        summaries.append(name)
    _read_figures(profile, space, log, work, window)
    space.split_kernels()
    if space.is_empty("read_slice"):
        _kernels_as_slices(space, lanes, log)
    return summaries


def _read_kernels(
    profile: Profile,
    file: TableFile,
    space: Workspace,
    log: ImportLog,
    work: Work,
    window: Window,
) -> None:
    count = 0
    for batch in read_kernels(file, profile.root, log):
        work.check()
        rows = _inside(window, pa.Table.from_batches([batch]))
        space.add("read_kernel", _numbered(rows, count))
        count += rows.num_rows


def _read_figures(
    profile: Profile, space: Workspace, log: ImportLog, work: Work, window: Window
) -> None:
    """Read what the vendor says of collectives and links; those of links have no time."""
    space.add("collective_figure", COLLECTIVE_FIGURES.empty_table())
    space.add("link_figure", LINK_FIGURES.empty_table())
    for file in profile.figures:
        work.stage(f"read {relative_name(file.path, profile.root)}")
        if file.kind == "links":
            space.add("link_figure", read_link_figures(file.path, profile.root, log))
            continue
        rows = read_collective_figures(file.path, profile.root, log)
        space.add("collective_figure", _inside(window, rows))


def _inside(window: Window, rows: pa.Table) -> pa.Table:
    """Return the rows of which some lies in a window, and those without a time."""
    if window == EVER:
        return rows
    ts = rows["ts"]
    end = pc.add(ts, pc.coalesce(rows["dur"], 0)) if "dur" in rows.column_names else ts
    reaches = pc.or_(pc.greater_equal(ts, window.start), pc.greater(end, window.start))
    wanted = pc.and_(pc.less(ts, window.end), reaches)
    return rows.filter(pc.or_kleene(wanted, pc.is_null(ts)))


def _living(window: Window, rows: pa.Table) -> pa.Table:
    """Return the allocations that are held at some instant of a window."""
    if window == EVER:
        return rows
    begun = pc.coalesce(pc.less(rows["ts"], window.end), True)
    held = pc.coalesce(pc.greater_equal(rows["release_ts"], window.start), True)
    return rows.filter(pc.and_(begun, held))


def _numbered(rows: pa.Table, first: int) -> pa.Table:
    numbers = pa.array(range(first, first + rows.num_rows), pa.int64())
    return rows.append_column("row_number", numbers)


def _kernels_as_slices(space: Workspace, lanes: LaneTable, log: ImportLog) -> None:
    """Show the kernels of a profile without a timeline on lanes of their own."""
    space.derive("kernel_lane")
    numbers: list[dict[str, int | None]] = []
    for device, stream in space.rows("FROM kernel_lane"):
        known = device is not None
        name = COMMUNICATION_PROCESS if stream is None else HARDWARE_PROCESS
        pid = f"{name} {device}" if known else name
        process = lanes.process_named(pid)
        process.name, process.label = name, f"NPU {device}" if known else "NPU"
        thread = _lane_name(stream)
        lane = lanes.thread_named(pid, thread)
        lane.thread_name = thread
        numbers.append({"device_id": device, "stream_id": stream, "lane": lane.number})
    if not numbers:
        return
    space.add("kernel_lane_number", pa.Table.from_pylist(numbers, schema=KERNEL_LANE_ROWS))
    space.derive("kernel_word", into="word")
    space.derive("kernel_slice", into="read_slice")
    log.add(
        "",
        "timeline_from_kernel_table",
        "info",
        sample="no timeline here: lanes show the kernel table, without host, waits and copies",
    )


def _lane_name(stream: int | None) -> str:
    """Return the lane of a stream; None stands for collectives, -1 for no known stream."""
    if stream is None:
        return "Communication Kernel"
    return f"Stream {stream}" if stream >= 0 else "Stream not collected"


def _read_memory(
    profile: Profile,
    file: TableFile,
    space: Workspace,
    lanes: LaneTable,
    series: dict[tuple[int, str, str], Series],
    log: ImportLog,
    window: Window,
) -> None:
    samples = _inside(window, read_memory_samples(file, profile.root, log))
    named: dict[tuple[str, str, str], int] = {}
    for device, component, key in _distinct(samples, "device", "component", "key"):
        label = _label(device)
        pid = f"{file.name} {label}".strip()
        process = lanes.process_named(pid)
        process.name, process.label = file.name, label or None
        lane = lanes.counter_named(pid, component or file.name)
        full = (lane.number, component or file.name, key or "")
        one = series.setdefault(full, Series(len(series), *full, unit=MEMORY_UNIT))
        named[device or "", component or "", key or ""] = one.number
    numbers = [
        named[device or "", component or "", key or ""]
        for device, component, key in _rows(samples, "device", "component", "key")
    ]
    space.add(
        "read_counter",
        pa.table(
            {
                "series": pa.array(numbers, pa.int32()),
                "ts": samples["ts"],
                "value": samples["value"],
            }
        ),
    )


def _distinct(table: pa.Table, *names: str) -> list[tuple[str | None, ...]]:
    return list(dict.fromkeys(_rows(table, *names)))


def _rows(table: pa.Table, *names: str) -> list[tuple[str | None, ...]]:
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def _label(device: str | None) -> str:
    """Return ``NPU 0`` for the ``NPU:0`` and ``0`` of memory tables, else the text itself.

    A row with a cell too many may have a time in place of the device.
    """
    text = (device or "").strip()
    number = _DEVICE.fullmatch(text)
    return f"NPU {int(number[1])}" if number and int(number[1]) <= MOST_DEVICE else text
