"""What the app may use of a terminal, by the environment, the stream and the settings."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from npuview.tui.process.display import Display, set_up_textual, textual_settings
from npuview.tui.user.config import Config, Value, load_config

UTF_8 = {"TERM": "xterm-256color"}


@pytest.fixture(autouse=True)
def no_file_of_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NPUVIEW_CONFIG", str(tmp_path / "config.toml"))


def config(**options: Value) -> Config:
    return load_config(options, {})


def test_a_terminal_like_most_has_everything() -> None:
    assert Display.of(config(), UTF_8, "utf-8") == Display()
    assert Display() == Display("unicode", color=True, mouse=True, far=False)


@pytest.mark.parametrize(
    ("environ", "encoding", "glyphs"),
    [
        ({"TERM": "linux"}, "utf-8", "blocks"),
        ({"TERM": "linux"}, "ascii", "ascii"),
        (UTF_8, "UTF8", "unicode"),
        (UTF_8, "iso8859-1", "ascii"),
        (UTF_8, "gb18030", "ascii"),
        (UTF_8, "no such encoding", "ascii"),
        (UTF_8 | {"LANG": "C"}, "utf-8", "unicode"),
    ],
)
def test_characters_are_those_that_the_stream_can_write(
    environ: dict[str, str], encoding: str, glyphs: str
) -> None:
    assert Display.of(config(), environ, encoding).glyphs == glyphs


def test_a_setting_comes_before_what_the_terminal_says() -> None:
    environ = {"TERM": "linux", "NO_COLOR": "1", "SSH_TTY": "/dev/pts/1"}
    settings = config(glyphs="unicode", color="256", low_bandwidth=False, mouse=False)
    display = Display.of(settings, environ, "ascii")
    assert display == Display("unicode", color=True, mouse=False, far=False)


@pytest.mark.parametrize(("value", "color"), [("1", False), ("0", False), ("", True)])
def test_no_color_is_heeded_unless_it_is_empty(value: str, color: bool) -> None:
    display = Display.of(config(), UTF_8 | {"NO_COLOR": value}, "utf-8")
    assert display.color is color
    assert textual_settings(display, config())["NO_COLOR"] == (None if color else "1")


@pytest.mark.parametrize("name", ["SSH_CONNECTION", "SSH_TTY"])
def test_over_ssh_nothing_scrolls_in_small_steps(name: str) -> None:
    display = Display.of(config(), UTF_8 | {name: "somewhere"}, "utf-8")
    assert display.far
    settings = textual_settings(display, config())
    assert settings["TEXTUAL_SMOOTH_SCROLL"] == "0"
    # Fewer drawings would be later ones.
    assert settings["TEXTUAL_FPS"] == textual_settings(Display(), config())["TEXTUAL_FPS"]
    assert "TEXTUAL_SMOOTH_SCROLL" not in textual_settings(Display(), config())


def test_a_narrow_line_gets_fewer_drawings() -> None:
    narrow = config(low_bandwidth=True)
    settings = textual_settings(Display.of(narrow, UTF_8, "utf-8"), narrow)
    assert (settings["TEXTUAL_FPS"], settings["TEXTUAL_SMOOTH_SCROLL"]) == ("15", "0")


@pytest.mark.parametrize(
    ("color", "system"), [("16", "standard"), ("256", "256"), ("true", "truecolor")]
)
def test_a_number_of_colours_is_what_textual_draws_with(color: str, system: str) -> None:
    chosen = config(color=color)
    assert textual_settings(Display(), chosen)["TEXTUAL_COLOR_SYSTEM"] == system


def test_textual_is_set_up_by_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "full")
    set_up_textual(Display(), config())
    assert "NO_COLOR" not in os.environ
    assert os.environ["TEXTUAL_ANIMATIONS"] == "none"
    set_up_textual(replace(Display(), color=False), config())
    assert os.environ["NO_COLOR"] == "1"


def test_describing_the_terminal_imports_nothing_of_textual() -> None:
    code = (
        "import sys; from npuview.tui.commands.open import show;"
        " print(*(one for one in ('textual', 'duckdb', 'pyarrow') if one in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == []
