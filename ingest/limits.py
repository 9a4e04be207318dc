"""How much of the machine npuview may take: it may be busy with training.

What counts is what this process is allowed, by CPU affinity and control groups,
not what the machine has.
"""

import os
from pathlib import Path
from typing import Final

MOST_MEMORY_BYTES: Final = 2 << 30
LEAST_MEMORY_BYTES: Final = 128 << 20
FREE_MEMORY_DIVISOR: Final = 4
FEW_CPUS: Final = 16
MOST_THREADS_OF_FEW: Final = 4
MOST_THREADS_OF_MANY: Final = 8

SYSTEM_ROOT: Final = Path("/")


def default_threads(root: Path = SYSTEM_ROOT) -> int:
    """Return how many threads to run: the allowed CPUs up to 4, a quarter of many."""
    allowed = len(os.sched_getaffinity(0))
    for quota in _control_group_values(root, "cpu.max"):
        # Text is "max 100000" or "<µs of CPU time> <in a period of so many µs>".
        limit, _, period = quota.partition(" ")
        if limit.isdecimal() and period.isdecimal() and int(period):
            allowed = min(allowed, max(1, int(limit) // int(period)))
    if allowed > FEW_CPUS:
        return min(MOST_THREADS_OF_MANY, allowed // 4)
    return min(MOST_THREADS_OF_FEW, allowed)


def default_memory(root: Path = SYSTEM_ROOT) -> int:
    """Return how many bytes DuckDB may use: a quarter of what is free, at most 2 GiB."""
    limits = [MOST_MEMORY_BYTES]
    free = _free_memory(root)
    if free is not None:
        limits.append(free // FREE_MEMORY_DIVISOR)
    limits += [
        int(limit) // FREE_MEMORY_DIVISOR
        for limit in _control_group_values(root, "memory.max")
        if limit.isdecimal()
    ]
    return max(LEAST_MEMORY_BYTES, min(limits))


def _free_memory(root: Path) -> int | None:
    for line in (_text(root / "proc/meminfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) << 10
    return None


def _control_group_values(root: Path, file: str) -> list[str]:
    """Return a limit as the own control group and those above it state it."""
    groups = root / "sys/fs/cgroup"
    own = groups
    for line in (_text(root / "proc/self/cgroup") or "").splitlines():
        if line.startswith("0::/"):
            own = groups / line.removeprefix("0::/").strip()
    places = [own, *(place for place in own.parents if place.is_relative_to(groups))]
    return [text.strip() for place in places if (text := _text(place / file))]


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None
