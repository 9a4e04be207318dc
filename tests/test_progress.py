"""Progress on standard error: one redrawn line on a terminal, a line per kind of work elsewhere."""

import io
import re

import pytest

from npuview.tui.text import progress as progress_module
from npuview.tui.text.progress import Progress


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress_module, "time", made)
    return made


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Screen()


def drawings(stream: io.StringIO) -> list[str]:
    """Return what was drawn over the one line, in turn."""
    return stream.getvalue().split(progress_module.ERASE_LINE)[1:]


def test_a_pipe_gets_one_line_for_each_kind_of_work(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.stage("discover")
        clock.now += 0.01
        progress.stage("read trace.json", total_bytes=3_000_000)
        progress.advance(3_000_000)
        clock.now += 2
        progress.stage("read kernel.csv")
        clock.now += 1
        progress.stage("derive gap")
        clock.now += 0.5
    assert stream.getvalue().splitlines() == [
        "npuview:  10.0 ms  discover",
        "npuview:  3.00 s   read 2 files, 3.00 MB, 1.00 MB/s, longest trace.json 2.00 s",
        "npuview:   500 ms  derive gap",
    ]


def test_finding_a_valid_store_is_not_worth_a_line(clock: Clock) -> None:
    stream = io.StringIO()
    with Progress(stream) as progress:
        progress.stage("discover")
        clock.now += 0.1
    assert stream.getvalue() == ""


def test_the_line_has_bytes_rate_and_time_left(clock: Clock, screen: Screen) -> None:
    with Progress(screen) as progress:
        progress.stage("read trace.json", total_bytes=1_000_000_000)
        clock.now += 4
        progress.advance(400_000_000)
        assert drawings(screen)[-1] == (
            "read trace.json   400 MB of 1.00 GB   ████   100 MB/s   6 s left"
        )


def test_a_speed_is_not_guessed_from_the_first_moment(clock: Clock, screen: Screen) -> None:
    with Progress(screen) as progress:
        progress.stage("read trace.json", total_bytes=1_000)
        clock.now += 0.5
        progress.advance(500)
        assert drawings(screen)[-1] == "read trace.json   500 B of 1.00 kB   █████"


def test_a_terminal_is_redrawn_at_most_four_times_a_second(clock: Clock, screen: Screen) -> None:
    with Progress(screen) as progress:
        progress.stage("read trace.json", total_bytes=10_000)
        for _ in range(1_000):
            clock.now += 0.005
            progress.advance(10)
    assert len(drawings(screen)) <= 4 * 5 + 2


def test_a_terminal_is_left_with_an_empty_line(clock: Clock, screen: Screen) -> None:
    with Progress(screen) as progress:
        progress.stage("read trace.json")
        clock.now += 1
    assert drawings(screen)[-1] == ""
    assert "\n" not in screen.getvalue()


def test_finished_work_stays_on_a_terminal_where_it_is_asked_for(
    clock: Clock, screen: Screen
) -> None:
    with Progress(screen, keep=True) as progress:
        progress.stage("read trace.json")
        clock.now += 1
        progress.stage("write")
        clock.now += 1
    shown = re.findall(r"npuview: +([\d.]+ s +\w+)", screen.getvalue())
    assert shown == ["1.00 s   read", "1.00 s   write"]


def test_a_dumb_terminal_gets_no_escape_sequences(
    clock: Clock, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with Progress(screen) as progress:
        progress.stage("read trace.json")
        clock.now += 1
        progress.stage("write")
    assert "\x1b" not in screen.getvalue()


def test_file_names_cannot_steer_the_terminal_and_long_ones_are_cut(
    clock: Clock, screen: Screen
) -> None:
    with Progress(screen) as progress:
        progress.stage("read \x1b[31m" + "x" * 200)
        clock.now += 1
        progress.advance(1)
        shown = drawings(screen)[-1]
    assert "\x1b" not in shown
    assert len(shown) == 79
