"""Writes a made-up run as trace_view.json, in the order and dialect of torch_npu.

The framework's events come first, then what msprof merged in by time, then the
arrows from operators to kernels. Timestamps are texts of microseconds with three
decimals; durations are numbers.
"""

import json
from collections.abc import Iterable

from .overlap import OVERLAP_NAMES, Interval, overlap_lanes, subtract
from .record import (
    AUTOGRAD_THREAD,
    COMMUNICATION_STREAM,
    COMPUTE_STREAM,
    GROUP,
    MAIN_THREAD,
    NO_ID,
    PROCESS,
    QUEUE_THREAD,
    RANKS,
    SYSTEM_STREAM,
    Arrow,
    Call,
    Collective,
    HostSlice,
    Place,
    PlaneTask,
    Run,
    Task,
)

Event = dict[str, object]

COUNTER_PERIOD_NS = 20_000_000
CORE_MHZ = 1800
RESERVED_KB = 32_505_856
HBM_PEAK_MBS = 410_000

_NO_NOTIFY = str(2**64 - 1)
_SORT = {
    "Python": 0,
    "CANN": 7,
    "Ascend Hardware": 14,
    "AI Core Freq": 15,
    "Communication": 16,
    "HBM": 18,
    "NPU MEM": 20,
    "Overlap Analysis": 29,
}
LEVELS = {
    "AscendCL": "acl",
    "Node": "node",
    "Runtime": "runtime",
    "Communication": "communication",
}
_HOST = {"Python", "CANN"}


def stamp(ns: int) -> str:
    """Return an instant as microseconds with three decimals."""
    return f"{ns // 1000}.{ns % 1000:03}"


def micros(ns: int) -> float | int:
    """Return a length as microseconds; the nearest double prints its exact decimals."""
    return ns // 1000 if ns % 1000 == 0 else ns / 1000


def trace_view(run: Run) -> str:
    """Return the whole timeline on one line."""
    events = [
        *_process("Python", _threads(MAIN_THREAD, AUTOGRAD_THREAD, QUEUE_THREAD)),
        *_python_events(run),
        *_msprof_metadata(),
        *_msprof_events(run),
        *(end for arrow in _arrows(run, "async_npu") for end in _flow(arrow, "torch_to_npu")),
    ]
    return json.dumps(events)


def _pid(process: str) -> int:
    """Return a process's pid: the OS process, the lane's place, and 31 or the device."""
    if process == "Python":
        return PROCESS
    return PROCESS << 10 | _SORT[process] << 5 | (31 if process in _HOST else 0)


def _threads(*tids: int) -> dict[int, str]:
    return {tid: f"Thread {tid}" for tid in tids}


def _process(process: str, threads: dict[int, str]) -> list[Event]:
    """Return the metadata of a process and its threads."""
    pid = _pid(process)
    label = "CPU" if process in _HOST else "NPU 0"

    def meta(kind: str, tid: int, **args: object) -> Event:
        return {"name": kind, "pid": pid, "tid": tid, "args": args, "ph": "M"}

    events = [meta("process_name", 0, name=process)]
    for tid, name in threads.items():
        events.append(meta("thread_name", tid, name=name))
        events.append(meta("thread_sort_index", tid, sort_index=tid))
    events.append(meta("process_labels", 0, labels=label))
    events.append(meta("process_sort_index", 0, sort_index=_SORT[process]))
    return events


def _msprof_metadata() -> list[Event]:
    streams = (SYSTEM_STREAM, COMPUTE_STREAM, COMMUNICATION_STREAM)
    planes = {1 + plane: f"Plane {plane}" for plane in range(RANKS)}
    threads = {
        "Ascend Hardware": {stream: f"Stream {stream}" for stream in streams},
        "HBM": {},
        "NPU MEM": {},
        "Communication": {0: f"Group {GROUP} Communication", **planes},
        "CANN": _threads(MAIN_THREAD, AUTOGRAD_THREAD, QUEUE_THREAD),
        "Overlap Analysis": dict(enumerate(OVERLAP_NAMES)),
        "AI Core Freq": {},
    }
    return [event for process, names in threads.items() for event in _process(process, names)]


def _python_events(run: Run) -> Iterable[Event]:
    """Give the framework's slices by kind, and the arrows of the queue and of autograd."""
    queue = {
        (end.tid, end.ts): arrow
        for arrow in _arrows(run, "async_task_queue")
        for end in (arrow.src, arrow.dst)
    }
    for kind in ("cpu_op", "enqueue", "dequeue"):
        for slice_ in run.slices:
            if slice_.cat == kind:
                yield _host_slice(slice_)
                if kind != "cpu_op":
                    start, end = _flow(queue[slice_.tid, slice_.ts], "enqueue_to_dequeue")
                    yield start if kind == "enqueue" else end
    for arrow in _arrows(run, "fwdbwd"):
        yield from _flow(arrow, "fwdbwd")
    for slice_ in run.slices:
        if slice_.cat == "python_function":
            yield _host_slice(slice_)


def _msprof_events(run: Run) -> list[Event]:
    """Return everything below the framework, by time."""
    timed: list[tuple[int, Event]] = [(call.ts, _call(call)) for call in run.calls]
    timed += ((task.ts, _task(task)) for task in run.tasks)
    for whole in run.collectives:
        timed.append((whole.ts, _collective(whole)))
        timed += ((task.ts, _plane_task(whole, task)) for task in whole.tasks)
    for arrow in _arrows(run, "HostToDevice"):
        start, end = _flow(arrow, f"HostToDevice{arrow.id}")
        timed += [(arrow.src.ts, start), (arrow.dst.ts, end)]
    lanes = overlap_lanes(run)
    for tid, (name, rows) in enumerate(lanes.items()):
        for start, end in rows:
            timed.append((start, _slice("Overlap Analysis", tid, name, start, end - start, {})))
    timed += _counters(run, lanes["Computing"])
    return [event for _, event in sorted(timed, key=lambda pair: pair[0])]


