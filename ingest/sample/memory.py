"""Writes the memory tables of a made-up run; sizes are in units of 1024 bytes."""

from collections.abc import Iterable
from itertools import accumulate

from .counters import COUNTER_PERIOD_NS, RESERVED_KB
from .record import Allocation, Run
from .tables import decimal, instant, table

KB = 1024
MB = 1024 * KB
PARAMETERS_BYTES = 8_137_949_184
"""Weights, gradients and the optimizer's moments: there before the profiler starts."""

RESERVED_MB = RESERVED_KB / KB
GRAPH_ENGINE_MB = (49.125, 74.75)
_STREAM = 897357296
_MODULES = {
    "APP": RESERVED_MB,
    "DRV": 412.0,
    "FFTS": 24.0,
    "GE": 74.75,
    "HCCL": 1628.5,
    "HCCP": 18.0,
    "RUNTIME": 236.0,
    "SLOG": 0.0,
    "TS": 6.5,
}
"""Memory of the driver's modules in MB."""


def memory_record(run: Run) -> str:
    """Return memory_record.csv: the state of the allocators after every change."""
    rows: list[tuple[int, list[object]]] = []

    def add(component: str, ts: int, allocated: object, reserved: object, active: object) -> None:
        stream: object = "" if active == "" else _STREAM
        rows.append((ts, [component, instant(ts), allocated, reserved, active, stream, _npu(run)]))

    start, end = _span(run)
    for ts in range(start, end, COUNTER_PERIOD_NS):
        add("APP", ts, "", RESERVED_MB + GRAPH_ENGINE_MB[1], "")
    add("GE", start, *GRAPH_ENGINE_MB, "")
    add("GE", end, *GRAPH_ENGINE_MB, "")
    engine_allocated, engine_reserved = GRAPH_ENGINE_MB
    for ts, allocated in _levels(run.allocations):
        megabytes = allocated / MB
        add("PTA", ts, megabytes, RESERVED_MB, megabytes)
        whole = megabytes + engine_allocated
        add("PTA+GE", ts, whole, RESERVED_MB + engine_reserved, whole)
    header = (
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),"
        "Stream Ptr,Device Type"
    )
    return table(header, [row for _, row in sorted(rows, key=lambda pair: pair[0])], "\r\n")


def operator_memory(run: Run) -> str:
    """Return operator_memory.csv: what each operator took and when it was given back."""
    levels = dict(_levels(run.allocations))
    rows: list[list[object]] = []
    for taken in run.allocations:
        after = levels[taken.ts] / MB
        row: list[object] = [taken.name, taken.size / KB, instant(taken.ts)]
        if taken.release is None:
            row += ["", "", "", "", after, RESERVED_MB, after, "", "", ""]
        else:
            left = levels[taken.release] / MB
            length = decimal(taken.release - taken.ts)
            released = instant(taken.release)
            row += [released, released, length, length]
            row += [after, RESERVED_MB, after, left, RESERVED_MB, left]
        rows.append([*row, _STREAM, _npu(run)])
    header = (
        "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),"
        "Duration(us),Active Duration(us),Allocation Total Allocated(MB),"
        "Allocation Total Reserved(MB),Allocation Total Active(MB),Release Total Allocated(MB),"
        "Release Total Reserved(MB),Release Total Active(MB),Stream Ptr,Device Type"
    )
    return table(header, rows, "\r\n")


def npu_module_mem(run: Run) -> str:
    """Return npu_module_mem.csv: memory of the driver's modules, sampled."""
    start, end = _span(run)
    rows = [
        (run.rank, module, instant(ts + 1_310 * place), megabytes, _npu(run))
        for place, (module, megabytes) in enumerate(_MODULES.items())
        for ts in range(start, end, 5 * COUNTER_PERIOD_NS)
    ]
    return table("Device_id,Component,Timestamp(us),Total Reserved(MB),Device", rows, "\n")


def _npu(run: Run) -> str:
    return f"NPU:{run.rank}"


def _span(run: Run) -> tuple[int, int]:
    return min(call.ts for call in run.calls), max(call.ts for call in run.calls)


def _levels(allocations: Iterable[Allocation]) -> list[tuple[int, int]]:
    """Return the bytes in use after each instant of change."""
    changes: dict[int, int] = {}
    for taken in allocations:
        changes[taken.ts] = changes.get(taken.ts, 0) + taken.size
        if taken.release is not None:
            changes[taken.release] = changes.get(taken.release, 0) - taken.size
    instants = sorted(changes)
    levels = accumulate((changes[ts] for ts in instants), initial=PARAMETERS_BYTES)
    return list(zip(instants, list(levels)[1:], strict=True))
