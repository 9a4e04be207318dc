"""What is stored of a whole run, so that no question has to work it out of all its rows."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest

from npuview.ingest.pipeline import open_store
from npuview.ingest.sample import write_sample
from npuview.ingest.vocabulary import COLLECTIVE_CORES
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


ALIKE = (
    "name", "type", "core", "block_num", "input_shapes", "input_dtypes", "input_formats",
    "output_shapes", "output_dtypes", "output_formats",
)  # fmt: skip


def test_kernels_have_one_shape_if_they_are_called_alike_and_only_then(session: Session) -> None:
    called = ", ".join(f"k.{name}" for name in ALIKE)
    kernels = session.sql(f"SELECT k.shape_id, {called} FROM kernel AS k").rows
    shapes = session.sql(f"SELECT k.shape_id, {called} FROM kernel_shape AS k").rows
    assert len(shapes) > 5
    assert set(kernels) == set(shapes)
    assert len({row[0] for row in shapes}) == len({row[1:] for row in shapes}) == len(shapes)


def test_a_layout_call_knows_the_kernel_that_follows_it_on_its_stream(session: Session) -> None:
    following: dict[object, object] = {}
    last: dict[object, object] = {}
    for kernel, place in session.sql(
        "SELECT kernel_id, (device_id, stream_id)::VARCHAR FROM kernel"
        " WHERE stream_id IS NOT NULL ORDER BY ts, kernel_id"
    ).rows:
        following[last.get(place)] = kernel
        last[place] = kernel
    rows = session.sql("SELECT kernel_id, type, next_kernel_id FROM layout_call").rows
    assert {type_ for _, type_, _ in rows} >= {"TransData", "Transpose"}
    assert {kernel: following.get(kernel) for kernel, _, _ in rows} == {
        kernel: next_ for kernel, _, next_ in rows
    }


def test_a_collective_runs_on_the_same_cores_for_ingest_and_for_questions(
    session: Session,
) -> None:
    cores = (*COLLECTIVE_CORES, "AI_CORE", "AI_CPU", "MIX_AIC", "HCCL_AI_CPUS", "")
    for core in cores:
        for word in (core, core.lower()):
            rows = session.sql("SELECT communicates($core)", {"core": word}).rows
            assert rows == [(core in COLLECTIVE_CORES,)]
    assert session.sql("SELECT communicates(NULL)").rows == [(False,)]


def test_a_call_on_an_ai_cpu_is_alone_while_no_core_computes(session: Session) -> None:
    def spans(condition: str) -> dict[object, range]:
        rows = session.sql(f"SELECT kernel_id, ts, dur FROM kernel WHERE {condition}").rows
        return {
            kernel: range(int(str(ts)), int(str(ts)) + int(str(dur))) for kernel, ts, dur in rows
        }

    mine = spans("core = 'AI_CPU'")
    others = sorted(
        spans("core NOT IN ('AI_CPU', 'COMMUNICATION', 'HCCL')").values(), key=lambda one: one.start
    )
    expected: dict[object, int] = {}
    for kernel, span in mine.items():
        reached, covered = span.start, 0
        for other in others:
            begin, end = max(other.start, reached), min(other.stop, span.stop)
            if begin < end:
                reached, covered = end, covered + end - begin
        expected[kernel] = len(span) - covered
    assert expected
    rows = session.sql("SELECT kernel_id, alone_ns FROM aicpu_call").rows
    assert {row[0]: row[1] for row in rows} == expected


def test_the_last_launch_of_a_step_is_that_of_the_kernel_launched_last(session: Session) -> None:
    rows = session.sql(
        "SELECT k.step, l.launch_end, k.kernel_id, k.dur"
        " FROM kernel AS k JOIN launch_link AS l USING (slice_id) WHERE k.step IS NOT NULL"
    ).rows
    last: dict[object, tuple[int, ...]] = {}
    for step, *launch in rows:
        last[step] = max(last.get(step, (-1,)), tuple(int(str(value)) for value in launch))
    assert len(last) > 1
    stored = session.sql("SELECT step, launch_end, dur FROM last_launch").rows
    assert {row[0]: row[1:] for row in stored} == {
        step: (end, dur) for step, (end, _, dur) in last.items()
    }
