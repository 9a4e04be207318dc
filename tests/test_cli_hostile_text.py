"""No command lets text of a profile steer the terminal, whatever column it comes from."""

import re
from pathlib import Path

import pytest
from command_line import Run
from store_build import StoreBuilder

from npuview.ingest.schema import TABLES
from npuview.queries.rows import HealthRow, ProfilesRow
from npuview.tui.commands.questions import LISTINGS
from npuview.tui.info_text import Holding, info_lines
from npuview.tui.output import Destination, write_lines
from npuview.tui.terminal import Terminal

BAD = "\x1b[31m\x1b]0;title\x07\x9b8m\u202e\u200b\x0d\x08\ue000"
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ue000]")

FIGURES = {
    "profile": {"ts": 0, "dur": 9_000, "rank_known": True, "device_id": 0, "world_size": 2},
    "track": {"track_id": 1, "stream_id": 2, "device_id": 0, "sort_order": 1},
    "slice": {"slice_id": 1, "track_id": 1, "ts": 10, "dur": 500, "step": 1, "stream_id": 2},
    "step": {"step": 1, "ts": 0, "dur": 9_000, "device_ts": 10, "device_dur": 800},
    "ledger": {"step": 1, "dur": 9_000},
    "kernel": {"kernel_id": 1, "slice_id": 1, "step": 1, "ts": 10, "dur": 500},
    "gap": {"gap_id": 1, "device_id": 0, "step": 1, "ts": 510, "dur": 300, "prev_slice_id": 1},
    "collective": {"collective_id": 1, "slice_id": 1, "step": 1, "ts": 10, "dur": 500},
    "operator_total": {"step": 1, "count": 1, "total": 500, "min": 500, "max": 500},
    "import_stat": {"count": 2, "first_offset": 7},
}
JSON = {"versions": '{"cann": "BAD"}', "switches": '{"_with_stack": "BAD"}'}
WORDS = {
    "kind": "stream",
    "class": "compute",
    "state": "idle",
    "clock": "boot",
    "producer": "torch_npu",
    "phase": "X",
}
"""Words that decide which question a row answers to."""

KINDS = {"gap": "device", "step": "train"}

COMMANDS = [
    (),
    ("info",),
    *((name,) for name in LISTINGS),
    *(("sql", f'SELECT * FROM "{name}"') for name in FIGURES),
    *(("sql", "--preset", name) for name in ("health", "profiles", "overview", "tracks")),
]


def store_of(folder: Path, *, words: bool) -> Path:
    """Write a store with hostile text in every column of text, or in all but its words."""
    builder = StoreBuilder(folder).rank(0)
    for name, figures in FIGURES.items():
        row: dict[str, str | int] = {}
        for column in TABLES[name].columns:
            if column.type == "VARCHAR":
                row[column.name] = f"{name}_{column.name}{BAD}"
                if column.name in JSON:
                    row[column.name] = JSON[column.name].replace("BAD", r"bad\u001b[31m\u202e")
                elif words and column.name in WORDS:
                    row[column.name] = KINDS.get(name, WORDS[column.name])
        known = {key: value for key, value in figures.items() if key in TABLES[name].column_names}
        builder.add(name, **row, **known)
    return builder.build().path


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
    lines = info_lines([profile], held, [noticed], 1, Terminal(80, color=True))
    assert not any(STEERS.search(line) for line in lines)


def test_lines_to_a_file_are_cleaned_whoever_drew_them(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    write_lines([BAD, "\x1b[1mbold\x1b[0m"], Destination(file=file))
    assert not STEERS.search(file.read_text())
