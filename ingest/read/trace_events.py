"""Trace events to rows: slices, their args, flow ends and counter samples.

Events come in the order of the file; metadata may follow what it describes, so
rows carry lane numbers and the lanes get their names at the end. A begin waits
for its end per lane (by name where the end has one), and what never ends is
closed at the end of the trace and marked.
"""

from array import array
from collections.abc import Callable, Iterable

import msgspec

from ..notice import ImportLog, Severity
from .begun import Begun, OpenSlices
from .collected import CollectedRows
from .counter_values import counter_unit, counter_values
from .event import NO_TASK_ARGS, NULL, Event, decode_object, decode_task_args, raw_text
from .frame import Batch
from .lanes import Lane, LaneTable
from .raw_number import MOST_DUR_NS, MOST_TS_NS, raw_nanoseconds
from .rows import RowSink, Series
from .scanned import Numbering, ScannedBlock
from .window import EVER, Window
from .words import Words


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
        self._open = OpenSlices()
        self._rows = CollectedRows(self.words)
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
            if self._rows.enough:
                self._rows.give(self._sink)
        self._rows.give(self._sink)

    def read_scanned(self, name: str, blocks: Iterable[ScannedBlock], *, group: str = "") -> None:
        """Read a file's events as the scanner gives them: the same rows as ``read`` makes."""
        self.lanes.use_group(group)
        self._file = name
        self._accept = None
        for block in blocks:
            self._block(block)
            self._rows.give(self._sink)

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
        for begun in self._open:
            self._notice("unclosed_begin", "info", begun.name)
            self._slice(begun, None)
        self._open.clear()
        self._rows.give(self._sink)

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
        self._rows.add_slice(self._seq, lane.number, ts, dur, event, task, arg_set_id)
        if event.flow_in or event.flow_out:
            self._bound(event, lane.number, ts)

    def _begin(self, event: Event) -> None:
        if (begun := self._begun(event)) is not None:
            self._open.push((begun.lane, ""), begun)

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
            self._open.push((lane.number, key), begun)
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
            values = counter_values(event)
        except msgspec.MsgspecError:
            self._notice("counter_without_number", "data_loss", name)
            return
        for key, full, number in values:
            if number is None:
                self._notice("counter_without_number", "data_loss", f"{name} {key}")
                continue
            series = self.series.get((lane.number, name, full))
            if series is None:
                series = Series(len(self.series), lane.number, name, full, counter_unit(key))
                self.series[lane.number, name, full] = series
            self._rows.add_sample(series.number, ts, number)

    def _lane(self, event: Event) -> Lane | None:
        """Return the thread's lane; count and leave out what is not wanted."""
        lane = self.lanes.thread(event)
        return lane if self._accept is None or self._wanted(lane, event) else None

    def _wanted(self, lane: Lane, event: Event) -> bool:
        if self._accept is None or self._accept(lane):
            return True
        self._notice("same_events_as_primary", "info", event.name)
        return False

    def _begun(self, event: Event) -> Begun | None:
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

    def _opened(self, event: Event, lane: Lane, ts: int) -> Begun:
        args = bytes(event.args) if len(event.args) > len("{}") else b""
        task = decode_task_args(event.args) if args else NO_TASK_ARGS
        return Begun(self._seq, lane.number, ts, event.name, event.cat, event.ph, task, args)

    def _keep_args(self, seq: int, text: bytes, name: str | None) -> int:
        arg_set_id = self._first_arg_set_id + seq
        if (lost := self._rows.add_args(arg_set_id, text)) is not None:
            self._notice(*lost, name)
        return arg_set_id

    def _close(self, event: Event, key: tuple[int, str], ts: int) -> None:
        begun = self._open.pop(key, event.name)
        if begun is None:
            lost = "misplaced_end" if self._open.has(key) else "end_without_begin"
            self._notice(lost, "data_loss", event.name)
            return
        if ts < begun.ts:
            self._notice("dur_negative", "info", begun.name)
        if len(event.args) > len("{}"):
            begun.join_args(bytes(event.args))
        self._slice(begun, max(0, ts - begun.ts))

    def _slice(self, begun: Begun, dur: int | None) -> None:
        if not self.window.has(begun.ts, MOST_DUR_NS if dur is None else dur):
            return
        arg_set_id = self._keep_args(begun.seq, begun.args, begun.name) if begun.args else None
        self._rows.add_slice(begun.seq, begun.lane, begun.ts, dur, begun, begun.task, arg_set_id)

    def _flow(self, event: Event, phase: str, key: msgspec.Raw, lane: int, ts: int) -> None:
        if self.window.has(ts, 0):
            self._rows.add_flow(self._seq, phase, key, event, lane, ts)

    def _time(self, event: Event) -> int | None:
        try:
            ts = raw_nanoseconds(event.ts)
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
            dur = raw_nanoseconds(event.dur)
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

    def _notice(self, name: str, severity: Severity, sample: str | None) -> None:
        # In a batch of events that decode at once a place has to be looked for: only the
        # first of a kind needs it, and it comes first.
        offset = None
        batch = self._batch
        if batch.events and (batch.starts is not None or not self._log.knows(self._file, name)):
            offset = batch.offset_of(self._index)
        self._log.add(self._file, name, severity, offset=offset, sample=sample)
