"""What is known of the run: extents, periods of steps, and what was lost."""

from pathlib import Path

import pytest
from row_build import row

from npuview.ingest.pipeline import open_store
from npuview.queries.rows import HealthRow, OverviewRow, ProfilesRow, StepsRow
from npuview.tui.answers import open_answers
from npuview.tui.focus import Focus, Window
from npuview.tui.run import Run, ask_run


def run_of_two_ranks() -> Run:
    """Rank 1 from 0 to 900 ns, whose step 3 has no time; rank 5 without a timeline."""
    return Run(
        profiles=[row(ProfilesRow, rank=1, ts=0, dur=900), row(ProfilesRow, rank=5)],
        steps=[
            row(StepsRow, rank=1, step=2, ts=100, dur=50),
            row(StepsRow, rank=1, step=3),
            row(StepsRow, rank=1, step=4, ts=300, dur=0),
            row(StepsRow, rank=5, step=2),
        ],
        splits=[
            row(OverviewRow, rank=1, device_id=device, step=step)
            for device in (0, 1)
            for step in (2, 4)
        ],
        health=[
            row(HealthRow, kind="import", severity="data_loss", count_=7),
            row(HealthRow, kind="import", severity="error"),
            row(HealthRow, kind="import", severity="info", count_=50),
            row(HealthRow, kind="check", severity="error", count_=3),
        ],
    )


def test_a_rank_has_its_own_steps_and_profile() -> None:
    run = run_of_two_ranks()
    assert run.ranks == (1, 5)
    assert run.profile(5).ts is None
    assert [step.step for step in run.steps_of(1)] == [2, 3, 4]
    assert [step.step for step in run.steps_of(5)] == [2]


@pytest.mark.parametrize(
    ("rank", "step", "period"),
    [
        (1, None, Window(0, 900)),
        (1, 2, Window(100, 150)),
        (1, 3, None),
        # What takes no time is shown as its first instant.
        (1, 4, Window(300, 301)),
        (1, 99, None),
        (5, None, None),
        (5, 2, None),
    ],
)
def test_a_period_is_that_of_the_step_or_of_the_run_or_not_known(
    rank: int, step: int | None, period: Window | None
) -> None:
    assert run_of_two_ranks().period(rank, step) == period


def test_a_step_without_a_time_is_looked_at_in_the_whole_run() -> None:
    run = run_of_two_ranks()
    assert run.whole(Focus(1, 3)) == run.window(Focus(1, 3)) == Window(0, 900)
    assert run.window(Focus(1, 2)) == Window(100, 150)
    assert run.window(Focus(1, 2, Window(4, 5))) == Window(4, 5)


def test_places_are_told_from_the_start_of_the_step() -> None:
    run = run_of_two_ranks()
    assert [run.origin(Focus(rank, step)) for rank, step in ((1, 2), (1, 3), (5, 2))] == [100, 0, 0]


def test_the_split_of_a_step_has_a_row_for_each_device() -> None:
    run = run_of_two_ranks()
    assert [(one.device_id, one.step) for one in run.split(Focus(1, 4))] == [(0, 4), (1, 4)]
    assert len(run.split(Focus(1))) == 4
    assert run.split(Focus(5)) == []


def test_only_what_could_not_be_read_is_lost() -> None:
    assert run_of_two_ranks().lost == 8


def test_the_sample_is_asked_once_for_all_of_it(sample: Path, places: Path) -> None:
    answers = open_answers(open_store(sample, cache_dir=places / "cache").store)
    try:
        run = ask_run(answers)
    finally:
        answers.close()
    [rank] = run.ranks
    extent = run.extent(rank)
    assert extent is not None
    periods = [run.period(rank, step.step) for step in run.steps_of(rank)]
    assert len(periods) == 4
    assert all(one is not None and one.meets(extent) for one in periods)
    assert run.job is not None
    assert run.job.missing == (1, 2, 3, 4, 5, 6, 7)
