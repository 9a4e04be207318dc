"""Writes the memory tables of a made-up run; sizes are in units of 1024 bytes."""

from .allocator import levels, reserved_bytes
from .counters import COUNTER_PERIOD_NS
from .record import Run
from .tables import decimal, instant, table

KB = 1024
MB = 1024 * KB
GRAPH_ENGINE_MB = (49.125, 74.75)
_STREAM = 897357296
_MODULES = {
    "DRV": 412.0,
    "FFTS": 24.0,
    "GE": 74.75,
    "HCCL": 1628.5,
    "HCCP": 18.0,
    "RUNTIME": 236.0,
    "SLOG": 0.0,
    "TS": 6.5,
}
"""Memory of the driver's modules in MB, without that of the application."""


def memory_record(run: Run) -> str:
    """Return memory_record.csv: the state of the allocators after every change."""
    rows: list[tuple[int, list[object]]] = []

    def add(component: str, ts: int, allocated: object, reserved: object, active: object) -> None:
        stream: object = "" if active == "" else _STREAM
        rows.append((ts, [component, instant(ts), allocated, reserved, active, stream, _npu(run)]))

    start, end = _span(run)
    reserved = reserved_bytes(run) / MB
    for ts in range(start, end, COUNTER_PERIOD_NS):
        add("APP", ts, "", reserved + GRAPH_ENGINE_MB[1], "")
    add("GE", start, *GRAPH_ENGINE_MB, "")
    add("GE", end, *GRAPH_ENGINE_MB, "")
    engine_allocated, engine_reserved = GRAPH_ENGINE_MB
    for ts, allocated in levels(run):
        megabytes = allocated / MB
        add("PTA", ts, megabytes, reserved, megabytes)
        whole = megabytes + engine_allocated
        add("PTA+GE", ts, whole, reserved + engine_reserved, whole)
    header = (
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),"
        "Stream Ptr,Device Type"
    )
    return table(header, [row for _, row in sorted(rows, key=lambda pair: pair[0])], "\r\n")


def operator_memory(run: Run) -> str:
    """Return operator_memory.csv: what each operator took and when it was given back."""
    held, reserved = dict(levels(run)), reserved_bytes(run) / MB
    rows: list[list[object]] = []
    for taken in run.allocations:
        after = held[taken.ts] / MB
        row: list[object] = [taken.name, taken.size / KB, instant(taken.ts)]
        if taken.release is None:
            row += ["", "", "", "", after, reserved, after, "", "", ""]
        else:
            left = held[taken.release] / MB
            length = decimal(taken.release - taken.ts)
            released = instant(taken.release)
            row += [released, released, length, length]
            row += [after, reserved, after, left, reserved, left]
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
    modules = {"APP": reserved_bytes(run) / MB} | _MODULES
    rows = [
        (run.rank, module, instant(ts + 1_310 * place), megabytes, _npu(run))
        for place, (module, megabytes) in enumerate(modules.items())
        for ts in range(start, end, 5 * COUNTER_PERIOD_NS)
    ]
    return table("Device_id,Component,Timestamp(us),Total Reserved(MB),Device", rows, "\n")


def _npu(run: Run) -> str:
    return f"NPU:{run.rank}"


def _span(run: Run) -> tuple[int, int]:
    return min(call.ts for call in run.calls), max(call.ts for call in run.calls)
