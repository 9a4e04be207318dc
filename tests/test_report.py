"""``npuview report``: one file with the figures of the commands, and pictures of the timeline."""

import csv
import io
import re
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from command_line import Run
from hostile_store import store_of

from npuview.tui.words.spoken import LANGUAGES, Language

SVG = "{http://www.w3.org/2000/svg}"


def _pictures(markdown: str) -> dict[str, ET.Element]:
    found = re.findall(r"^\[([\w-]+)\]: data:image/svg\+xml;base64,(\S+)$", markdown, re.MULTILINE)
    return {name: ET.fromstring(b64decode(data)) for name, data in found}  # noqa: S314 our own


def _table(markdown: str, title: str) -> list[list[str]]:
    """Return the cells of the first table below a title, without escapes."""
    lines = markdown.partition(f"### {title}\n")[2].lstrip("\n").splitlines()
    rows: list[list[str]] = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        rows.append([re.sub(r"\\(.)", r"\1", cell).strip().strip("`") for cell in cells])
    return [rows[0], *rows[2:]]


def test_a_report_is_one_file_that_names_its_commands(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.md"
    ran = run("report", sample, "-o", out)
    assert (ran.status, ran.out) == (0, "")
    text = out.read_text("utf-8")
    for command in ("overview", "findings", "top", "gaps", "info"):
        assert f"`npuview {command} {sample}" in text
    assert "http" not in text


def test_the_figures_are_those_of_the_commands(run: Run, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    run("report", sample, "-o", out, "--lang", "en")
    text = out.read_text("utf-8")
    for command, title in (("top", "Top operators"), ("gaps", "Gaps"), ("steps", "Steps")):
        shown = _table(text, title)
        told = run(command, sample, "--limit", "20", "-o", "-").out.splitlines()
        assert len(shown) > 2
        names = told[0].split()
        for row in shown[1:]:
            # A line of the command has the same cells, and a bar beside one of them.
            cells = " ".join(cell for cell in row if cell)
            assert any(_holds(line, cells) for line in told[1:]), (names, cells)


def _holds(line: str, cells: str) -> bool:
    return [one for one in cells.split() if one not in line.split()] == []


def test_the_ledger_is_that_of_the_step_in_the_picture(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.md"
    run("report", sample, "-o", out)
    text = out.read_text("utf-8")
    steps = list(csv.DictReader(io.StringIO(run("steps", sample, "--format", "csv").out)))
    usual = [one for one in steps if one["warmup"] != "true"] or steps
    longest = max(usual, key=lambda one: int(one["dur"]))["step"]
    assert f"Timeline of rank 0, step {longest}," in text
    assert {row[_table(text, "Ledger")[0].index("step")] for row in _table(text, "Ledger")[1:]} == {
        longest
    }


def test_a_report_of_one_step_is_about_that_step(run: Run, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    assert run("report", sample, "--step", "13", "-o", out).status == 0
    text = out.read_text("utf-8")
    assert "Only step 13." in text
    assert "Timeline of rank 0, step 13," in text
    assert run("report", sample, "--step", "999", "-o", out).status == 2


def test_the_picture_of_a_step_has_a_lane_for_each_stream_and_an_axis(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.md"
    run("report", sample, "-o", out)
    pictures = _pictures(out.read_text("utf-8"))
    assert {"steps-0", "timeline", "finding-1"} <= pictures.keys()
    texts = [one.text or "" for one in pictures["timeline"].iter(f"{SVG}text")]
    assert any(text.startswith("s") and " C " in text for text in texts)
    assert "· gaps" in "".join(texts)
    assert "+ms" in texts
    bars = pictures["steps-0"]
    width = float(bars.get("width", "0"))
    for box in bars.iter(f"{SVG}rect"):
        assert float(box.get("x", "0")) + float(box.get("width", "0")) <= width


def test_a_page_is_for_browsers_and_says_the_same(run: Run, sample: Path, tmp_path: Path) -> None:
    text, page = tmp_path / "report.md", tmp_path / "report.html"
    run("report", sample, "-o", text)
    assert run("report", sample, "-o", page).status == 0
    html = page.read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert html.count("<img") == len(_pictures(text.read_text("utf-8")))
    assert "<script" not in html
    for row in _table(text.read_text("utf-8"), "Top operators")[1:]:
        assert row[0] in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_speaks_the_language_that_is_asked_for(
    language: Language, run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.md"
    run("report", sample, "--lang", language, "-o", out)
    title = {"en": "## Where the time goes", "zh": "## 时间去向"}[language]
    assert title in out.read_text("utf-8")


def test_a_name_of_another_kind_is_refused(run: Run, sample: Path, tmp_path: Path) -> None:
    ran = run("report", sample, "-o", tmp_path / "report.pdf")
    assert ran.status == 2
    assert "OUT.md or OUT.html" in ran.err
    assert not (tmp_path / "report.pdf").exists()


def test_a_report_can_go_to_standard_output(run: Run, sample: Path) -> None:
    ran = run("report", sample, "-o", "-")
    assert ran.out.startswith("# npuview report: ")


@pytest.mark.parametrize("suffix", ["md", "html"])
@pytest.mark.parametrize("words", [True, False], ids=["its words true", "all hostile"])
def test_hostile_text_of_a_store_is_in_a_report_as_text(
    suffix: str, words: bool, run: Run, tmp_path: Path
) -> None:
    out = tmp_path / f"report.{suffix}"
    ran = run("report", store_of(tmp_path / "hostile", words=words), "-o", out)
    assert ran.status in {0, 3}, ran.err
    assert "internal error" not in ran.err
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ue000]", out.read_text("utf-8"))


def test_a_trace_without_a_device_or_steps_has_a_report(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]')
    out = tmp_path / "report.html"
    assert run("report", trace, "-o", out).status == 0
    assert "No device was recorded" in out.read_text("utf-8")


@pytest.mark.shared
@pytest.mark.parametrize("suffix", ["md", "html"])
def test_the_report_of_a_real_step_says_what_its_worked_example_says(
    suffix: str, run: Run, shared_data: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"report.{suffix}"
    profile = shared_data / "torch_npu" / "level1" / "rank0_ascend_pt"
    assert run("report", profile, "-o", out, "--lang", "en").status == 0
    text = out.read_text("utf-8")
    for figure in ("98.0 ms", "62.8 %", "44.3 ms", "28.4 %", "rank 5", "93.5 ms", "64.5 ms"):
        assert figure in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_never_scrolls_sideways_and_can_be_printed(
    language: Language, run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    run("report", sample, "-o", out, "--lang", language)
    page = out.read_text("utf-8")
    # What is wide scrolls in a box of its own.
    assert page.count("<table>") == page.count('<div class="table"><table>') > 5
    assert ".table { overflow-x: auto;" in page
    assert "@media print" in page
    # Long names of columns may be broken, and runs of blanks, which a page closes up, part nothing.
    assert "communication_<wbr>not_<wbr>overlapped" in page
    assert not re.search(r">[^<]*\w   +\w", page.partition("<body>")[2])


def test_titles_of_a_chinese_report_are_chinese(run: Run, sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    run("report", sample, "-o", out, "--lang", "zh")
    titles = re.findall("^##+ (.*)$", out.read_text("utf-8"), re.MULTILINE)
    assert len(titles) > 10
    assert all(re.search("[\u4e00-\u9fff]", title) for title in titles), titles
    assert not any(": " in title for title in titles)
