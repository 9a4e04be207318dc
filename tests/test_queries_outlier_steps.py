"""Which steps are outliers: by what is usual of their kind, and in the view as in the question."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from store_build import StoreBuilder, Value, ask

from npuview.ingest.store import Store
from npuview.queries.catalog import shipped_queries
from npuview.queries.session import Session
from npuview.tui.answers import Answers
from npuview.tui.overview.step_lines import step_lines
from npuview.tui.run import ask_run


def store_of(path: Path, periods: Sequence[int], **more: Value) -> Store:
    """Build a run of such steps; ``warmup`` marks the first of them."""
    builder = StoreBuilder(path).rank(0)
    builder.add("profile", rank_known=True, versions="{}", switches="{}", ts=0, dur=sum(periods))
    ts = 0
    for step, period in enumerate(periods):
        values: dict[str, Value] = {"kind": "train", "source": "mark", "inferred": False} | more
        values["warmup"] = bool(more.get("warmup")) and step == 0
        builder.add("step", step=step, ts=ts, dur=period, **values)
        ts += period
    return builder.build()


def outliers(path: Path, periods: Sequence[int], **more: Value) -> list[int]:
    return [row.step for row in ask(store_of(path, periods, **more), "steps") if row.outlier]


def test_a_step_that_took_much_longer_than_the_others_is_an_outlier(tmp_path: Path) -> None:
    assert outliers(tmp_path, [410, 409, 411, 598, 410, 412]) == [3]


@pytest.mark.parametrize(("last", "found"), [(1050, []), (1051, [3])])
def test_up_to_a_twentieth_over_the_median_is_usual(
    last: int, found: list[int], tmp_path: Path
) -> None:
    assert outliers(tmp_path, [1000, 1000, 1000, last]) == found


@pytest.mark.parametrize(("last", "found"), [(600, []), (601, [5])])
def test_more_than_twice_the_median_is_an_outlier_however_much_the_others_differ(
    last: int, found: list[int], tmp_path: Path
) -> None:
    assert outliers(tmp_path, [100, 200, 300, 400, 300, last]) == found


def test_two_steps_are_too_few_to_tell_which_is_unusual(tmp_path: Path) -> None:
    assert outliers(tmp_path, [100, 900]) == []


def test_a_warm_up_is_no_outlier_and_does_not_count_for_the_median(tmp_path: Path) -> None:
    assert outliers(tmp_path, [9000, 100, 100, 100, 106], warmup=True) == [4]


@pytest.mark.parametrize("kind", ["prefill", "decode", "mixed", "iteration"])
def test_iterations_that_differ_by_what_they_are_asked_are_usual_up_to_twice_the_median(
    kind: str, tmp_path: Path
) -> None:
    assert outliers(tmp_path, [100, 100, 100, 150, 200], kind=kind) == []
    assert outliers(tmp_path / "more", [100, 100, 100, 150, 201], kind=kind) == [4]


@pytest.mark.parametrize("seed", range(12))
def test_at_most_half_are_outliers_all_over_the_median_and_whatever_the_unit(
    seed: int, tmp_path: Path
) -> None:
    made = random.Random(seed)  # noqa: S311 # makes steps, no secrets
    spread = made.choice((2, 50, 10**6))
    periods = [20 * made.randint(1, spread) for _ in range(made.randint(3, 60))]
    found = outliers(tmp_path / "one", periods)
    assert 2 * len(found) <= len(periods)
    middle = sorted(periods)[(len(periods) - 1) // 2]
    assert all(periods[step] > middle for step in found)
    assert outliers(tmp_path / "other", [7 * period for period in periods]) == found


def test_the_view_marks_those_that_the_question_calls_so(tmp_path: Path) -> None:
    store = store_of(tmp_path, [410, 409, 411, 598, 410, 900])
    with Session(store) as session:
        lines = step_lines(ask_run(Answers(session, shipped_queries())), 0)
    assert [line.step for line in lines.steps if line.outlier] == [3, 5]
