"""What is selected on the timeline: a slice, a gap, or a stretch of time without either."""

from collections.abc import Sequence

from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ..answers import Answers
from ..draw import numbers
from ..draw.mark import Mark
from ..draw.run import SELECTED
from ..focus import Selection, Window
from ..words.spoken import say
from .gap_cause import copied_gap
from .lanes import Lane
from .selected import SelectedSlice, load_slice

Found = SelectedSlice | GapsRow | Selection
"""A ``Selection`` stands for itself: what lies there is neither one slice nor one gap."""


def load_found(answers: Answers, selection: Selection, rank: int) -> Found:
    """Ask for what another view selected; raises as ``Session.run`` does."""
    if selection.slice_id is not None:
        return load_slice(answers, selection.slice_id) or selection
    if selection.gap_id is not None:
        begin, end = selection.window
        gaps = answers.rows("gaps", GapsRow, rank=rank, kind=None, from_ts=begin, to_ts=end)
        for gap in gaps:
            if gap.gap_id == selection.gap_id:
                return gap
    return selection


def selection_of(found: Found) -> Selection:
    """Return what the other views are told of it."""
    match found:
        case SelectedSlice(slice=one):
            window = Window(one.ts, one.ts + max(1, one.dur))
            return Selection(window, one.name, slice_id=one.slice_id)
        case GapsRow() as gap:
            window = Window(gap.ts, gap.ts + gap.dur)
            return Selection(window, say("gap_time", time=numbers.time(gap.dur)), gap_id=gap.gap_id)
        case Selection():
            return found


def copied(found: Found, pieces: Sequence[StallsRow] | None = None) -> str:
    """Return name, id, ts and dur as one line, of a gap also why it is there; times in ns."""
    match found:
        case SelectedSlice(slice=one):
            return f"{one.name} slice_id={one.slice_id} ts={one.ts} dur={one.dur}"
        case GapsRow() as gap:
            return copied_gap(gap, pieces)
        case Selection(window=window, name=name):
            return f"{name} ts={window.from_ts} dur={window.dur}"


def mark_on(lane: Lane, found: Found | None) -> Mark | None:
    """Return the mark of what is selected on a lane; None if it is not on that lane."""
    match found:
        case SelectedSlice(slice=one):
            here = (one.track_id, one.part) == (lane.row.track_id, lane.row.part)
            if here and lane.depth in {None, one.depth}:
                return Mark(one.slice_id, one.ts, one.dur, SELECTED)
        case GapsRow() as gap if lane.is_gap and lane.row.device_id == gap.device_id:
            return Mark(gap.gap_id, gap.ts, gap.dur, SELECTED)
        case _:
            pass
    return None
