"""A look through timelines before they are read: when they begin, and their steps."""

import re
from typing import Final

import pyarrow as pa

from .notice import ImportLog
from .profile import Profile
from .progress import Work
from .schema import EPOCH_FROM_NS
from .selection import Mark, Seen
from .timeline import read_timelines

_MARKS: Final = (
    re.compile(r"ProfilerStep#(\d{1,9})(?:\D|$)"),
    re.compile(r"^Iteration (\d{1,9})$"),
)
"""Names that mark steps; the first kind that there is counts, as when steps are derived."""


class _Starts:
    """Takes rows and keeps of all slices of a name only the first start and the last end."""

    def __init__(self) -> None:
        self.names: list[pa.Table] = []

    def slices(self, rows: pa.RecordBatch) -> None:
        table = pa.table({"name": rows["name"], "ts": rows["ts"], "dur": rows["dur"]})
        self.names.append(table.group_by("name").aggregate([("ts", "min"), ("dur", "max")]))

    def slice_args(self, rows: pa.RecordBatch) -> None:
        """Leave out args: they say nothing of the time."""

    def flows(self, rows: pa.RecordBatch) -> None:
        """Leave out arrows: they stand on slices."""

    def counters(self, rows: pa.RecordBatch) -> None:
        """Leave out samples: they may begin before the run."""


def look_through(profile: Profile, work: Work, *, jobs: int) -> Seen:
    """Return when a profile's slices begin and where its steps lie, without keeping them.

    What is damaged is told when it is read, not here. Raises as ``read_timelines`` does.
    """
    starts = _Starts()
    reader = read_timelines(profile, starts, ImportLog(), work, first_arg_set_id=0, jobs=jobs)
    texts = reader.words.texts
    first: int | None = None
    marks: list[dict[int, Mark]] = [{} for _ in _MARKS]
    for table in starts.names:
        for name, ts, dur in zip(*(column.to_pylist() for column in table.columns), strict=True):
            first = ts if first is None else _earlier(first, ts)
            for found, pattern in zip(marks, _MARKS, strict=True):
                if mark := pattern.search(texts[name]):
                    number = int(mark[1])
                    known = found.get(number, Mark(ts, ts))
                    found[number] = Mark(min(known.ts, ts), max(known.end_ts, ts + (dur or 0)))
    return Seen(first or 0, next((found for found in marks if found), {}))


def _earlier(one: int, other: int) -> int:
    """Return the first of two instants; zeros among wall-clock times are none."""
    if (one >= EPOCH_FROM_NS) != (other >= EPOCH_FROM_NS):
        return max(one, other)
    return min(one, other)
