"""Rows of the answers about the device's memory.

As in ``rows``: one NamedTuple per question, its fields the question's columns.
"""

from typing import NamedTuple


class MemoryRow(NamedTuple):
    """The highest sample of a series in a part of the time."""

    series_id: int
    rank: int
    source: str | None
    component: str
    key: str
    ts: int
    held_bytes: int | None
    """None beyond 64 bits, which only damaged files have."""
    samples: int
    """Samples in that part."""


class MemoryPeaksRow(NamedTuple):
    """The most that a component holds, and when it first does."""

    rank: int
    device_id: int | None
    source: str | None
    component: str
    key: str
    peak_bytes: int | None
    ts: int
    step: int | None
    """In which the host is then."""
    phase: str | None
    """In which the device is then."""
    reserved_bytes: int | None
    """Then, of the same allocator; None unless key is allocated."""
    unused_bytes: int | None
    unused_share: float | None
    lowest_bytes: int | None
    last_bytes: int | None
    samples: int
    series_id: int


class MemoryHoldersRow(NamedTuple):
    """Who holds memory at an instant: an operator, one allocation, or without a name the rest."""

    rank: int
    device_id: int | None
    component: str
    at_ts: int
    level_bytes: int | None
    name: str | None
    count_: int | None
    held_bytes: int | None
    share: float | None
    """Of the level."""
    explained_share: float | None
    """What all allocations here have of the level."""
    largest_bytes: int | None
    ts: int | None
    """When the largest was taken; None if before the profile began."""
    release_ts: int | None
    step: int | None
    allocation_id: int | None
    """The largest."""


class MemoryStepsRow(NamedTuple):
    """What an allocator has given away at the end of a step of the host."""

    rank: int
    device_id: int | None
    component: str
    step: int
    end_ts: int
    level_bytes: int | None
    growth_bytes: int | None
    """None for the first step."""
    peak_bytes: int | None
    kept_count: int | None
    kept_bytes: int | None
    kept_name: str | None
    slope_bytes: int | None
    rising: int | None
    growths: int | None


class MemoryUnreleasedRow(NamedTuple):
    """What an operator took and nobody gave back before the profile ended."""

    rank: int
    device_id: int | None
    component: str
    name: str | None
    count_: int
    held_bytes: int | None
    share: float | None
    largest_bytes: int
    ts: int | None
    steps: int
    """In how many steps it was taken."""
    first_step: int | None
    last_step: int | None
    allocation_id: int


class MemoryStallsRow(NamedTuple):
    """Idle time in which the host is in a call for device memory, by the call's name."""

    rank: int
    device_id: int | None
    name: str | None
    count_: int
    total: int
    per_step: int | None
    period_share: float | None
    longest: int
    ts: int
    step: int | None
    calls: int | None
    calls_ns: int | None
    evidence_slice_id: int | None
