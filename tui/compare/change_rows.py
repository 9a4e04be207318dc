"""What changed from one run to another, as rows of one list: operators, and gaps by cause."""

from typing import NamedTuple

from ..draw import numbers
from ..words.reasons import cause_words
from ..words.spoken import say
from .compared import Compared, JudgedRow, step_calls, verdict_words
from .reason_words import reason_words

CHANGED = frozenset({"better", "worse", "unknown"})
SMALL = 100
"""A change of less than this part of what was before is a small one."""


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
    calls: str
    """How often in a mean step of either run; of gaps in all steps that are compared."""
    spread: str
    """Up to which difference it is noise; empty where that is not known."""
    operator: str | None = None
    core: str | None = None
    why: str = ""
    """What of the change is explained, and by what; empty where nothing is."""
    cause: str | None = None
    """Of gaps: why they are there; None of operators, and of gaps without a cause."""

    @property
    def is_gap(self) -> bool:
        """Tell whether it is about gaps."""
        return self.operator is None

    @property
    def is_small(self) -> bool:
        """Tell whether it is noise, or less than 1 % of what was before."""
        if self.verdict not in CHANGED:
            return True
        return self.base_dur is not None and abs(self.difference or 0) * SMALL < self.base_dur


class Changes(NamedTuple):
    """What changed, the largest change first, and what did so by little."""

    large: list[Change]
    small: list[Change]


def changes(compared: Compared) -> Changes:
    """Return the changes of operators and of gaps by cause."""
    found = compared.found
    rows = [
        _change(
            row.name,
            row,
            presence=row.presence,
            calls=f"{step_calls(row.base_calls)} -> {step_calls(row.test_calls)}",
            operator=row.name,
            core=row.core,
        )._replace(why=reason_words(row, found))
        for row in found.operators
    ]
    rows += [
        _change(
            say("gaps_of", cause=cause_words(row.cause)),
            row,
            calls=f"{row.base_count:,} -> {row.test_count:,}",
            cause=row.cause,
        )._replace(why=reason_words(row, found))
        for row in found.gaps
        if row.scope == "cause"
    ]
    rows.sort(key=lambda row: -abs(row.difference or 0))
    return Changes([row for row in rows if not row.is_small], [row for row in rows if row.is_small])


def _change(
    name: str,
    row: JudgedRow,
    *,
    calls: str,
    presence: str = "both",
    operator: str | None = None,
    core: str | None = None,
    cause: str | None = None,
) -> Change:
    return Change(
        name,
        row.base_dur,
        row.test_dur,
        row.difference,
        presence,
        row.verdict,
        verdict_words(row),
        calls,
        "" if row.noise_ns is None else numbers.time(row.noise_ns),
        operator,
        core,
        cause=cause,
    )
