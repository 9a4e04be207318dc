"""The rows of questions about the cores: what bounds kernels and operators.

As in ``rows``: times are integers of nanoseconds, and None is what is not known. A unit's
ratio is its busy share 0..1 of the core's time; None where it was not measured or the
core has no such unit.
"""

from typing import NamedTuple


class AicoreRow(NamedTuple):
    """The calls of an operator type on one kind of core; ratios are weighted by time."""

    rank: int
    type: str | None
    core: str | None
    side: str | None
    """cube, vector, or core where a chip has one kind; None: the units were not measured."""
    count_: int
    total: int
    kernel_share: float | None
    """Of the time of all kernels of AI cores in scope."""
    mac_ratio: float | None
    vec_ratio: float | None
    mte1_ratio: float | None
    mte2_ratio: float | None
    mte3_ratio: float | None
    fixpipe_ratio: float | None
    scalar_ratio: float | None
    busiest: str | None
    busiest_ratio: float | None
    bound: str | None
    """The busiest unit if its ratio is ``least_ratio`` or more, else ``none``."""
    least_ratio: float
    bound_ns: int | None
    """Time of the calls that some unit bounds."""
    mte2_ns: int | None
    """Time of the calls that mte2 bounds."""
    memory_bound: float | None
    """How many times as long moving takes as computing; None if nothing computes."""
    memory_bound_count: int | None
    memory_bound_ns: int | None
    longest: int


class FusionCandidatesRow(NamedTuple):
    """Runs of operators that one kernel could replace, of a pattern and the same types."""

    rank: int
    stream_id: int | None
    """The stream, or its track where no stream is known."""
    pattern: str
    fused: str
    """What could run instead."""
    types: str
    """Operator types in their order, with ``>`` between them."""
    members: int
    count_: int
    total: int
    """Time of the members of all runs."""
    gap_ns: int
    """Time between the members of all runs."""
    least_ns: int
    """What one kernel instead would save: the gaps, without what the collection adds to them."""
    most_ns: int | None
    """The same with the time of ``bytes`` at a bandwidth; None if either is not known."""
    computed_ns: int | None
    """Part of total in which the unit that computes was busy; None if not measured."""
    bytes: int | None
    """Written by a member for the next and read again; None if a shape is not known."""
    sized: int
    """Runs whose shapes are known."""
    fp32: int
    """Runs with an input of type FLOAT."""
    unaligned: int
    """Runs in which an inner axis in between is no multiple of 512 bytes."""
    beside: int
    """Runs during which another stream computes."""
    graph: str
    """By fusion_op.csv: not_collected, partly_fused, fused_elsewhere or not_fused."""
    graph_fused: int | None
    """Operators that the graph engine made of what the pattern fits; None without the file."""
    longest: int
    longest_ts: int
    longest_step: int | None
    longest_kernel_id: int


class BlockCountsRow(NamedTuple):
    """Calls of an operator type with the same number of blocks."""

    rank: int
    type: str | None
    core: str | None
    blocks: int
    cores: int
    cores_inferred: bool
    """Whether the profile does not name its cores."""
    count_: int
    total: int
    efficiency_ratio: float
    """blocks over the cores of all their rounds, 0..1."""
    lost_ns: int
    """Time of the calls by which cores were without a block, an upper bound."""
    small: bool
    longest: int
    longest_kernel_id: int


class FrequencyDropsRow(NamedTuple):
    """Kernels that ran at a frequency; mhz is None where the counter says nothing of them."""

    rank: int
    mhz: float | None
    usual_mhz: float | None
    """At which the rank's kernels ran longest."""
    low: bool | None
    samples: int
    """Values that the counter has on the rank; 0 without it."""
    count_: int
    total: int
    compared: int
    """Kernels for which there are calls like them at the usual frequency."""
    slower: int | None
    slower_ns: int | None
    """What the slower ones take more than the median of those."""
    longest: int
    longest_ts: int
    longest_kernel_id: int


class AicoreKernelsRow(NamedTuple):
    """A kernel and the unit that bounds it."""

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
    side: str | None
    mac_ratio: float | None
    vec_ratio: float | None
    mte1_ratio: float | None
    mte2_ratio: float | None
    mte3_ratio: float | None
    fixpipe_ratio: float | None
    scalar_ratio: float | None
    busiest: str | None
    busiest_ratio: float | None
    bound: str | None
    least_ratio: float
    memory_bound: float | None
    """How many times as long moving takes as computing; None if nothing computes."""
    blocks: int | None
    cores: int | None
    """Cores for these blocks; None if the blocks are not known."""
    cores_inferred: bool | None
    efficiency_ratio: float | None
    """blocks over the cores of all their rounds, 0..1."""


class FusedOperatorsRow(NamedTuple):
    """An operator of fusion_op.csv, and the kernels of its name."""

    rank: int
    model: str | None
    name: str | None
    original: str | None
    """The operators that it stands for, ";" between them."""
    originals: int | None
    bytes: int | None
    """Memory in all, by the file."""
    type: str | None
    count_: int | None
    """None where none was recorded."""
    total: int | None
