"""What a reader of timelines makes of a text: its rows with words as text, lanes and notices."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.read.frame import Frame
from npuview.ingest.read.source import TimelineSource
from npuview.ingest.read.trace_events import TimelineReader
from npuview.ingest.read.window import EVER, Window

FIRST_ARG_SET = 1 << 40


@dataclass
class Rows:
    """Rows in the order of their events."""

    slices: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    args: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    flows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    counters: list[tuple[str, str, int, float]] = field(
        default_factory=list[tuple[str, str, int, float]]
    )
    lanes: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    notices: list[Notice] = field(default_factory=list[Notice])


class _Sink:
    def __init__(self) -> None:
        self.taken: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("slices", "slice_args", "flows", "counters")
        }

    def _take(self, name: str, rows: pa.RecordBatch) -> None:
        rows.validate(full=True)
        self.taken[name] += rows.to_pylist()

    def slices(self, rows: pa.RecordBatch) -> None:
        self._take("slices", rows)

    def slice_args(self, rows: pa.RecordBatch) -> None:
        self._take("slice_args", rows)

    def flows(self, rows: pa.RecordBatch) -> None:
        self._take("flows", rows)

    def counters(self, rows: pa.RecordBatch) -> None:
        self._take("counters", rows)


def reference_rows(*texts: bytes, chunk: int = 1 << 20, window: Window = EVER) -> Rows:
    """Read files by the reader in Python."""
    log, sink = ImportLog(), _Sink()
    reader = TimelineReader(sink, log, first_arg_set_id=FIRST_ARG_SET, window=window)
    for number, text in enumerate(texts):
        name = f"{number}.json"
        pieces = [text[at : at + chunk] for at in range(0, len(text), chunk)]
        reader.read(name, Frame(pieces, name, log).batches())
    reader.finish()
    return _rows(reader, sink, log)


def scanned_rows(*texts: bytes, block: int = 4 << 20, jobs: int = 1, window: Window = EVER) -> Rows:
    """Read files by the scanner in C."""
    from npuview.ingest.read.scanned_timeline import scanned_blocks  # noqa: PLC0415 built or not

    log, sink = ImportLog(), _Sink()
    reader = TimelineReader(sink, log, first_arg_set_id=FIRST_ARG_SET, window=window)
    with tempfile.TemporaryDirectory() as directory:
        for number, text in enumerate(texts):
            path = Path(directory, f"{number}.json")
            path.write_bytes(text)
            source = TimelineSource(path, path.name, log)
            blocks = scanned_blocks(
                source, path.name, log, jobs=jobs, window=window, block_bytes=block
            )
            reader.read_scanned(path.name, blocks)
    reader.finish()
    return _rows(reader, sink, log)


def _rows(reader: TimelineReader, sink: _Sink, log: ImportLog) -> Rows:
    texts = reader.words.texts
    slices = _told(sink.taken["slices"], texts, "name", "category", "phase", "task_type")
    flows = _told(sink.taken["flows"], texts, "name", "category")
    for flow in flows:
        if flow["key"] < 0:
            flow["key"] = texts[-1 - flow["key"]]
    series = {one.number: one for one in reader.series.values()}
    process = reader.lanes.process
    return Rows(
        slices=slices,
        args=sorted((row["arg_set_id"], row["args"]) for row in sink.taken["slice_args"]),
        flows=flows,
        counters=[
            (series[row["series"]].name, series[row["series"]].key, row["ts"], row["value"])
            for row in sink.taken["counters"]
        ],
        lanes=[
            (*lane.identity, lane.thread_name, lane.sort_index, process(lane))
            for lane in reader.lanes.lanes
        ],
        notices=sorted(log, key=lambda one: (one.file, one.name)),
    )


def _told(rows: list[dict[str, Any]], texts: Sequence[str], *columns: str) -> list[dict[str, Any]]:
    for row in rows:
        for column in columns:
            if row[column] is not None:
                row[column] = texts[row[column]]
    return sorted(rows, key=lambda row: (row["seq"], str(row.get("phase"))))
