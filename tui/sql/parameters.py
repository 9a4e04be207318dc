"""Values of a question's parameters: times as people type them, and what the app knows."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ...ingest.errors import UsageError
from ...queries.query import is_instant
from ..places import is_length, parse_length, parse_place

if TYPE_CHECKING:
    from ...queries.query import Query
    from ..focus import Focus

TIME_TYPES = frozenset({"BIGINT", None})
"""Types of parameters that may be times; None is SQL that somebody typed."""


class GivenQuestion(NamedTuple):
    """A question by its name, and the values of its parameters as text."""

    name: str
    values: tuple[tuple[str, str], ...]


def read_times(
    query: "Query", given: Mapping[str, object], start: Callable[[], int]
) -> dict[str, object]:
    """Return the given values of parameters, typed times as whole ns.

    ``start`` says from which instant (ns) times with a unit count; it is called only if
    there is one. Raises UsageError for what is no time, and for a window that ends
    before it begins.
    """
    values = dict(given)
    for parameter in query.params:
        name, text = parameter.name, values.get(parameter.name)
        if not isinstance(text, str) or not text or parameter.type not in TIME_TYPES:
            continue
        if is_instant(name):
            place = parse_place(text)
            values[name] = place.absolute(start()) if place.relative else place.ns
        elif is_length(name):
            values[name] = parse_length(text)
    match values:
        case {"from_ts": int(begin), "to_ts": int(end)} if begin > end:
            raise UsageError(f"the window ends before it begins: from {begin} to {end} ns")
        case _:
            return values


def known_values(query: "Query", focus: "Focus") -> dict[str, str]:
    """Return the parameters that a place answers, as text: its rank, step, window, slice."""
    window = focus.marked or focus.window
    known = {
        "rank": focus.rank,
        "step": focus.step,
        "from_ts": window.from_ts if window else None,
        "to_ts": window.to_ts if window else None,
        "slice_id": focus.selection.slice_id if focus.selection else None,
    }
    names = [parameter.name for parameter in query.params]
    return {
        name: str(value) for name, value in known.items() if name in names and value is not None
    }
