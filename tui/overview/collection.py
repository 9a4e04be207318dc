"""How a profile was collected, what that did to its times, and how to collect more.

The lines are the vendors' own: arguments of ``torch_npu.profiler.profile`` and
``mindspore.profiler.profile``, and options of ``msprof``.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...queries.rows import HealthRow, ProfilesRow

LEVEL1 = "profiler_level=torch_npu.profiler.ProfilerLevel.Level1"
TORCH_LEVEL1 = f"experimental_config=torch_npu.profiler._ExperimentalConfig({LEVEL1})"
TORCH_UNITS = (
    f"experimental_config=torch_npu.profiler._ExperimentalConfig({LEVEL1},"
    " aic_metrics=torch_npu.profiler.AiCMetrics.PipeUtilization)"
)
TORCH_BOTH = (
    "activities=[torch_npu.profiler.ProfilerActivity.CPU, torch_npu.profiler.ProfilerActivity.NPU]"
)
MINDSPORE_LEVEL1 = (
    "experimental_config=mindspore.profiler._ExperimentalConfig("
    "profiler_level=mindspore.profiler.ProfilerLevel.Level1)"
)
MINDSPORE_UNITS = (
    "experimental_config=mindspore.profiler._ExperimentalConfig("
    "profiler_level=mindspore.profiler.ProfilerLevel.Level1,"
    " aic_metrics=mindspore.profiler.AicoreMetrics.PipeUtilization)"
)
MINDSPORE_BOTH = (
    "activities=[mindspore.profiler.ProfilerActivity.CPU, mindspore.profiler.ProfilerActivity.NPU]"
)


class Remedy(NamedTuple):
    """What to add to a collection so that something is in it, for each profiler."""

    torch_npu: str
    mindspore: str
    msprof: str


def _msprof(options: str) -> str:
    return f"msprof {options} --output=DIR APPLICATION"


_LEVEL1 = Remedy(TORCH_LEVEL1, MINDSPORE_LEVEL1, _msprof("--task-time=l1"))
_BOTH = Remedy(TORCH_BOTH, MINDSPORE_BOTH, _msprof("--task-time=l1"))
_HOST = "--ascendcl=on --runtime-api=on"

REMEDIES = {
    "steps": Remedy(
        "schedule=torch_npu.profiler.schedule(wait=0, warmup=1, active=2, repeat=1),"
        " and prof.step() after each iteration",
        "schedule=mindspore.profiler.schedule(wait=0, warmup=1, active=2, repeat=1),"
        " and prof.step() after each iteration",
        f"{_msprof('--msproftx=on')}, with iterations marked by mstx",
    ),
    "streams": _BOTH,
    "kernels": _BOTH,
    "python": _BOTH._replace(msprof="the framework's own profiler: msprof does not record it"),
    "shapes": _LEVEL1,
    "planes": _LEVEL1,
    "cann": _LEVEL1._replace(msprof=_msprof(_HOST)),
    "launches": _LEVEL1._replace(msprof=_msprof(f"--task-time=l1 {_HOST}")),
    "units": Remedy(
        TORCH_UNITS, MINDSPORE_UNITS, _msprof("--task-time=l1 --aic-metrics=PipeUtilization")
    ),
    "memory": Remedy(
        "profile_memory=True", "profile_memory=True", _msprof("--sys-hardware-mem=on")
    ),
}
"""By the name of what is missing, as the question ``health`` gives it."""

REMEDIES_OF_FINDINGS = {
    "gc": Remedy(
        "experimental_config=torch_npu.profiler._ExperimentalConfig(gc_detect_threshold=1)",
        "",
        "",
    ),
    "sizes": Remedy(
        "experimental_config=torch_npu.profiler._ExperimentalConfig("
        "profiler_level=torch_npu.profiler.ProfilerLevel.Level2)",
        "experimental_config=mindspore.profiler._ExperimentalConfig("
        "profiler_level=mindspore.profiler.ProfilerLevel.Level2)",
        _msprof("--task-time=l1 --runtime-api=on"),
    ),
    "threads": Remedy(
        "with_stack=True, experimental_config=torch_npu.profiler._ExperimentalConfig("
        "gc_detect_threshold=1, host_sys=[torch_npu.profiler.HostSystem.CPU,"
        " torch_npu.profiler.HostSystem.OSRT])",
        "with_stack=True",
        _msprof("--host-sys=cpu,osrt"),
    ),
    "causes": _BOTH,
}
"""By the name of what only a finding misses."""

OF_THE_TIMELINE = frozenset({"steps", "streams", "kernels", "python", "planes", "cann", "launches"})
"""What may be missing because the timeline was not read to its end."""

_SLOW_THE_HOST = (
    "with_stack",
    "with_modules",
    "record_shapes",
    "profile_memory",
    "record_op_args",
)
_SPACE_THE_KERNELS = ("l2_cache", "aic_metrics")


class Overhead(NamedTuple):
    """Switches that made the profiled run slower than the real one."""

    host: tuple[str, ...]
    device: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Return what that means for the figures; empty without such switches."""
        parts: list[str] = []
        if self.host:
            parts.append(f"host times are inflated by {', '.join(self.host)}")
        if self.device:
            parts.append(f"kernels are spaced by {', '.join(self.device)}")
        return "; ".join(parts)


