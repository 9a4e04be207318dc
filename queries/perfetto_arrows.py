"""The arrows of an export, part by part: which of them have both ends in the selection.

Only arrows that have begun and not yet ended are held in memory.
"""

from collections.abc import Sequence
from typing import NamedTuple

import duckdb

from .perfetto_events import End, Slice
from .selection import statement


class Arrow(NamedTuple):
    """An arrow as the store has it; its fields together tell it from others."""

    src_slice_id: int | None
    dst_slice_id: int | None
    category: str | None
    name: str | None
    src_ts: int | None
    dst_ts: int | None


class Arrows:
    """Numbers the arrows between slices of the selection, from 1.

    ``missed_ends`` counts the ends at slices of the selection whose other end
    is not there.
    """

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.missed_ends = 0
        self._cursor = cursor
        self._count = 0
        self._begun: dict[Arrow, list[int]] = {}

    def ends(self, rank: int, part: Sequence[Slice]) -> dict[int, list[End]]:
        """Return the ends of arrows at the slices of a part, by slice.

        Parts have no slice in common.
        """
        here = {one.slice_id for one in part}
        rows = self._cursor.execute(statement("arrows"), {"rank": rank, "part": list(here)})
        arrows = [Arrow._make(row) for row in rows.fetchall()]
        there = here | self._elsewhere(arrows, here)
        ends: dict[int, list[End]] = {}
        begun: dict[Arrow, list[int]] = {}
        for arrow in arrows:
            met = [end for end in _known_ends(arrow) if end[0] in here]
            if arrow.src_slice_id not in there or arrow.dst_slice_id not in there:
                self.missed_ends += len(met)
                continue
            if waiting := self._begun.get(arrow):
                number = waiting.pop()
                if not waiting:
                    del self._begun[arrow]
            else:
                self._count += 1
                number = self._count
                if len(met) == 1:
                    begun.setdefault(arrow, []).append(number)
            for slice_id, leaves, at_ts in met:
                end = End(number, (arrow.category, arrow.name), leaves, at_ts)
                ends.setdefault(slice_id, []).append(end)
        self._begun |= begun
        return ends

    def _elsewhere(self, arrows: Sequence[Arrow], here: set[int]) -> set[int]:
        """Return the slices of the selection among the ends that lie in other parts."""
        known: set[int] = set()
        wanted: set[int] = set()
        for arrow in arrows:
            ends = {slice_id for slice_id, _, _ in _known_ends(arrow)}
            (known if arrow in self._begun else wanted).update(ends - here)
        if not wanted:
            return known
        rows = self._cursor.execute(statement("selected"), {"wanted": list(wanted)})
        return known | {slice_id for (slice_id,) in rows.fetchall()}


def _known_ends(arrow: Arrow) -> list[tuple[int, bool, int | None]]:
    """Return slice, whether the arrow leaves it, and instant of the ends that have a slice."""
    ends = (arrow.src_slice_id, True, arrow.src_ts), (arrow.dst_slice_id, False, arrow.dst_ts)
    return [(slice_id, leaves, at_ts) for slice_id, leaves, at_ts in ends if slice_id is not None]
