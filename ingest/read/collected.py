"""Rows of events that were read one by one, until there are enough to give away."""

from typing import Final

import msgspec

from ..notice import Severity
from .begun import Begun
from .event import NO_TASK_ARGS, NULL, Event, TaskArgs, raw_text
from .raw_number import raw_identifier
from .rows import (
    ARG_ROWS,
    COUNTER_ROWS,
    FLOW_PHASES,
    FLOW_ROWS,
    SLICE_ROWS,
    RowSink,
    batch,
)
from .words import Words

FLUSH_ROWS: Final = 1 << 14
ARGS_LONGEST_BYTES: Final = 1 << 20

_SliceRow = tuple[
    int, int, int, int | None, int, int | None, int, int | None, int | None, int | None,
    int | None, int | None,
]  # fmt: skip
_FlowRow = tuple[int, int, int, int, int, int, int]


class CollectedRows:
    """Rows in the order of their schemas; their texts are numbers of the ``words``."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._slices: list[_SliceRow] = []
        self._args: list[tuple[int, bytes]] = []
        self._flows: list[_FlowRow] = []
        self._counters: list[tuple[int, int, float]] = []

    @property
    def enough(self) -> bool:
        """Tell whether there are enough rows to give away."""
        return len(self._slices) + len(self._flows) >= FLUSH_ROWS

    def give(self, sink: RowSink) -> None:
        """Give all rows away."""
        if self._slices:
            sink.slices(batch(self._slices, SLICE_ROWS))
        if self._args:
            sink.slice_args(batch(self._args, ARG_ROWS))
        if self._flows:
            sink.flows(batch(self._flows, FLOW_ROWS))
        if self._counters:
            sink.counters(batch(self._counters, COUNTER_ROWS))
        self._slices, self._args, self._flows, self._counters = [], [], [], []

    def add_slice(  # once per event, so nothing is wrapped first
        self,
        seq: int,
        lane: int,
        ts: int,
        dur: int | None,
        named: Event | Begun,
        task: TaskArgs,
        arg_set_id: int | None,
    ) -> None:
        """Add a slice with the name, category and phase of an event."""
        words = self._words
        if task is NO_TASK_ARGS:
            task_type = stream = task_id = connection = None
        else:
            text = task.task_type or task.plane_task_type
            task_type = words.code(raw_text(text)) if text and text != NULL else None
            stream = raw_identifier(task.physic_stream or task.stream or task.plane_stream)
            task_id = raw_identifier(task.task or task.plane_task)
            connection = raw_identifier(task.connection)
        self._slices.append((
            seq, lane, ts, dur, words.name(named.name or ""),
            None if named.cat is None else words.code(named.cat), words.code(named.ph),
            task_type, stream, task_id, connection, arg_set_id,
        ))  # fmt: skip

    def add_args(self, arg_set_id: int, text: bytes) -> tuple[str, Severity] | None:
        """Add the args of a slice; return name and severity of what they have lost."""
        lost = None
        if len(text) > ARGS_LONGEST_BYTES:
            lost = "args_cut", "data_loss"
            kept = text[:ARGS_LONGEST_BYTES].decode("utf-8", "replace")
            text = msgspec.json.encode({"cut": kept})
        elif not text.isascii() and not _is_utf8(text):
            lost = "text_repaired", "info"
            text = text.decode("utf-8", "backslashreplace").encode()
        self._args.append((arg_set_id, text))
        return lost

    def add_flow(
        self, seq: int, phase: str, key: msgspec.Raw, event: Event, lane: int, ts: int
    ) -> None:
        """Add one end of an arrow."""
        text = raw_text(key)
        name = event.name or ""
        # Names such as HostToDevice936 repeat the id: 600,000 names in a gigabyte.
        if text and name.endswith(text) and len(name) > len(text):
            name = name[: -len(text)]
        words = self._words
        self._flows.append((
            seq, FLOW_PHASES.index(phase), words.code(event.cat or ""), words.code(name),
            words.flow_key(text), lane, ts,
        ))  # fmt: skip

    def add_sample(self, series: int, ts: int, value: float) -> None:
        """Add a value of a counter."""
        self._counters.append((series, ts, value))


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
