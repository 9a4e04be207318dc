"""Writes a small made-up torch_npu profile for demonstrations, tests and pictures.

It is rank 0 of 8 training a vision transformer, collected at Level2 with all
switches that the views need. The same scenario gives the same bytes every time.
"""

import json
from pathlib import Path

from ..errors import UsageError
from .communication import communication, communication_matrix
from .kernels import data_preprocess, kernel_details, l2_cache, op_statistic
from .memory import memory_record, npu_module_mem, operator_memory
from .record import GROUP, PROCESS, RANKS, Run
from .run import FIRST_STEP, PROFILER_START, STEPS, Scenario, simulate
from .tables import api_statistic, operator_details, step_trace_time
from .trace import trace_view

SCENARIOS: dict[str, Scenario] = {
    "host_bound": Scenario(
        "a check reads a value back after every operator: steps of 410 ms, gaps up to 2.1 ms",
        period=410_000_000,
        largest_gap=2_100_000,
        checks=True,
        pause_before="gelu.1",
    ),
    "pipelined": Scenario(
        "the same model without the check: steps of 368 ms, gaps up to 0.5 ms",
        period=368_000_000,
        largest_gap=500_000,
        checks=False,
        pause_before="batch",
    ),
}
"""The made-up runs by name."""

WORKER = "node-1"
STAMP = "20260612093015123"

_OUTPUTS = {
    "trace_view.json": trace_view,
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


def write_sample(directory: Path, scenario: str = "host_bound") -> Path:
    """Write a made-up profile into a directory and return the profile's own directory.

    Raises UsageError for an unknown scenario, naming the known ones.
    """
    known = SCENARIOS.get(scenario)
    if known is None:
        names = ", ".join(SCENARIOS)
        raise UsageError(f"no scenario {scenario!r}; there are: {names}")
    run = simulate(known)
    profile = directory / f"{WORKER}_{PROCESS}_{STAMP}_ascend_pt"
    output = profile / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    for name, make in _OUTPUTS.items():
        (output / name).write_bytes(make(run).encode())
    (profile / "profiler_info_0.json").write_bytes(_profiler_info(run).encode())
    (profile / "profiler_metadata.json").write_bytes(_profiler_metadata().encode())
    return profile


def _profiler_info(run: Run) -> str:
    """Return profiler_info: what was collected, with which versions, and when."""
    last = run.steps[-1]
    info = {
        "config": {
            "common_config": {
                "activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"],
                "schedule": {
                    "wait": 0,
                    "active": STEPS,
                    "warmup": 2,
                    "repeat": 1,
                    "skip_first": FIRST_STEP - 2,
                },
                "record_shapes": True,
                "profile_memory": True,
                "with_stack": True,
                "with_flops": False,
                "with_modules": True,
            },
            "experimental_config": {
                "_profiler_level": "Level2",
                "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
                "_l2_cache": True,
                "_mstx": False,
                "_data_simplification": True,
                "record_op_args": False,
                "_export_type": ["text"],
                "_host_sys": [],
                "_op_attr": False,
                "_gc_detect_threshold": None,
                "_sys_io": False,
                "_sys_interconnection": False,
            },
        },
        "start_info": {
            "syscnt_enable": True,
            "freq": 100,
            "start_cnt": 17238197612056,
            "start_monotonic": 172_163_581_670_080,
        },
        "end_info": {
            "collectionTimeEnd": last.end,
            "MonotonicTimeEnd": 172_163_581_670_080 + last.end - PROFILER_START,
        },
        "torch_npu_version": "2.7.1.post2",
        "cann_version": "8.5.RC1",
        "rank_id": 0,
    }
    return json.dumps(info, indent=4)


def _profiler_metadata() -> str:
    """Return profiler_metadata: the place of this rank in the job."""
    group = {
        "group_name": "default_group",
        "group_rank": 0,
        "global_ranks": list(range(RANKS)),
    }
    metadata = {
        "distributed_args": {
            "tensor_model_parallel_size": 1,
            "pipeline_model_parallel_size": 1,
            "data_parallel_size": RANKS,
            "context_parallel_size": 1,
            "expert_model_parallel_size": 1,
            "rank": 0,
            "world_size": RANKS,
        },
        "ENV_VARIABLES": {
            "ASCEND_GLOBAL_LOG_LEVEL": "",
            "ASCEND_LAUNCH_BLOCKING": "",
            "PYTORCH_NPU_ALLOC_CONF": "",
            "TASK_QUEUE_ENABLE": "1",
        },
        "parallel_group_info": {GROUP: group},
    }
    return json.dumps(metadata, indent=4)
