"""The cells of a window, lane by lane in lists: what the timeline draws from.

They are those of the questions ``cells`` and ``fine_cells``. A picture needs some ten
thousand of them at every key, and rows of their own would take longer to hand over
than to find.
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from .catalog import read_query
from .query import Query
from .session import Session

FOLDER: Final = Path(__file__).parent / "sql" / "timeline"


class LaneCells(NamedTuple):
    """The cells of a lane in a window, in no order; the lists are equally long."""

    track_id: int
    part: str | None
    buckets: list[int]
    busy: list[int]
    counts: list[int]
    """Slices that start in each cell."""
    classes: list[str | None]
    """Class of the slice with the most time."""


def lane_cells(
    session: Session, level: int, from_ts: int, to_ts: int, tracks: str, *, stored: bool
) -> list[LaneCells]:
    """Return the cells that overlap ``[from_ts, to_ts)``, ns; a lane without any is left out.

    A cell is 2^level ns wide. ``tracks`` are track_ids with commas. ``stored`` says
    whether the store has cells of the level; without it they are worked out from the
    slices. Raises as ``Session.run`` does.
    """
    query = _query("lane_cells" if stored else "lane_fine_cells")
    asked = {"level": level, "from_ts": from_ts, "to_ts": to_ts, "tracks": tracks}
    return session.run(query, asked).as_(LaneCells)


class CounterCells(NamedTuple):
    """The samples of a counter series in a window; the lists are in time, equally long."""

    series_id: int
    before: float | None
    """Last value before the window."""
    buckets: list[int] | None
    """Cells that have samples; None if there are none."""
    most: list[float] | None
    last: list[float] | None
    last_ts: int
    """Instant of the last sample of all, ns: what holds after it is not known."""


def counter_cells(
    session: Session, level: int, from_ts: int, to_ts: int, series: str
) -> list[CounterCells]:
    """Return the samples of series, series_ids with commas, in cells of 2^level ns.

    Raises as ``Session.run`` does.
    """
    asked = {"level": level, "from_ts": from_ts, "to_ts": to_ts, "series": series}
    return session.run(_query("counter_cells"), asked).as_(CounterCells)


@cache
def _query(name: str) -> Query:
    file = FOLDER / f"{name}.sql"
    return read_query(file.read_text("utf-8"), file, "shipped")
