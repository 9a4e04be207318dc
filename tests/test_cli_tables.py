"""The tables of commands: their columns, order, limits and windows of time."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from build import torch_profile
from command_line import Run
from rich.cells import cell_len

from npuview.queries.catalog import shipped_queries
from npuview.queries.session import Session
from npuview.tui.commands.questions import LISTINGS
from npuview.tui.text.table_text import Drawing, draw

NOT_IN_THE_SAMPLE = {"fusion"}
"""Commands that have nothing to tell of it."""


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_json_of_a_command_is_the_answer_of_its_question(
    name: str, run: Run, sample: Path, session: Session
) -> None:
    ran = run(name, sample, "--format", "json")
    query = shipped_queries()[LISTINGS[name].query]
    expected = session.run(query)
    found: list[dict[str, Any]] = json.loads(ran.out)
    assert ran.status == 0
    assert [tuple(row.values()) for row in found] == expected.rows
    assert (ran.err == "") == bool(found) == (name not in NOT_IN_THE_SAMPLE)
    for row in found:
        assert list(row) == [column.name for column in query.columns]


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_the_columns_of_a_table_are_columns_of_its_question(
    name: str, run: Run, sample: Path
) -> None:
    listing = LISTINGS[name]
    answered = [column.name for column in shipped_queries()[listing.query].columns]
    assert set(listing.table) <= set(answered)
    head = run(name, sample).lines[0].split()
    # One rank and one device are not repeated in every row.
    rows = json.loads(run(name, sample, "--format", "json").out)
    repeated = (
        {"device_id"} if len({row.get("rank") for row in rows}) > 1 else {"rank", "device_id"}
    )
    repeated |= {name for name in listing.where_known if all(row[name] is None for row in rows)}
    assert head == [one for one in listing.table if one not in repeated]


@pytest.mark.parametrize("by", LISTINGS["top"].tables_by)
def test_operators_are_grouped_by_what_stands_first(by: str, run: Run, sample: Path) -> None:
    listing = LISTINGS["top"].tables_by[by]
    answered = {column.name for column in shipped_queries()["top"].columns}
    assert set(listing) <= answered
    told = [name for name in listing if name not in {"rank", "p50", "p95"}]
    assert run("top", sample, "--by", by).lines[0].split() == told
    head = run("top", sample, "--by", by, "--percentiles").lines[0].split()
    assert {"p50", "p95"} <= set(head)


def test_csv_and_parquet_hold_what_json_holds(run: Run, sample: Path, tmp_path: Path) -> None:
    wanted = json.loads(run("top", sample, "--format", "json").out)
    text = run("top", sample, "--format", "csv").out
    assert text.startswith("rank,name,type,core,count,total,")
    in_csv = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["total"] for row in in_csv] == [str(row["total"]) for row in wanted]
    file = tmp_path / "top.parquet"
    assert run("top", sample, "--format", "parquet", "-o", file) == (0, "", "")
    assert pq.read_table(file).to_pylist() == wanted


def test_a_table_is_short_and_says_so_and_limit_lifts_it(run: Run, sample: Path) -> None:
    short = run("top", sample)
    assert len(short.lines) == 1 + 20
    assert "20 rows are shown and there are more; --limit 0 shows all" in short.err
    assert len(run("top", sample, "--limit", 3).lines) == 1 + 3
    everything = run("top", sample, "--limit", 0)
    assert everything.err == ""
    assert len(everything.lines) == 1 + len(json.loads(run("top", sample, "--format", "json").out))


def test_a_limit_holds_in_every_format(run: Run, sample: Path) -> None:
    ran = run("gaps", sample, "--limit", 2, "--format", "json")
    assert len(json.loads(ran.out)) == 2
    assert "there are more" in ran.err


def test_rows_are_sorted_by_a_column_either_way(run: Run, sample: Path) -> None:
    up = json.loads(run("top", sample, "--sort", "max", "--format", "json").out)
    down = json.loads(run("top", sample, "--sort", "-max", "--format", "json").out)
    lengths = [row["max"] for row in up]
    assert lengths == sorted(lengths)
    assert [row["max"] for row in down] == lengths[::-1]


def test_sorting_comes_before_the_limit(run: Run, sample: Path) -> None:
    everything = json.loads(run("top", sample, "--format", "json").out)
    [shortest] = json.loads(
        run("top", sample, "--sort", "min", "--limit", 1, "--format", "json").out
    )
    assert shortest["min"] == min(row["min"] for row in everything)


def test_sorting_by_an_unknown_column_names_the_columns(run: Run, sample: Path) -> None:
    ran = run("gaps", sample, "--sort", "length")
    assert ran.status == 2
    assert "no column 'length' to sort by; there are: gap_id, rank," in ran.err


def test_a_window_of_time_is_given_from_the_start_or_in_the_traces_clock(
    run: Run, sample: Path, session: Session
) -> None:
    start = session.run(shipped_queries()["profiles"]).rows[0][13]
    assert isinstance(start, int)
    relative = run("gaps", sample, "--from", "100ms", "--to", "0.2s", "--format", "json")
    absolute = run(
        *("gaps", sample, "--format", "json"),
        *("--from", start + 100_000_000, "--to", start + 200_000_000),
    )
    found = json.loads(relative.out)
    assert found == json.loads(absolute.out)
    assert found
    assert all(start + 100_000_000 < row["ts"] + row["dur"] for row in found)
    assert all(row["ts"] < start + 200_000_000 for row in found)


def test_places_in_a_table_can_be_typed_as_a_window(run: Run, sample: Path) -> None:
    longest = run("gaps", sample, "--limit", 1).lines[1]
    place = re.search(r"\+[\d,.]+ ms", longest)
    assert place is not None
    found = run("gaps", sample, "--limit", 1, "--from", place[0], "--to", f"{place[0][1:-3]}9ms")
    assert found.lines[1] == longest


def test_a_place_that_is_none_is_wrong_usage(run: Run, sample: Path) -> None:
    ran = run("gaps", sample, "--from", "soon")
    assert ran.status == 2
    assert "'soon' is no place in time" in ran.err


def test_a_step_that_is_not_there_is_wrong_usage_and_names_those_there(
    run: Run, sample: Path
) -> None:
    for command in ("overview", "gaps", "top"):
        ran = run(command, sample, "--step", 99)
        assert (ran.status, ran.out) == (2, "")
        assert "no step 99 here; there are: 12, 13, 14, 15" in ran.err


def test_a_rank_that_is_not_there_is_wrong_usage(run: Run, sample: Path) -> None:
    ran = run("top", sample, "--rank", 5)
    assert ran.status == 2
    assert "no rank 5" in ran.err


def test_no_rows_are_said_in_words(run: Run, sample: Path) -> None:
    ran = run("gaps", sample, "--min-dur", "10s")
    assert ran.status == 0
    assert "no rows" in ran.err


@pytest.mark.parametrize(
    ("command", "kinds"), [("gaps", "device|compute"), ("waits", "event|notify|peer")]
)
def test_values_are_shown_as_they_are_typed_and_others_are_refused_with_those(
    command: str, kinds: str, run: Run, sample: Path
) -> None:
    shown = " ".join(run(command, "--help").out.split())
    assert f"--kind [{kinds}]" in shown
    ran = run(command, sample, "--kind", "nothing")
    assert (ran.status, ran.out) == (2, "")
    assert all(f"'{kind}'" in ran.err for kind in kinds.split("|"))


def test_every_kind_of_wait_that_is_answered_can_be_chosen(run: Run, sample: Path) -> None:
    for command in ("waits", "gaps"):
        rows = json.loads(run(command, sample, "--format", "json").out)
        [kind] = [one for one in shipped_queries()[command].params if one.name == "kind"]
        assert {row["kind"] for row in rows} <= set(kind.words)


def test_a_length_has_a_unit_or_is_ns(run: Run, sample: Path) -> None:
    rows = run("gaps", sample, "--min-dur", "1.5ms", "--format", "json").out
    assert rows == run("gaps", sample, "--min-dur", "1500000", "--format", "json").out
    assert min(row["dur"] for row in json.loads(rows)) >= 1_500_000
    ran = run("gaps", sample, "--min-dur", "soon")
    assert ran.status == 2
    assert "'soon' is no length of time" in ran.err


def test_times_of_presets_and_of_sql_are_typed_as_those_of_commands(run: Run, sample: Path) -> None:
    words = ("--format", "json")
    wanted = run("gaps", sample, "--from", "20ms", "--to", "0.1s", "--min-dur", "1ms", *words).out
    params = ("-p", "from_ts=20ms", "-p", "to_ts=0.1s", "-p", "min_dur=1ms")
    assert run("sql", sample, "--preset", "gaps", *params, *words).out == wanted
    sql = "SELECT $from_ts::BIGINT - min(ts) AS a, $dur::BIGINT AS b, $name AS c FROM slice"
    ran = run("sql", sample, sql, "-p", "from_ts=20ms", "-p", "dur=3us", "-p", "name=4ms", *words)
    assert json.loads(ran.out) == [{"a": 20_000_000, "b": 3_000, "c": "4ms"}]


@pytest.mark.parametrize(
    "words",
    [
        ("gaps", "--from", "20ms", "--to", "10ms"),
        ("comm", "--from", "20ms", "--to", "10ms"),
        ("sql", "--preset", "gaps", "-p", "from_ts=20ms", "-p", "to_ts=10ms"),
        ("export", "-o", "out.json", "--from", "20ms", "--to", "10ms"),
    ],
)
def test_a_window_that_ends_before_it_begins_is_wrong_usage(
    words: tuple[str, ...], run: Run, sample: Path
) -> None:
    ran = run(words[0], sample, *words[1:])
    assert (ran.status, ran.out) == (2, "")
    assert "from" in ran.err


def test_the_name_of_a_file_says_its_format_and_format_overrules_it(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    wanted = run("top", sample, "--format", "csv").out
    for name, words in {"top.csv": [], "top.json": ["--format", "csv"]}.items():
        assert run("top", sample, "-o", tmp_path / name, *words) == (0, "", "")
        assert (tmp_path / name).read_text().splitlines() == wanted.splitlines()


def test_one_row_is_one_row(run: Run, sample: Path) -> None:
    assert "npuview: 1 row is shown and there are more" in run("top", sample, "--limit", 1).err


def test_a_table_of_waits_says_that_they_run_beside_other_work(run: Run, sample: Path) -> None:
    assert "waits run beside other work; the ledger counts only" in run("waits", sample).err


def test_causes_are_a_column_of_gaps_and_of_the_ledger(run: Run, sample: Path) -> None:
    for command in ("gaps", "ledger"):
        assert "cause" in run(command, sample).lines[0]
        rows = json.loads(run(command, sample, "--format", "json").out)
        assert "host_sync" in {row["cause"] for row in rows}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["comm"], "step name bytes dur transfer_ns wait_ns last_peer bytes_per_s"),
        (["ranks"], "rank collected step_ns late_ns times_last waiting waiting_share"),
        (["waits"], "step kind name count total longest period_share last_peer"),
        (["gaps"], "step ts dur period_share prev_name next_name"),
        (["sql", "--preset", "collectives"], "step name bytes dur transfer_ns wait_ns last_peer"),
        (["sql", "--preset", "chain"], "role distance name dur ts thread_name"),
    ],
)
def test_a_table_shows_its_point_at_80_columns(
    words: list[str],
    wanted: str,
    run: Run,
    sample: Path,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "chain" in words:
        [(slice_id,)] = session.sql(
            "SELECT min(slice_id) FROM launch_link WHERE enqueue_slice_id IS NOT NULL"
        ).rows
        words = [*words, "-p", f"slice_id={slice_id}"]
    drawn: list[Drawing] = []

    def draw_kept(*given: Any) -> Drawing:  # noqa: ANN401 # whatever is drawn
        drawn.append(draw(*given))
        return drawn[-1]

    monkeypatch.setattr("npuview.tui.text.output.draw", draw_kept)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(words[0], sample, *words[1:]).status == 0
    assert not set(wanted.split()) & set(drawn[0].left_out)
    assert max(map(cell_len, drawn[0].lines)) <= 80
    # Rows that differ still do: no two are drawn alike.
    assert len(set(drawn[0].lines)) == len(drawn[0].lines)


def test_several_ranks_are_listed_together_with_a_rank_column(run: Run, tmp_path: Path) -> None:
    for rank in (0, 3):
        profile = torch_profile(tmp_path, rank=rank)
        profile.trace.kernel("Add", ts=1_000 + rank, dur=500, stream=2)
        profile.trace.step(1, ts=0, dur=10_000)
        profile.write()
    both = run("top", tmp_path)
    assert both.lines[0].split()[:2] == ["rank", "name"]
    assert [line.split()[0] for line in both.lines[1:]] == ["0", "3"]
    one = run("top", tmp_path, "--rank", 3)
    assert one.lines[0].split()[0] == "name"
    assert len(one.lines) == 2
    assert "ranks 0, 3" in run("overview", tmp_path).lines[0]
