"""The language in which npuview speaks: one for the whole program, chosen when it starts."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from ..draw.safe_text import clean

if TYPE_CHECKING:
    from .catalogue import Words

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, as POSIX ranks them."""

PARTED = "   "
"""Between the parts of a title's count and remark."""

_spoken: list[Language] = ["en"]


def language_of(environ: Mapping[str, str] = os.environ) -> Language:
    """Return the reader's language: Chinese if the locale for messages begins with ``zh``."""
    named = next((environ[name] for name in _VARIABLES if environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def speak(language: Language) -> None:
    """Speak a language from now on."""
    _spoken[:] = [language]


def speaks() -> Language:
    """Return the language that is spoken."""
    return _spoken[0]


def spoken() -> "Words":
    """Return the texts of the language that is spoken."""
    # It takes a library, which the command line can do without.
    from .catalogue import words_of  # noqa: PLC0415

    return words_of(_spoken[0])


def say(text: str, /, **values: object) -> str:
    """Return a text of ``texts`` with its values filled in; raise KeyError for none."""
    return spoken().texts[text].format(**values)


def shown(text: str) -> str:
    """Return a title, a head or an order of the screen in the language that is spoken.

    The English of it stands in the code and is its name; what has no other words stays.
    Parts between ``PARTED`` are looked up one by one.
    """
    if _spoken[0] == "en" or not text:
        return text
    known = spoken().screen
    return PARTED.join(known.get(part, part) for part in text.split(PARTED))


def counted(number: int, noun: str) -> str:
    """Return ``1 row`` or ``1,721 rows``: a count with its noun, all digits of it."""
    counts = spoken().counts[noun]
    return (counts.one if number == 1 else counts.many).format(count=f"{number:,}")


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence as a list: commas between them, and a word before the last."""
    if len(parts) < 2:
        return "".join(parts)
    return say("and").join((say("enumeration").join(parts[:-1]), parts[-1]))


def untold_words(name: str, otherwise: str | None, values: str | None = None) -> str:
    """Return what cannot be told without the thing of a name; clean text.

    ``values`` is the JSON object of what is filled in. What has no words stands ``otherwise``.
    """
    text = spoken().untold.get(name)
    if text is None:
        return clean(otherwise or name)
    filled: dict[str, object] = json.loads(values or "{}")
    said = {
        key: clean(f"{one:,}" if isinstance(one, int) else str(one)) for key, one in filled.items()
    }
    return text.format(**said)
