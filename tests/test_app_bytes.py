"""How many bytes the app sends over a slow line, in a real terminal of 256 colours."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal_screen import TerminalScreen

PAN_BYTES = 40_000
SELECTION_BYTES = 4_000
REST_S = 0.4
"""Longer than the dock waits before it follows the cursor."""


@pytest.fixture
def app(sample: Path, places: Path) -> Iterator[TerminalScreen]:
    command = [
        str(Path(sys.executable).with_name("npuview")),
        "--no-state",
        "--cache-dir",
        str(places / "cache"),
        str(sample),
    ]
    with TerminalScreen(command, size=(120, 40), environ={"TERM": "xterm-256color"}) as program:
        program.until_text("Look here first")
        program.press("2")
        program.until_text("gaps over")
        quiet(program)
        yield program
        program.press("q")
        program.ends_with(0)


def quiet(program: TerminalScreen) -> None:
    """Read until nothing came for longer than anything waits."""
    rests = 0
    while rests < REST_S / 0.05:
        rests = 0 if program.read() else rests + 1


def sent(program: TerminalScreen, key: str) -> int:
    """Press a key and return the bytes that come until all is quiet again."""
    before = len(program.written)
    program.press(key)
    quiet(program)
    return len(program.written) - before


def first_sent(program: TerminalScreen, key: str) -> int:
    """Press a key and return the bytes of the first drawing that it brings."""
    before = len(program.written)
    program.press(key)
    program.until(lambda one: len(one.written) > before, f"a drawing after {key}")
    return len(program.written) - before


def test_a_pan_and_a_zoom_send_no_more_than_the_lanes(app: TerminalScreen) -> None:
    for key in "wwwwwddddaassss":
        assert sent(app, key) <= PAN_BYTES, key


def test_to_select_sends_only_the_rows_that_change(app: TerminalScreen) -> None:
    app.press(".")
    quiet(app)
    for key in "...,":
        assert first_sent(app, key) <= SELECTION_BYTES, key
        quiet(app)


def test_an_app_at_rest_sends_nothing(app: TerminalScreen) -> None:
    before = len(app.written)
    for _ in range(40):
        app.read()
    assert app.written[before:] == b""
