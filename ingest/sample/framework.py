"""The framework on the made-up host: operators that put work into the queue, and waits for it.

The main thread and the autograd engine's thread call operators.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from random import Random
from typing import NamedTuple

from .device import Device
from .model import BATCH_BYTES, TENSORS, Kernel, Operator
from .record import (
    AUTOGRAD_THREAD,
    COMMUNICATION_STREAM,
    COMPUTE_STREAM,
    MAIN_THREAD,
    Arrow,
    Cause,
    Place,
    Run,
    Task,
)
from .task_queue import TaskQueue

SYNC_RETURN_NS = 11_000
SYNC_MINIMUM_NS = 5_000

_KERNEL_CLASSES = {"MatMulV3": "MatMulCommon", "Bincount": "BincountAiCpu"}


class Launching(NamedTuple):
    """How operators are launched: those of some keys by the older aclop calls.

    ``compiles`` says which of them are compiled when they first run, and for how many ns.
    """

    legacy: frozenset[str] = frozenset()
    compiles: Mapping[str, int] = {}


class Framework(TaskQueue):
    """The host and its queue with the framework's operators."""

    def __init__(
        self, run: Run, device: Device, random: Random, start: int, launching: Launching
    ) -> None:
        super().__init__(run, device, random, start)
        self._legacy = launching.legacy
        self._uncompiled = dict(launching.compiles)
        self._batch: int | None = None
        self._sequence = 1350
        self._forward: dict[str, tuple[int, Place]] = {}

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
                self.record.arrows.append(Arrow("fwdbwd", sequence, forward, place))
                with self.operator(tid, inner, operator.operands):
                    self._compute(tid, operator)

    def copy_batch(self, *, pinned: bool) -> int:
        """Copy a batch to the device; return when the copy starts.

        It takes the place of the batch before. Only from pinned memory nothing waits for it.
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
                task = self.copy(source, COMPUTE_STREAM, BATCH_BYTES, pinned=pinned)
                if not pinned:
                    self.synchronize(tid)
        return task.ts

    def move(self, size: int, direction: str) -> Task:
        """Copy a tensor from or to pinned memory without waiting for it."""
        tid = MAIN_THREAD
        with (
            self.operator(tid, "aten::to"),
            self.operator(tid, "aten::_to_copy"),
            self.operator(tid, "aten::copy_") as source,
        ):
            return self.copy(source, COMPUTE_STREAM, size, direction=direction)

    def synchronize(self, tid: int) -> None:
        """Wait until the compute stream is idle."""
        begin = self.clocks[tid]
        idle = self.device.stream_end(COMPUTE_STREAM)
        end = max(idle + SYNC_RETURN_NS, begin + SYNC_MINIMUM_NS)
        if idle > begin:
            self.device.drain(idle)
        self.call(tid, "AscendCL@aclrtSynchronizeStreamWithTimeout", end - begin, at=begin)
        self.call(tid, "Runtime@StreamSynchronize", end - begin - 2_400, at=begin + 1_100)
        self.clocks[tid] = end

    def item(self, tid: int) -> None:
        """Read a value back: wait for the device, then copy."""
        with self.operator(tid, "aten::item"), self.operator(tid, "aten::_local_scalar_dense"):
            self.synchronize(tid)
            self.spend(tid, 1_500)
            length = self.about(31_000)
            _, at = self.call(tid, "AscendCL@aclrtMemcpy", length)
            self.call(tid, "Runtime@MemCopySync", length - 3_900, at=at + 2_000)
            self.pause(tid, length)

    def all_reduce(self, size: int, late: Mapping[int, int]) -> int:
        """Reduce a gradient bucket behind the kernels so far; return the event of its end.

        ``late`` are ns by which peers come later than this rank.
        """
        tid = AUTOGRAD_THREAD
        with self.operator(tid, "c10d::allreduce_") as source:
            ready = self.record_event(tid, COMPUTE_STREAM)
            self.wait_event(tid, COMMUNICATION_STREAM, ready)

            def launch(tid: int) -> None:
                length = self.about(541_000)
                _, at = self.call(tid, "AscendCL@hcom_allReduce_", length)
                connection, _ = self.call(tid, "Node@launch", length, item="hcom_allReduce_")
                self.call(tid, "Communication@Launch_Ffts", 92_000, at=at + 448_000)
                collective = self.device.all_reduce(at + 452_000, size, late, connection)
                place = Place("Communication", 0, collective.ts)
                self.link(connection, at, Place("Python", AUTOGRAD_THREAD, source), place)
                self.pause(tid, length)

            self.put(tid, "HcclAllreduce", launch)
            return self.record_event(tid, COMMUNICATION_STREAM)

    def wait_for(self, events: Iterable[int], tid: int = AUTOGRAD_THREAD) -> None:
        """Hold the compute stream until events of other streams."""
        with self.operator(tid, "c10d::wait"):
            for event in events:
                self.wait_event(tid, COMPUTE_STREAM, event)

    def launch(
        self, tid: int, api: str, kernels: Sequence[Kernel], stream: int = COMPUTE_STREAM
    ) -> None:
        """Queue the kernels of a call into the operators' library."""

        def launch(tid: int) -> None:
            lengths = [self.about(11_200) for _ in kernels]
            _, at = self.call(tid, f"AscendCL@{api}", 7_900 + sum(lengths) + 900 * len(lengths))
            self.clocks[tid] = at + 6_000
            for kernel, length in zip(kernels, lengths, strict=True):
                middle = _KERNEL_CLASSES.get(kernel.type, f"{kernel.type}AiCore")
                name = f"{api}_{middle}_{kernel.type}"
                self.launch_kernel(tid, kernel, name, length, place, stream)
            self.clocks[tid] += 3_600

        with self.operator(tid, api) as source:
            place = Place("Python", tid, source)
            self.put(tid, api, launch)

    def _compute(self, tid: int, operator: Operator) -> None:
        """Plan and queue an operator's kernels."""
        if operator.key in self._legacy:
            self._compute_by_aclop(tid, operator)
            return
        api = operator.api
        self.spend(tid, 9_000)
        planning = self.about(24_000)
        self.call(tid, f"AscendCL@{api}GetWorkspaceSize", planning)
        self.pause(tid, planning)
        self.spend(tid, 2_000)
        self.launch(tid, api, operator.kernels)

    def _compute_by_aclop(self, tid: int, operator: Operator) -> None:
        """Queue an operator that one call looks up, compiles if need be, plans and launches."""
        type_ = operator.kernels[0].type

        def launch(tid: int) -> None:
            begin = self.clocks[tid]
            compiling = self._uncompiled.pop(operator.key, 0)
            looked_up = compiling or self.about(22_000)
            lengths = [self.about(11_200) for _ in operator.kernels]
            planning = self.about(1_080_000)
            whole = 7_000 + looked_up + planning + sum(lengths) + 900 * len(lengths)
            self.call(tid, "AscendCL@aclopCompileAndExecute", whole)
            self.call(tid, "AscendCL@opCompile", looked_up, at=begin + 6_000)
            self.clocks[tid] = compiled = begin + 6_000 + looked_up
            self.pause(tid, planning)
            for number, (kernel, length) in enumerate(zip(operator.kernels, lengths, strict=True)):
                self.launch_kernel(
                    tid, kernel, f"{kernel.type}{number}", length, place, COMPUTE_STREAM
                )
            self.pause(tid, 1_000)
            if compiling:
                self.record.causes.append(Cause("compile", begin + 6_000, compiled))
            self.record.causes.append(
                Cause("host_launch", compiled if compiling else begin, self.clocks[tid])
            )

        with self.operator(tid, type_) as source:
            place = Place("Python", tid, source)
            self.put(tid, type_, launch)
