"""Lanes of a timeline to tracks: kind, device, stream, group and order.

A lane is known by its process name and label; process ids and sort indexes differ
between writers and say nothing by themselves. Overlap rows are known by the names
of their events, because their thread numbers changed meaning twice.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..read.lanes import Lane, LaneTable, Process

HOST_DEVICE_BITS: Final = 31
"""The low five bits of a current process id name the device; 31 is the host."""
FIRST_PACKED_PID: Final = 1 << 10

_PROCESS_KIND: Final = {
    "python": "python",
    "cann": "cann",
    "ascendcl": "cann",
    "acl": "cann",
    "runtime": "cann",
    "ge": "cann",
    "ascend hardware": "stream",
    "task scheduler": "stream",
    "step trace": "step",
    "hccl": "plane",
    "communication": "plane",
    "communication kernel": "plane",
    "overlap analysis": "overlap",
}
DEVICE_KINDS: Final = frozenset({"stream", "group", "plane", "overlap", "step"})
TASK_KINDS: Final = frozenset({"stream", "group", "plane"})
"""Kinds of lanes whose slices say what a device does."""

DERIVED_LANES: Final = {"device": "Device", "gap": "Gaps"}
"""Lanes that npuview adds for each device, without slices: kind and name."""

_STREAM: Final = re.compile(r"^stream\s+(\d{1,18})(?!\d)", re.IGNORECASE | re.ASCII)
_GROUP: Final = re.compile(r"^Group (.*?) Communication$|^Communication Kernel$", re.IGNORECASE)
_DEVICE_LABEL: Final = re.compile(r"^(?:NPU|GPU)\s+(\d{1,5})$", re.IGNORECASE | re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Track:
    """A row of the ``track`` table, with the number of the lane it was read as.

    ``lane`` and ``pid_text`` are None for a lane that is not in the files.
    """

    lane: int | None
    track_id: int
    device_id: int | None
    kind: str
    process_name: str | None
    process_label: str | None
    thread_name: str | None
    pid_text: str | None
    tid_text: str | None
    stream_id: int | None
    sort_order: int
    group_name: str | None


@dataclass(frozen=True, slots=True)
class _Known:
    lane: Lane
    process: Process
    kind: str
    device_id: int | None


def tracks(table: LaneTable, *, base: int, device_id: int | None) -> list[Track]:
    """Return the tracks of all lanes in their order from top to bottom.

    ``base`` is the rank's first id; ``device_id`` is what the profile itself says,
    used where a lane's label and process id do not tell.
    """
    known = [
        _Known(lane, process, kind, _device(lane, process, kind, device_id))
        for lane in table.lanes
        for process in (table.process(lane),)
        for kind in (lane_kind(lane, process),)
    ]
    pids = dict.fromkeys(_process_of(one.lane) for one in known)
    order = {pid: place for place, pid in enumerate(pids)}
    known.sort(key=_order(order))
    groups = _only_groups(known)
    rows: list[Track] = []
    for place, one in enumerate(known):
        # A group's planes follow it; between groups they have no other mark.
        if one.kind == "group":
            groups[_process_of(one.lane)] = _group_name(one.lane)
        rows.append(
            Track(
                lane=one.lane.number,
                track_id=base + place,
                device_id=one.device_id,
                kind=one.kind,
                process_name=one.process.name,
                process_label=one.process.label,
                thread_name=one.lane.counter or one.lane.thread_name,
                pid_text=one.lane.pid_text,
                tid_text=one.lane.tid_text,
                stream_id=_stream(one.lane, one.kind),
                sort_order=place,
                group_name=groups.get(_process_of(one.lane))
                if one.kind in {"group", "plane"}
                else None,
            )
        )
    return rows + _derived(known, base)


def lane_kind(lane: Lane, process: Process) -> str:
    """Tell what a lane shows, by the names of its process and thread."""
    if lane.counter is not None:
        return "counter"
    if lane.category is not None:
        return "async"
    kind = _PROCESS_KIND.get((process.name or "").strip().lower(), "host")
    thread = (lane.thread_name or "").strip()
    if kind == "plane" and _GROUP.match(thread):
        return "group"
    if kind == "stream" and thread.startswith("Step Trace"):
        return "step"
    if kind in {"host", "python"} and _STREAM.match(thread):
        return "stream"
    return kind


def same_lane_key(lane: Lane, process: Process) -> tuple[str, str]:
    """Return what two files of one profile call the same lane: kind and name.

    A step trace file says ``Model ID:2`` where the merged file says
    ``Step Trace(Model ID:2)``.
    """
    name = (lane.thread_name or lane.counter or lane.tid_text or "").strip()
    name = re.sub(r"^Step Trace\((.*)\)$", r"\1", name)
    return lane_kind(lane, process), name


def _device(lane: Lane, process: Process, kind: str, device_id: int | None) -> int | None:
    label = (process.label or "").strip()
    if labelled := _DEVICE_LABEL.match(label):
        return int(labelled[1])
    if kind not in DEVICE_KINDS and not label.upper().startswith("NPU"):
        return None
    if device_id is not None:
        return device_id
    if (pid := _number(lane.pid_text)) is not None:
        device = pid & HOST_DEVICE_BITS
        if label == "NPU" and pid >= FIRST_PACKED_PID and device != HOST_DEVICE_BITS:
            return device
    return None


def _derived(known: list[_Known], base: int) -> list[Track]:
    """Return the lanes of each device's work and gaps, below all others."""
    devices = dict.fromkeys(one.device_id for one in known if one.kind in TASK_KINDS)
    lanes = [(device, *lane) for device in devices for lane in DERIVED_LANES.items()]
    return [
        Track(
            lane=None,
            track_id=base + place,
            device_id=device,
            kind=kind,
            process_name=None,
            process_label="NPU" if device is None else f"NPU {device}",
            thread_name=name,
            pid_text=None,
            tid_text=None,
            stream_id=None,
            sort_order=place,
            group_name=None,
        )
        for place, (device, kind, name) in enumerate(lanes, len(known))
    ]


def _stream(lane: Lane, kind: str) -> int | None:
    if kind != "stream":
        return None
    if named := _STREAM.match(lane.thread_name or ""):
        return int(named[1])
    return _number(lane.tid_text)


def _number(text: str | None) -> int | None:
    return int(text) if text and _NUMBER.fullmatch(text) else None


def _group_name(lane: Lane) -> str | None:
    named = _GROUP.match((lane.thread_name or "").strip())
    return named[1] if named and named[1] else lane.tid_text


def _process_of(lane: Lane) -> tuple[str, str]:
    return lane.file_group, lane.pid_text


def _only_groups(known: list[_Known]) -> dict[tuple[str, str], str | None]:
    """Return the groups of processes that have just one: their planes may precede it."""
    groups: dict[tuple[str, str], list[Lane]] = {}
    for one in known:
        if one.kind == "group":
            groups.setdefault(_process_of(one.lane), []).append(one.lane)
    return {pid: _group_name(lanes[0]) for pid, lanes in groups.items() if len(lanes) == 1}


def _order(pids: dict[tuple[str, str], int]) -> Callable[[_Known], tuple[object, ...]]:
    def key(one: _Known) -> tuple[object, ...]:
        lane, process = one.lane, one.process
        tid = lane.tid_text or ""
        number = _number(tid)
        return (
            process.sort_index is None,
            process.sort_index or 0,
            pids[_process_of(lane)],
            lane.counter is not None,
            lane.sort_index is None,
            lane.sort_index or 0,
            number is None,
            number or 0,
            tid,
            lane.counter or "",
            lane.category or "",
            lane.number,
        )

    return key
