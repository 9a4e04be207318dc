"""The lanes of one of two runs that are looked at together; part of a view."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from ..answers import Answers
from ..compare.linked_start import Beginning
from ..draw.numbers import Unit
from ..draw.ruler import Ruler
from ..focus import Focus
from ..run import Run
from ..timeline.found import Found, mark_on
from ..timeline.ink import Ink
from ..timeline.position import Position
from ..timeline.rank_lanes import RankLanes
from .lanes_view import LanesView, Marks
from .view import Desk

Moved = Callable[[Focus], None]


class SideLanes(LanesView):
    """Lanes of a run of its own, which the view that holds them moves.

    ``moved_to`` hears of every place that is shown, ``drawn`` that there is another picture,
    ``sized`` that there is another size.
    """

    WHERE = "linked"
    CANVAS_ID = "linked_lanes"
    HAS_WHOLE: ClassVar[bool] = False

    def __init__(
        self,
        desk: Desk,
        name: str,
        moved_to: Moved,
        drawn: Callable[[], None],
        sized: Callable[[], None],
    ) -> None:
        super().__init__(desk, name=name)
        self._moved_to = moved_to
        self._drawn = drawn
        self._sized = sized
        self._one: Beginning | None = None
        self._unit: Unit | None = None
        self._place = Focus(0)
        self._found: Found | None = None

    @property
    def answers(self) -> Answers:
        """Return the questions to the run of these lanes."""
        return self.desk.answers if self._one is None else self._one.side.answers

    @property
    def run_facts(self) -> Run:
        """Return what is known of the run of these lanes."""
        return self.desk.run_facts if self._one is None else self._one.side.run

    @property
    def place(self) -> Focus:
        """Return the place in the run of these lanes."""
        return self._place

    @property
    def ruler(self) -> Ruler:
        """Return the axis from the start of the step, in the unit of both runs."""
        ruler = super().ruler
        return ruler if self._unit is None else Ruler(ruler.origin, self._unit)

    def hold(self, one: Beginning, lanes: RankLanes, unit: Unit) -> None:
        """Show a run from now on, with these lanes and its axis in a unit."""
        if self._one is None or self._one.side is not one.side:
            self.forget_questions()
            self._ink = Ink()
            self._ranks = {}
        self._one, self._unit, self._found = one, unit, one.found
        self._ranks[one.focus.rank] = lanes
        self._place = self._shown = one.focus

    def shows(self, one: Beginning) -> bool:
        """Tell whether these are the lanes of the run and rank of one of the two."""
        here = self._one
        return (
            here is not None and here.side.run is one.side.run and here.focus.rank == one.focus.rank
        )

    def reopened(self, lanes: RankLanes) -> RankLanes:
        """Return lanes with those open that were opened here."""
        here = self.lanes
        opened = replace(lanes.lanes, unfolded=here.unfolded, opened=here.opened)
        return replace(lanes, lanes=opened)

    def take_lanes(self, rank: RankLanes) -> None:
        """Show no lanes but those that ``hold`` brought: they are the same in both runs."""

    def put(self, position: Position) -> None:
        """Show a position; where only the cursor has moved nothing else is drawn."""
        if position.view != self.position.view:
            self.go(position)
        elif position != self.position:
            self.position = position
            self.draw_cursor()

    def share(self, focus: Focus) -> None:
        """Keep a place, and tell of it: the shared one is that of the opened run alone."""
        self._place = self._shown = focus
        self._moved_to(focus)

    def refocus(self) -> None:
        """Stay: the view that holds the lanes moves them."""

    def marks(self) -> Marks:
        """Return the mark of what was gone to."""
        drawn = [lane for lane in self.lanes.shown if not lane.absent]
        marks = {lane.key: mark_on(lane, self._found) for lane in drawn}
        return {key: [mark] for key, mark in marks.items() if mark is not None}

    def busy(self) -> int | None:
        """Return the busy time of the selected lane in the window, ns; None if not known."""
        lane, picture = self.lane_here, self.canvas.picture
        if lane is None or lane.absent or lane.counter is not None or picture is None:
            return None
        slab, view = picture.slab, self.position.view
        if slab is None or not slab.serves(self.place.rank, view, [lane]):
            return None
        return slab.of(lane).busy(view)

    def fit_to_size(self) -> None:
        """Tell the view that holds both: it gives them the same cells."""
        self._sized()

    def draw(self) -> None:
        """Draw what is loaded, and say so."""
        super().draw()
        self._drawn()
