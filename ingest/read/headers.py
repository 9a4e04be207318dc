"""Column headers of the profilers' CSV files, told apart by meaning and not by spelling."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

TableKind = Literal["kernels", "step_figures", "memory_samples", "allocations", "summary"]
"""Which reader of its own a CSV has; every CSV is also read as a summary."""

TIME_POWERS: Final = {"ns": 0, "us": 3, "ms": 6, "s": 9}
"""Power of ten that makes nanoseconds of a header's unit."""

BYTE_UNITS: Final = {"b": 1, "byte": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}
"""Bytes of a memory header's unit; the allocators count in powers of 1024."""

_UNITS: Final = frozenset(
    [*TIME_POWERS, *BYTE_UNITS, "%", "gb/s", "mb/s", "kb/s", "mhz", "pages", "cycle"]
)
_LAST_GROUP: Final = re.compile(r"\s*\(([^()]*)\)\s*$")
_SPACES: Final = re.compile(r"[\s_]+")


class Header(NamedTuple):
    """A header without case, underscores and unit; the unit in lower case or empty."""

    name: str
    unit: str


def parse_header(text: str) -> Header:
    """Split ``Task Start Time(us)`` into ``task start time`` and ``us``.

    A last group that is no unit, as in ``Communication(Not Overlapped)``, stays.
    """
    unit = ""
    group = _LAST_GROUP.search(text)
    if group is not None and group[1].strip().casefold() in _UNITS:
        unit = group[1].strip().casefold()
        text = text[: group.start()]
    return Header(_SPACES.sub(" ", text).strip().casefold(), unit)


def unique_headers(headers: Sequence[str]) -> tuple[str, ...]:
    """Name every column once: repeated headers get `` 2``, `` 3``, empty ones a number.

    Case does not tell two columns apart, as in SQL.
    """
    used: set[str] = set()
    names: list[str] = []
    for place, header in enumerate(headers, start=1):
        base = header or f"column {place}"
        name, copy = base, 1
        while name.casefold() in used:
            copy += 1
            name = f"{base} {copy}"
        used.add(name.casefold())
        names.append(name)
    return tuple(names)


def table_kind(headers: Iterable[str]) -> TableKind:
    """Tell from its headers what a CSV is, whatever its file is called."""
    names = {parse_header(header).name for header in headers}
    if (
        names & {"name", "op name"}
        and names & {"start time", "task start time"}
        and names & {"duration", "task duration"}
    ):
        return "kernels"
    if {"computing", "communication", "free"} <= names and not {"type", "index"} <= names:
        return "step_figures"
    if "timestamp" in names and (
        {"component", "total reserved"} <= names or {"event", "hbm"} <= names
    ):
        return "memory_samples"
    if {"name", "size", "allocation time"} <= names:
        return "allocations"
    return "summary"
