"""Rows of the answers about ranks that wait for each other, and the links between them.

The rules are those of ``rows``.
"""

from typing import NamedTuple


class LateRanksRow(NamedTuple):
    """A rank over all collectives of a group."""

    group: str | None
    number: int | None
    """As the group numbers it; None where nobody waited for it."""
    peer: int | None
    collected: bool | None
    collectives: int
    times_last: int
    late_ns: int | None
    """How much later than the first rank it came in all; None where it cannot be told."""
    longest: int | None
    longest_collective_id: int | None
    clock_late_ns: int | None
    ends_apart_ns: int | None
    least_wait_ns: int | None
    source: str
    """notify_wait, compared, clocks or cannot_tell."""
    inferred: bool | None


class LateArrivalsRow(NamedTuple):
    """A rank at a collective; fields as in LateRanksRow."""

    collective_id: int
    step: int | None
    name: str
    nth: int
    """Which of the collectives of this name in the step."""
    group: str | None
    number: int | None
    peer: int | None
    collected: bool | None
    last: bool | None
    late_ns: int | None
    clock_late_ns: int | None
    ends_apart_ns: int | None
    least_wait_ns: int | None
    source: str
    inferred: bool | None


class RanksRow(NamedTuple):
    """A rank of the job; what it did is None where it is not in the store."""

    rank: int | None
    group: str | None
    """The group that numbers it, where its rank is not known."""
    number: int | None
    collected: bool | None
    device_id: int | None
    host: str | None
    steps: int | None
    step_ns: int | None
    """Median period of its steps."""
    late_ns: int | None
    times_last: int | None
    collectives: int | None
    least_wait_ns: int | None
    source: str | None
    inferred: bool | None
    period: int | None
    computing: int | None
    waiting: int | None
    moving: int | None
    collective_unsplit: int | None
    idle: int | None
    waiting_share: float | None
    idle_share: float | None


class LinksRow(NamedTuple):
    """Messages of one task to or from a peer over one kind of link."""

    rank: int
    device_id: int | None
    group: str | None
    number: int | None
    """As the group numbers the peer; None for the rank itself."""
    peer: int | None
    task: str
    transport: str | None
    link: str | None
    count_: int
    bytes: int | None
    total: int
    bytes_per_s: float | None
    min_bytes_per_s: float | None
    """Of the slowest message."""
    max_bytes_per_s: float | None
    median_ratio: float | None


class LinkSizesRow(NamedTuple):
    """Messages from one size to less than twice that."""

    rank: int
    device_id: int | None
    operation: str
    task: str
    transport: str | None
    link: str | None
    from_bytes: int | None
    count_: int
    bytes: int | None
    total: int
    bytes_per_s: float | None
    min_bytes_per_s: float | None
    max_bytes_per_s: float | None


class ExposedCollectivesRow(NamedTuple):
    """A collective and what of it no compute covers; other fields as in CollectivesRow."""

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
    exposed_ns: int | None
    exposed_transfer_ns: int | None
    exposed_wait_ns: int | None
    period_share: float | None
    """exposed_ns over the period of its step."""
    transfer_ns: int | None
    wait_ns: int | None
    bytes_per_s: float | None
    last_peer: int | None
    last_number: int | None
    could_cover_ns: int | None
    """Compute of the step outside of all collectives."""


class PipelineBubblesRow(NamedTuple):
    """Waits for another pipeline stage in a step."""

    rank: int
    device_id: int | None
    step: int
    period: int | None
    receives: int
    receive_ns: int
    own_ns: int | None
    bubble: int | None
    """The vendor's figure."""
    own_share: float | None


class VendorCollectivesRow(NamedTuple):
    """The vendor's figures of a collective beside ours."""

    rank: int
    step: int | None
    name: str
    group: str | None
    collective_id: int | None
    """None where the timeline does not have it: then all of ours are."""
    ts: int | None
    elapse_ns: int | None
    dur: int | None
    transit_ns: int | None
    """Of one plane; transfer_ns is of all."""
    transfer_ns: int | None
    wait_ns: int | None
    own_wait_ns: int | None
    idle_ns: int | None
    """The vendor's rest, in which the waits of other planes are."""
    own_rest_ns: int | None
    synchronization_ns: int | None
    wait_ratio: float | None
    own_wait_ratio: float | None
    plane: int | None
    """The plane from which the vendor's figures are; None where it cannot be told."""
    bytes: int | None
    about: str


class VendorLinksRow(NamedTuple):
    """What the vendor says went over a link, beside ours."""

    rank: int
    step: int | None
    operation: str
    group: str | None
    src: int
    dst: int
    peer: int | None
    transport: str | None
    bytes: int | None
    own_bytes: int | None
    total: int | None
    own_total: int | None
    bytes_per_s: float | None
    about: str


class VendorSlowRankRow(NamedTuple):
    """Whom the vendor's rule and whom the waits call slow."""

    step: int | None
    group: str | None
    ranks: int
    vendor_rank: int | None
    vendor_ratio: float | None
    most_ratio: float | None
    peer: int | None
    number: int | None
    """The same peer as its group numbers it."""
    late_ns: int | None
    collected: bool | None
    agrees: bool | None
    about: str
