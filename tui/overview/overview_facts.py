"""What the overview is told: answers of the catalogue, and whose time one picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...queries.rows import (
    CollectivesRow,
    GapsRow,
    GapSummaryRow,
    HealthRow,
    OperatorCallsRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    StepsRow,
    TopRow,
    WaitCallsRow,
)
from ...queries.rows_moving import CopiesRow, CopyCallsRow
from ...queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from .job import Job


@dataclass(frozen=True, slots=True)
class Facts:
    """What the overview tells: the answers of the catalogue's questions."""

    profiles: Sequence[ProfilesRow]
    steps: Sequence[OverviewRow]
    times: Sequence[StepsRow]
    """When all steps of the profiles were, also where ``steps`` is one of them."""
    causes: Sequence[CausesRow]
    """Of the idle and the waiting time of these steps."""
    operators: Sequence[TopRow]
    gaps: Sequence[GapsRow]
    gap_summary: Sequence[GapSummaryRow]
    peers: Sequence[PeersRow]
    missing: Sequence[HealthRow]
    places: "Places | None" = None
    """Where to look; None where nothing is to be gone to."""
    job: Job | None = None
    """None where the size of the job is not known."""
    phases: Sequence[PhasesRow] = ()
    figures: Sequence[ReconciliationRow] = ()
    """The vendor's beside our own."""


@dataclass(frozen=True, slots=True)
class Places:
    """The longest of each kind: what one would look at first. Empty: there is none."""

    gap_threshold: int
    """Length from which a gap is a long one, ns."""
    long_gaps: Sequence[GapSummaryRow]
    waits: Sequence[WaitCallsRow]
    """The longest wait for a peer."""
    collectives: Sequence[CollectivesRow]
    copies: Sequence[CopiesRow]
    copy_calls: Sequence[CopyCallsRow]
    operator_calls: Sequence[OperatorCallsRow]
    """The longest call of the first operator."""
    ai_cpu_calls: Sequence[OperatorCallsRow]


@dataclass(frozen=True, slots=True)
class Block:
    """The steps of one rank, on one of its devices or on all, and what to call them."""

    name: str
    rank: int
    steps: tuple[OverviewRow, ...]

    def holds(self, rank: int, device_id: int | None) -> bool:
        """Tell whether it is about a device of a rank."""
        return rank == self.rank and any(step.device_id == device_id for step in self.steps)
