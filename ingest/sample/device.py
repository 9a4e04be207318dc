"""The device of the made-up run: streams, events, copies, kernels and collectives.

A task starts when its stream is free and its launch has reached the device; a
collective moves data only after every peer has arrived.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from random import Random

from .model import Kernel
from .record import (
    COMMUNICATION_STREAM,
    GROUP,
    NO_ID,
    Cause,
    Collective,
    PlaneTask,
    Run,
    Task,
)

LAUNCH_LATENCY_NS = 6_200
QUEUE_SPACING_NS = 1_300
COLLECTED_SPACING_NS = 88_000
"""Between kernels while the profiler reads the cache's counters after each of them."""

EVENT_NS = 20
COPY_BYTES_PER_US = 22_940
STAGING_BYTES_PER_US = 3_684
REDUCE_BYTES_PER_US = 15_040
GATHER_BYTES_PER_US = 19_020
LOCAL_BYTES_PER_US = 614_000

_TWINS = {
    "Reduce_Inline": "SDMA",
    "Memcpy": "SDMA",
    "Notify_Wait": "Notify Wait",
    "Notify_Record": "Write Value",
}
_TIMELINE_TYPES = {"AI_VECTOR_CORE": "AI_CORE"}
"""The timeline says AI_CORE for vector kernels too; only kernel_details tells them apart."""


