"""Why a device does not work, in words: causes, stages, places and phases.

In the store they are values, the same in every language and in SQL; what people read of
them stands here alone, one table a kind, as a catalogue of a language would have it.
"""

from collections.abc import Mapping
from typing import Final

from .safe_text import clean

CAUSES: Final[Mapping[str, str]] = {
    "host_framework": "Python/framework",
    "host_launch": "launch (CANN)",
    "host_sync": "blocking call",
    "dataloader": "data loading",
    "gc": "garbage collection",
    "compile": "compiling",
    "alloc": "device memory",
    "graph_launch": "graph launch",
    "graph_inner": "inside a graph",
    "no_work": "no request",
    "no_record": "not recorded",
    "copy_staging": "copy staging",
    "profiler": "profiler spacing",
    "device_queue": "launch to start",
    "wait_event": "event wait",
    "unknown": "unknown",
    "transferring": "transfer",
    "copying": "copy",
    "aicpu": "AI CPU",
    "collective_other": "rest of collective",
}
"""Of idle and waiting time; the last four of gaps in computing alone."""

STAGES: Final[Mapping[str, str]] = {
    "framework": "framework",
    "launch": "launch",
    "device": "after the launch",
}
"""Between the line of Python and the task on the device: where the time was lost."""

HOST_STAGES: Final = ("framework", "launch")
"""In which the host had not launched yet."""

PLACES: Final[Mapping[str, str]] = {
    "lead_in": "before the first task",
    "between": "between tasks",
    "tail": "after the last task",
}

PHASES: Final[Mapping[str, str]] = {
    "lead_in": "before 1st kernel",
    "forward": "forward",
    "prefill": "prefill",
    "decode": "decode",
    "mixed": "prefill+decode",
    "body": "kernels",
    "backward": "backward",
    "optimizer": "optimizer",
    "tail": "tail",
}

SHORT_PHASES: Final[Mapping[str, str]] = {
    "lead_in": "pre",
    "forward": "fwd",
    "prefill": "prefill",
    "decode": "decode",
    "mixed": "mixed",
    "body": "kernels",
    "backward": "bwd",
    "optimizer": "opt",
    "tail": "tail",
}

FIGURES: Final[Mapping[str, str]] = {
    "computing": "computing",
    "communication_not_overlapped": "not overlapped",
    "free": "free",
    "stage": "stage",
    "preparing": "preparing",
}
"""The vendor's figures."""


def cause_words(cause: str | None) -> str:
    """Return a cause as people read it, clean; a peer that is waited for names itself.

    What stands before a colon is the place: ``lead_in:gc`` is garbage collection before
    the first task.
    """
    if cause is None:
        return CAUSES["unknown"]
    place, colon, rest = cause.partition(":")
    if colon and place in PLACES:
        return f"{PLACES[place]}: {cause_words(rest)}"
    return CAUSES.get(cause) or clean(cause)


def stage_words(stage: str | None) -> str:
    """Return where time was lost: with the host, which was late, or after the launch."""
    if stage is None:
        return "unknown where"
    words = STAGES.get(stage) or clean(stage)
    return f"host late, {words}" if stage in HOST_STAGES else words


def phase_words(phase: str | None) -> str:
    """Return the part of a step as people read it, clean."""
    return "rest" if phase is None else PHASES.get(phase) or clean(phase)
