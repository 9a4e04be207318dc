"""The lanes of the timeline: their order, their groups, and which of them are folded.

From top to bottom: the host's threads, each stream with its waiting under its work,
communication, what else was recorded, and the gaps over all streams last.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...queries.rows_timeline import CountersRow, LanesRow
from ..draw.lane_label import lane_label
from ..draw.safe_text import cut, pad
from ..words.spoken import say

LITTLE = 1000
"""A stream that is busy for less than this part of the busiest lane is folded."""

LEAST_HOSTS = 2
"""Host threads that are shown however little room there is."""

BUSY_HOST = 20
"""The same for a host thread, unless it launches something."""

_ORDER = ("python", "host", "cann", "stream", "group", "plane", "overlap", "step", "async", "gap")
_HOST = frozenset({"python", "host", "cann"})
_FOLDED_KINDS = frozenset({"plane", "overlap", "step"})
_FOLDED_PARTS = frozenset({"control"})
_NOT_DRAWN = frozenset({"device"})

COUNTER = "counter"

WIDE_LABEL = 12
"""Cells from which on a label names its thread in full."""

LaneKey = tuple[int, str | None, int | None]
"""Track, part and depth; the depth None is all depths in one row."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A row of the timeline. ``depth`` is that of a sub-lane, None of the lane itself."""

    row: LanesRow
    folded: bool
    depth: int | None = None
    counter: CountersRow | None = None
    """The quantity that is shown, of a lane that shows no slices."""
    absent: bool = False
    """Whether this run has no such lane; it keeps a row for that of another run beside it."""

    @property
    def key(self) -> LaneKey:
        """Return what tells it from all other lanes."""
        return self.row.track_id, self.row.part, self.depth

    @property
    def is_gap(self) -> bool:
        """Tell whether it shows the gaps of a device."""
        return self.row.kind == "gap"

    @property
    def is_host(self) -> bool:
        """Tell whether it shows a thread of the host."""
        return self.row.kind in _HOST

    @property
    def group(self) -> tuple[str, int | str | None]:
        """Return the group of lanes that stand together."""
        row = self.row
        if row.kind == "stream":
            return "stream", row.track_id
        if row.kind in {"group", "plane"}:
            return "communication", row.group
        return ("host", None) if self.is_host else (row.kind, row.device_id)

    def label(self, width: int) -> str:
        """Return its clean label, exactly ``width`` cells."""
        row = self.row
        if self.counter is not None:
            name = " ".join(dict.fromkeys((self.counter.name, self.counter.key)))
            return lane_label(row.kind, None, None, name, width)
        if self.depth is not None:
            return pad(cut(f"  {say('lane_depth', depth=self.depth)}", width), width)
        thread = row.thread_name
        if self.is_host and row.tid_text:
            # Threads of a process differ in their last digits.
            thread = row.tid_text if width >= WIDE_LABEL else row.tid_text[-4:]
        elif row.kind == "group":
            thread = say("lane_groups")
            if width >= WIDE_LABEL:
                thread = say("lane_group", group=row.group or "")
        return lane_label(row.kind, row.stream_id, row.part, thread, width)


