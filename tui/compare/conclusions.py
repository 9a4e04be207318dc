"""What a comparison comes to, in sentences: the step, the bottleneck, and what to doubt."""

from collections.abc import Iterator
from typing import NamedTuple

from ...queries.comparison import Bottleneck
from ...queries.rows_compare import PairOperatorsRow, PairSettingsRow
from ..draw import numbers
from .compared import Compared, step_calls, verdict_words

MOST_NAMED = 4
RIGHT_DIRECTION = 1.5
"""From which ratio on what was worked at became faster for sure (S1-R11)."""


class Conclusion(NamedTuple):
    """A sentence, and whether it is a warning."""

    text: str
    warns: bool = False


def conclusions(compared: Compared) -> Iterator[Conclusion]:
    """Yield what follows, the most important first."""
    found = compared.found
    yield from _period(compared)
    bottleneck = found.bottleneck
    if bottleneck is not None:
        yield Conclusion(_bottleneck(bottleneck, compared))
    gaps = found.all_gaps
    if gaps is not None:
        longest = (numbers.time(gaps.base_longest_ns), numbers.time(gaps.test_longest_ns))
        yield Conclusion(f"longest gap: {longest[0]} -> {longest[1]}")
    for row in found.guessed:
        yield Conclusion(_guess(row))
    for row in found.slower_fusions:
        yield Conclusion(_slower(row), warns=True)
    more = found.called_more
    if more:
        yield Conclusion(_called_more(more), warns=True)
    yield _settings(compared.changed)


def _period(compared: Compared) -> Iterator[Conclusion]:
    period = compared.found.period
    if period is None:
        yield Conclusion("no steps: nothing of them can be compared", warns=True)
        return
    unit = numbers.column_unit([period.base_dur, period.test_dur])
    before, now = (numbers.time_in(ns, unit) for ns in (period.base_dur, period.test_dur))
    change = numbers.change(period.base_dur, period.test_dur)
    said = f"step: {before} -> {now}, {change}: {verdict_words(period)}"
    if period.noise_ns is not None:
        steps = f"{period.base_steps} and {period.test_steps} steps"
        said += f" (noise up to {numbers.time(period.noise_ns)}, by {steps})"
    yield Conclusion(said)


def _bottleneck(one: Bottleneck, compared: Compared) -> str:
    times = f"{numbers.time(one.base_dur)} -> {numbers.time(one.test_dur)}"
    ratio = _ratio(one.base_dur, one.test_dur)
    period = compared.found.period
    step = None if period is None else _ratio(period.base_dur, period.test_dur)
    said = f"bottleneck {one.fate}: {one.name} {times}"
    if ratio is not None and step is not None:
        said += f", {ratio:.2f}x as fast, the step {step:.2f}x"
        if one.fate in {"improved", "moved"} and ratio > RIGHT_DIRECTION:
            said += ": the right direction"
    return said if one.now == one.name else f"{said}; now it is {one.now}"


def _guess(row: PairOperatorsRow) -> str:
    before, now = numbers.time(row.base_dur), numbers.time(row.test_dur)
    return (
        f"{row.name} is new and may stand for {_parts(row)}, by its number of calls:"
        f" {before} -> {now} in a step; name them in a file for --map"
    )


def _slower(row: PairOperatorsRow) -> str:
    over = numbers.change(row.base_dur, row.test_dur)
    return f"{row.name} takes longer than {_parts(row)} together: {over}; fusing them costs time"


def _called_more(rows: list[PairOperatorsRow]) -> str:
    said = [
        f"{row.name} ({step_calls(row.base_calls)} -> {step_calls(row.test_calls)})"
        for row in rows[:MOST_NAMED]
    ]
    more = len(rows) - len(said)
    named = ", ".join(said) + (f" and {more} more" if more > 0 else "")
    return f"called at least twice as often in a step: {named}"


def _parts(row: PairOperatorsRow) -> str:
    names = [name for name in (row.parts or "").split(", ") if name != row.name]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _settings(changed: list[PairSettingsRow]) -> Conclusion:
    if not changed:
        return Conclusion("no setting changed that the profiles or their run cards name")
    names = [row.setting for row in changed[:MOST_NAMED]]
    more = len(changed) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more > 0 else "")
    if len(changed) == 1:
        [row] = changed
        return Conclusion(f"one setting changed: {row.setting} ({row.base} -> {row.test})")
    said = f"{len(changed)} settings changed: {listed}; which one did it cannot be told"
    return Conclusion(f"{said}: change one at a time", warns=True)


def _ratio(before: int | None, now: int | None) -> float | None:
    return before / now if before and now else None
