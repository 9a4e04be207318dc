"""``npuview findings`` as a command."""

import json
from pathlib import Path

import pytest
from command_line import Run

from npuview.tui.text.finding_text import COLUMNS, SYMPTOM_COLUMNS
from npuview.tui.text.overview_text import MOST_FINDINGS


def test_findings_are_listed_with_what_is_at_stake_and_where(run: Run, sample: Path) -> None:
    ran = run("findings", sample, "--lang", "en")
    assert ran.status == 0
    assert ran.lines[0].split() == ["question", "per", "step", "share", "what"]
    assert "try:" in ran.out


def test_json_has_every_field_and_whole_ns(run: Run, sample: Path) -> None:
    rows = json.loads(run("findings", sample, "--format", "json", "--lang", "en").out)
    assert rows
    assert list(rows[0]) == [column.name for column in COLUMNS]
    at_stake = [row for row in rows if row["ns"] is not None]
    for row in at_stake:
        assert row["ns_per_step"] == row["ns"] // row["steps"]
        assert row["share"] == pytest.approx(row["ns"] / row["period"])
        assert json.loads(row["thresholds"])["least_share"]
        # Without a value there is no place for it.
        assert "\N{EN DASH}" not in row["sentence"]
    [first, *_] = [row for row in at_stake if row["evidence"]]
    slices = first["evidence"].split()
    asked = run(
        "sql", sample, "--format", "json", f"SELECT name FROM slice WHERE slice_id = {slices[0]}"
    )
    assert len(json.loads(asked.out)) == 1


def test_the_overview_begins_with_the_first_findings_and_says_where_all_are(
    run: Run, sample: Path
) -> None:
    rows = json.loads(run("findings", sample, "--format", "json").out)
    assert len(rows) > MOST_FINDINGS
    shown = " ".join(run("overview", sample).out.split())
    assert "npuview findings PATH shows all" in shown
    for at, row in enumerate(rows):
        title = row["sentence"].partition(":")[0]
        assert (f"{title}:" in shown) == (at < MOST_FINDINGS)
        if at < MOST_FINDINGS:
            assert " ".join(row["sentence"].split()) in shown
    one = run("overview", sample, "--step", "13", "--lang", "zh").out
    assert "类别" in one
    assert "迭代 13" in one


def test_the_overview_of_what_cannot_be_told_begins_with_no_finding(
    run: Run, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]')
    ran = run("overview", trace)
    assert ran.status == 0
    assert "Look here first" not in ran.out


def test_the_preset_of_a_finding_shows_rows(run: Run, sample: Path) -> None:
    rows = json.loads(run("findings", sample, "--format", "json").out)
    for row in rows:
        if row["status"] == "found":
            given = json.loads(row["preset_params"])
            words = [f"-p{name}={value}" for name, value in given.items()]
            ran = run("sql", sample, "--preset", row["preset"], *words, "--format", "json")
            assert ran.status == 0
            assert json.loads(ran.out), row["rule"]


def test_symptoms_are_five_for_each_rank(run: Run, sample: Path) -> None:
    rows = json.loads(run("findings", sample, "--symptoms", "--format", "json").out)
    assert list(rows[0]) == [column.name for column in SYMPTOM_COLUMNS]
    assert len(rows) == 5
    assert {row["verdict"] for row in rows} <= {"pass", "fail", "unknown"}


def test_the_language_is_chosen_or_that_of_the_locale(
    run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert run("findings", sample).lines[0].startswith("类别")
    assert run("findings", sample, "--lang", "en").lines[0].startswith("question")


def test_rows_are_limited_and_sorted_as_asked(run: Run, sample: Path) -> None:
    ran = run("findings", sample, "--limit", "1", "--format", "json", "--sort", "rule")
    every = json.loads(run("findings", sample, "--format", "json").out)
    assert [row["rule"] for row in json.loads(ran.out)] == [min(row["rule"] for row in every)]
    assert f"1 of {len(every)} findings are shown" in ran.err
    largest = json.loads(run("findings", sample, "--format", "json", "--sort", "-ns").out)
    known = [row["ns"] for row in largest if row["ns"] is not None]
    assert known == sorted(known, reverse=True)
    assert run("findings", sample, "--sort", "nothing").status == 2


def test_a_broken_file_of_rules_is_told(run: Run, sample: Path, tmp_path: Path) -> None:
    file = tmp_path / "config" / "npuview" / "rules.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[rules.W9]\nof = true\n")
    ran = run("findings", sample)
    assert ran.status == 2
    assert f"{file}: rules.W9.of: no such key; did you mean off?" in ran.err


def test_a_step_that_is_not_there_is_refused(run: Run, sample: Path) -> None:
    assert run("findings", sample, "--step", "9999").status == 2
