"""Which lane of one run is which of another: by what both call it, not by its numbers.

Ids of tracks, processes and threads are a run's own. A stream has its number in both;
what is numbered anew in every run, such as threads and communication groups, is the nth
of its kind.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .lanes import Lane

_NUMBER = re.compile(r"[0-9]+")
_NAMELESS = frozenset({"group", "plane", "gap", "stream"})
"""Kinds whose names are a run's own, or that one number tells apart."""


class LaneName(NamedTuple):
    """A lane by what two runs have in common."""

    kind: str
    stream_id: int | None
    name: str
    """Of a thread or counter, without numbers."""
    part: str | None
    nth: int
    """Which one of several that are called the same, from 0."""


class LaneSpot(NamedTuple):
    """A lane, None without any, and an instant at which the cursor is, ns."""

    lane: LaneName | None
    cursor_ts: int


def lane_names(lanes: Sequence[Lane]) -> list[LaneName]:
    """Return the names of the lanes of a rank, in their order; sub-lanes have that of theirs."""
    seen: dict[tuple[int, str | None], LaneName] = {}
    counted: Counter[LaneName] = Counter()
    names: list[LaneName] = []
    for lane in lanes:
        whole = (lane.row.track_id, lane.row.part)
        if whole not in seen:
            first = _first_of(lane)
            seen[whole] = first._replace(nth=counted[first])
            counted[first] += 1
        names.append(seen[whole])
    return names


def nearest_lane(names: Sequence[LaneName], wanted: LaneName) -> int | None:
    """Return which lane is the wanted one, else one that is most like it; None if none is."""
    likeness = [
        sum(one == other for one, other in zip(name, wanted, strict=True))
        if name.kind == wanted.kind
        else 0
        for name in names
    ]
    most = max(likeness, default=0)
    return likeness.index(most) if most else None


def _first_of(lane: Lane) -> LaneName:
    row = lane.row
    if lane.counter is not None:
        return LaneName(row.kind, None, f"{lane.counter.name} {lane.counter.key}", row.part, 0)
    named = "" if row.kind in _NAMELESS else _NUMBER.sub("", row.thread_name or "")
    stream = row.stream_id if row.kind == "stream" else None
    return LaneName(row.kind, stream, named, row.part, 0)
