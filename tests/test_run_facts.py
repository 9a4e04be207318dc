"""What is stored of a whole run, so that no question has to work it out of all its rows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest

from npuview.ingest.pipeline import open_store
from npuview.ingest.sample import write_sample
from npuview.queries.session import Session

CLOCKED = ("AI_CORE", "AI_VECTOR_CORE", "AIV", "MIX_AIC", "MIX_AIV")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("run")
    profile = write_sample(root / "profile", "profiler_spacing")
    with Session(open_store(profile, cache_dir=root / "cache").store) as opened:
        yield opened


def test_kernels_of_a_table_have_the_last_sampled_frequency_and_others_none(
    session: Session,
) -> None:
    rows = session.sql("SELECT core, ts, mhz FROM kernel").rows
    samples = session.sql(
        "SELECT ts, value FROM counter JOIN counter_series USING (series_id)"
        " WHERE name = 'AI Core Freq' ORDER BY ts"
    ).rows
    assert samples
    assert {core for core, _, _ in rows} > {"AI_CORE"}
    for core, ts, mhz in rows:
        before = [value for at, value in samples if int(str(at)) <= int(str(ts))]
        assert mhz == (before[-1] if core in CLOCKED and before else None)
    assert any(mhz is not None for _, _, mhz in rows)


def test_the_usual_calls_are_those_of_the_median_step_that_is_no_warm_up(session: Session) -> None:
    steps = session.sql("SELECT step, warmup FROM step WHERE dur > 0").rows
    judged = [step for step, warmup in steps if warmup is not True] or [step for step, _ in steps]
    calls: dict[tuple[object, object], Counter[object]] = defaultdict(Counter)
    for step, type_, core in session.sql(
        "SELECT step, coalesce(type, name), core FROM kernel WHERE step IS NOT NULL"
        " AND core NOT IN ('COMMUNICATION', 'HCCL')"
    ).rows:
        calls[type_, core][step] += 1
        calls[None, None][step] += 1
    expected = {
        (*key, sorted(found[step] for step in judged)[(len(judged) - 1) // 2], max(found.values()))
        for key, found in calls.items()
    }
    assert len(expected) > 5
    rows = session.sql("SELECT type, core, count, most FROM operator_usual").rows
    assert set(rows) == expected


def test_the_pace_is_the_median_time_between_two_launches(session: Session) -> None:
    at = [int(str(row[0])) for row in session.sql("SELECT launch_ts FROM launch_link").rows]
    at.sort()
    apart = sorted(b - a for a, b in pairwise(at) if b > a)
    assert session.sql("FROM launch_pace").rows == [(0, apart[(len(apart) - 1) // 2])]


def test_gaps_before_tasks_that_were_launched_already_are_all_counted(session: Session) -> None:
    counted = session.sql("SELECT sum(count)::BIGINT, sum(total)::BIGINT FROM queue_gap").rows
    assert (
        counted
        == session.sql(
            "SELECT count(*), sum(g.dur)::BIGINT FROM gap AS g"
            " JOIN launch_link AS l ON l.slice_id = g.next_slice_id"
            " WHERE g.kind = 'device' AND l.launch_end <= g.ts AND g.prev_slice_id IS NOT NULL"
        ).rows
    )
    assert counted[0][0]
