"""What the columns of an answer mean: times, sizes, shares, counts or plain values.

An answer's columns follow the naming of the store: every time is a whole number
of ns, every size of bytes, every share lies in 0..1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from ..ingest.schema import LEDGER_STATES


class Kind(Enum):
    """How a value is made readable in a table."""

    TEXT = auto()
    FLAG = auto()
    PLAIN = auto()
    """A number that is printed as it is: an identifier, or what we know nothing of."""
    COUNT = auto()
    INSTANT = auto()
    TIME = auto()
    SIZE = auto()
    SHARE = auto()


class Column(NamedTuple):
    """A column of an answer: its name and DuckDB type."""

    name: str
    type: str

    @property
    def kind(self) -> Kind:
        """Return what the values are, by the type and the naming of the store."""
        return _kind(self.name, self.type)


@dataclass(frozen=True, slots=True)
class Answer:
    """The columns of an answer and its rows, which can be read once."""

    columns: tuple[Column, ...]
    rows: Iterable[tuple[object, ...]]


def unique_names(columns: Sequence[Column]) -> list[str]:
    """Return the names of columns, a repeated one with a number behind it."""
    names: list[str] = []
    for column in columns:
        name, repeat = column.name, 0
        while name in names:
            repeat += 1
            name = f"{column.name}_{repeat}"
        names.append(name)
    return names


INTEGER_TYPES = frozenset(
    f"{sign}{width}INT" for sign in ("", "U") for width in ("TINY", "SMALL", "BIG", "HUGE")
) | frozenset({"INTEGER", "UINTEGER"})
FLOAT_TYPES = frozenset({"FLOAT", "DOUBLE"})

_FIGURES = (
    "communication",
    "communication_not_overlapped",
    "overlapped",
    "free",
    "stage",
    "bubble",
)
_STATISTICS = ("total", "min", "max", "avg", "mean", "median", "p50", "p90", "p99")

_NAMES = {
    Kind.TIME: frozenset(
        {*LEDGER_STATES, *_FIGURES, *_STATISTICS}
        | {"preparing", "period", "waiting", "moving", "dur", "wait", "longest", "clock_offset"}
    ),
    Kind.INSTANT: frozenset({"ts", "launch_end"}),
    Kind.SIZE: frozenset({"bytes"}),
    Kind.COUNT: frozenset({"count", "calls", "gaps", "slices", "kernels", "events", "rows"}),
}
_ENDINGS = {
    Kind.TIME: ("_dur", "_ns", "_total", "_time"),
    Kind.INSTANT: ("_ts",),
    Kind.SIZE: ("_bytes",),
    Kind.COUNT: ("_count",),
}
_SHARE_ENDINGS = ("share", "ratio", "utilization")


def _kind(name: str, type_: str) -> Kind:
    if type_ == "BOOLEAN":
        return Kind.FLAG
    is_float = type_ in FLOAT_TYPES
    if is_float and name.endswith(_SHARE_ENDINGS):
        return Kind.SHARE
    if not is_float and type_ not in INTEGER_TYPES and not type_.startswith("DECIMAL"):
        return Kind.TEXT
    for kind, names in _NAMES.items():
        if name in names or name.endswith(_ENDINGS[kind]):
            # Of what is not whole, only the mean of some times is known.
            return kind if not is_float or kind is Kind.TIME else Kind.PLAIN
    return Kind.PLAIN
