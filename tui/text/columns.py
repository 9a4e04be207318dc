"""What the columns of an answer mean: times, sizes, shares, counts or plain values.

An answer's columns follow the naming of the store: every time is a whole number
of ns, every size of bytes, every share lies in 0..1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from ...ingest.schema import LEDGER_STATES
from ...queries.query import AnswerColumn


class Kind(Enum):
    """How a value is made readable in a table."""

    TEXT = auto()
    FLAG = auto()
    PLAIN = auto()
    """A number that is printed as it is: an identifier, or what we know nothing of."""
    COUNT = auto()
    INSTANT = auto()
    TIME = auto()
    DIFFERENCE = auto()
    """A time that is more or less than another, with its sign."""
    SIZE = auto()
    MEMORY = auto()
    """Bytes of the device's memory, which is counted in powers of 1024."""
    GROWTH = auto()
    """Such bytes more or less than before, with their sign."""
    RATE = auto()
    """Bytes per second."""
    SHARE = auto()
    TIMES = auto()
    """How often one value holds another."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The columns of an answer and its rows, which can be read once."""

    columns: tuple[AnswerColumn, ...]
    rows: Iterable[tuple[object, ...]]


def columns_of_table(
    columns: Sequence[AnswerColumn],
    rows: Sequence[tuple[object, ...]],
    names: Sequence[str],
    *,
    several_ranks: bool,
    where_known: frozenset[str] = frozenset(),
) -> Answer:
    """Return the columns that a table shows, in its order; without names all of them.

    The rank is not repeated where there is one, nor the device where each rank has one.
    Columns of ``where_known`` are left out where no row has a value in them.
    """
    at = {column.name: place for place, column in enumerate(columns)}
    chosen = [at[name] for name in names] if names else list(range(len(columns)))
    # An answer may also tell of ranks that are not here.
    told = {row[at["rank"]] for row in rows} if "rank" in at else set[object]()
    if names and not several_ranks and len(told) <= 1:
        chosen = [place for place in chosen if columns[place].name != "rank"]
    if names and {"rank", "device_id"} <= at.keys():
        devices = {(row[at["rank"]], row[at["device_id"]]) for row in rows}
        if len(devices) <= len({rank for rank, _ in devices}):
            chosen = [place for place in chosen if columns[place].name != "device_id"]
    chosen = [
        place
        for place in chosen
        if columns[place].name not in where_known or any(row[place] is not None for row in rows)
    ]
    picked = [tuple(row[place] for place in chosen) for row in rows]
    return Answer(tuple(columns[place] for place in chosen), picked)


def is_name(column: AnswerColumn) -> bool:
    """Tell whether a column names what its rows are about."""
    return kind_of(column) is Kind.TEXT and (
        column.name in {"name", "before", "after"} or column.name.endswith("_name")
    )


def measure_of(columns: Sequence[AnswerColumn]) -> str | None:
    """Return the column that says how much of it there is: the first time, else size."""
    kinds = [(kind_of(column), column.name) for column in columns]
    found = [
        name
        for wanted in (Kind.TIME, Kind.SIZE, Kind.MEMORY)
        for kind, name in kinds
        if kind is wanted
    ]
    return next(iter(found), None)


def unique_names(columns: Sequence[AnswerColumn]) -> list[str]:
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
_STATISTICS = ("total", "min", "max", "avg", "mean", "median", "p50", "p90", "p95", "p99")

_NAMES = {
    Kind.DIFFERENCE: frozenset({"from_median_ns", "difference"}),
    Kind.TIME: frozenset(
        {*LEDGER_STATES, *_FIGURES, *_STATISTICS}
        | {"preparing", "period", "waiting", "moving", "dur", "wait", "longest", "clock_offset"}
        | {"collective_unsplit", "collective", "per_step", "official", "own"}
    ),
    Kind.INSTANT: frozenset({"ts", "launch_end"}),
    Kind.RATE: frozenset(),
    Kind.GROWTH: frozenset({"growth_bytes", "slope_bytes"}),
    Kind.MEMORY: frozenset(
        f"{name}_bytes"
        for name in (
            *("held", "level", "peak", "reserved", "unused", "lowest", "last", "largest"),
            *("kept", "grown", "capacity"),
        )
    ),
    Kind.SIZE: frozenset({"bytes"}),
    Kind.COUNT: frozenset(
        {"count", "names", "samples", "slices", "kernels", "collectives", "times_last", "rows"}
        | {"steps", "receives"}
    ),
}
_ENDINGS: dict[Kind, tuple[str, ...]] = {
    Kind.DIFFERENCE: (),
    Kind.TIME: ("_dur", "_ns", "_total", "_time"),
    Kind.INSTANT: ("_ts",),
    Kind.RATE: ("bytes_per_s",),
    Kind.GROWTH: (),
    Kind.MEMORY: (),
    Kind.SIZE: ("_bytes",),
    Kind.COUNT: ("_count",),
}
_MAY_BE_MEANS = frozenset({Kind.TIME, Kind.SIZE, Kind.RATE})
"""Kinds whose values need not be whole."""

_SHARE_ENDINGS = ("share", "ratio", "utilization")
_TIMES_ENDINGS = ("spread", "times")


def kind_of(column: AnswerColumn) -> Kind:
    """Return what a column's values are, by its type and the naming of the store."""
    name, type_ = column.name, column.type
    if type_ == "BOOLEAN":
        return Kind.FLAG
    is_float = type_ in FLOAT_TYPES
    if is_float and name.endswith(_SHARE_ENDINGS):
        return Kind.SHARE
    if is_float and name.endswith(_TIMES_ENDINGS):
        return Kind.TIMES
    if not is_float and type_ not in INTEGER_TYPES and not type_.startswith("DECIMAL"):
        return Kind.TEXT
    for kind, names in _NAMES.items():
        if name in names or name.endswith(_ENDINGS[kind]):
            return kind if not is_float or kind in _MAY_BE_MEANS else Kind.PLAIN
    return Kind.PLAIN