@dataclass(frozen=True, slots=True)
class Lanes:
    """All lanes of a rank, and which groups and lanes have been opened."""

    all: tuple[Lane, ...]
    unfolded: frozenset[object] = frozenset()
    opened: frozenset[LaneKey] = frozenset()
    room: int | None = None
    """Rows that there are: of the host's threads those that find none are folded."""

    @classmethod
    def of(cls, rows: Iterable[LanesRow], counters: Iterable[CountersRow] = ()) -> "Lanes":
        """Order the lanes of a rank.

        Of the counters those that never change have no lane; all but the first are folded.
        """
        drawn = [row for row in rows if row.kind not in _NOT_DRAWN]
        drawn.sort(key=_place)
        folded = _foldable(drawn)
        lanes = [Lane(row, at in folded) for at, row in enumerate(drawn)]
        changing = [one for one in counters if one.least < one.most]
        measured = [
            Lane(_row_of(one), folded=at > 0, counter=one) for at, one in enumerate(changing)
        ]
        gaps = next((at for at, lane in enumerate(lanes) if lane.is_gap), len(lanes))
        return cls((*lanes[:gaps], *measured, *lanes[gaps:]))

    def fitted(self, room: int) -> "Lanes":
        """Return the lanes for a number of rows."""
        return self if room == self.room else replace(self, room=room)

    @property
    def folded(self) -> frozenset[LaneKey]:
        """Return the lanes that are folded unless their group is opened."""
        folded = {lane.key for lane in self.all if lane.folded}
        hosts = [lane for lane in self.all if lane.is_host and not lane.folded]
        others = sum(not lane.is_host and not lane.folded for lane in self.all)
        if self.room is not None and others > self.room - LEAST_HOSTS:
            folded |= {lane.key for lane in self.all if lane.counter is not None}
        if self.room is not None:
            least = min(LEAST_HOSTS, len(hosts))
            folded |= {one.key for one in _by_weight(hosts)[max(least, self.room - others) :]}
        return frozenset(folded)

    @property
    def shown(self) -> Sequence[Lane]:
        """Return the lanes that are shown, with the sub-lanes of those that are opened."""
        shown: list[Lane] = []
        folded = self.folded
        for lane in self.all:
            if lane.key in folded and lane.group not in self.unfolded:
                continue
            shown.append(lane)
            if lane.key in self.opened:
                shown += [
                    replace(lane, depth=depth) for depth in range((lane.row.deepest or 0) + 1)
                ]
        return shown

    @property
    def first(self) -> int:
        """Return which of the shown lanes is selected at first: the first one of a device."""
        return next((at for at, lane in enumerate(self.shown) if not lane.is_host), 0)

    @property
    def tracks(self) -> str:
        """Return the tracks of the shown lanes as questions take them."""
        tracks = (
            lane.row.track_id for lane in self.shown if lane.counter is None and not lane.absent
        )
        return ",".join(str(one) for one in dict.fromkeys(tracks))

    def hidden(self, lane: Lane) -> int:
        """Return how many lanes of a lane's group are folded."""
        if lane.group in self.unfolded:
            return 0
        folded = self.folded
        return sum(one.key in folded and one.group == lane.group for one in self.all)

    def turned(self, lane: Lane) -> "Lanes":
        """Open what there is to open at a lane: its group, then its depths; then close both."""
        whole = (lane.row.track_id, lane.row.part, None)
        if self.hidden(lane):
            return replace(self, unfolded=self.unfolded | {lane.group})
        if whole not in self.opened and (lane.row.deepest or 0) > 0:
            return replace(self, opened=self.opened | {whole})
        return replace(self, unfolded=self.unfolded - {lane.group}, opened=self.opened - {whole})

    def showing(self, track_id: int, part: str | None) -> "Lanes":
        """Return the lanes with one of them unfolded, so that it can be gone to."""
        folded = self.folded
        for lane in self.all:
            if lane.key in folded and (lane.row.track_id, lane.row.part) == (track_id, part):
                return replace(self, unfolded=self.unfolded | {lane.group})
        return self

    def index(self, track_id: int, part: str | None, depth: int | None = None) -> int | None:
        """Return where a lane is among the shown ones: the sub-lane of a depth if it is open."""
        found: int | None = None
        for at, lane in enumerate(self.shown):
            if (lane.row.track_id, lane.row.part) == (track_id, part):
                if lane.depth == depth:
                    return at
                found = at if found is None else found
        return found

    def index_of_gaps(self, device_id: int | None) -> int | None:
        """Return where the gaps of a device are among the shown lanes."""
        for at, lane in enumerate(self.shown):
            if lane.is_gap and lane.row.device_id == device_id:
                return at
        return None


def _row_of(counter: CountersRow) -> LanesRow:
    """Return the lane of a counter: its id is that of the series, and it has no slices."""
    return LanesRow(
        track_id=counter.series_id,
        part=COUNTER,
        rank=counter.rank,
        device_id=None,
        kind=COUNTER,
        process_name=counter.process_name,
        process_label=None,
        thread_name=counter.name,
        tid_text=None,
        stream_id=None,
        group=None,
        sort_order=0,
        slices=0,
        busy=0,
        launches=None,
        deepest=None,
        sublanes=None,
        ts=None,
        dur=None,
    )


def _by_weight(hosts: Sequence[Lane]) -> list[Lane]:
    """Return host threads in the order in which they are given room.

    First what the framework does, who launches, and who is busiest beside that.
    """
    first = [
        next((one for one in hosts if one.row.kind == kind), None) for kind in ("python", "cann")
    ]
    busiest = max(
        (one for one in hosts if one.row.kind == "cann" and one not in first),
        key=lambda one: one.row.busy,
        default=None,
    )
    chosen = [one for one in (*first, busiest) if one is not None]
    return [*chosen, *(one for one in hosts if one not in chosen)]


def _place(row: LanesRow) -> tuple[int, int, int, int]:
    """Sort by kind; of the host's threads those first that launch most, then the busiest."""
    kind = _ORDER.index(row.kind) if row.kind in _ORDER else len(_ORDER) - 2
    if row.kind in _HOST:
        return (
            kind,
            -(row.slices or 0) if row.kind != "cann" else 0,
            -(row.launches or 0),
            -(row.busy or 0),
        )
    if row.kind in {"group", "plane"}:
        return _ORDER.index("group"), row.sort_order, 0, 0
    return kind, row.sort_order, 0, 0


def _foldable(rows: Sequence[LanesRow]) -> set[int]:
    """Return the rows that are folded, by their place.

    What matters is what a lane is beside the busiest of its sort. Where all would be
    folded none is.
    """
    folded = {
        at
        for at, row in enumerate(rows)
        if row.kind in _FOLDED_KINDS or row.part in _FOLDED_PARTS or _is_little(row, rows)
    }
    hidden_all = all(at in folded or row.kind == "gap" for at, row in enumerate(rows))
    return set() if hidden_all else folded


def _is_little(row: LanesRow, rows: Sequence[LanesRow]) -> bool:
    host = row.kind in _HOST
    if (not host and row.kind != "stream") or (host and row.launches):
        return False
    most = max(one.busy for one in rows if (one.kind in _HOST) == host)
    return row.busy * (BUSY_HOST if host else LITTLE) < most
