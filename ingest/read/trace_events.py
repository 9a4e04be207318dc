"""Trace events to rows: slices, their args, flow ends and counter samples.

Events come in the order of the file; metadata may follow what it describes, so
rows carry lane numbers and the lanes get their names at the end. A begin waits
for its end per lane (by name where the end has one), and what never ends is
closed at the end of the trace and marked.
"""

import re
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from ..notice import ImportLog, Severity
from .decimal_time import INT64_MAX, nanoseconds
from .event import NO_TASK_ARGS, Event, TaskArgs, decode_object, decode_task_args, raw_text
from .frame import Batch
from .lanes import Lane, LaneTable
from .rows import (
    ARG_ROWS,
    COUNTER_ROWS,
    FLOW_PHASES,
    FLOW_ROWS,
    SLICE_ROWS,
    RowSink,
    Series,
    batch,
)
from .scanned import Numbering, ScannedBlock
from .window import EVER, Window
from .words import Words

NO_CONNECTION: Final = frozenset({-1, 4294967295, 18446744073709551615})
FLUSH_ROWS: Final = 1 << 14
ARGS_LONGEST_BYTES: Final = 1 << 20

MOST_TS_NS: Final = 1 << 62
MOST_DUR_NS: Final = 1 << 61
"""Times beyond (the year 2116, 73 years) are damage; sums of those within fit 64 bits."""

NULL: Final = msgspec.Raw(b"null")
_SCALES: Final = (1000, 100, 10, 1)
"""Nanoseconds of the last digit of microseconds with so many decimals."""

_UNIT_GROUP: Final = re.compile(r"\(([^()]*)\)$")
_UNITS: Final = frozenset({"%", "B", "KB", "MB", "GB", "KB/s", "MB/s", "GB/s", "MHz", "mV", "us"})

_SliceRow = tuple[
    int, int, int, int | None, int, int | None, int, int | None, int | None, int | None,
    int | None, int | None,
]  # fmt: skip
_FlowRow = tuple[int, int, int, int, int, int, int]


@dataclass(slots=True)
class _Begun:
    """A slice of which only the begin is known."""

    seq: int
    lane: int
    ts: int
    name: str | None
    cat: str | None
    ph: str
    task: TaskArgs
    args: bytes
    """Text of its args; empty for none. Those of its end are joined to them."""


@dataclass(slots=True)
class _Rows:
    """Rows of one batch, in the order of their schemas."""

    slices: list[_SliceRow] = field(default_factory=list[_SliceRow])
    args: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    flows: list[_FlowRow] = field(default_factory=list[_FlowRow])
    counters: list[tuple[int, int, float]] = field(default_factory=list[tuple[int, int, float]])


