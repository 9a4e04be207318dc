"""Ingest that is killed at any moment leaves the old store or the new one."""

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from child import child
from store_content import content, job_of_two, leftovers

from npuview.ingest.cache import store_path
from npuview.ingest.errors import NoStore
from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store

INGEST = """
import sys
from pathlib import Path
import npuview.ingest.build
from npuview.ingest.pipeline import open_store
print("go", flush=True)
open_store(Path(sys.argv[1]), cache_dir=Path(sys.argv[2]))
print("done", flush=True)
"""

SIZES = (30, 50)
"""Kernels of the rank that changes, by turns."""


def killed(path: Path, cache: Path, seconds: float) -> bool:
    """Ingest in a process that is killed so long after it began; tell whether it was done."""
    with child(INGEST, [str(path), str(cache)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return "done" in process.stdout.read()


@pytest.mark.parametrize("kills", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_whenever_it_is_killed_the_old_store_or_the_new_one_is_there(
    tmp_path: Path, kills: int
) -> None:
    cache = tmp_path / "cache"
    path = job_of_two(tmp_path / "job", SIZES[0])
    right: dict[int, dict[str, str]] = {}
    longest = 0.0
    for size in SIZES:
        job_of_two(path, size)
        began = time.monotonic()
        store = open_store(path, cache_dir=tmp_path / f"right {size}").store
        longest = time.monotonic() - began
        right[size] = content(store)
    chance = random.Random(kills)  # noqa: S311 - moments, no secrets
    held: int | None = None
    ends: list[str] = []
    for turn in range(kills):
        if turn % 20 == 0 and held is not None:
            # A first store is a case of its own.
            cache = tmp_path / f"cache {turn}"
            held = None
        size = SIZES[turn % 2]
        job_of_two(path, size)
        killed(path, cache, chance.uniform(0, 2 * longest))
        try:
            store = Store.open(store_path(cache, path))
        except NoStore:
            assert held is None
            ends.append("none")
            continue
        assert [finding for rank in store.ranks for finding in rank.verify()] == []
        found = content(store)
        store.close()
        known = [one for one in (size, held) if one is not None and right[one] == found]
        assert known, f"turn {turn}: neither the old store nor the new one"
        ends.append("new" if known[0] == size else "old")
        held = known[0]
        if turn % 5 == 4:
            opened = open_store(path, cache_dir=cache)
            assert content(opened.store) == right[size]
            opened.store.close()
            assert leftovers(cache) == []
            held = size
    print({end: ends.count(end) for end in set(ends)})  # noqa: T201 # figures, seen with -s
