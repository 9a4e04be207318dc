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
from ..words.reasons import cause_words
from ..words.spoken import counted, say

JudgedRow = PairFiguresRow | PairGapsRow | PairOperatorsRow
"""Rows with a verdict."""

NOTED = ("config", "batch")
"""Fields of a run card that are settings."""


VERDICTS = {
    "better": "verdict_better",
    "worse": "verdict_worse",
    "insignificant": "verdict_insignificant",
}
PRESENCES = {"new": "presence_new", "gone": "presence_gone", "mapped": "presence_mapped"}


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
    text = VERDICTS.get(row.verdict)
    if text is not None:
        return say(text)
    fewest = min(row.base_steps, row.test_steps)
    return say("verdict_untold", steps=counted(fewest, "step") if fewest else say("no_steps"))


def presence_words(presence: str) -> str:
    """Return how an operator that is not the same in both runs is in them."""
    return say(PRESENCES[presence])


def figure_words(figure: str, cause: str | None = None) -> str:
    """Return a figure of a step as people read it, with what is waited for in it."""
    said = say(f"figure_{figure}")
    if cause is None:
        return said
    return say("figure_of_cause", figure=said, cause=cause_words(cause))
