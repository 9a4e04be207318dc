"""What stands beside the boxes of the overview: their parts, and what is not known of them."""

from collections import Counter
from collections.abc import Sequence

from ..queries.rows import OverviewRow
from .boxes_text import Details, Split
from .collection import splits_collectives
from .draw import numbers
from .draw.safe_text import clean
from .overview_facts import Block, Facts

MOST_CAUSES = 3

NOT_COLLECTED = "not collected"


def details_of(block: Block, split: Split, facts: Facts) -> Details:
    """Say of each box what is in it, as clean text."""
    waiting = _parts(
        block.steps,
        ("peers", "waiting_peer"),
        ("stages", "waiting_stage"),
        ("events", "waiting_event"),
    )
    moving = _parts(
        block.steps,
        ("transfers", "transferring"),
        ("copies", "copying"),
        ("rest of collectives", "collective_other"),
    )
    return Details(
        computing=_joined(
            _parts(block.steps, ("with communication inside", "mc2"), ("AI CPU", "aicpu"))
        ),
        waiting=_joined(
            [NOT_COLLECTED] if split.waiting is None else [*waiting, *_late_peer(block, facts)]
        ),
        idle=_joined([*_causes(block, facts), *_idle_times(block, facts)]),
        moving=_joined([NOT_COLLECTED] if split.moving is None else moving),
        unsplit=f"transfer and waiting cannot be told apart: {_why_unsplit(block, split, facts)}",
    )


def _joined(parts: Sequence[str]) -> str:
    return " · ".join(parts)


def _parts(steps: Sequence[OverviewRow], *named: tuple[str, str]) -> list[str]:
    """Return the parts of a box with their times, longest first, then what is not known."""
    sums: list[tuple[int, str]] = []
    unknown: list[str] = []
    for name, field in named:
        values = [getattr(step, field) for step in steps]
        if any(value is not None for value in values):
            sums.append((sum(value or 0 for value in values), name))
        else:
            unknown.append(name)
    found = sorted((one for one in sums if one[0]), reverse=True)
    parts = [f"{name} {numbers.time(ns)}" for ns, name in found]
    return [*parts, f"{', '.join(unknown)} {NOT_COLLECTED}"] if unknown else parts


def _why_unsplit(block: Block, split: Split, facts: Facts) -> str:
    profile = next(one for one in facts.profiles if one.rank == block.rank)
    # Where no wait was collected there is no timeline: nothing tells what was recorded.
    if split.waiting is not None and (switch := splits_collectives(profile)):
        return f"collected without plane tasks; {switch} splits them"
    return "their plane tasks are not in this data"


def _late_peer(block: Block, facts: Facts) -> list[str]:
    """Say which peer the collectives of a rank waited for most."""
    of_rank = [peer for peer in facts.peers if peer.rank == block.rank and peer.wait_ns]
    if not of_rank:
        return []
    late = max(of_rank, key=lambda peer: peer.wait_ns)
    absent = " (not in this data)" if late.collected is False else ""
    in_box = sum(step.waiting_peer or 0 for step in block.steps)
    beside = " (partly beside other work)" if late.wait_ns > in_box else ""
    said = [
        f"longest for peer {late.peer}{absent}: {numbers.time(late.wait_ns)}{beside}",
        f"last in {late.times_last} of {late.collectives}",
    ]
    said = [", ".join(said), "peers are numbered as in their group"]
    if left := _absent_ranks(facts):
        said.append(f"{left} not in this data")
    return said


def _absent_ranks(facts: Facts) -> str:
    """Say how many ranks of the job are not here; empty if none, or if it cannot be told."""
    world = facts.profiles[0].world_size
    least = ""
    if world is None:
        if not all(profile.rank_known for profile in facts.profiles):
            return ""
        # Numbers of a group count from 0.
        world = max((peer.peer + 1 for peer in facts.peers), default=0)
        least = "at least "
    left = world - facts.ranks_here
    return f"{least}{numbers.counted(left, 'rank')}" if left > 0 else ""


def _causes(block: Block, facts: Facts) -> list[str]:
    """Say why the device was idle, where it was analysed."""
    causes: Counter[str | None] = Counter()
    for row in facts.ledger:
        if row.state == "idle" and (row.rank, row.device_id) == (block.rank, block.device_id):
            causes[row.cause] += row.dur
    if not any(causes):
        return []
    return [
        f"{clean(cause) if cause else 'cause not known'} {numbers.time(ns)}"
        for cause, ns in causes.most_common(MOST_CAUSES)
        if ns
    ]


def _idle_times(block: Block, facts: Facts) -> list[str]:
    """Say when the device was idle: before the tasks of a step, between and after them."""
    before, after = _around_tasks(block, facts)
    gaps = [
        row
        for row in facts.gap_summary
        if (row.rank, row.device_id) == (block.rank, block.device_id)
    ]
    said = [f"before the first task {numbers.time(before)}"] if before else []
    if gaps:
        count = numbers.counted(sum(row.count_ for row in gaps), "gap")
        idle = numbers.time(sum(row.idle_ns for row in gaps))
        longest = numbers.time(max(row.longest for row in gaps))
        said.append(f"{count} {idle}, longest {longest}")
    return [*said, f"after the last {numbers.time(after)}"] if after else said


def _around_tasks(block: Block, facts: Facts) -> tuple[int, int]:
    """Return the time before the first and after the last task of the steps, ns.

    Where a step begins with the last task of the one before, its first task ends a
    gap between two tasks, which is listed as such.
    """
    if len({step.device_id for step in facts.steps if step.rank == block.rank}) > 1:
        # A step's device times are those of all devices of its rank.
        return 0, 0
    shown = {step.step for step in block.steps}
    times = [
        (one.step, one.ts, one.ts + one.dur, one.device_ts, one.device_ts + one.device_dur)
        for one in facts.times
        if one.rank == block.rank
        and one.ts is not None
        and one.dur is not None
        and one.device_ts is not None
        and one.device_dur is not None
    ]
    ends = {device_end for *_, device_end in times}
    before = after = 0
    for step, begin, end, device_begin, device_end in times:
        if step in shown:
            before += max(0, device_begin - begin) if begin not in ends else 0
            after += max(0, end - device_end)
    return before, after
