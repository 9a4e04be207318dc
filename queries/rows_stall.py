"""Rows of the answers about time without work: stalls, causes, phases, figures.

As in ``rows``: one NamedTuple per question, its fields the question's columns.
"""

from typing import NamedTuple


class StallsRow(NamedTuple):
    """A stretch in which a device does not work, for one reason."""

    stall_id: int
    rank: int
    device_id: int | None
    step: int | None
    state: str
    place: str | None
    ts: int
    dur: int
    period_share: float | None
    cause: str
    stage: str | None
    inferred: bool
    evidence_slice_id: int | None
    evidence_name: str | None
    line_slice_id: int | None
    line: str | None
    next_slice_id: int | None
    next_name: str | None
    peer: int | None
    gap_id: int | None


class CausesRow(NamedTuple):
    """The stalls of one state and cause, and of one name where they are listed by names."""

    rank: int
    device_id: int | None
    state: str
    place: str | None
    """Only by cause."""
    cause: str
    stage: str | None
    """Only by cause."""
    name: str | None
    """Of the task after it, the call or the line; None by cause."""
    count_: int
    total: int
    p50: int
    p95: int
    longest: int
    per_step: int | None
    """Whole ns, rounded down."""
    period_share: float | None
    """Of the periods of all steps here."""
    stall_share: float | None
    """Of all time of the device without work here."""
    inferred_ns: int
    longest_ts: int
    """Start of the longest."""
    evidence_slice_id: int | None
    """Of the longest."""


class PhasesRow(NamedTuple):
    """A phase of a step on a device; computing, waiting, moving and idle are the whole."""

    rank: int
    device_id: int | None
    step: int
    phase: str | None
    dur: int
    period_share: float | None
    computing: int
    """With communication inside and on the AI CPU too."""
    waiting: int
    moving: int
    idle: int
    busy_share: float | None
    """computing over dur."""
    main_cause: str | None
    """What most of its idle and waiting time is for."""


class ReconciliationRow(NamedTuple):
    """A figure of a step as the vendor and as the ledger have it."""

    rank: int
    step: int
    figure: str
    official: int | None
    own: int
    difference: int | None
    """own less official."""
    about: str
    """What is counted, and why the two may differ."""
    source: str
