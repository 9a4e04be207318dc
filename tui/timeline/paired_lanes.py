"""The lanes of two runs in one order, so that each stands in the same row of both."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .lane_name import LaneName, lane_names
from .lanes import Lane, LaneKey, Lanes


def paired_lanes(one: Lanes, other: Lanes) -> tuple[Lanes, Lanes]:
    """Return the lanes of both, row by row the same; one that a run lacks is ``absent`` there.

    What is shown of one is shown of both. The lanes of the gaps stay last.
    """
    of_one = dict(zip(lane_names(one.all), one.all, strict=True))
    of_other = dict(zip(lane_names(other.all), other.all, strict=True))
    order = _merged(list(of_one), list(of_other))
    shown = {
        name
        for lanes, named in ((one, of_one), (other, of_other))
        for name, lane in named.items()
        if lane.key not in lanes.folded
    }
    return (
        Lanes(tuple(_rows(order, of_one, of_other, shown))),
        Lanes(tuple(_rows(order, of_other, of_one, shown))),
    )


def _merged(one: Sequence[LaneName], other: Sequence[LaneName]) -> list[LaneName]:
    """Put the names that only the other has behind those that they follow there."""
    order = list(one)
    at = 0
    for name in other:
        if name in order:
            at = order.index(name) + 1
        else:
            order.insert(at, name)
            at += 1
    return sorted(order, key=lambda name: name.kind == "gap")


def _rows(
    order: Iterable[LaneName],
    own: dict[LaneName, Lane],
    others: dict[LaneName, Lane],
    shown: set[LaneName],
) -> Iterable[Lane]:
    # A stream keeps its number for the parts that only the other run has.
    tracks = {(name.kind, name.stream_id): lane.row.track_id for name, lane in own.items()}
    taken = {lane.key for lane in own.values()}
    for name in order:
        pair = [one for one in (own.get(name), others.get(name)) if one is not None]
        deepest = max(one.row.deepest or 0 for one in pair)
        lane = own.get(name)
        if lane is None:
            lane = _absent(others[name], tracks.get((name.kind, name.stream_id)), taken)
            taken.add(lane.key)
        yield replace(lane, row=lane.row._replace(deepest=deepest), folded=name not in shown)


def _absent(there: Lane, stream: int | None, taken: set[LaneKey]) -> Lane:
    """Return the row for a lane of the other run, on the own track of its ``stream`` if it can."""
    row = there.row
    if stream is None or row.stream_id is None or (stream, row.part, None) in taken:
        # No lane has a negative number: nothing is found on it.
        stream = -1 - row.track_id
    return replace(there, row=row._replace(track_id=stream), absent=True)
