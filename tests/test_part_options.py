"""A part of a profile: some ranks, steps or a time."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from build import torch_profile
from command_line import Run

from npuview.ingest.errors import UsageError
from npuview.ingest.pipeline import open_store
from npuview.ingest.read.window import Window
from npuview.ingest.selection import Mark, Moment, Seen, Selection

STEP = 1_000_000


Ask = Callable[[str, str, str], list[dict[str, object]]]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """Return a profile of steps 3 to 8, each with a kernel."""
    made = torch_profile(tmp_path, rank=0)
    for step in range(3, 9):
        ts = 10_000_000 + (step - 3) * STEP
        made.trace.step(step, ts=ts, dur=STEP)
        made.trace.kernel(f"Add{step}", ts=ts + 100_000, dur=50_000, stream=2)
    return made.write()


@pytest.fixture
def asked(run: Run, profile: Path, tmp_path: Path) -> Ask:
    """Return a function that ingests a part and answers SQL over it."""

    def ask(option: str, value: str, sql: str) -> list[dict[str, object]]:
        cache = ("--cache-dir", tmp_path / "part")
        made = run("ingest", profile, option, value, *cache, "--format", "json")
        assert made.status == 0, made.err
        [row] = json.loads(made.out)
        store = Path(row["store"]).parents[1]
        assert f"npuview {store}" in made.err
        return json.loads(run("sql", store, sql, "--format", "json").out)

    return ask


def test_steps_are_kept_with_the_time_of_one_more(asked: Ask) -> None:
    rows = asked("--steps", "4:5", "SELECT step FROM step ORDER BY step")
    assert [row["step"] for row in rows] == [4, 5]
    rows = asked("--steps", "4:5", "SELECT name FROM kernel ORDER BY ts")
    assert [row["name"] for row in rows] == ["Add4", "Add5", "Add6"]
    rows = asked("--steps", "4:5", "SELECT step FROM kernel ORDER BY ts")
    assert [row["step"] for row in rows] == [4, 5, None]


def test_one_step_and_open_ranges_of_steps(asked: Ask) -> None:
    sql = "SELECT step FROM step ORDER BY step"
    assert [row["step"] for row in asked("--steps", "8", sql)] == [8]
    assert [row["step"] for row in asked("--steps", ":4", sql)] == [3, 4]
    assert [row["step"] for row in asked("--steps", "7:", sql)] == [7, 8]


def test_a_time_keeps_what_overlaps_it(asked: Ask) -> None:
    names = "SELECT name FROM slice WHERE name LIKE 'Add%' ORDER BY ts"
    rows = asked("--time", "1.12ms:2.12ms", names)
    assert [row["name"] for row in rows] == ["Add4", "Add5"]
    rows = asked("--time", "11120000:12100000", names)
    assert [row["name"] for row in rows] == ["Add4"]


def test_what_was_left_out_is_said_in_the_store(asked: Ask) -> None:
    sql = "SELECT sample FROM import_stat WHERE name = 'selected'"
    assert asked("--ranks", "0", sql) == [{"sample": "read with --ranks 0: there may be more"}]


def test_a_part_lies_apart_from_the_whole(profile: Path, tmp_path: Path) -> None:
    whole = open_store(profile, cache_dir=tmp_path / "stores").store
    part = Selection(steps=(4, 4))
    first = open_store(profile, cache_dir=tmp_path / "stores", selection=part)
    again = open_store(profile, cache_dir=tmp_path / "stores", selection=part)
    assert first.store.path != whole.path
    assert (first.built, again.built) == (True, False)
    assert again.store.selection == "--steps 4:4"
    assert not open_store(profile, cache_dir=tmp_path / "stores").built


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--steps", "20", "it has steps 3 to 8"),
        ("--steps", "5:4", "comes before the first"),
        ("--steps", "x", "give a step"),
        ("--ranks", "7", "there are: 0"),
        ("--ranks", "3-1", "no range that goes up"),
        ("--time", "5", "two times with a colon"),
        ("--time", "2ms:1ms", "ends before it begins"),
        ("--jobs", "0", "0 is not in the range"),
    ],
)
def test_a_part_that_is_not_there_is_said(
    run: Run, profile: Path, option: str, value: str, why: str
) -> None:
    done = run("ingest", profile, option, value)
    assert done.status == 2
    assert why in done.err


def test_the_window_of_steps_ends_where_the_second_after_them_begins() -> None:
    marks = {step: Mark(step * 100, step * 100 + 90) for step in range(1, 6)}
    seen = Seen(100, marks)
    assert Selection(steps=(2, 3)).window(seen) == Window(200, 500)
    assert Selection(steps=(2, 4)).window(seen) == Window(start=200)
    later = Selection(steps=(2, 3), start=Moment(250, relative=False))
    assert later.window(seen) == Window(250, 500)
    assert Selection(start=Moment(50, relative=True)).window(seen) == Window(start=150)
    with pytest.raises(UsageError, match="no marks of steps"):
        Selection(steps=(1, 1)).window(Seen(0, {}))


def test_every_stage_is_told_with_its_seconds_when_asked(run: Run, profile: Path) -> None:
    told = run("ingest", profile, "--force", "-v", "--jobs", "1").err
    assert "derive placed" in told
    assert "derive placed" not in run("ingest", profile, "--force").err
