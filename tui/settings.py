"""What a user can set while the app runs; it starts as the configuration says."""

from dataclasses import dataclass

GAP_THRESHOLD_NS = 100_000


@dataclass(slots=True)
class Settings:
    """Settings that the views share."""

    gap_threshold_ns: int = GAP_THRESHOLD_NS
    """Length from which a gap counts, ns."""
