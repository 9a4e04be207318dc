"""What an export takes of a store: a stretch of time or a slice's subtree, on which lanes."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..ingest.errors import UsageError

if TYPE_CHECKING:
    import duckdb

EXPORT_SQL = Path(__file__).parent / "sql" / "export"
NAMES_IN_A_MESSAGE = 8
INT64 = range(-(1 << 63), 1 << 63)


@dataclass(frozen=True, slots=True)
class StepScope:
    """The time of a step on each rank: from the earlier start to the later end of its two ranges.

    The ranges are its period and its host range.
    """

    step: int


@dataclass(frozen=True, slots=True)
class TimeScope:
    """The time ``[from_ts, to_ts)``, ns in the trace's own clock; None leaves a side open."""

    from_ts: int | None = None
    to_ts: int | None = None


@dataclass(frozen=True, slots=True)
class SubtreeScope:
    """A slice, all that is nested in it on its lane, and the device slices these launched."""

    slice_id: int


@dataclass(frozen=True, slots=True)
class WholeScope:
    """Everything."""


Scope = StepScope | TimeScope | SubtreeScope | WholeScope


@dataclass(frozen=True, slots=True)
class Selection:
    """A scope, narrowed to a rank and to lanes.

    Slices that overlap the time of the scope are taken whole, or cut at its
    borders with ``clip``. ``lanes`` is a regular expression that is searched in
    the lane's name as ``lane_name`` gives it.
    """

    scope: Scope = WholeScope()
    rank: int | None = None
    lanes: str | None = None
    clip: bool = False


class Window(NamedTuple):
    """The time that a selection takes of a rank, ns; None is an open side."""

    rank: int
    from_ts: int | None
    to_ts: int | None


@lru_cache
def statement(name: str) -> str:
    """Return the SQL of a step of an export."""
    return (EXPORT_SQL / f"{name}.sql").read_text(encoding="utf-8")


def lane_name(process: str | None, thread: str | None) -> str:
    """Return the name under which a lane is chosen: ``process / thread``."""
    return f"{process or ''} / {thread or ''}"


def choose(cursor: "duckdb.DuckDBPyConnection", selection: Selection) -> tuple[Window, ...]:
    """Make the views ``export_slice`` and ``export_counter`` of what a selection takes.

    They are temporary: only this cursor sees them. Returns the window of each
    rank, in the order of ranks. Raises UsageError when a step, rank, slice or
    lane does not exist, or the time or the expression makes no sense.
    """
    cursor.execute(statement("places"))
    windows = _windows(cursor, selection)
    listed = isinstance(selection.scope, SubtreeScope)
    for window in windows:
        cursor.execute(
            "INSERT INTO export_window VALUES (?, ?, ?, ?, ?)", [*window, selection.clip, listed]
        )
    cursor.execute(
        "INSERT INTO export_track SELECT unnest(?::BIGINT[])", [_tracks(cursor, selection.lanes)]
    )
    if isinstance(selection.scope, SubtreeScope):
        cursor.execute(statement("subtree"), {"slice_id": selection.scope.slice_id})
    return windows


def describe(selection: Selection, windows: Sequence[Window]) -> dict[str, object]:
    """Return a selection as the words and numbers that an export carries along."""
    described: dict[str, object] = {}
    match selection.scope:
        case StepScope(step):
            described["step"] = step
        case TimeScope(from_ts, to_ts):
            described |= {"from_ts": from_ts, "to_ts": to_ts}
        case SubtreeScope(slice_id):
            described["slice_id"] = slice_id
        case WholeScope():
            described["all"] = True
    return described | {
        "rank": selection.rank,
        "lanes": None if selection.lanes is None else _writable(selection.lanes),
        "slices_across_a_border": "cut" if selection.clip else "whole",
        "windows": [window._asdict() for window in windows],
    }


def nothing_selected(cursor: "duckdb.DuckDBPyConnection", selection: Selection) -> UsageError:
    """Return the error for a selection that holds no slice and no sample."""
    row = cursor.execute("SELECT min(ts), max(ts + dur) FROM slice").fetchone()
    first, last = row or (None, None)
    if first is None:
        return UsageError("nothing to export: this store has no slices")
    hint = f"the slices run from {first} to {last} ns"
    if selection.lanes is not None:
        hint += f"; the lanes that match {selection.lanes!r} are empty there: try without --lanes"
    return UsageError(f"nothing to export: no slice is in the selection; {hint}")


