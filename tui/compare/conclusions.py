"""What a comparison comes to, in sentences: the step, the bottleneck, and what to doubt."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...queries.comparison import Bottleneck, Fate
from ...queries.rows_compare import PairFiguresRow, PairOperatorsRow, PairSettingsRow
from ..draw import numbers
from ..words.spoken import say
from .compared import Compared, figure_words, step_calls, verdict_words

MOST_NAMED = 4
FATES: dict[Fate, str] = {
    "moved": "bottleneck_moved",
    "improved": "bottleneck_improved",
    "untouched": "bottleneck_untouched",
    "grown": "bottleneck_grown",
    "unknown": "bottleneck_unknown",
}
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
        yield Conclusion(say("longest_gap_changed", base=longest[0], test=longest[1]))
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
        yield Conclusion(say("no_steps_compared"), warns=True)
        return
    unit = numbers.column_unit([period.base_dur, period.test_dur])
    before, now = (numbers.time_in(ns, unit) for ns in (period.base_dur, period.test_dur))
    change = numbers.change(period.base_dur, period.test_dur)
    verdict = verdict_words(period)
    said = say("step_changed", base=before, test=now, change=change, verdict=verdict)
    if period.noise_ns is not None:
        noise = numbers.time(period.noise_ns)
        steps = {"base": period.base_steps, "test": period.test_steps}
        said = say("step_noise", what=said, time=noise, **steps)
    yield Conclusion(said)


def _bottleneck(one: Bottleneck, compared: Compared) -> str:
    ratio = _ratio(one.base_dur, one.test_dur)
    period = compared.found.period
    step = None if period is None else _ratio(period.base_dur, period.test_dur)
    before, now = numbers.time(one.base_dur), numbers.time(one.test_dur)
    said = say(FATES[one.fate], name=_holder(one.before), base=before, test=now)
    if ratio is not None and step is not None:
        said = say("bottleneck_ratio", what=said, ratio=f"{ratio:.2f}", step=f"{step:.2f}")
        if one.fate in {"improved", "moved"} and ratio > RIGHT_DIRECTION:
            said = say("right_direction", what=said)
    if one.now == one.name:
        return said
    return say("bottleneck_now", what=said, name=_holder(one.after))


def _holder(row: PairFiguresRow | PairOperatorsRow) -> str:
    if isinstance(row, PairOperatorsRow):
        return row.name
    return figure_words(row.figure, row.cause)


def _guess(row: PairOperatorsRow) -> str:
    before, now = numbers.time(row.base_dur), numbers.time(row.test_dur)
    return say("may_stand_for", name=row.name, parts=_parts(row), base=before, test=now)


def _slower(row: PairOperatorsRow) -> str:
    over = numbers.change(row.base_dur, row.test_dur)
    return say("slower_than_parts", name=row.name, parts=_parts(row), change=over)


def _called_more(rows: list[PairOperatorsRow]) -> str:
    said = [
        say(
            "called_from_to",
            name=row.name,
            base=step_calls(row.base_calls),
            test=step_calls(row.test_calls),
        )
        for row in rows[:MOST_NAMED]
    ]
    return say("called_more", names=first_of(said, len(rows)))


def first_of(names: Sequence[str], count: int) -> str:
    """Return the names of some of ``count`` things, and how many more there are."""
    said = say("comma").join(names)
    more = count - len(names)
    return say("names_and_more", names=said, count=more) if more > 0 else said


def _parts(row: PairOperatorsRow) -> str:
    names = [name for name in (row.parts or "").split(", ") if name != row.name]
    first = say("comma").join(names[:-1])
    return say("and").join([first, names[-1]] if first else names)


def _settings(changed: list[PairSettingsRow]) -> Conclusion:
    if not changed:
        return Conclusion(say("no_setting_changed"))
    if len(changed) == 1:
        [row] = changed
        sides = {"base": _set(row.base), "test": _set(row.test)}
        return Conclusion(say("setting_changed", name=row.setting, **sides))
    names = first_of([row.setting for row in changed[:MOST_NAMED]], len(changed))
    return Conclusion(say("settings_changed", count=len(changed), names=names), warns=True)


def _set(value: str | None) -> str:
    return numbers.NOT_MEASURED if value is None else value


def _ratio(before: int | None, now: int | None) -> float | None:
    return before / now if before and now else None
