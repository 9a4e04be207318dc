"""Lanes over time that can be moved over: window, cursor, and what is loaded for them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult

from ..draw.cells import Coverage
from ..draw.flow_row import Arrow
from ..draw.mark import Mark
from ..draw.ruler import Ruler
from ..draw.viewport import Viewport
from ..focus import Focus, Window
from ..run import Run
from ..timeline.ink import Ink
from ..timeline.lane_name import LaneSpot, lane_names, nearest_lane
from ..timeline.lanes import Lane, LaneKey, Lanes
from ..timeline.position import Position
from ..timeline.rank_lanes import RankLanes, load_rank
from ..timeline.slab import Slab, load_slab, load_whole
from ..widgets.lane_canvas import LaneCanvas, Picture, canvas_cells
from ..words.spoken import say
from .lane_moves import LaneMoves
from .view import Desk, View

if TYPE_CHECKING:
    from textual.timer import Timer

AHEAD_SECONDS = 0.01
"""Rest after which what the next key may need is loaded."""

Marks = Mapping[LaneKey, Sequence[Mark]]


class LanesView(LaneMoves, View):
    """A canvas of lanes with a cursor in time and a selected lane."""

    CANVAS_ID: ClassVar[str] = "lanes"
    CAN_MOVE: ClassVar[bool] = True
    HAS_WHOLE: ClassVar[bool] = True
    """Whether the whole stands over the lanes, and where the window lies in it."""

    def __init__(self, desk: Desk, *, name: str | None = None) -> None:
        super().__init__(desk, name=name)
        self.canvas = LaneCanvas(self.look, id=self.CANVAS_ID, head=self.HAS_WHOLE)
        self.canvas.can_focus = self.CAN_MOVE
        self.position = Position(Viewport(0, 0, 1), 0)
        self.lane = 0
        self._ranks: dict[int, RankLanes] = {}
        self._ink = Ink()
        self._shown: Focus | None = None
        self._rest: Timer | None = None
        self._wanted: LaneSpot | None = None
        """Where to go once the lanes are there."""

    def compose(self) -> ComposeResult:
        """Show the lanes."""
        yield self.canvas

    # Whose lanes they are.

    @property
    def run_facts(self) -> Run:
        """Return what is known of the run that is shown."""
        return self.desk.run_facts

    @property
    def place(self) -> Focus:
        """Return the place in that run."""
        return self.desk.place

    # What a subclass adds to the picture.

    def marks(self) -> Marks:
        """Return what is pointed out, by lane."""
        return {}

    def arrows(self) -> Sequence[Arrow]:
        """Return the arrows between host and device."""
        return ()

    def measured(self) -> tuple[int, int] | None:
        """Return the measured range."""
        return None

    def shown_window(self, focus: Focus) -> Window | None:
        """Return the window that is shown of a place; None without a timeline."""
        return self.run_facts.window(focus)

    def moved(self) -> None:
        """Hear that window, cursor or lane are elsewhere."""

    def arrived(self, before: Focus | None) -> None:
        """Hear that another place is shown than ``before``; None is none yet."""

    # What is shown.

    def enter(self, item: object) -> None:  # noqa: ARG002 the shared place says it all
        """Show the shared window."""
        self._shown = None
        self.refocus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let keys do nothing before there is a window that they could change."""
        if self._shown is None:
            return False
        return super().check_action(action, parameters)

    def refocus(self) -> None:
        """Go where the shared place is, unless it is what is shown."""
        focus = self.place
        if focus == self._shown:
            return
        if focus.rank not in self._ranks:
            self.ask(lambda answers: load_rank(answers, focus.rank), self._take_rank)
            return
        before, self._shown = self._shown, focus
        window = self.shown_window(focus)
        if window is None:
            return
        elsewhere = before is None or before.rank != focus.rank
        if elsewhere or window != self.position.window:
            self.position = self._fitted(window, _cursor_in(window, focus))
        if elsewhere:
            self.lane = self.lanes.first
        self._come_to_wanted()
        self.arrived(before)
        self.draw()

    @property
    def lane_spot(self) -> LaneSpot | None:
        """Return the lane and instant of the cursor."""
        if self._shown is None:
            return None
        shown = self.lanes.shown
        name = lane_names(shown)[self.lane] if self.lane < len(shown) else None
        return LaneSpot(name, self.position.cursor_ts)

    def come_to(self, spot: LaneSpot) -> None:
        """Go to a lane and an instant once the lanes are there."""
        self._wanted = spot

    def _come_to_wanted(self) -> None:
        spot, self._wanted = self._wanted, None
        if spot is None:
            return
        self.position = self.position.at(spot.cursor_ts)
        lanes = self.lanes
        found = None if spot.lane is None else nearest_lane(lane_names(lanes.all), spot.lane)
        if found is not None:
            row = lanes.all[found].row
            lanes = lanes.showing(row.track_id, row.part)
            self.fold(lanes)
            self.lane = lanes.index(row.track_id, row.part) or 0

    def on_resize(self) -> None:
        """Fit into the new size."""
        self.fit_to_size()

    def fit_to_size(self) -> None:
        """Show the same time in the new width."""
        if self._shown is None:
            return
        here = self.lane_here
        self.fold(self.lanes.fitted(self.lane_room))
        found = self.lanes.index(*here.key) if here else None
        self.lane = self.lanes.first if found is None else found
        window = self.shown_window(self.place)
        if window is not None and self.cells != self.position.view.cells:
            self.position = self._fitted(window, self.position.cursor_ts)
            self.moved()
        self.draw()

    def _fitted(self, window: Window, cursor_ts: int) -> Position:
        """Return the position that shows of a window what lies in the run."""
        return Position.fit(window.within(self.extent), self.cells, cursor_ts)

    @property
    def cells(self) -> int:
        """Return the cells of a lane."""
        return canvas_cells(self.canvas.size.width or self.app.size.width)

    @property
    def lane_page(self) -> int:
        """Return by how many lanes one screen of them moves."""
        return self.canvas.page

    @property
    def lane_room(self) -> int:
        """Return how many lanes the view can have room for."""
        return self.canvas.lane_rows

    @property
    def lanes(self) -> Lanes:
        """Return the lanes of the shared rank; none before they are known."""
        rank = self._ranks.get(self.place.rank)
        return rank.lanes if rank else Lanes(())

    @property
    def lane_here(self) -> Lane | None:
        """Return the selected lane."""
        shown = self.lanes.shown
        return shown[self.lane] if self.lane < len(shown) else None

    @property
    def extent(self) -> Window:
        """Return the time that can be moved over."""
        return self.run_facts.extent(self.place.rank) or Window(0, 1)

    @property
    def ruler(self) -> Ruler:
        """Return the axis: places from the start of the step, or of the run."""
        focus, run = self.place, self.run_facts
        whole = run.whole(focus) or self.extent
        return Ruler.over(whole.from_ts, whole.to_ts)

    # Moving.

    def zoom(self, levels: int) -> None:
        """Show less time by so many halvings, more if negative, about the cursor."""
        self.go(self.position.zoomed(levels, self.extent))

    def action_fit_all(self) -> None:
        """Show the whole step; if it is shown, the whole run."""
        step = self.run_facts.whole(self.place) or self.extent
        fitted = Position.fit(step, self.cells, self.position.cursor_ts)
        if fitted.view == self.position.view:
            fitted = Position.fit(self.extent, self.cells, self.position.cursor_ts)
        self.go(fitted)

    def action_sublanes(self) -> None:
        """Open the folded lanes of the group, then the depths of the lane; then close both."""
        lane = self.lane_here
        if lane is None:
            return
        turned = self.lanes.turned(lane)
        if turned == self.lanes:
            self.desk.say(say("no_sublanes"))
            return
        self.fold(turned)
        self.lane = turned.index(lane.row.track_id, lane.row.part) or 0
        self.draw()
        self.moved()

    def pan(self, cells: int) -> None:
        """Move the window with the cursor; at an end of the run the cursor alone."""
        panned = self.position.panned(cells, self.extent)
        if panned.view == self.position.view:
            self.position = panned
            self.draw_cursor()
            self.moved()
        else:
            self.go(panned)

    def go(self, position: Position) -> None:
        """Show another window, and let all views share it."""
        # What was loaded ahead for where one was does not compete with what is needed now.
        self.stop_asking("ahead")
        self.position = position
        self.share(replace(self.place, window=position.window))
        self.draw()
        self.moved()

    def to_lane(self, lane: int) -> None:
        """Select a lane, as near as there is one."""
        before = self.lane
        self.lane = max(0, min(lane, len(self.lanes.shown) - 1))
        picture = self.canvas.picture
        if picture is None or before == self.lane:
            return
        picture.lane = self.lane
        if self.canvas.keep_in_sight():
            self.canvas.refresh()
        else:
            self.canvas.refresh_lanes(before, self.lane)
        self.moved()

    def share(self, focus: Focus) -> None:
        """Let the other views look at a place that is shown here already."""
        self._shown = focus
        self.desk.move(focus)

    def fold(self, lanes: Lanes) -> None:
        """Show other lanes of the shared rank."""
        rank = self._ranks.get(self.place.rank)
        if rank is not None:
            self._ranks[rank.rank] = replace(rank, lanes=lanes)

    # Drawing.

    def draw(self) -> None:
        """Draw what is loaded; ask for what is not, and keep the last picture until then."""
        rank = self._ranks.get(self.place.rank)
        if rank is None or self._shown is None:
            return
        view, look = self.position.view, self.look
        slab = self._ink.slab(rank.rank, view, rank.lanes.shown)
        whole = self.run_facts.whole(self.place) or self.extent
        strip_view = Viewport.fit(whole.from_ts, whole.to_ts, self.cells)
        strip = self._ink.strips.get((rank.rank, strip_view))
        if slab is not None:
            self.canvas.show(self._picture(rank, slab, whole, strip_view, strip))
        if slab is None or strip is None:
            self.ask(
                lambda answers: (
                    slab or load_slab(answers, rank.rank, rank.lanes, view, rank.finest, look),
                    strip or load_whole(answers, rank.device_tracks, strip_view, rank.finest, look),
                ),
                lambda loaded: self._take_ink(rank.rank, strip_view, *loaded),
                channel="ink",
            )
        else:
            self._load_ahead()

    def draw_cursor(self) -> None:
        """Draw only the axis, with the cursor and the measured range."""
        picture = self.canvas.picture
        if picture is not None:
            picture.cursor_ts = self.position.cursor_ts
            picture.measured = self.measured()
            self.canvas.refresh_lanes()

    def draw_marks(self) -> None:
        """Draw what is pointed out, the arrows and the selected lane, and no other lane."""
        picture, shown = self.canvas.picture, self.lanes.shown
        if picture is None or picture.view != self.position.view or picture.lanes != shown:
            self.draw()
            return
        before = picture.lane, picture.marks
        picture.lane, picture.cursor_ts = self.lane, self.position.cursor_ts
        picture.marks, picture.arrows = self.marks(), self.arrows()
        picture.measured = self.measured()
        if self.canvas.keep_in_sight():
            self.canvas.refresh()
            return
        changed = {
            at
            for at, lane in enumerate(shown)
            if before[1].get(lane.key) != picture.marks.get(lane.key)
        }
        self.canvas.refresh_lanes(before[0], self.lane, *changed)

    def _picture(
        self,
        rank: RankLanes,
        slab: Slab,
        whole: Window,
        strip_view: Viewport,
        strip: Coverage | None,
    ) -> Picture:
        step = self.place.step
        return Picture(
            view=self.position.view,
            whole=strip_view,
            scope=whole,
            ruler=self.ruler,
            where=say("axis_run") if step is None else say("step", step=step),
            lanes=rank.lanes.shown,
            slab=slab,
            strip=strip,
            lane=self.lane if self.CAN_MOVE else None,
            cursor_ts=self.position.cursor_ts if self.CAN_MOVE else None,
            measured=self.measured(),
            marks=self.marks(),
            arrows=self.arrows(),
        )

    def _take_rank(self, rank: RankLanes) -> None:
        self.take_lanes(replace(rank, lanes=rank.lanes.fitted(self.lane_room)))

    def take_lanes(self, rank: RankLanes) -> None:
        """Show these lanes of a rank from now on."""
        self._ranks[rank.rank] = rank
        self.refocus()

    def _take_ink(self, rank: int, strip_view: Viewport, slab: Slab, strip: Coverage) -> None:
        self._ink.add(slab)
        self._ink.strips[rank, strip_view] = strip
        self.draw()

    def _load_ahead(self) -> None:
        """Load what the next key may need, once no key is pressed for a moment."""
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(AHEAD_SECONDS, self._ahead)

    def _ahead(self) -> None:
        rank = self._ranks.get(self.place.rank)
        if rank is None or not self.display:
            return
        look, extent, here = self.look, self.extent, self.position
        likely = (
            here.zoomed(1, extent),
            here.zoomed(-1, extent),
            here.panned(self.cells, extent),
            here.panned(-self.cells, extent),
        )
        views = [one.view for one in likely]
        wanted = self._ink.missing(rank.rank, views, rank.lanes.shown)
        if wanted is not None:
            self.ask(
                lambda answers: load_slab(
                    answers, rank.rank, rank.lanes, wanted, rank.finest, look
                ),
                self._take_ahead,
                channel="ahead",
            )

    def _take_ahead(self, slab: Slab) -> None:
        self._ink.add(slab)
        self._load_ahead()


def _cursor_in(window: Window, focus: Focus) -> int:
    """Return where the cursor stands in a window that another view chose, or that is whole."""
    if focus.window is None:
        # There the next slice and the next gap are the first ones.
        return window.from_ts
    # An instant that is gone to is in the middle of its window.
    return (window.from_ts + window.to_ts) // 2