class Device:
    """The streams of the device; every method adds to the run what it did.

    A ``share`` of the model makes kernels that many times shorter; ``spaced`` kernels are held
    apart by the profiler. Ranks whose ``links`` are equally random end collectives together.
    """

    def __init__(
        self,
        run: Run,
        random: Random,
        *,
        links: Random | None = None,
        share: int = 1,
        spaced: bool = False,
    ) -> None:
        self._run = run
        self._random = random
        self._links = links or random
        self._together = links is not None
        self._share = share
        self._spaced = spaced
        self._last_kernel: dict[int, int] = {}
        self._drained: int | None = None
        self._model = NO_ID
        self._free: dict[int, int] = {}
        self._task_ids: dict[int, int] = {}

    @property
    def end(self) -> int:
        """When the last task ends."""
        return max(self._free.values(), default=0)

    def stream_end(self, stream: int) -> int:
        """When the last task of a stream ends."""
        return self._free.get(stream, 0)

    def drain(self, at: int) -> None:
        """Remember that the host has waited for the device until then: it could not run ahead."""
        self._drained = at

    @contextmanager
    def replaying(self, model: int) -> Generator[None]:
        """Let what is run meanwhile be tasks of a captured graph."""
        self._model = model
        yield
        self._model = NO_ID

    def kernel(
        self,
        stream: int,
        launch: int,
        name: str,
        kernel: Kernel,
        connection: int,
    ) -> Task:
        """Run a compute kernel."""
        spread = 1 + (self._random.random() - 0.5) / 120
        start = self._begin(stream, launch)
        last = self._last_kernel.get(stream)
        if self._spaced and last is not None:
            held = last + COLLECTED_SPACING_NS + self._random.randrange(28_000)
            if held > start:
                self._run.causes.append(Cause("profiler", max(self._free[stream], launch), held))
                start = held
        task = self._add(
            Task(
                stream,
                start,
                round(kernel.dur * spread) // self._share,
                name,
                _TIMELINE_TYPES.get(kernel.core, kernel.core),
                self._task_id(stream),
                0 if kernel.core.startswith("MIX") else NO_ID,
                connection,
                kernel,
                model=self._model,
            )
        )
        self._last_kernel[stream] = task.end
        return task

    def copy(
        self,
        stream: int,
        launch: int,
        size: int,
        connection: int,
        *,
        direction: str = "host to device",
        pinned: bool = True,
    ) -> Task:
        """Copy bytes; from memory that is not pinned the host first gathers them piece by piece."""
        start = self._begin(stream, launch)
        if not pinned:
            staged = size * 1000 // STAGING_BYTES_PER_US
            self._run.causes.append(Cause("copy_staging", launch, launch + staged))
            start = max(start, launch + staged)
        return self._add(
            Task(
                stream,
                start,
                size * 1000 // COPY_BYTES_PER_US,
                "MEMCPY_ASYNC",
                "PCIE_DMA_SQE",
                self._task_id(stream),
                NO_ID,
                connection,
                size=size,
                direction=direction,
            )
        )

    def control(self, stream: int, at: int, name: str, connection: int) -> None:
        """Run a task of the profiler itself; it holds up nothing."""
        task_id = self._task_id(stream)
        self._run.tasks.append(
            Task(stream, at, EVENT_NS, name, "PLACE_HOLDER_SQE", task_id, NO_ID, connection)
        )

    def record_event(self, stream: int, launch: int, connection: int) -> int:
        """Record an event and return its instant."""
        return self._event(stream, launch, 0, "EVENT_RECORD", connection).end

    def wait_event(self, stream: int, launch: int, event: int, connection: int) -> Task:
        """Hold a stream until an event."""
        return self._event(stream, launch, event, "EVENT_WAIT", connection)

    def all_reduce(
        self, launch: int, size: int, arrivals: Mapping[int, int], connection: int
    ) -> Collective:
        """Reduce bytes over all ranks; ``arrivals`` are ns by which peers come later than we."""
        stream = COMMUNICATION_STREAM
        start = self._begin(stream, launch)
        tasks = self._plane_tasks(start, size // self._run.ranks, arrivals)
        end = max(task.end for task in tasks)
        task_id = self._task_id(stream)
        name = f"hcom_allReduce__{GROUP[-3:]}_{len(self._run.collectives)}_1"
        collective = Collective(
            start, end - start, name, size, task_id, connection, tasks, arrivals
        )
        self._run.collectives.append(collective)
        for task in tasks:
            twin = _TWINS[task.kind]
            self._run.tasks.append(
                Task(stream, task.ts, task.dur, twin, twin, task_id, task.context_id, connection)
            )
        self._free[stream] = end
        return collective

    def _plane_tasks(
        self, start: int, piece: int, arrivals: Mapping[int, int]
    ) -> tuple[PlaneTask, ...]:
        """Lay out a mesh all-reduce: meet every peer, reduce, meet again, gather.

        Plane 0 moves data on the chip. Plane k meets the k-th rank behind this one, and gathers
        from the k-th before it.
        """
        tasks: list[PlaneTask] = []
        rank, ranks = self._run.rank, self._run.ranks
        planes = range(1, ranks)

        def add(plane: int, ts: int, dur: int, kind: str, peer: int, size: int = 0) -> int:
            tasks.append(PlaneTask(plane, ts, dur, kind, peer, size, len(tasks)))
            return ts + dur

        def meet(at: int, peers: list[int], late: Mapping[int, int]) -> int:
            """Tell every peer and wait for each; return when the last one has come."""
            for plane, peer in zip(planes, peers, strict=True):
                add(plane, at + 280 * plane, 720, "Notify_Record", peer)
            ends: list[int] = []
            for plane, peer in zip(planes, peers, strict=True):
                begin = at + 3_400 + 740 * plane
                wait = max(start + late.get(peer, 0) - begin, EVENT_NS)
                ends.append(add(plane, begin, wait, "Notify_Wait", peer))
            return max(ends)

        def move(at: int, kind: str, peers: list[int], bytes_per_us: int) -> int:
            """Move a piece over every link at once; return when the slowest has finished."""
            ends: list[int] = []
            for plane, peer in zip(planes, peers, strict=True):
                dur = round(piece * 1000 / bytes_per_us * (1 + self._links.random() / 60))
                ends.append(add(plane, at + 270 * plane, dur, kind, peer, piece))
            return max(ends)

        same = [(rank + plane) % ranks for plane in planes]
        opposite = [(rank - plane) % ranks for plane in planes]
        local = piece * 1000 // LOCAL_BYTES_PER_US
        add(0, start, 600, "Reduce_Inline", NO_ID, 4)
        copied = add(0, start + 1_820, local, "Memcpy", rank, piece)
        met = meet(start + 5_720, same, arrivals)
        if self._together:
            # Nobody gets on before the last one has its own piece ready.
            copied += max((0, *arrivals.values()))
        reduced = move(max(met, copied) + 2_900, "Reduce_Inline", same, REDUCE_BYTES_PER_US)
        met = meet(reduced + 400, same, {})
        copied = add(0, met + 900, local, "Memcpy", rank, piece)
        met = meet(copied + 700, opposite, {})
        gathered = move(met + 2_400, "Memcpy", opposite, GATHER_BYTES_PER_US)
        met = meet(gathered + 400, opposite, {})
        add(0, met + 900, 600, "Reduce_Inline", NO_ID, 4)
        return tuple(tasks)

    def _event(self, stream: int, launch: int, until: int, name: str, connection: int) -> Task:
        start = self._start(stream, launch)
        dur = max(until + 300 - start, EVENT_NS)
        task_id = self._task_id(stream)
        return self._add(
            Task(
                stream,
                start,
                dur,
                name,
                f"{name}_SQE",
                task_id,
                NO_ID,
                connection,
                model=self._model,
            )
        )

    def _add(self, task: Task) -> Task:
        self._run.tasks.append(task)
        self._free[task.stream] = task.end
        return task

    def _begin(self, stream: int, launch: int) -> int:
        """Return when work that is launched now starts; it ends what a blocking call has cost."""
        if self._drained is not None and launch > self._drained:
            self._run.causes.append(Cause("host_sync", self._drained, launch))
        self._drained = None
        return self._start(stream, launch)

    def _start(self, stream: int, launch: int) -> int:
        arrived = launch + LAUNCH_LATENCY_NS + self._random.randrange(1_600)
        queued = self._free.get(stream, 0) + QUEUE_SPACING_NS + self._random.randrange(900)
        return max(arrived, queued)

    def _task_id(self, stream: int) -> int:
        self._task_ids[stream] = self._task_ids.get(stream, 100 * stream) + 1
        return self._task_ids[stream]
