"""Settings: which of them wins, what is refused, and how the command shows them."""

import csv
import io
import re
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from command_line import Run
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES

from npuview.ingest.errors import UsageError
from npuview.tui.keyboard.actions import ACTIONS
from npuview.tui.user.config import (
    COMMAND_LINE,
    DEFAULT,
    DEFINITIONS,
    Config,
    Setting,
    config_path,
    load_config,
    variable_of,
)

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def load(file: Path, text: str = "", **variables: str) -> Config:
    file.write_text(text, "utf-8")
    return load_config({}, {"NPUVIEW_CONFIG": str(file), **variables})


def setting(config: Config, name: str) -> Setting:
    [found] = [one for one in config.settings if one.name == name]
    return found


def refusal(file: Path, text: str, **variables: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(file, text, **variables)
    return str(caught.value)


def test_without_a_file_the_defaults_are_in_force(tmp_path: Path) -> None:
    config = load_config({}, {"XDG_CONFIG_HOME": str(tmp_path)})
    assert (config.mouse, config.glyphs, config.gap_threshold) == (True, "auto", 100_000)
    assert config.keymap == {}
    assert {one.source for one in config.settings} == {DEFAULT}


def test_every_default_is_a_value_that_a_setting_can_have(file: Path) -> None:
    for name, definition in DEFINITIONS.items():
        value = str(definition.default).lower()
        assert setting(load(file, **{variable_of(name): value}), name).source != DEFAULT


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(
    file: Path,
) -> None:
    text = 'glyphs = "ascii"\ncolor = "16"\ntheme = "light"\n'
    file.write_text(text, "utf-8")
    environ = {"NPUVIEW_CONFIG": str(file), "NPUVIEW_GLYPHS": "blocks", "NPUVIEW_COLOR": "256"}
    config = load_config({"glyphs": "unicode"}, environ)
    assert [setting(config, name) for name in ("glyphs", "color", "theme", "mouse")] == [
        ("glyphs", "unicode", COMMAND_LINE),
        ("color", "256", "$NPUVIEW_COLOR"),
        ("theme", "light", f"{file}:3"),
        ("mouse", True, DEFAULT),
    ]
    assert (config.glyphs, config.color, config.theme) == ("unicode", "256", "light")


@pytest.mark.parametrize(
    ("word", "value"), [("yes", True), ("1", True), ("TRUE", True), ("off", False), ("0", False)]
)
def test_the_environment_takes_words_for_yes_and_no(file: Path, word: str, value: bool) -> None:
    assert load(file, NPUVIEW_MOUSE=word).mouse is value


def test_an_empty_variable_is_none(file: Path) -> None:
    assert load(file, "mouse = false", NPUVIEW_MOUSE="").mouse is False


def test_a_number_of_colours_may_be_a_number(file: Path) -> None:
    assert load(file, "color = 256").color == "256"


def test_low_bandwidth_is_yes_or_no_or_left_to_us(file: Path) -> None:
    assert load(file).low_bandwidth == "auto"
    assert load(file, "low_bandwidth = true").low_bandwidth is True
    assert load(file, 'low_bandwidth = "auto"', NPUVIEW_LOW_BANDWIDTH="no").low_bandwidth is False


def test_the_gap_threshold_is_read_as_every_other_length(file: Path) -> None:
    assert load(file, 'gap_threshold = "1.5ms"').gap_threshold == 1_500_000


@pytest.mark.parametrize(
    ("text", "bytes_"),
    [("auto", "auto"), ("none", None), ("50GB", 50 * 10**9), ("8 mb", 8_000_000), ("0MB", 0)],
)
def test_the_room_for_stores_is_a_size_or_a_word(
    file: Path, text: str, bytes_: int | str | None
) -> None:
    assert load(file, f'cache_budget = "{text}"').cache_budget == bytes_


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('cache_budget = "much"', ":1: cache_budget: 'much' is no size"),
        ("cache_budget = 5", ":1: cache_budget: '5' is no size"),
        ("cache_budget = true", ':1: cache_budget: true is no text; write a size such as "50GB"'),
        ("\nmouze = true", r":2: mouze: no such setting; did you mean mouse\?"),
        ("xyzzy = 1", ":1: xyzzy: no such setting; npuview config show lists"),
        ("mouse = 5", ":1: mouse: 5 is none of true, false"),
        ('mouse = "yes"', ":1: mouse: 'yes' is none of true, false"),
        ('# a\n# b\nglyphs = "acsii"', r":3: glyphs: .* did you mean ascii\?"),
        ("color = true", ":1: color: true is none of"),
        ('gap_threshold = "soon"', ":1: gap_threshold: 'soon' is no length of time"),
        ("gap_threshold = []", r":1: gap_threshold: \[\] is no text"),
        ('[keys]\npreset = "azery"', r":2: keys.preset: .* did you mean azerty\?"),
        (
            '[keys]\n"timeline.zoomin" = "i"',
            r":2: keys.timeline.zoomin: .* did you mean keys.timeline.zoom_in\?",
        ),
        ('[keys]\n"timeline.zoom_in" = "plsu"', r":2: .*no key 'plsu'; did you mean plus\?"),
        ("[keys.timeline]\nzoom_in = 3", ":2: keys.timeline.zoom_in: 3 are no keys"),
        ("mouse = true\nmouse =", ":2: is no TOML: Invalid value"),
        ("mouse = true\n\nmouse = false\n", ":3: is no TOML: Cannot overwrite"),
        ('theme = """', ":1: is no TOML"),
        ("a=" + "[" * 5_000, "nested too deeply"),
        ("a=" + "9" * 5_000, "a number has too many digits"),
        ("#" * (1 << 20) + "\n", "larger than 1,048,576 bytes"),
    ],
)
def test_what_is_wrong_in_the_file_is_refused_with_its_line(
    file: Path, text: str, message: str
) -> None:
    assert re.match(re.escape(str(file)) + ".*" + message, refusal(file, text))


