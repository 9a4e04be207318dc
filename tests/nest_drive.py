"""Drives the pass in C with plain lists, without a database.

Run as a program it feeds made-up traces, good and bad, to the pass; a build with
sanitizers stops it where memory is misused.
"""

import random
import sys
from array import array
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from npuview.ingest._nest import Nest

FIRST_SLICE = 1 << 40


class Row(NamedTuple):
    track: int
    ts: int
    dur: int
    part: int
    code: int


class Made(NamedTuple):
    """What the pass has made: nestings, slices of arrows, cells in order, lanes."""

    nestings: list[tuple[int, int, int | None]]
    bound: list[int | None]
    cells: list[tuple[int, ...]]
    lanes: list[tuple[Any, ...]]


class Drive(NamedTuple):
    """A pass and how it is fed."""

    kind: "type[Nest]"
    tracks: int = 3
    block_bits: int = 5
    finest: int = 2
    coarsest: int = 6
    first_ts: int = 0
    chunk: int = 1 << 20
    most_cells: int = 1 << 17

    def ordered(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows in the order of the pass."""
        return sorted(rows, key=lambda r: (r.ts >> self.block_bits, r.track, r.ts, -r.dur))

    def __call__(self, rows: Sequence[Row], flows: Sequence[tuple[int, int]]) -> Made:
        """Feed rows and flows as they stand, chunk by chunk."""
        nest = self.kind(
            tracks=self.tracks,
            first_track=0,
            first_ts=self.first_ts,
            block_bits=self.block_bits,
            finest=self.finest,
            coarsest=self.coarsest,
            most_cells=self.most_cells,
        )
        slices = [(FIRST_SLICE + n, *row) for n, row in enumerate(rows)]
        parts = [(number, part) for number, _, _, _, part, _ in slices if part]
        at = {nest.SLICES: 0, nest.PARTS: 0, nest.FLOWS: 0}
        made = Made([], [], [], [])
        while (want := nest.run()) != nest.DONE:
            if want == nest.ROOM:
                made.cells.extend(cells(nest))
                continue
            begin = at[want]
            at[want] = end = begin + self.chunk
            if want == nest.SLICES:
                if begin:
                    made.nestings.extend(nestings(nest))
                held = slices[begin:end]
                number, track, ts, dur = (array("q", (row[n] for row in held)) for n in range(4))
                codes = bytes(row[5] for row in held)
                nest.slices(len(held), number, track, ts, dur, codes)
            elif want == nest.PARTS:
                stood = parts[begin:end]
                numbers = array("q", (number for number, _ in stood))
                nest.parts(len(stood), numbers, bytes(part for _, part in stood))
            else:
                if begin:
                    made.bound.extend(bound(nest))
                ends = flows[begin:end]
                tracks, times = ([end[n] for end in ends] for n in range(2))
                nest.flows(len(ends), array("q", tracks), array("q", times))
        made.cells.extend(cells(nest))
        made.cells.sort()
        made.lanes.extend(nest.lanes())
        return made


def nestings(nest: "Nest") -> list[tuple[int, int, int | None]]:
    """Return depth, sub-lane and parent of the slices of a batch."""
    nulls, depth, sublane, there, parent = nest.nestings()
    rows = zip(array("i", depth), array("i", sublane), optional(there, parent), strict=True)
    listed = list(rows)
    assert nulls == sum(parent is None for _, _, parent in listed)
    return listed


def bound(nest: "Nest") -> list[int | None]:
    """Return the slices of the arrows of a batch."""
    nulls, there, slices = nest.bound()
    listed = optional(there, slices)
    assert nulls == listed.count(None)
    return listed


def optional(there: bytes, values: bytes) -> list[int | None]:
    """Return values, None where the bit is not set."""
    return [
        value if there[n // 8] >> n % 8 & 1 else None for n, value in enumerate(array("q", values))
    ]


def cells(nest: "Nest") -> list[tuple[int, ...]]:
    """Return finished cells as tuples."""
    count, track, part, level, bucket, busy, starts, top, top_class = nest.cells()
    wide = (array("q", column) for column in (track, bucket, busy, starts, top))
    listed = list(zip(*wide, part, level, top_class, strict=True))
    assert len(listed) == count
    return listed


def made_up(chance: random.Random, tracks: int) -> tuple[list[Row], list[tuple[int, int]]]:
    """Return slices and ends of arrows, in no order."""
    span = chance.choice((20, 200, 5000))
    lengths = (0, 1, span // 9, span, chance.randrange(span))
    rows = [
        Row(
            chance.randrange(tracks),
            chance.randrange(span),
            chance.choice(lengths),
            chance.randrange(8),
            chance.randrange(11),
        )
        for _ in range(chance.randrange(300))
    ]
    flows = [(chance.randrange(tracks), chance.randrange(2 * span)) for _ in range(40)]
    return rows, flows


def main(path: str) -> None:
    """Feed a module made-up traces in order, in no order, and with impossible values."""
    spec = spec_from_file_location("_nest", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    chance = random.Random(1)  # noqa: S311 # makes traces, no secrets
    refused = 0
    for number in range(150):
        drive = Drive(
            module.Nest,
            block_bits=chance.randrange(64),
            coarsest=chance.randrange(2, 62),
            chunk=chance.choice((1, 7, 1000)),
            most_cells=chance.choice((1, 1000)),
        )
        rows, flows = made_up(chance, drive.tracks)
        if number % 3 == 0:
            wrong = (-(1 << 63), -1, 0, 3, 7, 8, 255, 1 << 62, (1 << 63) - 1)
            row = Row(*(chance.choice(wrong) for _ in range(3)), *(chance.choice(wrong[2:7]),) * 2)
            rows.insert(chance.randrange(len(rows) + 1), row)
            flows.append((chance.choice(wrong), chance.choice(wrong)))
        if number % 3 < 2:
            rows = drive.ordered(rows)
            flows.sort(key=lambda end: (end[1] >> drive.block_bits, *end))
        try:
            drive(rows, flows)
        except ValueError:
            refused += 1
    print(f"done, {refused} refused")  # noqa: T201 # what the test reads


if __name__ == "__main__":
    main(sys.argv[1])
