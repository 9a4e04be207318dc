"""What stands out in a profile, by rule, with evidence, scope and denominator.

Every rule is a SELECT of ``sql/findings`` whose first columns are ``FIXED``; what comes
behind them are the values that its sentence names. A SELECT may evaluate several rules
and is asked once. Numbers are those of the tables that the questions read, so a finding
never says anything else than they do.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from .catalog import SHIPPED, SUFFIX, read_query, shipped_queries
from .query import Query, Value
from .rows import HealthRow
from .rules import LEAST_SHARE, Rule, RuleBook, Status
from .session import Session

FOLDER: Final = SHIPPED / "findings"

QUESTIONS: Final = ("idle", "wait", "move", "operators", "memory", "collection", "run")
"""Of findings that gain alike, those of the first question come first."""

FIXED: Final = (
    "rule",
    "variant",
    "rank",
    "device_id",
    "step",
    "steps",
    "ns",
    "period",
    "ts",
    "dur",
    "evidence",
    "inferred",
    "missing",
)
"""The first columns of every SELECT of a rule."""

NO_DEVICE: Final = "streams"
"""What is missing where nothing is known of the device."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A true statement about some steps of a rank's device.

    ``ns`` is what is at stake in all of them, an upper bound: what would be gone if all
    of it were. ``period`` is the time of these steps, the denominator of ``share``;
    ``step`` is the one with the longest single piece, which lies at ``ts`` and lasts
    ``dur``. ``evidence`` are slices that show it, the longest first. ``missing`` is what
    would have to be collected where it cannot be told: then ns may be None, as it is of
    what takes no time. ``within``
    is the rule whose time holds this one's. ``values`` are those of the sentence.
    """

    rule: Rule
    status: Status
    variant: str | None
    severity: str | None
    rank: int
    device_id: int | None
    step: int | None
    steps: int | None
    ns: int | None
    period: int | None
    ts: int | None
    dur: int | None
    evidence: tuple[int, ...]
    inferred: bool
    missing: str | None
    values: Mapping[str, Value]
    thresholds: Mapping[str, int | float]

    @property
    def ns_per_step(self) -> int | None:
        """Return what is at stake in a mean step, rounded down; None if not known."""
        return None if self.ns is None or not self.steps else self.ns // self.steps

    @property
    def is_told(self) -> bool:
        """Tell whether its sentence can be said: nothing is missing, or its time is known."""
        return self.ns is not None or self.missing is None

    @property
    def share(self) -> float | None:
        """Return ns over period; None if not known."""
        return None if self.ns is None or not self.period else self.ns / self.period

    @property
    def preset_params(self) -> dict[str, int | str]:
        """Return the parameters with which the rule's preset shows the rows behind it."""
        scope = (("rank", self.rank), ("step", self.step if self.steps == 1 else None))
        chosen: dict[str, int | str] = {
            name: value
            for name, value in scope
            if value is not None and takes(self.rule.preset, name)
        }
        return chosen | self.rule.preset_with


class SymptomRow(NamedTuple):
    """A symptom on a rank: verdict is pass, fail or unknown; the rest is of its worst finding.

    ``ns`` and ``share`` are None where none of its rules found anything.
    """

    id: str
    symptom: str
    rank: int
    verdict: str
    rule: str | None
    ns: int | None
    share: float | None
    least_share: float
    missing: str | None


@cache
def rule_queries() -> Mapping[str, Query]:
    """Return the SELECTs of the rules by name; tests hold the law of their columns."""
    return {
        file.stem: read_query(file.read_text("utf-8"), file, "shipped")
        for file in sorted(Path(FOLDER).glob(f"*{SUFFIX}"))
    }


def takes(question: str, parameter: str) -> bool:
    """Tell whether a question of the catalogue has a parameter."""
    return any(one.name == parameter for one in shipped_queries()[question].params)


def find(
    session: Session, book: RuleBook, *, rank: int | None = None, step: int | None = None
) -> list[Finding]:
    """Return all findings of the opened ranks, that with most at stake per step first.

    Without ``step`` they are about all steps that are no warm-up. What is not known
    comes last unless it is known how much time that is. Raises as ``Session.run``.
    """
    lacking = _lacking(session, rank)
    found: list[Finding] = []
    for one in _rules_by_select(book):
        outer = {rule.within for rule in one if rule.only_within}
        if not outer or any(known.rule.name in outer and _counts(known, book) for known in found):
            found += _evaluated(session, book, one, rank, step)
    kept = [one for one in found if _counts(one, book)]
    told = {(one.rule.name, one.rank) for one in kept}
    busy = {(one.rank, one.device_id) for one in kept if one.status != "fine"}
    kept += [
        one
        for one in found
        if one.status == "fine"
        and (one.rule.name != "nothing" or (one.rank, one.device_id) not in busy)
    ]
    for number, missing in lacking.items():
        kept += _untold(book, number, missing, told)
    return sorted(kept, key=_place)


