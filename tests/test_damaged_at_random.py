"""Small traces damaged at random: the reader keeps what an independent splitter finds."""

import random
import time
from pathlib import Path

import pytest
from kept_rows import kept
from mutate import damaged, small_trace
from read_rows import reference_rows, scanned_rows
from splitter import whole_slices

from npuview.ingest import compiled
from npuview.ingest.errors import IngestError

FEW, MANY = 500, 10_000
HANGS_AFTER_SECONDS = 2
READERS = ["on", "off"] if compiled.has_scanner() else ["off"]


def check(seed: int, path: Path) -> None:
    """Damage a trace, read it, and compare."""
    chance = random.Random(seed)  # noqa: S311 # made up the same every time
    text = damaged(chance, small_trace(chance))
    path.write_bytes(text)
    whole = whole_slices(text)
    begun = time.process_time()
    try:
        found = kept(path)
    except IngestError as error:
        if whole:
            raise AssertionError(f"seed {seed} is refused") from error
        return
    assert time.process_time() - begun < HANGS_AFTER_SECONDS, seed
    assert found.in_order == whole, seed
    assert all(one.first_offset is None or one.first_offset <= len(text) for one in found.losses)


@pytest.fixture(params=READERS)
def path(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(compiled.VARIABLE, request.param)
    return tmp_path / "t.json"


def test_damaged_traces_keep_what_is_intact(path: Path) -> None:
    for seed in range(FEW):
        check(seed, path)


@pytest.mark.skipif(not compiled.has_scanner(), reason="there is no scanner to compare with")
@pytest.mark.parametrize("block", [60, 300, 4 << 20])
def test_damaged_traces_give_the_same_rows_by_both_readers(block: int) -> None:
    for seed in range(FEW // 2):
        chance = random.Random(seed)  # noqa: S311 # made up the same every time
        text = damaged(chance, small_trace(chance))
        assert scanned_rows(text, block=block) == reference_rows(text), seed


@pytest.mark.slow
def test_many_damaged_traces_keep_what_is_intact(path: Path) -> None:
    for seed in range(FEW, MANY):
        check(seed, path)
