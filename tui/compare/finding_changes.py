"""Which findings two runs do not share: what was cured, and what came instead."""

from collections.abc import Iterable, Iterator

from ...queries.findings import Finding
from ..draw import numbers
from ..words.spoken import say, spoken
from .conclusions import MOST_NAMED, Conclusion, first_of

Stakes = dict[tuple[str, str], int]
"""The most that a rule finds on a rank, ns in a mean step, by the rule's id and name."""


def finding_changes(before: Iterable[Finding], now: Iterable[Finding]) -> Iterator[Conclusion]:
    """Yield which rules found something in one run only, that with most at stake first."""
    base, test = _stakes(before), _stakes(now)
    for text, some, others in (("findings_gone", base, test), ("findings_new", test, base)):
        only = {rule: ns for rule, ns in some.items() if rule not in others}
        if only:
            yield Conclusion(say(text, names=_listed(only)))


def _stakes(findings: Iterable[Finding]) -> Stakes:
    stakes: Stakes = {}
    for one in findings:
        if one.status == "found" and one.ns_per_step is not None:
            rule = (one.rule.id, one.rule.name)
            stakes[rule] = max(one.ns_per_step, stakes.get(rule, 0))
    return stakes


def _listed(stakes: Stakes) -> str:
    ordered = sorted(stakes.items(), key=lambda one: -one[1])
    titles = spoken().rules
    named = [
        say(
            "finding_at_stake",
            title=titles[name].title,
            rule=rule,
            time=numbers.time(ns),
        )
        for (rule, name), ns in ordered[:MOST_NAMED]
    ]
    return first_of(named, len(ordered))
