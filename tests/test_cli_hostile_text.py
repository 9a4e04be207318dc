"""No command lets text of a profile steer the terminal, whatever column it comes from."""

import re
from pathlib import Path

import pytest
from command_line import Run
from hostile_store import BAD, FIGURES, store_of

from npuview.queries.rows import HealthRow, ProfilesRow
from npuview.tui.commands.questions import LISTINGS
from npuview.tui.text.destination import Destination
from npuview.tui.text.info_text import Collected, Holding, info_lines
from npuview.tui.text.output import write_lines
from npuview.tui.text.terminal import Terminal
from npuview.tui.user.run_card import RunCard

STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ue000]")

COMMANDS = [
    ("overview",),
    ("info",),
    *((name,) for name in LISTINGS),
    *(("sql", f'SELECT * FROM "{name}"') for name in FIGURES),
    *(("sql", "--preset", name) for name in ("health", "profiles", "overview", "tracks")),
]


@pytest.fixture(scope="module", params=[True, False], ids=["its words true", "all hostile"])
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store_of(tmp_path_factory.mktemp("hostile"), words=request.param)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_hands_on_what_steers_a_terminal(
    words: tuple[str, ...], run: Run, hostile: Path
) -> None:
    command, *rest = (*words, "") if words else ("", "")
    ran = run(*filter(None, [command, hostile, *rest]))
    assert ran.status in {0, 1, 2, 3}, ran.err
    assert "internal error" not in ran.err
    for text in (ran.out, ran.err):
        assert not STEERS.search(text), STEERS.search(text)
    if words == ("info",):
        assert "import_stat_severity␛[31m␛]0;title␇⟨U+009B⟩8m⟨U+202E⟩" in ran.out


def test_on_a_terminal_only_our_own_colours_are_left() -> None:
    terminal = Terminal(color=True)
    drawn = f"{terminal.paint(terminal.text(BAD), 'cyan', bold=True)} {BAD}"
    assert terminal.line(terminal.paint("a", "cyan")) == "\x1b[36ma\x1b[0m"
    # Only a sequence that paint makes itself could pass, so drawn text is cleaned before.
    assert not STEERS.search(re.sub(r"\x1b\[(?:36|31|1|0)m", "", terminal.line(drawn)))
    assert terminal.text(BAD).startswith("␛[31m␛]0;title␇")


def test_what_info_noticed_is_clean_before_it_is_coloured_or_cut() -> None:
    fields = dict.fromkeys(HealthRow._fields)
    noticed = HealthRow(**fields | {"rank": 0, "kind": "found", "name": BAD, "severity": BAD})  # pyright: ignore[reportArgumentType] the rest is not read
    profile = ProfilesRow(
        **dict.fromkeys(ProfilesRow._fields)  # pyright: ignore[reportArgumentType] nor is it here
        | {"rank": 0, "name": BAD, "path": BAD, "producer": BAD, "rank_known": True}
    )
    held = {0: Holding({}, 0)}
    lines = info_lines(
        [profile],
        held,
        [noticed],
        Collected([], [], None, [], RunCard(None, BAD)),
        Terminal(80, color=True),
    )
    assert not any(STEERS.search(line) for line in lines)


def test_lines_to_a_file_are_cleaned_whoever_drew_them(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    write_lines([BAD, "\x1b[1mbold\x1b[0m"], Destination(file=file))
    assert not STEERS.search(file.read_text())
