"""How many bytes two linked timelines send over a slow line, in a terminal of 256 colours."""

import sys
from pathlib import Path

from made_up import MadeUp
from terminal_screen import TerminalScreen
from test_app_bytes import PAN_BYTES, quiet, sent


def test_a_move_in_both_timelines_sends_no_more_than_one_in_the_timeline(
    made_up: MadeUp, places: Path
) -> None:
    base, test = made_up("host_bound").profile, made_up("pipelined").profile
    command = [
        str(Path(sys.executable).with_name("npuview")),
        "--no-state",
        "--cache-dir",
        str(places / "cache"),
        str(test),
        "--against",
        str(base),
    ]
    with TerminalScreen(command, size=(120, 40), environ={"TERM": "xterm-256color"}) as program:
        program.until_text("Look here first")
        program.press("6")
        program.until_text("What changed")
        program.until_text("B - A")
        quiet(program)
        program.press("\r")
        program.until_text("Under the cursor")
        quiet(program)
        for key in "0wwwddaass":
            assert sent(program, key) <= PAN_BYTES, key
        program.press("q")
        program.ends_with(0)
