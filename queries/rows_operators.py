"""Rows of the answers about operators beside their totals; rules as in ``rows``."""

from typing import NamedTuple


class OperatorSpreadRow(NamedTuple):
    """An operator whose longest call takes many times its shortest (S1-R4)."""

    rank: int
    type: str
    """Its name where the type was not collected."""
    core: str
    count_: int
    total: int
    min: int
    max: int
    spread: float | None
    explained: bool | None
    """Whether calls of the same shapes are alike; None where shapes were not collected."""
    shape_groups: int
    """Groups of calls of the same shapes, types and formats."""
    group_spread: float
    """The widest spread inside one of them."""
    slow: int
    """Calls so much longer than the shortest of their group, of groups that spread."""
    fast: int
    """The other calls of these groups."""
    excess_ns: int
    """What the slow calls take more than the shortest of their group."""
    converted: int
    """Slow calls with a conversion directly before them on their stream."""
    fast_converted: int
    """The same of the other calls: where most have one too, it tells nothing."""
    conversion: str | None
    conversion_ns: int
    longest_ts: int | None
    longest_kernel_id: int | None


class OperatorExplosionRow(NamedTuple):
    """A step that calls a type much more often than the median step (S2-R11)."""

    rank: int
    step: int
    type: str | None
    """None of all kernels of the step."""
    core: str | None
    count_: int
    median_count: int
    added: int
    """Calls more than in the median step."""
    times: float | None
    """count over median_count; None where the median step has none."""
    total: int
    added_ns: int
    avg: int
    launch_ns: int | None
    """Median time from one launch to the next; None without launches."""
    period: int
    longer_ns: int
    """How much longer the step is than the median step."""


class TinyOperatorsRow(NamedTuple):
    """Kernels of a type that are shorter than the launch of the next (S2-R11)."""

    rank: int
    type: str
    core: str | None
    calls: int
    """All calls of the type."""
    count_: int
    total: int
    avg: int
    launch_ns: int
    starved: int
    """Of these the ones for which the device waited, as the host had launched nothing."""
    idle_ns: int
    period_share: float | None
    """idle_ns over the periods of the steps."""
    longest_kernel_id: int | None


class AicpuOperatorsRow(NamedTuple):
    """Calls of an operator that an AI CPU runs (W17)."""

    rank: int
    type: str | None
    name: str
    input_dtypes: str | None
    input_shapes: str | None
    count_: int
    total: int
    max: int
    alone_ns: int
    """Of total, while no other kernel runs."""
    period_share: float | None
    """alone_ns inside steps over their periods."""
    caller: str | None
    callers: int
    longest_ts: int
    longest_kernel_id: int


class OperatorCheckRow(NamedTuple):
    """The kernels of a type and core beside the vendor's sum (S2-08); None where one has none."""

    rank: int
    type: str | None
    core: str | None
    count_: int | None
    official_count: int | None
    own: int | None
    official: int | None
    difference: int | None
    about: str


class OutlierCallsRow(NamedTuple):
    """A call that is longer than most of the calls it is compared with (S1-22)."""

    kernel_id: int
    rank: int
    slice_id: int | None
    step: int | None
    ts: int
    dur: int
    p50: int
    """Of all calls that were compared."""
    fence_ns: int
    """Longer than this is an outlier."""
    shape_p50: int
    """Of the calls of the same shapes, types and formats, of which there are shape_count."""
    shape_count: int
    why: str | None
    """shape, conversion, or None: not explained."""
    before_type: str | None
    """The layout operator directly before it on its stream."""
    before_dur: int | None
