"""What is under the cursor in two runs, and the difference."""

from collections.abc import Sequence
from typing import NamedTuple

from ...queries.rows import GapsRow
from ...queries.rows_timeline import AtInstantRow
from ..answers import Answers
from ..draw import numbers
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.ruler import Ruler
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, pad
from ..draw.viewport import Viewport
from ..focus import Window
from ..timeline.lanes import Lane
from ..timeline.selected import MOST_UNDER_CURSOR
from ..widgets.canvas import Line
from ..words.reasons import cause_words
from ..words.spoken import say

PLACE_CELLS = 26
PLACE_FROM = 60
"""Cells from which on there is room for where something begins and ends."""

LEAST_NAME = 12


class Thing(NamedTuple):
    """A slice or gap: name, start and length, ns."""

    name: str
    ts: int
    dur: int


def load_things(answers: Answers, lane: Lane, cell: Window, rank: int) -> list[Thing]:
    """Ask what lies in a cell of a lane, longest first; raises as ``Session.run`` does."""
    if lane.absent or lane.counter is not None:
        return []
    begin, end = cell
    if lane.is_gap:
        gaps = answers.rows(
            "gaps", GapsRow, rank=rank, from_ts=begin, to_ts=end, limit=MOST_UNDER_CURSOR
        )
        return [
            Thing(_gap_name(one), one.ts, one.dur)
            for one in gaps
            if one.device_id == lane.row.device_id
        ]
    track, part, depth = lane.key
    rows = answers.rows(
        "at_instant",
        AtInstantRow,
        from_ts=begin,
        to_ts=end,
        track_id=track,
        part=part,
        limit=MOST_UNDER_CURSOR,
    )
    return [Thing(one.name, one.ts, one.dur) for one in rows if depth in {None, one.depth}]


def alike(one: Sequence[Thing], other: Sequence[Thing]) -> tuple[Thing | None, Thing | None]:
    """Return the longest thing that both runs have by its name, else the longest of each."""
    for thing in one:
        for there in other:
            if thing.name == there.name:
                return thing, there
    return (one[0] if one else None), (other[0] if other else None)


def cursor_rows(
    things: tuple[Thing | None, Thing | None],
    lanes: tuple[Lane, Lane],
    rulers: tuple[Ruler, Ruler],
    views: tuple[Viewport, Viewport],
    width: int,
) -> list[Line]:
    """Return a row of A, one of B and one of the difference; places from the step of each."""
    lines: list[Line] = []
    for letter, thing, lane, ruler, view in zip("AB", things, lanes, rulers, views, strict=True):
        lines.append(_row(letter, thing, lane, ruler, view, width))
    first, second = things
    if first is None or second is None:
        said = say("nothing_to_compare")
        lines.append([Run(f"  {fitted(said, width - 2)}", Role.PLAIN)])
        return lines
    difference = second.dur - first.dur
    sign = "+" if difference > 0 else ""
    change = numbers.change(first.dur, second.dur)
    offsets = [
        thing.ts - ruler.origin for thing, ruler in zip((first, second), rulers, strict=True)
    ]
    later = offsets[1] - offsets[0]
    begins = say("begins_later" if later > 0 else "begins_earlier", time=numbers.time(abs(later)))
    if later == 0:
        begins = say("begins_alike")
    said = [begins] if first.name == second.name else [say("other_name"), begins]
    head = f"  B - A  {sign}{numbers.time(difference)}   {change}"
    rest = fitted(say("comma").join(said), max(0, width - cell_len(head) - 4))
    lines.append([Run(head, Role.PLAIN, attributes=Attributes.BOLD), Run(f"   {rest}", Role.PLAIN)])
    return lines


def _row(
    letter: str, thing: Thing | None, lane: Lane, ruler: Ruler, view: Viewport, width: int
) -> Line:
    head = Run(f"  {letter}  ", Role.PLAIN, attributes=Attributes.BOLD)
    if thing is None:
        said = "nothing_runs" if not lane.absent else "lane_of_other_run"
        if lane.counter is not None:
            said = "counter_not_compared"
        return [head, Run(fitted(say(said), width - 5), Role.PLAIN)]
    wide = width >= PLACE_FROM
    room = max(LEAST_NAME, width - 5 - 10 - (PLACE_CELLS + 3 if wide else 0))
    runs = [
        head,
        Run(f"{pad(fitted(clean(thing.name), room), min(room, 44))}  ", Role.PLAIN),
        Run(numbers.time_field(thing.dur), Role.PLAIN, attributes=Attributes.BOLD),
    ]
    if wide:
        runs.append(Run(f"   {_stretch(thing, ruler, view)}", Role.PLAIN))
    return runs


def _stretch(thing: Thing, ruler: Ruler, view: Viewport) -> str:
    finest = min(view.cell_ns, max(1, thing.dur // 20))
    ends = (thing.ts, thing.ts + thing.dur)
    places = (numbers.place(one - ruler.origin, finest, ruler.unit) for one in ends)
    return " … ".join(places)


def _gap_name(gap: GapsRow) -> str:
    return say("gap_of", cause=cause_words(gap.cause))
