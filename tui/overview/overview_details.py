"""What stands beside the boxes of the overview: their parts, and what is not known of them."""

from collections.abc import Sequence
from typing import NamedTuple

from ...queries.rows import OverviewRow
from ..draw import numbers
from ..draw.peer_name import peer_name
from ..text.boxes_text import Split
from .collection import splits_collectives
from .overview_facts import Block, Facts

NOT_COLLECTED = "not collected"

PEERS = "peers"
STAGE_WAITS = "stages"


class Part(NamedTuple):
    """A part of a box: its time in ns, or what is not known of it; clean text."""

    name: str
    ns: int | None = None
    remark: str = ""

    @property
    def text(self) -> str:
        """Return it as one piece of a sentence."""
        time = f"{self.name} {numbers.time(self.ns)}" if self.ns is not None else self.name
        return f"{time}, {self.remark}" if self.remark else time


def computing_parts(block: Block) -> list[Part]:
    """Return what of the computing is not plain kernels."""
    return _parts(block.steps, ("with communication inside", "mc2"), ("AI CPU", "aicpu"))


def waiting_parts(block: Block, split: Split) -> list[Part]:
    """Return the kinds of waiting, longest first."""
    if split.waiting is None:
        return [Part(NOT_COLLECTED)]
    return _parts(
        block.steps,
        (PEERS, "waiting_peer"),
        (STAGE_WAITS, "waiting_stage"),
        ("events", "waiting_event"),
    )


def moving_parts(block: Block, split: Split) -> list[Part]:
    """Return the kinds of moving, longest first."""
    if split.moving is None:
        return [Part(NOT_COLLECTED)]
    return _parts(
        block.steps,
        ("transfers", "transferring"),
        ("copies", "copying"),
        ("rest of collectives", "collective_other"),
    )


def unsplit_sentence(block: Block, split: Split, facts: Facts) -> str:
    """Say why transfer and waiting in collectives cannot be told apart."""
    why = _why_unsplit(block, split, facts)
    return f"transfer and waiting cannot be told apart: {why}"


def _parts(steps: Sequence[OverviewRow], *named: tuple[str, str]) -> list[Part]:
    """Return the parts of a box with their times, longest first, then what is not known."""
    sums: list[Part] = []
    unknown: list[str] = []
    for name, field in named:
        values = [getattr(step, field) for step in steps]
        if any(value is not None for value in values):
            sums.append(Part(name, sum(value or 0 for value in values)))
        else:
            unknown.append(name)
    parts = sorted((one for one in sums if one.ns), key=lambda one: one.ns or 0, reverse=True)
    return [*parts, Part(f"{', '.join(unknown)} {NOT_COLLECTED}")] if unknown else parts


def _why_unsplit(block: Block, split: Split, facts: Facts) -> str:
    profile = next(one for one in facts.profiles if one.rank == block.rank)
    # Where no wait was collected there is no timeline: nothing tells what was recorded.
    if split.waiting is not None and (switch := splits_collectives(profile)):
        return f"collected without plane tasks; {switch} splits them"
    return "their plane tasks are not in this data"


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
        f"last in {late.times_last} of {late.collectives}",
    )


def late_parts(block: Block, facts: Facts, *, named: bool) -> list[Part]:
    """Say which peer was waited for most, unless it is ``named``, and what is not here."""
    late = late_peer(block, facts)
    if late is None:
        return []
    job = facts.job
    absence = [Part(f"{job.left} not in this data")] if job and job.missing else []
    if named:
        return absence
    absent = " (not in this data)" if late.absent else ""
    beside = " (partly beside other work)" if late.beside else ""
    parts = [
        Part(f"longest for {late.name}{absent}: {numbers.time(late.wait_ns)}{beside}, {late.last}")
    ]
    if not late.mapped:
        parts.append(Part("peers are numbered as in their group"))
    return [*parts, *absence]


def gaps_sentence(block: Block, facts: Facts) -> str:
    """Say how many gaps there are between tasks, and how long the longest is; empty: none."""
    gaps = [row for row in facts.gap_summary if block.holds(row.rank, row.device_id)]
    if not gaps:
        return ""
    count = numbers.counted(sum(row.count_ for row in gaps), "gap")
    return f"{count}, longest {numbers.time(max(row.longest for row in gaps))}"
