"""The pass in C: what it refuses, what makes no difference to it, and its memory."""

import random
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nest_drive import FIRST_SLICE, Drive, Row
from sanitized import NATIVE, compile_module, run_sanitized

from npuview.ingest.derive import nested
from npuview.ingest.derive.nesting import Placed, untangle

if nested.NEST is None:
    pytest.skip("the C module is not built", allow_module_level=True)

DRIVE = Drive(nested.NEST)
NEST = DRIVE.kind

rows = st.builds(
    Row,
    st.integers(0, 2),
    st.integers(0, 60) | st.integers(0, 900),
    st.just(0) | st.integers(0, 30) | st.integers(0, 500),
    st.integers(0, 7),
    st.integers(0, 10),
)
flows = st.tuples(st.integers(0, 2), st.integers(0, 900))


@settings(deadline=None)
@given(st.lists(rows), st.lists(flows), st.integers(1, 9), st.integers(1, 9))
def test_the_batches_in_which_rows_come_make_no_difference(
    slices: list[Row], arrows: list[tuple[int, int]], chunk: int, most_cells: int
) -> None:
    slices = DRIVE.ordered(slices)
    arrows.sort(key=lambda end: (end[1] >> DRIVE.block_bits, *end))
    whole = DRIVE(slices, arrows)
    assert DRIVE._replace(chunk=chunk, most_cells=most_cells)(slices, arrows) == whole


def assert_untangled(slices: list[Row]) -> None:
    """Hold nestings against those worked out one by one, each lane as one cluster."""
    # In one block lanes follow each other.
    drive = DRIVE._replace(block_bits=20)
    slices = drive.ordered(slices)
    placed = [Placed(n, row.track, 0, row.ts, row.dur) for n, row in enumerate(slices)]
    expected = [
        (one.depth, one.sublane, None if one.parent_id is None else FIRST_SLICE + one.parent_id)
        for one in untangle(placed)
    ]
    assert drive(slices, []).nestings == expected


@settings(deadline=None)
@given(st.lists(rows))
def test_slices_nest_as_they_are_untangled_one_by_one(slices: list[Row]) -> None:
    assert_untangled(slices)


@pytest.mark.parametrize("seed", range(20))
def test_slices_of_which_too_many_run_at_once_take_the_sublanes_that_are_free(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 # makes a trace, no secret
    longest = chance.choice((90, 200, 400))
    slices = [Row(0, n // 2, chance.randrange(longest), 0, 0) for n in range(1500)]
    # One that covers them all makes one cluster of them.
    assert_untangled([Row(0, 0, 5000, 0, 0), *slices])


@settings(deadline=None)
@given(st.lists(rows))
def test_a_cell_is_the_sum_of_its_halves(slices: list[Row]) -> None:
    made = DRIVE(DRIVE.ordered(slices), [])
    sums: dict[tuple[int, ...], tuple[int, int]] = {}
    found: dict[tuple[int, ...], tuple[int, int]] = {}
    for track, bucket, busy, count, _, part, level, _ in made.cells:
        assert (track, part, level, bucket) not in found
        found[track, part, level, bucket] = (busy, count)
        before = sums.get((track, part, level + 1, bucket >> 1), (0, 0))
        sums[track, part, level + 1, bucket >> 1] = (before[0] + busy, before[1] + count)
    coarse = {key: value for key, value in found.items() if key[2] > DRIVE.finest}
    assert coarse == {key: value for key, value in sums.items() if key[2] <= DRIVE.coarsest}


@pytest.mark.parametrize(
    ("slices", "arrows", "what"),
    [
        ([Row(0, 5, 1, 0, 0), Row(0, 4, 1, 0, 0)], [], "not in order"),
        ([Row(0, 5, 1, 0, 0), Row(0, 5, 2, 0, 0)], [], "not in order"),
        ([Row(1, 5, 1, 0, 0), Row(0, 6, 1, 0, 0)], [], "not in order"),
        ([Row(0, 64, 1, 0, 0), Row(1, 5, 1, 0, 0)], [], "not in order"),
        ([Row(3, 5, 1, 0, 0)], [], "no such lane"),
        ([Row(-1, 5, 1, 0, 0)], [], "no such lane"),
        ([Row(0, 5, -1, 0, 0)], [], "not a time"),
        ([Row(0, 5, (1 << 63) - 3, 0, 0)], [], "not a time"),
        ([Row(0, 5, 1, 8, 0)], [], "no such part"),
        ([], [(3, 5)], "no such lane"),
        ([], [(1, 5), (0, 6)], "not in order"),
        ([], [(1, 5), (1, 4)], "not in order"),
    ],
)
def test_rows_that_are_not_in_order_or_no_rows_are_refused(
    slices: list[Row], arrows: list[tuple[int, int]], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        DRIVE(slices, arrows)


def test_columns_that_do_not_hold_their_rows_are_refused() -> None:
    nest = NEST(tracks=1, first_track=0, first_ts=0, block_bits=0, finest=0, coarsest=0)
    one = array("q", [0])
    with pytest.raises(ValueError, match="column 2 has 8 bytes for 2 rows"):
        nest.slices(2, array("q", [0, 0]), array("q", [0, 0]), one, one, b"\0\0")
    with pytest.raises(ValueError, match="column 1 is not aligned"):
        nest.flows(1, one, memoryview(bytes(17))[1:])
    with pytest.raises(ValueError, match="fewer than 0"):
        nest.parts(-1, one, b"")
    with pytest.raises(TypeError):
        nest.parts(1, one, "part")  # pyright: ignore[reportArgumentType] # what is refused
    nest.flows(1, one, one)
    with pytest.raises(ValueError, match="not used up"):
        nest.flows(1, one, one)
    with pytest.raises(ValueError, match="not used up"):
        nest.bound()
    nest.parts(0, b"", b"")
    with pytest.raises(ValueError, match="has ended"):
        nest.parts(1, one, b"\1")


def test_a_part_of_no_slice_is_refused() -> None:
    nest = NEST(tracks=1, first_track=0, first_ts=0, block_bits=0, finest=0, coarsest=0)
    nest.slices(0, b"", b"", b"", b"", b"")
    nest.flows(0, b"", b"")
    nest.parts(1, array("q", [7]), b"\1")
    with pytest.raises(ValueError, match="a part of no slice"):
        nest.run()


@pytest.mark.parametrize(
    "wrong",
    [{"tracks": -1}, {"block_bits": 64}, {"finest": -1}, {"coarsest": -1}, {"most_cells": 0}],
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    right = {"tracks": 1, "first_track": 0, "first_ts": 0, "block_bits": 0, "finest": 0}
    with pytest.raises(ValueError, match="out of range"):
        NEST(**(right | {"coarsest": 0} | wrong))


def test_memory_is_not_misused_whatever_comes(tmp_path: Path) -> None:
    module = compile_module(tmp_path / "_nest.so", sorted(NATIVE.glob("nest_*.c")))
    said = run_sanitized(Path(__file__).with_name("nest_drive.py"), module)
    assert said.startswith("done, ")
    assert int(said.split()[1]) > 10
