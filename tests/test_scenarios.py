"""What npuview concludes of made-up jobs is what was made up.

Tolerances: a cause is found where at least 95 % of its time is called so (90 % where
launches are known by their order alone), or all of it but 0.4 ms a step; and it is not
found elsewhere by more than 5 % and that. Lengths of states are exact, except that a
collective's Notify waits begin and end up to 10 us beside the arrival they wait for.
"""

from collections import Counter

import pytest
from concluded import MS, US, Conclude, Concluded, both, length

from npuview.ingest.sample import SCENARIOS

DISTINCT = {
    "host_sync",
    "dataloader",
    "gc",
    "compile",
    "alloc",
    "copy_staging",
    "profiler",
    "graph_launch",
    "graph_inner",
    "no_work",
}
"""Causes that are never the usual price of a step."""

EVIDENCE = {
    "host_sync": "synchronize",
    "dataloader": "dataloader",
    "gc": "gc",
    "no_work": "queue",
    "compile": "opcompile",
    "alloc": "malloc",
    "graph_launch": "execute",
}
"""What the name of the slice holds, in small letters, that shows a cause."""


@pytest.fixture(scope="module", params=list(SCENARIOS))
def job(request: pytest.FixtureRequest, conclude: Conclude) -> Concluded:
    return conclude(request.param)


def test_a_scenario_opens_without_loss(job: Concluded) -> None:
    assert job.ask("SELECT name, sample FROM import_stat WHERE severity <> 'info'") == []
    if job.name != "no_flows":
        # Without launches nothing says which interval of the lane the vendor gave to which step.
        differing = "SELECT sample FROM import_stat WHERE name = 'figures_differ_from_lane'"
        assert job.ask(differing) == []
    assert job.ask("SELECT DISTINCT rank FROM slice ORDER BY rank") == [(r,) for r in job.ranks]


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "graph_replay"])
def test_every_state_lasts_as_long_as_made_up(name: str, conclude: Conclude) -> None:
    """Of those with steps: without them the one period is the whole collection."""
    job = conclude(name)
    rows = job.ask("SELECT rank, step, state, sum(dur)::BIGINT FROM ledger GROUP BY ALL")
    sums = Counter({(rank, step, state): dur for rank, step, state, dur in rows})
    steps = job.ask("SELECT rank, step, ts, ts + dur FROM step ORDER BY ALL")
    periods = job.truth.periods
    assert steps == [(rank, *period) for rank in job.ranks for period in periods[rank]]
    for rank in job.ranks:
        for period in periods[rank]:
            expected: Counter[str] = Counter()
            for lost in job.truth.lost:
                if lost.rank == rank:
                    expected[lost.state] += lost.within(period)

            def found(state: str, place: tuple[int, int | None] = (rank, period.step)) -> int:
                return sums[(*place, state)]

            for state in ("transferring", "copying", "waiting_event", "idle"):
                assert found(state) == expected[state]
            peers, other = "waiting_peer", "collective_other"
            assert found(peers) + found(other) == expected[peers] + expected[other]
            assert abs(found(peers) - expected[peers]) < 3 * 10 * US


def test_idle_time_is_called_what_it_was_made_of(job: Concluded) -> None:
    least = 90 if job.name == "no_flows" else 95
    for rank in job.ranks:
        for cause, spans in job.told(rank).items():
            found = both(spans, job.caused(rank, cause))
            whole = length(spans)
            assert found >= min(whole * least // 100, whole - job.slack(rank)), cause


def test_no_idle_time_is_called_what_it_was_not_made_of(job: Concluded) -> None:
    for rank in job.ranks:
        told = job.told(rank)
        for cause in DISTINCT:
            whole = length(told.get(cause, ()))
            assert length(job.caused(rank, cause)) <= whole * 105 // 100 + job.slack(rank), cause


def test_a_cause_is_shown_by_a_slice_of_its_name(job: Concluded) -> None:
    for stall in job.stalls:
        if part := EVIDENCE.get(stall.cause):
            assert part in str(stall.evidence).lower()


def test_little_idle_time_is_unknown(job: Concluded) -> None:
    idle = [one for one in job.stalls if one.state == "idle" and one.step is not None]
    unknown = sum(one.end - one.ts for one in idle if one.cause == "unknown")
    assert unknown * 4 <= sum(one.end - one.ts for one in idle)


def test_a_host_that_checks_every_operator_is_told_to_wait_less(
    conclude: Conclude,
) -> None:
    job = conclude("host_bound")
    idle = sum(one.end - one.ts for one in job.stalls if one.state == "idle")
    assert length(job.caused(0, "host_sync")) * 10 >= idle * 9


def test_the_late_rank_is_named_whether_it_was_collected_or_not(
    conclude: Conclude,
) -> None:
    for name in ("late_rank", "late_rank_missing"):
        job = conclude(name)
        for rank in (0, 1, 3):
            waits = [one for one in job.stalls if (one.rank, one.state) == (rank, "waiting_peer")]
            named = [(one.ts, one.end) for one in waits if (one.cause, one.peer) == ("rank 2", 2)]
            spans = job.truth.of(rank, "waiting_peer", "rank 2").spans
            assert both(named, spans) >= length(spans) * 99 // 100
            assert length(named) <= length(spans) + 20 * US


def test_the_collected_late_rank_shows_its_own_cause(
    conclude: Conclude,
) -> None:
    job = conclude("late_rank")
    for period in job.truth.periods[2]:
        mine = [
            one
            for one in job.stalls
            if (one.rank, one.step, one.cause) == (2, period.step, "host_sync")
        ]
        assert sum(one.end - one.ts for one in mine) > 25 * MS


def test_peers_arrive_when_they_were_made_to(conclude: Conclude) -> None:
    for name in ("late_rank", "late_rank_missing", "host_bound"):
        job = conclude(name)
        rows = job.ask(
            "SELECT c.rank, s.name, p.peer, p.wait_ns FROM peer_arrival AS p "
            "JOIN collective AS c USING (collective_id) JOIN slice AS s ON c.slice_id = s.slice_id"
        )
        waits = {(rank, whole, peer): wait for rank, whole, peer, wait in rows}
        assert len(waits) == len(job.truth.arrivals) > 0
        for rank, whole, peer, late in job.truth.arrivals:
            assert abs(waits[rank, whole, peer] - late) < 20 * US


def test_a_compile_is_found_in_the_first_step_only(
    conclude: Conclude,
) -> None:
    steps = {one.step for one in conclude("compile").stalls if one.cause == "compile"}
    assert steps == {12}
    assert not any(one.cause == "compile" for one in conclude("aclop").stalls)


def test_nothing_is_wrong_with_a_healthy_job(conclude: Conclude) -> None:
    job = conclude("healthy")
    for period in job.truth.periods[0]:
        causes: Counter[str] = Counter()
        for one in job.stalls:
            if one.step == period.step:
                causes[one.cause] += one.end - one.ts
        assert causes
        assert max(causes.values()) * 100 < period.end - period.start