def _windows(cursor: "duckdb.DuckDBPyConnection", selection: Selection) -> tuple[Window, ...]:
    _check_numbers(selection.scope)
    ranks = [
        row[0] for row in cursor.execute("SELECT DISTINCT rank FROM track ORDER BY 1").fetchall()
    ]
    if selection.rank is not None:
        if selection.rank not in ranks:
            raise UsageError(f"no rank {selection.rank} in this store; it has {_listed(ranks)}")
        ranks = [selection.rank]
    match selection.scope:
        case StepScope(step):
            return _step_windows(cursor, step, ranks)
        case TimeScope(from_ts, to_ts):
            if from_ts is not None and to_ts is not None and from_ts >= to_ts:
                raise UsageError(f"the time from {from_ts} to {to_ts} ns is empty")
            return tuple(Window(rank, from_ts, to_ts) for rank in ranks)
        case SubtreeScope(slice_id):
            return (_slice_window(cursor, slice_id, ranks),)
        case WholeScope():
            return tuple(Window(rank, None, None) for rank in ranks)


def _step_windows(
    cursor: "duckdb.DuckDBPyConnection", step: int, ranks: Sequence[int]
) -> tuple[Window, ...]:
    rows = cursor.execute(statement("step_windows"), {"step": step}).fetchall()
    windows = tuple(Window(*row) for row in rows if row[0] in ranks)
    if not windows:
        known = cursor.execute(
            "SELECT DISTINCT step FROM step WHERE list_contains(?, rank) ORDER BY 1", [list(ranks)]
        ).fetchall()
        steps = _listed([row[0] for row in known]) if known else "no steps: try --from and --to"
        raise UsageError(f"no step {step} here; there are {steps}")
    return windows


def _slice_window(
    cursor: "duckdb.DuckDBPyConnection", slice_id: int, ranks: Sequence[int]
) -> Window:
    row = cursor.execute("SELECT rank FROM slice WHERE slice_id = ?", [slice_id]).fetchone()
    if row is None or row[0] not in ranks:
        raise UsageError(
            f"no slice {slice_id} here; npuview sql PATH"
            ' "SELECT slice_id, name, ts, dur FROM slice" lists them'
        )
    return Window(row[0], None, None)


def _tracks(cursor: "duckdb.DuckDBPyConnection", lanes: str | None) -> list[int]:
    rows = cursor.execute(
        "SELECT track_id, process_name, thread_name FROM track ORDER BY rank, sort_order"
    ).fetchall()
    if lanes is None:
        return [row[0] for row in rows]
    pattern = _pattern(lanes)
    names = {row[0]: lane_name(row[1], row[2]) for row in rows}
    found = [track_id for track_id, name in names.items() if pattern.search(name)]
    if not found:
        known = _listed(list(dict.fromkeys(names.values())))
        raise UsageError(f"no lane matches {lanes!r}; there are {known}")
    return found


def _pattern(lanes: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            # [[:alpha:]] would be read as something else than it says.
            warnings.simplefilter("error", FutureWarning)
            return re.compile(lanes)
    except (re.error, FutureWarning) as error:
        raise UsageError(
            f"--lanes {lanes!r} is not a regular expression of Python: {error}"
        ) from error
    except (OverflowError, RecursionError, MemoryError) as error:
        raise UsageError("--lanes is too big an expression; write a shorter one") from error


def _check_numbers(scope: Scope) -> None:
    """Raise UsageError for a number that no column can hold."""
    numbers: dict[str, int | None] = {}
    match scope:
        case StepScope(step):
            numbers = {"--step": step}
        case TimeScope(from_ts, to_ts):
            numbers = {"--from": from_ts, "--to": to_ts}
        case SubtreeScope(slice_id):
            numbers = {"--slice": slice_id}
        case WholeScope():
            pass
    for option, number in numbers.items():
        if number is not None and number not in INT64:
            raise UsageError(f"{option}: a number beyond 64 bits, which no profile has")


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(str(value) for value in values[:NAMES_IN_A_MESSAGE])
    more = len(values) - NAMES_IN_A_MESSAGE
    return f"{shown} and {more} more" if more > 0 else shown


def _writable(text: str) -> str:
    """Return a text of the command line without what UTF-8 cannot hold."""
    return text.encode(errors="backslashreplace").decode()
