"""Writes a made-up run as trace_view.json, in the order and dialect of torch_npu.

The framework's events come first, then what msprof merged in by time, then the
arrows from operators to kernels. Timestamps are texts of microseconds with three
decimals; durations are numbers.
"""

import json
from collections.abc import Iterable

from .counters import CounterSample, counter_samples
from .lanes import Event, Lanes
from .overlap import overlap_lanes
from .record import (
    COMMUNICATION_STREAM,
    NO_ID,
    Arrow,
    Call,
    Collective,
    HostSlice,
    Place,
    PlaneTask,
    Run,
    Task,
)

NO_CONNECTION = 2**64 - 1
"""What the profilers write where no call is known."""

_NO_NOTIFY = str(2**64 - 1)
LEVELS = {
    "AscendCL": "acl",
    "Node": "node",
    "Runtime": "runtime",
    "Communication": "communication",
}


def stamp(ns: int) -> str:
    """Return an instant as microseconds with three decimals."""
    return f"{ns // 1000}.{ns % 1000:03}"


def micros(ns: int) -> float | int:
    """Return a length as microseconds; the nearest double prints its exact decimals."""
    return ns // 1000 if ns % 1000 == 0 else ns / 1000


def trace_view(run: Run, *, linked: bool) -> str:
    """Return the whole timeline on one line; one that is not linked has no arrows and no ids."""
    return json.dumps(list(_Trace(run, linked=linked).events()))


