"""A bit that changed in a store, or an end that is missing, never makes a wrong answer."""

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from store_content import content, job_of_two

from npuview.ingest.errors import StoreError
from npuview.ingest.pipeline import Keeping, open_store
from npuview.ingest.store import IN_USE, Store
from npuview.queries.session import Session

WEIGHTS = {"index.duckdb": 8, "slice_arg.parquet": 8, "manifest.json": 8}
"""How often files are chosen that questions read; the rest are read by others."""


def damage(file: Path, chance: random.Random) -> None:
    """Change one bit of a file, or cut off its end."""
    kept = bytearray(file.read_bytes())
    if chance.random() < 0.2:
        del kept[chance.randrange(len(kept)) :]
    else:
        kept[chance.randrange(len(kept))] ^= 1 << chance.randrange(8)
    file.write_bytes(kept)


def found_by_verify(path: Path) -> bool:
    try:
        store = Store.open(path)
    except StoreError:
        return True
    found = any(rank.verify() for rank in store.ranks)
    store.close()
    return found


@pytest.mark.parametrize("mutations", [24, pytest.param(500, marks=pytest.mark.slow)])
def test_what_is_damaged_is_said_or_made_again_and_never_answered(
    tmp_path: Path, mutations: int
) -> None:
    path = job_of_two(tmp_path / "job")
    cache, kept = tmp_path / "cache", tmp_path / "kept"
    opened = open_store(path, cache_dir=cache)
    right = content(opened.store)
    opened.store.close()
    shutil.copytree(cache, kept)
    files = [file.relative_to(kept) for file in kept.rglob("*.*") if file.is_file()]
    files = sorted(file for file in files if file.suffix != ".lock")
    chance = random.Random(mutations)  # noqa: S311 - places, no secrets
    ends: Counter[str] = Counter()
    for turn in range(mutations):
        shutil.rmtree(cache)
        shutil.copytree(kept, cache)
        [file] = chance.choices(files, [WEIGHTS.get(one.name, 1) for one in files])
        damage(cache / file, chance)
        same = (cache / file).read_bytes() == (kept / file).read_bytes()
        assert found_by_verify(opened.store.path) or same, f"turn {turn}: {file}"
        said: list[str] = []
        again = open_store(path, cache_dir=cache, keeping=Keeping(said.append))
        assert again.built == any("building it again" in one for one in said)
        end = "built again" if again.built else "answered"
        try:
            assert content(again.store) == right, f"turn {turn}: {file}"
        except StoreError:
            end = "refused"
            again.store.close()
            again = open_store(path, cache_dir=cache, keeping=Keeping(doubt=True))
            assert content(again.store) == right, f"turn {turn}: {file}"
        again.store.close()
        ends[f"{file.name if file.name in WEIGHTS else 'other'} {end}"] += 1
    print(dict(ends))  # noqa: T201 # figures, seen with -s
    assert ends["manifest.json answered"] == 0
    assert ends["slice_arg.parquet answered"] == 0


def test_a_damaged_file_of_the_record_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = job_of_two(tmp_path / "job")
    store = open_store(path, cache_dir=tmp_path / "cache").store
    file = store.ranks[1].parquet("slice")
    place = file.read_bytes()
    file.write_bytes(place[:20] + bytes([place[20] ^ 1]) + place[21:])
    with (
        pytest.raises(StoreError, match=r"slice\.parquet: content differs.*--force PATH"),
        Session(store, engine="parquet") as session,
    ):
        session.sql("SELECT 1")


def test_the_file_that_says_that_a_store_is_in_use_may_be_lost(tmp_path: Path) -> None:
    path = job_of_two(tmp_path / "job")
    store = open_store(path, cache_dir=tmp_path / "cache").store
    right = content(store)
    (store.path / IN_USE).unlink()
    again = open_store(path, cache_dir=tmp_path / "cache")
    assert not again.built
    assert content(again.store) == right
