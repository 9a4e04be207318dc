"""Two timelines, one over the other, that are moved over together."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from ...ingest.errors import NpuviewError
from ..answers import Answers
from ..compare.change_rows import Change
from ..compare.linked_start import Beginning, LinkedStart, load_start, stepped
from ..compare.linked_words import linked_status, linked_title
from ..compare.reading_told import ReadingTold
from ..compare.side import Side, open_side
from ..compare.under_cursor import Thing, alike, cursor_rows, load_things
from ..draw import numbers
from ..draw.safe_text import clean
from ..focus import Focus
from ..keyboard.keys import bindings
from ..timeline.position import Position
from ..widgets.canvas import Line
from ..widgets.lane_canvas import LaneCanvas
from ..widgets.panel import Panel
from ..words.spoken import say
from .lane_moves import LaneScroll
from .side_lanes import SideLanes
from .view import Desk, View

if TYPE_CHECKING:
    from textual.timer import Timer

DOCK_ROWS = 4
"""The title of the dock, a row of each run, and one of the difference."""

REST_SECONDS = 0.12
"""Rest after which the dock follows: while a key is held only the lanes are sent."""

Things = tuple[Thing | None, Thing | None]


class Linked(LaneScroll, View):
    """Lanes of A above and of B below, at the same time since the start of their steps."""

    WHERE = "linked"
    BINDINGS: ClassVar[list[BindingType]] = bindings("linked")
    DEFAULT_CSS = """
    .linked_title { height: 1; }
    #linked_above, #linked_below { height: 1fr; }
    #linked_above LaneCanvas, #linked_below LaneCanvas { height: 1fr; }
    #linked_dock { height: 4; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._titles = [Panel(self.look, "A"), Panel(self.look, "B")]
        for title in self._titles:
            title.add_class("linked_title")
        self._above = SideLanes(
            desk, "linked_above", partial(self._moved, 0), self._tell, self._sized
        )
        self._below = SideLanes(
            desk, "linked_below", partial(self._moved, 1), self._tell, self._sized
        )
        # The keys move both: they go to one place.
        self._below.canvas.can_focus = False
        self._dock = Panel(self.look, say("under_cursor"), id="linked_dock")
        self._told = ReadingTold(self, desk)
        self._side: Side | None = None
        """The other run, and the questions to it, once it is open."""
        self._start: LinkedStart | None = None
        self._item: object = None
        self.lane = 0
        self._rest: Timer | None = None
        self._things: Things = (None, None)

    def compose(self) -> ComposeResult:
        """Put both timelines over what is under the cursor."""
        yield self._titles[0]
        yield self._above
        yield self._titles[1]
        yield self._below
        yield self._dock

    def on_unmount(self) -> None:
        """Stop what is asked of the other run."""
        self._forget_side()

    @property
    def panes(self) -> tuple[SideLanes, SideLanes]:
        """Return the lanes of A and of B."""
        return self._above, self._below

    @property
    def _own(self) -> int:
        """Return which of the panes shows the opened run."""
        return 0 if self.desk.against.swapped else 1

    def crumb(self) -> Sequence[str]:
        """Return that two timelines are shown."""
        return (say("compare_crumb"), say("both_timelines"))

    def copied(self) -> str:
        """Return what is under the cursor in both runs, times in ns."""
        said = [
            f"{letter} {thing.name} ts={thing.ts} dur={thing.dur}"
            for letter, thing in zip("AB", self._things, strict=True)
            if thing is not None
        ]
        return "; ".join(said)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let keys do nothing before there is something to move over."""
        if self._start is None:
            return False
        return super().check_action(action, parameters)

    # Where to begin.

    def enter(self, item: object) -> None:
        """Show both runs at a change, or at the shared step without one."""
        own = self.panes[self._own]
        back = self._start is not None and item is self._item and self.desk.place == own.place
        self._item = item
        if back:
            self._tell()
        else:
            self._begin()

    def refocus(self) -> None:
        """Follow the shared place: as many steps further on in both runs, or to another rank."""
        start, place = self._start, self.desk.place
        if start is None:
            return
        own = self._own
        here = (start.above, start.below)[own].focus
        if (here.rank, here.step) == (place.rank, place.step):
            return
        self._item = None
        if here.rank != place.rank or place.step is None or here.step is None:
            self._begin()
            return
        further = stepped(start, own, place)
        if further is None:
            # The shared place goes back to the step that is shown.
            self.desk.say(say("no_step_beside", name="AB"[1 - own]))
            self.desk.move(self.panes[own].place)
            return
        self._take(further)

    def _begin(self) -> None:
        """Open the other run if it is not, and ask where to begin."""
        against, place = self.desk.against, self.desk.place
        change = self._item if isinstance(self._item, Change) else None
        if self._side is not None and self._side.name != against.name:
            self._forget_side()
        self._start = None
        known, own, run = self._side, self._own, self.desk.run_facts
        mine = against.own.name if against.own else ""

        def work(answers: Answers) -> tuple[Side, LinkedStart]:
            other = against.opened()
            if not other.has_timeline:
                raise NpuviewError(say("baseline_no_timeline", name=other.name))
            side = known or open_side(other)
            here = Side(mine, self.desk.answers, run)
            asked = replace(here, answers=answers)
            start = load_start((asked, side) if own == 0 else (side, asked), own, place, change)
            # What is asked later is not stopped with this question.
            return side, start.asked_of(own, here)

        self._told.begin()
        self.ask(work, self._opened)

    def _opened(self, opened: tuple[Side, LinkedStart]) -> None:
        self._told.end()
        self._side, start = opened
        if isinstance(self._item, Change) and not (start.above.found or start.below.found):
            self.desk.say(say("change_has_no_place", name=clean(self._item.name)))
        self._take(start)

    def failed(self, error: NpuviewError) -> None:
        """Say why there are no two timelines."""
        self._told.end()
        super().failed(error)

    def _forget_side(self) -> None:
        self._start = None
        for pane in self.panes:
            pane.forget_questions()
        if self._side is not None:
            self._side.answers.close()
            self._side = None

    # What is shown.

    def _take(self, start: LinkedStart) -> None:
        """Show both runs from where they begin."""
        self._start = start
        position = Position.fit(start.window, self.cells, start.above.anchor)
        gone_to = start.above.found is not None or start.below.found is not None
        self._show(position, self._hold(start, keep=not gone_to))
        self.desk.show_way()

    def _hold(self, start: LinkedStart, *, keep: bool = True) -> int:
        """Give each of the timelines its run, lanes and title; return the lane to select.

        What was opened of lanes that are shown already stays open, and with ``keep`` the
        selected one stays the same one, wherever it is now.
        """
        wholes = [one.side.run.whole(one.focus) for one in start.both]
        unit = numbers.column_unit([one.dur for one in wholes if one is not None])
        lanes = start.lanes_in(self._above.lane_room)
        above, below = (self._pane_of(one) for one in start.both)
        lane = above.lane_here if keep and above is not None else None
        if above is not None and below is not None:
            lanes = above.reopened(lanes[0]), below.reopened(lanes[1])
        for at, pane in enumerate(self.panes):
            pane.hold(start.both[at], lanes[at], unit)
            told = linked_title(start, at)
            self._titles[at].fill(_nothing, title=told.title, count=told.where, remark=told.remark)
        found = None if lane is None else lanes[0].lanes.index(*lane.key)
        return start.lane_of(lanes) if found is None else found

    def _pane_of(self, one: Beginning) -> SideLanes | None:
        """Return which of the timelines shows the run and rank of one of the two by now."""
        return next((pane for pane in self.panes if pane.shows(one)), None)

    def _show(self, position: Position, lane: int) -> None:
        """Show both at a position of the first one."""
        if self._start is None:
            return
        self.lane = lane
        # From the same row on both scroll alike.
        self._below.canvas.top = self._above.canvas.top
        for at, pane in enumerate(self.panes):
            pane.lane = lane
            pane.go(position.beside(self._start.apart) if at else position)
        self._rest_dock()

    def on_resize(self, event: events.Resize) -> None:
        """Give the dock the row that cannot be shared: both timelines have as many."""
        room = event.size.height - len(self._titles) - DOCK_ROWS
        self._dock.styles.height = DOCK_ROWS + max(0, room) % 2

    def _sized(self) -> None:
        """Fit into another size once both timelines have theirs."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        """Show the same time in the new size."""
        start, here = self._start, self._above.position
        if start is None:
            return
        view = Position.fit(here.window, self.cells, here.cursor_ts)
        lane = self._hold(start)
        self._show(view if view.view.cells != here.view.cells else here, lane)

    def _moved(self, at: int, focus: Focus) -> None:
        """Let the other views look at the place in the opened run."""
        if self._start is not None and at == self._own:
            self.desk.move(focus)

    # Moving.

    @property
    def cells(self) -> int:
        """Return the cells of a lane, the same in both."""
        return self._above.cells

    @property
    def lane_page(self) -> int:
        """Return by how many lanes one screen of them moves."""
        return self._above.canvas.page

    def zoom(self, levels: int) -> None:
        """Show less time of both by so many halvings, more if negative, about the cursor."""
        if self._start is not None:
            self._put(self._above.position.zoomed(levels, self._start.extent))

    def pan(self, cells: int) -> None:
        """Move the window of both with the cursor; at an end of the runs the cursor alone."""
        if self._start is not None:
            self._put(self._above.position.panned(cells, self._start.extent))

    def to_lane(self, lane: int) -> None:
        """Select a lane of both, as near as there is one."""
        for pane in self.panes:
            pane.to_lane(lane)
        self.lane = self._above.lane
        self._rest_dock()
        self._tell()

    def action_fit_all(self) -> None:
        """Show both steps whole, their starts side by side; if they are shown, both runs."""
        start, here = self._start, self._above.position
        if start is None:
            return
        aligned = start.aligned
        fitted = Position.fit(aligned.whole, self.cells, here.cursor_ts)
        if fitted.view == here.view and aligned.apart == start.apart:
            fitted = Position.fit(start.extent, self.cells, here.cursor_ts)
        self._start = aligned
        self._show(fitted, self._hold(aligned))

    def action_sublanes(self) -> None:
        """Open the folded lanes of the group, then the depths of the lane; then close both."""
        self._above.action_sublanes()
        self._below.action_sublanes()
        self.lane = self._above.lane
        self._rest_dock()
        self._tell()

    def action_swap(self) -> None:
        """Put A below and B above."""
        start, position = self._start, self._below.position
        if start is None:
            return
        against = self.desk.against
        against.swapped = not against.swapped
        self._start = start.swapped()
        self._show(position, self._hold(self._start))

    def action_open(self) -> None:
        """Show the place in the timeline of the opened run alone."""
        self.desk.open_view("timeline")

    def on_lane_canvas_pointed(self, message: LaneCanvas.Pointed) -> None:
        """Put the cursor of both where the mouse is."""
        message.stop()
        start = self._start
        if start is None:
            return
        below = message.canvas is self._below.canvas
        ts = message.ts - (start.apart if below else 0)
        self.to_lane(message.lane)
        self._put(self._above.position.at(ts))

    def _put(self, position: Position) -> None:
        if self._start is not None:
            self._above.put(position)
            self._below.put(position.beside(self._start.apart))
            self._rest_dock()
            self._tell()

    # What is told.

    def _tell(self) -> None:
        """Show the lane, how busy it is in both, and the window in the status line."""
        lane, view = self._above.lane_here, self._above.position.view
        if lane is None:
            return
        busy = (self._above.busy(), self._below.busy())
        self.tell(linked_status(lane, busy, view))

    def _rest_dock(self) -> None:
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(REST_SECONDS, self._look_under_cursor)

    def _look_under_cursor(self) -> None:
        """Ask what is under the cursor in both runs."""
        start, above, below = self._start, *self.panes
        one, other = above.lane_here, below.lane_here
        if start is None or one is None or other is None:
            return
        cells, there = (above.position.cell, below.position.cell), below.answers
        ranks = (above.place.rank, below.place.rank)

        def work(answers: Answers) -> Things:
            # One question to each run, which are stopped together.
            branch = there.branch()
            try:
                return alike(
                    load_things(answers, one, cells[0], ranks[0]),
                    load_things(branch, other, cells[1], ranks[1]),
                )
            finally:
                branch.close()

        def show(things: Things) -> None:
            self._things = things
            places = [
                pane.ruler.place(pane.position.cell.from_ts, pane.position.view)
                for pane in self.panes
            ]
            rulers = (above.ruler, below.ruler)
            views = (above.position.view, below.position.view)
            self._dock.fill(
                lambda width, _: cursor_rows(things, (one, other), rulers, views, width),
                count=places[0] if places[0] == places[1] else " / ".join(places),
                remark=say("one_cell", time=numbers.time(above.position.view.cell_ns)),
            )
            self._tell()

        above.ask(work, show, channel="dock")


def _nothing(width: int, height: int) -> Sequence[Line]:  # noqa: ARG001 as panels ask
    return ()
