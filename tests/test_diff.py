"""``npuview diff`` and ``npuview baseline``: two runs side by side, and runs kept by name."""

import json
import shutil
from pathlib import Path

import pytest
from command_line import Run, damaged_profile
from made_up import MadeUp
from pair_build import MS, Made, ask_pair, maker, stepped

from npuview.ingest.baseline import baseline_path, baseline_root, is_name
from npuview.ingest.errors import StoreError, UsageError
from npuview.ingest.reduced_store import KEPT, save_baseline
from npuview.ingest.schema import SCHEMA_VERSION, SLICE, TABLES
from npuview.ingest.store import Store
from npuview.queries.pair import pair_queries
from npuview.tui.commands.options import Source
from npuview.tui.commands.sides import Sides
from npuview.tui.compare.reading import RunReading
from npuview.tui.draw.numbers import NOT_MEASURED


@pytest.fixture(scope="module")
def made(made_up: MadeUp) -> Made:
    return maker(made_up)


def test_the_text_says_what_it_comes_to_first(made: Made, run: Run) -> None:
    base, test = made("host_bound").path, made("pipelined").path
    run("note", base, "--config", "check on")
    run("note", test, "--config", "check off")
    ran = run("diff", base, test)
    assert ran.status == 0
    said = " ".join(ran.out.split())
    assert "step: 410.0 ms -> 368.0 ms, -10.2 %: better (noise up to 4.10 ms, by 4 and 4" in said
    assert "bottleneck moved: idle (blocking call)" in said
    assert "longest gap: 2.10 ms -> 500 µs" in said
    assert "one setting changed: config (check on -> check off)" in said
    assert "findings that are gone: the host is late (S2-R2)" in said
    assert "blocking calls (W9)" in said
    assert "warning" not in said
    assert "period 410.0 ms 368.0 ms -42.0 ms -10.2 % 4.1 ms better" in said


def test_a_diff_in_chinese_has_no_sentence_in_english(
    made: Made, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    ran = run("diff", made("host_bound").path, made("pipelined").path)
    said = "".join(line.strip() for line in ran.lines)
    for text in (
        "单步耗时",
        "改善",
        "瓶颈转移",
        "中位迭代",
        "算子",
        "按原因统计的空泡",
        "消失的诊断结论",
    ):
        assert text in said
    for english in ("step:", "noise", "bottleneck", "warning", "Median", "findings"):
        assert english not in said.replace("noise_ns", "")


def test_two_changed_settings_are_warned_about(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    test = stepped(tmp_path / "b", {"computing": [9] * 3}).path
    run("note", base, "--config", "one", "--batch", "8")
    run("note", test, "--config", "two", "--batch", "16")
    said = " ".join(run("diff", base, test).out.split())
    assert "step: 9,000.0 µs -> 9,000.0 µs, 0: no significant change" in said
    assert "warning: 2 settings changed: config, batch; which one did it cannot be told" in said
    [config, batch, *others] = json.loads(
        run("diff", base, test, "--by", "setting", "--format", "json").out
    )
    assert config == {"setting": "config", "base": "one", "test": "two", "changed": True}
    assert batch["test"] == "16"
    assert not any(other["changed"] for other in others)


def test_one_step_tells_nothing(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [9]}).path
    test = stepped(tmp_path / "b", {"computing": [99] * 5}).path
    assert "cannot tell, 1 step" in run("diff", base, test).out


@pytest.mark.parametrize(
    ("by", "question", "given"),
    [
        ("state", "figures", {}),
        ("state,cause", "figures", {"by": "cause"}),
        ("operator", "operators", {}),
        ("gap", "gaps", {}),
        ("fusion", "fusions", {}),
    ],
)
def test_rows_of_one_kind_are_those_of_the_question(
    by: str, question: str, given: dict[str, str], made: Made, run: Run
) -> None:
    base, test = made("transposes"), made("fused_slower")
    ran = run("diff", base.path, test.path, "--by", by, "--format", "json")
    columns = [column.name for column in pair_queries()[question].columns]
    rows = [tuple(row[name] for name in columns) for row in json.loads(ran.out)]
    assert rows == [tuple(row) for row in ask_pair(base, test, question, **given)]
    assert rows


def test_operators_are_narrowed_by_their_beginning_and_joined_by_a_map(
    made: Made, run: Run, tmp_path: Path
) -> None:
    base, test = made("transposes").path, made("fused_slower").path
    mapped = tmp_path / "map.toml"
    mapped.write_text('[operators]\nTransposeCast = ["Transpose", "Cast"]\n')
    ran = run("diff", base, test, "--map", mapped, "--op-prefix", "Transpose", "--by", "operator",
              "--format", "json")  # fmt: skip
    [row] = json.loads(ran.out)
    assert (row["name"], row["presence"], row["verdict"]) == ("TransposeCast", "mapped", "worse")
    said = " ".join(run("diff", base, test, "--map", mapped).out.split())
    assert "warning: TransposeCast takes longer than Cast and Transpose together: +15.0 %" in said
    assert "may stand for" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("operators = 1", "write one table, \\[operators\\]"),
        ("[operators]\nA = 1", "operators.A: is no name and no list of names"),
        ("[operators", "is no TOML"),
        ("operators = " + "9" * 5_000, "a number has too many digits"),
    ],
)
def test_a_file_that_is_no_map_is_refused(text: str, said: str, tmp_path: Path, run: Run) -> None:
    (tmp_path / "map.toml").write_text(text)
    ran = run("diff", "a", "b", "--map", tmp_path / "map.toml")
    assert ran.status == 2
    assert said.replace("\\", "") in ran.err


