"""Waits by what was waited for: a peer of a group, an event, a notification."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...queries.rows import PeersRow, WaitsRow
from ..draw.peer_name import peer_name
from ..draw.safe_text import clean
from ..words.spoken import say

PEER = "peer"


@dataclass(frozen=True, slots=True)
class WaitGroup:
    """Waits for one thing, ns; ``name`` and ``remark`` are clean.

    ``longest_slice_id`` is the task that waited longest, for a peer None; ``number``
    then says which one of which ``group``.
    """

    kind: str
    name: str
    remark: str
    count: int
    total: int
    longest: int
    longest_slice_id: int | None = None
    number: int | None = None
    group: str | None = None


def wait_groups(waits: Iterable[WaitsRow], peers: Sequence[PeersRow]) -> list[WaitGroup]:
    """Return what was waited for, most time first.

    Waits of several streams and for several peers run at once: they are not to be added.
    """
    found = [*_peer_groups(peers), *_task_groups(waits, told_by_peers=bool(peers))]
    return sorted(found, key=lambda group: -group.total)


def _peer_groups(peers: Sequence[PeersRow]) -> list[WaitGroup]:
    several = len({peer.group for peer in peers}) > 1
    groups: list[WaitGroup] = []
    for peer in peers:
        name = peer_name(peer.peer, peer.number)
        if several:
            name = say("of_group", name=name, group=clean(peer.group or say("unknown")))
        said = [say("last_in", last=f"{peer.times_last:,}", of=f"{peer.collectives:,}")]
        if peer.collected is False:
            said.append(say("not_in_data"))
        groups.append(
            WaitGroup(
                PEER,
                name,
                say("comma").join(said),
                peer.collectives,
                peer.wait_ns,
                peer.longest,
                number=peer.number,
                group=peer.group,
            )
        )
    return groups


def _task_groups(waits: Iterable[WaitsRow], *, told_by_peers: bool) -> list[WaitGroup]:
    """Put the waits of all steps and devices together by kind and name."""
    groups: dict[tuple[str, str], WaitGroup] = {}
    for wait in waits:
        if wait.kind == PEER and told_by_peers:
            continue
        key = (wait.kind, wait.name)
        known = groups.get(key)
        longer = known is None or wait.longest > known.longest
        groups[key] = WaitGroup(
            wait.kind,
            clean(wait.name),
            "",
            wait.count_ + (known.count if known else 0),
            wait.total + (known.total if known else 0),
            wait.longest if known is None else max(wait.longest, known.longest),
            wait.longest_slice_id if longer or known is None else known.longest_slice_id,
        )
    return list(groups.values())
