"""What the analysis says, in every language: a folder of tables per language.

Only our own words are in it. Options, errors and the names of columns in SQL are English;
in the store, in SQL and in what programs read, causes and states are values, the same in
every language.
"""

from functools import cache
from pathlib import Path

import msgspec

from .spoken import Language

FOLDER = Path(__file__).parent


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule says in a special case; what is empty is as in the rule."""

    sentence: str
    hint: str = ""
    verify: str = ""


class RuleText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule says: its subject, what it found, what to try and how to see that it helped."""

    title: str
    sentence: str
    hint: str
    verify: str
    variants: dict[str, Variant] = msgspec.field(default_factory=dict[str, Variant])

    def of(self, variant: str | None) -> Variant:
        """Return the texts of a variant, or of the rule itself."""
        special = self.variants.get(variant) if variant else None
        if special is None:
            return Variant(self.sentence, self.hint, self.verify)
        return Variant(special.sentence, special.hint or self.hint, special.verify or self.verify)


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A noun with its number."""

    one: str
    many: str


class HintText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a hint: the question it answers, what it costs, what to do besides."""

    question: str
    cost: str
    then: str = ""
    note: str = ""


class KeyText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of an action: in the footer, in a wide footer, and in the help."""

    label: str
    about: str
    wide: str = ""


class PlaceText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a place at which keys work: its name, and what it shows."""

    title: str
    about: str


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every text of a language by name; the tables are explained in the files of English."""

    columns: dict[str, str]
    words: dict[str, str]
    questions: dict[str, str]
    severities: dict[str, str]
    verdicts: dict[str, str]
    symptoms: dict[str, str]
    missing: dict[str, str]
    report: dict[str, str]
    rules: dict[str, RuleText]
    causes: dict[str, str]
    stages: dict[str, str]
    places: dict[str, str]
    phases: dict[str, str]
    short_phases: dict[str, str]
    figures: dict[str, str]
    figures_about: dict[str, str]
    states: dict[str, str]
    parts: dict[str, str]
    directions: dict[str, str]
    boxes: dict[str, str]
    short_boxes: dict[str, str]
    text_boxes: dict[str, str]
    boxes_about: dict[str, str]
    counts: dict[str, Count]
    held: dict[str, str]
    untold: dict[str, str]
    hints: dict[str, HintText]
    texts: dict[str, str]
    screen: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    """Titles, heads of columns and orders by the English that stands in the code."""
    keys: dict[str, KeyText] = msgspec.field(default_factory=dict[str, KeyText])
    """By the id of the action; English stands in ``keyboard/actions.py``."""
    places_of_keys: dict[str, PlaceText] = msgspec.field(default_factory=dict[str, PlaceText])


@cache
def words_of(language: Language) -> Words:
    """Return the texts of a language; a table may be spread over its files."""
    tables: dict[str, dict[str, object]] = {}
    for file in sorted((FOLDER / language).glob("*.toml")):
        read = msgspec.toml.decode(file.read_bytes(), type=dict[str, dict[str, object]])
        for name, table in read.items():
            tables.setdefault(name, {}).update(table)
    return msgspec.convert(tables, Words)
