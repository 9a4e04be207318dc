"""How the app begins and ends in a real terminal, and how it leaves that terminal."""

import re
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from command_line import damaged_profile
from ending_app import HOSTILE
from terminal_program import CLOSING_MODES
from terminal_screen import TerminalScreen

ENDING_APP = str(Path(__file__).with_name("ending_app.py"))
COLOR = re.compile(rb"\x1b\[[0-9;]*?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")
RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"
CTRL_C, CTRL_Z = "\x03", "\x1a"
SIGNALS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]

Opened = Callable[..., AbstractContextManager[TerminalScreen]]


def assert_left_as_it_was(program: TerminalScreen) -> None:
    assert program.attributes() == program.attributes_before
    assert program.modes == CLOSING_MODES
    assert program.keys_of_kitty == 0
    assert not program.has_child()


@pytest.fixture
def environ(places: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a program: the stores of the tests, and a home of its own."""
    return {
        "NPUVIEW_CACHE_DIR": str(places / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TMPDIR": str(tmp_path),
    }


@pytest.fixture
def opened(environ: dict[str, str], sample: Path) -> Opened:
    """Return a context manager: the small app on the made-up run, once it is shown."""

    @contextmanager
    def run(*words: str, **more: str) -> Generator[TerminalScreen]:
        command = [sys.executable, ENDING_APP, str(sample), *words]
        with TerminalScreen(command, environ=environ | more) as program:
            program.until_text("Overview")
            yield program

    return run


def crash_reports(tmp_path: Path) -> list[str]:
    return [one.read_text() for one in (tmp_path / "state").rglob("crash-*.log")]


@pytest.mark.parametrize("term", ["xterm-256color", "xterm", "linux"])
def test_q_ends_with_0_and_leaves_the_terminal_as_it_was(opened: Opened, term: str) -> None:
    with opened(TERM=term) as program:
        assert {1049, 1000, 2004} <= program.modes
        program.press("q")
        program.ends_with(0)
        assert_left_as_it_was(program)


def test_the_interrupt_key_ends_with_130_even_from_a_text_field(opened: Opened) -> None:
    with opened() as program:
        program.press("i")
        program.until_text("writing")
        program.press("abc")
        program.until_text("abc")
        program.press(CTRL_C)
        program.ends_with(130)
        assert_left_as_it_was(program)


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_ends_in_order(
    number: signal.Signals, status: int, opened: Opened, tmp_path: Path
) -> None:
    with opened() as program:
        program.send(number)
        program.ends_with(status)
        assert_left_as_it_was(program)
        assert crash_reports(tmp_path) == []


@pytest.mark.parametrize(("number", "status"), SIGNALS[:2])
def test_a_signal_ends_an_app_that_hangs(
    number: signal.Signals, status: int, opened: Opened
) -> None:
    with opened() as program:
        program.press("h")
        program.settle()
        program.send(number)
        program.ends_with(status)
        assert_left_as_it_was(program)


def test_the_terminal_is_given_back_before_threads_have_ended(opened: Opened) -> None:
    with opened() as program:
        program.press("t")
        program.until_text("waiting")
        program.press("q")
        program.until(lambda one: one.modes == CLOSING_MODES, "terminal as it was")
        program.until(lambda one: one.attributes() == one.attributes_before, "attributes")
        # The terminal turns it into SIGINT again.
        program.press(CTRL_C)
        program.ends_with(130)
        assert_left_as_it_was(program)


def test_a_connection_that_breaks_ends_the_app(opened: Opened) -> None:
    with opened() as program:
        program.hang_up()
        program.ends_with(129)
        assert not program.has_child()


def test_a_hang_up_ends_the_app_although_the_caller_ignores_it(
    environ: dict[str, str], sample: Path
) -> None:
    line = f"trap '' HUP; exec {sys.executable} {ENDING_APP} {sample}"
    with TerminalScreen(["bash", "-c", line], environ=environ) as program:
        program.until_text("Overview")
        program.hang_up()
        program.ends_with(129)


def test_a_terminal_that_goes_without_a_signal_ends_the_app_too(
    environ: dict[str, str], sample: Path
) -> None:
    command = [sys.executable, ENDING_APP, str(sample)]
    with TerminalScreen(command, environ=environ, of_session=False) as program:
        program.until_text("Overview")
        program.hang_up()
        program.ends_with(129)


@pytest.mark.parametrize("key", ["x", "w"])
def test_an_error_is_one_clean_line_and_a_report(key: str, opened: Opened, tmp_path: Path) -> None:
    with opened() as program:
        before_the_key = len(program.written)
        program.press(key)
        program.ends_with(1)
        assert_left_as_it_was(program)
        said = program.written[before_the_key:]
        [report] = crash_reports(tmp_path)
        assert "internal error (ValueError: " in program.said
        assert said.count(b"npuview: ") == 1
    # The key may have come while a character was drawn.
    for told in (said.decode(errors="replace"), report):
        assert "a value of a variable" not in told
        assert HOSTILE not in told
    assert b"Traceback" not in said
    assert "in action_fail" in report
    assert "\x1b" not in report


def test_what_npuview_refuses_is_one_sentence_without_a_report(
    opened: Opened, tmp_path: Path
) -> None:
    with opened() as program:
        program.press("r")
        program.ends_with(1)
        assert_left_as_it_was(program)
        assert "is damaged" in program.text
        assert "internal error" not in program.text
        assert crash_reports(tmp_path) == []


def test_pixels_of_the_mouse_end_with_the_mouse(opened: Opened) -> None:
    with opened() as program:
        # What a terminal answers that reports its size in the stream.
        program.press("\x1b[?2048;2$y")
        program.until(lambda one: {1016, 2048} <= one.modes, "mouse in pixels")
        program.press("q")
        program.ends_with(0)
        assert_left_as_it_was(program)


def test_without_the_mouse_the_terminal_keeps_it(opened: Opened) -> None:
    with opened("--no-mouse") as program:
        program.press("q")
        program.ends_with(0)
        assert b"\x1b[?1000h" not in program.written


@pytest.mark.parametrize("term", ["xterm-256color", "xterm"])
def test_no_color_draws_no_colour_at_all(opened: Opened, term: str) -> None:
    with opened(TERM=term, NO_COLOR="1") as program:
        program.press("q")
        program.ends_with(0)
        assert COLOR.findall(program.written) == []


@pytest.mark.parametrize("term", ["xterm-256color", "xterm"])
def test_an_empty_no_color_means_nothing(opened: Opened, term: str) -> None:
    with opened(TERM=term, NO_COLOR="") as program:
        program.press("q")
        program.ends_with(0)
        assert COLOR.search(program.written)


def test_lost_data_is_status_3_after_the_app(environ: dict[str, str], tmp_path: Path) -> None:
    profile = str(damaged_profile(tmp_path))
    for words, status in (([], 3), (["--allow-damaged"], 0)):
        command = [sys.executable, ENDING_APP, profile, *words]
        with TerminalScreen(command, environ=environ) as program:
            program.until_text("Overview")
            program.press("q")
            program.ends_with(status)
            assert "not complete" in program.said


def test_the_app_goes_to_the_background_and_comes_back(
    environ: dict[str, str], sample: Path
) -> None:
    with TerminalScreen(["bash", "--norc", "--noediting", "-i"], environ=environ) as program:
        program.press(f"PS1='ready>'; {sys.executable} {ENDING_APP} {sample}\n")
        program.until_text("Overview")
        program.press(CTRL_Z)
        program.until_text("Stopped")
        assert program.attributes() == program.attributes_before
        assert program.modes == CLOSING_MODES
        # In the background it may not draw, and sleeps on.
        program.press("bg; sleep 0.3\n")
        program.until(lambda one: one.said.count("Stopped") >= 2, "second sleep")
        program.press("fg\n")
        program.until_text("type here")
        program.press("q")
        program.until_text("ready>")
        program.press("exit $?\n")
        program.ends_with(0)
        assert_left_as_it_was(program)


def test_an_app_in_the_background_can_be_ended(environ: dict[str, str], sample: Path) -> None:
    with TerminalScreen(["bash", "--norc", "--noediting", "-i"], environ=environ) as program:
        program.press(f"PS1='ready>'; {sys.executable} {ENDING_APP} {sample}\n")
        program.until_text("Overview")
        program.press(CTRL_Z)
        program.until_text("Stopped")
        program.press("kill %1; while kill -0 %1; do sleep 0.1; done; jobs; exit 0\n")
        program.until(lambda one: "Exit 143" in one.said, "end of the job")
        program.ends_with(0)
        assert_left_as_it_was(program)


def test_an_app_that_was_stopped_from_outside_draws_itself_again(opened: Opened) -> None:
    with opened() as program:
        program.settle()
        program.send(signal.SIGSTOP)
        before = len(program.written)
        program.send(signal.SIGCONT)
        program.until(lambda one: b"type here" in one.written[before:], "second drawing")
        program.press("q")
        program.ends_with(0)
        assert_left_as_it_was(program)


def test_what_ends_takes_no_terminal_back(opened: Opened) -> None:
    with opened() as program:
        program.press("t")
        program.until_text("waiting")
        program.press("q")
        program.until(lambda one: one.modes == CLOSING_MODES, "terminal as it was")
        program.send(signal.SIGCONT)
        program.settle()
        program.send(signal.SIGTERM)
        program.ends_with(143)
        assert_left_as_it_was(program)


def test_the_app_stays_where_no_shell_could_bring_it_back(opened: Opened) -> None:
    with opened() as program:
        program.press(CTRL_Z)
        program.until_text("no shell")
        program.press("q")
        program.ends_with(0)


@pytest.mark.parametrize(
    ("redirection", "reason"),
    [
        ("</dev/null", "standard input is none"),
        ("<&-", "standard input is none"),
        ("| cat", "standard output is none"),
    ],
)
def test_without_a_terminal_text_is_named_before_anything_is_read(
    redirection: str, reason: str, environ: dict[str, str], sample: Path, tmp_path: Path
) -> None:
    line = f"set -o pipefail; {sys.executable} {ENDING_APP} {sample} {redirection}"
    untouched = tmp_path / "untouched"
    more = {"NPUVIEW_CACHE_DIR": str(untouched)}
    with TerminalScreen(["bash", "-c", line], environ=environ | more) as program:
        program.ends_with(2)
        said = program.said
    assert reason in said
    assert "npuview overview PATH" in said
    assert not untouched.exists()


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_cannot_draw_is_refused(
    term: str, environ: dict[str, str], sample: Path
) -> None:
    command = [sys.executable, ENDING_APP, str(sample)]
    with TerminalScreen(command, environ=environ | {"TERM": term}) as program:
        program.ends_with(2)
        assert "npuview overview PATH" in program.said
        assert b"\x1b" not in program.written


def test_an_app_that_no_error_is_drawn_to_says_nothing(
    environ: dict[str, str], sample: Path
) -> None:
    line = f"{sys.executable} {ENDING_APP} {sample} 2>/dev/null"
    with TerminalScreen(["bash", "-c", line], environ=environ) as program:
        program.ends_with(2)
        assert program.written == b""


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_leaves_nothing_of_a_demo(
    number: signal.Signals, status: int, environ: dict[str, str], tmp_path: Path
) -> None:
    with TerminalScreen([sys.executable, ENDING_APP, "demo"], environ=environ) as program:
        program.until(
            lambda _: bool(list(tmp_path.glob("npuview-demo-*/cache/*/.rank=0.*"))), "store"
        )
        program.send(number)
        program.ends_with(status)
        assert_left_as_it_was(program)
    assert list(tmp_path.glob("npuview-*")) == []


@pytest.fixture
def app(environ: dict[str, str], sample: Path) -> Opened:
    """Return a context manager: the app itself on the made-up run, once it is shown."""

    @contextmanager
    def run(*words: str, **more: str) -> Generator[TerminalScreen]:
        command = [sys.executable, "-c", RUN, str(sample), *words]
        with TerminalScreen(command, environ=environ | more) as program:
            program.until_text("Overview")
            yield program

    return run


def test_the_app_itself_ends_in_order(app: Opened, tmp_path: Path) -> None:
    ends: list[tuple[Callable[[TerminalScreen], None], int]] = [
        (lambda program: program.press("q"), 0),
        (lambda program: program.press(CTRL_C), 130),
        (lambda program: program.send(signal.SIGTERM), 143),
    ]
    for end, status in ends:
        with app() as program:
            end(program)
            program.ends_with(status)
            assert_left_as_it_was(program)
    assert crash_reports(tmp_path) == []


def test_the_app_itself_draws_no_colour_for_no_color(app: Opened) -> None:
    with app(NO_COLOR="1") as program:
        program.press("q")
        program.ends_with(0)
        assert COLOR.findall(program.written) == []


def test_with_ascii_the_app_itself_draws_ascii_alone(app: Opened) -> None:
    with app("--ascii") as program:
        program.press("q")
        program.ends_with(0)
        # Before it the store is read, on a terminal that says it can show everything.
        _, _, drawn = program.written.partition(b"\x1b[?1049h")
        assert drawn.isascii()


def test_what_textual_draws_of_its_own_is_ascii_too(opened: Opened) -> None:
    with opened("--ascii") as program:
        program.press("i")
        program.until_text("writing")
        program.press("é漢")
        program.until_text("??? ")
        program.press(CTRL_C)
        program.ends_with(130)
        _, _, drawn = program.written.partition(b"\x1b[?1049h")
        assert drawn.isascii()


def test_what_is_not_there_is_said_before_the_app_is_drawn(
    environ: dict[str, str], sample: Path
) -> None:
    for words, said in (
        (("--at", "step 99"), "no step 99 here; there are: 12, 13, 14, 15"),
        (("--at", "soon"), 'or a step, such as "step 12"'),
        (("--rank", "7"), "no rank 7"),
    ):
        command = [sys.executable, "-c", RUN, str(sample), *words]
        with TerminalScreen(command, environ=environ) as program:
            program.ends_with(2)
            assert said in program.said
            assert 1049 not in program.modes
            assert b"\x1b[?1049h" not in program.written


def test_the_demo_is_the_app_and_leaves_nothing(environ: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, "demo", "--scenario", "pipelined"]
    with TerminalScreen(command, environ=environ) as program:
        program.until_text("Overview")
        assert list(tmp_path.glob("npuview-demo-*"))
        program.press("6")
        program.until_text("hold this run against")
        program.press("no-such-run\r")
        program.until_text("neither a profile nor a baseline")
        program.press("q")
        program.ends_with(0)
        assert_left_as_it_was(program)
    assert list(tmp_path.glob("npuview-*")) == []


def test_opening_the_app_imports_nothing_that_only_other_work_needs(
    environ: dict[str, str], sample: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "modules"
    code = (
        "import sys; from npuview.tui.cli import main; status = main();"
        f" open({str(listed)!r}, 'w').write('\\n'.join(sys.modules)); sys.exit(status)"
    )
    with TerminalScreen([sys.executable, "-c", code, str(sample)], environ=environ) as program:
        program.until_text("Overview")
        program.press("q")
        program.ends_with(0)
    imported = set(listed.read_text().split())
    assert "npuview.tui.app" in imported
    unneeded = {
        "orjson",
        "pyarrow",
        "npuview.ingest.build",
        "npuview.ingest.derive",
        "npuview.ingest.sample",
        "npuview.tui.views.timeline",
    }
    assert imported & unneeded == set()
