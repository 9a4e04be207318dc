"""The ranks of a job: how many there are, and which of them are not here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...queries.rows_collection import JobRanksRow
from ..words.spoken import counted, say

MOST_RANGES = 8
"""Ranges of ranks that are named; of more it is said that there are more."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job of ``ranks`` ranks, or of at least that many, of which some are ``missing``."""

    ranks: int
    least: bool
    missing: tuple[int, ...]
    """Numbers of those that are known not to be here."""

    @property
    def size(self) -> str:
        """Return how many ranks there are, ``8`` or ``at least 8``."""
        size = f"{self.ranks:,}"
        return say("at_least", what=size) if self.least else size

    @property
    def left(self) -> str:
        """Return how many are not here, ``6 ranks``; empty for none."""
        if not self.missing:
            return ""
        count = counted(len(self.missing), "rank")
        return say("at_least", what=count) if self.least else count


def job_of(rows: Sequence[JobRanksRow], here: Iterable[int]) -> Job | None:
    """Return the job by the answer of ``job_ranks``; None where its size is not known.

    ``here`` are all ranks of the store, also those that are not opened: they are not
    missing.
    """
    if not rows or rows[0].source == "profiles":
        return None
    present = set(here)
    missing = [row.rank for row in rows if row.collected is False and row.rank not in present]
    return Job(rows[0].ranks, rows[0].inferred, tuple(missing))


def ranges(ranks: Iterable[int]) -> str:
    """Return sorted ranks as ranges: ``2-7, 9``."""
    found: list[list[int]] = []
    for rank in ranks:
        if found and found[-1][1] == rank - 1:
            found[-1][1] = rank
        else:
            found.append([rank, rank])
    named = [str(low) if low == high else f"{low}-{high}" for low, high in found[:MOST_RANGES]]
    return ", ".join([*named, *(["…"] if len(found) > MOST_RANGES else [])])
