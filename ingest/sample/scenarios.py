"""The scenarios of the sample: made-up jobs, each with one thing that costs it time."""

from dataclasses import replace
from typing import NamedTuple

from .collection import Collection
from .framework import Launching
from .habit import (
    Besides,
    Buffer,
    CheckFinite,
    Garbage,
    Hoard,
    Prefetch,
    ReadBack,
    RoundTrip,
    SlowAllocation,
    SlowHook,
    SlowLoader,
)
from .model import BUCKETS, FORWARD, KERNELS, OPTIMIZER, Kernel
from .peers import Punctual, Together
from .record import Run
from .server import Server
from .serving import Serving
from .training import Target, Training
from .truth import Truth, truth_of
from .variants import FUSED, FUSED_SLOWER, SMALL_BLOCKS, TRANSPOSES, UNFUSED_ATTENTION


class Scenario(NamedTuple):
    """A made-up job and how it was collected."""

    about: str
    work: Training | Serving | Server
    collection: Collection = Collection()

    def runs(self) -> tuple[Run, ...]:
        """Return the runs of the ranks that were collected."""
        every = self.work.simulate(self.collection)
        return tuple(run for run in every if run.rank in self.collection.ranks)

    def again(self, seed: int) -> "Scenario":
        """Return the same job run once more: nothing but its jitter differs."""
        return self._replace(work=replace(self.work, seed=seed))

    def truth(self) -> Truth:
        """Return what is so in the collected ranks."""
        return truth_of(self.runs())


_HOST_BOUND = Training(
    habits=(ReadBack(), CheckFinite()),
    target=Target(410_000_000, 2_100_000, pause_before="gelu.1"),
)
_LATE_RANK = Training(
    habits=(SlowHook(25_000_000, "up.0", rank=2),), peers=Together(ranks=4), steps=3
)
_CALM = Training(habits=(), peers=Punctual(), reducing="needed")
_READING = replace(_CALM, habits=(ReadBack(),))
_TRANSPOSING = Training(
    target=Target(36_000_000, 500_000, pause_before="batch"),
    share=16,
    variants=TRANSPOSES,
)
_EVERY_KEY = {
    operator.key
    for operator in (*FORWARD, *OPTIMIZER, *(one for bucket, _ in BUCKETS for one in bucket))
}


def _vector(type_: str, us: int, shape: str) -> Kernel:
    operand = f"{shape}/DT_BF16/ND"
    return Kernel(type_, "AI_VECTOR_CORE", us * 1000, 48, (operand, operand), (operand,))


_CLIP = Besides(
    "cast", "train/clip.py(18): clip_each", "aclnnMul", (_vector("Mul", 320, "4096"),), times=36
)
_COUNT = Kernel("Unique2", "AI_CPU", 24_000_000, 1, ("25088/INT64/ND",), ("25088/INT64/ND",))
_ONE_SHAPE = (
    *[_vector("Mul", 1_200, "25088,4096")] * 3,
    KERNELS["packg"],
    _vector("Mul", 12_000, "25088,4096"),
)
_TWO_SHAPES = (
    *[_vector("Mul", 1_200, "25088,4096")] * 3,
    KERNELS["packg"],
    _vector("Mul", 12_000, "25088,16384"),
)

