"""What every view is, and what the app offers to it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from textual.containers import Vertical

from ...ingest.errors import NpuviewError
from ...queries.rows_timeline import SliceRow
from ..answers import Answers
from ..asker import Answered, Asker
from ..compare.against import Against
from ..dialogs.dialog import Dialog
from ..draw.look import Look
from ..draw.safe_text import clean
from ..export.export_choice import ExportChoice
from ..focus import Focus, Selection, Window
from ..run import Run
from ..scope import scope_title
from ..settings import Settings
from ..timeline.lane_name import LaneSpot
from ..user.kept import Kept
from ..widgets.prompt import Take
from ..words.spoken import say

if TYPE_CHECKING:
    from ..widgets.row_list import RowList

Answer = TypeVar("Answer")


class Desk(Protocol):
    """What the app offers to its views."""

    @property
    def is_open(self) -> bool:
        """Tell whether the store is open and something can be asked."""
        ...

    @property
    def look(self) -> Look:
        """Return how things are drawn on this terminal."""
        ...

    @property
    def settings(self) -> Settings:
        """Return what the user can set while the app runs."""
        ...

    @property
    def answers(self) -> Answers:
        """Return the questions to the opened store."""
        ...

    @property
    def run_facts(self) -> Run:
        """Return what is known of the run."""
        ...

    @property
    def place(self) -> Focus:
        """Return the rank, step, window and selection that all views share."""
        ...

    def open_view(self, view: str, *, focus: Focus | None = None, item: object = None) -> None:
        """Go one level deeper: to a view, at a place, on an item that it knows."""
        ...

    def stay_on(self, item: object) -> None:
        """Note that the view that is shown now shows another item, the one to come back to."""
        ...

    def move(self, focus: Focus) -> None:
        """Let all views look at another place; the view that is shown stays."""
        ...

    def tell(self, status: str) -> None:
        """Show clean text about what is selected in the status line."""
        ...

    def say(self, message: str, *, serious: bool = False, lasting: bool = False) -> None:
        """Show a clean message in the status line for a few seconds, or until the next one."""
        ...

    def unsay(self) -> None:
        """Take a message away: what it was about is left."""
        ...

    def ask_text(
        self,
        label: str,
        taken: Take,
        *,
        text: str = "",
        typed: Take | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        """Ask for a line of text; see ``Prompt.ask``."""
        ...

    def ask_dialog(self, dialog: Dialog[Answer], taken: Callable[[Answer], None]) -> None:
        """Show a dialog; ``taken`` gets its answer, unless it is closed without one."""
        ...

    @property
    def against(self) -> Against:
        """Return the run that the opened one is held against."""
        ...

    @property
    def kept(self) -> Kept:
        """Return what is kept of the profile: bookmarks, and statements that were run."""
        ...

    def show_keys(self, where: str) -> None:
        """Show in the footer the keys of a place, such as what has the focus in a view."""
        ...

    def show_way(self) -> None:
        """Draw the crumb again: what the view says of itself has changed."""
        ...


class View(Vertical):
    """A view of the app.

    Subclasses set ``WHERE``, the place in ``actions.PLACES`` whose keys work in it, and
    implement ``enter`` and ``refocus``. Their ``BINDINGS`` are ``bindings(WHERE)``.
    """

    WHERE: ClassVar[str]
    SCOPED: ClassVar[bool] = False
    """Whether esc in it gives up the marked range, which its lists are about."""

    def __init__(self, desk: Desk, *, name: str | None = None) -> None:
        super().__init__(id=name or self.WHERE)
        self.desk = desk
        self.look = desk.look
        self._askers: dict[str, Asker] = {}
        self._searched = ""

    @property
    def answers(self) -> Answers:
        """Return the questions that the view asks: those to the opened run."""
        return self.desk.answers

    @property
    def table(self) -> "RowList[Any] | None":
        """Return the table that search and filter work on; None if there is none."""
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let the view's keys do nothing before the store is open."""
        return self.desk.is_open and super().check_action(action, parameters)

    @property
    def lane_spot(self) -> LaneSpot | None:
        """Return the lane and instant of the cursor, for the same place of another run."""
        return None

    def come_to(self, spot: LaneSpot) -> None:
        """Go to a lane and an instant as soon as the view shows lanes."""

    def enter(self, item: object) -> None:
        """Show the view on an item that ``open_view`` handed over; None is none.

        Called each time the view is gone to, and again with the same item when what
        was opened from it is left.
        """
        raise NotImplementedError

    def refocus(self) -> None:
        """Show the shared place, which has changed while the view was shown."""
        raise NotImplementedError

    def crumb(self) -> Sequence[str]:
        """Return the clean parts of the crumb behind rank and step."""
        return ()

    def scope_title(self, *, outside: bool = False) -> str:
        """Return what lists of the shared place are about; ``outside`` its step, the run."""
        place = self.desk.place
        return scope_title(place.at_step(None) if outside else place, self.desk.run_facts)

    def copied(self) -> str:
        """Return the true text of what is selected, for the clipboard; empty: nothing."""
        return ""

    def export_choices(self) -> Sequence[ExportChoice]:
        """Return what can be written beside the parts of the run that all views offer."""
        return ()

    def leave(self) -> bool:
        """Go back one level inside the view; False if there is none, and the view is left.

        A filter goes first, then the marked range where the view shows only what is in it.
        """
        table, place = self.table, self.desk.place
        if table is not None and table.filtered:
            table.filter("")
            return True
        if self.SCOPED and place.marked is not None:
            self.desk.move(replace(place, marked=None))
            self.desk.say(say("range_left", whole=self.scope_title()))
            return True
        return False

    def search(self, text: str) -> None:
        """Go to the first thing whose name holds a text; without it forget the search."""
        table = self.table
        self._searched = text
        if table is None:
            self.desk.say(say("nothing_to_search"))
        elif text and not table.find(text):
            self.desk.say(say("nothing_holds", text=repr(clean(text))))

    def next_hit(self, *, forward: bool) -> None:
        """Go to the next hit of the search, or to the one before."""
        table, text = self.table, self._searched
        if not text:
            self.desk.say(say("nothing_searched"))
        elif table is not None and not table.find(text, forward=forward):
            self.desk.say(say("nothing_holds", text=repr(clean(text))))

    def ask(
        self,
        work: Callable[[Answers], Answer],
        show: Callable[[Answer], None],
        *,
        channel: str = "",
    ) -> None:
        """Ask off the screen's thread and show the answer on it.

        A newer question on the same ``channel`` takes the place of the one before.
        """
        asker = self._askers.get(channel)
        if asker is None:
            asker = self._askers[channel] = Asker(self, self.answers)
        asker.ask(work, show, self.failed)

    def tell(self, status: str) -> None:
        """Show clean text about what is selected in the status line, if the view is shown.

        An answer may come when another view is.
        """
        if self.display:
            self.desk.tell(status)

    def is_asking(self, channel: str) -> bool:
        """Tell whether an answer is still to come on a channel."""
        asker = self._askers.get(channel)
        return asker is not None and asker.busy

    def stop_asking(self, channel: str) -> None:
        """Stop what is being answered on a channel; nothing of it is shown any more."""
        asker = self._askers.get(channel)
        if asker is not None:
            asker.stop()

    def forget_questions(self) -> None:
        """Stop all that is being answered: what is asked next is asked of another run."""
        for asker in self._askers.values():
            asker.stop()
        self._askers.clear()

    def open_slice(self, slice_id: int | None, untold: str) -> None:
        """Show a slice in the timeline; say what is ``untold`` where there is none."""
        if slice_id is None:
            self.desk.say(untold)
            return

        def show(found: SliceRow | None) -> None:
            if found is not None:
                window = Window(found.ts, found.ts + max(1, found.dur))
                selection = Selection(window, found.name, slice_id=found.slice_id)
                self.desk.open_view("timeline", focus=self.desk.place.around(selection))

        self.ask(
            lambda answers: answers.first("slice", SliceRow, slice_id=slice_id),
            show,
            channel="open",
        )

    def failed(self, error: NpuviewError) -> None:
        """Say that a question could not be answered; what was shown stays."""
        self.desk.say(clean(str(error)), serious=True)

    def on_answered(self, message: Answered) -> None:
        """Show an answer that came."""
        message.stop()
        message.deliver()

    def on_row_list_filter_asked(self, message: "RowList.FilterAsked") -> None:
        """Ask for the text that rows must hold."""
        message.stop()
        self.action_filter()

    def action_filter(self) -> None:
        """Ask for the text that rows must hold."""
        table = self.table
        if table is not None:
            before = table.filtered
            self.desk.ask_text(
                say("rows_with"),
                table.filter,
                text=before,
                typed=table.filter,
                left=lambda: table.filter(before),
            )
