"""Configurations of profilers: lines that can be copied into a program or a shell."""

import re
from collections.abc import Iterable, Mapping

from ..words.spoken import say
from .hints import Hint, Maker

USUAL_SCHEDULE = {"skip_first": 10, "wait": 0, "warmup": 1, "active": 2, "repeat": 1}
"""Past the first steps, of which the vendor leaves out ten, one step to warm up."""

_MODULES = {"torch_npu": "torch_npu.profiler", "mindspore": "mindspore.profiler"}
_CLASS = re.compile(r"\b(ProfilerLevel|AiCMetrics|ProfilerActivity|HostSystem)(?=\.)|\bschedule\(")
_LEAST = ("False", "ProfilerLevel.Level0", "ProfilerLevel.Level1", "ProfilerLevel.Level2")
"""Values of which a later one holds what an earlier one does."""

_LEAST_OPTION = ("off", "l0", "l1", "on")
_BOTH = "[ProfilerActivity.CPU, ProfilerActivity.NPU]"
_OF_MSPROF = "--output=DIR APPLICATION"


def short(hint: Hint, maker: Maker) -> str:
    """Return in one line what to add to a collection, or why it cannot be collected so."""
    if not hint.is_of(maker):
        return hint.note if maker == "msprof" else say("not_recorded_by", maker=maker)
    if maker == "msprof":
        line = f"msprof {' '.join(hint.msprof)} {_OF_MSPROF}"
        return say("line_and_note", line=line, note=hint.note) if hint.note else line
    parts = [f"{name}={_value(value, maker)}" for name, value in hint.profile.items()]
    if hint.config:
        given = ", ".join(f"{name}={_value(one, maker)}" for name, one in hint.config.items())
        parts.append(f"experimental_config={_MODULES[maker]}._ExperimentalConfig({given})")
    said = ", ".join(parts)
    return say("and_then").join(part for part in (said, hint.then) if part)


def whole(
    hints: Iterable[Hint], maker: Maker, schedule: Mapping[str, int] | None = None
) -> list[str]:
    """Return a whole collection for some questions at once, line by line.

    Without a ``schedule`` of its own it is the usual one. Empty where the profiler
    can collect none of it.
    """
    wanted = [hint for hint in hints if hint.is_of(maker)]
    if not wanted:
        return []
    if maker == "msprof":
        return [*_msprof(wanted), *_besides(hint.note for hint in wanted)]
    return [*_python(wanted, maker, schedule), *_besides(hint.then for hint in wanted)]


def _python(hints: list[Hint], maker: Maker, schedule: Mapping[str, int] | None) -> list[str]:
    module = _MODULES[maker]
    profile, config = {"activities": _BOTH}, dict[str, str]()
    for hint in hints:
        for name, value in hint.profile.items():
            profile[name] = _more(profile.get(name), value)
        for name, value in hint.config.items():
            config[name] = _more(config.get(name), value)
    profile.pop("schedule", None)
    steps = ", ".join(f"{name}={count}" for name, count in (schedule or USUAL_SCHEDULE).items())
    handler = f'{module}.tensorboard_trace_handler("DIR")'
    lines = [f"import {module.partition('.')[0]}", ""]
    if maker == "mindspore":
        lines = ["import mindspore.profiler", ""]
    if config:
        lines += [
            f"experimental_config = {module}._ExperimentalConfig(",
            *(f"    {name}={_value(value, maker)}," for name, value in config.items()),
            ")",
        ]
        profile["experimental_config"] = "experimental_config"
    return [
        *lines,
        f"with {module}.profile(",
        f"    schedule={module}.schedule({steps}),",
        f"    on_trace_ready={handler},",
        *(f"    {name}={_value(value, maker)}," for name, value in profile.items()),
        ") as prof:",
        "    for batch in batches:",
        "        train(batch)",
        "        prof.step()",
    ]


def _msprof(hints: list[Hint]) -> list[str]:
    options: dict[str, str] = {}
    for hint in hints:
        for option in hint.msprof:
            name, _, value = option.partition("=")
            options[name] = _longer(options.get(name), value)
    given = " ".join(f"{name}={value}" for name, value in options.items())
    return [f"msprof {given} {_OF_MSPROF}"]


def _besides(sentences: Iterable[str]) -> list[str]:
    return [f"# {sentence}" for sentence in dict.fromkeys(sentences) if sentence]


def _more(one: str | None, other: str) -> str:
    """Return which of two values of an argument collects more; lists have all of both."""
    if one is None or one == other:
        return other
    if one.startswith("["):
        return f"[{', '.join(dict.fromkeys([*_listed(one), *_listed(other)]))}]"
    return max(
        one, other, key=lambda value: _LEAST.index(value) if value in _LEAST else len(_LEAST)
    )


def _longer(one: str | None, other: str) -> str:
    """Return which of two values of an option collects more; lists have all of both."""
    if one is None or one == other:
        return other
    if one in _LEAST_OPTION and other in _LEAST_OPTION:
        return max(one, other, key=_LEAST_OPTION.index)
    return ",".join(dict.fromkeys([*one.split(","), *other.split(",")]))


def _listed(value: str) -> list[str]:
    return value.strip("[]").split(", ")


def _value(value: str, maker: Maker) -> str:
    """Return a value with its classes in the module, and under the names, of a profiler."""
    named = _CLASS.sub(rf"{_MODULES[maker]}.\g<0>", value)
    return named.replace("AiCMetrics", "AicoreMetrics") if maker == "mindspore" else named
