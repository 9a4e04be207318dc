"""``npuview sql``, ``presets`` and ``schema`` on a made-up profile."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
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


@pytest.mark.parametrize(
    "text", ["-- a comment\nSELECT 7 AS x", "--a comment\nSELECT 7 AS x", "--\tc\n--\nSELECT 7 x"]
)
def test_sql_may_begin_with_a_comment(text: str, run: Run, sample: Path) -> None:
    ran = run("sql", sample, text, "--format", "json")
    assert (ran.status, json.loads(ran.out)) == (0, [{"x": 7}])
    assert run("sql", sample, "--no-such-option").status == 2


def test_the_plan_of_a_question_is_printed_as_it_is_drawn(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "EXPLAIN SELECT name FROM slice WHERE dur > 5")
    assert ran.status == 0
    assert len(ran.lines) > 3
    assert "␊" not in ran.out
    assert "explain_key" not in ran.out
    [row] = json.loads(run("sql", sample, "EXPLAIN SELECT 1", "--format", "json").out)
    assert "explain_value" in row


def test_a_parameter_that_is_not_utf_8_is_wrong_usage(run: Run, sample: Path) -> None:
    ran = run("sql", sample, "SELECT $a AS x", "-p", "a=\udcff")
    assert ran.status == 2
    assert "not UTF-8" in ran.err


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


def test_the_sql_of_a_preset_can_be_used_again(
    run: Run, user_preset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = "-- title: Tabs\nSELECT\n\tname,\t'矩' AS x\nFROM slice"
    user_preset.write_text(sql)
    assert run("presets", "long_copies").out == sql
    file = tmp_path / "copy.sql"
    assert run("presets", "long_copies", "-o", file).status == 0
    assert file.read_text() == sql
    user_preset.write_text(f"{sql} -- \x1b[31m")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    shown = run("presets", "long_copies").out
    assert "\n        name,   '矩' AS x\n" in shown
    assert "\x1b[31m" not in shown
    assert "␛[31m" in shown


@pytest.mark.parametrize("end", ["; -- comment", ";;\n", " -- ; comment", " /* ; */ ; /* ; */"])
def test_a_preset_is_sorted_however_it_ends(
    end: str, run: Run, user_preset: Path, sample: Path
) -> None:
    user_preset.write_text(
        f"-- title: T\n-- columns: x BIGINT\nSELECT range AS x FROM range(3){end}"
    )
    ran = run("sql", sample, "--preset", "long_copies", "--sort", "-x", "--format", "csv")
    assert (ran.status, ran.out) == (0, "x\r\n2\r\n1\r\n0\r\n")


def test_a_list_of_presets_quotes_no_line_of_a_file_that_is_none(
    run: Run, user_preset: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:hunter2:0:0\n")
    user_preset.with_name("leak.sql").symlink_to(secret)
    ran = run("presets")
    assert "leak.sql:1:" in ran.err
    assert "hunter2" not in ran.err


@pytest.mark.parametrize("format_", ["table", "csv", "json", "parquet"])
def test_a_preset_whose_name_is_not_utf_8_is_listed(
    format_: str, run: Run, user_preset: Path, tmp_path: Path
) -> None:
    user_preset.with_name("bad\udcff.sql").write_text(user_preset.read_text())
    ran = run("presets", "--format", format_, "-o", tmp_path / "list")
    assert ran.status == 0
    named = "bad⟨U+DCFF⟩" if format_ == "table" else "bad\ufffd"
    if format_ == "parquet":
        assert named in pq.read_table(tmp_path / "list")["name"].to_pylist()
    else:
        assert named.encode() in (tmp_path / "list").read_bytes()


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
    assert re.search(rf"^{name} +{re.escape(comment[:30])}", run("schema").out, re.MULTILINE)
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
