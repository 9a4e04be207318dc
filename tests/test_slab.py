"""What is loaded for the timeline: time that adds up, and values that hold."""

from collections.abc import Iterator
from itertools import chain, repeat
from random import Random

import pytest
from store_build import StoreBuilder

from npuview.tui.answers import Answers, open_answers
from npuview.tui.draw.look import Look
from npuview.tui.draw.viewport import Viewport
from npuview.tui.timeline.lanes import Lane, Lanes
from npuview.tui.timeline.rank_lanes import load_rank
from npuview.tui.timeline.slab import finest_level, load_slab, load_whole

LOOK = Look()
END = 1 << 16
SAMPLES = [(9_000, 40.0), (20_000, 80.0), (20_010, 10.0), (50_000, 0.0), (60_000, 20.0)]
"""When a counter is measured, ns, and its value; another one is less than zero by that."""


def spans() -> list[tuple[int, int, int]]:
    """Return ts, dur and depth of slices on a host lane: calls with calls in them."""
    random = Random(11)  # noqa: S311 - made up the same every time
    found: list[tuple[int, int, int]] = []
    at = 100
    while at < END - 4000:
        dur = random.randint(0, 3000)
        found.append((at, dur, 0))
        if dur > 10:
            found.append((at + 3, dur // 2, 1))
        at += dur + random.choice((0, 1, 700))
    return found


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    builder = StoreBuilder(tmp_path_factory.mktemp("slab")).rank(0)
    builder.add("track", track_id=1, kind="cann", sort_order=1)
    builder.add("track", track_id=2, kind="device", device_id=0, sort_order=2)
    builder.add("lane_part", track_id=1, slices=1, busy=END, launches=3, deepest=1)
    builder.add("lane_part", track_id=2, slices=0, busy=1)
    builder.add("stretch", track_id=2, ts=1000, dur=500)
    for number, (ts, dur, depth) in enumerate(spans()):
        builder.add(
            "slice",
            slice_id=number,
            track_id=1,
            ts=ts,
            dur=dur,
            depth=depth,
            sublane=0,
            name="call",
            class_="host",
            phase="X",
            unfinished=False,
        )
    for series in (0, 1):
        builder.add("counter_series", series_id=series, track_id=9, name="HBM", key=str(series))
        for ts, value in SAMPLES:
            builder.add(
                "counter", series_id=series, ts=ts, value=value if series == 0 else -1 - value
            )
    builder.rank(1).add("lod", track_id=1, level=3, bucket=0, busy=1, count=1)
    builder.add("track", track_id=1, kind="host", sort_order=1)
    made = open_answers(builder.build())
    yield made
    made.close()


@pytest.fixture(scope="module")
def lanes(answers: Answers) -> Lanes:
    """Return the lanes with the depths and all counters opened."""
    lanes = load_rank(answers, 0).lanes
    for one in lanes.all:
        if lanes.hidden(one) or one.row.deepest:
            lanes = lanes.turned(one)
    return lanes


def busy_in(view: Viewport, depth: int | None = None) -> int:
    """Return how long the host lane is busy in a view, instant by instant."""
    busy: set[int] = set()
    for ts, dur, own in spans():
        if depth is None or own == depth:
            busy.update(range(max(ts, view.from_ts), min(ts + dur, view.to_ts)))
    return len(busy)


def value_at(ts: int) -> float | None:
    return next((value for start, value in reversed(SAMPLES) if start <= ts), None)


def lane_of(lanes: Lanes, track: int, depth: int | None = None) -> Lane:
    return next(
        one
        for one in lanes.shown
        if one.row.track_id == track and one.depth == depth and one.counter is None
    )


def counters_of(lanes: Lanes) -> list[Lane]:
    return [one for one in lanes.shown if one.counter is not None]


@pytest.mark.parametrize("level", [4, 9, 11])
def test_time_of_every_part_of_the_window_adds_up(
    level: int, answers: Answers, lanes: Lanes
) -> None:
    view = Viewport(level, 20_000 >> level, 16)
    slab = load_slab(answers, 0, lanes, view, None, LOOK)
    for depth in (None, 0, 1):
        ink = slab.of(lane_of(lanes, 1, depth))
        for first in range(slab.window.first, slab.window.first + 33, 7):
            part = Viewport(level, first, 16)
            assert ink.busy(part) == busy_in(part, depth)
        assert ink.busy(slab.window) == busy_in(slab.window, depth)


def test_a_sub_lane_has_only_the_blocks_of_its_depth(answers: Answers, lanes: Lanes) -> None:
    slab = load_slab(answers, 0, lanes, Viewport(6, 0, 200), None, LOOK)
    whole = slab.of(lane_of(lanes, 1)).blocks
    for depth in (0, 1):
        blocks = slab.of(lane_of(lanes, 1, depth)).blocks
        assert blocks
        assert [one.depth for one in blocks] == [depth] * len(blocks)
        assert list(blocks) == [one for one in whole if one.depth == depth]


@pytest.mark.parametrize("level", [6, 8, 12])
def test_a_value_holds_until_the_next_sample(level: int, answers: Answers, lanes: Lanes) -> None:
    [measured] = [one for one in counters_of(lanes) if one.row.track_id == 0]
    view = Viewport(level, 0, 20)
    expected_most = 0.0
    for _ in range(0, END >> level, 20):
        slab = load_slab(answers, 0, lanes, view, None, LOOK)
        ink = slab.of(measured)
        values = chain(ink.values, repeat(None, slab.window.cells - len(ink.values)))
        for at, value in enumerate(values):
            start, end = slab.window.ts_of(at), slab.window.ts_of(at + 1)
            inside = [one for ts, one in SAMPLES if start < ts < end]
            known = [one for one in (value_at(start), *inside) if one is not None]
            # After its last sample it is not known.
            assert value == (max(known, default=None) if start <= SAMPLES[-1][0] else None)
        expected_most = max(expected_most, ink.most(view) or 0.0)
        view = view.panned(view.cells)
    assert expected_most == 80.0


def test_before_the_first_sample_there_is_no_value(answers: Answers, lanes: Lanes) -> None:
    view = Viewport(5, 0, 10)
    ink = load_slab(answers, 0, lanes, view, None, LOOK).of(counters_of(lanes)[0])
    assert ink.most(view) is None
    assert ink.coverage.glyphs.strip() == ""


def test_only_the_most_fills_a_cell_and_nothing_is_blank(answers: Answers, lanes: Lanes) -> None:
    [measured] = [one for one in counters_of(lanes) if one.row.track_id == 0]
    slab = load_slab(answers, 0, lanes, Viewport(8, 0, 256), None, LOOK)
    ink, ramp = slab.of(measured), LOOK.signs.ramp
    cells = len(ink.values)
    drawn = dict(zip(ink.values, ink.coverage.glyphs[:cells], strict=True))
    assert ink.coverage.glyphs[cells:].strip() == ""
    assert set(drawn) == {None, 40.0, 80.0, 10.0, 0.0, 20.0}
    assert (drawn[None], drawn[0.0], drawn[80.0]) == (ramp[0], ramp[0], ramp[-1])
    steps = [ramp.index(drawn[value]) for value in (0.0, 10.0, 20.0, 40.0, 80.0)]
    assert steps == sorted(set(steps))


def test_a_counter_below_zero_is_told_and_has_no_ink(answers: Answers, lanes: Lanes) -> None:
    [negative] = [one for one in counters_of(lanes) if one.row.track_id == 1]
    view = Viewport(8, 0, 256)
    ink = load_slab(answers, 0, lanes, view, None, LOOK).of(negative)
    assert ink.most(view) == -1.0
    assert ink.coverage.glyphs.strip() == ""


def test_a_slab_serves_the_views_and_lanes_that_it_was_asked_for(
    answers: Answers, lanes: Lanes
) -> None:
    view = Viewport(8, 40, 20)
    slab = load_slab(answers, 0, lanes, view, None, LOOK)
    for cells in (-view.cells, 0, view.cells):
        assert slab.serves(0, view.panned(cells), lanes.shown)
    assert not slab.serves(0, view.panned(view.cells + 1), lanes.shown)
    assert not slab.serves(1, view, lanes.shown)
    fewer = load_slab(answers, 0, Lanes.of([lanes.all[0].row]), view, None, LOOK)
    assert not fewer.serves(0, view, lanes.shown)
    assert fewer.of(counters_of(lanes)[0]) == fewer.blank


def test_each_rank_has_its_own_finest_level(answers: Answers) -> None:
    assert [finest_level(answers, rank) for rank in (0, 1)] == [None, 3]


def test_the_strip_over_the_whole_shows_when_devices_work(answers: Answers) -> None:
    [device] = load_rank(answers, 0).device_tracks
    whole = Viewport(9, 0, 128)
    drawn = load_whole(answers, [device], whole, None, LOOK)
    inked = [at for at, glyph in enumerate(drawn.glyphs) if glyph != LOOK.signs.ramp[0]]
    assert inked == [1, 2]
    assert load_whole(answers, [], whole, None, LOOK).glyphs == LOOK.signs.ramp[0] * 128
