"""The ground of the trace builder: events, lanes, arrows and the document; see ``build``."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Time = int | str
"""Nanoseconds, or decimal microseconds as text."""

Id = int | str

_LANES = {
    "Python": ("CPU", 0),
    "CANN": ("CPU", 7),
    "Ascend Hardware": ("NPU", 13),
    "AI Core Freq": ("NPU", 14),
    "Communication": ("NPU", 15),
    "HBM": ("NPU", 17),
    "LLC": ("NPU", 18),
    "NPU MEM": ("NPU", 19),
    "Overlap Analysis": ("NPU", 23),
}
_FLOWS = {"async_npu": "torch_to_npu", "async_task_queue": "enqueue_to_dequeue"}


class Verbatim(str):
    """JSON text that goes into an event as it is: a number in its own digits, for example."""

    __slots__ = ()


def us(time: Time) -> str:
    """Return a time as decimal microseconds; ints get exactly three decimals."""
    if isinstance(time, str):
        return time
    sign = "-" if time < 0 else ""
    whole, rest = divmod(abs(time), 1000)
    return f"{sign}{whole}.{rest:03}"


def event_text(fields: Mapping[str, object]) -> str:
    """Return an event as the profilers write it; fields that are None are left out."""
    return (
        "{"
        + ", ".join(
            f"{json.dumps(key)}: {value if isinstance(value, Verbatim) else json.dumps(value)}"
            for key, value in fields.items()
            if value is not None
        )
        + "}"
    )


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice that was added: what a flow or a launch needs to know of it."""

    name: str
    pid: Id
    tid: Id
    ts: Time
    dur: Time
    connection_id: int | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """A thread of a process of a trace."""

    trace: "EventDocument"
    pid: Id
    tid: Id

    def slice(
        self,
        name: str,
        ts: Time,
        dur: Time,
        *,
        cat: str | None = None,
        args: Mapping[str, object] | None = None,
        connection_id: int | None = None,
    ) -> Slice:
        """Add an X event; ``connection_id`` joins the args."""
        if connection_id is not None:
            args = {**(args or {}), "connection_id": connection_id}
        self.trace.event(
            ph="X",
            name=name,
            pid=self.pid,
            tid=self.tid,
            ts=self.trace.stamp(ts),
            dur=Verbatim(us(dur)),
            cat=cat,
            args=args,
        )
        return Slice(name, self.pid, self.tid, ts, dur, connection_id)


class EventDocument:
    """The events of a Chrome trace and the document they make.

    ``ts="number"`` writes timestamps as JSON numbers, as profilers before 2024 do.
    Lanes get their metadata on first use; it precedes the events unless ``write``
    is told otherwise.
    """

    def __init__(
        self, *, os_pid: int = 4242, device: int = 0, ts: Literal["text", "number"] = "text"
    ) -> None:
        self.os_pid = os_pid
        self.device = device
        self.events: list[str] = []
        self.metadata: list[str] = []
        self._ts = ts
        self._lanes: dict[tuple[Id, Id], Lane] = {}

    def stamp(self, time: Time) -> str:
        """Return a timestamp as the file holds it."""
        return us(time) if self._ts == "text" else Verbatim(us(time))

    def raw(self, text: str) -> None:
        """Add the bytes of an event as they are, damaged or not."""
        self.events.append(text)

    def event(self, **fields: object) -> None:
        """Add an event of any fields, in their order."""
        self.raw(event_text(fields))

    def meta(self, kind: str, pid: Id, tid: Id = 0, **args: object) -> None:
        """Add an M event: ``meta("process_name", 7, name="CANN")``."""
        fields = {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": args}
        self.metadata.append(event_text(fields))

    def pid(self, process: str) -> int:
        """Return the pid of one of the profilers' processes, the OS process id in its high bits."""
        label, sort_index = _LANES[process]
        if process == "Python":
            return self.os_pid
        return self.os_pid << 10 | sort_index << 5 | (31 if label == "CPU" else self.device)

    def lane(
        self,
        process: str,
        tid: Id,
        thread: str | None = None,
        *,
        pid: Id | None = None,
        label: str | None = None,
        sort_index: int | None = None,
    ) -> Lane:
        """Return a lane by process name and tid; any other name than the profilers' needs a pid."""
        if process in _LANES:
            kind, known = _LANES[process]
            label = label or (kind if kind == "CPU" else f"NPU {self.device}")
            sort_index = known if sort_index is None else sort_index
            pid = self.pid(process) if pid is None else pid
        if pid is None:
            raise ValueError(f"process {process!r} needs a pid")
        key = (pid, tid)
        if key not in self._lanes:
            if not any(known_pid == pid for known_pid, _ in self._lanes):
                self.meta("process_name", pid, name=process)
                if label is not None:
                    self.meta("process_labels", pid, labels=label)
                if sort_index is not None:
                    self.meta("process_sort_index", pid, sort_index=sort_index)
            if thread is not None:
                self.meta("thread_name", pid, tid, name=thread)
                self.meta("thread_sort_index", pid, tid, sort_index=tid)
            self._lanes[key] = Lane(self, pid, tid)
        return self._lanes[key]

    def flow(
        self,
        cat: str,
        src: Slice | None,
        dst: Slice | None,
        *,
        id: Id,  # noqa: A002 - the name of the field
        name: str | None = None,
    ) -> None:
        """Add an arrow from the start of a slice to the start of another.

        None leaves that end out; the name is the category's own unless given.
        """
        if name is None:
            name = f"{cat}{id}" if cat in {"HostToDevice", "MsTx"} else _FLOWS.get(cat, cat)
        for ph, end in (("s", src), ("f", dst)):
            if end is not None:
                self.event(
                    ph=ph,
                    bp="e" if ph == "f" else None,
                    name=name,
                    id=id,
                    pid=end.pid,
                    tid=end.tid,
                    ts=self.stamp(end.ts),
                    cat=cat,
                )

    def text(
        self,
        *,
        envelope: Literal["array", "object"] = "array",
        metadata: Literal["first", "last"] = "first",
    ) -> str:
        """Return the whole document on one line."""
        first, last = self.metadata, self.events
        if metadata == "last":
            first, last = last, first
        array = "[" + ", ".join([*first, *last]) + "]"
        return array if envelope == "array" else f'{{"schemaVersion": 1, "traceEvents": {array}}}'

    def write(
        self,
        path: Path,
        *,
        envelope: Literal["array", "object"] = "array",
        metadata: Literal["first", "last"] = "first",
        gz: bool = False,
        truncate_at: int | None = None,
    ) -> Path:
        """Write the document; ``truncate_at`` cuts it at a byte, from the end if negative."""
        content = self.text(envelope=envelope, metadata=metadata).encode()[:truncate_at]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content, mtime=0) if gz else content)
        return path
