"""A made-up job and what its store says of it."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from npuview.ingest.sample import SCENARIOS
from npuview.ingest.sample.overlap import Interval
from npuview.ingest.store import Store
from npuview.queries.session import Session

if TYPE_CHECKING:
    from npuview.ingest.sample.truth import Truth

US = 1_000
MS = 1_000_000
SLACK = 400 * US


class Stall(NamedTuple):
    """A row of the table."""

    rank: int
    step: int | None
    state: str
    cause: str
    ts: int
    end: int
    peer: int | None
    evidence: str | None


class Concluded:
    """A scenario and what its store says of it."""

    def __init__(self, name: str, store: Store) -> None:
        self.name = name
        self.truth: Truth = SCENARIOS[name].truth()
        self.store = store
        rows = self.ask(
            "SELECT t.rank, t.step, t.state, t.cause, t.ts, t.ts + t.dur, t.peer, s.name "
            "FROM stall AS t LEFT JOIN slice AS s ON t.evidence_slice_id = s.slice_id ORDER BY ts"
        )
        self.stalls = [Stall(*row) for row in rows]

    @property
    def ranks(self) -> tuple[int, ...]:
        return SCENARIOS[self.name].collection.ranks

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with Session(self.store, threads=1) as session:
            return [*session.sql(sql).rows]

    def caused(self, rank: int, cause: str) -> list[Interval]:
        """Return when a rank's device had nothing to do for a cause, inside its periods."""
        start, end = self.truth.periods[rank][0].start, self.truth.periods[rank][-1].end
        return [
            (max(one.ts, start), min(one.end, end))
            for one in self.stalls
            if (one.rank, one.cause) == (rank, cause)
            and one.state in {"idle", "waiting_event"}
            and one.end > start
            and one.ts < end
        ]

    def told(self, rank: int) -> Mapping[str, list[Interval]]:
        """Return the same by what was made up."""
        found: dict[str, list[Interval]] = {}
        for lost in self.truth.lost:
            if lost.rank == rank and lost.cause and lost.state in {"idle", "waiting_event"}:
                found.setdefault(lost.cause, []).extend(lost.spans)
        return found

    def slack(self, rank: int) -> int:
        return SLACK * len(self.truth.periods[rank])


Conclude = Callable[[str], Concluded]


def length(spans: Iterable[Interval]) -> int:
    return sum(end - start for start, end in spans)


def both(some: Iterable[Interval], others: Iterable[Interval]) -> int:
    """Return the ns that lie in both; neither overlaps itself."""
    ends = list(others)
    return sum(
        max(0, min(end, stop) - max(start, begin)) for start, end in some for begin, stop in ends
    )