def cut_off_timelines(findings: Iterable[HealthRow]) -> dict[int, int | None]:
    """Return the ranks whose timeline is cut off, and at which byte, if that is known."""
    return {one.rank: one.first_offset for one in findings if one.name == "truncated"}


def remedy(
    missing: str, profile: ProfilesRow, cut_off: Mapping[int, int | None] | None = None
) -> str | None:
    """Say how to collect what is missing; None where there is nothing to say.

    A switch that was on is not asked for again: then a file is not here. Nor is one
    for what a timeline that was ``cut_off`` may have held behind that byte.
    """
    found = REMEDIES.get(missing)
    if found is None or profile.producer not in Remedy._fields:
        return None
    if cut_off and profile.rank in cut_off and missing in OF_THE_TIMELINE:
        offset = cut_off[profile.rank]
        where = "" if offset is None else f" at byte {offset:,}"
        return f"the timeline is cut off{where}: export the profile again"
    if _was_collected(missing, profile):
        return "was collected: the file that holds it is not in this data, or was not read"
    line: str = getattr(found, profile.producer)
    return f"to collect it: {line}"


def collecting(missing: str, profile: ProfilesRow) -> str:
    """Return the line that collects what is missing; empty where there is none to give."""
    found = REMEDIES.get(missing) or REMEDIES_OF_FINDINGS.get(missing)
    if found is None or profile.producer not in Remedy._fields:
        return ""
    line: str = getattr(found, profile.producer)
    return line


def splits_collectives(profile: ProfilesRow) -> str:
    """Name the switch that collects plane tasks; empty if it was on, or if there is none."""
    if profile.producer not in Remedy._fields or _was_collected("planes", profile):
        return ""
    return "--task-time=l1" if profile.producer == "msprof" else "Level1"


def _was_collected(missing: str, profile: ProfilesRow) -> bool:
    on = switches_on(profile.switches)
    if REMEDIES[missing].torch_npu == TORCH_LEVEL1:
        return profile.level in {"Level1", "Level2"}
    match missing:
        case "units":
            return "PIPE" in on.get("aic_metrics", "").upper()
        case "memory":
            return "profile_memory" in on
        case "streams" | "kernels":
            return "NPU" in on.get("activities", "")
        case "python":
            return "CPU" in on.get("activities", "")
        case _:
            return False


def switches_on(switches: str | None) -> dict[str, str]:
    """Return the switches that were on, from the JSON text of a profile, by plain name."""
    try:
        given = json.loads(switches or "{}")
    except ValueError:
        return {}
    if not isinstance(given, dict):
        return {}
    return {
        str(name).removeprefix("_"): _said(value) for name, value in given.items() if _is_on(value)
    }


def overhead(switches: str | None, level: str | None) -> Overhead:
    """Return what is known to slow a run down, from a profile's switches and level."""
    on = switches_on(switches)
    host = tuple(name for name in _SLOW_THE_HOST if name in on)
    if level == "Level2":
        host = (*host, level)
    return Overhead(host, tuple(name for name in _SPACE_THE_KERNELS if name in on))


def _is_on(value: object) -> bool:
    match value:
        case bool():
            return value
        case str():
            off = value.lower() in {"", "off", "false", "none", "0"}
            return not off and not value.endswith("_NONE")
        case list():
            return bool(value)
        case _:
            return False


def _said(value: object) -> str:
    if isinstance(value, list):
        # What a list of switches names, without the class that each one belongs to.
        return "+".join(str(one).rpartition(".")[2] for one in value)
    return str(value)
