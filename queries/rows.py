"""Rows of the answers about a run: steps, operators, gaps, waits.

There is one NamedTuple per question, named after it: ``gaps`` answers ``GapsRow``. Its
fields are the columns that the question's header declares, in their order. Times are
whole ns, sizes bytes, shares 0..1; None is what is not known. Fields without a
remark mean what the column of that name means in ``npuview schema``. The column
``count`` is the field ``count_``: tuples have a method of that name.
"""

from typing import NamedTuple


class ProfilesRow(NamedTuple):
    """A rank's profile."""

    rank: int
    rank_known: bool
    world_size: int | None
    device_id: int | None
    host: str | None
    producer: str
    versions: str
    level: str | None
    switches: str
    name: str
    path: str
    clock: str
    clock_offset: int | None
    ts: int | None
    dur: int | None


class HealthRow(NamedTuple):
    """Something that the reader noticed, or that a profile does not hold."""

    rank: int
    kind: str
    """import, or missing."""
    severity: str
    file: str | None
    name: str
    count_: int | None
    first_offset: int | None
    sample: str | None
    """The first finding, or what cannot be told."""


class OverviewRow(NamedTuple):
    """Where a step's period went on a device; the states are None without a device.

    computing, mc2, aicpu, waiting, moving, collective_unsplit and idle are the whole.
    What was not collected, or cannot be told apart, is None.
    """

    rank: int
    device_id: int | None
    step: int
    kind: str
    warmup: bool | None
    warmup_by: str | None
    """What proves it: compile, capture, first_use, schedule, with commas."""
    ts: int | None
    period: int | None
    computing: int | None
    mc2: int | None
    aicpu: int | None
    transferring: int | None
    copying: int | None
    waiting_peer: int | None
    waiting_stage: int | None
    collective_other: int | None
    collective_unsplit: int | None
    """Collectives without plane tasks: transfer and waiting in one."""
    waiting_event: int | None
    idle: int | None
    waiting: int | None
    """waiting_peer, waiting_stage and waiting_event."""
    moving: int | None
    """transferring, copying and collective_other."""
    computing_share: float | None
    mc2_share: float | None
    aicpu_share: float | None
    waiting_share: float | None
    moving_share: float | None
    unsplit_share: float | None
    idle_share: float | None


class StepsRow(NamedTuple):
    """A step; times are None where only the file of figures names it."""

    rank: int
    step: int
    kind: str
    source: str
    inferred: bool
    warmup: bool | None
    warmup_by: str | None
    """What proves it: compile, capture, first_use, schedule, with commas."""
    ts: int | None
    dur: int | None
    median: int | None
    """Median period of the rank's steps of the kind that are no warm-up."""
    from_median_ns: int | None
    outlier: bool | None
    """Took more than twice the median of its kind."""
    tokens: int | None
    host_ts: int | None
    host_dur: int | None
    device_ts: int | None
    device_dur: int | None
    computing: int | None
    """The vendor's figures from here on, as in FiguresRow."""
    communication: int | None
    communication_not_overlapped: int | None
    overlapped: int | None
    free: int | None
    stage: int | None
    bubble: int | None
    preparing: int | None
    figures_source: str | None


class IterationsRow(NamedTuple):
    """A part of the iterations of a kind: iteration (the whole), gap (before it) or run."""

    rank: int
    kind: str
    part: str
    source: str
    inferred: bool
    count_: int
    outliers: int
    """Those that took more than twice the median of their kind; they are counted too."""
    p50: int
    p90: int
    p99: int
    max: int
    total: int
    slowest_step: int
    tokens: int | None
    """Of the whole only, and where they are known of every iteration."""
    tokens_per_s: float | None
    main_cause: str | None
    """Of gaps: the cause of most of their idle and waiting time."""
    main_cause_ns: int | None
    no_work_ns: int | None
    """Before the iterations: time without a request, which is part of none of them."""


class FiguresRow(NamedTuple):
    """The vendor's figures of a step."""

    rank: int
    step: int
    figures_source: str | None
    computing: int | None
    communication: int | None
    communication_not_overlapped: int | None
    overlapped: int | None
    free: int | None
    total: int | None
    """Computing, communication that is not overlapped, and free: the step on the device."""
    host_dur: int | None
    stage: int | None
    bubble: int | None
    preparing: int | None


class LedgerRow(NamedTuple):
    """Time in one state, by one cause, of a step's period."""

    rank: int
    device_id: int | None
    step: int
    state: str
    cause: str | None
    dur: int
    period: int | None
    period_share: float | None


class TopRow(NamedTuple):
    """The calls of an operator, or of another group of them.

    What they were not grouped by is None, as what was not collected.
    """

    rank: int
    name: str | None
    type: str | None
    core: str | None
    count_: int
    total: int
    avg: int
    """Whole ns, rounded down."""
    min: int
    max: int
    period_share: float | None
    """Its time inside steps over their periods."""
    kernel_share: float | None
    """Of the time of all kernels but collectives; None for a collective."""
    cumulative_share: float | None
    """The kernel_share of all groups down to this one, most time first."""
    spread: float | None
    """max over min; None where a call took no time."""
    p50: int | None
    """A length that occurs; None unless asked for."""
    p95: int | None
    names: int
    """Different names in the group."""
    input_shapes: str | None
    input_dtypes: str | None
    stream_id: int | None
    inside: int
    """What of total lies in the range that was asked about; all of it without one."""


