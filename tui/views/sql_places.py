"""Where the rows of an answer lead: to their place in the timeline."""

from typing import TYPE_CHECKING

from ..sql.row_place import RowPlace, focus_on, found_place, row_place
from ..words.spoken import say
from .view import View

if TYPE_CHECKING:
    from ..sql.kept_answer import KeptAnswer, Row


class SqlPlaces:
    """Goes to the places that the rows of a view's answer name."""

    def __init__(self, view: View) -> None:
        self._view = view

    def share(self, answer: "KeptAnswer", row: "Row") -> None:
        """Let the other views look at a row, if it lies in the step or run that they show."""
        desk = self._view.desk
        here, place = desk.place, row_place(answer.columns, row)
        window, whole = place.window, desk.run_facts.whole(here)
        if window is None or whole is None or not whole.meets(window):
            return
        if place.rank in (None, here.rank):
            desk.move(here.on(place.selection(window)))

    def open(self, answer: "KeptAnswer", row: "Row") -> None:
        """Show a row where it lies; its slice or gap is asked for where it does not say so."""
        place = row_place(answer.columns, row)
        if place.slice_id is None and place.gap_id is None and place.window is None:
            self._view.desk.say(say("row_without_place"))
            return
        self._view.ask(lambda answers: found_place(answers, place), self._show, channel="open")

    def _show(self, place: RowPlace) -> None:
        desk, window = self._view.desk, place.window
        if window is None:
            desk.say(say("no_such_place"))
            return
        focus = focus_on(desk.run_facts, desk.place, place.selection(window), place.rank)
        if focus is None:
            desk.say(say("outside_run", ts=window.from_ts))
        else:
            desk.open_view("timeline", focus=focus)