SCENARIOS: dict[str, Scenario] = {
    "host_bound": Scenario(
        "a check reads a value back after every operator: steps of 410 ms, gaps up to 2.1 ms",
        _HOST_BOUND,
        Collection(l2_cache=True),
    ),
    "pipelined": Scenario(
        "the same model without the check: steps of 368 ms, gaps up to 0.5 ms",
        Training(target=Target(368_000_000, 500_000, pause_before="batch")),
        Collection(l2_cache=True),
    ),
    "late_rank": Scenario(
        "four ranks of which rank 2 loses 25 ms in each backward pass, all collected",
        _LATE_RANK,
        Collection(ranks=(0, 1, 2, 3)),
    ),
    "late_rank_missing": Scenario(
        "the same job, but rank 2 was not collected",
        _LATE_RANK,
        Collection(ranks=(0, 1, 3)),
    ),
    "dataloader": Scenario(
        "the loader waits 70 ms for each batch and the device runs dry meanwhile",
        replace(_CALM, habits=(SlowLoader(70_000_000),), share=8),
    ),
    "gc_pause": Scenario(
        "Python collects garbage for 60 ms in each forward pass and the device runs dry",
        replace(_CALM, habits=(Garbage(60_000_000, "gelu.0"),), share=8),
        Collection(gc_threshold_ms=1.0),
    ),
    "staging": Scenario(
        "each batch is copied from memory that is not pinned: 5.2 ms of staging before it moves",
        replace(_READING, pinned=False, share=8),
    ),
    "ping_pong": Scenario(
        "32 MB go to the host in each step and come back 2 ms later",
        replace(
            _CALM,
            habits=(RoundTrip(33_554_432, 2_000_000, "attend.1"),),
            share=8,
        ),
    ),
    "exposed_communication": Scenario(
        "every gradient bucket is waited for before the backward pass goes on",
        replace(_CALM, reducing="blocking"),
    ),
    "compile": Scenario(
        "convolution and its transposes are compiled for 48 ms in the first recorded step",
        replace(
            _READING,
            launching=Launching(frozenset({"conv"}), {"conv": 48_000_000}),
            share=8,
        ),
    ),
    "aclop": Scenario(
        "every operator goes by aclopCompileAndExecute, which compiles nothing but takes 1.2 ms",
        replace(
            _CALM,
            launching=Launching(frozenset(_EVERY_KEY)),
            share=16,
        ),
    ),
    "event_chain": Scenario(
        "compute waits for a stream that waits for another one, which copies 2.3 GB",
        replace(
            _CALM,
            habits=(ReadBack(), Prefetch(2_300_000_000, "up.1")),
        ),
    ),
    "graph_replay": Scenario(
        "a decode server replays a captured graph for every token; the call takes 1.4 ms", Serving()
    ),
    "server": Scenario(
        "a server prefills and decodes; three decodes come 9 ms late, twice nobody asks for 80 ms",
        Server(),
    ),
    "server_unmarked": Scenario(
        "the same server, but it writes no ranges: only its kernels repeat",
        Server(marked=False),
    ),
    "profiler_spacing": Scenario(
        "the counters of the cache hold queued kernels 95 us apart",
        replace(_READING, share=8),
        Collection(l2_cache=True, spaced=True),
    ),
    "no_flows": Scenario(
        "the first scenario, but no task says which call launched it",
        _HOST_BOUND,
        Collection(l2_cache=True, linked=False),
    ),
    "transposes": Scenario(
        "tensors are transposed and cast on both sides of attention: 30 % of the model's time",
        _TRANSPOSING,
    ),
    "transposes_fused": Scenario(
        "one kernel does both: 12 % of the model's time, and steps are 12 % shorter",
        replace(
            _TRANSPOSING,
            target=Target(31_680_000, 500_000, pause_before="batch"),
            variants=FUSED,
        ),
    ),
    "fused_slower": Scenario(
        "one kernel does both and takes 15 % longer than its parts did",
        replace(
            _TRANSPOSING,
            target=Target(37_700_000, 500_000, pause_before="batch"),
            variants=FUSED_SLOWER,
        ),
    ),
    "unfused_attention": Scenario(
        "attention runs as MatMul, scale, Softmax, MatMul in float32, on rows that do not align",
        replace(_CALM, share=8, variants=UNFUSED_ATTENTION),
    ),
    "small_blocks": Scenario(
        "an activation runs on 8 of 48 vector cores and takes six times as long",
        replace(_CALM, share=8, variants=SMALL_BLOCKS),
    ),
    "explosion": Scenario(
        "gradients are clipped one by one, 36 calls a step, and in every second step twice",
        replace(_CALM, habits=(_CLIP, replace(_CLIP, every=2)), share=8),
    ),
    "spread": Scenario(
        "of four multiplications of one shape the one right behind a conversion takes ten times",
        replace(
            _CALM,
            habits=(Besides("add1.0", "model/scale.py(9): scale", "aclnnMul", _ONE_SHAPE),),
            share=8,
        ),
    ),
    "spread_by_shape": Scenario(
        "the same, but the long multiplication is of a larger shape: nothing is wrong with it",
        replace(
            _CALM,
            habits=(Besides("add1.0", "model/scale.py(9): scale", "aclnnMul", _TWO_SHAPES),),
            share=8,
        ),
    ),
    "aicpu": Scenario(
        "labels are made unique on an AI CPU, which takes 3 ms while the cores have nothing to do",
        replace(
            _CALM,
            habits=(Besides("count", "train/meter.py(44): unique", "aclnnUnique2", (_COUNT,)),),
            share=8,
        ),
    ),
    "leak": Scenario(
        "64 MiB of each step are kept in a list that nobody empties",
        replace(_CALM, habits=(Hoard(67_108_864, "gelu.1"),), share=8),
    ),
    "alloc_stall": Scenario(
        "the allocator asks the device for a segment in each forward pass, which takes 60 ms",
        replace(_CALM, habits=(SlowAllocation(60_000_000, "gelu.1"),), share=8),
    ),
    "large_buffer": Scenario(
        "one operator takes 12 GiB for itself while it runs: the peak of memory is its own",
        replace(_CALM, habits=(Buffer(12_884_901_888, "attend.1"),), share=8),
    ),
    "healthy": Scenario(
        "the host runs ahead, collectives run under compute: nothing is wrong",
        _CALM,
    ),
}
"""The made-up runs by name."""