class _Trace:
    """The events of a run."""

    def __init__(self, run: Run, *, linked: bool) -> None:
        self._run = run
        self._linked = linked
        self._lanes = Lanes(run)

    def events(self) -> Iterable[Event]:
        """Give all events in the order of the file."""
        yield from self._lanes.framework()
        yield from self._python()
        yield from self._lanes.msprof()
        yield from self._msprof()
        for arrow in self._arrows("async_npu"):
            yield from self._flow(arrow, "torch_to_npu")

    def _python(self) -> Iterable[Event]:
        """Give the framework's slices by kind, and the arrows of the queue and of autograd."""
        queue = {
            (end.tid, end.ts): arrow
            for arrow in self._arrows("async_task_queue")
            for end in (arrow.src, arrow.dst)
        }
        for kind in ("cpu_op", "enqueue", "dequeue"):
            for slice_ in self._run.slices:
                if slice_.cat == kind:
                    yield self._host_slice(slice_)
                    if arrow := queue.get((slice_.tid, slice_.ts)) if kind != "cpu_op" else None:
                        start, end = self._flow(arrow, "enqueue_to_dequeue")
                        yield start if kind == "enqueue" else end
        for arrow in self._arrows("fwdbwd"):
            yield from self._flow(arrow, "fwdbwd")
        for kind in ("python_function", "GC"):
            for slice_ in self._run.slices:
                if slice_.cat == kind:
                    yield self._host_slice(slice_)

    def _msprof(self) -> list[Event]:
        """Return everything below the framework, by time."""
        run = self._run
        timed: list[tuple[int, Event]] = [(call.ts, self._call(call)) for call in run.calls]
        timed += ((task.ts, self._task(task)) for task in run.tasks)
        for whole in run.collectives:
            timed.append((whole.ts, self._collective(whole)))
            timed += ((task.ts, self._plane_task(whole, task)) for task in whole.tasks)
        begun: set[int] = set()
        for arrow in self._arrows("HostToDevice"):
            start, end = self._flow(arrow, f"HostToDevice{arrow.id}")
            if arrow.id not in begun:
                begun.add(arrow.id)
                timed.append((arrow.src.ts, start))
            timed.append((arrow.dst.ts, end))
        lanes = overlap_lanes(run)
        for tid, (name, rows) in enumerate(lanes.items()):
            for start, end in rows:
                event = self._slice("Overlap Analysis", tid, name, start, end - start, {})
                timed.append((start, event))
        for sample in counter_samples(run, lanes["Computing"]):
            timed.append((sample.ts, self._sample(sample)))
        return [event for _, event in sorted(timed, key=lambda pair: pair[0])]

    def _arrows(self, cat: str) -> list[Arrow]:
        return [arrow for arrow in self._run.arrows if self._linked and arrow.cat == cat]

    def _flow(self, arrow: Arrow, name: str) -> tuple[Event, Event]:
        """Return both ends; msprof writes its ids as text, the framework as numbers."""
        id_: object = str(arrow.id) if arrow.cat == "HostToDevice" else arrow.id

        def end(ph: str, place: Place) -> Event:
            where = self._where(place.lane, place.tid, place.ts)
            return {"ph": ph, "bp": "e", "name": name, "id": id_, **where, "cat": arrow.cat}

        start, finish = end("s", arrow.src), end("f", arrow.dst)
        if arrow.cat == "HostToDevice":
            del start["bp"]
        return start, finish

    def _where(self, lane: str, tid: int, ts: int) -> Event:
        return {"pid": self._lanes.pid(lane), "tid": self._lanes.tid(lane, tid), "ts": stamp(ts)}

    def _connection(self, known: int) -> int:
        return known if self._linked else NO_CONNECTION

    def _host_slice(self, slice_: HostSlice) -> Event:
        lane = "Python GC" if slice_.cat == "GC" else "Python"
        return {
            "ph": "X",
            "name": slice_.name,
            **self._where(lane, slice_.tid, slice_.ts),
            "dur": micros(slice_.dur),
            "cat": slice_.cat,
            "args": slice_.args,
        }

    def _slice(self, lane: str, tid: int, name: str, ts: int, dur: int, args: Event) -> Event:
        where = self._where(lane, tid, ts)
        return {"name": name, **where, "dur": micros(dur), "args": args, "ph": "X"}

    def _call(self, call: Call) -> Event:
        args: Event = {
            "Thread Id": self._lanes.tid("CANN", call.tid),
            "Mode": call.mode,
            "level": LEVELS[call.name.partition("@")[0]],
            "id": call.id,
            "item_id": call.item,
            "connection_id": self._connection(call.connection_id),
        }
        return self._slice("CANN", call.tid, call.name, call.ts, call.dur, args)

    def _task(self, task: Task) -> Event:
        args: Event = {
            "Model Id": task.model,
            "Task Type": task.type,
            "Physic Stream Id": task.stream,
            "Task Id": task.task_id,
            "Batch Id": 0,
            "Subtask Id": task.subtask_id,
        }
        if task.size:
            args["size(B)"] = task.size
            args["bandwidth(GB/s)"] = round(task.size / task.dur, 3)
            args["operation"] = task.direction
        args["connection_id"] = self._connection(task.connection_id)
        return self._slice("Ascend Hardware", task.stream, task.name, task.ts, task.dur, args)

    def _collective(self, whole: Collective) -> Event:
        args: Event = {
            "connection_id": self._connection(whole.connection_id),
            "model id": NO_ID,
            "data_type": "BFP16",
            "alg_type": "MESH-RING",
            "count": whole.size // 2,
            "relay": "no",
            "retry": "no",
        }
        return self._slice("Communication", 0, whole.name, whole.ts, whole.dur, args)

    def _plane_task(self, whole: Collective, task: PlaneTask) -> Event:
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
            "src rank": self._run.rank,
            "dst rank": task.peer,
            "transport type": "LOCAL" if task.kind == "Notify_Wait" else "SDMA",
            "size(Byte)": task.size,
            "data type": "BFP16" if task.kind == "Reduce_Inline" else "INVALID_TYPE",
            "link type": task.link,
            "bandwidth(GB/s)": round(task.size / task.dur, 4),
            "model id": NO_ID,
        }
        return self._slice("Communication", 1 + task.plane, task.kind, task.ts, task.dur, args)

    def _sample(self, sample: CounterSample) -> Event:
        where: Event = {"name": sample.name, "ts": stamp(sample.ts)}
        where |= {"pid": self._lanes.pid(sample.lane), "tid": 0}
        return {**where, "args": {sample.key: sample.value}, "ph": "C"}
