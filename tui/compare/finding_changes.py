"""Which findings two runs do not share: what was cured, and what came instead."""

from collections.abc import Iterable, Iterator

from ...queries.findings import Finding
from ..draw import numbers
from .conclusions import MOST_NAMED, Conclusion

Stakes = dict[str, int]
"""The most that a rule finds on a rank, ns in a mean step, by the rule's id and name."""


def finding_changes(before: Iterable[Finding], now: Iterable[Finding]) -> Iterator[Conclusion]:
    """Yield which rules found something in one run only, that with most at stake first."""
    base, test = _stakes(before), _stakes(now)
    for said, some, others in (("gone", base, test), ("new", test, base)):
        only = {rule: ns for rule, ns in some.items() if rule not in others}
        if only:
            yield Conclusion(f"findings that are {said}: {_listed(only)}")


def _stakes(findings: Iterable[Finding]) -> Stakes:
    stakes: Stakes = {}
    for one in findings:
        if one.status == "found" and one.ns_per_step is not None:
            rule = f"{one.rule.name.replace('_', ' ')} ({one.rule.id})"
            stakes[rule] = max(one.ns_per_step, stakes.get(rule, 0))
    return stakes


def _listed(stakes: Stakes) -> str:
    ordered = sorted(stakes.items(), key=lambda one: -one[1])
    named = [f"{rule} {numbers.time(ns)} a step" for rule, ns in ordered[:MOST_NAMED]]
    more = len(ordered) - len(named)
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")
