"""Habits of a made-up training program: what it does besides training, and what that costs.

A habit acts at moments of the loop; what it leaves out, it lets pass.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .model import KERNELS, Kernel, Operator
from .record import (
    AUTOGRAD_THREAD,
    COMPUTE_STREAM,
    COPY_STREAM,
    MAIN_THREAD,
    SIDE_STREAM,
    Chain,
    Extra,
    Trip,
)

if TYPE_CHECKING:
    from .loop import Loop


class Habit:
    """A habit that does nothing at any moment."""

    def loading(self, loop: "Loop") -> None:
        """Act while the loop takes the next batch from the loader."""

    def before(self, loop: "Loop", operator: Operator) -> None:
        """Act in the frames of a forward operator before it is called."""

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Act after an operator of any pass."""

    def reporting(self, loop: "Loop") -> None:
        """Act where the loop reports a value, in the frame that does so."""


@dataclass(frozen=True)
class ReadBack(Habit):
    """Read the reported value back, which waits for the device."""

    def reporting(self, loop: "Loop") -> None:
        """Read it."""
        loop.host.item(MAIN_THREAD)


@dataclass(frozen=True)
class CheckFinite(Habit):
    """Read a value back after every operator to see that it is finite, and say so."""

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Check, then report."""
        host = loop.host
        if tid == AUTOGRAD_THREAD:
            frames: tuple[str, ...] = ("debug/check.py(34): gradient_hook",)
        else:
            frames = loop.frames(operator)
        host.enter(tid, *frames, "debug/check.py(21): check_finite")
        host.item(tid)
        host.enter(tid, *frames, "debug/check.py(27): report")
        host.spend(tid, operator.report_ns)
        host.enter(tid, *(frames[:-1] if tid == AUTOGRAD_THREAD else frames))


@dataclass(frozen=True)
class SlowLoader(Habit):
    """The workers have no batch ready: the loader waits so many ns for one."""

    ns: int

    def loading(self, loop: "Loop") -> None:
        """Wait for a batch."""
        begin = loop.host.clocks[MAIN_THREAD]
        loop.host.pause(MAIN_THREAD, self.ns)
        loop.host.blame("dataloader", begin)


@dataclass(frozen=True)
class Garbage(Habit):
    """Python collects garbage for so many ns after an operator of the forward pass."""

    ns: int
    key: str

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Collect."""
        if operator.key == self.key and tid == MAIN_THREAD:
            loop.host.collect_garbage(self.ns)


@dataclass(frozen=True)
class Hoard(Habit):
    """A tensor of each step is appended to a list that nobody empties."""

    size: int
    key: str

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Keep it."""
        if operator.key == self.key and tid == MAIN_THREAD:
            loop.host.allocate("aten::clone", MAIN_THREAD, self.size)


@dataclass(frozen=True)
class Buffer(Habit):
    """An operator of the forward pass takes a buffer for itself, and gives it back."""

    size: int
    key: str

    def before(self, loop: "Loop", operator: Operator) -> None:
        """Take it."""
        if operator.key == self.key:
            loop.buffer = loop.host.allocate("aten::softmax", MAIN_THREAD, self.size)

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Give it back."""
        if operator.key == self.key and tid == MAIN_THREAD and loop.buffer is not None:
            loop.host.release(loop.buffer, MAIN_THREAD)
            loop.buffer = None


@dataclass(frozen=True)
class SlowAllocation(Habit):
    """The allocator has no room before an operator and asks the device for a segment, so long."""

    ns: int
    key: str

    def before(self, loop: "Loop", operator: Operator) -> None:
        """Ask for it."""
        if operator.key == self.key:
            host = loop.host
            host.spend(MAIN_THREAD, 900)
            begin = host.clocks[MAIN_THREAD]
            host.call(MAIN_THREAD, "AscendCL@aclrtMallocPhysical", self.ns)
            host.pause(MAIN_THREAD, self.ns)
            host.blame("alloc", begin)


@dataclass(frozen=True)
class SlowHook(Habit):
    """A gradient hook of one rank reads the gradient's norm and writes it to a slow disk."""

    ns: int
    key: str
    rank: int

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Read and write."""
        if (operator.key, tid, loop.rank) != (self.key, AUTOGRAD_THREAD, self.rank):
            return
        loop.host.enter(tid, "debug/norms.py(17): gradient_hook", "debug/norms.py(23): append")
        loop.host.item(tid)
        loop.host.pause(tid, self.ns)
        loop.host.enter(tid)


@dataclass(frozen=True)
class RoundTrip(Habit):
    """Bytes go to the host before an operator, are looked at so many ns, and come back."""

    size: int
    ns: int
    key: str

    def before(self, loop: "Loop", operator: Operator) -> None:
        """Copy there and back."""
        if operator.key != self.key:
            return
        host, frames = loop.host, loop.frames(operator)
        host.enter(MAIN_THREAD, *frames, "model/clip.py(19): on_host")
        out = host.move(self.size, "device to host")
        host.synchronize(MAIN_THREAD)
        host.pause(MAIN_THREAD, self.ns)
        back = host.move(self.size, "host to device")
        host.enter(MAIN_THREAD, *frames)
        host.record.trips.append(Trip(out, back))


@dataclass(frozen=True)
class Prefetch(Habit):
    """Weights come by a stream of their own, are unpacked on another, and then are waited for.

    The compute stream waits for the unpacking stream, and that one for the copy.
    """

    size: int
    key: str

    def before(self, loop: "Loop", operator: Operator) -> None:
        """Fetch at the first operator, and wait before the one that needs them."""
        host = loop.host
        if operator.key == loop.first:
            host.enter(MAIN_THREAD, *loop.frames(operator), "model/offload.py(44): fetch")
            with host.operator(MAIN_THREAD, "aten::copy_") as source:
                loop.fetched = host.copy(source, COPY_STREAM, self.size)
                arrived = host.record_event(MAIN_THREAD, COPY_STREAM)
            with host.operator(MAIN_THREAD, "npu::npu_format_cast"):
                host.wait_event(MAIN_THREAD, SIDE_STREAM, arrived)
                host.launch(MAIN_THREAD, "aclnnFormatCast", (KERNELS["pack"],), SIDE_STREAM)
                loop.unpacked = host.record_event(MAIN_THREAD, SIDE_STREAM)
            host.enter(MAIN_THREAD, *loop.frames(operator))
        if operator.key == self.key and loop.fetched is not None:
            wait = host.wait_event(MAIN_THREAD, COMPUTE_STREAM, loop.unpacked)
            host.record.chains.append(Chain(wait, loop.fetched, 2))


@dataclass(frozen=True)
class Besides(Habit):
    """Call an operator of the library besides the model's, after one of the main thread's.

    Its kernels run so many times, in every step whose number is a multiple of ``every``.
    """

    key: str
    line: str
    api: str
    kernels: tuple[Kernel, ...]
    times: int = 1
    every: int = 1

    def after(self, loop: "Loop", operator: Operator, tid: int) -> None:
        """Call it."""
        if operator.key != self.key or tid != MAIN_THREAD or loop.step % self.every:
            return
        host, frames = loop.host, loop.frames(operator)
        before = len(loop.record.tasks)
        host.enter(MAIN_THREAD, *frames, self.line)
        for _ in range(self.times):
            host.launch(MAIN_THREAD, self.api, self.kernels)
        host.enter(MAIN_THREAD, *frames)
        loop.record.extras.append(Extra(loop.step, tuple(loop.record.tasks[before:])))
