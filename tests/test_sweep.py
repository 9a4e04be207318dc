"""The pass in C by itself: exact however it is fed, and nothing makes it read or count wrong."""

import struct
import subprocess
import threading
from array import array
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from device_spans import (
    FIRST_TS,
    Gap,
    Segment,
    Span,
    expected_gaps,
    expected_segments,
    in_order,
    spans,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sanitized import NATIVE, compile_sanitized

from npuview.ingest.derive.device_states import SWEEP

if TYPE_CHECKING:
    from npuview.ingest._sweep import Columns, Sweep

needs_sweep = pytest.mark.skipif(SWEEP is None, reason="the C module is not built")
SPAN = Span(10, 20, 1, 0)


def sweep_of(edges: list[int]) -> "Sweep":
    assert SWEEP is not None
    return SWEEP(array("q", edges))


def fed(sweep: "Sweep", rows: list[Span]) -> "tuple[Columns, Columns]":
    ts, end_ts, state, slice_id = ([row[at] for row in rows] for at in range(4))
    return sweep.feed(array("q", ts), array("q", end_ts), bytes(state), array("q", slice_id))


def rows_of(told: "tuple[Columns, Columns]") -> tuple[list[Segment], list[Gap]]:
    segments, gaps = told
    count = len(segments[2])
    numbers = [struct.unpack(f"{len(values) // 8}q", values) for values in (*segments[:2], *gaps)]
    flags = [[bits[at // 8] >> at % 8 & 1 == 1 for at in range(count)] for bits in segments[3:]]
    assert all(len(bits) == (count + 7) // 8 for bits in segments[3:])
    columns: Any = (*numbers[:2], segments[2], *flags)
    return (
        [Segment(*row) for row in zip(*columns, strict=True)],
        [Gap(*row) for row in zip(*numbers[2:], strict=True)],
    )


@needs_sweep
@settings(deadline=None)
@given(spans, st.sets(st.integers(-10, 100)), st.integers(1, 41))
def test_however_many_spans_come_at_once_the_rows_are_the_same(
    rows: list[Span], offsets: set[int], size: int
) -> None:
    rows, edges = in_order(rows), sorted(FIRST_TS + offset for offset in offsets)
    sweep = sweep_of(edges)
    segments: list[Segment] = []
    gaps: list[Gap] = []
    for at in range(0, len(rows), size):
        more_segments, more_gaps = rows_of(fed(sweep, rows[at : at + size]))
        segments += more_segments
        gaps += more_gaps
    more_segments, more_gaps = rows_of(sweep.finish())
    assert segments + more_segments == expected_segments(rows, edges)
    assert gaps + more_gaps == expected_gaps(rows)


@needs_sweep
def test_thousands_of_open_spans_end_in_their_order() -> None:
    chance = Random(5)  # noqa: S311 - made up the same every time
    rows = [
        Span(at, 10_000 + chance.randrange(10**6), chance.randrange(1, 10), at)
        for at in range(5_000)
    ]
    sweep = sweep_of([])
    first, _ = rows_of(fed(sweep, rows))
    last, _ = rows_of(sweep.finish())
    edges = sorted({row.ts for row in rows} | {row.end_ts for row in rows})
    assert [row.ts for row in first + last] == edges[:-1]
    assert [row.end_ts for row in first + last] == edges[1:]


@needs_sweep
@pytest.mark.parametrize(
    ("rows", "error", "says"),
    [
        ([SPAN, Span(9, 30, 1, 1)], ValueError, "not in the order"),
        ([Span(10, 10, 1, 0)], ValueError, "does not end after"),
        ([Span(10, -(2**63), 1, 0)], ValueError, "does not end after"),
        ([Span(10, 20, 0, 0)], ValueError, "not one of 1 to 9"),
        ([Span(10, 20, 10, 0)], ValueError, "not one of 1 to 9"),
        (
            [Span(-(2**63), -(2**63) + 1, 1, 0), Span(-(2**63) + 1, 2**63 - 2, 9, 1),
             Span(2**63 - 2, 2**63 - 1, 1, 2)],
            OverflowError,
            "longer than 64 bits",
        ),
    ],
)  # fmt: skip
def test_spans_that_cannot_be_are_refused_and_end_the_pass(
    rows: list[Span], error: type[Exception], says: str
) -> None:
    sweep = sweep_of([])
    with pytest.raises(error, match=says):
        fed(sweep, rows)
    with pytest.raises(RuntimeError, match="is over"):
        fed(sweep, [SPAN])
    with pytest.raises(RuntimeError, match="is over"):
        sweep.finish()


@needs_sweep
def test_the_whole_range_of_64_bits_is_swept() -> None:
    sweep = sweep_of([-(2**63), 2**63 - 1])
    first, _ = rows_of(fed(sweep, [Span(-(2**63), 2**63 - 1, 1, -5)]))
    last, _ = rows_of(sweep.finish())
    assert first + last == [Segment(-(2**63), 2**63 - 1, 1, True, False)]


@needs_sweep
def test_columns_of_other_lengths_are_refused_before_they_are_read() -> None:
    two, one, odd = array("q", [1, 2]), array("q", [1]), b"\0" * 9
    for columns in (
        (one, two, b"\1\1", two),
        (two, one, b"\1\1", two),
        (two, two, b"\1\1", one),
        (two, two, b"\1", two),
        (two, two, b"", two),
        (odd, odd, b"\1", odd),
    ):
        with pytest.raises(ValueError, match="not of one length"):
            sweep_of([]).feed(*columns)
    assert rows_of(sweep_of([]).feed(b"", b"", b"", b"")) == ([], [])


@needs_sweep
def test_borders_ascend_and_are_copied() -> None:
    with pytest.raises(ValueError, match="ascend"):
        sweep_of([1, 1])
    assert SWEEP is not None
    with pytest.raises(ValueError, match="64 bits"):
        SWEEP(b"\0" * 12)
    with pytest.raises(TypeError):
        SWEEP("text")  # pyright: ignore[reportArgumentType] # what a caller must not give
    edges = array("q", [12, 14])
    sweep = SWEEP(edges)
    edges[0], edges[1] = 99, 100
    fed(sweep, [SPAN])
    segments, _ = rows_of(sweep.finish())
    assert [(row.ts, row.end_ts) for row in segments] == [(10, 12), (12, 14), (14, 20)]


@needs_sweep
def test_a_sweep_of_two_threads_is_refused_or_swept_in_turn() -> None:
    rows = [Span(at, at + 1, 1, at) for at in range(200_000)]
    sweep = sweep_of([])
    answers: list[object] = []

    def feed() -> None:
        try:
            answers.append(len(fed(sweep, rows)[0][2]))
        except (RuntimeError, ValueError) as error:
            answers.append(str(error))

    threads = [threading.Thread(target=feed) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 199_999 in answers
    [other] = [answer for answer in answers if answer != 199_999]
    assert "another thread" in str(other) or "not in the order" in str(other)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the pass with the sanitizers, without Python."""
    sources = [NATIVE / "sweep.c", Path(__file__).with_name("sweep_driver.c")]
    made = tmp_path_factory.mktemp("driver") / "sweep"
    return compile_sanitized(made, sources, "-Wconversion", f"-I{NATIVE}")


def driven(driver: Path, text: str) -> list[tuple[str, *tuple[int, ...]]]:
    done = subprocess.run(
        [driver], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(kind, *map(int, numbers)) for kind, *numbers in lines]


def test_the_sanitizers_find_nothing_in_devices_of_all_kinds(driver: Path) -> None:
    chance = Random(11)  # noqa: S311 - made up the same every time
    lines: list[str] = []
    expected: list[tuple[str, *tuple[int, ...]]] = []
    for _ in range(200):
        reach = chance.choice([5, 60, 5000])
        rows = [
            Span(ts, ts + chance.randrange(1, reach), chance.randrange(1, 10), number)
            for number, ts in enumerate(
                sorted(chance.choices(range(reach), k=chance.randrange(80)))
            )
        ]
        edges = sorted({chance.randrange(reach) for _ in range(chance.randrange(5))})
        lines += [f"b {edge}" for edge in edges]
        lines += [f"s {' '.join(map(str, row))}" for row in rows]
        lines.append("f")
        expected += [("segment", *map(int, row)) for row in expected_segments(rows, edges)]
        expected += [("gap", *row) for row in expected_gaps(rows)]
    assert driven(driver, "\n".join(lines)) == expected


def test_the_sanitizers_find_nothing_at_the_ends_of_64_bits(driver: Path) -> None:
    chance = Random(12)  # noqa: S311 - made up the same every time
    ends = [-(2**63), -(2**63) + 1, -1, 0, 1, 2**63 - 2, 2**63 - 1]
    lines: list[str] = []
    for _ in range(5_000):
        ts, end_ts, slice_id = chance.choices(ends, k=3)
        lines.append(f"s {ts} {end_ts} {chance.randrange(12)} {slice_id}")
        if not chance.randrange(8):
            lines.append("f")
    # A wait as long as all of time between two tasks.
    first, last = ends[0], ends[-1]
    lines += ["f", f"s {first} {first + 1} 1 0", f"s {first + 1} {last - 1} 9 1"]
    lines += [f"s {last - 1} {last} 1 2", "f"]
    found = driven(driver, "\n".join(lines))
    assert {row[0] for row in found} == {"segment", "gap", "refused"}
    assert {row[1] for row in found if row[0] == "refused"} == {2, 3, 4, 5}
