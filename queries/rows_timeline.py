"""Rows of the answers about the timeline: lanes, cells, slices, and what links them.

As in ``rows`` there is one NamedTuple per question, named after it. The column
``class`` is the field ``class_``.
"""

from typing import NamedTuple


class TracksRow(NamedTuple):
    """A lane."""

    track_id: int
    rank: int
    device_id: int | None
    kind: str
    process_name: str | None
    process_label: str | None
    thread_name: str | None
    pid_text: str | None
    tid_text: str | None
    stream_id: int | None
    sort_order: int
    group: str | None


class CellLevelsRow(NamedTuple):
    """A level at which cells are stored."""

    level: int
    cells: int


class LanesRow(NamedTuple):
    """A row of the timeline: a lane, or a part of a stream or plane."""

    track_id: int
    part: str | None
    rank: int
    device_id: int | None
    kind: str
    process_name: str | None
    process_label: str | None
    thread_name: str | None
    tid_text: str | None
    stream_id: int | None
    group: str | None
    sort_order: int
    slices: int
    busy: int
    launches: int | None
    deepest: int | None
    sublanes: int | None
    ts: int | None
    dur: int | None


class CellsRow(NamedTuple):
    """A cell of a row of the timeline: [bucket << level, (bucket + 1) << level)."""

    track_id: int
    part: str | None
    bucket: int
    busy: int
    count_: int
    top_slice_id: int | None
    top_name: str | None
    top_class: str | None


class FineCellsRow(NamedTuple):
    """A cell worked out from the slices; fields as in CellsRow."""

    track_id: int
    part: str | None
    bucket: int
    busy: int
    count_: int
    top_slice_id: int | None
    top_name: str | None
    top_class: str | None


class LongSlicesRow(NamedTuple):
    """A slice in a window, on its row of the timeline."""

    slice_id: int
    rank: int
    track_id: int
    part: str | None
    ts: int
    dur: int
    depth: int
    sublane: int
    name: str
    class_: str | None
    step: int | None


class AtInstantRow(NamedTuple):
    """A slice that runs in a short time; fields as in LongSlicesRow."""

    slice_id: int
    rank: int
    track_id: int
    part: str | None
    ts: int
    dur: int
    depth: int
    sublane: int
    name: str
    class_: str | None
    step: int | None


class SliceNearRow(NamedTuple):
    """The next slice, or the one before; fields as in LongSlicesRow."""

    slice_id: int
    rank: int
    track_id: int
    part: str | None
    ts: int
    dur: int
    depth: int
    sublane: int
    name: str
    class_: str | None
    step: int | None


class GapNearRow(NamedTuple):
    """The next gap, or the one before; fields as in GapsRow."""

    gap_id: int
    rank: int
    device_id: int | None
    kind: str
    step: int | None
    ts: int
    dur: int
    wait_ns: int
    idle_ns: int
    period_share: float | None
    cause: str | None
    inferred: bool | None
    evidence_slice_id: int | None
    step_boundary: bool
    prev_slice_id: int | None
    prev_name: str | None
    next_slice_id: int | None
    next_name: str | None


class GapByCostRow(NamedTuple):
    """The gap next in cost, less or more; fields as in GapsRow."""

    gap_id: int
    rank: int
    device_id: int | None
    kind: str
    step: int | None
    ts: int
    dur: int
    wait_ns: int
    idle_ns: int
    period_share: float | None
    cause: str | None
    inferred: bool | None
    evidence_slice_id: int | None
    step_boundary: bool
    prev_slice_id: int | None
    prev_name: str | None
    next_slice_id: int | None
    next_name: str | None


class DepthCellsRow(NamedTuple):
    """A cell of the slices of one depth of a lane."""

    track_id: int
    part: str | None
    depth: int
    bucket: int
    busy: int
    count_: int
    top_class: str | None


class CountersRow(NamedTuple):
    """A measured quantity."""

    series_id: int
    rank: int
    track_id: int
    process_name: str | None
    name: str
    key: str
    unit: str | None
    samples: int
    least: float
    most: float


class SlicesRow(NamedTuple):
    """A slice in a window."""

    slice_id: int
    track_id: int
    ts: int
    dur: int
    depth: int
    sublane: int
    parent_id: int | None
    name: str
    class_: str | None
    step: int | None
    phase: str
    unfinished: bool


class SliceRow(NamedTuple):
    """All that is known of a slice but its args."""

    slice_id: int
    rank: int
    device_id: int | None
    track_id: int
    lane_kind: str | None
    process_name: str | None
    thread_name: str | None
    group: str | None
    ts: int
    dur: int
    end_ts: int
    depth: int
    sublane: int
    parent_id: int | None
    parent_name: str | None
    name: str
    category: str | None
    class_: str | None
    part: str | None
    """Row of its lane: cube, vector, compute, transfer, waiting or control."""
    task_type: str | None
    stream_id: int | None
    task_id: int | None
    connection_id: int | None
    step: int | None
    step_ts: int | None
    """Start of the step's period."""
    phase: str
    unfinished: bool
    arg_set_id: int | None
    kernel_id: int | None


class SliceArgsRow(NamedTuple):
    """The args of a slice."""

    arg_set_id: int
    args: str | None


class NeighboursRow(NamedTuple):
    """A slice near another one on its lane."""

    position: int
    """0 is the slice that was asked about."""
    slice_id: int
    ts: int
    dur: int
    gap_ns: int | None
    """From the end of the one before; negative where they overlap."""
    name: str
    class_: str | None


class ChainRow(NamedTuple):
    """A slice on the way from the host to a slice."""

    role: str
    """slice, launch, enqueue, flow_from or flow_to."""
    distance: int
    """0 is the slice of that role, 1 the call around it, and so on."""
    slice_id: int
    rank: int
    track_id: int
    lane_kind: str | None
    thread_name: str | None
    ts: int
    dur: int
    name: str
    class_: str | None
    link: str | None
    """How the role was found: method of the launch, category of the arrow."""
    inferred: bool | None


class LaunchedRow(NamedTuple):
    """A device slice that a host slice launched."""

    slice_id: int
    rank: int
    track_id: int
    ts: int
    dur: int
    name: str
    class_: str | None
    host_slice_id: int | None
    enqueue_slice_id: int | None
    launch_ts: int
    method: str
    inferred: bool


class LaunchedSummaryRow(NamedTuple):
    """The device slices that a host slice launched, all in one."""

    count_: int
    total: int | None
    """Sum of their lengths."""
    ts: int
    end_ts: int
    first_slice_id: int
    first_name: str
    last_slice_id: int
    last_name: str
    inferred: int
    """How many of the links are a conclusion."""


class SearchRow(NamedTuple):
    """The slices of one name."""

    name: str
    count_: int
    total: int | None
    longest: int
    first_slice_id: int
    first_ts: int


class SearchHitsRow(NamedTuple):
    """A slice whose name holds the text."""

    slice_id: int
    rank: int
    track_id: int
    process_name: str | None
    thread_name: str | None
    step: int | None
    ts: int
    dur: int
    name: str
    class_: str | None


class GapRow(NamedTuple):
    """Where a gap lies."""

    gap_id: int
    rank: int
    device_id: int | None
    kind: str
    step: int | None
    ts: int
    dur: int
