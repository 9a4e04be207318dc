"""A question: its SQL, what it asks for, and the values that its parameters take."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Final, Literal, get_args

from ..ingest.errors import UsageError

Value = bool | int | float | str | Decimal | None
"""A value of an answer or of a parameter."""

Origin = Literal["shipped", "user", "project", "typed"]
"""Where a question comes from: npuview, the user's presets, the profile's, or a prompt."""

ParameterType = Literal["BIGINT", "INTEGER", "DOUBLE", "VARCHAR", "BOOLEAN"]
PARAMETER_TYPES: Final[tuple[ParameterType, ...]] = get_args(ParameterType)

LIMIT: Final = "limit"
"""The parameter that says how many rows a question answers."""

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_BITS: Final = {"BIGINT": 64, "INTEGER": 32}
_WORDS: Final = {
    "true": True,
    "yes": True,
    "1": True,
    "false": False,
    "no": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a question: ``$name`` in its SQL. NULL always means all."""

    name: str
    type: ParameterType | None
    """None where a value is taken as it is: in SQL typed at a prompt."""
    about: str = ""
    default: Value = None
    required: bool = False
    most: float | None = None
    """The largest value that makes sense, where there is one."""
    words: tuple[str, ...] = ()
    """The only values that there are, where they are few."""

    def value(self, given: object) -> Value:
        """Return a given value, or text that stands for one, as this parameter's type.

        Empty text is NULL. Raises UsageError naming parameter, text and type.
        """
        if given is None or given == "":
            return None
        try:
            value = _converted(given, self.type)
        except ValueError:
            raise UsageError(
                f"parameter {self.name}: {given!r} is no {self.type}; {self.about}".rstrip("; ")
            ) from None
        if self.name == LIMIT and isinstance(value, int | float) and value < 0:
            raise UsageError(f"parameter {LIMIT}: {value} is no number of rows; NULL is all")
        if self.most is not None and isinstance(value, int | float) and value > self.most:
            raise UsageError(f"{self._told(value)} is more than {self.most:g}; {self.about}")
        if self.words and value not in self.words:
            like = closest(str(value), dict.fromkeys(self.words))
            hint = f"did you mean {like}?" if like else f"there are {', '.join(self.words)}"
            raise UsageError(f"{self._told(value)} is not known; {hint}")
        return value

    def counted(self, given: object) -> Value:
        """Return ``value`` for a question of npuview's own.

        There no number is negative but a place in time; an id that is names nothing, and
        is answered with no row. Raises UsageError as ``value`` does, and for one that is.
        """
        value = self.value(given)
        counts = not (is_instant(self.name) or self.name.endswith("_id"))
        if counts and isinstance(value, int | float) and value < 0:
            raise UsageError(f"{self._told(value)} is less than 0; {self.about}")
        return value

    def _told(self, value: Value) -> str:
        return f"parameter {self.name}: {value}"


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column of an answer: its name and DuckDB type."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question that can be asked of a session."""

    name: str
    sql: str
    """The whole file, its header too, or the text that was typed."""
    title: str = ""
    about: str = ""
    params: tuple[Parameter, ...] = ()
    columns: tuple[AnswerColumn, ...] = ()
    """Columns of the answer; empty where they are not known before it is asked."""
    needs: tuple[str, ...] = ()
    """Tables that it reads."""
    origin: Origin = "shipped"
    replaces: bool = False
    """Whether it stands in the place of a question that npuview ships."""

    def bind(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """Return the value of every parameter, given ones as values or as text.

        Raises UsageError for a parameter that does not exist, that is missing, or
        whose text is no value of its type or none that makes sense.
        """
        given = given or {}
        known = {parameter.name: parameter for parameter in self.params}
        for name in given:
            if name not in known:
                raise UsageError(f"{self.name} has no parameter {name!r}{_hint(name, known)}")
        missing = [p.name for p in self.params if p.required and p.name not in given]
        if missing:
            raise UsageError(f"{self.name} needs a value for: {', '.join(missing)}")
        read = Parameter.counted if self.origin == "shipped" else Parameter.value
        return {
            parameter.name: read(parameter, given[parameter.name])
            if parameter.name in given
            else parameter.default
            for parameter in self.params
        }


def is_instant(name: str) -> bool:
    """Tell whether a parameter of a question is a place in time, by the store's naming."""
    return name == "ts" or name.endswith("_ts")


def listed(columns: Sequence[AnswerColumn]) -> str:
    """Return columns as a header writes them."""
    return ", ".join(f"{column.name} {column.type}" for column in columns)


def closest(name: str, known: Mapping[str, object]) -> str | None:
    """Return the known name that is most like a mistaken one, if any is."""
    return next(iter(get_close_matches(name, list(known), n=1)), None)


def _hint(name: str, known: Mapping[str, object]) -> str:
    if not known:
        return "; it takes none"
    if like := closest(name, known):
        return f"; did you mean {like}?"
    return f"; it takes {', '.join(known)}"


def _converted(given: object, type_: ParameterType | None) -> Value:
    """Return a value of a type; raise ValueError if it is none."""
    if isinstance(given, str):
        # A byte that is no UTF-8, as a shell may hand over, is in no name of a store.
        given.encode()
    match type_, given:
        case (None, bool() | int() | float() | str() | Decimal()) | ("VARCHAR", str()):
            return given
        case "BOOLEAN", bool() | str() if str(given).strip().lower() in _WORDS:
            return _WORDS[str(given).strip().lower()]
        case (("BIGINT" | "INTEGER"), int()) if not isinstance(given, bool):
            return _fitting(given, _BITS[type_])
        case (("BIGINT" | "INTEGER"), str()) if _INTEGER.fullmatch(given.strip()):
            return _fitting(int(given), _BITS[type_])
        case "DOUBLE", int() | float() | str() if not isinstance(given, bool):
            number = float(given)
            if math.isfinite(number):
                return number
        case _:
            pass
    raise ValueError(given)


def _fitting(number: int, bits: int) -> int:
    if not -(1 << bits - 1) <= number < 1 << bits - 1:
        raise ValueError(number)
    return number
