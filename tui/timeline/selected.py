"""What the dock of the timeline tells: of a slice or gap that is selected, of a cell if none is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...queries.rows import GapsRow, OperatorCallsRow
from ...queries.rows_stall import StallsRow
from ...queries.rows_timeline import (
    AtInstantRow,
    ChainRow,
    CountersRow,
    LaunchedRow,
    SliceNearRow,
    SliceRow,
)
from ..answers import Answers
from ..draw import numbers
from ..draw.counter_value import counter_value
from ..draw.flow_row import Arrow
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.ruler import Ruler
from ..draw.run import Attributes, Run
from ..draw.safe_text import clean, pad
from ..draw.viewport import Viewport
from ..focus import Selection
from ..widgets.canvas import Line
from ..words.spoken import counted, say, shown
from .gap_cause import GapCause, cause_of
from .lanes import Lane

MOST_UNDER_CURSOR = 20

PLACES_OF_LENGTH = 20
"""Places that are told apart within the length of a slice."""

UNTIL_KNOWN = "…"
LABEL_CELLS = 12
SECOND_COLUMN = 120
"""Cells from which on the dock has two columns."""


@dataclass(frozen=True, slots=True)
class Around:
    """What is around a slice: who launched it, what it launched, who stands beside it."""

    chain: Sequence[ChainRow] = ()
    launched: Sequence[LaunchedRow] = ()
    before: SliceNearRow | None = None
    after: SliceNearRow | None = None
    kernel: OperatorCallsRow | None = None


@dataclass(frozen=True, slots=True)
class SelectedSlice:
    """A slice, and what is around it once that is known."""

    slice: SliceRow
    around: Around | None = None

    @property
    def chain(self) -> Sequence[ChainRow]:
        """Return the calls on the way to it."""
        return self.around.chain if self.around else ()

    @property
    def launched(self) -> Sequence[LaunchedRow]:
        """Return what it launched on the device."""
        return self.around.launched if self.around else ()

    @property
    def launch(self) -> ChainRow | None:
        """Return the host call that launched it."""
        return next((one for one in self.chain if (one.role, one.distance) == ("launch", 0)), None)

    @property
    def callers(self) -> list[ChainRow]:
        """Return the calls that led to it, the nearest first."""
        around = ("launch", "enqueue") if self.launch is not None else ("slice",)
        return [one for one in self.chain if one.role in around and one.distance > 0]

    @property
    def arrows(self) -> list[Arrow]:
        """Return the arrows between host and device at the slice."""
        here = self.slice
        if self.launch is not None:
            return [Arrow(self.launch.ts, here.ts, Attributes.BOLD)]
        return [Arrow(one.launch_ts, one.ts) for one in reversed(self.launched)]


def load_slice(answers: Answers, slice_id: int) -> SelectedSlice | None:
    """Ask for a slice; None if there is no such slice."""
    found = answers.first("slice", SliceRow, slice_id=slice_id)
    return None if found is None else SelectedSlice(found)


def load_around(answers: Answers, selected: SelectedSlice) -> SelectedSlice:
    """Ask for what is around a slice."""
    one = selected.slice
    asked = {"ts": one.ts, "slice_id": one.slice_id, "track_id": one.track_id}
    asked |= {"depth": one.depth}
    device = one.part is not None
    kernel = None
    if one.kernel_id is not None:
        kernel = answers.first("operator_calls", OperatorCallsRow, slice_id=one.slice_id)
    launched: list[LaunchedRow] = []
    if not device:
        launched = answers.rows("launched", LaunchedRow, slice_id=one.slice_id, limit=50)
    around = Around(
        chain=answers.rows("chain", ChainRow, slice_id=one.slice_id),
        launched=launched,
        before=answers.first("slice_near", SliceNearRow, forward=False, **asked),
        after=answers.first("slice_near", SliceNearRow, **asked),
        kernel=kernel,
    )
    return replace(selected, around=around)


def slice_title(selected: SelectedSlice) -> tuple[str, str]:
    """Return the clean title of the dock and the word behind it."""
    found = selected.slice
    kernel = selected.around.kernel if selected.around else None
    parts = [clean(kernel.type)] if kernel is not None and kernel.type else []
    parts += [clean(found.name)] if clean(found.name) not in parts else []
    where = [say("stream", stream=found.stream_id)] if found.stream_id is not None else []
    where += [say("task", task=found.task_id)] if found.task_id is not None else []
    if found.part is None and found.thread_name:
        where.append(clean(found.thread_name))
    return say("selected", what="   ".join(parts)), "   ".join(where)


def slice_lines(
    selected: SelectedSlice, ruler: Ruler, view: Viewport, width: int, height: int
) -> list[Line]:
    """Return what is known of a slice at a glance: place, launch, kernel, neighbours.

    Where there is room, the calls follow that led to it, the nearest first.
    """
    found = selected.slice
    kernel = selected.around.kernel if selected.around else None
    end = found.ts + found.dur
    length = say("never_ended") if found.unfinished else numbers.time(found.dur)
    fields: list[tuple[str, str]] = [
        ("when", f"{_stretch(found.ts, end, ruler, view)}   {length}"),
        ("launched", _launched(selected, ruler, view)),
    ]
    if kernel is not None:
        ran = [clean(kernel.core) if kernel.core else say("core_not_collected")]
        if kernel.block_num is not None:
            ran.append(say("blocks", blocks=kernel.block_num))
        if kernel.wait is not None:
            ran.append(say("waited_for_time", time=numbers.time(kernel.wait)))
        fields.append(("kernel", "   ".join(ran)))
        if kernel.input_shapes:
            fields.append(("shapes", clean(kernel.input_shapes)))
    elif found.parent_name:
        fields.append(("inside", clean(found.parent_name)))
    fields += [("before it", _before(selected)), ("after it", _after(selected))]
    lines = _laid(fields, width)
    room = max(0, height - len(lines))
    return lines + [_caller(one, width) for one in selected.callers[:room]]


def _caller(row: ChainRow, width: int) -> Line:
    name = fitted(clean(row.name), max(0, width - LABEL_CELLS - 2))
    return [Run(f"  {pad(shown('called from'), LABEL_CELLS)}", Role.DIM), Run(name, Role.PLAIN)]


def gap_lines(
    gap: GapsRow, pieces: Sequence[StallsRow] | None, ruler: Ruler, view: Viewport, width: int
) -> list[Line]:
    """Return what is known of a gap at a glance; ``pieces`` None are still to come."""
    end = gap.ts + gap.dur
    waits = (
        say("event_wait_runs", time=numbers.time(gap.wait_ns))
        if gap.wait_ns
        else say("no_event_wait")
    )
    why = GapCause(UNTIL_KNOWN) if pieces is None else cause_of(gap, pieces)
    proof = (("shown", why.evidence), ("asked", why.line))
    before, after = (clean(name or say("no_task")) for name in (gap.prev_name, gap.next_name))
    names = (width - LABEL_CELLS) // 2 - len(" … ") - 2
    fields = [
        ("cause", say("comma").join(part for part in (why.cause, why.stage) if part)),
        *((label, name) for label, name in proof if name is not None),
        ("when", f"{_stretch(gap.ts, end, ruler, view)}   {numbers.time(gap.dur)}"),
        ("between", f"{fitted(before, names)} … {fitted(after, names)}"),
        ("meanwhile", waits),
    ]
    return _laid([(say(f"gap_{label}"), told) for label, told in fields], width, columns=1)


def stretch_lines(stretch: Selection, ruler: Ruler, view: Viewport, width: int) -> list[Line]:
    """Return when a stretch of time is, and how what lies in it is found."""
    begin, end = stretch.window
    when = f"{_stretch(begin, end, ruler, view)}   {numbers.time(stretch.window.dur)}"
    return _laid([("when", when), ("in it", say("longest_at_cursor"))], width)


def cursor_lines(
    rows: Sequence[AtInstantRow], ruler: Ruler, view: Viewport, width: int
) -> list[Line]:
    """Return the slices under the cursor, longest first."""
    if not rows:
        return [[Run(f"  {say('nothing_runs')}", Role.PLAIN)]]
    name_cells = max(20, width - 46)
    lines: list[Line] = []
    for row in rows:
        name = fitted(clean(row.name), name_cells)
        when = _stretch(row.ts, row.ts + row.dur, ruler, view)
        lines.append(
            [
                Run(f"  {pad(name, min(name_cells, 44))}  ", Role.PLAIN),
                Run(numbers.time_field(row.dur), Role.PLAIN, attributes=Attributes.BOLD),
                Run(f"   {when}", Role.PLAIN),
            ]
        )
    return lines


def counter_lines(counter: CountersRow, value: float | None, width: int) -> list[Line]:
    """Return what a counter is at the cursor, and between which values it lies in the run."""
    unit = counter.unit
    said = say("before_first_sample") if value is None else counter_value(value, unit)
    least, most = counter_value(counter.least, unit), counter_value(counter.most, unit)
    fields = [
        ("counter", " ".join(clean(one) for one in (counter.name, counter.key))),
        ("here", said),
        ("in the run", f"{least} … {most}   {counted(counter.samples, 'sample')}"),
        (say("counter_from"), clean(counter.process_name or say("file_does_not_say"))),
    ]
    return _laid(fields, width)


def _stretch(ts: int, end: int, ruler: Ruler, view: Viewport) -> str:
    """Return where something begins and ends, told as finely as it is short."""
    finest = min(view.cell_ns, max(1, (end - ts) // PLACES_OF_LENGTH))
    places = (numbers.place(one - ruler.origin, finest, ruler.unit) for one in (ts, end))
    return " … ".join(places)


def _launched(selected: SelectedSlice, ruler: Ruler, view: Viewport) -> str:
    found, launch = selected.slice, selected.launch
    if selected.around is None:
        return UNTIL_KNOWN
    if launch is not None:
        place = ruler.place(launch.ts, view)
        said = say("launched_by", place=place, name=clean(launch.name))
        said = say("by_inference", what=said) if launch.inferred else said
        return say("launched_apart", launch=said, apart=_apart_in_time(found.ts - launch.ts))
    if selected.launched:
        tasks = counted(len(selected.launched), "task")
        return say("launched_tasks", tasks=tasks, name=clean(selected.launched[0].name))
    return say("no_launch_recorded" if found.part is not None else "nothing_on_device")


def _apart_in_time(before: int) -> str:
    if before < 0:
        # Host and device have clocks of their own.
        return say("late_by_clock", time=numbers.time(-before))
    return say("before_it_ran", time=numbers.time(before))


def _before(selected: SelectedSlice) -> str:
    if selected.around is None:
        return UNTIL_KNOWN
    row = selected.around.before
    if row is None:
        return say("nothing_on_lane")
    return f"{clean(row.name)}   {_apart(selected.slice.ts - row.ts - row.dur)}"


def _after(selected: SelectedSlice) -> str:
    if selected.around is None:
        return UNTIL_KNOWN
    row = selected.around.after
    if row is None:
        return say("nothing_on_lane")
    return f"{clean(row.name)}   {_apart(row.ts - selected.slice.ts - selected.slice.dur)}"


def _apart(ns: int) -> str:
    return say("overlapping") if ns < 0 else say("apart", time=numbers.time(ns))


def _laid(fields: Sequence[tuple[str, str]], width: int, columns: int | None = None) -> list[Line]:
    """Lay fields out in one column, or in two where there is room."""
    columns = columns or (2 if width >= SECOND_COLUMN else 1)
    cells = (width - 2) // columns
    room = cells - LABEL_CELLS - 2
    lines: list[Line] = []
    for at in range(0, len(fields), columns):
        runs: list[Run] = []
        for name, said in fields[at : at + columns]:
            text = fitted(said, room)
            runs += [
                Run(f"  {pad(shown(name), LABEL_CELLS)}", Role.DIM),
                Run(pad(text, room) if columns > 1 else text, Role.PLAIN),
            ]
        lines.append(runs)
    return lines


def lane_words(lane: Lane, hidden: int) -> str:
    """Return what the status line calls a lane."""
    row = lane.row
    name = lane.label(20).strip()
    slices = counted(row.slices, "slice") if row.slices else ""
    folded = say("lanes_folded", count=hidden) if hidden else ""
    return "   ".join(part for part in (say("lane", name=name), slices, folded) if part)
