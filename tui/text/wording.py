"""What findings say, in the language of the reader: one catalogue with a file per language.

Only our own sentences are in it. Names, states and causes are data: they are the same in
every language, as they are in SQL.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

FOLDER = Path(__file__).parent / "words"

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, as POSIX ranks them."""


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


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every text of a language by name."""

    columns: dict[str, str]
    words: dict[str, str]
    questions: dict[str, str]
    severities: dict[str, str]
    verdicts: dict[str, str]
    symptoms: dict[str, str]
    missing: dict[str, str]
    report: dict[str, str]
    rules: dict[str, RuleText]


@cache
def words_of(language: Language) -> Words:
    """Return the texts of a language."""
    return msgspec.toml.decode((FOLDER / f"{language}.toml").read_bytes(), type=Words)


def language_of(environ: Mapping[str, str] = os.environ) -> Language:
    """Return the reader's language: Chinese if the locale for messages begins with ``zh``."""
    named = next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"
