"""The lanes of one rank, and what else is asked once of it before anything is drawn."""

from dataclasses import dataclass

from ...queries.rows_timeline import CountersRow, LanesRow
from ..answers import Answers
from .lanes import Lanes
from .slab import finest_level


@dataclass(frozen=True, slots=True)
class RankLanes:
    """What is asked once of a rank: its lanes, the finest cells, the tracks of its devices."""

    rank: int
    lanes: Lanes
    finest: int | None
    device_tracks: tuple[int, ...]


def load_rank(answers: Answers, rank: int) -> RankLanes:
    """Ask for the lanes of a rank; raises as ``Session.run`` does."""
    rows = answers.rows("lanes", LanesRow, rank=rank)
    devices = tuple(row.track_id for row in rows if row.kind == "device")
    counters = answers.rows("counters", CountersRow, rank=rank)
    lanes = Lanes.of(rows, counters)
    return RankLanes(rank, lanes, finest_level(answers, rank), devices)
