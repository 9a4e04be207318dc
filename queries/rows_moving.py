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
    last_peer_wait_ns: int | None
    inferred: bool | None


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