def test_a_step_that_one_run_does_not_have_is_named(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [9] * 4}).path
    test = stepped(tmp_path / "b", {"computing": [9] * 3}).path
    assert run("diff", base, test, "--step", 3).status == 0
    ran = run("diff", base, test, "--step", 4)
    assert (ran.status, "no step 4" in ran.err) == (2, True)


def test_a_word_that_is_nothing_names_the_baselines(made: Made, run: Run) -> None:
    ran = run("diff", "nothing", made("healthy").path)
    assert (ran.status, "there are no baselines" in ran.err) == (2, True)
    run("baseline", "save", "calm", made("healthy").path)
    assert "baselines are: calm" in run("diff", "nothing", "calm").err


def test_data_that_were_lost_show_in_the_status_of_a_diff(tmp_path: Path, run: Run) -> None:
    damaged = damaged_profile(tmp_path / "damaged")
    whole = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    assert run("diff", whole, damaged).status == 3
    assert run("diff", whole, damaged, "--allow-damaged").status == 0


def test_a_baseline_answers_like_its_profile_and_outlives_it(
    made: Made, run: Run, tmp_path: Path
) -> None:
    store = made("host_bound")
    copy = tmp_path / "copy"
    shutil.copytree(store.path, copy)
    copy.chmod(0o700)
    run("note", copy, "--config", "check on")
    assert run("baseline", "save", "before", copy).status == 0
    shutil.rmtree(copy)
    [kept] = json.loads(run("baseline", "list", "--format", "json").out)
    assert (kept["name"], kept["ranks"], kept["state"]) == ("before", 1, "ready")
    assert kept["bytes"] < 500_000
    test = made("pipelined")
    for by in ("state", "state,cause", "operator", "gap", "fusion"):
        told = [run("diff", base, test.path, "--by", by, "--format", "csv").out
                for base in ("before", store.path)]  # fmt: skip
        assert told[0] == told[1]
        assert len(told[0].splitlines()) > (by != "fusion")
    assert f"config (check on -> {NOT_MEASURED})" in " ".join(
        run("diff", "before", test.path).out.split()
    )
    assert run("baseline", "remove", "before").status == 0
    assert run("baseline", "list").lines[1:] == []
    assert list((tmp_path / "data" / "npuview" / "baselines").iterdir()) == []


def test_a_baseline_is_replaced_only_on_demand(tmp_path: Path, run: Run) -> None:
    first = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    other = stepped(tmp_path / "b", {"computing": [12] * 3}).path
    assert run("baseline", "save", "one", first).status == 0
    ran = run("baseline", "save", "one", other)
    assert (ran.status, "--force replaces it" in ran.err) == (2, True)
    assert "| 9.0 |" in run("baseline", "table", "one").out
    assert run("baseline", "save", "one", other, "--force").status == 0
    assert "| 12.0 |" in run("baseline", "table", "one").out


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", ".hidden", "a" * 65, "x.lock", "x.card.json", "a b", "é"]
)
def test_no_name_leads_out_of_the_directory_of_baselines(name: str, tmp_path: Path) -> None:
    assert not is_name(name)
    with pytest.raises(UsageError, match="names no baseline"):
        baseline_path(tmp_path, name)


def test_a_baseline_of_another_version_says_how_to_save_it_again(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    run("baseline", "save", "old", base)
    manifest = baseline_root() / "old" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f": {SCHEMA_VERSION}", ": 1", 1))
    other = stepped(tmp_path / "b", {"computing": [9] * 3}).path
    for words in (("diff", "old", other), ("check", other, "--against", "old"),
                  ("baseline", "table", "old")):  # fmt: skip
        ran = run(*words)
        assert (ran.status, ran.out) == (1, "")
        assert "save it again with npuview baseline save old" in ran.err
        assert "--force" in ran.err
    [listed] = json.loads(run("baseline", "list", "--format", "json").out)
    assert "schema version 1" in listed["state"]
    with pytest.raises(StoreError, match="save it again"):
        Sides(Source(Path())).opened("old", RunReading("old"))
    assert run("baseline", "save", "old", base, "--force").status == 0
    assert run("diff", "old", other).status == 0


