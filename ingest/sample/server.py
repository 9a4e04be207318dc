"""A made-up server of a language model: prefill and decode take turns, sometimes nobody asks.

Each iteration schedules a batch, copies its tables, launches the model operator by operator, and
reads the tokens back before it goes on. Without requests the engine waits in its queue.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from .collection import START, Collection
from .device import Device
from .framework import Framework, Launching
from .model import Kernel
from .record import MAIN_THREAD, SYSTEM_STREAM, Iteration, Run

SEED: Final = 20261201
LAYERS: Final = 2
BATCH: Final = 8
PROMPT: Final = 512
WIDTH: Final = 4096
TABLE_BYTES: Final = 65_536
SCHEDULE_NS: Final = 400_000
DETOKENIZE_NS: Final = 250_000

_ENTRY: Final = ("serve/main.py(58): <module>",)
_ENGINE: Final = (*_ENTRY, "serve/engine.py(112): run_once")
_VECTOR, _CUBE, _BOTH = "AI_VECTOR_CORE", "AI_CORE", "MIX_AIC"

Kind = Literal["prefill", "decode"]


@dataclass(frozen=True, slots=True)
class Server:
    """A server: which of its iterations are prefills, and before which ones time is lost.

    Before a ``slow`` iteration the scheduler takes ``slow_ns`` more; before one of ``asked`` the
    queue was empty for ``pause_ns``. Only a ``marked`` server writes the range of an iteration.
    """

    iterations: int = 34
    prefills: tuple[int, ...] = (0, 11, 24, 25)
    slow: tuple[int, ...] = (7, 19, 31)
    slow_ns: int = 9_000_000
    asked: tuple[int, ...] = (11, 24)
    pause_ns: int = 80_000_000
    marked: bool = True

    def simulate(self, collection: Collection) -> tuple[Run, ...]:
        """Return its one run."""
        run = Run(ranks=1)
        random = Random(SEED)  # noqa: S311 - made-up jitter, the same every time
        device = Device(run, random, spaced=collection.spaced)
        host = Framework(run, device, random, START + 1_900_000, Launching())
        host.enter(MAIN_THREAD, *_ENTRY)
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStart", 900_000)
        device.control(SYSTEM_STREAM, at + 400_000, "PROFILING_ENABLE", connection)
        host.pause(MAIN_THREAD, 1_200_000)
        for number in range(self.iterations):
            if number in self.asked:
                host.enter(MAIN_THREAD, *_ENTRY, "queue.py(171): get")
                begin = host.clocks[MAIN_THREAD]
                host.pause(MAIN_THREAD, self.pause_ns)
                host.blame("no_work", begin)
            host.enter(MAIN_THREAD, *_ENGINE, "serve/scheduler.py(75): schedule")
            host.spend(MAIN_THREAD, SCHEDULE_NS)
            if number in self.slow:
                host.pause(MAIN_THREAD, self.slow_ns)
            host.enter(MAIN_THREAD, *_ENGINE)
            self._iterate(host, "prefill" if number in self.prefills else "decode")
            host.enter(MAIN_THREAD, *_ENGINE, "serve/detokenizer.py(40): detokenize")
            host.spend(MAIN_THREAD, DETOKENIZE_NS)
        host.enter(MAIN_THREAD, *_ENTRY, "torch_npu/profiler/profiler.py(256): stop")
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStop", 600_000)
        device.control(SYSTEM_STREAM, at + 250_000, "PROFILING_DISABLE", connection)
        host.pause(MAIN_THREAD, 650_000)
        host.enter(MAIN_THREAD)
        return (run,)

    def _iterate(self, host: Framework, kind: Kind) -> None:
        """Run the model once and wait for its tokens."""
        tokens = PROMPT if kind == "prefill" else BATCH
        name = (
            f"execute_context_1({tokens})_generation_0(0)"
            if kind == "prefill"
            else f"execute_context_0(0)_generation_{BATCH}({tokens})"
        )
        known = len(host.record.tasks)
        slices = len(host.record.slices)
        with host.operator(MAIN_THREAD, name) if self.marked else nullcontext():
            host.move(TABLE_BYTES, "host to device")
            for api, kernel in _model(kind):
                host.launch(MAIN_THREAD, api, (kernel,))
            host.move(tokens * 8, "device to host")
            host.synchronize(MAIN_THREAD)
        tasks = host.record.tasks[known:]
        if not self.marked:
            # Only what repeats on the stream tells where an iteration begins and ends.
            kernels = [task for task in tasks if task.kernel is not None]
            begun = kernels[0].ts, kernels[-1].end
            host.record.iterations.append(Iteration(kind, tokens, *begun, *begun))
            return
        [mark] = [one for one in host.record.slices[slices:] if one.name == name]
        host.record.iterations.append(
            Iteration(kind, tokens, mark.ts, mark.ts + mark.dur, tasks[0].ts, tasks[-1].end)
        )


def _model(kind: Kind) -> Iterator[tuple[str, Kernel]]:
    """Give the calls into the operators' library and their kernels, in their order."""
    prefill = kind == "prefill"
    tokens = PROMPT if prefill else BATCH
    rows = f"{tokens},{WIDTH}/DT_BF16/ND"
    query = f"{'1,' if prefill else ''}{tokens},{'' if prefill else '1,'}{WIDTH}/DT_BF16/ND"
    weight, table = f"{WIDTH},{WIDTH}/DT_BF16/ND", f"32000,{WIDTH}/DT_BF16/ND"
    scale = 5 if prefill else 1

    def kernel(type_: str, core: str, us: int, *inputs: str, output: str = rows) -> Kernel:
        return Kernel(type_, core, us * scale * 1000, 24, inputs or (rows,), (output,))

    attention = "PromptFlashAttention" if prefill else "IncreFlashAttention"
    layer = (
        ("aclnnRmsNorm", kernel("RmsNorm", _VECTOR, 60)),
        ("aclnnMm", kernel("MatMulV3", _CUBE, 210, rows, weight)),
        (
            f"aclnn{attention}",
            kernel(attention, _BOTH, 180, query, query, query, output=query),
        ),
        ("aclnnMm", kernel("MatMulV3", _CUBE, 150, rows, weight)),
        ("aclnnAdd", kernel("Add", _VECTOR, 55, rows, rows)),
        ("aclnnRmsNorm", kernel("RmsNorm", _VECTOR, 60)),
        ("aclnnMm", kernel("MatMulV3", _CUBE, 280, rows, weight)),
        ("aclnnSwiGlu", kernel("SwiGlu", _VECTOR, 70)),
        ("aclnnMm", kernel("MatMulV3", _CUBE, 260, rows, weight)),
        ("aclnnAdd", kernel("Add", _VECTOR, 55, rows, rows)),
    )
    yield "aclnnEmbedding", kernel("GatherV2", _VECTOR, 60, table, f"{tokens}/INT64/ND")
    for _ in range(LAYERS):
        yield from layer
    yield "aclnnMm", kernel("MatMulV3", _CUBE, 320, rows, table, output=f"{tokens},32000/FLOAT/ND")
    yield (
        "aclnnArgMax",
        kernel("ArgMaxV2", _VECTOR, 70, f"{tokens},32000/FLOAT/ND", output=f"{tokens}/INT64/ND"),
    )
