"""The overview as a command: what it says, at every width and for programs."""

import json
import re
from pathlib import Path

import pytest
from command_line import Run
from rich.cells import cell_len

from npuview.queries.catalog import shipped_queries
from npuview.queries.rows import TopRow
from npuview.queries.session import Session
from npuview.tui.commands.overview import gather
from npuview.tui.draw import numbers
from npuview.tui.text.finding_text import PLACE_CELL_NS


def test_the_overview_is_what_the_boxes_say(run: Run, sample: Path) -> None:
    ran = run("overview", sample)
    assert ran.status == 0
    assert "rank 0 of 8 (7 not in this data)" in ran.lines[0]
    assert [line.split()[0] for line in ran.lines if re.match("[A-Z]{4,}", line)] == [
        "COMPUTE",
        "WAIT",
        "IDLE",
        "MOVE",
    ]
    assert ran.err == ""


def test_the_overview_of_one_step_is_of_that_step(run: Run, sample: Path) -> None:
    ran = run("overview", sample, "--step", 13)
    assert "step 13   410 ms" in ran.out
    assert "Steps  " not in ran.out


def test_places_of_findings_count_from_the_start_of_their_step_as_those_of_gaps_do(
    run: Run, sample: Path
) -> None:
    told = run("overview", sample, "--step", 13).out
    [step] = json.loads(run("overview", sample, "--step", 13, "--format", "json").out)
    findings = json.loads(run("findings", sample, "--step", 13, "--format", "json").out)
    first = next(one for one in findings if one["ns"] is not None and one["ts"] is not None)
    steps = json.loads(run("steps", sample, "--format", "json").out)
    assert step["ts"] > min(one["ts"] for one in steps)
    place = numbers.place(first["ts"] - step["ts"], PLACE_CELL_NS, numbers.MILLISECONDS)
    assert f"step 13 · {place}" in told


def test_the_overview_gives_rows_to_programs(run: Run, sample: Path, tmp_path: Path) -> None:
    wanted = run("sql", sample, "--preset", "overview", "--format", "json").out
    assert run("overview", sample, "--format", "json") == (0, wanted, "")
    file = tmp_path / "overview.json"
    assert run("overview", "-o", file, sample) == (0, "", "")
    assert file.read_text() == wanted
    [step] = json.loads(run("overview", sample, "--step", 13, "--format", "json").out)
    assert step["step"] == 13
    assert run("overview", sample, "--step", 99, "--format", "json").status == 2
    assert run("overview", sample, "-o", tmp_path / "overview.txt").status == 0
    assert "COMPUTE" in (tmp_path / "overview.txt").read_text()


def test_the_operators_of_the_overview_are_no_collectives(session: Session) -> None:
    top = session.run(shipped_queries()["top"]).as_(TopRow)
    first = [one.name for one in top if one.kernel_share is not None][:5]
    assert any(one.kernel_share is None for one in top)
    assert [one.name for one in gather(session).operators] == first


@pytest.mark.parametrize("width", [40, 80, 100, 160, 250])
def test_the_overview_fits_the_terminal(
    width: int, run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = run("overview", sample)
    assert ran.status == 0
    assert max(map(cell_len, ran.lines)) == width
