"""Reads the made-up profile back with the standard library alone."""

import csv
import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from npuview.ingest.sample import SCENARIOS, write_sample
from npuview.ingest.sample.habit import CheckFinite
from npuview.ingest.sample.overlap import Interval, union
from npuview.ingest.sample.training import Target, Training

Event = dict[str, Any]

TARGETED = ("host_bound", "pipelined")
"""Scenarios whose steps and largest gaps are as long as told."""

COMPUTE = {"AI_CORE", "AI_CPU", "MIX_AIC", "MIX_AIV"}
REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "torch_npu"


class Sample:
    """A written profile, read back with the standard library only."""

    def __init__(self, parent: Path, scenario: str) -> None:
        self.name = scenario
        self.path = write_sample(parent, scenario)
        self.output = self.path / "ASCEND_PROFILER_OUTPUT"
        self.events: list[Event] = json.loads((self.output / "trace_view.json").read_bytes())
        self.lanes: dict[int, str] = {
            event["pid"]: event["args"]["name"]
            for event in self.events
            if event["name"] == "process_name"
        }

    @property
    def target(self) -> Target:
        return targeted(self.name)[1]

    @property
    def checks(self) -> bool:
        return any(isinstance(habit, CheckFinite) for habit in targeted(self.name)[0].habits)

    def rows(self, name: str) -> list[dict[str, str]]:
        with (self.output / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def slices(self, lane: str) -> list[Event]:
        return [event for event in self.phase("X") if self.lanes[event["pid"]] == lane]

    def phase(self, *phases: str) -> list[Event]:
        return [event for event in self.events if event["ph"] in phases]

    def steps(self) -> list[Event]:
        return [event for event in self.slices("Python") if "ProfilerStep#" in event["name"]]

    def kernels(self) -> list[Event]:
        tasks = self.slices("Ascend Hardware")
        return [task for task in tasks if task["args"]["Task Type"] in COMPUTE]

    def collectives(self) -> list[Event]:
        return [event for event in self.slices("Communication") if event["tid"] == 0]

    def copies(self) -> list[Event]:
        return [task for task in self.slices("Ascend Hardware") if task["name"] == "MEMCPY_ASYNC"]

    def busy(self) -> list[Interval]:
        """Return when the device computes, communicates or copies."""
        every = (*self.kernels(), *self.copies(), *self.collectives())
        return union(span(event) for event in every)

    def device_ranges(self) -> list[tuple[int, int]]:
        """Return the vendor's device range of each step, from the launches in its host range."""
        flows: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for event in self.phase("s", "f"):
            if event["cat"] == "HostToDevice":
                flows[event["id"]][event["ph"]] = ns(event["ts"])
        launches = sorted((flow["s"], flow["f"]) for flow in flows.values())
        ranges: list[tuple[int, int]] = []
        for step in self.steps():
            start, end = span(step)
            first = launches[bisect_right(launches, (start, 0))]
            ranges.append((first[1], end))
        return ranges


def targeted(name: str) -> tuple[Training, Target]:
    """Return the job of a scenario whose steps are as long as told."""
    work = SCENARIOS[name].work
    assert isinstance(work, Training)
    assert work.target is not None
    return work, work.target


def ns(text: object) -> int:
    """Read microseconds exactly; whatever is finer than a nanosecond is an error."""
    scaled = Decimal(str(text).strip()) * 1000
    assert scaled == int(scaled)
    return int(scaled)


def span(event: Event) -> Interval:
    start = ns(event["ts"])
    return start, start + ns(event["dur"])


def length(intervals: Iterable[Interval]) -> int:
    return sum(end - start for start, end in intervals)
