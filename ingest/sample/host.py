"""The host of the made-up run: threads, Python frames, operators, calls into CANN, memory.

Every thread has a clock that its own work moves on.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from .record import (
    AUTOGRAD_THREAD,
    MAIN_THREAD,
    QUEUE_THREAD,
    Allocation,
    Call,
    Cause,
    HostSlice,
    Run,
)

STACK_BREAK = ";\r\n"

_TYPE_NAMES = {"DT_BF16": "c10::BFloat16", "FLOAT": "float", "INT64": "long int"}
_MODES = {
    "aclnn": "ACL_NN",
    "aclop": "ACL_OP",
    "opCom": "ACL_OP",
    "aclrt": "ACL_RTS",
    "aclmd": "ACL_MODEL",
    "hcom_": "HOST_HCCL",
    "Communication": "master",
}


class _Frame(NamedTuple):
    name: str
    id: int
    ts: int


class Host:
    """The threads of the training process; every method adds to the run what it did."""

    def __init__(self, run: Run, random: Random, start: int) -> None:
        self.record = run
        self._random = random
        threads: tuple[int, ...] = (MAIN_THREAD, AUTOGRAD_THREAD, QUEUE_THREAD)
        self.clocks = dict.fromkeys(threads, start)
        self._frames: dict[int, list[_Frame]] = {MAIN_THREAD: [], AUTOGRAD_THREAD: []}
        self._modules: dict[str, int] = {}
        self._python_id = 0
        self._connection = 0

    def spend(self, tid: int, ns: int) -> None:
        """Let a thread work, up to an eighth longer than asked."""
        self.clocks[tid] += self.about(ns)

    def pause(self, tid: int, ns: int) -> None:
        """Let a thread work exactly so long."""
        self.clocks[tid] += ns

    def collect_garbage(self, ns: int) -> None:
        """Stop the main thread so long; the profiler notes collections by process, not thread."""
        begin = self.clocks[MAIN_THREAD]
        self.pause(MAIN_THREAD, ns)
        self.slice(MAIN_THREAD, begin, "GC", "GC", {})
        self.blame("gc", begin)

    def blame(self, cause: str, since: int) -> None:
        """Note what the main thread has done since then: a device without work waited for it."""
        self.record.causes.append(Cause(cause, since, self.clocks[MAIN_THREAD]))

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
            self.slice(tid, frame.ts, frame.name, "python_function", args)
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
        self.slice(tid, start, name, "cpu_op", args)

    def allocate(self, name: str, tid: int, size: int) -> int:
        """Take device memory now; return its place among the allocations."""
        self.record.allocations.append(Allocation(name, size, self.clocks[tid], None))
        return len(self.record.allocations) - 1

    def release(self, allocation: int, tid: int) -> None:
        """Give device memory back now."""
        known = self.record.allocations[allocation]
        self.record.allocations[allocation] = known._replace(release=self.clocks[tid])

    def call(
        self, tid: int, name: str, dur: int, *, at: int | None = None, item: str = "0"
    ) -> tuple[int, int]:
        """Call CANN for so long; return the call's connection_id and start."""
        level, _, function = name.partition("@")
        mode = _MODES.get(level) or _MODES.get(function[:5], function)
        self._connection += 1
        start = self.clocks[tid] if at is None else at
        id_ = function if level == "AscendCL" else "0"
        self.record.calls.append(Call(tid, start, dur, name, mode, id_, item, self._connection))
        return self._connection, start

    def about(self, ns: int) -> int:
        """Return a length up to an eighth longer."""
        return ns + self._random.randrange(max(ns // 8, 1))

    def slice(self, tid: int, ts: int, name: str, cat: str, args: dict[str, object]) -> None:
        """Note a slice that ends now."""
        self.record.slices.append(HostSlice(tid, ts, self.clocks[tid] - ts, name, cat, args))

    def _stack(self, tid: int) -> str:
        """Return the open frames, innermost first; modules are no frames."""
        names = [frame.name for frame in reversed(self._frames.get(tid, []))]
        return STACK_BREAK.join(name for name in names if not name.startswith("nn.Module"))

    @staticmethod
    def _operands(operands: Iterable[str]) -> tuple[str, str]:
        parts = [operand.split("/") for operand in operands]
        shapes = STACK_BREAK.join(shape for shape, _, _ in parts)
        return shapes, STACK_BREAK.join(_TYPE_NAMES[dtype] for _, dtype, _ in parts)
