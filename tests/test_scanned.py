"""The scanner in C and the reader in Python make the same of every text."""

import shutil
from collections.abc import Callable
from random import Random

import pytest
from event_texts import damaged, document, event_text
from hypothesis import given, settings
from hypothesis import strategies as st
from read_rows import Rows, reference_rows, scanned_rows

from npuview.ingest.compiled import has_scanner
from npuview.ingest.errors import IngestError
from npuview.ingest.read.window import Window

if shutil.which("cc") is None and not has_scanner():
    pytest.skip("there is no compiler, so no scanner", allow_module_level=True)

seeds = st.integers(0, (1 << 32) - 1)


def outcome(read: Callable[..., Rows], *texts: bytes, **ways: int) -> Rows | str:
    """Return what a reader makes of texts, or why it refuses the whole."""
    try:
        return read(*texts, **ways)
    except IngestError as error:
        return str(error)


def generated(chance: Random) -> bytes:
    return document([event_text(chance) for _ in range(chance.randrange(1, 12))], chance)


@given(seed=seeds, block=st.sampled_from([60, 300, 4 << 20]))
@settings(max_examples=500, deadline=None)
def test_generated_events_give_the_same_rows(seed: int, block: int) -> None:
    text = generated(Random(seed))  # noqa: S311 - made up the same every time
    assert outcome(scanned_rows, text, block=block) == outcome(reference_rows, text)


@given(seed=seeds, block=st.sampled_from([60, 300, 4 << 20]), jobs=st.integers(1, 3))
@settings(max_examples=500, deadline=None)
def test_damaged_texts_give_the_same_rows(seed: int, block: int, jobs: int) -> None:
    chance = Random(seed)  # noqa: S311 - made up the same every time
    text = damaged(generated(chance), chance)
    scanned = outcome(scanned_rows, text, block=block, jobs=jobs)
    assert scanned == outcome(reference_rows, text)


@given(seed=seeds, start=st.integers(0, 10**6), length=st.integers(1, 10**6))
@settings(max_examples=200, deadline=None)
def test_a_window_leaves_the_same_rows(seed: int, start: int, length: int) -> None:
    text = generated(Random(seed))  # noqa: S311 - made up the same every time
    first = 1717576055_000000_000 + start * 1000
    window = Window(first, first + length * 1000)
    scanned, reference = scanned_rows(text, window=window), reference_rows(text, window=window)
    assert scanned == reference
    whole = {row["seq"]: row for row in reference_rows(text).slices}
    assert all(whole[row["seq"]]["ts"] == row["ts"] for row in reference.slices)
    wanted = [
        row for row in whole.values()
        if row["dur"] is not None and window.has(row["ts"], row["dur"])
    ]  # fmt: skip
    assert [row for row in reference.slices if row["dur"] is not None] == wanted


@given(seed=seeds)
@settings(max_examples=100, deadline=None)
def test_files_of_one_profile_count_on(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - made up the same every time
    texts = generated(chance), generated(chance)
    assert outcome(scanned_rows, *texts, block=200) == outcome(reference_rows, *texts)


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param('"' + "x" * 1021 + '",', id="text"),
        # Each may be where a block is cut.
        pytest.param('{"k":1},{"k":[{"k":"' + "x" * 1000 + '"}]},', id="objects"),
    ],
)
@pytest.mark.parametrize(("block", "jobs"), [(1 << 20, 2), (5 << 20, 1)])
def test_an_event_of_12_mb_is_one_however_many_blocks_it_is_in(
    piece: str, block: int, jobs: int
) -> None:
    def event(name: str, ts: int, args: str = "{}") -> str:
        return f'{{"args":{args},"ph":"X","name":"{name}","pid":1,"tid":2,"ts":{ts},"dur":1}}'

    long = event("long", 2, f'{{"l":[{piece * ((12 << 20) // len(piece))}0]}}')
    text = f"[{event('a', 1)},{long},{event('b', 3)},{event('c', 4)}]".encode()
    scanned = scanned_rows(text, block=block, jobs=jobs)
    assert scanned == reference_rows(text)
    assert [(row["name"], row["ts"]) for row in scanned.slices] == [
        ("a", 1000), ("long", 2000), ("b", 3000), ("c", 4000),
    ]  # fmt: skip
    [notice] = scanned.notices
    assert (notice.name, notice.first_offset) == ("args_cut", text.index(long.encode()))
