"""Names of keys: Textual's, as settings give them, and as people read them.

Textual names the key ``}`` right_curly_bracket; a footer says ``}``. A terminal sends
characters, not keys, so a letter with shift is the capital letter.
"""

import string
import unicodedata
from difflib import get_close_matches

from ...ingest.errors import UsageError

_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Characters that Textual does not call by their Unicode name."""

_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "newline": "ctrl+j",
}
"""Other names of a key, and what a terminal cannot tell from it."""

_READ_AS = {"escape": "esc", "pageup": "pgup", "pagedown": "pgdn", "delete": "del"}

_MODIFIERS = ("ctrl", "alt", "shift")

SPECIAL_KEYS = (
    *("enter", "escape", "tab", "space", "backspace", "delete", "insert"),
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
    *(f"f{number}" for number in range(1, 13)),
)
"""Keys that send no character of their own."""


def name_of(character: str) -> str:
    """Return Textual's name of the key that sends a character."""
    if character == " ":
        return "space"
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name)


_CHARACTERS = {name_of(character): character for character in string.punctuation}


def readable(key: str) -> str:
    """Return a key as people read it: ``}``, ``enter``, ``esc``, ``ctrl+j``."""
    *modifiers, last = key.split("+")
    return "+".join((*modifiers, _CHARACTERS.get(last, _READ_AS.get(last, last))))


def is_typed(key: str) -> bool:
    """Tell whether a key puts a character into an editor that has the focus."""
    return len(key) == 1 or key in _CHARACTERS or key in {"space", "enter"}


def checked(key: str) -> str:
    """Return Textual's name of a key; raise UsageError for what is none."""
    wanted = _ALIASES.get(key, key)
    if len(wanted) == 1 and wanted.isprintable():
        return name_of(wanted)
    *modifiers, last = wanted.split("+")
    if last.isprintable() and len(last) == 1:
        last = name_of(last).lower()
    letter = last.isalnum() and len(last) == 1
    if letter and "shift" in modifiers:
        raise UsageError(f"no key {key!r}: with shift a letter is the capital one")
    known = letter or last in SPECIAL_KEYS or last in _CHARACTERS
    if known and set(modifiers) <= set(_MODIFIERS):
        ordered = (one for one in _MODIFIERS if one in modifiers)
        return "+".join((*ordered, last))
    near = get_close_matches(wanted, (*SPECIAL_KEYS, *_CHARACTERS, *_ALIASES), n=1)
    hint = f"; did you mean {near[0]}?" if near else "; give a character, or a name such as enter"
    raise UsageError(f"no key {key!r}{hint}")
