"""Whether a run is worse than it may be: figures held against thresholds, for a gate.

A regression is a change for the worse that passes its threshold and is more than noise.
What cannot be judged is no regression, and is never silent: see ``unknown``.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, cast

from ..ingest.errors import UsageError
from ..ingest.schema import LEDGER_STATES
from ..ingest.toml_file import read_toml
from .comparison import PERIOD, Comparison, communicates
from .query import closest
from .rows_compare import PairFiguresRow, PairOperatorsRow

Outcome = Literal["ok", "regression", "unknown", "new"]
Kind = Literal["metric", "operator"]
Reason = Literal["neither_run", "one_run", "new", "new_in_worse_step", "few_steps"]

USUAL_THRESHOLD: Final = 0.05
GAPS: Final = "gaps"
LONGEST_GAP: Final = "longest_gap"
OPERATORS: Final = "operators"
METRICS: Final = (PERIOD, *LEDGER_STATES, GAPS, LONGEST_GAP)
"""What can be judged besides operators."""

SHORT: Final = {
    "wait_peer": "waiting_peer",
    "wait_stage": "waiting_stage",
    "wait_event": "waiting_event",
}
ANY: Final = "*"
"""The operator that a file of thresholds names for all others."""


class Judgement(NamedTuple):
    """A figure of two runs: what was judged, by what, and how it came out.

    ``base`` and ``test`` are in ``unit``: ns, or calls. ``change`` is the difference over
    base, None where that is 0 or not known; ``noise`` is in the same unit, None where
    nothing tells it. ``reason`` is why it could not be judged, or why what is new is or
    is no regression. ``threshold`` is a share of base, of what is new one of the step.
    """

    kind: Kind
    name: str
    unit: str
    base: int | None
    test: int | None
    change: float | None
    threshold: float
    noise: int | None
    outcome: Outcome
    reason: Reason | None = None
    base_steps: int | None = None
    test_steps: int | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """By what share figures may grow: each metric, each operator, and all others."""

    usual: float = USUAL_THRESHOLD
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    operators: Mapping[str, float] = field(default_factory=dict[str, float])

    def of_metric(self, name: str) -> float:
        """Return the threshold of a metric."""
        return self.metrics.get(name, self.usual)

    def of_operator(self, name: str) -> float:
        """Return the threshold of an operator."""
        return self.operators.get(name, self.operators.get(ANY, self.usual))

    @property
    def judged(self) -> tuple[str, ...]:
        """Return the metrics that these thresholds are about: the period without any."""
        named = [*self.metrics, *([OPERATORS] if self.operators else [])]
        return tuple(named) or (PERIOD,)


def metric_named(word: str) -> str:
    """Return a metric by its name or short name; raise UsageError for one that is none."""
    name = SHORT.get(word, word)
    known = (*METRICS, OPERATORS)
    if name in known:
        return name
    like = closest(word, dict.fromkeys((*known, *SHORT)))
    hint = f"did you mean {like}?" if like else f"there are {', '.join(known)}"
    raise UsageError(f"no metric {word!r}; {hint}")


def share_typed(text: str | float) -> float:
    """Return a share of ``5%`` or 0.05; raise ValueError for anything else, or below 0."""
    if isinstance(text, str):
        number = text.strip()
        value = float(number[:-1]) / 100 if number.endswith("%") else float(number)
    else:
        value = float(text)
    if not 0 <= value < 1e9:
        raise ValueError(text)
    return value


def load_thresholds(path: Path) -> Thresholds:
    """Read thresholds from a file; raise UsageError naming file and key.

    It may hold::

        max_regression = "5%"

        [metrics]
        period = "2%"

        [operators]
        MatMulV3 = 0.03
        "*" = "10%"
    """
    file = read_toml(path)
    if file is None:
        raise UsageError(f"{path}: no such file")
    read = file.table
    known = ("max_regression", "metrics", "operators")
    for key in read:
        if key not in known:
            raise UsageError(f"{path}: {key}: no such key; there are {', '.join(known)}")
    try:
        usual = _share(path, "max_regression", read.get("max_regression", USUAL_THRESHOLD))
        metrics = {
            metric_named(key): value for key, value in _shares(path, "metrics", read).items()
        }
    except UsageError as error:
        said = str(error)
        raise UsageError(said if said.startswith(str(path)) else f"{path}: {said}") from error
    return Thresholds(usual, metrics, _shares(path, "operators", read))


def judge(found: Comparison, metrics: Iterable[str], thresholds: Thresholds) -> Iterator[Judgement]:
    """Judge figures of two runs, by their names.

    ``operators`` are all but collectives, whose time is that of waiting and transferring.
    """
    figures = {row.figure: row for row in found.figures}
    for name in dict.fromkeys(metrics):
        limit = thresholds.of_metric(name)
        if name == OPERATORS:
            yield from (
                _operator(row, thresholds, found.period)
                for row in found.operators
                if not communicates(row.core)
            )
        elif name == LONGEST_GAP:
            gaps = found.all_gaps
            sides = (None, None) if gaps is None else (gaps.base_longest_ns, gaps.test_longest_ns)
            yield judged("metric", name, "ns", *sides, limit)
        elif name == GAPS:
            yield _gaps(found, limit)
        else:
            yield _figure(name, figures, limit)


def judged(
    kind: Kind,
    name: str,
    unit: str,
    base: int | None,
    test: int | None,
    threshold: float,
    noise: int | None = None,
) -> Judgement:
    """Judge one figure; without noise by its threshold alone."""
    if base is None or test is None:
        why: Reason = "neither_run" if base is None and test is None else "one_run"
        return Judgement(kind, name, unit, base, test, None, threshold, noise, "unknown", why)
    difference = test - base
    change = difference / base if base else None
    passes = difference > 0 if base == 0 else difference > threshold * base
    outcome: Outcome = "regression" if passes and difference > (noise or 0) else "ok"
    return Judgement(kind, name, unit, base, test, change, threshold, noise, outcome)


def _figure(name: str, figures: Mapping[str, PairFiguresRow], limit: float) -> Judgement:
    row = figures.get(name)
    period = figures.get(PERIOD)
    if row is None:
        # Who has steps with a ledger was in every state, of some for 0 ns.
        told = period is not None and len(figures) > 1
        sides = (0, 0) if told else (None, None)
        return judged("metric", name, "ns", *sides, limit)
    one = judged("metric", name, "ns", row.base_dur, row.test_dur, limit, row.noise_ns)
    return _few_steps(one, row.base_steps, row.test_steps)


def _gaps(found: Comparison, limit: float) -> Judgement:
    row = found.all_gaps
    if row is None:
        return judged("metric", GAPS, "ns", None, None, limit)
    one = judged("metric", GAPS, "ns", row.base_dur, row.test_dur, limit, row.noise_ns)
    return _few_steps(one, row.base_steps, row.test_steps)


def _operator(
    row: PairOperatorsRow, thresholds: Thresholds, period: PairFiguresRow | None
) -> Judgement:
    limit = thresholds.of_operator(row.name)
    name = row.name if row.core is None else f"{row.name} ({row.core})"
    one = judged("operator", name, "ns", row.base_dur, row.test_dur, limit, row.noise_ns)
    one = _few_steps(one, row.base_steps, row.test_steps)
    if row.presence == "new" and one.outcome == "regression":
        # It may stand for others, which is no regression unless the step is one.
        allowed = limit * ((period and period.base_dur) or 0)
        if period is not None and period.verdict == "worse" and (row.test_dur or 0) > allowed:
            return one._replace(reason="new_in_worse_step")
        return one._replace(outcome="new", reason="new")
    return one


def _few_steps(one: Judgement, base_steps: int, test_steps: int) -> Judgement:
    """Return that a figure cannot be judged where too few steps tell no noise."""
    one = one._replace(base_steps=base_steps, test_steps=test_steps)
    if one.noise is not None or one.outcome == "unknown":
        return one
    return one._replace(outcome="unknown", reason="few_steps")


def _shares(path: Path, key: str, read: Mapping[str, object]) -> dict[str, float]:
    table = read.get(key, {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: {key}: {table!r} is no table; write [{key}] above its values")
    given = cast("dict[str, object]", table)
    return {name: _share(path, f"{key}.{name}", value) for name, value in given.items()}


def _share(path: Path, key: str, value: object) -> float:
    if not isinstance(value, bool) and isinstance(value, int | float | str):
        with suppress(ValueError, OverflowError):
            return share_typed(value)
    raise UsageError(f'{path}: {key}: {value!r} is no share; write such as "5%"')
