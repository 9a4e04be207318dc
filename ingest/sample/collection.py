"""The collection of a made-up run: its switches, and the two files that tell them."""

import json
from typing import NamedTuple

from .record import GROUP, Run

START = 1_781_227_815_123_456_780
START_MONOTONIC = 172_163_581_670_080


class Collection(NamedTuple):
    """What was switched on, and for whom.

    ``spaced`` is what the cache's counters cost: kernels that queue are held apart.
    ``linked`` is whether tasks say which call launched them.
    """

    ranks: tuple[int, ...] = (0,)
    l2_cache: bool = False
    spaced: bool = False
    gc_threshold_ms: float | None = None
    linked: bool = True


def profiler_info(run: Run, collection: Collection) -> str:
    """Return profiler_info: what was collected, with which versions, and when."""
    steps = run.steps
    schedule = {
        "wait": 0,
        "active": len(steps),
        "warmup": 2,
        "repeat": 1,
        "skip_first": steps[0].number - 2 if steps else 0,
    }
    info = {
        "config": {
            "common_config": {
                "activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"],
                "schedule": schedule if steps else {},
                "record_shapes": True,
                "profile_memory": True,
                "with_stack": True,
                "with_flops": False,
                "with_modules": True,
            },
            "experimental_config": {
                "_profiler_level": "Level2",
                "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
                "_l2_cache": collection.l2_cache,
                "_mstx": False,
                "_data_simplification": True,
                "record_op_args": False,
                "_export_type": ["text"],
                "_host_sys": [],
                "_op_attr": False,
                "_gc_detect_threshold": collection.gc_threshold_ms,
                "_sys_io": False,
                "_sys_interconnection": False,
            },
        },
        "start_info": {
            "syscnt_enable": True,
            "freq": 100,
            "start_cnt": 17238197612056,
            "start_monotonic": START_MONOTONIC,
        },
        "end_info": {
            "collectionTimeEnd": _end(run),
            "MonotonicTimeEnd": START_MONOTONIC + _end(run) - START,
        },
        "torch_npu_version": "2.7.1.post2",
        "cann_version": "8.5.RC1",
        "rank_id": run.rank,
    }
    return json.dumps(info, indent=4)


def profiler_metadata(run: Run) -> str:
    """Return profiler_metadata: the place of this rank in the job."""
    group = {
        "group_name": "default_group",
        "group_rank": run.rank,
        "global_ranks": list(range(run.ranks)),
    }
    metadata = {
        "distributed_args": {
            "tensor_model_parallel_size": 1,
            "pipeline_model_parallel_size": 1,
            "data_parallel_size": run.ranks,
            "context_parallel_size": 1,
            "expert_model_parallel_size": 1,
            "rank": run.rank,
            "world_size": run.ranks,
        },
        "ENV_VARIABLES": {
            "ASCEND_GLOBAL_LOG_LEVEL": "",
            "ASCEND_LAUNCH_BLOCKING": "",
            "PYTORCH_NPU_ALLOC_CONF": "",
            "TASK_QUEUE_ENABLE": "1",
        },
        "parallel_group_info": {GROUP: group} if run.ranks > 1 else {},
    }
    return json.dumps(metadata, indent=4)


def _end(run: Run) -> int:
    return run.steps[-1].end if run.steps else max(call.ts + call.dur for call in run.calls)