@pytest.mark.parametrize("name", ["../x", "", "a" * 300, "a\x1b[31m", "a\nb", "a\x7fb"])
def test_a_name_that_no_baseline_can_have_is_refused_by_every_command(
    name: str, tmp_path: Path, run: Run
) -> None:
    store = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    for words in (("baseline", "save", name, store), ("baseline", "remove", name)):
        ran = run(*words)
        assert (ran.status, "names no baseline" in ran.err) == (2, True)
    for words in (("diff", name, store), ("check", store, "--against", name)):
        ran = run(*words)
        assert ran.status == 2
        assert "\x1b" not in ran.err
    assert not baseline_root().exists()


def test_a_folder_comes_before_the_baseline_of_its_name_and_this_is_said(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    other = stepped(tmp_path / "b", {"computing": [12] * 3}).path
    run("baseline", "save", "b", base)
    monkeypatch.chdir(tmp_path / "b")
    ran = run("diff", "b", base, "--by", "state", "--format", "csv")
    assert "b is a path here; the baseline of that name is" in ran.err
    assert ran.out == run("diff", other, base, "--by", "state", "--format", "csv").out


def test_questions_of_two_runs_are_listed_and_shown_as_presets_are(run: Run) -> None:
    listed = json.loads(run("presets", "compare", "--format", "json").out)
    assert [row["name"] for row in listed] == [f"compare/{name}" for name in pair_queries()]
    for row in listed:
        sql = pair_queries()[row["name"].removeprefix("compare/")].sql
        assert run("presets", row["name"]).out.strip() == sql.strip()


def test_a_place_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    store = stepped(tmp_path / "a", {"computing": [9] * 3})
    place = tmp_path / "baselines" / "mine"
    place.mkdir(parents=True)
    (place / "letter").write_text("dear")
    with pytest.raises(UsageError, match="is no baseline"):
        save_baseline(store, place, ranks=store.ranks, force=True)
    assert (place / "letter").read_text() == "dear"


def test_a_baseline_holds_no_timeline(made: Made, tmp_path: Path) -> None:
    store = made("healthy")
    save_baseline(store, tmp_path / "b", ranks=store.ranks)
    kept = Store.open(tmp_path / "b")
    [rank] = kept.ranks
    assert rank.verify() == []
    assert {name for name, rows in rank.manifest.tables.items() if rows} <= KEPT
    assert rank.manifest.tables[SLICE.name] == 0
    for name in KEPT:
        assert rank.manifest.tables[name] == store.ranks[0].manifest.tables[name]
    assert set(rank.tables) == set(TABLES)


def test_baselines_lie_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPUVIEW_BASELINE_DIR", "/named")
    assert baseline_root(tmp_path) == tmp_path
    assert baseline_root() == Path("/named")
    monkeypatch.delenv("NPUVIEW_BASELINE_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert baseline_root() == Path("/data/npuview/baselines")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    assert baseline_root() == Path("/home/me/.local/share/npuview/baselines")


def test_the_table_has_config_step_change_and_remark(tmp_path: Path, run: Run) -> None:
    first = stepped(tmp_path / "a", {"computing": [90, 10, 10, 11]}, warm=[1]).path
    other = stepped(tmp_path / "b", {"computing": [12] * 3}, ranks=(0, 1)).path
    run("note", other, "--config", "a|b", "--text", "two ranks", "--profiler-off-ms", "11.5")
    assert run("baseline", "table", first, other).lines == [
        "| config | step ms | change % | remark |",
        "| --- | ---: | ---: | --- |",
        f"| a | 10.0 | {NOT_MEASURED} |  |",
        "| a\\|b | 12.0 | +20.0 | two ranks; 11.5 ms without a profiler |",
    ]
    period = ask_pair(Store.open(first), Store.open(other), "figures")[0]
    assert (period.base_dur, period.test_dur) == (10 * MS, 12 * MS)


def test_what_is_typed_of_a_run_is_no_markup_in_the_table(tmp_path: Path, run: Run) -> None:
    store = stepped(tmp_path, {"computing": [12] * 3}).path
    run("note", store, "--config", "<img src=x> `a|b` [c](d)", "--text", "*e*\x1b[31m")
    assert run("baseline", "table", store).lines[2:] == [
        f"| \\<img src=x> \\`a\\|b\\` \\[c\\](d) | 12.0 | {NOT_MEASURED} | \\*e\\*␛\\[31m |"
    ]


@pytest.mark.shared
def test_real_runs_of_another_device_are_compared_by_what_they_hold(
    shared_data: Path, run: Run
) -> None:
    base, test = (shared_data / "gpu" / f"{name}.json.gz" for name in ("base", "test"))
    ran = run("diff", base, test, "--allow-damaged")
    assert ran.status == 0
    assert "step: " in ran.out
    assert "Traceback" not in ran.err
