"""The command line on real profiles of several profilers and generations."""

import json
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
    for command in ([], ["info"]):
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
    spent = {row["state"]: row["dur"] for row in rows}
    assert spent["waiting_peer"] == 97_951_286
    assert spent["transferring"] == 3_935_920
    assert spent["idle"] == 44_287_782
    assert main([str(profile), "--cache-dir", str(cache)]) == 0
    overview = capsys.readouterr().out
    assert "WAIT      98.0 ms   62.8 %" in overview
    assert "peer 5 last in 4 of 4 collectives" in overview
