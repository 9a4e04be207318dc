"""How much room stores take together, and that what somebody reads stays."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from build import torch_profile

from npuview.ingest.budget import MOST_BYTES, default_budget
from npuview.ingest.cache import bytes_of, last_use, remove_store, store_path, stores_in
from npuview.ingest.errors import StoreError
from npuview.ingest.pipeline import Keeping, Opened, open_store
from npuview.ingest.publish import construction
from npuview.ingest.store import IN_USE

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """Return the stores of three profiles, made once, and the profiles."""
    folder = tmp_path_factory.mktemp("budget")
    paths: list[Path] = []
    for number in range(3):
        profile = torch_profile(folder / f"run{number}", rank=0)
        profile.trace.kernel("Add", 100, 50)
        paths.append(profile.write())
        open_store(paths[-1], cache_dir=folder / "cache").store.close()
    return folder / "cache", paths


@pytest.fixture
def cache(tmp_path: Path, built: tuple[Path, list[Path]]) -> Path:
    """Return stores of the test's own."""
    return shutil.copytree(built[0], tmp_path / "cache")


@pytest.fixture
def three(cache: Path, built: tuple[Path, list[Path]]) -> list[Path]:
    """Return the profiles; their stores were used one after another, the first longest ago."""
    for number, path in enumerate(built[1]):
        used = 10**9 * (number + 1)
        os.utime(store_path(cache, path) / IN_USE, ns=(used, used))
    return built[1]


def build(path: Path, cache: Path, stores: int) -> tuple[Opened, list[str]]:
    """Build a store anew, with room for so many in all."""
    said: list[str] = []
    one = bytes_of(stores_in(cache)[0])
    keeping = Keeping(said.append, budget=lambda _: one * stores + one // 2)
    return open_store(path, cache_dir=cache, force=True, keeping=keeping), said


def test_the_stores_not_used_for_longest_make_room(cache: Path, three: list[Path]) -> None:
    kept = [store_path(cache, path).name for path in three]
    opened, said = build(three[0], cache, 2)
    assert [store.name for store in stores_in(cache)] == sorted([kept[0], kept[2]])
    [word] = said
    assert kept[1] in word
    assert opened.store.path.is_dir()


def test_a_store_that_is_open_is_not_removed(cache: Path, three: list[Path]) -> None:
    reader = open_store(three[1], cache_dir=cache).store
    os.utime(reader.path / IN_USE, ns=(0, 0))
    _, said = build(three[0], cache, 1)
    assert reader.ranks[0].index.is_file()
    assert reader.path.name not in said[0]
    with pytest.raises(StoreError, match="in use"):
        remove_store(reader.path)
    reader.close()
    assert remove_store(reader.path) > 0
    assert not reader.path.exists()
    assert not list(cache.glob(f"{reader.path.name}*"))


def test_a_store_under_construction_is_not_removed(cache: Path, three: list[Path]) -> None:
    store = open_store(three[1], cache_dir=cache).store
    store.close()
    with construction(store.path), pytest.raises(StoreError, match=f"PID {os.getpid()} on "):
        remove_store(store.path)


def test_opening_a_store_is_a_use_of_it(cache: Path, three: list[Path]) -> None:
    store = open_store(three[0], cache_dir=cache).store
    assert last_use(store.path) > 10**18


def test_without_a_limit_nothing_is_removed(cache: Path, three: list[Path]) -> None:
    keeping = Keeping(budget=lambda _: None)
    open_store(three[0], cache_dir=cache, force=True, keeping=keeping)
    assert len(stores_in(cache)) == 3


def test_one_store_may_be_larger_than_all_that_is_allowed(cache: Path, three: list[Path]) -> None:
    opened, _ = build(three[0], cache, 0)
    assert stores_in(cache) == [opened.store.path]


def test_the_budget_is_a_tenth_of_the_file_system_at_most_20_gb(tmp_path: Path) -> None:
    found = os.statvfs(tmp_path)
    tenth = found.f_blocks * found.f_frsize // 10
    assert default_budget(tmp_path) == min(tenth, 20 * 10**9)
    assert MOST_BYTES == 20 * 10**9


def test_what_a_reader_has_open_stays_while_it_is_built_again(
    cache: Path, three: list[Path]
) -> None:
    reader = open_store(three[0], cache_dir=cache).store
    newer = open_store(three[0], cache_dir=cache, force=True).store
    assert [store.ranks[0].path.parent.name for store in (reader, newer)] == ["1", "2"]
    assert reader.ranks[0].verify() == []
    reader.close()
    newer.close()
    assert not open_store(three[0], cache_dir=cache).built
    assert [one.name for one in newer.path.iterdir() if one.is_dir()] == ["2"]
