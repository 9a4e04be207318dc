"""Several processes that open a profile at once: one of them builds, and none waits in vain."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from store_content import job_of_two, leftovers

from npuview.ingest.cache import lock_of, store_path

OPENER = """
import sys
from pathlib import Path
import npuview.ingest.build
from npuview.ingest.pipeline import Keeping, open_store
from npuview.ingest.store import Store
print("ready", flush=True)
for line in sys.stdin:
    path, cache = map(Path, line.split())
    said = []
    opened = open_store(path, cache_dir=cache, keeping=Keeping(said.append))
    rows = [rank.manifest.tables["slice"] for rank in opened.store.ranks]
    damage = [finding for rank in opened.store.ranks for finding in rank.verify()]
    opened.store.close()
    print(opened.built, rows, damage, *said, sep="|", flush=True)
"""


class Answered(NamedTuple):
    """What an opener says: whether it built, what it found, and what it said."""

    built: bool
    found: str
    said: str


@contextmanager
def openers(count: int) -> Generator[list[subprocess.Popen[str]]]:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for _ in range(count)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def ask(processes: Sequence[subprocess.Popen[str]], path: Path, cache: Path) -> None:
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(f"{path} {cache}\n")
        process.stdin.flush()


def answer(process: subprocess.Popen[str]) -> Answered:
    assert process.stdout is not None
    built, rows, damage, *said = process.stdout.readline().rstrip("\n").split("|")
    return Answered(built == "True", rows + damage, " ".join(said))


@pytest.mark.parametrize(
    ("count", "rounds"),
    [(4, 2), *(pytest.param(count, 20, marks=pytest.mark.slow) for count in (2, 4, 8))],
)
def test_of_those_who_open_at_once_one_builds(tmp_path: Path, count: int, rounds: int) -> None:
    path = job_of_two(tmp_path / "job")
    waited = 0
    with openers(count) as processes:
        for number in range(rounds):
            cache = tmp_path / f"cache{number}"
            ask(processes, path, cache)
            answers = [answer(process) for process in processes]
            assert sorted(one.built for one in answers) == [False] * (count - 1) + [True]
            assert {one.found for one in answers} == {"[41, 41][]"}
            assert leftovers(cache) == []
            waited += sum("waiting for PID" in one.said for one in answers)
    assert waited > 0


@pytest.mark.parametrize("rounds", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_when_the_builder_is_killed_one_of_those_who_wait_builds(
    tmp_path: Path, rounds: int
) -> None:
    path = job_of_two(tmp_path / "job", 2_000)
    for number in range(rounds):
        cache = tmp_path / f"cache{number}"
        with openers(3) as processes:
            ask(processes, path, cache)
            lock = lock_of(store_path(cache, path))
            while not (signed := lock.read_text() if lock.exists() else ""):
                pass
            [builder] = re.findall(rf"PID ([0-9]+) on {os.uname().nodename}", signed)
            os.kill(int(builder), signal.SIGKILL)
            answers = [answer(one) for one in processes if one.pid != int(builder)]
        assert sorted(one.built for one in answers) == [False, True]
        assert {one.found for one in answers} == {"[41, 2001][]"}
        assert leftovers(cache) == []
