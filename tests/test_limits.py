"""How much of the machine questions take."""

import os
from pathlib import Path

import pytest

from npuview.ingest.limits import default_memory, default_threads

GIB = 1 << 30


def machine(root: Path, *, free_kib: int | None = None, **group: str) -> Path:
    """Write what Linux tells about memory and the control group ``/job`` of this process."""
    (root / "proc/self").mkdir(parents=True)
    if free_kib is not None:
        (root / "proc/meminfo").write_text(f"MemTotal: 9 kB\nMemAvailable:  {free_kib} kB\n")
    (root / "proc/self/cgroup").write_text("0::/job\n")
    (root / "sys/fs/cgroup/job").mkdir(parents=True)
    for name, value in group.items():
        (root / "sys/fs/cgroup/job" / name.replace("_", ".")).write_text(value + "\n")
    return root


def allow(monkeypatch: pytest.MonkeyPatch, cpus: int) -> None:
    def affinity(_: int) -> set[int]:
        return set(range(cpus))

    monkeypatch.setattr(os, "sched_getaffinity", affinity)


@pytest.mark.parametrize(
    ("allowed", "threads"), [(1, 1), (2, 2), (4, 4), (16, 4), (17, 4), (24, 6), (192, 8)]
)
def test_threads_are_few_on_a_machine_of_many(
    allowed: int, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, allowed)
    assert default_threads(tmp_path) == threads


@pytest.mark.parametrize(
    ("quota", "threads"),
    [("max 100000", 4), ("200000 100000", 2), ("50000 100000", 1), ("nonsense", 4), ("", 4)],
)
def test_a_control_group_bounds_the_threads(
    quota: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 8)
    assert default_threads(machine(tmp_path, cpu_max=quota)) == threads


def test_memory_is_a_quarter_of_what_is_free_within_bounds(tmp_path: Path) -> None:
    assert default_memory(machine(tmp_path / "big", free_kib=64 << 20)) == 2 * GIB
    assert default_memory(machine(tmp_path / "half", free_kib=4 << 20)) == GIB
    assert default_memory(machine(tmp_path / "small", free_kib=1000)) == 128 << 20
    assert default_memory(machine(tmp_path / "untold")) == 2 * GIB


def test_a_control_group_bounds_the_memory(tmp_path: Path) -> None:
    root = machine(tmp_path / "own", free_kib=64 << 20, memory_max=str(2 * GIB))
    assert default_memory(root) == GIB // 2
    root = machine(tmp_path / "above", free_kib=64 << 20, memory_max="max")
    (root / "sys/fs/cgroup/memory.max").write_text(f"{4 * GIB}\n")
    assert default_memory(root) == GIB
