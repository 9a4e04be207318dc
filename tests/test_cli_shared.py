"""The command line on real profiles of several profilers and generations."""

import json
from collections import Counter
from pathlib import Path

import pytest

from npuview.tui.cli import main

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("torch_npu/level0", {0}),
        ("torch_npu/level2/rank1_ascend_pt", {0}),
        ("torch_npu_edited_rank0", {3}),
        ("msprof_2023", {0}),
        ("mindspore", {0}),
        ("chrome/simple_trace_zip.zip", {3}),
        ("cluster", {2}),
    ],
)
def test_every_kind_of_profile_has_an_overview_or_a_clear_refusal(
    name: str,
    statuses: set[int],
    shared_data: Path,
    cache: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in (["overview"], ["info"]):
        status = main([*command, str(shared_data / name), "--cache-dir", str(cache)])
        captured = capsys.readouterr()
        assert status in statuses
        assert "internal error" not in captured.err
        assert bool(captured.out) == (status != 2)


def test_the_ledger_of_a_real_step_is_the_worked_example(
    shared_data: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = shared_data / "torch_npu" / "level1" / "rank0_ascend_pt"
    assert main(["ledger", str(profile), "--cache-dir", str(cache), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert sum(row["dur"] for row in rows) == rows[0]["period"] == 155_985_800
    spent: Counter[str] = Counter()
    for row in rows:
        spent[row["state"]] += row["dur"]
    assert spent["waiting_peer"] == 97_951_286
    assert spent["transferring"] == 3_935_920
    assert spent["idle"] == 44_287_782
    assert main(["overview", str(profile), "--cache-dir", str(cache)]) == 0
    overview = capsys.readouterr().out
    assert "WAIT        98.0 ms   62.8 %" in overview
    said = " ".join(overview.split())
    assert "rank 5 (not in this data) 93.5 ms, last in 4 of 4" in said
    assert "at least 7 ranks not in this data" in said
    assert "framework 18.9 ms" in said
    assert "launch 5.75 ms" in said
    assert "profiler spacing 4.08 ms, inferred" in said
    assert "103 gaps, longest 3.20 ms" in said


def test_collectives_without_plane_tasks_are_neither_waiting_nor_moving(
    shared_data: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = str(shared_data / "torch_npu" / "level0" / "rank0_ascend_pt")
    words = ["overview", profile, "--cache-dir", str(cache)]
    assert main([*words, "--format", "json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    parts = ("computing", "mc2", "aicpu", "waiting", "moving", "collective_unsplit", "idle")
    assert sum(row[part] or 0 for part in parts) == row["period"]
    assert (row["transferring"], row["waiting_peer"]) == (None, None)
    assert main(words) == 0
    overview = " ".join(capsys.readouterr().out.split())
    assert "COLLECTIVE 81.5 ms 59.5 %" in overview
    assert "collected without plane tasks; Level1 splits them" in overview
    assert "peers, stages not collected" in overview
    # Collectives are no operators.
    _, _, operators = overview.partition("Operators")
    assert "hcom_" not in operators.partition("── Gaps")[0]
