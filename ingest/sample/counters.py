"""The samples of clock, memory and bandwidth of a made-up run."""

from collections.abc import Iterable
from typing import NamedTuple

from .allocator import reserved_bytes
from .overlap import Interval, subtract
from .record import Run

COUNTER_PERIOD_NS = 20_000_000
CORE_MHZ = 1800
HBM_PEAK_MBS = 410_000


class CounterSample(NamedTuple):
    """A counter's value at an instant; ``key`` names the value and its unit."""

    ts: int
    lane: str
    name: str
    key: str
    value: float


def counter_samples(run: Run, computing: list[Interval]) -> Iterable[CounterSample]:
    """Give the samples; memory is busy while the device computes."""
    begin = min(call.ts for call in run.calls) - COUNTER_PERIOD_NS
    end = max(call.ts for call in run.calls) + COUNTER_PERIOD_NS
    reserved = reserved_bytes(run) / 1024
    for ts in (begin, end):
        yield CounterSample(ts, "AI Core Freq", "AI Core Freq", "MHz", CORE_MHZ)
    for ts in range(begin, end, COUNTER_PERIOD_NS):
        window = (ts - COUNTER_PERIOD_NS, ts)
        idle = sum(stop - start for start, stop in subtract([window], computing))
        used = HBM_PEAK_MBS * (COUNTER_PERIOD_NS - idle) / COUNTER_PERIOD_NS
        for stack in range(2):
            for direction, share in (("Read", 0.62), ("Write", 0.38)):
                name = f"HBM {stack}/{direction}"
                rate = round(used * share * (1 - stack / 25), 3)
                yield CounterSample(ts, "HBM", name, f"{direction}(MB/s)", rate)
        yield CounterSample(ts, "NPU MEM", "APP/DDR", "KB", 0.0)
        yield CounterSample(ts, "NPU MEM", "APP/HBM", "KB", reserved)
        yield CounterSample(ts, "NPU MEM", "APP/Memory", "KB", reserved)
