"""Two runs as they are told: their names, what was found, and what a person noted of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...queries.comparison import Comparison
from ...queries.rows_compare import (
    PairFiguresRow,
    PairGapsRow,
    PairOperatorsRow,
    PairSettingsRow,
)
from ..draw import numbers
from ..user.run_card import RunCard

JudgedRow = PairFiguresRow | PairGapsRow | PairOperatorsRow
"""Rows with a verdict."""

NOTED = ("config", "batch")
"""Fields of a run card that are settings."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What two runs differ in, under the names that they were asked for."""

    base: str
    test: str
    found: Comparison
    settings: Sequence[PairSettingsRow]

    @property
    def changed(self) -> list[PairSettingsRow]:
        """Return the settings that differ."""
        return [row for row in self.settings if row.changed]


def compared(
    base: str, test: str, found: Comparison, base_card: RunCard, test_card: RunCard
) -> Compared:
    """Add to a comparison the names of its runs, and what a person noted of them."""
    return Compared(base, test, found, with_noted(found.settings, base_card, test_card))


def with_noted(
    settings: Sequence[PairSettingsRow], base_card: RunCard, test_card: RunCard
) -> list[PairSettingsRow]:
    """Return settings with those that a person noted of either run; what changed comes first."""
    noted: list[PairSettingsRow] = []
    for name in NOTED:
        before, now = getattr(base_card, name), getattr(test_card, name)
        if before is not None or now is not None:
            noted.append(PairSettingsRow(name, before, now, before != now))
    return sorted([*noted, *settings], key=lambda row: not row.changed)


def step_calls(calls: float | None) -> str:
    """Return how often an operator is called in a step, which need not be the same in all."""
    return numbers.NOT_MEASURED if calls is None else f"{calls:,.6g}"


def verdict_words(row: JudgedRow) -> str:
    """Return a verdict as it is said; where there is none, how many steps are too few."""
    if row.verdict != "unknown":
        return {"insignificant": "no significant change"}.get(row.verdict, row.verdict)
    fewest = min(row.base_steps, row.test_steps)
    steps = {0: "no step", 1: "one step"}.get(fewest, f"{fewest} steps")
    return f"cannot tell, {steps}"
