"""Makes a timeline as long as wanted: the made-up run again and again, each time later."""

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npuview.ingest.read.decimal_time import nanoseconds
from npuview.ingest.sample import write_sample

CONNECTIONS = 1_000_000
"""Ids of a repetition begin so much after those of the one before."""

STARTS_AS_IDS = 10**15
"""Ids from here on are instants: some arrows are named by the start of their task."""

_STEP = re.compile(r"ProfilerStep#(\d+)")


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds: how many events of each phase, and how many bytes."""

    phases: dict[str, int]
    bytes: int


@dataclass(frozen=True, slots=True)
class _Line:
    """An event as a text with named places for what changes from turn to turn."""

    text: str
    ts: int
    start: int
    key: int
    connection: int
    step: int

    def at(self, turn: int, *, period: int, steps: int) -> str:
        micros, rest = divmod(self.ts + turn * period, 1000)
        return self.text % {
            "ts": f"{micros}.{rest:03d}",
            "start": self.start + turn * period,
            "key": self.key + turn * CONNECTIONS,
            "connection": self.connection + turn * CONNECTIONS,
            "step": self.step + turn * steps,
        }


def write_long_trace(path: Path, megabytes: float) -> Written:
    """Write a timeline of at least so many million bytes; the same size gives the same file."""
    with tempfile.TemporaryDirectory() as directory:
        profile = write_sample(Path(directory))
        (file,) = profile.rglob("trace_view.json")
        events: list[dict[str, Any]] = json.loads(file.read_text(), parse_float=str)
    once = [event for event in events if event["ph"] == "M"]
    again = [event for event in events if event["ph"] != "M"]
    lines = [_line(event) for event in again]
    starts = [nanoseconds(event["ts"]) for event in again]
    period = max(starts) - min(starts) + 1_000_000
    steps = len({line.step for line in lines if line.step})
    turns = 0
    with path.open("w", encoding="utf-8", buffering=1 << 20) as out:
        out.write("[" + ",\n".join(json.dumps(event) for event in once))
        while out.tell() < megabytes * 1e6:
            out.writelines(",\n" + line.at(turns, period=period, steps=steps) for line in lines)
            turns += 1
        out.write("]")
    phases = Counter(event["ph"] for event in once)
    phases.update({ph: n * turns for ph, n in Counter(event["ph"] for event in again).items()})
    return Written(dict(phases), path.stat().st_size)


def _line(event: dict[str, Any]) -> _Line:
    """Put named places where times, ids and the numbers of steps stand."""
    event = dict(event)
    start = key = connection = step = 0
    ts = nanoseconds(event["ts"])
    event["ts"] = "@(ts)s"
    name, id_text = str(event["name"]), str(event.get("id", ""))
    if id_text and int(id_text) >= STARTS_AS_IDS:
        start = int(id_text)
        event["id"] = "@(start)d"
    elif id_text:
        key = int(id_text)
        event["id"] = "@(key)d"
        event["name"] = name = re.sub(f"{key}$", "@(key)d", name)
    if found := _STEP.search(name):
        step = int(found[1])
        event["name"] = name[: found.start(1)] + "@(step)d" + name[found.end(1) :]
    args = event.get("args")
    if isinstance(args, dict) and "connection_id" in args:
        connection = int(args["connection_id"])
        event["args"] = {**args, "connection_id": "@(connection)d"}
    text = json.dumps(event).replace("%", "%%").replace("@(", "%(")
    # Numbers were read as texts so that they keep their digits.
    text = text.replace('"%(connection)d"', "%(connection)d")
    text = re.sub(r'"dur": "([0-9.]+)"', r'"dur": \1', text)
    return _Line(text, ts, start, key, connection, step)
