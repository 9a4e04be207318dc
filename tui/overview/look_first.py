"""Where to look first: true statements about a step or run, by what they could gain.

They say what is, and of idle time what it is recorded for. A gain is an upper bound: the
time that would be gone if all of it were; gains of one question overlap.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ...queries.rows import OperatorCallsRow, ProfilesRow
from ..draw import numbers
from ..draw.names import fitted
from ..draw.reasons import PLACES, cause_words
from ..draw.safe_text import clean
from ..focus import Selection, Window
from ..run import Run
from ..text.boxes_text import Split
from .collection import cut_off_timelines, remedy
from .overview_details import around_tasks, between_tasks, late_peer, unsplit_sentence
from .overview_facts import Block, Facts, Places
from .stall_parts import idle_parts

LEAST_PART = 1000
"""A finding is listed from this part of the whole on: 1/1000 of it."""

UNTOLD_ORDER = (
    "streams",
    "steps",
    "planes",
    "launches",
    "cann",
    "units",
    "kernels",
    "shapes",
    "memory",
    "python",
)
"""What may be missing, that first without which most cannot be told."""

NAME_CELLS = 32
"""Longest name in a statement."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement and where it can be seen.

    ``gain`` is in ns, None of what cannot be told. ``place`` is the place in time, else
    ``view`` the view that shows it; ``remedy`` is how to collect what is missing. Texts
    are clean.
    """

    question: str
    gain: int | None
    what: str
    place: Selection | None = None
    view: str = ""
    remedy: str = ""


def findings(block: Block, split: Split, facts: Facts, places: Places) -> list[Finding]:
    """Return what there is to look at, the greatest gain first."""
    least = max(1, split.period // LEAST_PART)
    found = [
        one
        for one in (
            *_waiting(block, facts, places),
            *_idle(block, facts, places),
            *_moving(block, places),
            *_computing(block, split, facts, places),
            *_unsplit(block, split, facts, places),
        )
        if (one.gain or 0) >= least
    ]
    return sorted(found, key=lambda one: one.gain or 0, reverse=True)


def untold(profile: ProfilesRow, run: Run) -> list[Finding]:
    """Return what a profile cannot tell, what matters most first, and how to collect it.

    A trace of the Chrome format is no Ascend profile: nothing is missing in it.
    """
    if profile.producer == "chrome":
        return []
    cut_off = cut_off_timelines(run.health)
    missing = [row for row in run.health if row.kind == "missing" and row.rank == profile.rank]
    return [
        Finding(
            "unknown",
            None,
            clean(row.sample or row.name),
            remedy=clean(remedy(row.name, profile, cut_off) or ""),
        )
        for row in sorted(missing, key=lambda row: _weight(row.name))
    ]


def _weight(missing: str) -> int:
    return UNTOLD_ORDER.index(missing) if missing in UNTOLD_ORDER else len(UNTOLD_ORDER)


def _waiting(block: Block, facts: Facts, places: Places) -> Iterator[Finding]:
    late = late_peer(block, facts)
    beside = ""
    if late is not None:
        absent = " (not in this data)" if late.absent else ""
        beside = f": {late.name}{absent} {late.last}, {numbers.time(late.wait_ns)}"
    waits = [_selection(wait.ts, wait.dur, wait.name, wait.slice_id) for wait in places.waits]
    what = f"collectives wait for peers{beside}"
    yield Finding("waiting", _total(block, "waiting_peer"), what, _first(iter(waits)), "waits")
    yield Finding(
        "waiting",
        _total(block, "waiting_stage"),
        "the device waits for data of another pipeline stage",
        view="waits",
    )
    yield Finding(
        "waiting",
        _total(block, "waiting_event"),
        "a stream waits for another one while nothing runs",
        view="waits",
    )


def _idle(block: Block, facts: Facts, places: Places) -> Iterator[Finding]:
    before, after = around_tasks(block, facts)
    why = {part.name: f": {part.remark}" for part in idle_parts(block, facts) if part.remark}
    for window, place in ((before, PLACES["lead_in"]), (after, PLACES["tail"])):
        if window is not None:
            what = f"{place} nothing runs{why.get(place, '')}"
            yield Finding("idle", window.dur, what, Selection(window, what))
    every = [row for row in facts.gap_summary if block.holds(row.rank, row.device_id)]
    long = [row for row in places.long_gaps if block.holds(row.rank, row.device_id)]
    count = sum(row.count_ for row in long)
    idle = between_tasks(block, long, before, after)
    least = numbers.time(places.gap_threshold)
    if long and facts.gaps:
        gap = facts.gaps[0]
        name = fitted(clean(gap.next_name or "no task"), NAME_CELLS)
        what = (
            f"{numbers.counted(count, 'gap')} from {least} on,"
            f" longest {numbers.time(gap.dur)} before {name}: {cause_words(gap.cause)}"
        )
        place = _selection(gap.ts, gap.dur, f"gap {numbers.time(gap.dur)}")
        yield Finding("idle", idle, what, place, "gaps")
    shorter = sum(row.count_ for row in every) - count
    rest = between_tasks(block, every, before, after) - idle
    yield Finding(
        "idle", rest, f"{numbers.counted(shorter, 'gap')} shorter than {least}", view="gaps"
    )


def _moving(block: Block, places: Places) -> Iterator[Finding]:
    moved = [one for one in places.collectives if one.transfer_ns]
    place, beside = None, ""
    if moved:
        one = max(moved, key=lambda row: row.transfer_ns or 0)
        place = _selection(one.ts, one.dur, one.name, one.slice_id)
        beside = (
            f"; {fitted(clean(one.name), NAME_CELLS)} moved for {numbers.time(one.transfer_ns)}"
        )
    what = f"transfers of collectives run alone{beside}"
    yield Finding("moving", _total(block, "transferring"), what, place, "moves")
    place, beside = None, ""
    for call in places.copy_calls:
        place = _selection(call.ts, call.dur, call.name, call.slice_id)
        name = fitted(clean(call.name), NAME_CELLS)
        beside = f"; the longest, {name}, takes {numbers.time(call.dur)}"
    what = f"copies run alone{beside}"
    yield Finding("moving", _total(block, "copying"), what, place, "moves")
    yield Finding(
        "moving",
        None if _is_unsplit(block) else _total(block, "collective_other"),
        "collectives run alone and neither transfer nor wait",
        view="moves",
    )


def _unsplit(block: Block, split: Split, facts: Facts, places: Places) -> Iterator[Finding]:
    if split.unsplit:
        place = _first(
            _selection(one.ts, one.dur, one.name, one.slice_id) for one in places.collectives
        )
        what = f"collectives run alone; {unsplit_sentence(block, split, facts)}"
        yield Finding("collective", split.unsplit, what, place, "waits")


def _computing(block: Block, split: Split, facts: Facts, places: Places) -> Iterator[Finding]:
    yield Finding(
        "computing",
        _total(block, "aicpu"),
        "AI CPU operators run alone",
        _first(map(_of_call, places.ai_cpu_calls)),
        "top",
    )
    for top in facts.operators[:1]:
        of_step = numbers.ratio(top.period_share)
        scope = "the step" if len(block.steps) == 1 else "the steps"
        of_kernels = numbers.ratio(top.kernel_share)
        name = fitted(clean(top.name), NAME_CELLS)
        what = f"{name} takes {of_kernels} of kernel time, {of_step} of {scope}"
        place = _first(map(_of_call, places.operator_calls))
        yield Finding("computing", min(top.total, split.computing), what, place, "top")


def _of_call(call: OperatorCallsRow) -> Selection:
    return _selection(call.ts, call.dur, call.name, call.slice_id)


def _selection(ts: int, dur: int, name: str, slice_id: int | None = None) -> Selection:
    return Selection(Window(ts, ts + dur), name, slice_id=slice_id)


def _first(places: Iterator[Selection]) -> Selection | None:
    return next(iter(places), None)


def _total(block: Block, state: str) -> int:
    return sum(getattr(step, state) or 0 for step in block.steps)


def _is_unsplit(block: Block) -> bool:
    return any(step.collective_unsplit for step in block.steps)
