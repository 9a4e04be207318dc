"""What the reader makes of a timeline file, without a store: slices and findings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from splitter import WholeSlice

from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.profile import Profile, TimelineFile
from npuview.ingest.progress import Work
from npuview.ingest.timeline import read_timelines


@dataclass
class Kept:
    """Takes rows and keeps the times and names of the slices, and all args."""

    times: dict[int, WholeSlice] = field(default_factory=dict[int, WholeSlice])
    words: dict[int, int] = field(default_factory=dict[int, int])
    texts: Sequence[str] = ()
    args: list[str] = field(default_factory=list[str])
    notices: dict[str, Notice] = field(default_factory=dict[str, Notice])

    def slices(self, rows: pa.RecordBatch) -> None:
        columns = (rows.column(name).to_pylist() for name in ("seq", "ts", "dur", "name"))
        for seq, ts, dur, name in zip(*columns, strict=True):
            self.times[seq] = WholeSlice(ts, dur)
            self.words[seq] = name

    def slice_args(self, rows: pa.RecordBatch) -> None:
        for text in rows.column("args").to_pylist():
            text.encode()
            self.args.append(text)

    def flows(self, rows: pa.RecordBatch) -> None:
        """Leave out arrows."""

    def counters(self, rows: pa.RecordBatch) -> None:
        """Leave out counters."""

    @property
    def in_order(self) -> list[WholeSlice]:
        return [self.times[seq] for seq in sorted(self.times)]

    @property
    def names(self) -> list[str]:
        """The names of the slices in the order of time."""
        return [
            name
            for _, name in sorted(
                (self.times[seq].ts, self.texts[self.words[seq]]) for seq in self.times
            )
        ]

    @property
    def losses(self) -> list[Notice]:
        return [one for one in self.notices.values() if one.severity == "data_loss"]


def kept(path: Path) -> Kept:
    """Read one timeline file as an ingest does; raise IngestError if it is none."""
    profile = Profile(
        name="t", path=path, files=(path,), producer="chrome", rank=0, rank_known=False,
        world_size=None, device_id=None, host=None, versions={}, level=None, switches={},
        clock_start=None, timelines=(TimelineFile(path),), tables=(),
    )  # fmt: skip
    log, found = ImportLog(), Kept()
    reader = read_timelines(profile, found, log, Work(), first_arg_set_id=0, jobs=1)
    found.texts = reader.words.texts
    found.notices = {notice.name: notice for notice in log}
    return found
