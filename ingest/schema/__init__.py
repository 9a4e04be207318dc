"""The tables of the store: one row of each, its columns, units and physical order.

This is the only place where columns are documented; ``npuview schema`` and the
documentation are made from it. Times are int64 nanoseconds in the trace's own
clock, sizes are bytes, ratios lie in 0..1. Identifiers of tracks, slices and the
rest are unique in a whole store: ``rank ordinal << 40 | n``.
"""

from ..table import Table
from .communication import COLLECTIVE, GROUP_MEMBER, LINK, PEER_ARRIVAL
from .drawn import LANE_PART, LOD, STRETCH
from .trace import COUNTER, COUNTER_SERIES, FLOW, IMPORT_STAT, PROFILE, SLICE, SLICE_ARG, TRACK
from .vendor import VENDOR_COLLECTIVE, VENDOR_LINK
from .waiting import EVENT_WAIT, GAP, GAP_TOTAL, HOST_SYNC, LEDGER, QUEUE_GAP, STALL
from .words import (
    EPOCH_FROM_NS,
    IDLE_CAUSES,
    LEDGER_STATES,
    SLICE_CLASSES,
    SLICE_PARTS,
    STEP_PHASES,
    TRACK_KINDS,
)
from .work import (
    AICPU_CALL,
    ALLOCATION,
    COPY,
    KERNEL,
    KERNEL_METRIC,
    KERNEL_SHAPE,
    LAST_LAUNCH,
    LAUNCH_LINK,
    LAUNCH_PACE,
    LAYOUT_CALL,
    OPERATOR_TOTAL,
    OPERATOR_USUAL,
    STEP,
)

SCHEMA_VERSION = 9

ID_BITS = 40
"""Rows of one rank that an identifier has room for, as a power of two."""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        PROFILE,
        TRACK,
        SLICE,
        SLICE_ARG,
        FLOW,
        COUNTER_SERIES,
        COUNTER,
        STEP,
        LEDGER,
        KERNEL,
        KERNEL_METRIC,
        KERNEL_SHAPE,
        LAUNCH_LINK,
        LAST_LAUNCH,
        LAUNCH_PACE,
        STALL,
        GAP,
        GAP_TOTAL,
        QUEUE_GAP,
        STRETCH,
        COLLECTIVE,
        PEER_ARRIVAL,
        EVENT_WAIT,
        HOST_SYNC,
        COPY,
        GROUP_MEMBER,
        LINK,
        VENDOR_COLLECTIVE,
        VENDOR_LINK,
        ALLOCATION,
        OPERATOR_TOTAL,
        OPERATOR_USUAL,
        LAYOUT_CALL,
        AICPU_CALL,
        LOD,
        LANE_PART,
        IMPORT_STAT,
    )
}
"""Every table by name; a profile's CSV files add ``summary_<name>`` tables of their own."""

SUMMARY_PREFIX = "summary_"

__all__ = [
    "AICPU_CALL",
    "ALLOCATION",
    "COLLECTIVE",
    "COPY",
    "COUNTER",
    "COUNTER_SERIES",
    "EPOCH_FROM_NS",
    "EVENT_WAIT",
    "FLOW",
    "GAP",
    "GAP_TOTAL",
    "GROUP_MEMBER",
    "HOST_SYNC",
    "IDLE_CAUSES",
    "ID_BITS",
    "IMPORT_STAT",
    "KERNEL",
    "KERNEL_METRIC",
    "KERNEL_SHAPE",
    "LANE_PART",
    "LAST_LAUNCH",
    "LAUNCH_LINK",
    "LAUNCH_PACE",
    "LAYOUT_CALL",
    "LEDGER",
    "LEDGER_STATES",
    "LINK",
    "LOD",
    "OPERATOR_TOTAL",
    "OPERATOR_USUAL",
    "PEER_ARRIVAL",
    "PROFILE",
    "QUEUE_GAP",
    "SCHEMA_VERSION",
    "SLICE",
    "SLICE_ARG",
    "SLICE_CLASSES",
    "SLICE_PARTS",
    "STALL",
    "STEP",
    "STEP_PHASES",
    "STRETCH",
    "SUMMARY_PREFIX",
    "TABLES",
    "TRACK",
    "TRACK_KINDS",
    "VENDOR_COLLECTIVE",
    "VENDOR_LINK",
]
