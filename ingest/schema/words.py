"""The words that stand in columns of the store: classes, parts, states, phases, causes."""

EPOCH_FROM_NS = 10**18
"""A ts from here on is wall-clock time (2001 and later); less counts from another start."""

SLICE_CLASSES = (
    "compute",
    "communication",
    "mc2",
    "copy",
    "wait",
    "sync",
    "control",
    "host",
    "step",
    "overlap",
    "other",
)

SLICE_PARTS = ("cube", "vector", "compute", "transfer", "waiting", "control")
"""The rows on which the tasks of a stream or plane are drawn, from top to bottom."""

TRACK_KINDS = (
    "python",
    "cann",
    "host",
    "stream",
    "group",
    "plane",
    "overlap",
    "step",
    "async",
    "counter",
    "device",
    "gap",
)

LEDGER_STATES = (
    "computing",
    "mc2",
    "aicpu",
    "transferring",
    "copying",
    "waiting_peer",
    "waiting_stage",
    "collective_other",
    "waiting_event",
    "idle",
)
"""What a device does at an instant; where several are true the first one counts."""

STEP_PHASES = (
    "lead_in",
    "forward",
    "prefill",
    "decode",
    "mixed",
    "body",
    "backward",
    "optimizer",
    "tail",
)
"""Parts of a step on a device; body where nothing marks forward and backward.

An iteration of a server has its kind (prefill, decode, mixed) instead of body."""

STEP_SOURCES = (
    "profiler_step",
    "step_trace",
    "kernel_details",
    "annotation",
    "mstx",
    "graph_replay",
    "pattern",
    "step_trace_time",
    "run",
)
"""What marks steps, by what is trusted most; step_trace_time has figures and no times."""

STEP_KINDS = ("train", "iteration", "prefill", "decode", "mixed", "run")
"""What a step is for; iteration where that is not known."""

IDLE_CAUSES = (
    "host_sync",
    "dataloader",
    "gc",
    "compile",
    "alloc",
    "host_launch",
    "host_framework",
    "graph_launch",
    "no_work",
    "no_record",
    "wait_event",
    "copy_staging",
    "graph_inner",
    "profiler",
    "device_queue",
    "unknown",
)
"""Why a device had nothing to do; each but unknown has a slice that shows it."""
