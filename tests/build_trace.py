"""A builder of tiny Chrome traces in the dialect of the profilers; use it through ``build``."""

from collections.abc import Iterable, Mapping
from typing import Literal

from build_event import EventDocument, Id, Lane, Slice, Time

NO_ID = 4294967295
NO_CONNECTION = 18446744073709551615

_OVERLAP = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")
_LEVELS = {
    "AscendCL": "acl",
    "Runtime": "runtime",
    "Node": "node",
    "Communication": "communication",
}
_TWINS = {"Notify_Wait": "Notify Wait", "Notify_Record": "Write Value"}


class TraceBuilder(EventDocument):
    """A Chrome trace in the dialect of msprof and torch_npu, event by event."""

    def __init__(
        self, *, os_pid: int = 4242, device: int = 0, ts: Literal["text", "number"] = "text"
    ) -> None:
        super().__init__(os_pid=os_pid, device=device, ts=ts)
        self._groups: list[str] = []
        self._task_id = 0

    def host_thread(self, tid: int | None = None) -> Lane:
        """Return a thread of the Python process; the main thread has the process's id."""
        tid = self.os_pid if tid is None else tid
        return self.lane("Python", tid, f"Thread {tid}")

    def cann_thread(self, tid: int | None = None) -> Lane:
        """Return a thread of the CANN process."""
        tid = self.os_pid if tid is None else tid
        return self.lane("CANN", tid, f"Thread {tid}")

    def stream(self, number: int) -> Lane:
        """Return a stream of the device."""
        return self.lane("Ascend Hardware", number, f"Stream {number}")

    def group(self, name: str = "0") -> Lane:
        """Return the lane of a communication group's collectives."""
        return self.lane("Communication", self._group_tid(name), f"Group {name} Communication")

    def plane(self, number: int, group: str = "0") -> Lane:
        """Return a plane of a communication group."""
        return self.lane("Communication", self._group_tid(group) + 1 + number, f"Plane {number}")

    def task(
        self,
        name: str,
        ts: Time,
        dur: Time,
        *,
        stream: int = 2,
        task_type: str,
        task_id: int | None = None,
        subtask_id: int = NO_ID,
        connection_id: int | None = None,
        args: Mapping[str, object] | None = None,
    ) -> Slice:
        """Add a device task of any type, such as EVENT_WAIT_SQE; ``args`` join its own."""
        if task_id is None:
            self._task_id += 1
            task_id = self._task_id
        added = self.stream(stream).slice(
            name,
            ts,
            dur,
            args={
                "Model Id": NO_ID,
                "Task Type": task_type,
                "Physic Stream Id": stream,
                "Task Id": task_id,
                "Batch Id": 0,
                "Subtask Id": subtask_id,
                **(args or {}),
                "connection_id": NO_CONNECTION if connection_id is None else connection_id,
            },
        )
        return Slice(added.name, added.pid, added.tid, ts, dur, connection_id)

    def kernel(
        self,
        name: str,
        ts: Time,
        dur: Time,
        *,
        stream: int = 2,
        task_type: str = "AI_CORE",
        task_id: int | None = None,
        connection_id: int | None = None,
    ) -> Slice:
        """Add a compute kernel."""
        return self.task(
            name,
            ts,
            dur,
            stream=stream,
            task_type=task_type,
            task_id=task_id,
            connection_id=connection_id,
        )

    def launch(
        self,
        target: Slice | int,
        ts: Time,
        dur: Time,
        *,
        name: str = "Node@launch",
        tid: int | None = None,
        flow: bool = True,
    ) -> Slice:
        """Add the CANN call that launches a task, given the task or only its connection_id.

        With ``flow`` a HostToDevice arrow leads from it to the task.
        """
        known = isinstance(target, Slice)
        connection_id = target.connection_id if known else target
        level, _, api = name.partition("@")
        thread = self.cann_thread(tid)
        call = thread.slice(
            name,
            ts,
            dur,
            args={
                "Thread Id": thread.tid,
                "Mode": api,
                "level": _LEVELS.get(level, level.lower()),
                "id": api if level == "AscendCL" else "0",
                "item_id": target.name if known and level == "Node" else "0",
            },
            connection_id=connection_id,
        )
        if flow and connection_id is not None:
            number = str(connection_id << 32)
            self.flow("HostToDevice", call, target if known else None, id=number)
        return call

    def collective(
        self,
        ts: Time,
        dur: Time,
        *,
        name: str = "hcom_allReduce__586_0_1",
        group: str = "0",
        connection_id: int | None = None,
        waits: Mapping[int, tuple[Time, Time]] | None = None,
        moves: Iterable[tuple[int, Time, Time]] = (),
        stream: int | None = None,
        src: int = 0,
    ) -> Slice:
        """Add a collective with its plane tasks.

        ``waits`` gives (ts, dur) of the Notify_Wait for each peer, ``moves`` (peer, ts, dur) of
        each Reduce_Inline. Each task lies on the plane numbered as its peer, and with ``stream``
        once more on that device stream, as the hardware sees it.
        """
        whole = self.group(group).slice(
            name,
            ts,
            dur,
            args={"model id": NO_ID, "data_type": "FP32", "alg_type": "MESH-RING", "count": 1024},
            connection_id=connection_id,
        )
        tasks = [("Notify_Wait", peer, *times) for peer, times in (waits or {}).items()]
        tasks += [("Reduce_Inline", peer, start, length) for peer, start, length in moves]
        self._task_id += 1
        for context, (kind, peer, start, length) in enumerate(tasks):
            self.plane_task(
                kind,
                peer,
                start,
                length,
                group=group,
                stream=stream,
                src=src,
                task_id=self._task_id,
                context_id=context,
                connection_id=connection_id,
            )
        return whole

    def plane_task(
        self,
        kind: str,
        peer: int,
        ts: Time,
        dur: Time,
        *,
        group: str = "0",
        stream: int | None = None,
        plane: int | None = None,
        src: int = 0,
        size: int = 0,
        task_id: int = 0,
        context_id: int = 0,
        connection_id: int | None = None,
    ) -> Slice:
        """Add a task of a collective (Notify_Wait, Memcpy, ...) on its plane.

        With ``stream`` its twin lies on that stream under the same task and context.
        """
        moves = kind in {"Reduce_Inline", "Memcpy"}
        added = self.plane(peer if plane is None else plane, group).slice(
            kind,
            ts,
            dur,
            args={
                "notify_id": str(NO_CONNECTION),
                "stream id": NO_ID if stream is None else stream,
                "task id": task_id,
                "context id": context_id,
                "task type": kind,
                "src rank": src,
                "dst rank": peer,
                "transport type": "SDMA" if moves else "LOCAL",
                "size(Byte)": size,
                "link type": "HCCS" if moves else "INVALID_TYPE",
                "model id": NO_ID,
            },
        )
        if stream is not None:
            twin = _TWINS.get(kind, "SDMA")
            self.task(
                twin,
                ts,
                dur,
                stream=stream,
                task_type=twin,
                task_id=task_id,
                subtask_id=context_id,
                connection_id=connection_id,
            )
        return added

    def queue(
        self,
        correlation_id: int,
        enqueue: tuple[int, Time, Time],
        dequeue: tuple[int, Time, Time],
        *,
        api: str = "aclnnAdd",
    ) -> tuple[Slice, Slice]:
        """Add the two sides of a task queue entry, each as (tid, ts, dur), and their arrow."""
        args = {"correlation_id": correlation_id}
        tid, ts, dur = enqueue
        put = self.host_thread(tid).slice("Enqueue", ts, dur, cat="enqueue", args=args)
        tid, ts, dur = dequeue
        taken = self.host_thread(tid).slice(f"Dequeue@{api}", ts, dur, cat="dequeue", args=args)
        self.flow("async_task_queue", put, taken, id=correlation_id)
        return put, taken

    def step(self, number: int, ts: Time, dur: Time, *, tid: int | None = None) -> Slice:
        """Add a ProfilerStep mark on the main thread."""
        return self.host_thread(tid).slice(f"ProfilerStep#{number}", ts, dur, cat="cpu_op")

    def overlap(self, name: str, ts: Time, dur: Time) -> Slice:
        """Add an interval of the Overlap Analysis lane: Computing, Free, ..."""
        return self.lane("Overlap Analysis", _OVERLAP.index(name), name).slice(name, ts, dur)

    def counter(
        self,
        name: str,
        ts: Time,
        values: Mapping[str, object],
        *,
        process: str = "AI Core Freq",
        pid: Id | None = None,
    ) -> None:
        """Add a sample of a counter: ``counter("AI Core Freq", ts=0, values={"MHz": 1800})``."""
        lane = self.lane(process, 0, pid=pid)
        self.event(ph="C", name=name, pid=lane.pid, tid=0, ts=self.stamp(ts), args=values)

    def _group_tid(self, name: str) -> int:
        if name not in self._groups:
            self._groups.append(name)
        return self._groups.index(name) * 100
