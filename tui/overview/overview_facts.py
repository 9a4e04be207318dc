"""What the overview is told: answers of the catalogue, and whose time one picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...queries.rows import (
    CollectivesRow,
    GapsRow,
    GapSummaryRow,
    HealthRow,
    IterationsRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    TopRow,
)
from ...queries.rows_moving import CopiesRow
from ...queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from ..user.run_card import RunCard
from .job import Job


@dataclass(frozen=True, slots=True)
class Facts:
    """What the overview tells: the answers of the catalogue's questions."""

    profiles: Sequence[ProfilesRow]
    steps: Sequence[OverviewRow]
    causes: Sequence[CausesRow]
    """Of the idle and the waiting time of these steps."""
    gaps: Sequence[GapsRow]
    peers: Sequence[PeersRow]
    operators: Sequence[TopRow] = ()
    gap_summary: Sequence[GapSummaryRow] = ()
    missing: Sequence[HealthRow] = ()
    collectives: Sequence[CollectivesRow] = ()
    copies: Sequence[CopiesRow] = ()
    job: Job | None = None
    """None where the size of the job is not known."""
    phases: Sequence[PhasesRow] = ()
    figures: Sequence[ReconciliationRow] = ()
    """The vendor's beside our own."""
    iterations: Sequence[IterationsRow] = ()
    """Of all steps; none where only one of them is told."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which conditions a rank ran, as far as that is known."""

    spacing_ns: int | None = None
    """How far kernels were spaced by collecting, which is inferred; None where they were not."""
    card: RunCard = field(default_factory=RunCard)


@dataclass(frozen=True, slots=True)
class Block:
    """The steps of one rank, on one of its devices or on all, and what to call them."""

    name: str
    rank: int
    steps: tuple[OverviewRow, ...]

    def holds(self, rank: int, device_id: int | None) -> bool:
        """Tell whether it is about a device of a rank."""
        return rank == self.rank and any(step.device_id == device_id for step in self.steps)
