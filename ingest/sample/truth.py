"""The truth of a made-up run: where its time went and why, by what was simulated.

It is computed from the records and from what the simulation noted when it made them,
never from what is read back. States are those of the ledger, first match wins:
computing, transferring, copying, waiting_peer, collective_other, waiting_event, idle.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from .overlap import PROFILER_TASKS, Interval, subtract, union
from .record import (
    COMMUNICATION_STREAM,
    Allocation,
    Chain,
    Collective,
    Extra,
    Iteration,
    Run,
    Trip,
    Varied,
)


class Period(NamedTuple):
    """A step on the device: from the end of the one before to its own end, in ns."""

    step: int | None
    start: int
    end: int


class Lost(NamedTuple):
    """Time of a rank's device in a state other than computing, for one cause.

    ``cause`` is None where the simulation names none; for peers it is the late one's number.
    """

    rank: int
    state: str
    cause: str | None
    spans: tuple[Interval, ...]

    @property
    def total(self) -> int:
        """Its ns."""
        return sum(end - start for start, end in self.spans)

    def within(self, period: Period) -> int:
        """Return its ns in a period."""
        return sum(
            max(0, min(end, period.end) - max(start, period.start)) for start, end in self.spans
        )


class Arrival(NamedTuple):
    """By how many ns a peer came later to a collective than the rank; 0 if it was there."""

    rank: int
    collective: str
    peer: int
    late: int


class Exposed(NamedTuple):
    """How long a collective moved data without compute, and how much of that could be covered."""

    rank: int
    collective: str
    exposed: int
    coverable: int


class Truth(NamedTuple):
    """What is so in the collected ranks of a scenario; rows by rank."""

    periods: Mapping[int, tuple[Period, ...]]
    lost: tuple[Lost, ...]
    arrivals: tuple[Arrival, ...]
    exposed: tuple[Exposed, ...]
    chains: Mapping[int, tuple[Chain, ...]]
    trips: Mapping[int, tuple[Trip, ...]]
    iterations: Mapping[int, tuple[Iteration, ...]]
    allocations: Mapping[int, tuple[Allocation, ...]]
    varied: Mapping[int, tuple[Varied, ...]]
    extras: Mapping[int, tuple[Extra, ...]]

    def of(self, rank: int, state: str, cause: str | None) -> Lost:
        """Return the time of a rank in a state for a cause; without spans if there is none."""
        known = (one for one in self.lost if one[:3] == (rank, state, cause))
        return next(known, Lost(rank, state, cause, ()))


def truth_of(runs: Iterable[Run]) -> Truth:
    """Return the truth of the runs of the collected ranks."""
    known = tuple(runs)
    return Truth(
        {run.rank: periods(run) for run in known},
        tuple(lost for run in known for lost in _lost(run)),
        tuple(arrival for run in known for arrival in _arrivals(run)),
        tuple(exposed for run in known for exposed in _exposed(run)),
        {run.rank: tuple(run.chains) for run in known},
        {run.rank: tuple(run.trips) for run in known},
        {run.rank: tuple(run.iterations) for run in known},
        {run.rank: tuple(run.allocations) for run in known},
        {run.rank: tuple(run.varied) for run in known},
        {run.rank: tuple(run.extras) for run in known},
    )


def periods(run: Run) -> tuple[Period, ...]:
    """Return the periods of a run: they tile it; one without steps is one."""
    if run.iterations:
        ends = [run.iterations[0].ts, *(one.device_end for one in run.iterations[:-1])]
        last = run.iterations[-1]
        borders = pairwise([*ends, max(last.device_end, last.end)])
        return tuple(Period(number, *border) for number, border in enumerate(borders, 1))
    if not run.steps:
        tasks = [task for task in run.tasks if task.name not in PROFILER_TASKS]
        return (Period(None, min(task.ts for task in tasks), max(task.end for task in tasks)),)
    ends = [run.steps[0].ts, *(step.device_end for step in run.steps[:-1])]
    last = run.steps[-1]
    borders = [*ends, max(last.device_end, last.end)]
    return tuple(
        Period(step.number, start, end)
        for step, start, end in zip(run.steps, borders[:-1], borders[1:], strict=True)
    )


def _lost(run: Run) -> Iterable[Lost]:
    """Give where the time outside computing went."""
    whole = [(periods(run)[0].start, periods(run)[-1].end)]
    computing = union((task.ts, task.end) for task in run.kernels)
    rest = subtract(whole, computing)
    transferring, rest = _split(rest, _moves(run.collectives))
    copying, rest = _split(rest, [(task.ts, task.end) for task in run.tasks if task.size])
    yield Lost(run.rank, "transferring", None, tuple(transferring))
    yield Lost(run.rank, "copying", None, tuple(copying))
    for cause, spans in _peer_waits(run).items():
        waiting, rest = _split(rest, spans)
        yield Lost(run.rank, "waiting_peer", cause, tuple(waiting))
    other, rest = _split(rest, [(one.ts, one.end) for one in run.collectives])
    yield Lost(run.rank, "collective_other", None, tuple(other))
    # The stream of the collectives always waits for the next gradients: that holds up nothing.
    events = [
        (task.ts, task.end)
        for task in run.tasks
        if task.name == "EVENT_WAIT" and task.stream != COMMUNICATION_STREAM
    ]
    waiting, rest = _split(rest, events)
    yield from _caused(run, "waiting_event", waiting)
    yield from _caused(run, "idle", rest)


def _caused(run: Run, state: str, rest: list[Interval]) -> Iterable[Lost]:
    """Split the time in a state by what the simulation noted, the remainder without a cause."""
    # Whoever waited for the device could not run ahead, whatever was done afterwards; but nobody
    # lacks what nobody asked for.
    first = ("no_work", "host_sync")
    causes = sorted(
        {one.cause for one in run.causes},
        key=lambda name: (first.index(name) if name in first else len(first), name),
    )
    for cause in causes:
        spans = [(one.ts, one.end) for one in run.causes if one.cause == cause]
        found, rest = _split(rest, spans)
        yield Lost(run.rank, state, cause, tuple(found))
    yield Lost(run.rank, state, None, tuple(rest))


def _split(
    time: list[Interval], spans: Iterable[Interval]
) -> tuple[list[Interval], list[Interval]]:
    """Return what of some time lies in spans, and the rest."""
    rest = subtract(time, union(spans))
    return subtract(time, rest), rest


def _moves(collectives: Iterable[Collective]) -> list[Interval]:
    """Return when a plane of a collective moves data."""
    return [
        (task.ts, task.end)
        for whole in collectives
        for task in whole.tasks
        if task.link != "INVALID_TYPE"
    ]


def _peer_waits(run: Run) -> dict[str, list[Interval]]:
    """Return when only one peer is still missing, by its rank, and when several are."""
    waits: dict[str, list[Interval]] = {}
    for whole in run.collectives:
        coming = sorted((whole.ts + ns, peer) for peer, ns in whole.late.items() if ns > 0)
        if not coming:
            continue
        last, peer = coming[-1]
        before = coming[-2][0] if len(coming) > 1 else whole.ts
        waits.setdefault(f"rank {peer}", []).append((before, last))
        if before > whole.ts:
            waits.setdefault("several ranks", []).append((whole.ts, before))
    return waits


def _arrivals(run: Run) -> Iterable[Arrival]:
    return (
        Arrival(run.rank, whole.name, peer, max(0, whole.late.get(peer, 0)))
        for whole in run.collectives
        for peer in range(run.ranks)
        if peer != run.rank
    )


def _exposed(run: Run) -> Iterable[Exposed]:
    computing = union((task.ts, task.end) for task in run.kernels)
    for whole, beside in zip(run.collectives, run.coverable, strict=True):
        bare = subtract(union(_moves([whole])), computing)
        exposed = sum(end - start for start, end in bare)
        yield Exposed(run.rank, whole.name, exposed, min(exposed, beside))
