"""Trace events to rows: slices, their args, flow ends and counter samples.

Events come in the order of the file; metadata may follow what it describes, so
rows carry lane numbers and the lanes get their names at the end. A begin waits
for its end per lane (by name where the end has one), and what never ends is
closed at the end of the trace and marked.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec
import pyarrow as pa

from ..notice import ImportLog, Severity
from .decimal_time import nanoseconds
from .event import NO_TASK_ARGS, NOTHING, Event, TaskArgs, decode_task_args, raw_text
from .frame import Batch
from .lanes import Lane, LaneTable

NO_CONNECTION: Final = frozenset({-1, 4294967295, 18446744073709551615})
INT64_MAX: Final = (1 << 63) - 1
ARGS_LONGEST_BYTES: Final = 1 << 20
MOST_PLAIN_BYTES: Final = 19
MOST_PLAIN: Final = b"9223372036854775.807"
"""Up to here digits with a point before the last three are an int64 of ns."""

SLICE_ROWS = pa.schema(
    [
        ("seq", pa.int64()),
        ("lane", pa.int32()),
        ("ts", pa.int64()),
        ("dur", pa.int64()),
        ("name", pa.string()),
        ("category", pa.string()),
        ("phase", pa.string()),
        ("unfinished", pa.bool_()),
        ("task_type", pa.string()),
        ("stream_id", pa.int64()),
        ("task_id", pa.int64()),
        ("connection_id", pa.int64()),
        ("arg_set_id", pa.int64()),
    ]
)
"""``dur`` is NULL for a slice that never ended."""

ARG_ROWS = pa.schema([("arg_set_id", pa.int64()), ("args", pa.string())])

FLOW_ROWS = pa.schema(
    [
        ("seq", pa.int64()),
        ("phase", pa.string()),
        ("category", pa.string()),
        ("name", pa.string()),
        ("flow_key", pa.string()),
        ("lane", pa.int32()),
        ("ts", pa.int64()),
    ]
)

COUNTER_ROWS = pa.schema([("series", pa.int32()), ("ts", pa.int64()), ("value", pa.float64())])


class RowSink(Protocol):
    """Takes the rows of one batch of events."""

    def slices(self, rows: pa.RecordBatch) -> None: ...
    def slice_args(self, rows: pa.RecordBatch) -> None: ...
    def flows(self, rows: pa.RecordBatch) -> None: ...
    def counters(self, rows: pa.RecordBatch) -> None: ...


@dataclass(slots=True)
class _Begun:
    """A begin that waits for its end."""

    seq: int
    lane: int
    ts: int
    name: str | None
    category: str | None
    phase: str
    task: TaskArgs
    arg_set_id: int | None


@dataclass(frozen=True, slots=True)
class Series:
    """A counter series: its lane's number, the counter's name and which value."""

    number: int
    lane: int
    name: str
    key: str
    unit: str | None = None


_SliceRow = tuple[
    int, int, int, int | None, str, str | None, str, bool, str | None, int | None, int | None,
    int | None, int | None,
]  # fmt: skip


@dataclass(slots=True)
class _Rows:
    """Rows of one batch, in the order of the schemas above."""

    slices: list[_SliceRow] = field(default_factory=list[_SliceRow])
    args: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    flows: list[tuple[int, str, str, str, str, int, int]] = field(
        default_factory=list[tuple[int, str, str, str, str, int, int]]
    )
    counters: list[tuple[int, int, float]] = field(default_factory=list[tuple[int, int, float]])


class TimelineReader:
    """Turns the events of one profile's timeline files into rows.

    ``first_arg_set_id`` is where the ids of slice args start. After the last file
    ``finish`` must be called.
    """

    def __init__(self, sink: RowSink, log: ImportLog, *, first_arg_set_id: int = 0) -> None:
        self.lanes = LaneTable()
        self.series: dict[tuple[int, str, str], Series] = {}
        self._sink = sink
        self._log = log
        self._file = ""
        self._accept: Callable[[Lane], bool] | None = None
        self._seq = 0
        self._arg_set_id = first_arg_set_id
        self._open: dict[tuple[int, str], list[_Begun]] = {}
        self._rows = _Rows()

    def read(
        self,
        name: str,
        batches: Iterable[Batch],
        *,
        accept: Callable[[Lane], bool] | None = None,
    ) -> None:
        """Read a file's events; with ``accept`` only those on the lanes it accepts."""
        self._file = name
        self._accept = accept
        for batch in batches:
            for event in batch.events:
                self._event(event, batch.offset)
            self._flush()

    def finish(self) -> None:
        """Close what never ended: those slices get no length."""
        for begun in (begun for stack in self._open.values() for begun in stack):
            self._notice("unclosed_begin", "info", sample=begun.name)
            self._slice(begun, None)
        self._open.clear()
        self._flush()

    def _event(self, event: Event, offset: int) -> None:
        phase = event.ph
        if phase == "M":
            if not self.lanes.describe(event):
                self._notice("metadata_unused", "info", sample=event.name)
            return
        if phase not in _PHASES:
            name = f"unknown_phase_{phase}" if phase else "not_an_event"
            self._notice(name, "info" if phase else "data_loss", offset=offset, sample=event.name)
            return
        lane = None
        if phase in "XBEiI" or phase in "stf":
            lane = self.lanes.thread(event)
            if self._accept is not None and not self._accept(lane):
                self._notice("same_events_as_primary", "info", sample=event.name)
                return
        ts = self._time(event.ts, event, offset)
        if ts is None:
            return
        if phase == "C":
            self._counter(event, ts, offset)
            return
        self._seq += 1
        if lane is None:
            self._asynchronous(event, phase, ts)
        elif phase == "X":
            dur = self._duration(event, ts, offset)
            begun = self._begun(event, lane, ts)
            self._slice(begun, dur)
            if event.flow_in or event.flow_out:
                self._bound_flow(event, lane.number, ts)
        elif phase in "stf":
            self._flow(event, phase, event.id, lane.number, ts)
        elif phase == "B":
            self._open.setdefault((lane.number, ""), []).append(self._begun(event, lane, ts))
            if event.flow_in or event.flow_out:
                self._bound_flow(event, lane.number, ts)
        elif phase == "E":
            self._end(event, (lane.number, ""), ts)
        else:
            begun = self._begun(event, lane, ts)
            begun.phase = "i"
            self._slice(begun, 0)

    def _asynchronous(self, event: Event, phase: str, ts: int) -> None:
        # Local ids (id2.local) are per process, which the lane's pid already tells.
        raw = event.id or event.id2
        key = raw_text(raw)
        lane = self.lanes.asynchronous(event, key)
        if lane.thread_name is None:
            lane.thread_name = event.name
        if phase == "b":
            self._open.setdefault((lane.number, key), []).append(self._begun(event, lane, ts))
        elif phase == "e":
            self._end(event, (lane.number, key), ts)
        else:
            self._slice(self._begun(event, lane, ts), 0)

    def _begun(self, event: Event, lane: Lane, ts: int) -> _Begun:
        args = event.args
        task = NO_TASK_ARGS
        arg_set_id = None
        size = len(args)
        if size > 2:
            task = decode_task_args(args)
            text = bytes(args)
            if size > ARGS_LONGEST_BYTES:
                self._notice("args_cut", "data_loss", sample=event.name)
                text = msgspec.json.encode(
                    {"cut": text[:ARGS_LONGEST_BYTES].decode("utf-8", "replace")}
                )
            arg_set_id = self._arg_set_id
            self._arg_set_id = arg_set_id + 1
            self._rows.args.append((arg_set_id, text))
        return _Begun(self._seq, lane.number, ts, event.name, event.cat, event.ph, task, arg_set_id)

    def _end(self, event: Event, key: tuple[int, str], ts: int) -> None:
        """Close the innermost begin of the event's name, or the innermost without a name."""
        stack = self._open.get(key)
        if not stack:
            self._notice("end_without_begin", "data_loss", sample=event.name)
            return
        place = len(stack) - 1
        if event.name:
            while place >= 0 and stack[place].name != event.name:
                place -= 1
            if place < 0:
                self._notice("misplaced_end", "data_loss", sample=event.name)
                return
        begun = stack.pop(place)
        if ts < begun.ts:
            self._notice("dur_negative", "info", sample=begun.name)
        self._slice(begun, max(0, ts - begun.ts))

    def _slice(self, begun: _Begun, dur: int | None) -> None:
        task = begun.task
        if task is NO_TASK_ARGS:
            task_type = stream = task_id = connection = None
        else:
            task_type = _text(task.task_type or task.plane_task_type)
            stream = _identifier(task.physic_stream or task.stream or task.plane_stream)
            task_id = _identifier(task.task or task.plane_task)
            connection = _identifier(task.connection)
        self._rows.slices.append(
            (
                begun.seq,
                begun.lane,
                begun.ts,
                dur,
                begun.name or "",
                begun.category,
                begun.phase,
                dur is None,
                task_type,
                stream,
                task_id,
                connection,
                begun.arg_set_id,
            )
        )

    def _bound_flow(self, event: Event, lane: int, ts: int) -> None:
        # Arrows of the second form: the slice itself says that it starts or ends one.
        if event.flow_in:
            self._flow(event, "f", event.bind_id, lane, ts)
        if event.flow_out:
            self._flow(event, "s", event.bind_id, lane, ts)

    def _flow(self, event: Event, phase: str, key: msgspec.Raw, lane: int, ts: int) -> None:
        text = raw_text(key)
        name = event.name or ""
        # Names such as HostToDevice936 repeat the id: 600,000 names in a gigabyte.
        if text and name.endswith(text) and len(name) > len(text):
            name = name[: -len(text)]
        self._rows.flows.append((self._seq, phase, event.cat or "", name, text, lane, ts))

    def _counter(self, event: Event, ts: int, offset: int) -> None:
        try:
            values = msgspec.json.decode(event.args, type=dict[str, float | str | bool | None])
        except msgspec.MsgspecError:
            self._notice("counter_without_number", "data_loss", offset=offset, sample=event.name)
            return
        lane = self.lanes.counter(event).number
        name = event.name or ""
        instance = raw_text(event.id)
        # Accelerator counters number their unit beside the value, in place of an id.
        accelerator = values.pop("acc_id", None)
        if accelerator is not None:
            instance = f"acc {accelerator:g}" if isinstance(accelerator, float) else "acc"
        for key, value in values.items():
            try:
                number = float(value)  # pyright: ignore[reportArgumentType] # null raises TypeError
            except (TypeError, ValueError):
                self._notice(
                    "counter_without_number", "data_loss", offset=offset, sample=f"{name} {key}"
                )
                continue
            full = f"{key} {instance}" if instance else key
            series = self.series.get((lane, name, full))
            if series is None:
                series = Series(len(self.series), lane, name, full, _unit(key))
                self.series[lane, name, full] = series
            self._rows.counters.append((series.number, ts, number))

    def _time(self, raw: msgspec.Raw, event: Event, offset: int) -> int | None:
        text = bytes(raw)
        if text.startswith(b'"'):
            text = text[1:-1]
        # Most times have three decimals: their digits are the nanoseconds.
        if text[-4:-3] == b"." and (
            len(text) <= MOST_PLAIN_BYTES or (len(text) == len(MOST_PLAIN) and text <= MOST_PLAIN)
        ):
            digits = text[:-4] + text[-3:]
            if digits.isdigit():
                return int(digits)
        try:
            return nanoseconds(text)
        except ValueError:
            name = "ts_unreadable" if text and text != b"null" else "missing_ts"
            self._notice(name, "data_loss", offset=offset, sample=f"{event.name}: {text[:40]!r}")
            return None

    def _duration(self, event: Event, ts: int, offset: int) -> int:
        text = bytes(event.dur)
        if text.startswith(b'"'):
            text = text[1:-1]
        try:
            dur = nanoseconds(text)
        except ValueError:
            name = "dur_unreadable" if text and text != b"null" else "dur_missing"
            self._notice(name, "data_loss", offset=offset, sample=event.name)
            return 0
        if dur < 0 or ts + dur > INT64_MAX:
            self._notice(
                "dur_negative" if dur < 0 else "dur_out_of_range",
                "info" if dur < 0 else "data_loss",
                offset=offset,
                sample=event.name,
            )
            return 0
        return dur

    def _flush(self) -> None:
        rows = self._rows
        self._rows = _Rows()
        if rows.slices:
            self._sink.slices(_batch(rows.slices, SLICE_ROWS))
        if rows.args:
            self._sink.slice_args(self._arg_batch(rows.args))
        if rows.flows:
            self._sink.flows(_batch(rows.flows, FLOW_ROWS))
        if rows.counters:
            self._sink.counters(_batch(rows.counters, COUNTER_ROWS))

    def _arg_batch(self, rows: list[tuple[int, bytes]]) -> pa.RecordBatch:
        ids, texts = zip(*rows, strict=True)
        try:
            args = pa.array(texts, pa.binary()).cast(pa.string())
        except pa.ArrowInvalid:
            repaired = [text.decode("utf-8", "backslashreplace") for text in texts]
            count = sum("\\x" in new and not _is_utf8(old) for new, old in zip(repaired, texts))
            self._notice("text_repaired", "info", count=count)
            args = pa.array(repaired, pa.string())
        return pa.record_batch([pa.array(ids, pa.int64()), args], schema=ARG_ROWS)

    def _notice(
        self,
        name: str,
        severity: Severity,
        *,
        count: int = 1,
        offset: int | None = None,
        sample: str | None = None,
    ) -> None:
        self._log.add(self._file, name, severity, count=count, offset=offset, sample=sample)


_UNIT_GROUP: Final = re.compile(r"\(([^()]*)\)$")
_UNITS: Final = frozenset({"%", "B", "KB", "MB", "GB", "KB/s", "MB/s", "GB/s", "MHz", "mV", "us"})
_PHASES: Final = frozenset("XBEiICstfben")


def _batch(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.record_batch(arrays, schema=schema)


def _identifier(raw: msgspec.Raw) -> int | None:
    """Return a stream, task or connection number; None for the marks that mean none."""
    if not raw:
        return None
    try:
        value = int(bytes(raw).strip(b'" '))
    except ValueError:
        return None
    return None if value in NO_CONNECTION or not -INT64_MAX <= value <= INT64_MAX else value


def _unit(key: str) -> str | None:
    """Return the unit in a counter's key: ``Read(MB/s)`` and ``MHz`` have one."""
    group = _UNIT_GROUP.search(key)
    unit = group[1] if group else key
    return unit if unit in _UNITS else None


def _text(raw: msgspec.Raw) -> str | None:
    return raw_text(raw) if raw else None


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
