"""The lanes of a made-up timeline: which process and thread each record lies on.

A lane's pid is made of the OS process, the lane's place and its device, as msprof makes
it; threads of the host keep their OS numbers, which differ from rank to rank.
"""

from collections.abc import Iterable

from .overlap import OVERLAP_NAMES
from .record import (
    AUTOGRAD_THREAD,
    GROUP,
    MAIN_THREAD,
    PROCESS,
    QUEUE_THREAD,
    Run,
)

Event = dict[str, object]

HOST_DEVICE = 31
"""Stands for the device in the pids of the host's lanes."""

_RANK_APART = 8192
_SORT = {
    "Python": 0,
    "Python GC": 1,
    "CANN": 7,
    "Ascend Hardware": 14,
    "AI Core Freq": 15,
    "Communication": 16,
    "HBM": 18,
    "NPU MEM": 20,
    "Overlap Analysis": 29,
}


class Lanes:
    """The lanes of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.process = PROCESS + _RANK_APART * run.rank

    def pid(self, lane: str) -> int:
        """Return a lane's pid."""
        if lane == "Python":
            return self.process
        device = HOST_DEVICE if lane == "CANN" else self._run.rank
        return self.process << 10 | _SORT[lane] << 5 | device

    def tid(self, lane: str, tid: int) -> int:
        """Return the number that a lane's thread, stream or plane has in the file."""
        if lane in {"Python", "Python GC", "CANN"}:
            return tid + _RANK_APART * self._run.rank
        return tid

    def framework(self) -> list[Event]:
        """Return what describes the lanes that the framework writes."""
        events = self._describe("Python", self._named(self._threads()))
        if any(slice_.cat == "GC" for slice_ in self._run.slices):
            events += self._describe("Python GC", self._named([MAIN_THREAD]))
        return events

    def msprof(self) -> list[Event]:
        """Return what describes the lanes that msprof writes."""
        streams = sorted({task.stream for task in self._run.tasks})
        planes = {1 + plane: f"Plane {plane}" for plane in range(self._run.ranks)}
        threads: dict[str, dict[int, str]] = {
            "Ascend Hardware": {stream: f"Stream {stream}" for stream in streams},
            "HBM": {},
            "NPU MEM": {},
            "Communication": {0: f"Group {GROUP} Communication", **planes},
            "CANN": self._named(self._threads()),
            "Overlap Analysis": dict(enumerate(OVERLAP_NAMES)),
            "AI Core Freq": {},
        }
        if not self._run.collectives:
            del threads["Communication"]
        return [event for lane, names in threads.items() for event in self._describe(lane, names)]

    def _threads(self) -> list[int]:
        used = {call.tid for call in self._run.calls} | {one.tid for one in self._run.slices}
        return [tid for tid in (MAIN_THREAD, AUTOGRAD_THREAD, QUEUE_THREAD) if tid in used]

    def _named(self, threads: Iterable[int]) -> dict[int, str]:
        numbers = [self.tid("Python", tid) for tid in threads]
        return {tid: f"Thread {tid}" for tid in numbers}

    def _describe(self, lane: str, threads: dict[int, str]) -> list[Event]:
        """Return the metadata of a lane and its threads."""
        pid = self.pid(lane)
        host = lane in {"Python", "Python GC", "CANN"}

        def meta(kind: str, tid: int, **args: object) -> Event:
            return {"name": kind, "pid": pid, "tid": tid, "args": args, "ph": "M"}

        events = [meta("process_name", 0, name=lane)]
        for tid, name in threads.items():
            events.append(meta("thread_name", tid, name=name))
            events.append(meta("thread_sort_index", tid, sort_index=tid))
        label = "CPU" if host else f"NPU {self._run.rank}"
        events.append(meta("process_labels", 0, labels=label))
        events.append(meta("process_sort_index", 0, sort_index=_SORT[lane]))
        return events
