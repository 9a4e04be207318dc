"""The task queue of the made-up host: what operators put in, a thread of its own launches."""

from collections.abc import Callable
from random import Random

from .device import Device
from .host import Host
from .model import Kernel
from .record import MAIN_THREAD, QUEUE_THREAD, Arrow, Place, Run, Task


class TaskQueue(Host):
    """The host with a queue to the device; work is done in the order in which it was put in."""

    def __init__(self, run: Run, device: Device, random: Random, start: int) -> None:
        super().__init__(run, random, start)
        self.device = device
        self._correlation = 0

    def copy(
        self,
        source: int,
        stream: int,
        size: int,
        *,
        direction: str = "host to device",
        pinned: bool = True,
    ) -> Task:
        """Queue a copy of the main thread's operator that started at ``source``."""
        started: list[Task] = []

        def launch(tid: int) -> None:
            connection, at = self.call(tid, "AscendCL@aclrtMemcpyAsync", self.about(12_400))
            self.call(tid, "Runtime@MemcpyAsync", 5_100, at=at + 3_400)
            task = self.device.copy(
                stream, at, size, connection, direction=direction, pinned=pinned
            )
            start = Place("Ascend Hardware", stream, task.ts)
            self.link(connection, at, Place("Python", MAIN_THREAD, source), start)
            started.append(task)

        self.put(MAIN_THREAD, f"acl_memcpy_{direction.replace(' ', '_')}", launch)
        return started[0]

    def record_event(self, tid: int, stream: int) -> int:
        """Queue the record of an event; return its instant."""
        events: list[int] = []

        def launch(tid: int) -> None:
            length = self.about(8_200)
            connection, at = self.call(tid, "AscendCL@aclrtRecordEvent", length)
            self.call(tid, "Runtime@EventRecord", 6_300, at=at + 1_200)
            self.pause(tid, length)
            events.append(self.device.record_event(stream, at, connection))

        self.put(tid, "record_event", launch)
        return events[0]

    def wait_event(self, tid: int, stream: int, event: int) -> Task:
        """Queue the wait of a stream for an event."""
        waits: list[Task] = []

        def launch(tid: int) -> None:
            length = self.about(6_400)
            connection, at = self.call(tid, "AscendCL@aclrtStreamWaitEvent", length)
            self.call(tid, "Runtime@StreamWaitEvent", 5_000, at=at + 1_000)
            self.pause(tid, length)
            waits.append(self.device.wait_event(stream, at, event, connection))

        self.put(tid, "wait_event", launch)
        return waits[0]

    def launch_kernel(
        self, tid: int, kernel: Kernel, name: str, length: int, source: Place, stream: int
    ) -> None:
        """Launch a kernel now, from the queue's thread, by a call of so many ns."""
        connection, begin = self.call(tid, "Node@launch", length, item=name)
        self.call(tid, "Runtime@KernelLaunchWithHandle", 4_900, at=begin + 5_600)
        launched = begin + 8_300
        task = self.device.kernel(stream, launched, name, kernel, connection)
        self.link(connection, launched, source, Place("Ascend Hardware", stream, task.ts))
        self.clocks[tid] = begin + length + 900

    def put(self, tid: int, api: str, launch: Callable[[int], None]) -> None:
        """Put work into the queue; the other thread does it when it has time."""
        self._correlation += 1
        args: dict[str, object] = {"correlation_id": self._correlation}
        put = Place("Python", tid, self.clocks[tid])
        self.spend(tid, 7_400)
        self.slice(tid, put.ts, "Enqueue", "enqueue", args)
        self.spend(tid, 600)
        begin = max(self.clocks[tid] + 4_200, self.clocks[QUEUE_THREAD] + 900)
        taken = Place("Python", QUEUE_THREAD, begin)
        self.clocks[QUEUE_THREAD] = begin + 2_800
        launch(QUEUE_THREAD)
        self.pause(QUEUE_THREAD, 2_500)
        self.slice(QUEUE_THREAD, begin, f"Dequeue@{api}", "dequeue", args)
        self.record.arrows.append(Arrow("async_task_queue", self._correlation, put, taken))

    def link(self, connection: int, launched: int, source: Place, task: Place) -> None:
        """Draw the two arrows that lead to a task: from its launch and from its operator."""
        launch = Place("CANN", QUEUE_THREAD, launched)
        self.record.arrows.append(Arrow("HostToDevice", connection << 32, launch, task))
        self.record.arrows.append(Arrow("async_npu", task.ts, source, task))
