"""How a profile was collected, what that did to its times, and how to collect more."""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...queries.rows import HealthRow, ProfilesRow
from ..collect.configuration import short
from ..collect.hints import Hint, hints, maker_of
from ..words.spoken import say

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
            parts.append(say("host_inflated", switches=", ".join(self.host)))
        if self.device:
            parts.append(say("kernels_spaced", switches=", ".join(self.device)))
        return say("and_also").join(parts)


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
    hint, maker = hints().get(missing), maker_of(profile.producer)
    if hint is None or maker is None:
        return None
    if cut_off and profile.rank in cut_off and missing in OF_THE_TIMELINE:
        offset = cut_off[profile.rank]
        if offset is None:
            return say("cut_off")
        return say("cut_off_at", offset=f"{offset:,}")
    if _was_collected(hint, profile):
        return say("was_collected")
    return say("to_collect", line=short(hint, maker))


def collecting(missing: str, profile: ProfilesRow) -> str:
    """Return the line that collects what is missing; empty where there is none to give."""
    hint, maker = hints().get(missing), maker_of(profile.producer)
    return short(hint, maker) if hint and maker else ""


def splits_collectives(profile: ProfilesRow) -> str:
    """Name the switch that collects plane tasks; empty if it was on, or if there is none."""
    maker = maker_of(profile.producer)
    if maker is None or _was_collected(hints()["planes"], profile):
        return ""
    return "--task-time=l1" if maker == "msprof" else "Level1"


def _was_collected(hint: Hint, profile: ProfilesRow) -> bool:
    """Tell whether all that a hint would switch on was on."""
    on = switches_on(profile.switches)

    def was_on(name: str, value: str) -> bool:
        match name:
            case "profiler_level":
                # Level2 holds what Level1 does; of Level0 no metrics are kept.
                return (
                    "aic_metrics" in on
                    or value.rpartition(".")[2] <= (profile.level or "") <= "Level2"
                )
            case "aic_metrics":
                return "PIPE" in on.get(name, "").upper()
            case "activities":
                return ("CPU" if hint.name == "python" else "NPU") in on.get(name, "")
            case _:
                return name in on

    wanted = {**hint.profile, **hint.config}
    return bool(wanted) and not hint.light and all(was_on(*one) for one in wanted.items())


def switches_on(switches: str | None) -> dict[str, str]:
    """Return the switches that were on, from the JSON text of a profile, by plain name."""
    try:
        given = json.loads(switches or "{}")
    except ValueError:
        return {}
    if not isinstance(given, dict):
        return {}
    return {
        str(name).removeprefix("_"): _said(value)
        for name, value in given.items()
        if _is_on(str(name), value)
    }


def overhead(switches: str | None, level: str | None) -> Overhead:
    """Return what is known to slow a run down, from a profile's switches and level."""
    on = switches_on(switches)
    host = tuple(name for name in _SLOW_THE_HOST if name in on)
    if level == "Level2":
        host = (*host, level)
    return Overhead(host, tuple(name for name in _SPACE_THE_KERNELS if name in on))


def _is_on(name: str, value: object) -> bool:
    match value:
        case bool():
            return value
        case str():
            off = value.lower() in {"", "off", "false", "none", "0"}
            return not off and not value.endswith("_NONE")
        case list():
            return bool(value)
        case int() | float():
            # A threshold of 0 lets everything through.
            return value != 0 or name.endswith("threshold")
        case _:
            return False


def _said(value: object) -> str:
    if isinstance(value, list):
        # What a list of switches names, without the class that each one belongs to.
        return "+".join(str(one).rpartition(".")[2] for one in value)
    return str(value)
