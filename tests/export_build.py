"""Small stores to export, and what an export of them holds."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from store_build import StoreBuilder, Value
from trace_processor import events_of

from npuview.ingest.store import Store
from npuview.queries.perfetto import ExportReport, export
from npuview.queries.selection import Selection
from npuview.queries.session import Session

T0 = 1_736_408_883_704_643_212
WHOLE = Selection()


class Trace:
    """A store under construction: slices by (lane, start, length) from T0."""

    def __init__(self, path: Path) -> None:
        self.builder = StoreBuilder(path)
        self.builder.rank(0)
        self._slices = 0
        self._args = 0
        self._store: Store | None = None

    def rank(self, rank: int) -> "Trace":
        self.builder.rank(rank)
        self._slices = self._args = 0
        return self

    def lane(self, number: int, process: str | None = "CANN", thread: str | None = "") -> "Trace":
        self.builder.add(
            "track",
            track_id=number,
            process_name=process,
            thread_name=f"Thread {number}" if thread == "" else thread,
            pid_text=f"pid of {process}",
            tid_text=f"tid {number}",
            sort_order=number,
        )
        return self

    def slice(
        self, lane: int, start: int, length: int, *, args: str | None = None, **more: Value
    ) -> int:
        self._slices += 1
        if args is not None:
            self._args += 1
            more["arg_set_id"] = self._args
            self.builder.add("slice_arg", arg_set_id=self._args, args=args)
        row = {
            "name": f"s{self._slices}",
            "depth": 0,
            "sublane": 0,
            "phase": "X",
            "unfinished": False,
            **more,
        }
        self.builder.add(
            "slice", slice_id=self._slices, track_id=lane, ts=T0 + start, dur=length, **row
        )
        return self._slices

    def flow(self, source: int | None, target: int | None, **more: Value) -> "Trace":
        row = {"category": "HostToDevice", "name": "HostToDevice", **more}
        self.builder.add("flow", src_slice_id=source, dst_slice_id=target, **row)
        return self

    def store(self) -> Store:
        if self._store is None:
            self._store = self.builder.build()
        return self._store


@contextmanager
def opened(trace: Trace) -> Generator[Session]:
    with Session(trace.store(), threads=1, memory_bytes=256 << 20) as session:
        yield session


def written(
    trace: Trace, out: Path, selection: Selection = WHOLE
) -> tuple[ExportReport, list[dict[str, Any]]]:
    with opened(trace) as session:
        report = export(session, selection, out)
    return report, events_of(out.read_text("utf-8"))


def names(events: list[dict[str, Any]], phases: str = "Xi") -> set[str]:
    return {event["name"] for event in events if event["ph"] in phases}


def lanes(events: list[dict[str, Any]]) -> list[str]:
    return [event["args"]["name"] for event in events if event["name"] == "thread_name"]
