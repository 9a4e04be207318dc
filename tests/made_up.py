"""Made-up profiles with their stores, each made once for all tests, which only read them."""

import fcntl
import shutil
from pathlib import Path
from typing import NamedTuple

from npuview.ingest.pipeline import open_store
from npuview.ingest.sample import write_sample
from npuview.ingest.store import Store

DEFAULT = "host_bound"


class Place(NamedTuple):
    """A folder with a profile and the stores of it."""

    folder: Path
    profile: Path

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def store(self) -> Store:
        """The store, opened for the one who asks."""
        return open_store(self.profile, cache_dir=self.cache).store


class MadeUp:
    """Makes profiles below a folder, which processes that run tests side by side share.

    ``seed`` is another run of the same job.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[tuple[str, int | None], Place] = {}

    def __call__(self, scenario: str = DEFAULT, seed: int | None = None) -> Place:
        key = scenario, seed
        if key not in self._known:
            self._known[key] = self._place(scenario, seed)
        return self._known[key]

    def _place(self, scenario: str, seed: int | None) -> Place:
        folder = self._root / (scenario if seed is None else f"{scenario}-{seed}")
        self._root.mkdir(exist_ok=True)
        with folder.with_suffix(".lock").open("a+", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            if not (name := lock.read()):
                # Left by one that was ended while it made this.
                shutil.rmtree(folder, ignore_errors=True)
                place = Place(folder, write_sample(folder, scenario, seed=seed))
                place.store.close()
                lock.write(place.profile.name)
                return place
        return Place(folder, folder / name)