def symptoms(findings: Iterable[Finding], book: RuleBook) -> list[SymptomRow]:
    """Answer the table of symptoms for each rank of some findings of ``find``.

    fail: one of the symptom's rules found its share; unknown: none did, and one of them
    cannot be told; else pass. A rule that is switched off does not count.
    """
    by_rank: dict[int, list[Finding]] = {}
    for one in findings:
        by_rank.setdefault(one.rank, []).append(one)
    rows: list[SymptomRow] = []
    for rank, of_rank in sorted(by_rank.items()):
        blind = any(one.missing == NO_DEVICE for one in of_rank)
        for symptom in book.symptoms:
            of_it = [one for one in of_rank if one.rule.name in symptom.rules]
            worst = max(of_it, key=lambda one: one.share or 0, default=None)
            share = worst.share if worst else None
            untold = next((one.missing for one in of_it if one.status == "unknown"), None)
            if share is not None and share >= symptom.share and worst and worst.status == "found":
                verdict, untold = "fail", None
            else:
                untold = NO_DEVICE if blind else untold
                verdict = "unknown" if untold else "pass"
            rows.append(
                SymptomRow(
                    symptom.id,
                    symptom.name,
                    rank,
                    verdict,
                    worst.rule.id if worst else None,
                    worst.ns if worst else None,
                    share,
                    symptom.share,
                    untold,
                )
            )
    return rows


def _lacking(session: Session, rank: int | None) -> dict[int, set[str]]:
    """Return what was not collected, by rank."""
    ranks = [one.rank for one in session.ranks if rank is None or one.rank == rank]
    lacking: dict[int, set[str]] = {number: set() for number in ranks}
    health = session.run(shipped_queries()["health"], {"rank": rank}).as_(HealthRow)
    for row in health:
        if row.kind == "missing" and row.rank in lacking:
            lacking[row.rank].add(row.name)
    return lacking


def _rules_by_select(book: RuleBook) -> list[list[Rule]]:
    """Return the active rules, those of one SELECT together, behind the rules they lie in."""
    by_select: dict[str, list[Rule]] = {}
    for rule in book.active:
        by_select.setdefault(rule.sql, []).append(rule)
    return sorted(by_select.values(), key=lambda rules: any(rule.only_within for rule in rules))


def _evaluated(
    session: Session, book: RuleBook, rules: list[Rule], rank: int | None, step: int | None
) -> list[Finding]:
    """Ask the SELECT of some rules; return its rows as findings of those of them."""
    active = {rule.name: rule for rule in rules}
    query = rule_queries()[rules[0].sql]
    given: dict[str, Value] = {"rank": rank, "step": step}
    for rule in book.rules:
        if rule.sql == rules[0].sql:
            given |= book.values(rule)
    answer = session.run(query, {one.name: given[one.name] for one in query.params})
    names = [column.name for column in answer.columns]
    rows = (dict(zip(names, values, strict=True)) for values in answer.rows)
    return [
        _finding(active[str(row["rule"])], row, book) for row in rows if str(row["rule"]) in active
    ]


def _finding(rule: Rule, row: Mapping[str, Value], book: RuleBook) -> Finding:
    missing = _text(row["missing"])
    ns, period = _whole(row["ns"]), _whole(row["period"])
    share = ns / period if ns is not None and period else None
    status = "unknown" if missing else rule.status
    return Finding(
        rule=rule,
        status=status,
        variant=_text(row["variant"]),
        severity=book.severity.of(share) if share is not None and status == "found" else None,
        rank=_whole(row["rank"]) or 0,
        device_id=_whole(row["device_id"]),
        step=_whole(row["step"]),
        steps=_whole(row["steps"]),
        ns=ns,
        period=period,
        ts=_whole(row["ts"]),
        dur=_whole(row["dur"]),
        evidence=tuple(map(int, dict.fromkeys((_text(row["evidence"]) or "").split()))),
        inferred=row["inferred"] is True,
        missing=missing,
        values={name: value for name, value in row.items() if name not in FIXED},
        thresholds=book.values(rule),
    )


def _counts(finding: Finding, book: RuleBook) -> bool:
    """Tell whether enough is at stake for a finding to be one."""
    share = finding.share
    if finding.status == "fine" or share is None:
        # What takes no time, such as memory that grows, its SELECT has judged.
        return finding.status == "found"
    return share > 0 and share >= book.value(finding.rule, LEAST_SHARE)


def _untold(
    book: RuleBook, rank: int, missing: set[str], told: set[tuple[str, int]]
) -> Iterator[Finding]:
    """Yield the rules that cannot be evaluated on a rank and have not told anything else."""
    for rule in book.active:
        lacks = [name for name in rule.needs if name in missing]
        if NO_DEVICE in missing:
            # Nothing can be told without it: one rule says so for all.
            lacks = [name for name in lacks if name == NO_DEVICE]
        if lacks and (rule.name, rank) not in told:
            yield Finding(
                rule=rule,
                status="unknown",
                variant=None,
                severity=None,
                rank=rank,
                device_id=None,
                step=None,
                steps=None,
                ns=None,
                period=None,
                ts=None,
                dur=None,
                evidence=(),
                inferred=False,
                missing=lacks[0],
                values={},
                thresholds=book.values(rule),
            )


def _place(finding: Finding) -> tuple[int, int, int, int, int]:
    group = 1 if finding.status == "fine" else 0 if finding.is_told else 2
    return (
        group,
        -(finding.ns_per_step or 0),
        QUESTIONS.index(finding.rule.question),
        finding.rank,
        finding.device_id or 0,
    )


def _text(value: Value) -> str | None:
    return None if value is None else str(value)


def _whole(value: Value) -> int | None:
    return value if isinstance(value, int) else None