class TimelineReader:
    """Turns the events of one profile's timeline files into rows.

    ``seq`` of a row is the number of its event, counted through all files;
    ``first_arg_set_id`` and that is the id of its args. After the last file ``finish``
    must be called. What lies wholly outside the ``window`` has no row; lanes and their
    names are those of the whole files.
    """

    def __init__(
        self, sink: RowSink, log: ImportLog, *, first_arg_set_id: int = 0, window: Window = EVER
    ) -> None:
        self.lanes = LaneTable()
        self.series: dict[tuple[int, str, str], Series] = {}
        self.words = Words()
        self._sink = sink
        self._log = log
        self.window = window
        self._file = ""
        self._batch = Batch(0, [])
        self._index = 0
        self._accept: Callable[[Lane], bool] | None = None
        self._seq = 0
        self._first_arg_set_id = first_arg_set_id
        self._open: dict[tuple[int, str], list[_Begun]] = {}
        self._rows = _Rows()
        self._take: dict[str, Callable[[Event], None]] = {
            "X": self._complete,
            "B": self._begin,
            "E": self._end,
            "i": self._instant,
            "I": self._instant,
            "M": self._describe,
            "C": self._count,
            **dict.fromkeys("stf", self._arrow),
            **dict.fromkeys("ben", self._asynchronous),
        }

    def read(
        self,
        name: str,
        batches: Iterable[Batch],
        *,
        accept: Callable[[Lane], bool] | None = None,
        group: str = "",
    ) -> None:
        """Read a file's events; with ``accept`` only those on the lanes it accepts.

        Process ids mean the same in all files of one ``group``.
        """
        self.lanes.use_group(group)
        self._file = name
        self._accept = accept
        for one in batches:
            self._batch = one
            for self._index, event in enumerate(one.events):
                self._seq += 1
                self._read(event)
            if len(self._rows.slices) + len(self._rows.flows) >= FLUSH_ROWS:
                self._flush()
        self._flush()

    def read_scanned(self, name: str, blocks: Iterable[ScannedBlock], *, group: str = "") -> None:
        """Read a file's events as the scanner gives them: the same rows as ``read`` makes."""
        self.lanes.use_group(group)
        self._file = name
        self._accept = None
        for block in blocks:
            self._block(block)
            self._flush()

    def _block(self, block: ScannedBlock) -> None:
        first = self._seq + 1
        lanes = array("i")
        found = block.lanes()
        self._batch = block.others
        for self._index, event in enumerate(block.others.events):
            number = block.numbers[self._index]
            # Lanes count as the file shows them, whoever reads their first event.
            while len(lanes) < len(found) and found[len(lanes)].event < number:
                lanes.append(self.lanes.numbered(found[len(lanes)]))
            self._seq = first + number
            self._read(event)
        lanes.extend(self.lanes.numbered(lane) for lane in found[len(lanes) :])
        self._seq = first + block.events - 1
        words = self.words
        codes = array(
            "i",
            [words.code(text) if lasting else words.name(text) for text, lasting in block.words()],
        )
        numbering = Numbering(
            codes, lanes, first, self._first_arg_set_id + first, words.code("X"), words.code("i")
        )
        if (rows := block.slices(numbering)) is not None:
            self._sink.slices(rows)
        if (rows := block.slice_args(numbering)) is not None:
            self._sink.slice_args(rows)
        if (rows := block.flows(numbering)) is not None:
            self._sink.flows(rows)

    def _read(self, event: Event) -> None:
        take = self._take.get(event.ph)
        if take is not None:
            take(event)
        elif len(event.ph) == 1 and event.ph.isascii():
            self._notice(f"unknown_phase_{event.ph}", "info", event.name)
        elif event.ph:
            self._notice("unknown_phase", "info", f"{event.ph}: {event.name}")
        else:
            self._notice("not_an_event", "data_loss", event.name)

    def finish(self) -> None:
        """Close what never ended: those slices get no length."""
        self._batch = Batch(0, [])
        for begun in (begun for stack in self._open.values() for begun in stack):
            self._notice("unclosed_begin", "info", begun.name)
            self._slice(begun, None)
        self._open.clear()
        self._flush()

    def _describe(self, event: Event) -> None:
        try:
            args, repaired = decode_object(event.args)
        except ValueError:
            args, repaired = {}, False
        if repaired:
            self._notice("text_repaired", "info", event.name)
        if not self.lanes.describe(event, args):
            self._notice("metadata_unused", "info", event.name)

    def _complete(self, event: Event) -> None:
        if (lane := self._lane(event)) is None or (ts := self._time(event)) is None:
            return
        dur = self._duration(event)
        if not self.window.has(ts, dur):
            return
        task = NO_TASK_ARGS
        arg_set_id = None
        if len(event.args) > len("{}"):
            task = decode_task_args(event.args)
            arg_set_id = self._keep_args(self._seq, bytes(event.args), event.name)
        self._add(self._seq, lane.number, ts, dur, event, task, arg_set_id)
        if event.flow_in or event.flow_out:
            self._bound(event, lane.number, ts)

    def _begin(self, event: Event) -> None:
        if (begun := self._begun(event)) is not None:
            self._open.setdefault((begun.lane, ""), []).append(begun)

    def _end(self, event: Event) -> None:
        if (lane := self._lane(event)) is not None and (ts := self._time(event)) is not None:
            self._close(event, (lane.number, ""), ts)

    def _instant(self, event: Event) -> None:
        if (begun := self._begun(event)) is not None:
            begun.ph = "i"
            self._slice(begun, 0)

    def _arrow(self, event: Event) -> None:
        if (lane := self._lane(event)) is not None and (ts := self._time(event)) is not None:
            self._flow(event, event.ph, event.id, lane.number, ts)

    def _asynchronous(self, event: Event) -> None:
        if (ts := self._time(event)) is None:
            return
        # Local ids (id2.local) are per process, which the lane's pid already tells.
        key = raw_text(event.id or event.id2)
        lane = self.lanes.asynchronous(event, key)
        if not self._wanted(lane, event):
            return
        if lane.thread_name is None:
            lane.thread_name = event.name
        if event.ph == "e":
            self._close(event, (lane.number, key), ts)
            return
        begun = self._opened(event, lane, ts)
        if event.ph == "b":
            self._open.setdefault((lane.number, key), []).append(begun)
        else:
            self._slice(begun, 0)

    def _count(self, event: Event) -> None:
        if (ts := self._time(event)) is None:
            return
        name = event.name or ""
        lane = self.lanes.counter(event)
        if not self._wanted(lane, event) or not self.window.has(ts, 0):
            return
        try:
            values = msgspec.json.decode(event.args, type=dict[str, float | str | bool | None])
        except msgspec.MsgspecError:
            self._notice("counter_without_number", "data_loss", name)
            return
        instance = raw_text(event.id)
        # Accelerator counters number their unit beside the value, in place of an id.
        accelerator = values.pop("acc_id", None)
        if accelerator is not None:
            instance = f"acc {accelerator:g}" if isinstance(accelerator, float) else "acc"
        for key, value in values.items():
            try:
                number = float(value)  # pyright: ignore[reportArgumentType] # null raises TypeError
            except (TypeError, ValueError):
                self._notice("counter_without_number", "data_loss", f"{name} {key}")
                continue
            full = f"{key} {instance}" if instance else key
            series = self.series.get((lane.number, name, full))
            if series is None:
                series = Series(len(self.series), lane.number, name, full, _unit(key))
                self.series[lane.number, name, full] = series
            self._rows.counters.append((series.number, ts, number))

    def _lane(self, event: Event) -> Lane | None:
        """Return the thread's lane; count and leave out what is not wanted."""
        lane = self.lanes.thread(event)
        return lane if self._accept is None or self._wanted(lane, event) else None

    def _wanted(self, lane: Lane, event: Event) -> bool:
        if self._accept is None or self._accept(lane):
            return True
        self._notice("same_events_as_primary", "info", event.name)
        return False

    def _begun(self, event: Event) -> _Begun | None:
        lane = self._lane(event)
        if lane is None or (ts := self._time(event)) is None:
            return None
        begun = self._opened(event, lane, ts)
        if event.flow_in or event.flow_out:
            self._bound(event, lane.number, ts)
        return begun

    def _bound(self, event: Event, lane: int, ts: int) -> None:
        # Arrows of the second form: the slice itself says that it starts or ends one.
        if event.flow_in:
            self._flow(event, "f", event.bind_id, lane, ts)
        if event.flow_out:
            self._flow(event, "s", event.bind_id, lane, ts)

    def _opened(self, event: Event, lane: Lane, ts: int) -> _Begun:
        args = bytes(event.args) if len(event.args) > len("{}") else b""
        task = decode_task_args(event.args) if args else NO_TASK_ARGS
        return _Begun(self._seq, lane.number, ts, event.name, event.cat, event.ph, task, args)

    def _keep_args(self, seq: int, text: bytes, name: str | None) -> int:
        if len(text) > ARGS_LONGEST_BYTES:
            self._notice("args_cut", "data_loss", name)
            kept = text[:ARGS_LONGEST_BYTES].decode("utf-8", "replace")
            text = msgspec.json.encode({"cut": kept})
        elif not text.isascii() and not _is_utf8(text):
            self._notice("text_repaired", "info", name)
            text = text.decode("utf-8", "backslashreplace").encode()
        arg_set_id = self._first_arg_set_id + seq
        self._rows.args.append((arg_set_id, text))
        return arg_set_id

    def _close(self, event: Event, key: tuple[int, str], ts: int) -> None:
        """Close the innermost begin of the event's name, or the innermost without a name."""
        stack = self._open.get(key)
        if not stack:
            self._notice("end_without_begin", "data_loss", event.name)
            return
        place = len(stack) - 1
        if event.name:
            while place >= 0 and stack[place].name != event.name:
                place -= 1
            if place < 0:
                self._notice("misplaced_end", "data_loss", event.name)
                return
        begun = stack.pop(place)
        if ts < begun.ts:
            self._notice("dur_negative", "info", begun.name)
        if len(event.args) > len("{}"):
            begun.args = _joined(begun.args, bytes(event.args))
        self._slice(begun, max(0, ts - begun.ts))

    def _slice(self, begun: _Begun, dur: int | None) -> None:
        if not self.window.has(begun.ts, MOST_DUR_NS if dur is None else dur):
            return
        arg_set_id = self._keep_args(begun.seq, begun.args, begun.name) if begun.args else None
        self._add(begun.seq, begun.lane, begun.ts, dur, begun, begun.task, arg_set_id)

    def _add(  # a row; once per event, so nothing is wrapped first
        self,
        seq: int,
        lane: int,
        ts: int,
        dur: int | None,
        named: "Event | _Begun",
        task: TaskArgs,
        arg_set_id: int | None,
    ) -> None:
        code = self.words.code
        if task is NO_TASK_ARGS:
            task_type = stream = task_id = connection = None
        else:
            text = _text(task.task_type or task.plane_task_type)
            task_type = None if text is None else code(text)
            stream = _identifier(task.physic_stream or task.stream or task.plane_stream)
            task_id = _identifier(task.task or task.plane_task)
            connection = _identifier(task.connection)
        self._rows.slices.append((
            seq, lane, ts, dur, self.words.name(named.name or ""),
            None if named.cat is None else code(named.cat), code(named.ph),
            task_type, stream, task_id, connection, arg_set_id,
        ))  # fmt: skip

    def _flow(self, event: Event, phase: str, key: msgspec.Raw, lane: int, ts: int) -> None:
        if not self.window.has(ts, 0):
            return
        text = raw_text(key)
        name = event.name or ""
        # Names such as HostToDevice936 repeat the id: 600,000 names in a gigabyte.
        if text and name.endswith(text) and len(name) > len(text):
            name = name[: -len(text)]
        words = self.words
        self._rows.flows.append((
            self._seq, FLOW_PHASES.index(phase), words.code(event.cat or ""), words.code(name),
            words.flow_key(text), lane, ts,
        ))  # fmt: skip

    def _time(self, event: Event) -> int | None:
        try:
            ts = _nanoseconds(event.ts)
        except ValueError:
            name = "ts_unreadable" if event.ts and event.ts != NULL else "missing_ts"
            self._notice(name, "data_loss", f"{event.name}: {raw_text(event.ts)[:40]}")
            return None
        if -MOST_TS_NS <= ts <= MOST_TS_NS:
            return ts
        self._notice("ts_out_of_range", "data_loss", f"{event.name}: {raw_text(event.ts)[:40]}")
        return None

    def _duration(self, event: Event) -> int:
        try:
            dur = _nanoseconds(event.dur)
        except ValueError:
            name = "dur_unreadable" if event.dur and event.dur != NULL else "dur_missing"
            self._notice(name, "data_loss", event.name)
            return 0
        if 0 <= dur <= MOST_DUR_NS:
            return dur
        if dur < 0:
            self._notice("dur_negative", "info", event.name)
        else:
            self._notice("dur_out_of_range", "data_loss", event.name)
        return 0

    def _flush(self) -> None:
        rows = self._rows
        self._rows = _Rows()
        if rows.slices:
            self._sink.slices(batch(rows.slices, SLICE_ROWS))
        if rows.args:
            self._sink.slice_args(batch(rows.args, ARG_ROWS))
        if rows.flows:
            self._sink.flows(batch(rows.flows, FLOW_ROWS))
        if rows.counters:
            self._sink.counters(batch(rows.counters, COUNTER_ROWS))

    def _notice(self, name: str, severity: Severity, sample: str | None) -> None:
        # In a batch of events that decode at once a place has to be looked for: only the
        # first of a kind needs it, and it comes first.
        offset = None
        batch = self._batch
        if batch.events and (batch.starts is not None or not self._log.knows(self._file, name)):
            offset = batch.offset_of(self._index)
        self._log.add(self._file, name, severity, offset=offset, sample=sample)


def _joined(begin: bytes, end: bytes) -> bytes:
    """Join the args of a begin and of its end, both objects; the end's stand last."""
    if not begin[1:-1].strip() or not (begin.endswith(b"}") and end.startswith(b"{")):
        return end
    return begin[:-1] + b"," + end[1:] if end[1:-1].strip() else begin


def _nanoseconds(raw: msgspec.Raw) -> int:
    """Return decimal microseconds, a number or text, as ns; raise ValueError if it is none."""
    text = bytes(raw)
    if text[:1] == b'"':
        text = text[1:-1]
    # Most times have at most three decimals: their digits are moved at once.
    whole, _, fraction = text.partition(b".")
    digits = whole + fraction
    if len(fraction) <= 3 and digits.isdigit():
        return int(digits) * _SCALES[len(fraction)]
    # A blank or TAB within the text may be written as an escape.
    return nanoseconds(raw_text(raw) if b"\\" in text else text)


def _identifier(raw: msgspec.Raw) -> int | None:
    """Return a stream, task or connection number; None for the marks that mean none."""
    if not raw:
        return None
    text = bytes(raw)
    try:
        value = int(text if text[:1] != b'"' else text[1:-1])
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
