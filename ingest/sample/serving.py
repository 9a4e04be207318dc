"""A made-up decode server: no steps, each token one replay of a captured graph.

The engine prepares a batch in Python, replays the graph by one call, and goes on without
waiting for the device. Every task of a replay was launched by that call.
"""

from dataclasses import dataclass
from random import Random

from .collection import START, Collection
from .device import Device
from .framework import Framework, Launching
from .model import KERNELS
from .record import (
    COMPUTE_STREAM,
    MAIN_THREAD,
    SYSTEM_STREAM,
    Arrow,
    Cause,
    Place,
    Run,
)

SEED = 20260613
MODEL = 46
GRAPH_STREAM = 60
SIDE_GRAPH_STREAM = 61
LAYERS = 4
TABLE_BYTES = 65_536

_LAYER = ("norm", "qkv", "attend", "out", "add", "norm", "up", "gelu", "down", "add")
_ATTENTION = KERNELS["attend"]._replace(
    type="IncreFlashAttention", inputs=("32,1,4096/DT_BF16/ND",) * 3
)
_ENTRY = ("serve/main.py(58): <module>", "serve/engine.py(112): step")
_REPLAY = (*_ENTRY, "serve/runner.py(140): execute_model", "torch_npu/npu/graphs.py(301): replay")


@dataclass(frozen=True, slots=True)
class Serving:
    """A decode server: how many replays, and ns of Python and of the call for each of them."""

    replays: int = 24
    prepare_ns: int = 700_000
    call_ns: int = 1_400_000
    share: int = 400
    seed: int = SEED

    def simulate(self, collection: Collection) -> tuple[Run, ...]:
        """Return its one run."""
        run = Run(ranks=1)
        random = Random(self.seed)  # noqa: S311 - made-up jitter, the same every time
        device = Device(run, random, share=self.share, spaced=collection.spaced)
        host = Framework(run, device, random, START + 1_900_000, Launching())
        host.enter(MAIN_THREAD, *_ENTRY[:1])
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStart", 900_000)
        device.control(SYSTEM_STREAM, at + 400_000, "PROFILING_ENABLE", connection)
        host.pause(MAIN_THREAD, 1_200_000)
        for _ in range(self.replays):
            self._decode(host)
        host.enter(MAIN_THREAD, *_ENTRY[:1], "torch_npu/profiler/profiler.py(256): stop")
        host.synchronize(MAIN_THREAD)
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclprofStop", 600_000)
        device.control(SYSTEM_STREAM, at + 250_000, "PROFILING_DISABLE", connection)
        host.pause(MAIN_THREAD, 650_000)
        host.enter(MAIN_THREAD)
        return (run,)

    def _decode(self, host: Framework) -> None:
        """Prepare a batch, send its tables, replay, and let the tokens come back."""
        begin = host.clocks[MAIN_THREAD]
        host.enter(MAIN_THREAD, *_ENTRY, "serve/scheduler.py(75): schedule")
        host.spend(MAIN_THREAD, self.prepare_ns)
        host.enter(MAIN_THREAD, *_REPLAY[:-1])
        host.move(TABLE_BYTES, "host to device")
        host.enter(MAIN_THREAD, *_REPLAY)
        host.blame("host_framework", begin)
        self._replay(host)
        host.enter(MAIN_THREAD, *_REPLAY[:-1])
        host.move(TABLE_BYTES, "device to host")
        host.enter(MAIN_THREAD, *_ENTRY[:1])

    def _replay(self, host: Framework) -> None:
        """Replay the graph: two streams, of which the second looks up each layer's cache."""
        begin = host.clocks[MAIN_THREAD]
        length = host.about(self.call_ns)
        connection, at = host.call(MAIN_THREAD, "AscendCL@aclmdlRIExecuteAsync", length)
        host.call(MAIN_THREAD, "Runtime@ModelExecute", 60_000, at=at + length - 70_000)
        host.pause(MAIN_THREAD, length)
        launched = at + length - 20_000
        host.record.causes.append(Cause("graph_launch", begin, launched))
        device = host.device
        sent = device.record_event(COMPUTE_STREAM, launched, connection)
        tasks = len(host.record.tasks)
        with device.replaying(MODEL):
            device.wait_event(GRAPH_STREAM, launched, sent, connection)
            for layer in range(LAYERS):
                ready = device.record_event(GRAPH_STREAM, launched, connection)
                device.wait_event(SIDE_GRAPH_STREAM, launched, ready, connection)
                name = f"GatherCache_{layer}"
                split = KERNELS["split"]
                device.kernel(SIDE_GRAPH_STREAM, launched, name, split, connection)
                looked_up = device.record_event(SIDE_GRAPH_STREAM, launched, connection)
                for place, key in enumerate(_LAYER):
                    if key == "attend":
                        device.wait_event(GRAPH_STREAM, launched, looked_up, connection)
                    kernel = _ATTENTION if key == "attend" else KERNELS[key]
                    name = f"{kernel.type}_{layer}_{place}"
                    device.kernel(GRAPH_STREAM, launched, name, kernel, connection)
            done = device.record_event(GRAPH_STREAM, launched, connection)
        source = Place("CANN", MAIN_THREAD, launched)
        kernels = [task for task in host.record.tasks[tasks:] if task.kernel is not None]
        host.record.arrows += (
            Arrow(
                "HostToDevice",
                connection << 32,
                source,
                Place("Ascend Hardware", task.stream, task.ts),
            )
            for task in kernels
        )
        inner = Cause(
            "graph_inner", min(one.ts for one in kernels), max(one.end for one in kernels)
        )
        host.record.causes.append(inner)
        device.wait_event(COMPUTE_STREAM, launched, done, connection)
