"""Spans of devices as random cases, and by a slow, plain rule what they come to."""

from itertools import pairwise
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
FIRST_TS = 1_700_000_000_000_000_000
WAITING, IDLE = 9, 10


class Span(NamedTuple):
    """A row of device_span without its device."""

    ts: int
    end_ts: int
    state: int
    slice_id: int


class Segment(NamedTuple):
    """A row of device_segment without its device."""

    ts: int
    end_ts: int
    state: int
    computes: bool
    communicates: bool


class Gap(NamedTuple):
    """A row of device_gap without its device."""

    ts: int
    end_ts: int
    wait_ns: int
    prev_slice_id: int
    next_slice_id: int


def _span(span: tuple[int, int, int], slice_id: int) -> Span:
    ts, dur, state = span
    return Span(FIRST_TS + ts, FIRST_TS + ts + dur, state, slice_id)


# Few instants, so that many fall together.
_SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 25), st.integers(1, 9)), max_size=40)
spans = st.builds(
    lambda rows, numbers: [_span(row, numbers[at]) for at, row in enumerate(rows)],
    _SPANS,
    st.permutations(range(40)),
)
borders = st.lists(st.integers(-10, 100).map(lambda ts: FIRST_TS + ts), max_size=6)


def in_order(rows: list[Span]) -> list[Span]:
    """Return the spans in the order in which a device is swept."""
    return sorted(rows, key=lambda span: span.ts)


def expected_segments(rows: list[Span], edges: list[int]) -> list[Segment]:
    """Look at what is open in every stretch between two neighbouring instants."""
    instants = {edge for row in rows for edge in (row.ts, row.end_ts)} | set(edges)
    segments: list[Segment] = []
    for ts, end_ts in pairwise(sorted(instants)):
        states = {row.state for row in rows if row.ts <= ts < row.end_ts}
        computes, communicates = bool(states & {1, 2, 3}), bool(states & {4, 8})
        segments.append(Segment(ts, end_ts, min(states, default=IDLE), computes, communicates))
    return segments


def expected_gaps(rows: list[Span]) -> list[Gap]:
    """Look for work before and after every stretch without any."""
    tasks = [row for row in rows if row.state < WAITING]
    segments = expected_segments(rows, [])
    gaps: list[Gap] = []
    for ts in sorted({task.end_ts for task in tasks}):
        later = [task.ts for task in tasks if task.ts > ts]
        if not later or any(task.ts <= ts < task.end_ts for task in tasks):
            continue
        end_ts = min(later)
        wait_ns = sum(
            segment.end_ts - segment.ts
            for segment in segments
            if segment.state == WAITING and ts <= segment.ts < end_ts
        )
        before = min((task.state, task.slice_id) for task in tasks if task.end_ts == ts)
        after = min((task.state, task.slice_id) for task in tasks if task.ts == end_ts)
        gaps.append(Gap(ts, end_ts, wait_ns, before[1], after[1]))
    return gaps
