"""Two runs held against each other: what changed, whether it is more than noise, and why.

Answers of ``sql/compare`` are gathered here with what follows from several of them: where
the bottleneck went (S1-R11), how many settings changed (S2-H5), and which new operators
may stand for others, faster or slower than they were (S2-R15).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeVar

from ..ingest.vocabulary import COLLECTIVE_CORES
from .pair import PairSession, pair_queries
from .rows_compare import (
    PairFiguresRow,
    PairFusionsRow,
    PairGapsRow,
    PairOperatorsRow,
    PairReasonsRow,
    PairSettingsRow,
)

RowType = TypeVar("RowType")

OperatorMap = Mapping[str, Sequence[str]]
"""Operators of the later run, each with those of the earlier one that it stands for."""

PERIOD: Final = "period"
WORK: Final = frozenset({"computing", "mc2", "aicpu"})
"""States in which a device works."""

BOTTLENECK_SHARE: Final = 0.1
"""Of the period: who loses less to anything is bound by an operator."""

CALLED_MORE: Final = 2
"""Times as many calls in a step: an operator that falls to pieces (S2-R11)."""

Fate = Literal["moved", "improved", "untouched", "grown", "unknown"]


class Bottleneck(NamedTuple):
    """What held a run up most, and what does now: a state with its cause, or an operator."""

    before: PairFiguresRow | PairOperatorsRow
    after: PairFiguresRow | PairOperatorsRow

    @property
    def name(self) -> str:
        """Return what held the earlier run up most: a state with its cause, or an operator."""
        return _name(self.before)

    @property
    def now(self) -> str:
        """Return what holds the later run up most."""
        return _name(self.after)

    @property
    def base_dur(self) -> int:
        """Return its time in the median step of the earlier run, ns."""
        return self.before.base_dur or 0

    @property
    def test_dur(self) -> int:
        """Return its time in the median step of the later run, ns."""
        return self.before.test_dur or 0

    @property
    def fate(self) -> Fate:
        """Return what became of it: moved where something else holds the later run up more."""
        verdict = self.before.verdict
        if verdict == "better":
            return "improved" if self.now == self.name else "moved"
        if verdict == "insignificant":
            return "untouched"
        return "grown" if verdict == "worse" else "unknown"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs differ in; rows of operators have the largest change first."""

    figures: list[PairFiguresRow]
    causes: list[PairFiguresRow]
    operators: list[PairOperatorsRow]
    gaps: list[PairGapsRow]
    settings: list[PairSettingsRow]
    questions: list[PairFiguresRow] = field(default_factory=list[PairFiguresRow])
    """The period, and its time working, waiting, moving and idle."""
    guessed: list[PairOperatorsRow] = field(default_factory=list[PairOperatorsRow])
    """Operators that only the later run has, with those that they may stand for."""
    reasons: Mapping[tuple[str, str | None, str | None], PairReasonsRow] = field(
        default_factory=dict[tuple[str, str | None, str | None], PairReasonsRow]
    )
    """Why each operator, and the gaps of each cause, changed: by what, name and core."""
    stand_ins: OperatorMap = field(default_factory=dict[str, Sequence[str]])
    """Of each operator that only the later run has, those that it may stand for."""

    def reason(self, what: str, name: str | None, core: str | None) -> PairReasonsRow | None:
        """Return why an operator, or the gaps of a cause, changed; None where nothing says."""
        return self.reasons.get((what, name, core))

    @property
    def period(self) -> PairFiguresRow | None:
        """Return the steps of both; None where neither has one."""
        return next((row for row in self.figures if row.figure == PERIOD), None)

    @property
    def changed_settings(self) -> list[PairSettingsRow]:
        """Return the settings that differ."""
        return [row for row in self.settings if row.changed]

    @property
    def all_gaps(self) -> PairGapsRow | None:
        """Return the gaps of all causes; None where neither run has one."""
        return next((row for row in self.gaps if row.scope == "all"), None)

    @property
    def slower_fusions(self) -> list[PairOperatorsRow]:
        """Return operators that take longer than what they stand for took (S2-R15)."""
        mapped = [row for row in self.operators if row.presence == "mapped"]
        return [row for row in (*mapped, *self.guessed) if row.verdict == "worse"]

    @property
    def called_more(self) -> list[PairOperatorsRow]:
        """Return operators that a step calls at least twice as often as before (S2-R11)."""
        return [
            row
            for row in self.operators
            if row.presence == "both"
            and not communicates(row.core)
            and (row.test_calls or 0) >= CALLED_MORE * (row.base_calls or 0)
        ]

    @property
    def bottleneck(self) -> Bottleneck | None:
        """Return what held the earlier run up most; None where it is not known.

        That is what takes most of the time in which the device does not work, from
        ``BOTTLENECK_SHARE`` of the period on; else the operator with the most time.
        """
        period = self.period
        if period is None or not period.base_dur or not period.test_dur:
            return None
        before = self._most("base_dur", period.base_dur)
        now = self._most("test_dur", period.test_dur)
        return None if before is None or now is None else Bottleneck(before, now)

    def _most(self, side: str, period: int) -> PairFiguresRow | PairOperatorsRow | None:
        def dur(row: PairFiguresRow | PairOperatorsRow) -> int:
            return getattr(row, side) or 0

        lost = [row for row in self.causes if row.figure not in WORK | {PERIOD}]
        worst = max(lost, key=dur, default=None)
        if worst is not None and dur(worst) >= BOTTLENECK_SHARE * period:
            return worst
        own = [row for row in self.operators if not communicates(row.core)]
        return max(own, key=dur, default=None)


