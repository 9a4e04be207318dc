"""Lanes on which slices and gaps are selected, and the dock that tells of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from ...ingest.errors import NpuviewError
from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ...queries.rows_timeline import AtInstantRow, SliceNearRow
from ..answers import Answers
from ..draw import numbers
from ..draw.flow_row import Arrow
from ..focus import Focus, Selection
from ..timeline.found import Found, copied, load_found, selection_of
from ..timeline.gap_cause import load_pieces
from ..timeline.selected import (
    MOST_UNDER_CURSOR,
    SelectedSlice,
    load_around,
    load_slice,
)
from ..widgets.dock import UNDER_CURSOR, Dock
from ..widgets.lane_canvas import NARROW
from ..words.spoken import say
from .lanes_view import LanesView
from .view import Desk

if TYPE_CHECKING:
    from textual.timer import Timer

REST_SECONDS = 0.12
"""Rest after which the dock follows: while a key is held only the lanes are sent."""

DOCK_ROWS = 7
DOCK_ROWS_NARROW = 6
DOCK_ROWS_SPARE = 15
"""Rows of the dock with its title, where the lanes leave so many."""


class SelectingView(LanesView):
    """Lanes with a dock: a slice or gap is selected, or a cell is under the cursor."""

    DEFAULT_CSS = """
    #timeline_lanes { height: 1fr; }
    #timeline_dock { height: 7; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._dock = Dock(self.look, UNDER_CURSOR, id="timeline_dock")
        self._dock_rest: Timer | None = None
        self._found: Found | None = None
        self._pieces: tuple[int, Sequence[StallsRow]] | None = None
        """Why a gap is there, by its id."""
        self._open_next = False
        """Whether what is being asked for is to be opened when it is there."""
        self._came_from: int | None = None
        """The slice from which its launch was followed: the way back leads there."""

    def told(self) -> None:
        """Hear that what is selected, or where the cursor is, is to be told again."""

    def compose(self) -> ComposeResult:
        """Put the dock under the lanes."""
        yield self.canvas
        yield self._dock

    def copied(self) -> str:
        """Return name, id, ts and dur of what is selected; else the place of the cursor."""
        found = self._found
        pieces = self._pieces_of(found) if isinstance(found, GapsRow) else None
        return copied(found, pieces) if found else f"ts={self.position.cursor_ts}"

    def arrows(self) -> Sequence[Arrow]:
        """Return the arrows at the selected slice."""
        return self._found.arrows if isinstance(self._found, SelectedSlice) else ()

    def moved(self) -> None:
        """Tell where the cursor is now; what is there follows when it rests."""
        self._rest_dock()
        self.told()

    def _rest_dock(self) -> None:
        if self._dock_rest is not None:
            self._dock_rest.stop()
        self._dock_rest = self.set_timer(REST_SECONDS, self._fill_dock)

    def _fill_dock(self) -> None:
        """Show what is selected with what is around it, else what is under the cursor."""
        match self._found:
            case SelectedSlice(around=None) as found:
                # On a channel of its own: it must not stop what a key asks for.
                self.ask(
                    lambda answers: load_around(answers, found), self._take_around, channel="dock"
                )
            case GapsRow() as gap if self._pieces_of(gap) is None:
                self.ask(
                    lambda answers: load_pieces(answers, gap),
                    lambda pieces: self._take_pieces(gap, pieces),
                    channel="dock",
                )
            case None:
                self._look_under_cursor()
            case _:
                self._show_found()

    def _pieces_of(self, gap: GapsRow) -> Sequence[StallsRow] | None:
        return self._pieces[1] if self._pieces and self._pieces[0] == gap.gap_id else None

    def _take_pieces(self, gap: GapsRow, pieces: Sequence[StallsRow]) -> None:
        self._pieces = (gap.gap_id, pieces)
        self._show_found()

    def _take_around(self, found: SelectedSlice) -> None:
        match self._found:
            case SelectedSlice(slice=one) if one.slice_id == found.slice.slice_id:
                self._found = found
                self._show_found()
                self.draw_marks()
            case _:
                pass

    def arrived(self, before: Focus | None) -> None:
        """Select what the shared place selects."""
        selection = self.desk.place.selection
        if selection is None:
            self._found = None
            self._rest_dock()
        elif before is None or before.selection != selection or self._found is None:
            # Until it is known, no key acts on what was selected before.
            self._found = None
            self.position = self.position.seeing(selection.window, self.extent)
            self._load(selection)
        self.told()

    @property
    def lane_room(self) -> int:
        """Return how many lanes there is room for over the lowest dock.

        Which lanes are folded must not hang on the dock, which takes what they leave.
        """
        return self.canvas.lane_rows_in(self.size.height - self._least_dock)

    @property
    def _least_dock(self) -> int:
        return DOCK_ROWS_NARROW if self.size.width < NARROW else DOCK_ROWS

    def draw(self) -> None:
        """Draw the lanes; the dock takes what rows they leave."""
        free = self.size.height - self.canvas.needed_rows(self.lanes.shown)
        spare = free >= DOCK_ROWS_SPARE
        self._dock.styles.height = DOCK_ROWS_SPARE if spare else self._least_dock
        super().draw()

    # Selecting.

    def action_next_slice(self) -> None:
        """Select the next slice of the lane."""
        self._near(forward=True)

    def action_previous_slice(self) -> None:
        """Select the slice before on the lane."""
        self._near(forward=False)

    def action_next_gap(self) -> None:
        """Select the next gap over the threshold."""
        self._near_gap(forward=True)

    def action_previous_gap(self) -> None:
        """Select the gap before that is over the threshold."""
        self._near_gap(forward=False)

    def action_follow(self) -> None:
        """Go to what the selected slice launched on the device; from a gap to what ended it."""
        match self._found:
            case GapsRow(next_slice_id=int() as slice_id):
                self._select_slice(slice_id)
            case _:
                self._around(self._follow)

    def _follow(self, found: SelectedSlice) -> None:
        match found:
            case SelectedSlice(launched=[first, *others]):
                back = [one for one in (first, *others) if one.slice_id == self._came_from]
                self._select_slice((back or [first])[0].slice_id)
            case _:
                self.desk.say(say("nothing_launched_by"))

    def action_follow_back(self) -> None:
        """Go to the host call that launched the selected slice, or what ended the gap."""
        match self._found:
            case GapsRow(next_slice_id=int() as slice_id):
                self.ask(lambda answers: _load_with_around(answers, slice_id), self._follow_back)
            case _:
                self._around(self._follow_back)

    def _follow_back(self, found: SelectedSlice | None) -> None:
        match found:
            case SelectedSlice(slice=one, launch=launch) if launch is not None:
                self._came_from = one.slice_id
                self._select_slice(launch.slice_id)
            case _:
                self.desk.say(say("no_launch_of_selected"))

    def _around(self, then: Callable[[SelectedSlice], None]) -> None:
        """Do something with the selected slice once it is known what is around it."""
        match self._found:
            case SelectedSlice(around=None) as found:
                self.ask(lambda answers: load_around(answers, found), then)
            case SelectedSlice() as found:
                then(found)
            case _:
                self.desk.say(say("select_first"))

    def action_parent(self) -> None:
        """Go to the slice around the selected one."""
        match self._found:
            case SelectedSlice(slice=one) if one.parent_id is not None:
                self._select_slice(one.parent_id)
            case _:
                self.desk.say(say("nothing_around"))

    def action_open(self) -> None:
        """Open the details of the selected slice; without one select what is longest here."""
        if self.is_asking(""):
            # A key before this one selects something: that is what is meant.
            self._open_next = True
            return
        match self._found:
            case SelectedSlice(slice=one):
                self.desk.open_view("details", item=one.slice_id)
            case GapsRow():
                self.desk.open_view("gaps")
            case _:
                self._ask_under_cursor(self._select_longest)

    def _near(self, *, forward: bool) -> None:
        """Select the next slice of the lane: at the depth of the selected one on the host."""
        lane = self.lane_here
        if lane is None:
            return
        if lane.is_gap:
            self._near_gap(forward=forward)
            return
        if lane.counter is not None:
            self.desk.say(say("counter_without_slices"))
            return
        track, part, depth = lane.key
        cursor = self.position.cursor_ts
        asked: dict[str, object] = {"ts": cursor - 1 if forward else cursor + 1}
        match self._found:
            case SelectedSlice(slice=one) if (one.track_id, one.part) == (track, part):
                asked = {"ts": one.ts, "slice_id": one.slice_id}
                depth = one.depth if lane.is_host else depth
            case _:
                pass
        asked |= {"forward": forward, "track_id": track, "part": part, "depth": depth}

        def work(answers: Answers) -> SelectedSlice | None:
            row = answers.first("slice_near", SliceNearRow, **asked)
            return None if row is None else load_slice(answers, row.slice_id)

        said = say("no_slice_further" if forward else "no_slice_before")
        self.ask(work, lambda found: self._select(found, said))

    def _near_gap(self, *, forward: bool) -> None:
        focus, least = self.desk.place, self.desk.settings.gap_threshold_ns
        gap_is_selected = focus.selection is not None and focus.selection.gap_id is not None
        ts = self.position.cursor_ts
        if gap_is_selected and focus.selection is not None:
            ts = focus.selection.window.from_ts

        def work(answers: Answers) -> GapsRow | None:
            return answers.first(
                "gap_near", GapsRow, ts=ts, forward=forward, min_dur=least, rank=focus.rank
            )

        text = "no_gap_further" if forward else "no_gap_before"
        said = say(text, least=numbers.time(least))
        self.ask(work, lambda gap: self._select(gap, said))

    def _select_slice(self, slice_id: int) -> None:
        self.ask(
            lambda answers: load_slice(answers, slice_id),
            lambda found: self._select(found, say("slice_not_stored")),
        )

    def _select_longest(self, rows: Sequence[AtInstantRow]) -> None:
        if rows:
            self._select_slice(rows[0].slice_id)
        else:
            self.desk.say(say("nothing_runs"))

    def _select(self, found: Found | None, otherwise: str) -> None:
        """Select what was found, on its lane and in sight; without anything say so."""
        if found is None:
            self._open_next = False
            self.desk.say(otherwise)
            return
        selection = selection_of(found)
        self.desk.unsay()
        self._take_found(found)
        self.position = self.position.seeing(selection.window, self.extent)
        self.share(replace(self.desk.place, selection=selection, window=self.position.window))
        self.draw_marks()
        self._show_found()
        self._rest_dock()
        self.told()
        self._open_if_asked()

    def failed(self, error: NpuviewError) -> None:
        """Say that a question could not be answered; what was to be opened is not."""
        self._open_next = False
        super().failed(error)

    def _open_if_asked(self) -> None:
        if self._open_next:
            self._open_next = False
            self.action_open()

    def _load(self, selection: Selection) -> None:
        """Ask for what another view selected."""
        rank = self.desk.place.rank

        def show(found: Found) -> None:
            self._take_found(found)
            self._show_found()
            self._rest_dock()
            self.draw()
            self.told()
            self._open_if_asked()

        self.ask(lambda answers: load_found(answers, selection, rank), show)

    def _take_found(self, found: Found) -> None:
        """Put the selected lane where something is, unfolded if need be."""
        self._found = found
        lanes = self.lanes
        lane: int | None = None
        match found:
            case SelectedSlice(slice=one):
                lanes = lanes.showing(one.track_id, one.part)
                self.fold(lanes)
                lane = lanes.index(one.track_id, one.part, one.depth)
            case GapsRow() as gap:
                lane = lanes.index_of_gaps(gap.device_id)
            case Selection():
                pass
        self.lane = self.lane if lane is None else lane

    # The dock.

    def _ask_under_cursor(
        self, show: Callable[[Sequence[AtInstantRow]], None], *, channel: str = ""
    ) -> None:
        lane, cell = self.lane_here, self.position.cell
        if lane is None or lane.counter is not None:
            return
        track, part, _ = lane.key

        def work(answers: Answers) -> Sequence[AtInstantRow]:
            return answers.rows(
                "at_instant",
                AtInstantRow,
                from_ts=cell.from_ts,
                to_ts=cell.to_ts,
                track_id=track,
                part=part,
                limit=MOST_UNDER_CURSOR,
            )

        self.ask(work, show, channel=channel)

    def _look_under_cursor(self) -> None:
        lane = self.lane_here
        if lane is not None and lane.counter is not None:
            value = self.canvas.value_at(lane, self.position.cursor_ts)
            view = self.position.view
            self._dock.show_counter(lane.counter, value, self.position.cell, self.ruler, view)
        else:
            self._ask_under_cursor(self._show_under_cursor, channel="dock")

    def _show_under_cursor(self, rows: Sequence[AtInstantRow]) -> None:
        if self.desk.place.selection is None:
            self._dock.show_cell(rows, self.position.cell, self.ruler, self.position.view)

    def _show_found(self) -> None:
        match self._found:
            case SelectedSlice() as found:
                self._dock.show_slice(found, self.ruler, self.position.view)
            case GapsRow() as gap:
                self._dock.show_gap(gap, self._pieces_of(gap), self.ruler, self.position.view)
            case Selection() as stretch:
                self._dock.show_stretch(stretch, self.ruler, self.position.view)
            case None:
                pass


def _load_with_around(answers: Answers, slice_id: int) -> SelectedSlice | None:
    found = load_slice(answers, slice_id)
    return None if found is None else load_around(answers, found)
