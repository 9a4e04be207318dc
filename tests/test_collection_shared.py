"""How real profiles were collected, and what that did to them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from npuview.ingest.pipeline import open_store
from npuview.queries.catalog import shipped_queries
from npuview.queries.rows_collection import (
    CollectionRow,
    JobRanksRow,
    KernelSpacingRow,
    UntoldRow,
)
from npuview.queries.session import Session

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def level1(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = shared_data / "torch_npu" / "level1"
    store = open_store(folder, cache_dir=tmp_path_factory.mktemp("level1")).store
    with Session(store) as session:
        yield session


def test_44_queued_gaps_are_the_collections_own_and_the_stalls_say_the_same(
    level1: Session,
) -> None:
    rows = level1.run(shipped_queries()["kernel_spacing"]).as_(KernelSpacingRow)
    told = [
        (one.rank, one.before, one.cluster_count, one.cluster_ns, one.median)
        for one in rows
        if one.profiler
    ]
    assert told == [(0, "AI Core", 44, 4083130, 91222), (1, "AI Core", 42, 3981525, 93022)]
    assert [(one.min, one.max) for one in rows if one.before == "SDMA_SQE"] == [(20, 40), (20, 20)]
    stalls = level1.sql(
        "SELECT rank, count(*), sum(dur)::BIGINT FROM stall"
        " WHERE cause = 'profiler' GROUP BY rank ORDER BY rank"
    )
    assert stalls.rows == [(0, 44, 4083130), (1, 42, 3981525)]


def test_eight_ranks_are_in_the_group_and_two_in_the_data(level1: Session) -> None:
    rows = level1.run(shipped_queries()["job_ranks"]).as_(JobRanksRow)
    assert [one.rank for one in rows if one.collected] == [0, 1]
    assert [one.rank for one in rows if one.collected is False] == [2, 3, 4, 5, 6, 7]
    assert {one.source for one in rows} == {"groups"}


def test_the_schedule_the_switches_and_the_profilers_own_calls_are_told(level1: Session) -> None:
    rows = level1.run(shipped_queries()["collection"], {"rank": 0}).as_(CollectionRow)
    told = {(one.kind, one.name): one for one in rows}
    assert told["level", "profiler_level"].value == "Level1"
    assert {one.name for one in rows if one.slows == "host"} == {
        "profile_memory",
        "record_shapes",
        "with_modules",
        "with_stack",
    }
    assert {one.name for one in rows if one.slows == "device"} == {"aic_metrics", "l2_cache"}
    assert [one.value for one in rows if one.kind == "schedule"] == ["40", "0", "10", "1", "1"]
    calls = {one.name: (one.count_, one.dur) for one in rows if one.kind == "call"}
    assert calls == {"start_trace": (1, 118500), "step": (2, 582950), "stop_trace": (1, 2600)}


def test_19_calls_of_the_older_path_that_compile_nothing_are_no_warm_up(level1: Session) -> None:
    assert level1.sql("SELECT warmup FROM step").rows == [(False,), (False,)]


def test_what_level1_cannot_tell_is_listed(level1: Session) -> None:
    rows = level1.run(shipped_queries()["untold"], {"rank": 0}).as_(UntoldRow)
    assert [one.name for one in rows] == ["ranks", "host", "spacing", "gc", "copies"]
    assert rows[0].sample.startswith("6 of 8 ranks are not in this data")
    assert rows[2].dur == 4083130
