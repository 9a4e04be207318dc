"""The timeline: what ran when on every lane, from the whole run down to one slice."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType

from ...queries.rows import GapsRow
from ...queries.rows_timeline import SearchHitsRow
from ..answers import Answers
from ..draw import numbers
from ..draw.mark import Mark
from ..draw.run import FOUND, SAME_NAME, Attributes
from ..draw.safe_text import clean
from ..focus import Window
from ..keyboard.keys import bindings
from ..timeline.found import mark_on
from ..timeline.hits import MOST_HITS, Hits
from ..timeline.position import Position
from ..timeline.selected import (
    SelectedSlice,
    lane_words,
)
from ..widgets.lane_canvas import LaneCanvas
from ..words.spoken import say, shown
from .gap_threshold import ask_gap_threshold
from .lane_moves import LaneScroll
from .lanes_view import Marks
from .selecting_view import SelectingView
from .view import Desk


class Timeline(LaneScroll, SelectingView):
    """Lanes on which slices and gaps are selected; a dock tells what is there."""

    WHERE = "timeline"
    CANVAS_ID = "timeline_lanes"
    BINDINGS: ClassVar[list[BindingType]] = bindings("timeline")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._hits: Hits | None = None
        self._range_from: int | None = None

    def crumb(self) -> Sequence[str]:
        """Return the name of the view and of what is selected."""
        selection = self.desk.place.selection
        way = (shown("timeline"),)
        return way if selection is None else (*way, clean(selection.name))

    def leave(self) -> bool:
        """Forget a range that was begun, else a search, else the selection and the range."""
        focus = self.desk.place
        if self._range_from is not None:
            self._range_from = None
        elif self._hits is not None:
            self._hits = None
        elif focus.selection is not None or focus.marked is not None:
            self._found = None
            self.share(replace(focus, selection=None, marked=None))
            self._rest_dock()
        else:
            return False
        self.desk.unsay()
        self.draw_marks()
        self.told()
        return True

    def marks(self) -> Marks:
        """Return the selection, and what was found or has the same name."""
        marks: dict[tuple[int, str | None, int | None], list[Mark]] = {}
        hits = {row.slice_id: row for row in self._hits.rows} if self._hits else {}
        for lane in self.lanes.shown:
            of_lane = [
                Mark(row.slice_id, row.ts, row.dur, self._hits.attributes)
                for row in hits.values()
                if row.track_id == lane.row.track_id and self._hits
            ]
            selected = mark_on(lane, self._found)
            if selected is not None:
                of_lane = [one for one in of_lane if one.span_id != selected.span_id]
                of_lane.append(selected)
            if of_lane:
                marks[lane.key] = of_lane
        return marks

    def measured(self) -> tuple[int, int] | None:
        """Return the range that is being measured, else the marked one."""
        if self._range_from is not None:
            cell = self.position.cell
            return min(self._range_from, cell.from_ts), max(self._range_from, cell.to_ts)
        marked = self.desk.place.marked
        return None if marked is None else (marked.from_ts, marked.to_ts)

    def action_measure(self) -> None:
        """Mark the extent of the selection; without one, begin or end a range at the cursor."""
        selection = self.desk.place.selection
        if selection is not None and self._range_from is None:
            self._mark(selection.window)
        else:
            self.action_range()

    def action_range(self) -> None:
        """Begin a range at the cursor, or end the one that was begun."""
        if self._range_from is None:
            self._range_from = self.position.cell.from_ts
            self.desk.say(say("range_begins"))
            self.draw_cursor()
            return
        measured = self.measured()
        self._range_from = None
        if measured is not None:
            self._mark(Window(*measured))

    def action_fit_selection(self) -> None:
        """Fit the window to the selection, or to the marked range."""
        focus = self.desk.place
        window = focus.selection.window if focus.selection else focus.marked
        if window is None:
            self.desk.say(say("nothing_selected"))
            return
        self.go(Position.fit(window.around(0.25), self.cells, window.from_ts))

    def action_same_name(self) -> None:
        """Mark all slices of the selected one's name; n and N go through them."""
        match self._found:
            case SelectedSlice(slice=one):
                self._search(one.name, SAME_NAME)
            case _:
                self.desk.say(say("select_first"))

    def action_threshold(self) -> None:
        """Ask from which length on a gap counts."""
        ask_gap_threshold(self.desk, self.told)

    def action_next_by_cost(self) -> None:
        """Select the gap that costs next less than the selected one, first the longest."""
        self._by_cost(forward=True)

    def action_previous_by_cost(self) -> None:
        """Select the gap that costs next more."""
        self._by_cost(forward=False)

    def _by_cost(self, *, forward: bool) -> None:
        place, least = self.desk.place, self.desk.settings.gap_threshold_ns
        asked = {"rank": place.rank, "step": place.step, "min_dur": least}
        if isinstance(self._found, GapsRow):
            asked |= {"dur": self._found.dur, "gap_id": self._found.gap_id}

        def work(answers: Answers) -> GapsRow | None:
            return answers.first("gap_by_cost", GapsRow, forward=forward, **asked)

        text = "no_gap_costs_less" if forward else "no_gap_costs_more"
        said = say(text, least=numbers.time(least))
        self.ask(work, lambda gap: self._select(gap, said))

    # Searching.

    def search(self, text: str) -> None:
        """Search names in the whole step or run, and go to the first hit after the cursor."""
        self._hits = None
        if text:
            self._search(text, FOUND)
        else:
            self.draw()

    def next_hit(self, *, forward: bool) -> None:
        """Go to the next hit of the search, around the end."""
        if self._hits is None:
            self.desk.say(say("nothing_searched_or_marked"))
        else:
            self._hits = self._hits.moved(1 if forward else -1)
            self._go_to_hit(self._hits)

    def _search(self, text: str, attributes: Attributes) -> None:
        focus = self.desk.place
        whole = self.desk.run_facts.whole(focus) or self.extent
        exact = attributes is SAME_NAME

        def work(answers: Answers) -> Hits:
            rows = answers.rows(
                "search_hits",
                SearchHitsRow,
                text=text,
                rank=focus.rank,
                from_ts=whole.from_ts,
                to_ts=whole.to_ts,
                limit=MOST_HITS,
            )
            return Hits(text, [row for row in rows if not exact or row.name == text], attributes)

        self.ask(work, self._take_hits, channel="search")

    def _take_hits(self, hits: Hits) -> None:
        if not hits.rows:
            self.desk.say(say("no_name_holds", text=repr(clean(hits.text))))
            return
        self._hits = hits.after(self.position.cursor_ts)
        self._go_to_hit(self._hits)

    def _go_to_hit(self, hits: Hits) -> None:
        self._select_slice(hits.row.slice_id)

    # The mouse.

    def on_lane_canvas_pointed(self, message: LaneCanvas.Pointed) -> None:
        """Put the cursor where the mouse is, and select what is longest there."""
        message.stop()
        self.lane = message.lane
        self.position = replace(self.position, cursor_ts=message.ts)
        self.draw_marks()
        self._ask_under_cursor(self._select_longest)

    def on_lane_canvas_dragged(self, message: LaneCanvas.Dragged) -> None:
        """Mark what the mouse was dragged over."""
        message.stop()
        self._mark(Window(message.from_ts, message.to_ts))

    def _mark(self, window: Window) -> None:
        self.share(replace(self.desk.place, marked=window))
        self.draw_cursor()
        self.desk.say(say("marked", time=numbers.time(window.dur)))

    def told(self) -> None:
        """Show window, lane, search and threshold in the status line."""
        view, lane = self.position.view, self.lane_here
        hidden = self.lanes.hidden(lane) if lane else 0
        parts = [
            say("view_of", time=numbers.time(view.dur)),
            say("one_cell", time=numbers.time(view.cell_ns)),
            lane_words(lane, hidden) if lane else say("no_lane"),
        ]
        if self._hits is not None:
            parts.append(say("hit", which=self._hits.said()))
        parts.append(say("gaps_over", time=numbers.time(self.desk.settings.gap_threshold_ns)))
        self.tell("   ".join(parts))