def _arrows(run: Run, cat: str) -> list[Arrow]:
    return [arrow for arrow in run.arrows if arrow.cat == cat]


def _flow(arrow: Arrow, name: str) -> tuple[Event, Event]:
    """Return both ends of an arrow; msprof writes its ids as text, the framework as numbers."""
    id_: object = str(arrow.id) if arrow.cat == "HostToDevice" else arrow.id

    def end(ph: str, place: Place) -> Event:
        where = {"pid": _pid(place.lane), "tid": place.tid, "ts": stamp(place.ts)}
        return {"ph": ph, "bp": "e", "name": name, "id": id_, **where, "cat": arrow.cat}

    start, finish = end("s", arrow.src), end("f", arrow.dst)
    if arrow.cat == "HostToDevice":
        del start["bp"]
    return start, finish


def _host_slice(slice_: HostSlice) -> Event:
    return {
        "ph": "X",
        "name": slice_.name,
        "pid": PROCESS,
        "tid": slice_.tid,
        "ts": stamp(slice_.ts),
        "dur": micros(slice_.dur),
        "cat": slice_.cat,
        "args": slice_.args,
    }


def _slice(process: str, tid: int, name: str, ts: int, dur: int, args: Event) -> Event:
    event: Event = {"name": name, "pid": _pid(process), "tid": tid, "ts": stamp(ts)}
    return {**event, "dur": micros(dur), "args": args, "ph": "X"}


def _call(call: Call) -> Event:
    args: Event = {
        "Thread Id": call.tid,
        "Mode": call.mode,
        "level": LEVELS[call.name.partition("@")[0]],
        "id": call.id,
        "item_id": call.item,
        "connection_id": call.connection_id,
    }
    return _slice("CANN", call.tid, call.name, call.ts, call.dur, args)


def _task(task: Task) -> Event:
    args: Event = {
        "Model Id": NO_ID,
        "Task Type": task.type,
        "Physic Stream Id": task.stream,
        "Task Id": task.task_id,
        "Batch Id": 0,
        "Subtask Id": task.subtask_id,
    }
    if task.size:
        args["size(B)"] = task.size
        args["bandwidth(GB/s)"] = round(task.size / task.dur, 3)
        args["operation"] = "host to device"
    args["connection_id"] = task.connection_id
    return _slice("Ascend Hardware", task.stream, task.name, task.ts, task.dur, args)


def _collective(whole: Collective) -> Event:
    args: Event = {
        "connection_id": whole.connection_id,
        "model id": NO_ID,
        "data_type": "BFP16",
        "alg_type": "MESH-RING",
        "count": whole.size // 2,
        "relay": "no",
        "retry": "no",
    }
    return _slice("Communication", 0, whole.name, whole.ts, whole.dur, args)


def _plane_task(whole: Collective, task: PlaneTask) -> Event:
    notify = {
        "Reduce_Inline": "0",
        "Notify_Wait": str(4 * task.context_id),
        "Notify_Record": str((task.peer << 32) + 4 * task.context_id),
    }.get(task.kind, _NO_NOTIFY)
    args: Event = {
        "notify_id": notify,
        "duration estimated(us)": round(task.size / 18_700, 3),
        "stream id": COMMUNICATION_STREAM,
        "task id": whole.task_id,
        "context id": task.context_id,
        "task type": task.kind,
        "src rank": 0,
        "dst rank": task.peer,
        "transport type": "LOCAL" if task.kind == "Notify_Wait" else "SDMA",
        "size(Byte)": task.size,
        "data type": "BFP16" if task.kind == "Reduce_Inline" else "INVALID_TYPE",
        "link type": task.link,
        "bandwidth(GB/s)": round(task.size / task.dur, 4),
        "model id": NO_ID,
    }
    return _slice("Communication", 1 + task.plane, task.kind, task.ts, task.dur, args)


def _counters(run: Run, computing: list[Interval]) -> Iterable[tuple[int, Event]]:
    """Give the samples of clock, memory and bandwidth, each at its instant."""
    begin = min(call.ts for call in run.calls) - COUNTER_PERIOD_NS
    end = max(call.ts for call in run.calls) + COUNTER_PERIOD_NS

    def sample(ts: int, process: str, name: str, key: str, value: float) -> tuple[int, Event]:
        where: Event = {"name": name, "ts": stamp(ts), "pid": _pid(process), "tid": 0}
        return ts, {**where, "args": {key: value}, "ph": "C"}

    for ts in (begin, end):
        yield sample(ts, "AI Core Freq", "AI Core Freq", "MHz", CORE_MHZ)
    for ts in range(begin, end, COUNTER_PERIOD_NS):
        window = (ts - COUNTER_PERIOD_NS, ts)
        idle = sum(stop - start for start, stop in subtract([window], computing))
        used = HBM_PEAK_MBS * (COUNTER_PERIOD_NS - idle) / COUNTER_PERIOD_NS
        for stack in range(2):
            for direction, share in (("Read", 0.62), ("Write", 0.38)):
                name = f"HBM {stack}/{direction}"
                rate = round(used * share * (1 - stack / 25), 3)
                yield sample(ts, "HBM", name, f"{direction}(MB/s)", rate)
        yield sample(ts, "NPU MEM", "APP/DDR", "KB", 0.0)
        yield sample(ts, "NPU MEM", "APP/HBM", "KB", float(RESERVED_KB))
        yield sample(ts, "NPU MEM", "APP/Memory", "KB", float(RESERVED_KB))
