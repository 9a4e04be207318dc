"""What the overview is told: answers of the catalogue, and whose time one picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..queries.rows import (
    GapsRow,
    GapSummaryRow,
    HealthRow,
    LedgerRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    StepsRow,
    TopRow,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the overview tells: the answers of the catalogue's questions."""

    profiles: Sequence[ProfilesRow]
    ranks_here: int
    """Ranks in the store; ``profiles`` may be of one that was chosen."""
    steps: Sequence[OverviewRow]
    times: Sequence[StepsRow]
    """When all steps of the profiles were, also where ``steps`` is one of them."""
    ledger: Sequence[LedgerRow]
    operators: Sequence[TopRow]
    gaps: Sequence[GapsRow]
    gap_summary: Sequence[GapSummaryRow]
    peers: Sequence[PeersRow]
    missing: Sequence[HealthRow]


@dataclass(frozen=True, slots=True)
class Block:
    """The steps of one rank and device, and what to call them."""

    name: str
    rank: int
    device_id: int | None
    steps: tuple[OverviewRow, ...]
