"""One pass in C makes what the SELECTs make: nestings, ends of arrows, cells, lanes."""

import random
import threading
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npuview.ingest.derive import nested
from npuview.ingest.derive.nested import CLASSES, PARTS, Grid, nest_slices, nest_stretches
from npuview.ingest.derive.sets import cells_by_sets, nest_by_sets
from npuview.ingest.progress import Work
from npuview.ingest.read.rows import FLOW_ROWS, batch
from npuview.ingest.workspace import Workspace

pytestmark = pytest.mark.skipif(nested.NEST is None, reason="the C module is not built")

BASE = 3 << 40
TRACKS = 4
TABLES = ("nesting", "flow_end", "lod", "lane_row")


class Slice(NamedTuple):
    track: int
    ts: int
    dur: int
    part: int
    class_: int


class Trace(NamedTuple):
    """Slices, ends of arrows as (track, ts), spans of the last lane as (gap, dur)."""

    slices: list[Slice]
    flows: list[tuple[int, int]]
    stretches: list[tuple[int, int]]
    block_bits: int
    grid: Grid


def fill(space: Workspace, trace: Trace) -> None:
    """Make the tables that come before: placed, part, lane, read_flow and stretch."""
    placed = sorted(
        trace.slices, key=lambda one: (one.ts >> trace.block_bits, one.track, one.ts, -one.dur)
    )
    rows = [(BASE + n, BASE + one.track, *one[1:]) for n, one in enumerate(placed)]
    names = ["slice_id", "track_id", "ts", "dur", "part", "class"]
    schema = pa.schema([(name, pa.int64()) for name in names])
    space.add("row", batch(rows, schema) if rows else schema.empty_table())
    for name, words, condition in (("class", CLASSES, ""), ("part", PARTS, "WHERE part > 0")):
        listed = ", ".join(f"'{word}'" for word in words)
        place = "part" if condition else "class + 1"
        space.rows(
            f"CREATE TABLE {'part' if condition else 'placed'} AS SELECT * EXCLUDE (part, class),"
            f" (list_value({listed})[{place}])::ENUM ({listed}) AS {name}"
            f" FROM row {condition} ORDER BY slice_id"
        )
    lanes = [(n, BASE + n) for n in range(TRACKS)]
    space.add("lane", batch(lanes, pa.schema([("lane", pa.int32()), ("track_id", pa.int64())])))
    if trace.flows:
        ends = [(n, n % 3, 1, 2, n, track, ts) for n, (track, ts) in enumerate(trace.flows)]
        space.flows(batch(ends, FLOW_ROWS))
    at = trace.grid.first_ts
    stretches: list[tuple[int, int, int, int]] = []
    for gap, dur in trace.stretches:
        stretches.append((BASE + TRACKS - 1, at + gap, dur, at + gap + dur))
        at += gap + dur
    names = ["track_id", "ts", "dur", "end_ts"]
    schema = pa.schema([(name, pa.int64()) for name in names])
    space.add("stretch", batch(stretches, schema) if stretches else schema.empty_table())


def in_c(space: Workspace, trace: Trace) -> None:
    bits, work = trace.block_bits, Work()
    nest_slices(space, trace.grid, work, base=BASE, tracks=TRACKS, block_bits=bits)
    nest_stretches(space, trace.grid, work, base=BASE, tracks=TRACKS)
    space.derive("lod_sorted", into="lod")


def by_sets(space: Workspace, trace: Trace) -> None:
    nest_by_sets(space, Work())
    cells_by_sets(space, trace.grid, Work())


def assert_same(folder: Path, trace: Trace) -> None:
    found: list[dict[str, list[tuple[object, ...]]]] = []
    for make in (in_c, by_sets):
        with Workspace(folder, threads=1, stop=threading.Event()) as space:
            fill(space, trace)
            make(space, trace)
            columns = {
                name: sorted(row[1] for row in space.rows(f"PRAGMA table_info('{name}')"))
                for name in TABLES
            }
            found.append(
                {
                    name: sorted(
                        space.rows(f"SELECT {', '.join(columns[name])} FROM {name}"), key=repr
                    )
                    for name in TABLES
                }
                | {"order": space.rows("SELECT level, bucket, track_id, part FROM lod")}
            )
    for name in found[0]:
        assert found[0][name] == found[1][name], name


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    start = draw(st.sampled_from((0, -37, 10**18)))
    finest = draw(st.integers(0, 4))
    ts = st.integers(start, start + 40) | st.integers(start, start + 300)
    if draw(st.booleans()):
        ts |= st.integers(0, 3)
    dur = st.just(0) | st.integers(0, 12) | st.integers(0, 300)
    part = st.just(0) | st.integers(0, len(PARTS))
    one = st.builds(
        Slice, st.integers(0, TRACKS - 2), ts, dur, part, st.integers(0, len(CLASSES) - 1)
    )
    return Trace(
        draw(st.lists(one, max_size=40)),
        draw(st.lists(st.tuples(st.integers(0, TRACKS - 1), ts), max_size=12)),
        draw(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=4)),
        draw(st.integers(0, 10) | st.just(63)),
        # Slices before the first ts may reach beyond it, but have no cells.
        Grid(
            finest, finest + draw(st.integers(0, 6)), start + draw(st.just(0) | st.integers(0, 60))
        ),
    )


@settings(max_examples=40, deadline=None)
@given(traces())
def test_the_pass_makes_what_the_selects_make(
    tmp_path_factory: pytest.TempPathFactory, trace: Trace
) -> None:
    assert_same(tmp_path_factory.mktemp("nested"), trace)


@pytest.mark.parametrize("seed", range(4))
def test_many_slices_at_once_take_the_sublanes_that_the_selects_give(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 # makes a trace, no secret
    slices = [
        Slice(0, chance.randrange(400), chance.choice((0, 5, 90, 400)), chance.randrange(3), 0)
        for _ in range(500)
    ]
    flows = [(0, chance.randrange(800)) for _ in range(50)]
    trace = Trace(slices, flows, [], 5, Grid(3, 8, 0))
    assert_same(tmp_path, trace)
