"""What stands beside the boxes of the overview: their parts, and what is not known of them."""

from collections.abc import Sequence
from typing import NamedTuple

from ...queries.rows import OverviewRow
from ..draw import numbers
from ..draw.peer_name import peer_name
from ..text.boxes_text import Split
from ..words.spoken import counted, say, spoken
from .collection import splits_collectives
from .overview_facts import Block, Facts

WAITS = ("waiting_peer", "waiting_stage", "waiting_event")
MOVES = ("transferring", "copying", "collective_other")


class Part(NamedTuple):
    """A part of a box: its time in ns, or what is not known of it; clean text."""

    name: str
    ns: int | None = None
    remark: str = ""

    @property
    def text(self) -> str:
        """Return it as one piece of a sentence."""
        time = f"{self.name} {numbers.time(self.ns)}" if self.ns is not None else self.name
        return say("remarked", what=time, remark=self.remark) if self.remark else time


def computing_parts(block: Block) -> list[Part]:
    """Return what of the computing is not plain kernels."""
    return _parts(block.steps, "mc2", "aicpu")


def waiting_parts(block: Block, split: Split, *states: str) -> list[Part]:
    """Return the kinds of waiting, or only some ``states`` of them, longest first."""
    if split.waiting is None:
        return [Part(say("not_collected"))]
    return _parts(block.steps, *(states or WAITS))


def moving_parts(block: Block, split: Split) -> list[Part]:
    """Return the kinds of moving, longest first."""
    if split.moving is None:
        return [Part(say("not_collected"))]
    return _parts(block.steps, *MOVES)


def unsplit_sentence(block: Block, split: Split, facts: Facts) -> str:
    """Say why transfer and waiting in collectives cannot be told apart."""
    return say("unsplit", why=_why_unsplit(block, split, facts))


def _parts(steps: Sequence[OverviewRow], *states: str) -> list[Part]:
    """Return the parts of a box with their times, longest first, then what is not known."""
    sums: list[Part] = []
    unknown: list[str] = []
    for state in states:
        name, values = spoken().states[state], [getattr(step, state) for step in steps]
        if any(value is not None for value in values):
            sums.append(Part(name, sum(value or 0 for value in values)))
        else:
            unknown.append(name)
    parts = sorted((one for one in sums if one.ns), key=lambda one: one.ns or 0, reverse=True)
    return (
        [*parts, Part(say("part_not_collected", parts=say("comma").join(unknown)))]
        if unknown
        else parts
    )


def _why_unsplit(block: Block, split: Split, facts: Facts) -> str:
    profile = next(one for one in facts.profiles if one.rank == block.rank)
    # Where no wait was collected there is no timeline: nothing tells what was recorded.
    if split.waiting is not None and (switch := splits_collectives(profile)):
        return say("unsplit_by_switch", switch=switch)
    return say("unsplit_absent")


class LatePeer(NamedTuple):
    """The peer that the collectives of a rank waited for most.

    ``wait_ns`` also holds what other work hid: then it is ``beside`` more than the box.
    """

    name: str
    mapped: bool
    """Its rank in the job is known, not only its number in the group."""
    absent: bool
    """It is known not to be in this data."""
    wait_ns: int
    beside: bool
    last: str
    """How often it came last; clean text."""


def late_peer(block: Block, facts: Facts) -> LatePeer | None:
    """Return the peer that was waited for most; None where no peer was waited for."""
    of_rank = [peer for peer in facts.peers if peer.rank == block.rank and peer.wait_ns]
    if not of_rank:
        return None
    late = max(of_rank, key=lambda peer: peer.wait_ns)
    in_box = sum(step.waiting_peer or 0 for step in block.steps)
    return LatePeer(
        peer_name(late.peer, late.number),
        late.peer is not None,
        late.collected is False,
        late.wait_ns,
        late.wait_ns > in_box,
        say("last_in", last=f"{late.times_last:,}", of=f"{late.collectives:,}"),
    )


def late_parts(block: Block, facts: Facts, *, named: bool) -> list[Part]:
    """Say which peer was waited for most, unless it is ``named``, and what is not here."""
    late = late_peer(block, facts)
    if late is None:
        return []
    job = facts.job
    absence = [Part(say("what_is_absent", what=job.left))] if job and job.missing else []
    if named:
        return absence
    name = say("name_absent", name=late.name) if late.absent else late.name
    time = numbers.time(late.wait_ns)
    time = say("partly_beside", time=time) if late.beside else time
    parts = [Part(say("longest_for", name=name, time=time, last=late.last))]
    if not late.mapped:
        parts.append(Part(say("peers_numbered")))
    return [*parts, *absence]


def gaps_sentence(block: Block, facts: Facts) -> str:
    """Say how many gaps there are between tasks, and how long the longest is; empty: none."""
    gaps = [row for row in facts.gap_summary if block.holds(row.rank, row.device_id)]
    if not gaps:
        return ""
    count = counted(sum(row.count_ for row in gaps), "gap")
    return say("longest_of", count=count, time=numbers.time(max(row.longest for row in gaps)))
