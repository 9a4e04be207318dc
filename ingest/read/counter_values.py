"""What a counter event counts: its values, whose they are, and their units."""

import re
from typing import Final, NamedTuple

import msgspec

from .event import Event, raw_text

_UNIT_GROUP: Final = re.compile(r"\(([^()]*)\)$")
_UNITS: Final = frozenset({"%", "B", "KB", "MB", "GB", "KB/s", "MB/s", "GB/s", "MHz", "mV", "us"})


class CounterValue(NamedTuple):
    """One value of an event; its number is None where it is none."""

    key: str
    series: str
    """The key, and which of several instances is counted."""
    number: float | None


def counter_values(event: Event) -> list[CounterValue]:
    """Return the values of a counter event; raise msgspec.MsgspecError if it has no object."""
    values = msgspec.json.decode(event.args, type=dict[str, float | str | bool | None])
    instance = raw_text(event.id)
    # Accelerator counters number their unit beside the value, in place of an id.
    accelerator = values.pop("acc_id", None)
    if accelerator is not None:
        instance = f"acc {accelerator:g}" if isinstance(accelerator, float) else "acc"
    return [
        CounterValue(key, f"{key} {instance}" if instance else key, _number(value))
        for key, value in values.items()
    ]


def counter_unit(key: str) -> str | None:
    """Return the unit in a counter's key: ``Read(MB/s)`` and ``MHz`` have one."""
    group = _UNIT_GROUP.search(key)
    unit = group[1] if group else key
    return unit if unit in _UNITS else None


def _number(value: float | str | None) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None
