"""What the idle and waiting time of some steps is made of, by where and why it was lost."""

from collections import Counter
from collections.abc import Sequence

from ...queries.rows_stall import CausesRow
from ..text.boxes_text import Split
from ..words.reasons import HOST_STAGES, cause_words, place_words, stage_name
from ..words.spoken import say
from .overview_details import Part, late_peer, waiting_parts
from .overview_facts import Block, Facts

UNKNOWN = "unknown"
MOST_PEERS = 3

_OWN_CAUSES = {"framework": "host_framework", "launch": "host_launch"}
"""What a stage of the host is for, where nothing else took the time."""


def idle_parts(block: Block, facts: Facts) -> list[Part]:
    """Return the idle time by where it was lost, longest first; empty where it is not known.

    Before the first and after the last task of a step it is one part each, between tasks
    one for each stage in which the host was late, and one for each cause after the
    launch. They sum to all idle time.
    """
    groups: dict[str, list[CausesRow]] = {}
    for row in _stalls(block, facts, "idle"):
        groups.setdefault(_where(row), []).append(row)
    return _longest_first([Part(name, _total(rows), _why(rows)) for name, rows in groups.items()])


def waits_by_cause(block: Block, split: Split, facts: Facts, *, absent: str) -> list[Part]:
    """Return what was waited for, longest first: ranks by name where that is known.

    ``absent`` is the text for the name of a rank that is not in the data.
    """
    totals: Counter[str] = Counter()
    for row in _stalls(block, facts, "waiting_peer", "waiting_stage"):
        totals[row.cause] += row.total
    if not totals.keys() - {UNKNOWN}:
        return waiting_parts(block, split)
    missing = {f"rank {one.peer}" for one in facts.peers if one.collected is False}
    late = late_peer(block, facts)
    parts = waiting_parts(block, split, "waiting_event")
    ranked = totals.most_common()
    if rest := sum(ns for _, ns in ranked[MOST_PEERS:]):
        parts.append(Part(say("other_peers"), rest))
    for cause, ns in ranked[:MOST_PEERS]:
        name = say("unnamed_peers") if cause == UNKNOWN else cause_words(cause)
        often = late.last if late is not None and cause == late.name else ""
        parts.append(Part(say(absent, name=name) if cause in missing else name, ns, often))
    return _longest_first(parts)


def _stalls(block: Block, facts: Facts, *states: str) -> list[CausesRow]:
    return [
        row for row in facts.causes if row.state in states and block.holds(row.rank, row.device_id)
    ]


def _where(row: CausesRow) -> str:
    if row.place in {"lead_in", "tail"}:
        return place_words(row.place)
    if row.stage in HOST_STAGES:
        return stage_name(row.stage)
    return cause_words(row.cause)


def _why(rows: Sequence[CausesRow]) -> str:
    """Name what takes most of a part whose name does not say it; say what is a conclusion."""
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row.cause] += row.total
    [(main, ns)] = totals.most_common(1)
    first = rows[0]
    said: list[str] = []
    if _where(first) != cause_words(main) and main != _OWN_CAUSES.get(first.stage or ""):
        how = "cause_alone" if ns == _total(rows) else "cause_mostly"
        how = how if ns > _total(rows) // 2 else "cause_among_others"
        said.append(say(how, cause=cause_words(main)))
    if sum(row.inferred_ns for row in rows) == _total(rows):
        said.append(say("inferred"))
    return say("comma").join(said)


def _total(rows: Sequence[CausesRow]) -> int:
    return sum(row.total for row in rows)


def _longest_first(parts: Sequence[Part]) -> list[Part]:
    """Return parts, those of which nothing is known at the end."""
    return sorted(parts, key=lambda part: -1 if part.ns is None else part.ns, reverse=True)