class OperatorCallsRow(NamedTuple):
    """One kernel."""

    kernel_id: int
    rank: int
    device_id: int | None
    slice_id: int | None
    step: int | None
    name: str
    type: str | None
    core: str | None
    ts: int
    dur: int
    wait: int | None
    block_num: int | None
    mix_block_num: int | None
    stream_id: int | None
    task_id: int | None
    op_state: str | None
    input_shapes: str | None
    input_dtypes: str | None
    input_formats: str | None
    output_shapes: str | None
    output_dtypes: str | None
    output_formats: str | None
    aicore_time: int | None
    aiv_time: int | None
    aic_mac_ratio: float | None
    aic_mte1_ratio: float | None
    aic_mte2_ratio: float | None
    aic_fixpipe_ratio: float | None
    aic_scalar_ratio: float | None
    aiv_vec_ratio: float | None
    aiv_mte2_ratio: float | None
    aiv_mte3_ratio: float | None
    aiv_scalar_ratio: float | None
    cube_utilization: float | None


class GapsRow(NamedTuple):
    """A gap between two device tasks."""

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
    """Of the period in which it begins."""
    cause: str | None
    inferred: bool | None
    evidence_slice_id: int | None
    step_boundary: bool
    prev_slice_id: int | None
    prev_name: str | None
    next_slice_id: int | None
    next_name: str | None


class GapSummaryRow(NamedTuple):
    """The gaps of one order of magnitude: from_ns <= length < to_ns."""

    rank: int
    device_id: int | None
    kind: str
    from_ns: int
    to_ns: int
    count_: int
    total: int
    wait_ns: int
    idle_ns: int
    longest: int
    gap_share: float | None
    """Of the time of all gaps of this device and kind."""
    inside_ns: int
    """What of ``total`` lies in the range of time that was asked about."""


class WaitsRow(NamedTuple):
    """Waits of one kind and name in a step."""

    kind: str
    """event, notify or peer."""
    rank: int
    device_id: int | None
    step: int | None
    name: str
    last_peer: int | None
    last_number: int | None
    count_: int
    total: int
    longest: int
    longest_slice_id: int | None
    period_share: float | None


class WaitCallsRow(NamedTuple):
    """One wait."""

    kind: str
    """event, notify or peer."""
    rank: int
    device_id: int | None
    step: int | None
    slice_id: int | None
    track_id: int | None
    name: str
    ts: int
    dur: int
    """Length of the wait, or of the collective of which wait_ns is a part."""
    wait_ns: int
    collective_id: int | None
    last_peer: int | None
    last_number: int | None


class HostApiRow(NamedTuple):
    """The calls of one name on the host; they hold the calls inside them."""

    rank: int
    kind: str
    """Kind of the lanes: cann, python or host."""
    name: str
    count_: int
    total: int | None
    avg: int
    """Whole ns, rounded down."""
    longest: int
    longest_slice_id: int


class CollectivesRow(NamedTuple):
    """A collective."""

    collective_id: int
    rank: int
    device_id: int | None
    step: int | None
    slice_id: int | None
    name: str
    group: str | None
    bytes: int | None
    ts: int
    dur: int
    transfer_ns: int | None
    wait_ns: int | None
    wait_share: float | None
    """wait_ns over dur."""
    bytes_per_s: float | None
    """bytes over transfer_ns."""
    last_peer: int | None
    last_number: int | None
    last_peer_wait_ns: int | None


class PeerArrivalsRow(NamedTuple):
    """A collective's first wait for a peer."""

    collective_id: int
    rank: int
    step: int | None
    name: str | None
    group: str | None
    ts: int | None
    """Start of the collective."""
    number: int
    peer: int | None
    wait_ns: int
    slice_id: int | None
    last: bool | None
    """Whether this peer came last."""
    collected: bool | None
    inferred: bool
    source: str


class PeersRow(NamedTuple):
    """A peer over all collectives of a group."""

    rank: int
    group: str | None
    number: int
    peer: int | None
    collected: bool | None
    collectives: int
    times_last: int
    wait_ns: int
    longest: int
    """Longest wait for it."""


class RankClocksRow(NamedTuple):
    """How far a rank's clock is ahead of another's, by the collectives of both."""

    rank: int
    reference: int
    matched: int
    ahead_ns: int
    spread_ns: int
    """Between the quartiles of what the collectives say."""


class StreamOverlapsRow(NamedTuple):
    """A kernel that still runs when the next one of its stream begins."""

    slice_id: int
    rank: int
    device_id: int | None
    stream_id: int
    step: int | None
    name: str
    ts: int
    dur: int
    beside_ns: int
    next_slice_id: int
    next_name: str


class CallRankRow(NamedTuple):
    """A kernel among the calls of its operator."""

    count_: int
    total: int
    min: int
    median: int
    """A length that occurs: of two in the middle the shorter."""
    max: int
    longer: int
    """Calls that are longer."""
    earlier: int
    """Calls that began before it."""
    previous_kernel_id: int | None
    next_kernel_id: int | None


class CallLengthsRow(NamedTuple):
    """Calls in one of the equal parts of the range of lengths."""

    bucket: int
    count_: int


class KernelMetricsRow(NamedTuple):
    """A measured column of a kernel, under the name and in the unit of the file."""

    metric: str
    value: float | None


class SliceCollectiveRow(NamedTuple):
    """The collective to which a slice belongs; fields as in CollectivesRow."""

    collective_id: int
    slice_id: int | None
    name: str
    group: str | None
    bytes: int | None
    ts: int
    dur: int
    transfer_ns: int | None
    wait_ns: int | None
    last_peer: int | None
    last_number: int | None
    last_peer_wait_ns: int | None
