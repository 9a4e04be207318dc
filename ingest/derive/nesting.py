"""Depth, sub-lane and parent of slices that overlap only partly.

Slices that nest are handled as sets of rows; only clusters in which a slice
begins inside another and ends after it come here, in the order of their numbers
(by start, longer first).
"""

import heapq
from collections.abc import Iterable
from typing import Final, NamedTuple

MOST_SEARCHED: Final = 64
"""Sub-lanes that are looked into for one in which a slice nests."""


class Placed(NamedTuple):
    """A slice with the cluster that it belongs to; times in ns."""

    slice_id: int
    track_id: int
    cluster: int
    ts: int
    dur: int


class Nesting(NamedTuple):
    """Where a slice stands: on which sub-lane, how deep, and inside which slice."""

    slice_id: int
    depth: int
    sublane: int
    parent_id: int | None


def untangle(slices: Iterable[Placed]) -> list[Nesting]:
    """Give each slice the first sub-lane on which it nests; none is lost.

    A slice fits a sub-lane if it lies wholly inside the innermost slice open
    there, or if none is open. A slice of no length at the very end of another
    belongs to it.
    """
    nestings: list[Nesting] = []
    cluster: tuple[int, int] | None = None
    sublanes: list[list[tuple[int, int]]] = []
    free: list[tuple[int, int]] = []
    for one in slices:
        if cluster != (one.track_id, one.cluster):
            cluster = (one.track_id, one.cluster)
            sublanes, free = [], []
        end = one.ts + one.dur
        sublane = 0
        for stack in sublanes[:MOST_SEARCHED]:
            while stack and (stack[-1][0] < one.ts or (stack[-1][0] == one.ts and one.dur)):
                stack.pop()
            if not stack or end <= stack[-1][0]:
                break
            sublane += 1
        else:
            # So many at once do not nest any more: each takes a sub-lane that is free.
            if free and free[0][0] <= one.ts:
                sublane = heapq.heappop(free)[1]
                sublanes[sublane].clear()
            else:
                sublane = len(sublanes)
                sublanes.append([])
            stack = sublanes[sublane]
            if sublane >= MOST_SEARCHED:
                heapq.heappush(free, (end, sublane))
        parent = stack[-1][1] if stack else None
        nestings.append(Nesting(one.slice_id, len(stack), sublane, parent))
        if one.dur:
            stack.append((end, one.slice_id))
    return nestings
