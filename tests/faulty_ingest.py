"""A program that ingests again and again while each time another call of the system fails.

Run by test_cache_faults.py with faulty_calls.c preloaded. Prints as JSON how many calls there
are, and what went wrong: each a sentence.
"""

import ctypes
import errno
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from store_content import content, job_of_two, leftovers

from npuview.ingest.cache import store_path
from npuview.ingest.errors import NoStore, NpuviewError
from npuview.ingest.pipeline import Keeping, open_store
from npuview.ingest.store import Store

LIBRARY = ctypes.CDLL(os.environ["LD_PRELOAD"])
SIZES = (30, 50)

# DuckDB does not say why an fsync failed.
SAYS = {
    errno.ENOSPC: r"no space for this store.* takes about |No space left on device|fsync failed",
    errno.EDQUOT: r"no space for this store.* takes about |Disk quota exceeded|fsync failed",
    errno.EIO: r"Input/output error|fsync failed",
}


class Case(NamedTuple):
    """The call that fails, how, whether all later ones do as well, and how stores are kept."""

    at: int
    error: int
    lasting: bool
    keeping: Keeping


class Faults:
    """A job, its store before, and what should be there after."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.path = folder / "job"
        self.right: dict[int, dict[str, str]] = {}
        for size in SIZES:
            job_of_two(self.path, size)
            opened = open_store(self.path, cache_dir=folder / f"right {size}")
            self.right[size] = content(opened.store)
            opened.store.close()
        self.held: int | None = None
        self.said: list[str] = []

    def calls(self, size: int) -> int:
        """Count the calls of an ingest in which nothing fails."""
        job_of_two(self.path, size)
        LIBRARY.faults_begin(os.fsencode(self.cache), 0, 0, 0)
        open_store(self.path, cache_dir=self.cache).store.close()
        self.held = size
        return int(LIBRARY.faults_end())

    def run(self, case: Case, size: int) -> list[str]:
        """Ingest a changed job while a call fails; return what is wrong afterwards."""
        job_of_two(self.path, size)
        said: str | None = None
        LIBRARY.faults_begin(os.fsencode(self.cache), case.at, case.error, int(case.lasting))
        wrong: list[str] = []
        elsewhere = False
        try:
            opened = open_store(self.path, cache_dir=self.cache, keeping=case.keeping)
        except NpuviewError as error:
            said = str(error)
        except OSError as error:
            wrong.append(f"raised {error!r}")
        else:
            LIBRARY.faults_end()
            elsewhere = not opened.store.path.is_relative_to(self.cache)
            if elsewhere and content(opened.store) != self.right[size]:
                wrong.append("made a wrong store elsewhere")
            opened.store.close()
        LIBRARY.faults_end()
        self.said += [said] if said is not None else []
        if said is not None and not re.search(SAYS[case.error], said):
            wrong.append(f"said only: {said}")
        wrong += self._state(size, new=said is None and not elsewhere)
        return wrong

    def _state(self, size: int, *, new: bool) -> list[str]:
        """Look at what lies in the place for stores; the next ingest starts from there."""
        wrong = [f"left {name}" for name in leftovers(self.cache)]
        try:
            store = Store.open(store_path(self.cache, self.path))
        except NoStore:
            return [*wrong, "the old store is gone"] if self.held is not None else wrong
        wrong += [finding for rank in store.ranks for finding in rank.verify()]
        found = content(store)
        store.close()
        known = [one for one in (size, self.held) if one is not None and self.right[one] == found]
        if not known or (new and known[0] != size):
            wrong.append("neither the old store nor the new one")
        self.held = known[0] if known else None
        return wrong


def main(folder: Path, most: int) -> None:
    """Let calls fail, at most so many of each kind, and print what came of it."""
    tempfile.tempdir = str(folder / "passing")
    Path(tempfile.tempdir).mkdir()
    faults = Faults(folder)
    # The first build has two ranks to make, all later ones the rank that changed.
    faults.calls(SIZES[0])
    calls = faults.calls(SIZES[1])
    kinds = [
        (errno.ENOSPC, True, Keeping(lasting=True)),
        (errno.EIO, False, Keeping(lasting=True)),
        (errno.EDQUOT, True, Keeping()),
    ]
    wrong: list[str] = []
    runs = 0
    for error, lasting, keeping in kinds:
        for at in range(1, calls + 1, max(1, calls // most)):
            size = SIZES[0] if faults.held == SIZES[1] else SIZES[1]
            case = Case(at, error, lasting, keeping)
            found = faults.run(case, size)
            wrong += [f"call {at} of {calls}, {os.strerror(error)}: {one}" for one in found]
            runs += 1
    figures = {"calls": calls, "runs": runs, "refused": len(faults.said), "wrong": wrong}
    print(json.dumps(figures))  # noqa: T201 # for the test that runs this


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
