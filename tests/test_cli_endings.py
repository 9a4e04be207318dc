"""How commands end from outside: signals, and standard streams that are closed or full."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from build import torch_profile
from child import child

RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"
ENDLESS = "SELECT a.range AS x FROM range(1_000_000) a, range(1_000_000) b"
NO_SPACE = "npuview: standard output: cannot be written: No space left on device\n"


@pytest.fixture(scope="module")
def ended(places: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Return a function that runs a line of shell in which ``npuview`` is the program."""

    def run(line: str) -> subprocess.CompletedProcess[bytes]:
        script = f"npuview() {{ {sys.executable} -c '{RUN}' \"$@\"; }}\n{line}"
        return subprocess.run(
            ["bash", "-c", script],
            capture_output=True,
            env=os.environ
            | {
                "NPUVIEW_CACHE_DIR": str(places / "cache"),
                "XDG_STATE_HOME": str(places / "state"),
                "P": str(next(places.glob("*_ascend_pt"))),
            },
            timeout=60,
            check=False,
        )

    return run


Ended = Callable[[str], "subprocess.CompletedProcess[bytes]"]


@pytest.mark.parametrize(
    "words",
    [
        "--version",
        "--help",
        "top --help",
        "schema",
        "presets gaps",
        'top "$P" --format csv',
        'top "$P" --format json',
        'top "$P" --format parquet',
    ],
)
def test_a_full_output_is_one_message_and_no_crash(words: str, ended: Ended) -> None:
    done = ended(f"npuview {words} >/dev/full")
    assert (done.returncode, done.stderr.decode()) == (1, NO_SPACE)


@pytest.mark.parametrize("words", ["--version", "--help", "schema", 'top "$P" --format csv'])
def test_a_closed_output_is_one_message_and_no_crash(words: str, ended: Ended) -> None:
    done = ended(f"npuview {words} >&-")
    assert done.returncode == 1
    assert done.stderr == b"npuview: standard output: cannot be written: Bad file descriptor\n"


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", "2>&- <&-"])
def test_an_answer_needs_no_standard_error(closed: str, ended: Ended, tmp_path: Path) -> None:
    for words in ("top", f"ingest --cache-dir {tmp_path}"):
        done = ended(f'npuview {words} "$P" --format json {closed}')
        assert done.returncode == 0
        assert json.loads(done.stdout)
    assert ended(f"npuview {closed}").returncode == 2


def test_a_file_is_written_although_all_streams_are_closed(ended: Ended, tmp_path: Path) -> None:
    file = tmp_path / "top.json"
    assert ended(f'npuview top "$P" -o {file} <&- >&- 2>&-').returncode == 0
    assert json.loads(file.read_text())


def test_csv_that_fails_on_its_way_is_one_message(ended: Ended) -> None:
    sql = "SELECT CASE WHEN range > 20000 THEN error(chr(98) || chr(111)) END FROM range(30000)"
    done = ended(f'npuview sql "$P" "{sql}" --format csv')
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == ["npuview: sql: bo"]


def _stopped(
    words: list[str], folder: Path, begun: str, number: signal.Signals
) -> tuple[int, str, list[str]]:
    """Run a command until a file is there, send a signal; return status, words, what is left."""
    environ = os.environ | {"TMPDIR": str(folder), "NPUVIEW_CACHE_DIR": str(folder / "cache")}
    with child(RUN, words, stderr=subprocess.PIPE, env=environ) as program:
        deadline = time.monotonic() + 30
        while not list(folder.glob(begun)) and time.monotonic() < deadline:
            time.sleep(0.002)
        program.send_signal(number)
        _, err = program.communicate(timeout=30)
    left = [str(one.relative_to(folder)) for one in folder.rglob("*") if one.name.startswith(".")]
    return program.returncode, err, left + [one.name for one in folder.glob("npuview-*")]


SIGNALS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_leaves_nothing_of_an_unfinished_answer(
    number: signal.Signals, status: int, tmp_path: Path, sample: Path
) -> None:
    words = ["sql", str(sample), ENDLESS, "-o", str(tmp_path / "y.csv")]
    ended, err, left = _stopped(words, tmp_path, ".npuview-*.part", number)
    assert (ended, left) == (status, [])
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_leaves_nothing_of_an_unfinished_store(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    profile = torch_profile(tmp_path, rank=0)
    for at in range(30_000):
        profile.trace.kernel("Add", ts=at * 1_000, dur=500, stream=2)
    words = ["ingest", str(profile.write())]
    ended, err, left = _stopped(words, tmp_path, "cache/*/.rank=0.*/*", number)
    assert (ended, left) == (status, [])
    assert "Traceback" not in err


def test_a_hangup_that_the_caller_ignores_ends_nothing(tmp_path: Path, sample: Path) -> None:
    code = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {RUN}"
    answer = ["-o", str(tmp_path / "y.csv"), "--cache-dir", str(tmp_path)]
    with child(code, ["sql", str(sample), ENDLESS, *answer]) as program:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob(".npuview-*.part")) and time.monotonic() < deadline:
            time.sleep(0.002)
        program.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert program.poll() is None
        program.terminate()
        assert program.wait(timeout=30) == 143
    assert list(tmp_path.glob(".npuview-*.part")) == []
