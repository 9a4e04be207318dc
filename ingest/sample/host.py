"""The host of the made-up run: threads, Python frames, operators, the task queue, CANN calls.

Every thread has a clock that its own work moves on. The main thread and the
autograd engine's thread call operators, which put work into a queue; a third
thread takes it out and launches it on the device.
"""

from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from random import Random
from typing import NamedTuple

from .device import Device
from .model import BATCH_BYTES, TENSORS, Operator
from .record import (
    AUTOGRAD_THREAD,
    COMMUNICATION_STREAM,
    COMPUTE_STREAM,
    MAIN_THREAD,
    QUEUE_THREAD,
    Allocation,
    Arrow,
    Call,
    HostSlice,
    Place,
    Run,
)

SYNC_RETURN_NS = 11_000
SYNC_MINIMUM_NS = 5_000
STACK_BREAK = ";\r\n"

_TYPE_NAMES = {"DT_BF16": "c10::BFloat16", "FLOAT": "float", "INT64": "long int"}
_MODES = {"aclnn": "ACL_NN", "aclrt": "ACL_RTS", "hcom_": "HOST_HCCL", "Communication": "master"}
_KERNEL_CLASSES = {"MatMulV3": "MatMulCommon", "Bincount": "BincountAiCpu"}


class _Frame(NamedTuple):
    name: str
    id: int
    ts: int


