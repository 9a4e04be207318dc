"""What changed from one run to another, as rows of one list: operators, and gaps by cause."""

from collections.abc import Sequence
from typing import NamedTuple

from ..words.reasons import cause_words
from ..words.spoken import say
from .compared import Compared, JudgedRow, verdict_words

CHANGED = frozenset({"better", "worse", "unknown"})


class Change(NamedTuple):
    """An operator or the gaps of a cause: times of the median step, ns."""

    name: str
    base_dur: int | None
    test_dur: int | None
    difference: int | None
    presence: str
    """both, new, gone or mapped."""
    verdict: str
    said: str
    """The verdict as it is said."""


def changes(compared: Compared) -> list[Change]:
    """Return what changed by more than noise, the largest change first."""
    found = compared.found
    rows = [_change(row.name, row, row.presence) for row in found.operators]
    rows += [
        _change(say("gaps_of", cause=cause_words(row.cause)), row, "both")
        for row in found.gaps
        if row.scope == "cause"
    ]
    told = [row for row in rows if row.verdict in CHANGED]
    return sorted(told, key=lambda row: -abs(row.difference or 0))


def quiet(compared: Compared, told: Sequence[Change]) -> int:
    """Return how many operators and causes changed by no more than noise."""
    found = compared.found
    return len(found.operators) + sum(row.scope == "cause" for row in found.gaps) - len(told)


def _change(name: str, row: JudgedRow, presence: str) -> Change:
    return Change(
        name, row.base_dur, row.test_dur, row.difference, presence, row.verdict, verdict_words(row)
    )
