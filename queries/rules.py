"""The rules by which findings are made: what each asks, from which value on, and why.

The rules that npuview ships are data (``rules.toml``). A person changes thresholds and
switches rules off in a file of their own::

    chip = "910B3"

    [thresholds]
    least_share = 0.02

    [rules.W9]
    off = true

    [rules.H4]
    least_bytes = 4_000_000
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal, cast

import msgspec

from ..ingest.errors import UsageError
from ..ingest.toml_file import read_toml
from .query import closest

Question = Literal["idle", "wait", "move", "operators", "memory", "collection", "run"]
Status = Literal["found", "unknown", "fine"]
Number = int | float

SHIPPED: Final = Path(__file__).parent / "rules.toml"
LEAST_SHARE: Final = "least_share"
"""The threshold that every rule has: the share of the period from which a finding counts."""

_OFF: Final = "off"


class Threshold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value with its unit and reason; ``chips`` has others by beginnings of chip names."""

    value: Number
    unit: str
    source: str
    chips: dict[str, Number] = msgspec.field(default_factory=dict[str, Number])

    def on(self, chip: str | None) -> Number:
        """Return the value for a chip: that of the longest beginning of its name."""
        named = [name for name in self.chips if chip and chip.startswith(name)]
        return self.chips[max(named, key=len)] if named else self.value


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule: ``sql`` evaluates it, ``preset`` shows the rows behind a finding of it.

    ``needs`` names what must have been collected, as the question ``health`` does.
    ``within`` is the rule whose time holds the time of this one; ``only_within`` says
    that nothing is asked unless that rule found something. ``status`` is what a row
    means: something found, or a result that nothing has to be done about.
    """

    id: str
    name: str
    question: Question
    sql: str
    preset: str
    preset_with: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    needs: tuple[str, ...] = ()
    within: str | None = None
    only_within: bool = False
    status: Status = "found"
    thresholds: dict[str, Threshold] = msgspec.field(default_factory=dict[str, Threshold])


class Symptom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symptom: one of ``rules`` finds at least ``share`` of the period."""

    id: str
    name: str
    rules: tuple[str, ...]
    share: float


class Severity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which share of the period a finding is of high and of medium severity."""

    high: float
    medium: float
    unit: str
    source: str

    def of(self, share: float) -> str:
        """Return ``high``, ``medium`` or ``low``."""
        return "high" if share >= self.high else "medium" if share >= self.medium else "low"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    thresholds: dict[str, Threshold]
    severity: Severity
    rules: tuple[Rule, ...]
    symptoms: tuple[Symptom, ...]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules in force, in their order, and the values of their thresholds."""

    rules: tuple[Rule, ...]
    symptoms: tuple[Symptom, ...]
    severity: Severity
    shared: Mapping[str, Threshold]
    chip: str | None = None
    off: frozenset[str] = frozenset()
    """Names of rules that are switched off."""
    own: Mapping[str, Mapping[str, Number]] = field(default_factory=dict[str, Mapping[str, Number]])
    """Values of the user by name of rule; under an empty name those for all rules."""

    def value(self, rule: Rule, name: str) -> Number:
        """Return a threshold: the user's for the rule, for all rules, else npuview's."""
        for values in (self.own.get(rule.name), self.own.get("")):
            if values and name in values and (name in rule.thresholds or name in self.shared):
                return values[name]
        return (rule.thresholds.get(name) or self.shared[name]).on(self.chip)

    def values(self, rule: Rule) -> dict[str, Number]:
        """Return every threshold of a rule by name."""
        names = dict.fromkeys([*self.shared, *rule.thresholds])
        return {name: self.value(rule, name) for name in names}

    @property
    def active(self) -> tuple[Rule, ...]:
        """Return the rules that are not switched off."""
        return tuple(rule for rule in self.rules if rule.name not in self.off)


@cache
def shipped_rules() -> RuleBook:
    """Return the rules as npuview ships them."""
    read = msgspec.toml.decode(SHIPPED.read_bytes(), type=_File)
    return RuleBook(read.rules, read.symptoms, read.severity, read.thresholds)


def user_rules() -> Path | None:
    """Return the user's file: ``$XDG_CONFIG_HOME/npuview/rules.toml``; None without a home."""
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        return Path(folder) / "npuview" / "rules.toml"
    try:
        return Path.home() / ".config" / "npuview" / "rules.toml"
    except RuntimeError:
        return None


def load_rules(user: Path | None = None) -> RuleBook:
    """Return the rules with what a user's file changes; the shipped ones without a file.

    Raises UsageError naming file and key for what cannot be read, a rule or threshold
    that does not exist and a value that is none.
    """
    book = shipped_rules()
    file = None if user is None else read_toml(user)
    if user is None or file is None:
        return book
    read = file.table
    _check_names(user, "", read, ("chip", "thresholds", "rules"))
    chip = _chip(user, read.get("chip"), book)
    by_key = {key: rule for rule in book.rules for key in (rule.name, rule.id)}
    shared = _table(user, "thresholds", read.get("thresholds", {}))
    own = {"": _numbers(user, "thresholds.", shared, book.shared)}
    off: set[str] = set()
    given = _table(user, "rules", read.get("rules", {}))
    _check_names(user, "rules.", given, by_key)
    for key, value in given.items():
        rule, before = by_key[key], f"rules.{key}."
        entries = _table(user, f"rules.{key}", value)
        switch = entries.pop(_OFF, False)
        if not isinstance(switch, bool):
            raise UsageError(f"{user}: {before}{_OFF}: {switch!r} is neither true nor false")
        if switch:
            off.add(rule.name)
        known = [*rule.thresholds, *book.shared, _OFF]
        own[rule.name] = own.get(rule.name, {}) | _numbers(user, before, entries, known)
    return RuleBook(
        book.rules, book.symptoms, book.severity, book.shared, chip, frozenset(off), own
    )


def _chip(path: Path, value: object, book: RuleBook) -> str | None:
    """Return the name of a chip as thresholds know it: drivers put Ascend before it."""
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise UsageError(f'{path}: chip: {value!r} is no name; write it in quotes, such as "910B3"')
    chip = value.removeprefix("Ascend").strip()
    thresholds = [
        *book.shared.values(),
        *(one for r in book.rules for one in r.thresholds.values()),
    ]
    known = sorted({name for one in thresholds for name in one.chips})
    if not chip.startswith(tuple(known)):
        raise UsageError(
            f"{path}: chip: nothing is known of {value!r}, but of {', '.join(known)} and what"
            " begins so; leave it out and give the thresholds of rules their values"
        )
    return chip


def _table(path: Path, key: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UsageError(f"{path}: {key}: {value!r} is no table; write [{key}] above its values")
    return cast("dict[str, object]", dict(value))


def _numbers(
    path: Path, before: str, values: Mapping[str, object], known: Iterable[str]
) -> dict[str, Number]:
    _check_names(path, before, values, known)
    numbers: dict[str, Number] = {}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e18:
            raise UsageError(
                f"{path}: {before}{name}: {value!r} is no number from 0 on; write such as 0.02"
            )
        numbers[name] = value
    return numbers


def _check_names(path: Path, before: str, given: Iterable[str], known: Iterable[str]) -> None:
    names = dict.fromkeys(known)
    for name in given:
        if name not in names:
            like = closest(name, names)
            hint = f"did you mean {like}?" if like else f"there are {', '.join(names)}"
            raise UsageError(f"{path}: {before}{name}: no such key; {hint}")
