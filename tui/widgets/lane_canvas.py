"""The canvas of the timeline: strip of the whole, axis, and the lanes that have room."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from textual import events
from textual.message import Message

from ..draw import numbers
from ..draw.cells import Coverage
from ..draw.counter_value import counter_value
from ..draw.flow_row import Arrow, flow_row
from ..draw.gap_row import gap_row
from ..draw.lane import lane_row
from ..draw.look import Look
from ..draw.mark import Mark
from ..draw.role import Role
from ..draw.ruler import Ruler, view_row
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut, pad
from ..draw.viewport import Viewport
from ..focus import Window
from ..timeline.lanes import Lane, LaneKey
from ..timeline.slab import Slab
from ..words.spoken import say
from .canvas import Canvas, Line

NARROW = 100
LABEL_CELLS = 14
LABEL_CELLS_NARROW = 8
"""Cells of a lane's label, with the mark before it."""

SHARE_CELLS = 8

HEAD_ROWS = 3
"""Rows above the lanes: the whole, where the view lies in it, the axis."""

UNTIL_KNOWN = "…"


@dataclass(slots=True)
class Picture:
    """What the canvas shows. Marks are by the key of their lane."""

    view: Viewport
    whole: Viewport
    scope: Window
    """The step or run: shares of busy time are of the part of the view that is in it."""
    ruler: Ruler
    where: str
    """What the axis counts from, such as ``step 50``."""
    lanes: Sequence[Lane] = ()
    slab: Slab | None = None
    strip: Coverage | None = None
    """When the devices work, over the whole."""
    lane: int | None = None
    """The selected one of ``lanes``; None where none can be selected."""
    cursor_ts: int | None = None
    measured: tuple[int, int] | None = None
    marks: Mapping[LaneKey, Sequence[Mark]] = field(default_factory=dict[LaneKey, Sequence[Mark]])
    arrows: Sequence[Arrow] = ()