def test_what_is_wrong_in_the_environment_is_refused_with_its_variable(file: Path) -> None:
    said = refusal(file, "", NPUVIEW_THEME="drak")
    assert said.startswith("$NPUVIEW_THEME: theme: 'drak' is none of")


def test_a_file_that_is_not_utf_8_is_refused_with_its_line(file: Path) -> None:
    file.write_bytes(b"mouse = true\n# \xff\n")
    with pytest.raises(UsageError, match=r"config\.toml:2: is not UTF-8"):
        load_config({}, {"NPUVIEW_CONFIG": str(file)})


def test_a_directory_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_config({}, {"NPUVIEW_CONFIG": str(tmp_path)})


@given(st.binary() | st.text().map(str.encode))
def test_any_file_is_read_or_refused(content: bytes) -> None:
    said = ""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "config.toml"
        file.write_bytes(content)
        try:
            load_config({}, {"NPUVIEW_CONFIG": str(file)})
        except UsageError as error:
            said = str(error)
    assert not said or said.startswith(str(file))


def test_keys_of_the_file_come_on_top_of_the_preset(file: Path) -> None:
    config = load(file, '[keys]\npreset = "azerty"\ntimeline.zoom_in = "i,+"\n')
    assert config.keymap["timeline.zoom_in"] == "i,plus"
    assert config.keymap["timeline.pan_left"].startswith("q,")
    assert setting(config, "keys.timeline.zoom_in") == (
        "keys.timeline.zoom_in",
        "i,plus",
        f"{file}:3",
    )


def test_two_actions_on_one_key_are_refused_with_the_line_of_the_changed_one(file: Path) -> None:
    said = refusal(file, 'mouse = true\n[keys]\n"timeline.zoom_in" = "s"\n')
    assert said.startswith(f"{file}:3: the key s would be both timeline.zoom_in and timeline.zoom")


def test_the_file_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config_path({"NPUVIEW_CONFIG": "/a/b"}) == Path("/a/b")
    assert config_path({"XDG_CONFIG_HOME": "/x"}) == Path("/x/npuview/config.toml")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert config_path({}) == Path("/home/somebody/.config/npuview/config.toml")


def test_every_theme_is_one_of_textual() -> None:
    for theme in DEFINITIONS["theme"].choices:
        assert f"textual-{theme}" in BUILTIN_THEMES or theme in BUILTIN_THEMES


def test_show_lists_each_setting_with_its_source(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "config" / "npuview" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("mouse = false\n", "utf-8")
    ran = run("config", "show", "--format", "csv")
    assert ran.status == 0
    rows = list(csv.reader(io.StringIO(ran.out)))
    assert rows[:3] == [
        ["setting", "value", "source"],
        ["mouse", "false", f"{file}:1"],
        ["glyphs", "auto", "default"],
    ]
    assert len(rows) == 1 + len(DEFINITIONS)


def test_show_refuses_a_broken_file_as_wrong_usage(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "config" / "npuview" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("mouse = \n", "utf-8")
    ran = run("config", "show")
    assert ran.status == 2
    assert ran.err.startswith(f"npuview: {file}:1: is no TOML")


def test_path_prints_the_path_and_says_whether_the_file_is_there(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "config" / "npuview" / "config.toml"
    ran = run("config", "path")
    assert (ran.status, ran.out) == (0, f"{file}\n")
    assert "no such file" in ran.err


def test_keys_lists_every_action_with_its_keys_as_people_read_them(run: Run) -> None:
    ran = run("config", "keys", "--format", "csv")
    rows = {row[0]: row for row in csv.reader(io.StringIO(ran.out))}
    assert set(rows) == {"action", *(action.id for action in ACTIONS)}
    assert rows["timeline.next_gap"][1] == "}"
    assert rows["timeline.zoom_in"][1] == "w  +"


def test_keys_shows_those_that_were_chosen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPUVIEW_KEYS_PRESET", "azerty")
    ran = run("config", "keys", "--format", "csv")
    rows = {row[0]: row for row in csv.reader(io.StringIO(ran.out))}
    assert rows["timeline.zoom_in"][1] == "z  +"


def test_the_table_of_keys_fits_a_terminal_of_100_columns(run: Run) -> None:
    assert max(map(len, run("config", "keys").lines)) <= 100


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_settings_of_the_readme_are_taken(file: Path, name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    [shown] = [
        block for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) if "[keys]" in block
    ]
    config = load(file, shown)
    assert (config.mouse, config.gap_threshold) == (False, 50_000)
    assert tomllib.loads(shown)["keys"]["preset"] == "azerty"
