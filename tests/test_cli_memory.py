"""``npuview memory`` as a command."""

import json
from pathlib import Path

import pytest
from build import torch_profile
from command_line import Run

from npuview.tui.commands.memory import LISTINGS


@pytest.mark.parametrize("by", [name for name in LISTINGS if name != "call"])
def test_every_way_to_list_memory_has_rows_of_the_sample(by: str, run: Run, sample: Path) -> None:
    ran = run("memory", sample, "--by", by, "--limit", "3")
    assert ran.status == 0
    assert len(ran.lines) > 1
    rows = json.loads(run("memory", sample, "--by", by, "--format", "json").out)
    assert rows


def test_at_a_place_holders_are_listed_and_sum_to_the_level(run: Run, sample: Path) -> None:
    rows = json.loads(run("memory", sample, "--at", "100ms", "--format", "json").out)
    of_torch = [row for row in rows if row["component"] == "PTA"]
    assert sum(row["held_bytes"] for row in of_torch) == of_torch[0]["level_bytes"]
    assert len({row["at_ts"] for row in rows}) == 1


def test_a_place_is_for_who_holds_memory_then(run: Run, sample: Path) -> None:
    ran = run("memory", sample, "--by", "step", "--at", "1ms")
    assert ran.status == 2
    assert "--by operator" in ran.err


@pytest.mark.parametrize("words", [("memory",), ("memory", "--by", "time"), ("gaps",), ("waits",)])
def test_a_profile_in_which_nothing_has_a_time_has_no_rows_and_is_no_wrong_usage(
    words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "names.json"
    file.write_text('[{"ph":"M","name":"process_name","pid":1,"args":{"name":"x"}}]')
    ran = run(words[0], file, *words[1:])
    assert ran.status == 0
    assert "no rows" in ran.err


def test_without_memory_samples_the_switch_that_collects_them_is_named(
    run: Run, tmp_path: Path
) -> None:
    profile = torch_profile(tmp_path)
    profile.trace.kernel("Add", ts=1_000, dur=500)
    ran = run("memory", profile.write())
    assert ran.status == 0
    assert "memory was not collected" in ran.err
    assert "profile_memory=True" in ran.err
