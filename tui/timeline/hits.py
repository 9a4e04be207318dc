"""What a search found, and which of it was gone to."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...queries.rows_timeline import SearchHitsRow
from ..draw.run import Attributes
from ..words.spoken import say

MOST_HITS = 1000


@dataclass(frozen=True, slots=True)
class Hits:
    """The slices that were found, in time; ``attributes`` is how they are marked."""

    text: str
    rows: Sequence[SearchHitsRow]
    attributes: Attributes
    at: int = 0

    @property
    def row(self) -> SearchHitsRow:
        """Return the hit that was gone to."""
        return self.rows[self.at]

    def after(self, ts: int) -> "Hits":
        """Return the hits at the first one from an instant on; at the first of all if none is."""
        at = bisect_left(self.rows, ts, key=lambda row: row.ts)
        return replace(self, at=at % len(self.rows)) if self.rows else self

    def moved(self, away: int) -> "Hits":
        """Return the hits at the next one, around the end."""
        return replace(self, at=(self.at + away) % len(self.rows))

    def said(self) -> str:
        """Return which hit it is of how many."""
        more = "+" if len(self.rows) >= MOST_HITS else ""
        return say("some_of_all", some=f"{self.at + 1:,}", all=f"{len(self.rows):,}{more}")
