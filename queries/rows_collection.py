"""Rows of the answers about how a profile was collected, and what that did to its times.

As in ``rows`` there is one NamedTuple per question, named after it.
"""

from typing import NamedTuple


class CollectionRow(NamedTuple):
    """A fact of a rank's collection: its level, a switch, the schedule, the profiler's calls."""

    rank: int
    kind: str
    """level, switch, schedule or call."""
    name: str
    """As the profile names it, without a leading underscore."""
    value: str | None
    is_on: bool | None
    """None for what is no switch."""
    slows: str | None
    """host or device: whose times what is on distorts; None where nothing is known of it."""
    cost: str | None
    unlocks: str | None
    count_: int | None
    """Calls of the profiler that were recorded, and their time together."""
    dur: int | None


class JobRanksRow(NamedTuple):
    """A rank of the job."""

    rank: int
    collected: bool | None
    """None where the profiles do not name their ranks."""
    ranks: int
    """Ranks of the job, at least that many where it is inferred."""
    source: str
    """world_size, groups or profiles."""
    inferred: bool


class KernelSpacingRow(NamedTuple):
    """Gaps between tasks of which the next was already launched, by what ran before.

    The cluster has those from 3/4 to 4/3 of the median.
    """

    rank: int
    device_id: int | None
    before: str
    """AI Core for every kernel of its cores, else the task type, or communication."""
    count_: int
    total: int
    min: int
    median: int
    max: int
    cluster_from_ns: int
    cluster_to_ns: int
    cluster_count: int
    cluster_ns: int
    """Time of the gaps in the cluster."""
    cluster_share: float
    """Gaps in the cluster, of count_."""
    switches: str | None
    """Those that were on and space kernels."""
    profiler: bool
    """Whether the cluster is inferred to be the profiler's."""


class UntoldRow(NamedTuple):
    """Something that a profile cannot tell."""

    rank: int
    name: str
    """The name of its hint."""
    sample: str
    """A sentence: what is unknown, and why."""
    values: str | None
    """What the sentence tells, as a JSON object; NULL where it tells no value."""
    dur: int | None
    """Time in question."""
