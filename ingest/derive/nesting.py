"""Depth, sub-lane and parent of slices that overlap only partly.

Slices that nest are handled as sets of rows; only clusters in which a slice
begins inside another and ends after it come here, in the order of their numbers
(by start, longer first).
"""

from collections.abc import Iterable
from typing import NamedTuple


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
    for one in slices:
        if cluster != (one.track_id, one.cluster):
            cluster = (one.track_id, one.cluster)
            sublanes = []
        end = one.ts + one.dur
        sublane = 0
        for stack in sublanes:
            while stack and (stack[-1][0] < one.ts or (stack[-1][0] == one.ts and one.dur)):
                stack.pop()
            if not stack or end <= stack[-1][0]:
                break
            sublane += 1
        else:
            stack = []
            sublanes.append(stack)
        parent = stack[-1][1] if stack else None
        nestings.append(Nesting(one.slice_id, len(stack), sublane, parent))
        if one.dur:
            stack.append((end, one.slice_id))
    return nestings
