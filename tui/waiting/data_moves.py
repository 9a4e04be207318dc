"""Movements of data: copies of the device and transfers of collectives, one by one and together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...queries.rows import CollectivesRow
from ...queries.rows_moving import CopyCallsRow
from ..draw.safe_text import clean
from ..words.spoken import say, spoken

COPY = "copy"
TRANSFER = "transfer"

_ENDS = re.compile(r"\((.+ -> .+)\)")
"""From where to where, as CUDA and ROCm write it into the name of a copy."""

_NUMBERS = re.compile(r"__[0-9_]+$")
"""What HCCL puts behind the name of an operation: group, number and part."""


@dataclass(frozen=True, slots=True)
class Move:
    """One movement, ns; of a transfer ``dur`` is how long data moved in its collective.

    ``name`` and ``by`` are clean; ``by`` is the direction or task type of a copy, the
    group of a collective. ``size`` None is not known.
    """

    kind: str
    name: str
    by: str
    ts: int
    dur: int
    window: int
    """Length of the task or collective in the timeline."""
    size: int | None
    slice_id: int | None
    rank: int

    @property
    def group(self) -> tuple[str, str, str]:
        """Return what it is counted with."""
        name = _NUMBERS.sub("", self.name) if self.kind == TRANSFER else self.name
        return self.kind, name, self.by


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Movements alike, ns; ``size`` is the sum of the sizes known, ``timed`` their time."""

    kind: str
    name: str
    by: str
    count: int
    total: int
    longest: int
    size: int | None
    timed: int
    sized: int
    """How many sizes are known."""


def moves(
    copies: Iterable[CopyCallsRow],
    collectives: Iterable[CollectivesRow],
) -> list[Move]:
    """Return all movements, longest first; collectives that are not split are not among them."""
    found: list[Move] = []
    for copy in copies:
        ends = _ENDS.search(copy.name)
        by = ends[1] if ends else spoken().directions.get(copy.direction or "", copy.task_type)
        found.append(
            Move(
                COPY,
                clean(copy.name),
                clean(by or say("not_named")),
                copy.ts,
                copy.dur,
                copy.dur,
                copy.bytes,
                copy.slice_id,
                copy.rank,
            )
        )
    for row in collectives:
        if row.transfer_ns:
            by = say("group", group=clean(row.group)) if row.group is not None else say("no_group")
            found.append(
                Move(
                    TRANSFER,
                    clean(row.name),
                    by,
                    row.ts,
                    row.transfer_ns,
                    row.dur,
                    row.bytes,
                    row.slice_id,
                    row.rank,
                )
            )
    return sorted(found, key=lambda move: (-move.dur, move.ts))


def move_groups(found: Iterable[Move]) -> list[MoveGroup]:
    """Return movements together by kind, name and direction, most time first."""
    together: dict[tuple[str, str, str], list[Move]] = {}
    for move in found:
        together.setdefault(move.group, []).append(move)
    groups = [_group(key, members) for key, members in together.items()]
    return sorted(groups, key=lambda group: -group.total)


def _group(key: tuple[str, str, str], members: Sequence[Move]) -> MoveGroup:
    kind, name, by = key
    sized = [move for move in members if move.size is not None]
    return MoveGroup(
        kind,
        name,
        by,
        len(members),
        sum(move.dur for move in members),
        max(move.dur for move in members),
        sum(move.size or 0 for move in sized) if sized else None,
        sum(move.dur for move in sized),
        len(sized),
    )
