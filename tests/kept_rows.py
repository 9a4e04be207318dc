"""What the reader makes of a timeline file, without a store: slices and findings."""

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
    """Takes rows and keeps the times of the slices."""

    times: dict[int, WholeSlice] = field(default_factory=dict[int, WholeSlice])
    notices: dict[str, Notice] = field(default_factory=dict[str, Notice])

    def slices(self, rows: pa.RecordBatch) -> None:
        columns = (rows.column(name).to_pylist() for name in ("seq", "ts", "dur"))
        for seq, ts, dur in zip(*columns, strict=True):
            self.times[seq] = WholeSlice(ts, dur)

    def slice_args(self, rows: pa.RecordBatch) -> None:
        for text in rows.column("args").to_pylist():
            text.encode()

    def flows(self, rows: pa.RecordBatch) -> None:
        """Leave out arrows."""

    def counters(self, rows: pa.RecordBatch) -> None:
        """Leave out counters."""

    @property
    def in_order(self) -> list[WholeSlice]:
        return [self.times[seq] for seq in sorted(self.times)]

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
    read_timelines(profile, found, log, Work(), first_arg_set_id=0, jobs=1)
    found.notices = {notice.name: notice for notice in log}
    return found
