"""Runs of operators that one fused kernel could replace: the patterns to look for.

Those that npuview ships are data (``patterns.toml``). A person adds to them, changes them
and leaves some out in a file of their own::

    [types]
    residual = ["Add", "AddV2"]

    [[patterns]]
    name = "add_norm"
    steps = "residual cast? norm"
    fused = "our AddNorm"

    [[patterns]]
    name = "gelu"
    off = true
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ..ingest.errors import UsageError
from ..ingest.toml_file import TO_TRY, read_toml
from .query import closest
from .rules import user_rules

SHIPPED: Final = Path(__file__).parent / "patterns.toml"
VIEW: Final = "fusion_step"
"""The view that holds the patterns, a row for each token of their steps."""

MOST_TYPES: Final = 1 << 16
"""In the steps of all patterns, each type as often as its word: every query would hold them."""

_COLUMNS: Final = {
    "pattern": "VARCHAR",
    "fused": "VARCHAR",
    "linked": "BOOLEAN",
    "place": "INTEGER",
    "token": "VARCHAR",
    "types": ["VARCHAR"],
}
_TOKEN: Final = re.compile(r"\s*([a-z_][a-z0-9_]*|[()|?*+])")
_REPEATED: Final = re.compile(r"[?*+]\s*[?*+]")
_GLOB: Final = re.compile(r"[A-Za-z0-9_*]+")


class Token(NamedTuple):
    """A part of a pattern: a sign of the expression, or a word with the types it stands for."""

    text: str
    types: tuple[str, ...]


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run of operators, as a regular expression over words, and what could run instead.

    A run of a ``linked`` pattern ends where a member is known not to read as many numbers as
    the one before wrote; every part of it of two members and more counts as a run.
    """

    name: str
    steps: str = ""
    fused: str = ""
    linked: bool = False
    off: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    types: dict[str, list[str]] = msgspec.field(default_factory=dict[str, list[str]])
    patterns: list[Pattern] = msgspec.field(default_factory=list[Pattern])


def user_patterns() -> Path | None:
    """Return the user's file, which lies beside that of the rules; None without a home."""
    rules = user_rules()
    return rules and rules.with_name(SHIPPED.name)


def load_patterns(user: Path | None = None) -> Mapping[Pattern, tuple[Token, ...]]:
    """Return the patterns in force with their tokens; the shipped ones without a file.

    Raises UsageError naming file and pattern for what cannot be read.
    """
    shipped = _shipped()
    own = _File() if user is None else _read(user)
    types = shipped.types | own.types
    patterns = {one.name: one for one in (*shipped.patterns, *own.patterns)}
    file = user or SHIPPED
    found = {one: _tokens(one, types, file) for one in patterns.values() if not one.off}
    if sum(1 + len(token.types) for tokens in found.values() for token in tokens) > MOST_TYPES:
        raise UsageError(f"{file}: the steps stand for more than {MOST_TYPES:,} types and signs")
    return found


def pattern_view(user: Path | None = None) -> str:
    """Return the SELECT of the view ``fusion_step``.

    A user's file that cannot be read is an error of whoever asks for the patterns, and
    of nobody else: the view says it.
    """
    try:
        patterns = load_patterns(user)
    except UsageError as error:
        broken = Pattern("", "", "")
        return f"{_rows({broken: (Token('', ()),)})} WHERE error({_text(str(error))})"
    return _rows(patterns)


@cache
def _shipped() -> _File:
    return msgspec.toml.decode(SHIPPED.read_bytes(), type=_File)


def _read(path: Path) -> _File:
    read = read_toml(path)
    try:
        return _File() if read is None else msgspec.convert(read.table, _File)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}; {TO_TRY}") from error


def _tokens(pattern: Pattern, types: Mapping[str, list[str]], file: Path) -> tuple[Token, ...]:
    """Split the steps of a pattern; raise UsageError if they are no expression over words."""
    where = f"{file}: pattern {pattern.name!r}: steps"
    tokens: list[Token] = []
    steps, place = pattern.steps.rstrip(), 0
    while place < len(steps):
        found = _TOKEN.match(steps, place)
        if found is None:
            raise UsageError(f"{where}: {steps[place:]!r} is neither a word nor ( ) | ? * +")
        text, place = found[1], found.end()
        if text in "()|?*+":
            tokens.append(Token(text, ()))
        elif text in types:
            tokens.append(Token(text, _types(text, types[text], file)))
        else:
            like = closest(text, dict.fromkeys(types))
            hint = f"did you mean {like}?" if like else f"there are {', '.join(types)}"
            raise UsageError(f"{where}: no word {text!r} under [types]; {hint}")
    if doubled := _REPEATED.search(steps):
        # Some of these mean one thing here and nothing, or another, in the database.
        raise UsageError(f"{where}: no regular expression: {doubled[0]!r} repeats what is repeated")
    expression = "".join("x" if one.types else one.text for one in tokens)
    try:
        empty = re.fullmatch(expression, "") is not None
    except re.error as error:
        raise UsageError(f"{where}: no regular expression: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{where}: nested too deeply") from error
    if empty:
        raise UsageError(f"{where}: it would be found where nothing is")
    return tuple(tokens)


def _types(word: str, globs: list[str], file: Path) -> tuple[str, ...]:
    if not globs:
        raise UsageError(f"{file}: types.{word}: names no operator type")
    for glob in globs:
        if not _GLOB.fullmatch(glob):
            raise UsageError(f"{file}: types.{word}: {glob!r} is no operator type")
    return tuple(globs)


def _rows(patterns: Mapping[Pattern, tuple[Token, ...]]) -> str:
    """Return the rows as one text, for every session has the view and few ask it."""
    rows = [
        (pattern.name, pattern.fused, pattern.linked, place, token.text, token.types)
        for pattern, tokens in patterns.items()
        for place, token in enumerate(tokens)
    ]
    named = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
    columns = ", ".join(f"one.{name}" for name in _COLUMNS)
    listed = f"from_json({_text(json.dumps(named))}, {_text(json.dumps([_COLUMNS]))})"
    return f"SELECT {columns} FROM (SELECT unnest({listed}) AS one)"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
