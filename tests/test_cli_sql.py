"""``npuview sql``, ``presets`` and ``schema`` on a made-up profile."""

import json
import re
from pathlib import Path

import pytest
from command_line import Run

from npuview.queries.catalog import shipped_queries
from npuview.queries.session import Session
from npuview.queries.views import shared_views

STEP_NS = 410_000_000


def test_sql_reads_the_tables_and_shows_plain_values(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT step, dur FROM step ORDER BY step LIMIT 1")
    assert ran.lines == ["step        dur", f"  12  {STEP_NS}"]
    assert ran.status == 0


def test_an_error_in_sql_quotes_what_was_typed(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT foo\nFROM slice")
    assert (ran.status, ran.out) == (1, "")
    assert "LINE 1: SELECT foo\n" in ran.err
    assert "DESCRIBE" not in ran.err
    assert "LINE 2: FROM nothing" in run("sql", sample, "SELECT 1\nFROM nothing").err


def test_sql_takes_parameters(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT $a || $b AS x", "-p", "a=1", "-p", "b=", "--format", "json")
    assert json.loads(ran.out) == [{"x": None}]
    missing = run("sql", sample, "SELECT $a AS x")
    assert missing.status == 2
    assert "needs a value for: a" in missing.err


def test_sql_that_would_write_is_refused(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "DROP TABLE slice")
    assert (ran.status, ran.out) == (1, "")
    assert "DROP is not allowed" in ran.err


def test_names_from_sql_cannot_steer_the_terminal(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT chr(27) || '[31m' AS \"a\x1b[1m\"")
    assert ran.lines == ["a␛[1m", "␛[31m"]
    assert json.loads(run("sql", sample, "SELECT chr(27) AS x", "--format", "json").out) == [
        {"x": "\x1b"}
    ]


def test_a_preset_answers_as_the_command_of_its_question(run: Run, sample: Path) -> None:
    preset = run("sql", sample, "--preset", "gaps", "-p", "step=13", "--format", "json")
    assert json.loads(preset.out) == json.loads(
        run("gaps", sample, "--step", 13, "--format", "json").out
    )


def test_a_preset_that_is_not_there_gets_what_was_meant(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "--preset", "gpas")
    assert ran.status == 2
    assert "did you mean gaps?" in ran.err


def test_sql_sorts_itself_and_presets_are_sorted(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT 1 AS x", "--sort", "x")
    assert ran.status == 2
    assert "ORDER BY" in ran.err
    preset = run("sql", sample, "--preset", "top", "--sort", "-count", "--format", "json")
    counts = [row["count"] for row in json.loads(preset.out)]
    assert counts == sorted(counts, reverse=True)


def test_sql_needs_either_a_text_or_a_preset(run: Run, sample: Path) -> None:
    assert run("sql", sample).status == 2
    assert run("sql", sample, "SELECT 1", "--preset", "top").status == 2
    assert "write it as KEY=VALUE" in run("sql", sample, "SELECT 1", "-p", "x").err


@pytest.fixture
def user_preset(tmp_path: Path) -> Path:
    folder = tmp_path / "config" / "npuview" / "presets"
    folder.mkdir(parents=True)
    file = folder / "long_copies.sql"
    file.write_text(
        "-- title:   Long copies\n-- columns: name VARCHAR\n-- needs:   slice\n"
        "SELECT name FROM slice WHERE class = 'copy'\n"
    )
    (folder / "broken.sql").write_text("-- title: Broken\nSELECT FROM\n")
    return file


@pytest.mark.usefixtures("user_preset")
def test_presets_lists_shipped_and_own_ones_and_names_broken_files(run: Run) -> None:
    ran = run("presets", "--format", "json")
    origin = {row["name"]: row["origin"] for row in json.loads(ran.out)}
    assert origin["gaps"] == "shipped"
    assert origin["long_copies"] == "user"
    assert "broken" not in origin
    assert "broken.sql:" in ran.err


def test_presets_shows_the_sql_of_one(run: Run, user_preset: Path) -> None:
    assert run("presets", "long_copies").out == user_preset.read_text()
    assert run("presets", "gaps").out.startswith("-- title:   Gaps\n")


def test_schema_lists_the_tables_and_the_columns_of_one(run: Run) -> None:
    assert re.search(r"^slice +A span on a lane\.$", run("schema").out, re.MULTILINE)
    assert re.search(r"^dur BIGINT +length, ns$", run("schema", "kernel").out, re.MULTILINE)
    rows = json.loads(run("schema", "step", "--format", "json").out)
    assert {"table": "step", "column": "step", "type": "INTEGER"}.items() <= rows[1].items()
    ran = run("schema", "slcie")
    assert ran.status == 2
    assert "did you mean slice?" in ran.err


@pytest.mark.parametrize("name", sorted(shared_views()))
def test_schema_has_the_views_with_what_they_are_and_their_columns(
    name: str, run: Run, session: Session
) -> None:
    comment = shared_views()[name].partition("\n")[0].removeprefix("-- ")
    assert re.search(rf"^{name} +{re.escape(comment)[:40]}", run("schema").out, re.MULTILINE)
    rows = json.loads(run("schema", name, "--format", "json").out)
    described = session.sql(f"DESCRIBE {name}").rows
    assert [(row["column"], row["type"]) for row in rows] == [(row[0], row[1]) for row in described]


def test_schema_has_the_columns_that_a_view_adds_to_its_table(run: Run) -> None:
    assert re.search(r"^end_ts BIGINT +ts \+ dur$", run("schema", "slice").out, re.MULTILINE)


def test_presets_have_a_sentence_each_where_there_is_room(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "The steps of each rank in time: how long each took"
    assert sentence in run("presets").out
    whole = {
        row["name"]: row["about"] for row in json.loads(run("presets", "--format", "json").out)
    }
    assert whole == {query.name: query.about for query in shipped_queries().values()}
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for width, shown in ((80, False), (160, True)):
        monkeypatch.setenv("COLUMNS", str(width))
        assert ("The steps of each rank" in run("presets").out) == shown
