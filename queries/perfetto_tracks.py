"""The lanes of an export as Perfetto shows them: small numbers, names, order.

Perfetto draws one stack of nested slices per thread and drops whatever does not
fit into it. So every sub-lane and every band of nesting is a thread of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import orjson

NESTING_PER_THREAD = 512
"""Levels that trace_processor keeps on a thread (kMaxDepth of its slice tracker)."""


class LaneRow(NamedTuple):
    """A lane that the selection draws on, as ``export_lane`` numbers it from 1."""

    lane: int
    track_id: int
    sublane: int
    band: int
    rank: int
    pid_text: str | None
    process_name: str | None
    process_label: str | None
    tid_text: str | None
    thread_name: str | None
    slices: int
    instants: int
    unfinished: int
    first_ts: int
    samples: int

    @property
    def is_extra(self) -> bool:
        """Whether the lane exists only because its slices do not fit on one thread."""
        return bool(self.sublane or self.band)

    @property
    def shown_name(self) -> str:
        """The lane's own name, with a mark on extra lanes."""
        name = self.thread_name or self.tid_text or ""
        if self.sublane:
            name += f" (overlap {self.sublane})"
        if self.band:
            name += f" (level {self.band * NESTING_PER_THREAD} and deeper)"
        return name.lstrip()


class Tracks(NamedTuple):
    """Where each lane's events go, and the events that name and order the lanes."""

    places: dict[int, str]
    """By lane, the members ``"pid"`` and ``"tid"`` of its events as JSON text."""

    events: list[str]


def number_tracks(rows: Sequence[LaneRow]) -> Tracks:
    """Give processes and threads small numbers in the order of the lanes.

    A thread number is never used twice and never equals a process number:
    Perfetto takes a thread with the number of its process for the main thread
    and moves it to the top. Where several ranks are exported, a process name
    says its rank, because Perfetto does not show process labels.
    """
    several = len({row.rank for row in rows}) > 1
    pids: dict[tuple[object, ...], int] = {}
    for row in rows:
        pids.setdefault(_process(row), len(pids) + 1)
    places: dict[int, str] = {}
    events: list[str] = []
    named: set[int] = set()
    for row in rows:
        pid, tid = pids[_process(row)], len(pids) + row.lane
        places[row.lane] = f'"pid":{pid},"tid":{tid}'
        if pid not in named:
            named.add(pid)
            events += _process_events(row, pid, tid, several=several)
        events += _thread_events(row, pid, tid)
    return Tracks(places, events)


def _process(row: LaneRow) -> tuple[object, ...]:
    return row.rank, row.pid_text, row.process_name


def _process_events(row: LaneRow, pid: int, tid: int, *, several: bool) -> list[str]:
    name = row.process_name or row.pid_text or ""
    label = row.process_label
    if several:
        rank = f"rank {row.rank}"
        name = f"{name} ({rank})".lstrip()
        label = f"{rank}, {label}" if label else rank
    events: list[str] = []
    # Perfetto counts an empty name as an event that it cannot read.
    if name:
        events.append(_event("process_name", pid, tid, {"name": name, "pid": row.pid_text}))
    if label:
        events.append(_event("process_labels", pid, tid, {"labels": label}))
    return [*events, _event("process_sort_index", pid, tid, {"sort_index": pid})]


def _thread_events(row: LaneRow, pid: int, tid: int) -> list[str]:
    events = [_event("thread_sort_index", pid, tid, {"sort_index": row.lane})]
    if name := row.shown_name:
        events.insert(0, _event("thread_name", pid, tid, {"name": name, "tid": row.tid_text}))
    return events


def _event(name: str, pid: int, tid: int, args: dict[str, object]) -> str:
    return orjson.dumps({"ph": "M", "name": name, "pid": pid, "tid": tid, "args": args}).decode()
