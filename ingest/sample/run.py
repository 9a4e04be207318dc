"""The story of the sample profile: four training steps, before and after a fix.

Before it a check reads a value back after every operator, so the device runs dry
while the host prepares the next one. After it the host runs ahead of the device.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from .device import Device
from .host import STACK_BREAK, Host
from .model import BUCKETS, FORWARD, OPTIMIZER, Operator
from .record import (
    AUTOGRAD_THREAD,
    MAIN_THREAD,
    PROCESS,
    SYSTEM_STREAM,
    HostSlice,
    Run,
    StepMark,
)

PROFILER_START = 1_781_227_815_123_456_780
FIRST_STEP = 12
STEPS = 4
SLOW_PEER = 5
SEED = 20260612
MOST_TRIES = 5

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


class Scenario(NamedTuple):
    """A made-up run: how long its steps are and which gap is the largest, in ns."""

    about: str
    period: int
    largest_gap: int
    checks: bool
    """Whether a check reads a value back after every operator."""

    pause_before: str
    """The operator whose gap is the largest, or ``batch`` for the copy of the batch."""


@dataclass(frozen=True, slots=True)
class _Dial:
    """What is adjusted until a step comes out as told: two lengths in ns."""

    late: int = 14_000_000
    """How much later than this rank the slow peer comes to the large collective."""

    pause: int = 300_000
    """Python work before the largest gap ends."""


def simulate(scenario: Scenario) -> Run:
    """Run a scenario, every step of it exactly as long and with the gap that it tells.

    The step's end moves with the slow peer's arrival, and the gap with the work in it, one to
    one; so after a first try and two corrections nothing is left to adjust. Raises ValueError
    for a scenario that cannot be: steps shorter than their work, say.
    """
    dials = (_Dial(),) * STEPS
    for _ in range(MOST_TRIES):
        run = _Story(scenario, dials).play()
        ends = [run.steps[0].ts, *(step.device_end for step in run.steps)]
        adjusted = tuple(
            replace(
                dial,
                late=dial.late + scenario.period - (end - before),
                pause=dial.pause + scenario.largest_gap - gap,
            )
            for dial, before, end, gap in zip(dials, ends[:-1], ends[1:], run.pauses, strict=True)
        )
        if adjusted == dials:
            return run
        dials = adjusted
    raise ValueError(f"no run comes out like this: {scenario}")


class _Story:
    """One try at a run."""

    def __init__(self, scenario: Scenario, dials: tuple[_Dial, ...]) -> None:
        random = Random(SEED)  # noqa: S311 - made-up jitter, the same every time
        self._run = Run()
        self._scenario = scenario
        self._dials = dials
        self._random = random
        self._device = Device(self._run, random)
        self._host = Host(self._run, self._device, random, PROFILER_START + 1_900_000)
        self._saved: dict[str, int] = {}

    def play(self) -> Run:
        """Start the profiler, train, stop it."""
        host = self._host
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
        return self._run

    def _step(self, number: int, dial: _Dial) -> None:
        host = self._host
        main = MAIN_THREAD
        host.spend(main, 600)
        start = host.clocks[main]
        host.spend(main, 2_400)
        host.enter(main, *_STEP)
        self._load(dial)
        for operator in FORWARD:
            self._forward(operator, dial)
        self._read_back(54_000, "train/meter.py(31): update")
        host.enter(main, *_BACKWARD)
        self._backward(dial)
        scaler = "torch_npu/npu/amp/grad_scaler.py"
        self._read_back(38_000, f"{scaler}(412): step", f"{scaler}(337): _maybe_opt_step")
        for operator in OPTIMIZER:
            host.enter(main, *_STEP, *operator.frames)
            host.spend(main, operator.python_ns)
            host.run(operator, trained=False)
            self._check(operator, main)
        self._read_back(190_000, "train/main.py(61): log_loss")
        host.enter(main, *_ENTRY)
        host.spend(main, 1_500)
        end = host.clocks[main]
        self._run.steps.append(StepMark(number, start, end - start, self._device.end))
        self._mark(number, start, end)
        host.enter(main, *_ENTRY, "torch_npu/profiler/profiler.py(244): step")
        host.spend(main, 31_000)
        host.enter(main, *_ENTRY)

    def _load(self, dial: _Dial) -> None:
        """Take the next batch from the loader and send it off."""
        host = self._host
        host.enter(MAIN_THREAD, *_STEP, "torch/utils/data/dataloader.py(630): __next__")
        loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        with host.operator(MAIN_THREAD, loader):
            host.spend(MAIN_THREAD, 20_000)
            if self._scenario.pause_before == "batch":
                host.pause(MAIN_THREAD, dial.pause)
        host.enter(MAIN_THREAD, *_STEP)
        before = self._device.end
        begin = host.copy_batch()
        if self._scenario.pause_before == "batch":
            # Nothing ran before the first batch: there is no gap to adjust.
            self._run.pauses.append(begin - before if before else self._scenario.largest_gap)

    def _forward(self, operator: Operator, dial: _Dial) -> None:
        host = self._host
        host.enter(MAIN_THREAD, *_STEP, *operator.frames)
        host.spend(MAIN_THREAD, operator.python_ns)
        paused = operator.key == self._scenario.pause_before
        if paused:
            host.pause(MAIN_THREAD, dial.pause)
        before = self._device.end
        name = operator.ops[-1]
        self._saved[operator.key] = host.allocate(name, MAIN_THREAD, operator.output_bytes)
        host.run(operator, trained=True)
        if paused:
            kernel = operator.kernels[0]
            begin = max(task.ts for task in self._run.tasks if task.kernel == kernel)
            self._run.pauses.append(begin - before)
        self._check(operator, MAIN_THREAD)

    def _backward(self, dial: _Dial) -> None:
        """Let the engine's thread run the backward pass while the main thread waits for it."""
        host = self._host
        host.clocks[AUTOGRAD_THREAD] = host.clocks[MAIN_THREAD] + 84_000
        events: list[int] = []
        gradient: int | None = None
        for index, (operators, size) in enumerate(BUCKETS):
            for operator in operators:
                name = operator.ops[-1]
                taken = host.allocate(name, AUTOGRAD_THREAD, operator.output_bytes)
                host.run_backward(operator)
                for used in (self._saved.pop(operator.key, None), gradient):
                    if used is not None:
                        host.release(used, AUTOGRAD_THREAD)
                gradient = taken
                self._check(operator, AUTOGRAD_THREAD)
            events.append(host.all_reduce(size, self._arrivals(index, dial)))
        host.wait_for(events)
        for left in (gradient, *self._saved.values()):
            if left is not None:
                host.release(left, AUTOGRAD_THREAD)
        self._saved.clear()
        host.clocks[MAIN_THREAD] = host.clocks[AUTOGRAD_THREAD] + 57_000

    def _arrivals(self, bucket: int, dial: _Dial) -> dict[int, int]:
        """Say by how many ns each peer comes later than this rank to a bucket's collective."""
        late = {peer: self._random.randrange(14_000) for peer in (1, 4, 7)}
        usual = self._random.randrange(90_000)
        late[SLOW_PEER] = (2_640_000 + usual, dial.late, 410_000 + usual)[bucket]
        return late

    def _read_back(self, work: int, *frames: str) -> None:
        """Read a value that the loop itself needs, and work on it."""
        self._host.enter(MAIN_THREAD, *_STEP, *frames)
        self._host.item(MAIN_THREAD)
        self._host.spend(MAIN_THREAD, work)

    def _check(self, operator: Operator, tid: int) -> None:
        """Read a value back to see that it is finite, and say so: the fix removes this."""
        if not self._scenario.checks:
            return
        host = self._host
        if tid == AUTOGRAD_THREAD:
            frames: tuple[str, ...] = ("debug/check.py(34): gradient_hook",)
        else:
            frames = (*_STEP, *operator.frames)
        host.enter(tid, *frames, "debug/check.py(21): check_finite")
        host.item(tid)
        host.enter(tid, *frames, "debug/check.py(27): report")
        host.spend(tid, operator.report_ns)
        host.enter(tid, *(frames[:-1] if tid == AUTOGRAD_THREAD else frames))

    def _mark(self, number: int, start: int, end: int) -> None:
        stack = STACK_BREAK.join(reversed((*_ENTRY, "torch_npu/profiler/profiler.py(244): step")))
        args: dict[str, object] = {
            "Sequence number": -1,
            "Fwd thread id": 0,
            "Call stack": stack,
        }
        name = f"ProfilerStep#{number}"
        self._run.slices.append(HostSlice(PROCESS, start, end - start, name, "cpu_op", args))
