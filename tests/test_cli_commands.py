"""The commands on a made-up profile: what they print, where, and with which status."""

import gzip
import json
import os
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from build import torch_profile
from command_line import Run, damaged_profile
from made_up import Place

from npuview.ingest.pipeline import open_store
from npuview.queries.catalog import shipped_queries
from npuview.tui.commands.questions import LISTINGS
from npuview.tui.draw.numbers import NOT_MEASURED


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return a damaged profile with its store, which tests only read."""
    folder = tmp_path_factory.mktemp("damaged")
    place = Place(folder, damaged_profile(folder))
    place.store.close()
    return place


@pytest.fixture
def damaged(run: Run, ingested: Place, tmp_path: Path) -> Path:
    """Return the damaged profile; its store is among those that commands find."""
    del run
    shutil.copytree(ingested.cache, tmp_path / "stores", dirs_exist_ok=True, copy_function=os.link)
    return ingested.profile


def test_a_path_alone_is_the_app_which_needs_a_terminal(run: Run, sample: Path) -> None:
    ran = run(sample)
    assert (ran.status, ran.out) == (2, "")
    assert "the app needs a terminal, and standard input is none" in ran.err
    assert "npuview overview PATH" in ran.err


@pytest.mark.parametrize("command", ["ingest", "top", "steps", "info", "overview"])
def test_lost_data_is_status_3_and_counted_on_standard_error(
    command: str, run: Run, damaged: Path
) -> None:
    words = [command, damaged]
    ran = run(*words)
    assert ran.status == 3
    assert ran.out != ""
    assert re.search(r"was not complete: 1 (data_loss|error)", ran.err)
    allowed = run(*words, "--allow-damaged")
    assert allowed.status == 0
    assert "was not complete" in allowed.err


def test_a_timeline_that_is_cut_off_is_to_be_exported_again(run: Run, tmp_path: Path) -> None:
    profile = torch_profile(tmp_path, rank=0)
    profile.trace.kernel("Add", ts=1_000, dur=500, stream=2)
    profile.trace.step(1, ts=0, dur=10_000)
    path = profile.write()
    [trace] = path.rglob("trace_view.json")
    whole = trace.read_bytes()
    trace.write_bytes(whole[: whole.rindex(b"}")])
    ran = run("info", path)
    assert ran.status == 3
    assert re.search(
        r"  the timeline is cut off at byte [\d,]+: export the profile again\n", ran.out
    )
    assert "no memory samples\n  to collect it: profile_memory=True\n" in ran.out
    rows = json.loads(run("info", path, "--format", "json").out)
    remedies = {row["name"]: row["remedy"] for row in rows if row["kind"] == "missing"}
    assert "export the profile again" in remedies["cann"]


def test_info_tells_the_run_what_is_held_and_what_slows_it(run: Run, sample: Path) -> None:
    ran = run("info", sample)
    facts = dict(re.findall(r"^(\w[\w ]+?) {2,}(.*)$", ran.out, re.MULTILINE))
    assert facts["rank"] == "0 of 8"
    assert facts["level"] == "Level2"
    assert facts["producer"].startswith("torch_npu")
    assert facts["overhead"].startswith("host times are inflated by with_stack")
    assert "steps 4" in facts["holds"]
    assert "device tasks joined to their launch" in " ".join(ran.out.split())
    assert "1 of 8 ranks are in this data" in ran.out


def test_info_gives_the_line_that_collects_what_is_missing(run: Run, damaged: Path) -> None:
    ran = run("info", damaged)
    assert "no memory samples\n  to collect it: profile_memory=True\n" in ran.out
    rows = json.loads(run("info", damaged, "--format", "json").out)
    remedies = {row["name"]: row["remedy"] for row in rows if row["kind"] == "missing"}
    assert remedies["memory"] == "to collect it: profile_memory=True"
    assert [row["severity"] for row in rows if row["kind"] == "import"] != []


def test_export_writes_a_step_and_says_what_it_wrote(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    file = tmp_path / "step.json"
    ran = run("export", sample, "--step", 13, "-o", file)
    assert (ran.status, ran.out) == (0, "")
    events = json.loads(file.read_bytes())["traceEvents"]
    slices = sum(event["ph"] == "X" for event in events)
    assert f"{slices:,} slices" in ran.err
    again = run("export", sample, "--step", 13, "-o", file)
    assert again.status == 2
    assert "--force" in again.err
    assert run("export", sample, "--step", 13, "-o", file, "--force").status == 0


def test_export_takes_a_window_on_some_lanes(run: Run, sample: Path, tmp_path: Path) -> None:
    file = tmp_path / "window.json.gz"
    ran = run(
        *("export", sample, "--from", "100ms", "--to", "101ms"),
        *("--lanes", "Ascend Hardware", "-o", file),
    )
    assert ran.status == 0
    names = {
        event["args"]["name"]
        for event in json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]
        if event["name"] == "process_name"
    }
    assert len(names) == 1


@pytest.mark.parametrize(
    "words", [[], ["--step", 13, "--all"], ["--from", "1ms", "--slice", 1], ["--all", "-o", "-"]]
)
def test_export_needs_one_scope_and_a_file(
    words: list[object], run: Run, sample: Path, tmp_path: Path
) -> None:
    assert run("export", sample, "-o", tmp_path / "out.json", *words).status == 2
    assert list(tmp_path.glob("*.json")) == []


def test_a_store_itself_can_be_opened(run: Run, sample: Path, places: Path) -> None:
    with closing(open_store(sample, cache_dir=places / "cache").store) as store:
        assert run("steps", store.path).out == run("steps", sample).out


def test_the_demo_needs_a_terminal_and_writes_nothing_before_it_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran = run("demo", "--scenario", "pipelined")
    assert (ran.status, ran.out) == (2, "")
    assert "the app needs a terminal" in ran.err
    assert list(tmp_path.glob("npuview-demo-*")) == []


def test_an_unknown_scenario_names_those_there(run: Run) -> None:
    ran = run("demo", "--scenario", "rainy")
    assert ran.status == 2
    assert "host_bound" in ran.err


def test_ascii_output_is_ascii(run: Run, sample: Path) -> None:
    for command in (["overview"], ["top"], ["gaps"]):
        assert run(*command, sample, "--ascii").out.isascii()


def test_what_is_not_known_is_a_dash_and_never_zero(run: Run, damaged: Path) -> None:
    ran = run("top", damaged, "--allow-damaged")
    assert ran.lines[1].split()[-1] == NOT_MEASURED


def test_a_users_own_question_stands_for_npuviews_and_is_marked(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "config" / "npuview" / "presets"
    folder.mkdir(parents=True)
    own = shipped_queries()["ledger"].sql.replace("WHERE (", "WHERE state = 'idle' AND (")
    (folder / "ledger.sql").write_text(own)
    ran = run("ledger", sample, "--format", "json")
    assert {row["state"] for row in json.loads(ran.out)} == {"idle"}
    assert ran.err == "npuview: ledger is your own preset, in place of npuview's\n"


def test_names_in_a_profile_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    profile = torch_profile(tmp_path, rank=0)
    name = "Mat\x1b]0;owned\x07Mul\u202e\x9b31m\r"
    for at in range(3):
        profile.trace.kernel(name, ts=1_000 * at, dur=500, stream=2)
    profile.trace.step(1, ts=0, dur=10_000)
    path = profile.write()
    for command in (["overview"], ["info"], *([name] for name in LISTINGS)):
        ran = run(*command, path, "--allow-damaged")
        shown = ran.out + ran.err
        assert not [sign for sign in shown if sign != "\n" and not sign.isprintable()]
    assert "Mat␛]0;owned␇Mul⟨U+202E⟩⟨U+009B⟩31m␍" in run("top", path, "--allow-damaged").out
