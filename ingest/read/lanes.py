"""The lanes of a timeline: who they are, under the names that metadata events give."""

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Raw

from .event import Event, raw_text


class ScannedLane(NamedTuple):
    """A thread as the scanner finds it: JSON texts of its ids, empty for none.

    ``event`` is the number in the block of the first event that is on it.
    """

    pid: bytes
    tid: bytes
    event: int


@dataclass(slots=True)
class Process:
    """What metadata events say about a process."""

    name: str | None = None
    label: str | None = None
    sort_index: int | None = None


@dataclass(slots=True)
class Lane:
    """A thread, stream, plane, asynchronous operation or counter of one process."""

    number: int
    pid_text: str
    tid_text: str | None
    category: str | None = None
    """Set for asynchronous operations, which have no thread."""
    counter: str | None = None
    """Set for counters, which have no thread either."""
    file_group: str = ""
    thread_name: str | None = None
    sort_index: int | None = None

    @property
    def identity(self) -> tuple[str, str | None, str | None, str | None]:
        """Return what tells the lane from others of its files."""
        return self.pid_text, self.tid_text, self.category, self.counter


@dataclass(slots=True)
class LaneTable:
    """Lanes by their ids as the file writes them; one number space per timeline."""

    group: str = ""
    """Files whose process ids mean the same."""
    lanes: list[Lane] = field(default_factory=list[Lane])
    _processes: dict[tuple[str, str], Process] = field(
        default_factory=dict[tuple[str, str], Process]
    )
    _threads: dict[tuple[bytes, bytes], Lane] = field(
        default_factory=dict[tuple[bytes, bytes], Lane]
    )
    """Lanes of the group by the bytes of their ids: most events need no more."""
    _named: dict[tuple[str, str, str | None, str | None, str | None], Lane] = field(
        default_factory=dict[tuple[str, str, str | None, str | None, str | None], Lane]
    )

    def use_group(self, group: str) -> None:
        """Take the next file's process ids for those of a group of files."""
        if group != self.group:
            self.group = group
            self._threads.clear()

    def thread(self, event: Event) -> Lane:
        """Return the lane of an event's process and thread."""
        return self._thread(bytes(event.pid), bytes(event.tid))

    def numbered(self, lane: ScannedLane) -> int:
        """Return the number of a lane that the scanner found."""
        return self._thread(lane.pid, lane.tid).number

    def _thread(self, pid: bytes, tid: bytes) -> Lane:
        lane = self._threads.get((pid, tid))
        if lane is None:
            lane = self._lane(raw_text(Raw(pid)), raw_text(Raw(tid)))
            self._threads[pid, tid] = lane
        return lane

    def thread_named(self, pid_text: str, tid_text: str) -> Lane:
        """Return the lane of a thread by its ids."""
        return self._lane(pid_text, tid_text)

    def asynchronous(self, event: Event, key: str) -> Lane:
        """Return the lane of one asynchronous operation (category and id)."""
        return self._lane(raw_text(event.pid), key, category=event.cat or "")

    def counter(self, event: Event) -> Lane:
        """Return the lane of a counter."""
        return self.counter_named(raw_text(event.pid), event.name or "")

    def counter_named(self, pid_text: str, name: str) -> Lane:
        """Return the lane of a counter by its process and name."""
        return self._lane(pid_text, None, counter=name)

    def describe(self, event: Event, args: dict[str, object]) -> bool:
        """Take what a metadata event says; return whether it is of a known kind."""
        key = _METADATA.get(event.name or "")
        if key is None:
            return False
        value = args.get(key)
        if value is None:
            return True
        process = self.process_named(raw_text(event.pid))
        match event.name:
            case "process_name":
                process.name = str(value)
            case "process_labels":
                process.label = str(value)
            case "process_sort_index":
                process.sort_index = _index(value)
            case "thread_name":
                self.thread(event).thread_name = str(value)
            case _:
                self.thread(event).sort_index = _index(value)
        return True

    def process_named(self, pid_text: str) -> Process:
        """Return what is known of a process, to be read or completed."""
        return self._processes.setdefault((self.group, pid_text), Process())

    def process(self, lane: Lane) -> Process:
        """Return what is known of a lane's process."""
        return self._processes.get((lane.file_group, lane.pid_text), Process())

    def _lane(
        self,
        pid_text: str,
        tid_text: str | None,
        *,
        category: str | None = None,
        counter: str | None = None,
    ) -> Lane:
        key = (self.group, pid_text, tid_text, category, counter)
        lane = self._named.get(key)
        if lane is None:
            lane = Lane(len(self.lanes), pid_text, tid_text, category, counter, self.group)
            self._named[key] = lane
            self.lanes.append(lane)
        return lane


_METADATA = {
    "process_name": "name",
    "process_labels": "labels",
    "process_sort_index": "sort_index",
    "thread_name": "name",
    "thread_sort_index": "sort_index",
}


def _index(value: object) -> int | None:
    try:
        return int(float(str(value)))
    except (ValueError, OverflowError):
        return None