class LaneCanvas(Canvas):
    """Draws a picture. The first row of lanes is ``top``; the lane of gaps stays below.

    With the mouse a place is pointed at, or a stretch of time dragged over.
    """

    class Pointed(Message):
        """A cell of a lane was clicked."""

        def __init__(self, canvas: "LaneCanvas", lane: int, ts: int) -> None:
            self.canvas = canvas
            self.lane = lane
            self.ts = ts
            super().__init__()

    class Dragged(Message):
        """The mouse was dragged over the cells of [from_ts, to_ts)."""

        def __init__(self, from_ts: int, to_ts: int) -> None:
            self.from_ts = from_ts
            self.to_ts = to_ts
            super().__init__()

    def __init__(self, look: Look, *, id: str | None = None, head: bool = True) -> None:  # noqa: A002 Textual's name
        super().__init__(look, id=id)
        self.picture: Picture | None = None
        self.top = 0
        self._head = HEAD_ROWS if head else 1
        self._layout: tuple[object, Sequence[int | None]] | None = None
        self._pressed_at: int | None = None

    @property
    def cells(self) -> int:
        """Return the cells of a lane."""
        return canvas_cells(self.size.width)

    @property
    def lane_rows(self) -> int:
        """Return how many lanes there is room for, with the row of the arrows among them."""
        return self.lane_rows_in(self.size.height)

    def lane_rows_in(self, height: int) -> int:
        """Return the same for a canvas of another height."""
        return max(1, height - self._head - (self._head == HEAD_ROWS))

    def needed_rows(self, lanes: Sequence[Lane]) -> int:
        """Return the rows that lanes take with what is above and between them."""
        return self._head + 1 + len(lanes) + _borders(lanes)

    def value_at(self, lane: Lane, ts: int) -> float | None:
        """Return the value of a counter's lane in the cell of an instant; None if not known."""
        slab = self.picture.slab if self.picture else None
        values = slab.of(lane).values if slab else ()
        at = slab.window.cell_of(ts) if slab else 0
        return values[at] if 0 <= at < len(values) else None

    @property
    def page(self) -> int:
        """Return by how many lanes one screen of them moves."""
        return max(1, self.lane_rows - 2)

    def show(self, picture: Picture) -> None:
        """Draw a picture, all of it."""
        self.picture = picture
        self.keep_in_sight()
        self.refresh()

    def keep_in_sight(self) -> bool:
        """Scroll so that the selected lane is drawn; tell whether that moved the lanes."""
        picture = self.picture
        top = self.top
        if picture is not None:
            room = self._scrolling_rows(picture)
            self.top = max(0, min(self.top, self._scrolled(picture) - room))
            if picture.lane is not None and picture.lane < self._scrolled(picture):
                self.top = max(min(self.top, picture.lane), picture.lane - room + 1)
        return self.top != top

    def lane_at(self, y: int) -> int | None:
        """Return the lane that is drawn in a row."""
        rows = self._rows()
        found = rows[y] if 0 <= y < len(rows) else None
        return found if found is not None and found >= 0 else None

    def refresh_lanes(self, *lanes: int | None) -> None:
        """Draw the axis and single lanes again, and the row of the arrows."""
        rows = self._rows()
        changed = [self._head - 1]
        changed += [y for y, lane in enumerate(rows) if lane in lanes or lane == FLOW]
        self.refresh_rows(*changed)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where a click or a drag began."""
        self._pressed_at = self._cell_at(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Tell of the place that was clicked, or of the cells that were dragged over."""
        begun, cell = self._pressed_at, self._cell_at(event.x)
        self._pressed_at = None
        if self.picture is None or begun is None or cell is None:
            return
        view, lane = self.picture.view, self.lane_at(event.y)
        if begun != cell:
            first, last = sorted((begun, cell))
            self.post_message(self.Dragged(view.ts_of(first), view.ts_of(last + 1)))
        elif lane is not None:
            self.post_message(self.Pointed(self, lane, view.ts_of(cell)))

    def _cell_at(self, x: int) -> int | None:
        """Return the cell in a column of the canvas; None beside the lanes."""
        cell = x - label_cells(self.size.width) - 1
        return cell if 0 <= cell < self.cells else None

    def draw_line(self, y: int, width: int) -> Line:
        """Return a row of the head, of a lane, of the arrows, or nothing."""
        picture = self.picture
        if picture is None:
            return [Run(UNTIL_KNOWN, Role.DIM)] if y == 0 else ()
        if y < self._head:
            return self._head_line(picture, y + HEAD_ROWS - self._head, width)
        rows = self._rows()
        lane = rows[y] if y < len(rows) else None
        if lane is None:
            return (
                [Run(f" {say('no_lane_to_draw')}", Role.PLAIN)]
                if y == self._head and not picture.lanes
                else ()
            )
        if lane == FLOW:
            arrows = flow_row(picture.view, picture.arrows, self.look) if picture.arrows else ()
            return self._framed(f" {say('lane_flow')}" if picture.arrows else "", arrows, "", width)
        return self._lane_line(picture, lane, width)

    def _head_line(self, picture: Picture, row: int, width: int) -> Line:
        if row == 0:
            label = f" {say('row_whole' if width >= NARROW else 'row_all')}"
            strip = picture.strip.runs(picture.whole) if picture.strip else ()
            return self._framed(label, strip, f"  {say('column_busy')}", width)
        if row == 1:
            label = f" {say('row_view')}"
            return self._framed(label, view_row(picture.whole, picture.view, self.look), "", width)
        label = " " + picture.ruler.label(picture.where, label_cells(width) - 1, self.look)
        axis = picture.ruler.row(picture.view, self.look, picture.cursor_ts, picture.measured)
        busy = "" if self._head == HEAD_ROWS else f"  {say('column_busy')}"
        return self._framed(label, axis, busy, width)

    def _lane_line(self, picture: Picture, at: int, width: int) -> Line:
        lane = picture.lanes[at]
        here = at == picture.lane
        mark = self.look.signs.mark if here else " "
        label = mark + self.look.text(lane.label(label_cells(width) - 1))
        if lane.absent:
            said = cut(say("lane_of_other_run"), max(0, picture.view.cells - 1))
            return self._framed(label, [Run(f" {said}", Role.DIM)], "", width, bold=here)
        slab = picture.slab
        if slab is None or not slab.serves(slab.rank, picture.view, [lane]):
            return self._framed(label, [Run(UNTIL_KNOWN, Role.DIM)], "", width, bold=here)
        ink = slab.of(lane)
        marks = picture.marks.get(lane.key, ())
        if lane.is_gap:
            drawn = gap_row(picture.view, ink.coverage, ink.gaps, marks, self.look)
        else:
            drawn = lane_row(picture.view, ink.coverage, ink.blocks, marks, self.look)
        seen = _overlap(picture.view, picture.scope)
        if lane.counter is not None:
            most = counter_value(ink.most(picture.view), lane.counter.unit)
            return self._framed(label, drawn, beside_lane(most), width, bold=here)
        share = numbers.share(min(ink.busy(picture.view), seen), seen) if seen else ""
        return self._framed(label, drawn, share, width, bold=here)

    def _framed(
        self, label: str, row: Sequence[Run], share: str, width: int, *, bold: bool = False
    ) -> Line:
        """Put a label before a row of the canvas, and at the right the share if there is room."""
        frame = self.look.signs.frame
        cells = label_cells(width)
        weight = Attributes.BOLD if bold else Attributes.NONE
        runs = [
            Run(pad(cut(label, cells), cells), Role.PLAIN, attributes=weight),
            Run(frame, Role.DIM),
            *row,
        ]
        if width >= NARROW:
            used = sum(cell_len(run.text) for run in row)
            runs.append(Run(" " * (canvas_cells(width) - used) + frame, Role.DIM))
            runs.append(Run(f"{self.look.text(share):>{SHARE_CELLS - 1}}", Role.PLAIN))
        return runs

    def _rows(self) -> Sequence[int | None]:
        """Return what is drawn in each row: a lane, the arrows, or nothing."""
        picture = self.picture
        if picture is None:
            return ()
        key = (picture.lanes, self.top, self.size)
        if self._layout is None or self._layout[0] != key:
            self._layout = (key, self._laid(picture))
        return self._layout[1]

    def _laid(self, picture: Picture) -> Sequence[int | None]:
        lanes = picture.lanes
        room = self._scrolling_rows(picture)
        stop = min(self.top + room, self._scrolled(picture))
        shown = list(range(self.top, stop))
        pinned = list(range(self._scrolled(picture), len(lanes)))
        spare = self.size.height - self._head - self._flow_rows(picture) - len(lanes)
        airy = spare >= _borders(lanes)
        rows: list[int | None] = [None] * self._head
        before: Lane | None = None
        flow_is_due = self._flow_rows(picture) > 0
        for at in (*shown, *pinned):
            lane = lanes[at]
            if flow_is_due and not lane.is_host:
                rows.append(FLOW)
                flow_is_due = False
            elif airy and before is not None and lane.group != before.group:
                rows.append(None)
            rows.append(at)
            before = lane
        return rows

    def _scrolled(self, picture: Picture) -> int:
        """Return how many lanes scroll: all but those of the gaps, which come last."""
        return sum(not lane.is_gap for lane in picture.lanes)

    def _scrolling_rows(self, picture: Picture) -> int:
        pinned = len(picture.lanes) - self._scrolled(picture)
        return max(1, self.size.height - self._head - pinned - self._flow_rows(picture))

    def _flow_rows(self, picture: Picture) -> int:
        hosts = sum(lane.is_host for lane in picture.lanes)
        return int(self._head == HEAD_ROWS and 0 < hosts < len(picture.lanes))


FLOW = -1
"""Stands for the row of the arrows among the lanes."""


def label_cells(width: int) -> int:
    """Return the cells of a lane's label on a canvas of a width."""
    return LABEL_CELLS if width >= NARROW else LABEL_CELLS_NARROW


def beside_lane(value: str) -> str:
    """Return a counter's value for the cells beside its lane, whole: its unit is part of it.

    Longer ones also take the margin; a blank and then commas give way, never a sign.
    """
    for droppable in (" ", ","):
        if cell_len(value) > SHARE_CELLS:
            value = value.replace(droppable, "")
    return value


def canvas_cells(width: int) -> int:
    """Return the cells of a lane on a canvas of a width."""
    share = SHARE_CELLS + 1 if width >= NARROW else 0
    return max(1, width - label_cells(width) - 1 - share)


def _overlap(view: Viewport, scope: Window) -> int:
    return max(0, min(view.to_ts, scope.to_ts) - max(view.from_ts, scope.from_ts))


def _borders(lanes: Sequence[Lane]) -> int:
    """Return how many times a lane is of another group than the one above it."""
    return sum(one.group != other.group for one, other in pairwise(lanes))