def communicates(core: str | None) -> bool:
    """Tell whether a core is that of collectives."""
    return core is not None and core.upper() in COLLECTIVE_CORES


def _name(row: PairFiguresRow | PairOperatorsRow) -> str:
    if isinstance(row, PairOperatorsRow):
        return row.name
    return row.figure if row.cause is None else f"{row.figure} {row.cause}"


def compare(
    session: PairSession,
    *,
    step: int | None = None,
    by_name: bool = False,
    prefix: str | None = None,
    mapped: OperatorMap | None = None,
) -> Comparison:
    """Ask everything about two runs.

    ``step`` is one step of both instead of their median ones, ``by_name`` tells kernels of
    a type apart, ``prefix`` narrows operators. Raises as ``Session.run``.
    """

    def asked(name: str, row_type: Callable[..., RowType], **given: object) -> list[RowType]:
        return session.run(pair_queries()[name], {"step": step} | given).as_(row_type)

    operators = {"by": "name" if by_name else "type", "prefix": prefix}
    known = dict(mapped or {})
    rows = asked("operators", PairOperatorsRow, **operators, map=json.dumps(known))
    reasons = asked("reasons", PairReasonsRow, **operators)
    guesses = guessed_map(asked("fusions", PairFusionsRow), known)
    guessed: list[PairOperatorsRow] = []
    if guesses and not by_name:
        again = asked("operators", PairOperatorsRow, **operators, map=json.dumps(guesses))
        guessed = [row for row in again if row.presence == "mapped"]
    return Comparison(
        figures=asked("figures", PairFiguresRow),
        causes=asked("figures", PairFiguresRow, by="cause"),
        operators=rows,
        gaps=asked("gaps", PairGapsRow),
        settings=session.run(pair_queries()["settings"]).as_(PairSettingsRow),
        questions=asked("figures", PairFiguresRow, by="question"),
        guessed=guessed,
        reasons={(row.what, row.name, row.core): row for row in reasons},
        stand_ins={} if by_name else guesses,
    )


def guessed_map(fusions: Sequence[PairFusionsRow], known: OperatorMap) -> dict[str, list[str]]:
    """Return which operators each new one may stand for, but for what a map says already."""
    said = {name for whole, parts in known.items() for name in (whole, *parts)}
    guesses: dict[str, list[str]] = {}
    for row in fusions:
        if row.name not in said and row.part not in said:
            guesses.setdefault(row.name, []).append(row.part)
    return guesses
