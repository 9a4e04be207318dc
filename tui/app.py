"""The app: one frame, the views in it, and the place that they all look at."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from ..ingest.store import Store
from .answers import Answers, open_answers
from .asker import Answered
from .compare.against import Against, Switch
from .draw.look import Look
from .draw.safe_text import clean
from .focus import Focus
from .keyboard.keys import bindings
from .process.clean_exit import CleanExitApp
from .process.display import Display
from .process.key_order import KeyOrder
from .process.quiet import keep_out_of_the_way
from .run import Run, ask_run
from .settings import Settings
from .start import Start
from .user.config import Config
from .user.kept import Kept, Spot
from .user.state import state_path
from .views.view import View
from .views_made import DIGITS, VIEWS, ViewsMade
from .way import Level, Way
from .widgets.frame import Crumb, KeyLine
from .widgets.maximized import Maximized
from .widgets.prompt import Take
from .widgets.status_row import StatusRow
from .widgets.too_small import TooSmall
from .words.spoken import counted, say, shown

if TYPE_CHECKING:
    from .dialogs.dialog import Dialog
    from .errands import Errands

Answer = TypeVar("Answer")

FIRST_VIEW = "overview"


SETTLED_SECONDS = 1.0
"""After which what was imported and made for the start is there to stay."""

BEFORE_OPEN = frozenset({"quit", "interrupt", "suspend_process", "show_view", "errand"})
"""Actions that do or say something before the store is open."""


class NpuviewApp(CleanExitApp):
    """Shows a store; an app is run once.

    The session over the store is opened after the first paint, on a thread: what it
    takes is not waited for.
    """

    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("global")
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - declared so by Textual
        (0, "-narrow"),
        (100, "-normal"),
        (140, "-wide"),
    ]
    ENABLE_COMMAND_PALETTE = False
    # Textual would focus the prompt, which is not shown yet, and the first keys would go there.
    AUTO_FOCUS = None

    def __init__(
        self,
        store: Store,
        display: Display,
        config: Config,
        *,
        ranks: Sequence[int] | None = None,
        start: Start | None = None,
        remember: bool = True,
        against: Against | None = None,
    ) -> None:
        super().__init__(display)
        self.store = store
        self.config = config
        self.start = start or Start()
        self.remember = remember
        self.switch: Switch | None = None
        """Where the app is to go on in the other run, once it has ended for that."""
        self.look = Look(display.glyphs, display.color)
        self.settings = Settings(config.gap_threshold)
        self._ranks = ranks
        self._answers: Answers | None = None
        self._run: Run | None = None
        self._focus: Focus | None = None
        self._way = Way(FIRST_VIEW)
        self._views = ViewsMade(self)
        self._wanted: str | None = None
        """The view whose key was pressed before the store was open."""
        self._kept = Kept()
        self._against = against or Against()
        self._errands: Errands | None = None
        self._maximized = Maximized()
        self._crumb = Crumb(self.look)
        self._body = Container(id="body")
        self._status = StatusRow(self.look)
        self._keys = KeyLine(self.look)
        self._too_small = TooSmall(self.look)
        self._key_order = KeyOrder(self, super().on_event)

    # What views are offered: see Desk.

    @property
    def is_open(self) -> bool:
        """Tell whether the store is open and something can be asked."""
        return self._run is not None

    @property
    def answers(self) -> Answers:
        """Return the questions to the opened store."""
        if self._answers is None:
            raise RuntimeError("the store is not open yet")
        return self._answers

    @property
    def run_facts(self) -> Run:
        """Return what is known of the run."""
        if self._run is None:
            raise RuntimeError("the store is not open yet")
        return self._run

    @property
    def place(self) -> Focus:
        """Return the rank, step, window and selection that all views share."""
        if self._focus is None:
            raise RuntimeError("the store is not open yet")
        return self._focus

    @property
    def kept(self) -> Kept:
        """Return what is kept of the profile: bookmarks, and statements that were run."""
        return self._kept

    @property
    def against(self) -> Against:
        """Return the run that the opened one is held against."""
        return self._against

    @property
    def spot(self) -> Spot:
        """Return the place, in the nearest view of the way that needs no item to be opened."""
        return Spot(self._way.nearest_view, self.place)

    @property
    def view(self) -> View:
        """Return the view that is shown."""
        return self._views[self._way.here.view]

    def open_view(self, view: str, *, focus: Focus | None = None, item: object = None) -> None:
        """Go one level deeper; what is left comes back as it is now."""
        if self._run is None:
            return
        self._way.deeper(view, item, self._focus)
        if focus is not None:
            self._focus = focus
        self._show_level()

    def stay_on(self, item: object) -> None:
        """Note that the view that is shown now shows another item."""
        self._way.stay_on(item)

    def move(self, focus: Focus) -> None:
        """Let all views look at another place; the view that is shown stays."""
        if focus != self._focus:
            self._focus = focus
            self.view.refocus()
            self.show_way()

    def tell(self, status: str) -> None:
        """Show clean text about what is selected in the status line."""
        self._status.tell(status)

    def say(self, message: str, *, serious: bool = False, lasting: bool = False) -> None:
        """Show a clean message in the status line for a few seconds, or until the next one."""
        self._status.say(message, serious=serious, lasting=lasting)

    def unsay(self) -> None:
        """Take a message away: what it was about is left."""
        self._status.unsay()

    def ask_text(
        self,
        label: str,
        taken: Take,
        *,
        text: str = "",
        typed: Take | None = None,
        left: Callable[[], None] | None = None,
    ) -> None:
        """Ask for a line of text in the place of the status line."""
        self._status.ask(label, taken, text=text, typed=typed, left=left)
        self._key_order.hold(self)

    def ask_dialog(self, dialog: "Dialog[Answer]", taken: Callable[[Answer], None]) -> None:
        """Show a dialog; ``taken`` gets its answer, unless it is closed without one."""

        def answered(answer: Answer | None) -> None:
            if answer is not None:
                taken(answer)

        self.push_screen(dialog, answered)
        self._key_order.hold(dialog)

    def has_view(self, view: str) -> bool:
        """Tell whether there is a view of this name."""
        return view in VIEWS

    def show_keys(self, where: str) -> None:
        """Show the keys of a place in the footer."""
        self._keys.show(where, self.config.keymap)

    def show_way(self) -> None:
        """Draw the crumb: rank, step, and what the view says of itself."""
        if self._run is None or self._focus is None:
            self._crumb.show([clean(self.store.path.name)], 1)
            return
        focus, run = self._focus, self._run
        profile = run.profile(focus.rank)
        parts = [clean(profile.name or "profile"), f"rank {focus.rank}"]
        if focus.step is not None:
            parts.append(say("step", step=focus.step))
        elif run.steps_of(focus.rank):
            parts.append(shown("all steps"))
        view = self.view
        self._crumb.show([*parts, *view.crumb()], self._digit, lost=run.lost > 0)

    @property
    def _digit(self) -> int:
        """Return the number of the nearest view on the way that has one."""
        return next((DIGITS.index(one) + 1 for one in self._way.views if one in DIGITS), 0)

    # Start and end.

    def compose(self) -> ComposeResult:
        """Put the frame together."""
        yield self._crumb
        yield self._body
        yield self._status
        yield self._keys
        yield self._too_small

    def on_mount(self) -> None:
        """Show the frame before anything is imported or opened to be shown in it."""
        self.set_keymap(self.config.keymap)
        self._keys.show(FIRST_VIEW, self.config.keymap)
        self.show_way()
        self.tell(shown("opening …"))
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Open the store; meanwhile show the view that will show it."""
        if not self._body.is_attached:
            # The app is ending already.
            return
        self.run_worker(self._open, thread=True, exit_on_error=True)
        first = (self.start.way or (FIRST_VIEW,))[-1]
        self._body.mount(self._views[first])

    def on_unmount(self) -> None:
        """Stop what is still being answered, and keep where that was.

        The end waits for the threads that ask.
        """
        if self._errands is not None:
            self._errands.exporter.stop()
        self._against.stop()
        if self._answers is not None:
            self._answers.close()
        if self._run is not None:
            # A place that ended the app is none to begin at.
            if self.error is None:
                self._kept.leave(self.spot, self._run)
            self._kept.save()

    def on_resize(self, event: events.Resize) -> None:
        """Show the views only where they have room."""
        # The app takes the new size for its own only after this.
        self._too_small.judge(event.size, (self._crumb, self._body, self._status, self._keys))
        if self.is_open:
            self.call_after_refresh(self._focus_shown)

    def _focus_shown(self) -> None:
        """Give the shown view the focus where it has come while there was no room for it."""
        view, focused = self.view, self.focused
        elsewhere = focused is not None and any(
            isinstance(one, View) and one is not view for one in focused.ancestors
        )
        if len(self.screen_stack) == 1 and (focused is None or elsewhere):
            self._refocus_widget(_first_in(view))

    async def on_event(self, event: events.Event) -> None:
        """Take an event; keys in their order."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._key_order.take(event)
        else:
            await super().on_event(event)

    def on_answered(self, message: Answered) -> None:
        """Take what the thread that opened the store brought."""
        message.deliver()

    def _open(self) -> None:
        answers = open_answers(self.store, self._ranks)
        try:
            run = ask_run(answers)
        except BaseException:
            answers.close()
            raise
        kept = Kept(state_path(self.store.path)) if self.remember else Kept()
        self.post_message(Answered(lambda: self._opened(answers, run, kept)))

    def _opened(self, answers: Answers, run: Run, kept: Kept) -> None:
        self._answers, self._run, self._kept = answers, run, kept
        self.tell("")
        last = kept.last(run) if self.config.restore and not self.start.given else None
        if last is not None and self.has_view(last.view):
            self._focus, views = last.focus, (last.view,)
        else:
            self._focus, views = self.start.focus(run), self.start.way
        if self._wanted is not None:
            views = (self._wanted,)
        self._way.restart(views)
        if self.start.common is not None and (spot := self.start.common.lane_spot(run)):
            self.view.come_to(spot)
        self._show_level()
        if kept.said is not None:
            self.say(clean(kept.said), serious=True)
        elif self.store.source_is_gone:
            self.say(say("source_missing"), lasting=True)
        elif run.lost:
            lost = say("events_lost", events=counted(run.lost, "event"))
            self.say(lost, serious=True, lasting=True)
        self.set_timer(SETTLED_SECONDS, keep_out_of_the_way)

    # The way through the views.

    def _show_level(self) -> None:
        self._maximized.shrink()
        self._status.unsay()
        level = self._way.here
        view = self._views[level.view]
        if view.parent is None:
            self._body.mount(view)
        if self.focused is not None and view not in self.focused.ancestors:
            # What is hidden would hand the focus on inside its view, which would tell of it.
            self._refocus_widget(None)
        for other in self._views:
            other.display = other is view
        self._keys.show(view.WHERE, self.config.keymap)
        self.call_after_refresh(self._enter, view, level)
        self._key_order.hold(self)

    def _enter(self, view: View, level: Level) -> None:
        if self._way.here.view != level.view:
            return
        if self.focused is None or view not in self.focused.ancestors:
            self._refocus_widget(_first_in(view))
        self.tell("")
        view.enter(level.item)
        self.show_way()

    def _refocus_widget(self, widget: Widget | None) -> None:
        if widget is not None and widget.is_attached:
            widget.focus(scroll_visible=False)
        else:
            self.screen.set_focus(None)

    # Actions of the keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let keys that need the store do nothing before it is open."""
        if not self.is_open and action not in BEFORE_OPEN:
            return False
        return super().check_action(action, parameters)

    def action_show_view(self, view: str) -> None:
        """Show one of the main views; from there one level back is the overview."""
        if self._run is None:
            self._wanted = view
            return
        self._way.restart([view])
        self._show_level()

    async def action_back(self) -> None:
        """Go back one level; the first one stays."""
        if self._left():
            return
        if self._way.at_start:
            self.say(say("first_level"))
            return
        level = self._way.back()
        if level.focus is not None:
            self._focus = level.focus
        self._show_level()

    def action_search(self) -> None:
        """Ask for a part of a name to go to."""
        self.ask_text(say("search_for"), self.view.search)

    def action_next_hit(self) -> None:
        """Go to the next hit of the search."""
        self.view.next_hit(forward=True)

    def action_previous_hit(self) -> None:
        """Go to the hit before."""
        self.view.next_hit(forward=False)

    def action_errand(self, errand: str) -> None:
        """Do what every view can ask for; see ``Errands.do``."""
        if not self.is_open:
            self.say(say("still_opening"))
            return
        if self._errands is None:
            self._errands = _errands_of(self)
        self._errands.do(errand)

    def action_maximize(self) -> None:
        """Give the panel with the focus the whole body, or give it back."""
        if self._maximized.shrink():
            return
        panel = self.focused
        if panel is None or not self._maximized.grow(panel, self.view):
            self.say(say("no_other_panel"))

    def _left(self) -> bool:
        """Stop, close or leave the nearest thing that is in the way of going back."""
        if self._errands is not None and self._errands.exporter.busy:
            self._errands.exporter.stop()
            return True
        if self._against.stop():
            return True
        return self._maximized.shrink() or self.view.leave()


def _errands_of(app: NpuviewApp) -> "Errands":
    """Return what every view can ask for; its dialogs are not waited for at the start."""
    from .errands import Errands  # noqa: PLC0415

    return Errands(app)


def _first_in(view: View) -> Widget | None:
    """Return what of a view takes the keys at first."""
    return next((one for one in view.query("*") if one.focusable and one.display), None)
