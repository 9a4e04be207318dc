"""Writes small made-up torch_npu profiles for demonstrations, tests and pictures.

They are collected at Level2 with all switches that the views need. The same scenario
gives the same bytes every time.
"""

from pathlib import Path

from ..errors import UsageError
from .collection import Collection, profiler_info, profiler_metadata
from .communication import communication, communication_matrix
from .kernels import data_preprocess, kernel_details, l2_cache, op_statistic
from .lanes import Lanes
from .memory import memory_record, npu_module_mem, operator_memory
from .record import Run
from .scenarios import SCENARIOS
from .tables import api_statistic, operator_details, step_trace_time
from .trace import trace_view

WORKER = "node-1"
STAMP = "20260612093015123"

_OUTPUTS = {
    "kernel_details.csv": kernel_details,
    "step_trace_time.csv": step_trace_time,
    "op_statistic.csv": op_statistic,
    "api_statistic.csv": api_statistic,
    "operator_details.csv": operator_details,
    "memory_record.csv": memory_record,
    "operator_memory.csv": operator_memory,
    "npu_module_mem.csv": npu_module_mem,
    "l2_cache.csv": l2_cache,
    "data_preprocess.csv": data_preprocess,
    "communication.json": communication,
    "communication_matrix.json": communication_matrix,
}


def write_sample(directory: Path, scenario: str = "host_bound", *, seed: int | None = None) -> Path:
    """Write a made-up profile into a directory and return the profile's own directory.

    Where several ranks are collected, that is the one which holds their profiles. Another
    ``seed`` is another run of the same job. Raises UsageError for an unknown scenario,
    naming the known ones.
    """
    known = SCENARIOS.get(scenario)
    if known is None:
        names = ", ".join(SCENARIOS)
        raise UsageError(f"no scenario {scenario!r}; there are: {names}")
    if seed is not None:
        known = known.again(seed)
    collected = known.runs()
    if len(collected) == 1:
        return _write_rank(directory, collected[0], known.collection)
    job = directory / scenario
    for run in collected:
        _write_rank(job, run, known.collection)
    return job


def _write_rank(directory: Path, run: Run, collection: Collection) -> Path:
    """Write the profile of one rank."""
    profile = directory / f"{WORKER}_{Lanes(run).process}_{STAMP}_ascend_pt"
    output = profile / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    (output / "trace_view.json").write_bytes(trace_view(run, linked=collection.linked).encode())
    for name, make in _OUTPUTS.items():
        if _written(name, run, collection):
            (output / name).write_bytes(make(run).encode())
    info = profiler_info(run, collection)
    (profile / f"profiler_info_{run.rank}.json").write_bytes(info.encode())
    (profile / "profiler_metadata.json").write_bytes(profiler_metadata(run).encode())
    return profile


def _written(name: str, run: Run, collection: Collection) -> bool:
    """Whether the profiler writes a file for such a run."""
    if name == "l2_cache.csv":
        return collection.l2_cache
    return bool(run.collectives) or not name.startswith("communication")