class Host:
    """The threads of the training process; every method adds to the run what it did."""

    def __init__(self, run: Run, device: Device, random: Random, start: int) -> None:
        self._run = run
        self._device = device
        self._random = random
        threads: tuple[int, ...] = (MAIN_THREAD, AUTOGRAD_THREAD, QUEUE_THREAD)
        self.clocks = dict.fromkeys(threads, start)
        self._frames: dict[int, list[_Frame]] = {MAIN_THREAD: [], AUTOGRAD_THREAD: []}
        self._batch: int | None = None
        self._modules: dict[str, int] = {}
        self._python_id = 0
        self._connection = 0
        self._correlation = 0
        self._sequence = 1350
        self._forward: dict[str, tuple[int, Place]] = {}

    def spend(self, tid: int, ns: int) -> None:
        """Let a thread work, up to an eighth longer than asked."""
        self.clocks[tid] += self._about(ns)

    def pause(self, tid: int, ns: int) -> None:
        """Let a thread work exactly so long."""
        self.clocks[tid] += ns

    def enter(self, tid: int, *names: str) -> None:
        """Call and return until exactly these Python frames are open in a thread."""
        frames = self._frames[tid]
        shared = 0
        while shared < min(len(frames), len(names)) and frames[shared].name == names[shared]:
            shared += 1
        while len(frames) > shared:
            self.spend(tid, 700)
            frame = frames.pop()
            parent = frames[-1].id if frames else 0
            args: dict[str, object] = {"Python id": frame.id, "Python parent id": parent}
            if frame.name.startswith("nn.Module"):
                args["Python module id"] = self._modules.setdefault(frame.name, len(self._modules))
            self._slice(tid, frame.ts, frame.name, "python_function", args)
        for name in names[shared:]:
            self.spend(tid, 600)
            self._python_id += 1
            frames.append(_Frame(name, self._python_id, self.clocks[tid]))
            self.spend(tid, 1_300)

    @contextmanager
    def operator(
        self, tid: int, name: str, operands: Iterable[str] | None = None, sequence: int = -1
    ) -> Generator[int]:
        """Run an operator of the framework; what is done inside lies inside its slice.

        Gives its start. A ``sequence`` number joins a forward operator and its backward one.
        """
        args: dict[str, object] = {
            "Sequence number": sequence,
            "Fwd thread id": 1 if sequence >= 0 and tid == AUTOGRAD_THREAD else 0,
        }
        if operands is not None:
            shapes, dtypes = self._operands(operands)
            args |= {"Input Dims": shapes, "Input type": dtypes}
        if stack := self._stack(tid):
            args["Call stack"] = stack
        self.spend(tid, 600)
        start = self.clocks[tid]
        self.spend(tid, 5_200)
        yield start
        self.spend(tid, 2_600)
        self._slice(tid, start, name, "cpu_op", args)

    def run(self, operator: Operator, *, trained: bool) -> None:
        """Call an operator in its frames; a trained one is remembered for its backward pass."""
        tid = MAIN_THREAD
        *outer, inner = operator.ops
        with ExitStack() as stack:
            for name in outer:
                stack.enter_context(self.operator(tid, name, operator.operands))
            sequence = -1
            if trained:
                self._sequence += 1
                sequence = self._sequence
            start = stack.enter_context(self.operator(tid, inner, operator.operands, sequence))
            if trained:
                self._forward[operator.key] = sequence, Place("Python", tid, start)
            self._compute(tid, operator)

    def run_backward(self, operator: Operator) -> None:
        """Call a backward operator from the engine."""
        tid = AUTOGRAD_THREAD
        node, inner = operator.ops
        sequence, forward = self._forward.pop(operator.key)
        with self.operator(tid, f"autograd::engine::evaluate_function: {node}"):
            self.spend(tid, operator.python_ns)
            with self.operator(tid, node, operator.operands[:1], sequence) as start:
                place = Place("Python", tid, start)
                self._run.arrows.append(Arrow("fwdbwd", sequence, forward, place))
                with self.operator(tid, inner, operator.operands):
                    self._compute(tid, operator)

    def copy_batch(self) -> int:
        """Copy a batch to the device without waiting for it; return when the copy starts.

        It takes the place of the batch before.
        """
        tid = MAIN_THREAD
        image = (TENSORS["image"],)
        with self.operator(tid, "aten::to", image), self.operator(tid, "aten::_to_copy", image):
            with self.operator(tid, "aten::empty_strided"):
                if self._batch is not None:
                    self.release(self._batch, tid)
                    self.spend(tid, 400)
                self._batch = self.allocate("aten::empty_strided", tid, BATCH_BYTES)
            with self.operator(tid, "aten::copy_", image) as source:
                started: list[int] = []

                def launch(tid: int) -> None:
                    connection, at = self.call(
                        tid, "AscendCL@aclrtMemcpyAsync", self._about(12_400)
                    )
                    self.call(tid, "Runtime@MemcpyAsync", 5_100, at=at + 3_400)
                    task = self._device.copy_to_device(COMPUTE_STREAM, at, BATCH_BYTES, connection)
                    start = Place("Ascend Hardware", COMPUTE_STREAM, task.ts)
                    self._link(connection, at, Place("Python", MAIN_THREAD, source), start)
                    started.append(task.ts)

                self._queue(tid, "acl_memcpy_host_to_device", launch)
        return started[0]

    def synchronize(self, tid: int) -> None:
        """Wait until the compute stream is idle."""
        begin = self.clocks[tid]
        end = max(self._device.stream_end(COMPUTE_STREAM) + SYNC_RETURN_NS, begin + SYNC_MINIMUM_NS)
        self.call(tid, "AscendCL@aclrtSynchronizeStreamWithTimeout", end - begin, at=begin)
        self.call(tid, "Runtime@StreamSynchronize", end - begin - 2_400, at=begin + 1_100)
        self.clocks[tid] = end

    def item(self, tid: int) -> None:
        """Read a value back: wait for the device, then copy."""
        with self.operator(tid, "aten::item"), self.operator(tid, "aten::_local_scalar_dense"):
            self.synchronize(tid)
            self.spend(tid, 1_500)
            length = self._about(31_000)
            _, at = self.call(tid, "AscendCL@aclrtMemcpy", length)
            self.call(tid, "Runtime@MemCopySync", length - 3_900, at=at + 2_000)
            self.pause(tid, length)

    def all_reduce(self, size: int, late: dict[int, int]) -> int:
        """Reduce a gradient bucket behind the kernels so far; return the event of its end.

        ``late`` are ns by which peers come later than this rank.
        """
        tid = AUTOGRAD_THREAD
        with self.operator(tid, "c10d::allreduce_") as source:
            ready = self._record_event(tid, COMPUTE_STREAM)
            self._wait_event(tid, COMMUNICATION_STREAM, ready)

            def launch(tid: int) -> None:
                length = self._about(541_000)
                _, at = self.call(tid, "AscendCL@hcom_allReduce_", length)
                connection, _ = self.call(tid, "Node@launch", length, item="hcom_allReduce_")
                self.call(tid, "Communication@Launch_Ffts", 92_000, at=at + 448_000)
                collective = self._device.all_reduce(at + 452_000, size, late, connection)
                place = Place("Communication", 0, collective.ts)
                self._link(connection, at, Place("Python", AUTOGRAD_THREAD, source), place)
                self.pause(tid, length)

            self._queue(tid, "HcclAllreduce", launch)
            return self._record_event(tid, COMMUNICATION_STREAM)

    def wait_for(self, events: Iterable[int]) -> None:
        """Hold the compute stream until events of other streams."""
        with self.operator(AUTOGRAD_THREAD, "c10d::wait"):
            for event in events:
                self._wait_event(AUTOGRAD_THREAD, COMPUTE_STREAM, event)

    def allocate(self, name: str, tid: int, size: int) -> int:
        """Take device memory now; return its place among the allocations."""
        self._run.allocations.append(Allocation(name, size, self.clocks[tid], None))
        return len(self._run.allocations) - 1

    def release(self, allocation: int, tid: int) -> None:
        """Give device memory back now."""
        known = self._run.allocations[allocation]
        self._run.allocations[allocation] = known._replace(release=self.clocks[tid])

    def call(
        self, tid: int, name: str, dur: int, *, at: int | None = None, item: str = "0"
    ) -> tuple[int, int]:
        """Call CANN for so long; return the call's connection_id and start."""
        level, _, function = name.partition("@")
        mode = _MODES.get(level) or _MODES.get(function[:5], function)
        self._connection += 1
        start = self.clocks[tid] if at is None else at
        id_ = function if level == "AscendCL" else "0"
        self._run.calls.append(Call(tid, start, dur, name, mode, id_, item, self._connection))
        return self._connection, start

    def _about(self, ns: int) -> int:
        """Return a length up to an eighth longer."""
        return ns + self._random.randrange(max(ns // 8, 1))

    def _compute(self, tid: int, operator: Operator) -> None:
        """Plan and queue an operator's kernels."""
        api = operator.api
        self.spend(tid, 9_000)
        planning = self._about(24_000)
        self.call(tid, f"AscendCL@{api}GetWorkspaceSize", planning)
        self.pause(tid, planning)
        self.spend(tid, 2_000)

        def launch(tid: int) -> None:
            lengths = [self._about(11_200) for _ in operator.kernels]
            _, at = self.call(tid, f"AscendCL@{api}", 7_900 + sum(lengths) + 900 * len(lengths))
            self.clocks[tid] = at + 6_000
            for kernel, length in zip(operator.kernels, lengths, strict=True):
                middle = _KERNEL_CLASSES.get(kernel.type, f"{kernel.type}AiCore")
                name = f"{api}_{middle}_{kernel.type}"
                connection, begin = self.call(tid, "Node@launch", length, item=name)
                self.call(tid, "Runtime@KernelLaunchWithHandle", 4_900, at=begin + 5_600)
                launched = begin + 8_300
                task = self._device.kernel(COMPUTE_STREAM, launched, name, kernel, connection)
                place = Place("Ascend Hardware", COMPUTE_STREAM, task.ts)
                self._link(connection, launched, Place("Python", source_tid, source), place)
                self.clocks[tid] = begin + length + 900
            self.clocks[tid] += 3_600

        source_tid = tid
        with self.operator(tid, api) as source:
            self._queue(tid, api, launch)

    def _queue(self, tid: int, api: str, launch: Callable[[int], None]) -> None:
        """Put work into the queue; the other thread does it when it has time."""
        self._correlation += 1
        args: dict[str, object] = {"correlation_id": self._correlation}
        put = Place("Python", tid, self.clocks[tid])
        self.spend(tid, 7_400)
        self._slice(tid, put.ts, "Enqueue", "enqueue", args)
        self.spend(tid, 600)
        begin = max(self.clocks[tid] + 4_200, self.clocks[QUEUE_THREAD] + 900)
        taken = Place("Python", QUEUE_THREAD, begin)
        self.clocks[QUEUE_THREAD] = begin + 2_800
        launch(QUEUE_THREAD)
        self.pause(QUEUE_THREAD, 2_500)
        self._slice(QUEUE_THREAD, begin, f"Dequeue@{api}", "dequeue", args)
        self._run.arrows.append(Arrow("async_task_queue", self._correlation, put, taken))

    def _record_event(self, tid: int, stream: int) -> int:
        events: list[int] = []

        def launch(tid: int) -> None:
            length = self._about(8_200)
            connection, at = self.call(tid, "AscendCL@aclrtRecordEvent", length)
            self.call(tid, "Runtime@EventRecord", 6_300, at=at + 1_200)
            self.pause(tid, length)
            events.append(self._device.record_event(stream, at, connection))

        self._queue(tid, "record_event", launch)
        return events[0]

    def _wait_event(self, tid: int, stream: int, event: int) -> None:
        def launch(tid: int) -> None:
            length = self._about(6_400)
            connection, at = self.call(tid, "AscendCL@aclrtStreamWaitEvent", length)
            self.call(tid, "Runtime@StreamWaitEvent", 5_000, at=at + 1_000)
            self.pause(tid, length)
            self._device.wait_event(stream, at, event, connection)

        self._queue(tid, "wait_event", launch)

    def _link(self, connection: int, launched: int, source: Place, task: Place) -> None:
        """Draw the two arrows that lead to a task: from its launch and from its operator."""
        launch = Place("CANN", QUEUE_THREAD, launched)
        self._run.arrows.append(Arrow("HostToDevice", connection << 32, launch, task))
        self._run.arrows.append(Arrow("async_npu", task.ts, source, task))

    def _slice(self, tid: int, ts: int, name: str, cat: str, args: dict[str, object]) -> None:
        self._run.slices.append(HostSlice(tid, ts, self.clocks[tid] - ts, name, cat, args))

    def _stack(self, tid: int) -> str:
        """Return the open frames, innermost first; modules are no frames."""
        names = [frame.name for frame in reversed(self._frames.get(tid, []))]
        return STACK_BREAK.join(name for name in names if not name.startswith("nn.Module"))

    @staticmethod
    def _operands(operands: Iterable[str]) -> tuple[str, str]:
        parts = [operand.split("/") for operand in operands]
        shapes = STACK_BREAK.join(shape for shape, _, _ in parts)
        return shapes, STACK_BREAK.join(_TYPE_NAMES[dtype] for _, dtype, _ in parts)
