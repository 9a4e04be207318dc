"""What a step takes without a profiler: typed in, kept, and held against the trace."""

import json
from pathlib import Path

import pytest
from command_line import Run

from npuview.tui.user.run_card import RunCard, card_of, card_path, overhead_share

MS = 1_000_000


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "a-store"


def written(store: Path, text: str) -> Path:
    path = card_path(store)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_what_was_typed_in_is_held_against_the_trace_and_kept(run: Run, sample: Path) -> None:
    assert "Provisional until the step time" in " ".join(run("findings", sample).out.split())
    first = run("note", sample, "--format", "json")
    assert json.loads(first.out)[0]["profiler_off_ns"] is None
    assert "a host-bound verdict is provisional" in first.err
    ran = run("note", sample, "--profiler-off-ms", "328.0000001", "--format", "json")
    [row] = json.loads(ran.out)
    assert (ran.status, row["profiler_off_ns"], row["step_ns"]) == (0, 328 * MS, 410 * MS)
    assert row["overhead_share"] == 0.25
    assert (
        "410 ms in the trace, 328 ms without a profiler: overhead 25.0 %" in run("info", sample).out
    )
    assert "host times are inflated" not in run("collect-hint", sample).out
    assert "Provisional until" not in " ".join(run("findings", sample).out.split())
    cleared = run("note", sample, "--clear", "--format", "json")
    assert json.loads(cleared.out)[0]["profiler_off_ns"] is None
    assert "npuview note PATH --profiler-off-ms MS" in run("info", sample).out


def test_what_is_not_named_stays_on_the_card(run: Run, sample: Path) -> None:
    run("note", sample, "--profiler-off-ms", "328", "--config", "bf16, TP 2", "--batch", "32")
    ran = run("note", sample, "--text", " after the \n upgrade", "--format", "json")
    [row] = json.loads(ran.out)
    assert (row["profiler_off_ns"], row["config"], row["batch"]) == (328 * MS, "bf16, TP 2", "32")
    assert row["text"] == "after the upgrade"
    assert "config bf16, TP 2; batch 32; after the upgrade" in run("info", sample).out
    [row] = json.loads(run("note", sample, "--batch", "", "--format", "json").out)
    assert (row["config"], row["batch"]) == ("bf16, TP 2", None)
    [row] = json.loads(run("note", sample, "--clear", "--format", "json").out)
    assert [row["profiler_off_ns"], row["config"], row["text"]] == [None] * 3


def test_a_line_that_is_too_long_to_keep_is_refused(run: Run, sample: Path) -> None:
    ran = run("note", sample, "--text", "x" * 201)
    assert (ran.status, ran.out) == (2, "")
    assert "200 are kept" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    "typed", ["0", "-1", "nan", "inf", "1e30", "1e999999999", "fast", "0.0000001"]
)
def test_what_is_no_time_of_a_step_is_refused(run: Run, sample: Path, typed: str) -> None:
    ran = run("note", sample, f"--profiler-off-ms={typed}")
    assert (ran.status, ran.out) == (2, "")
    assert typed in ran.err


def test_a_figure_is_either_given_or_forgotten(run: Run, sample: Path) -> None:
    assert run("note", sample, "--clear", "--profiler-off-ms", 1).status == 2
    assert run("note", sample, "--clear", "--batch", "32").status == 2


def test_a_card_is_for_its_owner_only(store: Path) -> None:
    path = card_path(store)
    assert path is not None
    card = RunCard(7, "bf16", "32", "训练")
    assert card.save(path) is None
    assert path.stat().st_mode & 0o777 == 0o600
    assert card_of(store) == card


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 1, "profiler_off_ns": "7"}',
        '{"version": 1, "profiler_off_ns": -7}',
        '{"version": 1, "profiler_off_ns": true}',
        '{"version": 2, "profiler_off_ns": 7}',
        '{"version": 1, "config": 7, "batch": " ", "text": null}',
        f'{{"version": 1, "text": "{"x" * 201}"}}',
    ],
)
def test_a_card_that_is_not_as_it_should_be_says_nothing(store: Path, text: str) -> None:
    written(store, text)
    assert card_of(store) == RunCard()


def test_a_card_of_a_newer_npuview_stays(store: Path) -> None:
    path = written(store, '{"version": 2}')
    assert "newer" in (RunCard(7).save(path) or "")
    assert path.read_text() == '{"version": 2}'


def test_a_card_that_cannot_be_written_says_why(store: Path) -> None:
    path = card_path(store)
    assert path is not None
    path.parent.parent.mkdir(parents=True)
    path.parent.write_text("in the way")
    assert str(path) in (RunCard(7).save(path) or "")


def test_without_both_times_no_overhead_is_known() -> None:
    assert overhead_share(None, 5) is None
    assert overhead_share(5, None) is None
    assert overhead_share(3, 4) == -0.25
