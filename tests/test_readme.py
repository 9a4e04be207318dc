"""The README tells the truth: its commands exist, all of them, in both languages."""

import re
import shlex
from pathlib import Path

import click
import pytest

from npuview.queries.catalog import shipped_queries
from npuview.tui.cli import COMMANDS, load
from npuview.tui.commands.questions import LISTINGS

PROJECT = Path(__file__).resolve().parents[1]
READMES = ("README.md", "README.zh-CN.md")
SPAN = re.compile(r"`npuview ([^`]+)`")
FENCE = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^npuview (.+?)(?:\s{2,}.*)?$", re.MULTILINE)


def commands(name: str) -> list[list[str]]:
    """Return the npuview calls of a README as words, without the program's name."""
    text = (PROJECT / name).read_text("utf-8")
    lines = [call for block in FENCE.findall(text) for call in LINE.findall(block)]
    return [shlex.split(call) for call in (*lines, *SPAN.findall(text))]


@pytest.mark.parametrize("name", READMES)
def test_every_command_is_shown_and_exists(name: str) -> None:
    used = {words[0] for words in commands(name)} - {"./prof_data"}
    # The demo is what `make demo` runs.
    assert used | {"demo"} == set(COMMANDS)


@pytest.mark.parametrize("name", READMES)
def test_every_option_shown_is_one_of_its_command(name: str) -> None:
    for words in commands(name):
        if words[0] not in COMMANDS:
            continue
        known = {
            option
            for parameter in load(words[0]).params
            if isinstance(parameter, click.Option)
            for option in parameter.opts
        }
        used = {word for word in words[1:] if word.startswith("-")}
        assert used <= known, words


def test_both_languages_show_the_same_calls() -> None:
    assert commands(READMES[0]) == commands(READMES[1])


@pytest.mark.parametrize("name", READMES)
def test_every_preset_shown_is_one_and_has_no_command(name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    shown = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert shown == [
        "peers", "chain", "host_api", "stalls", "reconciliation", "vendor_slow_rank",
        "wait_roots", "blocking_calls", "stream_pairs", "copy_calls", "layout_operators",
        "operator_spread", "operator_check", "block_counts", "frequency_drops", "rank_clocks",
    ]  # fmt: skip
    assert set(shown) <= set(shipped_queries()) - {one.query for one in LISTINGS.values()}


@pytest.mark.parametrize("name", ["overview", "info", "sql", *LISTINGS])
def test_every_question_takes_what_the_readme_says(name: str) -> None:
    known = {option for one in load(name).params for option in one.opts}
    assert {"--rank", "--format", "-o"} <= known


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    for target in ("demo", "test"):
        assert f"make {target} " in (PROJECT / "README.md").read_text("utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("name", READMES)
def test_the_pictures_are_there_and_load_nothing(name: str) -> None:
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", (PROJECT / name).read_text("utf-8"))
    assert shown[0] == "screenshots/overview.svg"
    for picture in shown:
        links = re.findall(r"\bhttps?://[^\s\"<]+", (PROJECT / picture).read_text("utf-8"))
        assert set(links) <= {"http://www.w3.org/2000/svg", "https://www.textualize.io"}
