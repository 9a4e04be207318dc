"""The training loop of a made-up rank, one telling of it: steps of load, forward, backward, update.

The main thread runs the loop; during the backward pass it waits for the autograd
engine's thread. What else happens, the training's habits do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from .collection import START
from .device import Device
from .framework import Framework
from .host import STACK_BREAK
from .model import BUCKETS, FORWARD, OPTIMIZER, Operator
from .peers import Meeting
from .record import (
    AUTOGRAD_THREAD,
    MAIN_THREAD,
    SYSTEM_STREAM,
    HostSlice,
    Run,
    StepMark,
    Task,
    Varied,
)

if TYPE_CHECKING:
    from .training import Training

FIRST_STEP = 12
_ENTRY = (
    "train/main.py(141): <module>",
    "train/main.py(118): main",
    "train/main.py(74): train_epoch",
)
_STEP = (*_ENTRY, "train/main.py(52): train_step")
_BACKWARD = (
    *_STEP,
    "torch/_tensor.py(492): backward",
    "torch/autograd/__init__.py(251): backward",
    "<built-in method run_backward of torch._C._EngineBase object at 0xfffd8c2f1a60>",
)


@dataclass(frozen=True, slots=True)
class Dial:
    """What is adjusted until a step comes out as told: two lengths in ns."""

    late: int = 14_000_000
    """How much later than this rank the slow peer comes to the large collective."""

    pause: int = 300_000
    """Python work before the largest gap ends."""


class Loop:
    """One telling of a rank's run; ``meetings`` are when the ranks came to each collective."""

    def __init__(
        self,
        training: "Training",
        rank: int,
        dials: Sequence[Dial],
        meetings: Sequence[Sequence[int]],
        *,
        spaced: bool,
    ) -> None:
        random = Random(training.seed + rank)  # noqa: S311 - made-up jitter, the same every time
        self.record = Run(rank, training.peers.ranks)
        links = Random(training.seed) if len(training.peers.told) > 1 else None  # noqa: S311 - as above
        device = Device(self.record, random, links=links, share=training.share, spaced=spaced)
        start = START + 1_900_000
        self.host = Framework(self.record, device, random, start, training.launching)
        self.rank = rank
        self.fetched: Task | None = None
        self.unpacked = 0
        self.buffer: int | None = None
        self._device = device
        self._random = random
        self._training = training
        self._dials = dials
        self._meetings = meetings
        self._saved: dict[str, int] = {}

    @property
    def first(self) -> str:
        """Key of the first operator of a step."""
        return FORWARD[0].key

    @property
    def step(self) -> int:
        """Number of the step that is being told."""
        return FIRST_STEP + len(self.record.steps)

    def frames(self, operator: Operator) -> tuple[str, ...]:
        """Return the frames of the main thread around an operator."""
        return (*_STEP, *operator.frames)

    def play(self) -> Run:
        """Start the profiler, train, stop it."""
        host = self.host
        host.enter(MAIN_THREAD, *_ENTRY)
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStart", 900_000)
        self._device.control(SYSTEM_STREAM, at + 400_000, "PROFILING_ENABLE", connection)
        host.pause(MAIN_THREAD, 1_200_000)
        for index, dial in enumerate(self._dials):
            self._step(FIRST_STEP + index, dial)
        host.enter(MAIN_THREAD, *_ENTRY, "torch_npu/profiler/profiler.py(256): stop")
        host.synchronize(MAIN_THREAD)
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStop", 600_000)
        self._device.control(SYSTEM_STREAM, at + 250_000, "PROFILING_DISABLE", connection)
        host.pause(MAIN_THREAD, 650_000)
        host.enter(MAIN_THREAD)
        return self.record

    def _step(self, number: int, dial: Dial) -> None:
        host = self.host
        main = MAIN_THREAD
        host.spend(main, 600)
        start = host.clocks[main]
        host.spend(main, 2_400)
        host.enter(main, *_STEP)
        self._load(dial)
        for operator in map(self._varied, FORWARD):
            self._forward(operator, dial)
        self._report(54_000, "train/meter.py(31): update")
        host.enter(main, *_BACKWARD)
        events = self._backward(dial)
        scaler = "torch_npu/npu/amp/grad_scaler.py"
        self._report(38_000, f"{scaler}(412): step", f"{scaler}(337): _maybe_opt_step")
        for operator in map(self._varied, OPTIMIZER):
            host.enter(main, *self.frames(operator))
            host.spend(main, operator.python_ns)
            self._run(partial(host.run, trained=False), operator)
            self._after(operator, main)
            if events:
                # Decoupled weight decay, the first of them, needs no gradients.
                host.wait_for(events, main)
                events = []
        self._report(190_000, "train/main.py(61): log_loss")
        host.enter(main, *_ENTRY)
        host.spend(main, 1_500)
        end = host.clocks[main]
        self.record.steps.append(StepMark(number, start, end - start, self._device.end))
        self._mark(number, start, end)
        host.enter(main, *_ENTRY, "torch_npu/profiler/profiler.py(244): step")
        host.spend(main, 31_000)
        host.enter(main, *_ENTRY)

    def _load(self, dial: Dial) -> None:
        """Take the next batch from the loader and send it off."""
        host = self.host
        target = self._training.target
        paused = target is not None and target.pause_before == "batch"
        host.enter(MAIN_THREAD, *_STEP, "torch/utils/data/dataloader.py(630): __next__")
        loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        with host.operator(MAIN_THREAD, loader):
            host.spend(MAIN_THREAD, 20_000)
            for habit in self._training.habits:
                habit.loading(self)
            if paused:
                host.pause(MAIN_THREAD, dial.pause)
        host.enter(MAIN_THREAD, *_STEP)
        before = self._device.end
        begin = host.copy_batch(pinned=self._training.pinned)
        if paused and target is not None:
            # Nothing ran before the first batch: there is no gap to adjust.
            self.record.pauses.append(begin - before if before else target.largest_gap)

    def _forward(self, operator: Operator, dial: Dial) -> None:
        host = self.host
        target = self._training.target
        host.enter(MAIN_THREAD, *self.frames(operator))
        host.spend(MAIN_THREAD, operator.python_ns)
        for habit in self._training.habits:
            habit.before(self, operator)
        paused = target is not None and operator.key == target.pause_before
        if paused:
            host.pause(MAIN_THREAD, dial.pause)
        before = self._device.end
        name = operator.ops[-1]
        self._saved[operator.key] = host.allocate(name, MAIN_THREAD, operator.output_bytes)
        self._run(partial(host.run, trained=True), operator)
        if paused:
            kernel = operator.kernels[0]
            begin = max(task.ts for task in self.record.tasks if task.kernel == kernel)
            self.record.pauses.append(begin - before)
        self._after(operator, MAIN_THREAD)

    def _backward(self, dial: Dial) -> list[int]:
        """Let the engine's thread run the backward pass while the main thread waits for it.

        Returns the events of the collectives that nothing waits for yet.
        """
        host = self.host
        host.clocks[AUTOGRAD_THREAD] = host.clocks[MAIN_THREAD] + 84_000
        reducing, share = self._training.reducing, self._training.share
        events: list[int] = []
        behind: list[int] = []
        gradient: int | None = None
        for index, (operators, size) in enumerate(BUCKETS):
            for operator in map(self._varied, operators):
                name = operator.ops[-1]
                taken = host.allocate(name, AUTOGRAD_THREAD, operator.output_bytes)
                self._run(host.run_backward, operator)
                for used in (self._saved.pop(operator.key, None), gradient):
                    if used is not None:
                        host.release(used, AUTOGRAD_THREAD)
                gradient = taken
                self._after(operator, AUTOGRAD_THREAD)
            events.append(host.all_reduce(size // share, self._late(index, dial)))
            behind.append(len(self.record.tasks))
            if reducing == "blocking":
                host.wait_for(events)
                events = []
        for place in behind:
            later = (task.dur for task in self.record.tasks[place:] if task.kernel is not None)
            self.record.coverable.append(sum(later))
        if reducing == "overlapped":
            host.wait_for(events)
            events = []
        for left in (gradient, *self._saved.values()):
            if left is not None:
                host.release(left, AUTOGRAD_THREAD)
        self._saved.clear()
        host.clocks[MAIN_THREAD] = host.clocks[AUTOGRAD_THREAD] + 57_000
        return events

    def _varied(self, operator: Operator) -> Operator:
        """Let an operator launch what this training's library launches for it."""
        return operator._replace(
            kernels=self._training.variants.get(operator.api, operator.kernels)
        )

    def _run(self, run: Callable[[Operator], None], operator: Operator) -> None:
        """Run an operator, and note its kernels if they are not the model's."""
        before = len(self.record.tasks)
        run(operator)
        if operator.api in self._training.variants:
            tasks = (task for task in self.record.tasks[before:] if task.kernel is not None)
            self.record.varied.append(Varied(operator.api, tuple(tasks)))

    def _late(self, bucket: int, dial: Dial) -> dict[int, int]:
        """Say by how many ns each peer comes later than this rank to a bucket's collective."""
        place = len(self.record.collectives)
        starts = self._meetings[place] if self._meetings else ()
        meeting = Meeting(self.rank, bucket, dial.late, starts)
        return dict(self._training.peers.late(meeting, self._random))

    def _report(self, work: int, *frames: str) -> None:
        """Report a value that the loop itself needs, and work on it."""
        self.host.enter(MAIN_THREAD, *_STEP, *frames)
        for habit in self._training.habits:
            habit.reporting(self)
        self.host.spend(MAIN_THREAD, work)

    def _after(self, operator: Operator, tid: int) -> None:
        for habit in self._training.habits:
            habit.after(self, operator, tid)

    def _mark(self, number: int, start: int, end: int) -> None:
        stack = STACK_BREAK.join(reversed((*_ENTRY, "torch_npu/profiler/profiler.py(244): step")))
        args: dict[str, object] = {
            "Sequence number": -1,
            "Fwd thread id": 0,
            "Call stack": stack,
        }
        name = f"ProfilerStep#{number}"
        self.record.slices.append(HostSlice(MAIN_THREAD, start, end - start, name, "cpu_op", args))
