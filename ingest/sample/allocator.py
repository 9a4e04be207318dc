"""What the allocator of a made-up run has given away and reserved."""

from itertools import accumulate

from .record import Run

PARAMETERS_BYTES = 8_137_949_184
"""Weights, gradients and the optimizer's moments: there before the profiler starts."""

_SEGMENT_BYTES = 1 << 30


def levels(run: Run) -> list[tuple[int, int]]:
    """Return the bytes in use after each instant of change."""
    changes: dict[int, int] = {}
    for taken in run.allocations:
        changes[taken.ts] = changes.get(taken.ts, 0) + taken.size
        if taken.release is not None:
            changes[taken.release] = changes.get(taken.release, 0) - taken.size
    instants = sorted(changes)
    sums = accumulate((changes[ts] for ts in instants), initial=PARAMETERS_BYTES)
    return list(zip(instants, list(sums)[1:], strict=True))


def reserved_bytes(run: Run) -> int:
    """Return what the allocator has taken from the device: whole segments, and one to spare."""
    most = max((held for _, held in levels(run)), default=PARAMETERS_BYTES)
    return (most // _SEGMENT_BYTES + 2) * _SEGMENT_BYTES
