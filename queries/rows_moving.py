"""The rows of questions about waiting between streams and about moving data.

As in ``rows``: times are integers of nanoseconds, and None is what is not known.
"""

from typing import NamedTuple


class WaitRootsRow(NamedTuple):
    """A wait of a stream and what it waited for."""

    rank: int
    device_id: int | None
    step: int | None
    """The step in whose period it began."""
    kind: str
    """event or notify."""
    slice_id: int
    track_id: int
    stream_id: int | None
    ts: int
    dur: int
    exposed_ns: int | None
    """Part in which nothing computes and no data is known to move."""
    record_slice_id: int | None
    record_stream_id: int | None
    producer_slice_id: int | None
    producer_name: str | None
    held_slice_id: int | None
    """The wait by which the record's stream was itself held."""
    depth: int | None
    """Waits from this one to the root."""
    root_slice_id: int | None
    root_track_id: int | None
    root_name: str | None
    root_ts: int | None
    root_dur: int | None
    collective_id: int | None
    """The root, if it is a collective."""
    last_peer: int | None
    """Rank that came last to it; last_number where its group is not known."""
    last_number: int | None
    last_peer_wait_ns: int | None
    inferred: bool | None


class StreamPairsRow(NamedTuple):
    """A stream of a device beside another one, in a step."""

    rank: int
    device_id: int | None
    stream_id: int
    other_stream_id: int
    busy_ns: int
    other_busy_ns: int
    both_ns: int
    """Both run something at once."""
    both_share: float | None
    """Of the time of the one that was busy for less."""
    waits: int
    """Of the first for a record of the other."""
    wait_ns: int
    unused_ns: int
    """The other had run all that was waited for and was not held itself."""
    longest_slice_id: int | None
    last_ts: int | None
    """The end of the last of these waits."""
    last_producer_slice_id: int | None
    last_producer: str | None


class WaitChainRow(NamedTuple):
    """A wait on the way from one to its root."""

    depth: int
    slice_id: int
    rank: int
    track_id: int
    stream_id: int | None
    name: str
    ts: int
    dur: int
    record_slice_id: int | None
    record_stream_id: int | None
    producer_slice_id: int | None
    producer_name: str | None
    root_slice_id: int | None
    """Only in the last row."""
    root_name: str | None


class CopiesRow(NamedTuple):
    """Copies of one direction, task type and name in a step."""

    rank: int
    device_id: int | None
    step: int | None
    direction: str | None
    """H2D, D2H, D2D or P2P."""
    task_type: str | None
    name: str
    count_: int
    total: int
    longest: int
    longest_slice_id: int
    period_share: float | None
    exposed_ns: int | None
    """Part in which nothing computes and no collective moves data."""
    bytes: int | None
    """Of those whose size is known."""
    sized: int
    bytes_per_s: float | None
    blocking: int | None
    """How many held up their thread; None where no launch is known."""
    staging_ns: int | None


class CopyCallsRow(NamedTuple):
    """One copy."""

    slice_id: int
    rank: int
    device_id: int | None
    step: int | None
    track_id: int
    stream_id: int | None
    """Stream of its lane."""
    task_type: str | None
    name: str
    ts: int
    dur: int
    direction: str | None
    """H2D, D2H, D2D or P2P."""
    bytes: int | None
    bytes_per_s: float | None
    exposed_ns: int | None
    blocking: bool | None
    staging_ns: int | None
    """Of a blocking copy from the host: time before it with nothing to wait for."""
    staging_bytes_per_s: float | None
    operator_name: str | None
    """The framework's operator that asked for it."""
    call_slice_id: int | None
    sync_slice_id: int | None
    """The call that waited for it."""
    inferred: bool | None


class PingPongRow(NamedTuple):
    """A copy to the host, and one of the same size back."""

    rank: int
    device_id: int | None
    step: int | None
    bytes: int
    slice_id: int
    ts: int
    dur: int
    back_slice_id: int
    back_ts: int
    back_dur: int
    between_ns: int
    moving_ns: int
    """Length of both."""
    exposed_ns: int | None
    operator_name: str | None


class LayoutOperatorsRow(NamedTuple):
    """Layout and conversion operators of one type in a step."""

    rank: int
    step: int | None
    type: str
    core: str | None
    count_: int
    total: int
    longest: int
    longest_kernel_id: int
    compute_share: float | None
    """Of the time in which the device computes."""
    period_share: float | None
    bytes: int | None
    """Read and written by those sized."""
    sized: int
    bytes_per_s: float | None


class LayoutChainsRow(NamedTuple):
    """Chains of layout operators alike."""

    rank: int
    step: int | None
    stream_id: int | None
    types: str
    operators: int
    count_: int
    total: int
    longest: int
    longest_ts: int
    longest_kernel_id: int
    tensor_bytes: int | None
    """What the first of a chain reads."""
    bytes: int | None
    """What all chains read and write."""
    linked: bool | None
    """Whether each reads the shape that the one before wrote."""


class BlockingCallsRow(NamedTuple):
    """A call that waits for the device, and the idle time that it leaves."""

    rank: int
    step: int | None
    slice_id: int
    track_id: int
    thread_name: str | None
    name: str
    ts: int
    dur: int
    """Time spent waiting; no saving."""
    idle_ns: int | None
    """Idle time of the device of which it is the cause; None where it is excluded."""
    idle_stretches: int | None
    period_share: float | None
    launches: int
    moves: bool
    line_slice_id: int | None
    line: str | None
    excluded: str | None
    """Why no step pays for it."""


class LaunchSyncLaunchRow(NamedTuple):
    """How often a thread waits for what it has just launched."""

    rank: int
    step: int | None
    track_id: int
    thread_name: str | None
    launches: int
    waits: int
    followed: int
    """Launches with a wait before the next launch."""
    ratio: float | None
    waited_ns: int
    longest_slice_id: int


class GapWaitsRow(NamedTuple):
    """Idle time that a wait for an event holds, and the root of the wait."""

    stall_id: int
    rank: int
    device_id: int | None
    step: int | None
    gap_id: int | None
    ts: int
    dur: int
    wait_slice_id: int
    wait_name: str
    wait_dur: int
    record_slice_id: int | None
    producer_slice_id: int | None
    producer_name: str | None
    depth: int | None
    root_slice_id: int | None
    root_name: str | None
    collective_id: int | None
    last_peer: int | None
    last_number: int | None
    next_slice_id: int | None
    next_name: str | None
