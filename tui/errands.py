"""What is done for every view alike: help, commands, files, places to go to, copies."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..ingest.errors import NpuviewError, UsageError
from ..queries.rows_timeline import SliceRow
from .answers import Answers
from .asker import Asker
from .compare.against import OtherRun, Switch, common_place
from .compare.reading_told import ReadingTold
from .dialogs.bookmarks import Bookmarks
from .dialogs.export import Export, Order
from .dialogs.goto import EXAMPLES, SliceNumber, found_focus, read_goto
from .dialogs.help import Help
from .dialogs.palette import Palette
from .draw.numbers import MILLISECONDS, place, time
from .draw.safe_text import clean, cut_middle
from .export.exporter import Exporter
from .export.perfetto_choices import perfetto_choices
from .focus import AROUND_SELECTION, Focus, Selection, Window
from .keyboard.key_places import PLACES
from .keyboard.keys import place_text
from .palette import Command, action_commands, place_commands
from .sql.preset_commands import preset_commands
from .user.clipboard import clipboard_text, copied, fits, write_copy
from .user.kept import Spot
from .user.state import Bookmark
from .words.spoken import say

if TYPE_CHECKING:
    from .app import NpuviewApp

PLACE_CELL_NS = 1000
FIRST_VIEW = "overview"
OPENED = {"waits": "open_waits", "moves": "open_moves"}
"""Views without a key that works everywhere, and how the command is called."""


class Errands:
    """Does for an app whose store is open what its keys ask for at every place."""

    def __init__(self, app: "NpuviewApp") -> None:
        self._app = app
        self.exporter = Exporter(app, lambda said: app.say(said, lasting=True), self._exported)
        self._slices = Asker(app, app.answers)

    def do(self, errand: str) -> None:
        """Do one of these by the name that the table of actions gives it."""
        errands = {
            "help": self.help,
            "palette": self.palette,
            "export": self.export,
            "copy": self.copy,
            "other_run": self.other_run,
            "goto": self.ask_goto,
            "bookmark": self.ask_bookmark,
            "bookmarks": self.bookmarks,
            "next_step": lambda: self.step_on(1),
            "previous_step": lambda: self.step_on(-1),
            "next_rank": self.next_rank,
        }
        errands[errand]()

    def step_on(self, away: int) -> None:
        """Go so many steps further, or back; say so where there is none."""
        app = self._app
        run, focus = app.run_facts, app.place
        if (beside := run.step_beside(focus, away)) is not None:
            app.move(beside)
        elif not run.steps_of(focus.rank):
            app.say(say("no_steps_here"))
        else:
            app.say(say("no_step_further" if away > 0 else "no_step_before"))

    def next_rank(self) -> None:
        """Go to the next rank, to the same step of it."""
        app = self._app
        run, focus = app.run_facts, app.place
        if len(run.ranks) < 2:
            app.say(say("only_rank"))
            return
        rank = run.ranks[(run.ranks.index(focus.rank) + 1) % len(run.ranks)]
        same = any(step.step == focus.step for step in run.steps_of(rank))
        app.move(Focus(rank, focus.step if same else None))

    def help(self) -> None:
        """Show the keys that work at what has the focus."""
        app = self._app
        app.push_screen(Help(app.look, self._where(), app.config.keymap))

    def palette(self) -> None:
        """Let a command be chosen by its name."""
        app = self._app

        def do(command: Command) -> None:
            command.do()

        app.ask_dialog(Palette(app.look, list(self._commands()), app.config.keymap), do)

    def export(self) -> None:
        """Ask what is written into which file, and write it."""
        app = self._app
        if self.exporter.busy:
            app.say(say("being_written"))
            return
        choices = (*app.view.export_choices(), *perfetto_choices(app.place, app.run_facts))
        if not choices:
            app.say(say("nothing_to_export"))
            return
        app.ask_dialog(Export(app.look, choices, app.config.keymap), self._write)

    def copy(self) -> None:
        """Send what is selected to the clipboard of the terminal, or a long text to a file."""
        app = self._app
        text = clipboard_text(app.view.copied())
        if not text:
            app.say(say("nothing_to_copy"))
        elif fits(text):
            app.copy_to_clipboard(text)
            app.say(copied(text))
        else:
            try:
                app.say(self._fitted(say("copied_to_file", file=write_copy(text))))
            except NpuviewError as error:
                app.say(clean(str(error)), serious=True)

    def other_run(self) -> None:
        """End the app for one on the other run, at the place that both have in common."""
        app = self._app
        against = app.against
        place_here = common_place(app.run_facts, app.place, app.view.lane_spot)
        if not against.is_named:
            app.say(say("no_other_run"))
            return
        told = ReadingTold(app, app)

        def show(other: OtherRun) -> None:
            told.end()
            if not other.has_timeline:
                app.say(say("baseline_no_timeline", name=clean(other.name)))
                return
            app.switch = Switch(other, place_here)
            app.exit()

        def failed(error: NpuviewError) -> None:
            told.end()
            app.say(clean(str(error)), serious=True)

        told.begin()
        self._slices.ask(lambda _: against.opened(), show, failed)

    def ask_goto(self) -> None:
        """Ask for a place and go there."""
        self._app.ask_text(say("go_to_what", examples=EXAMPLES), self.go_to)

    def go_to(self, text: str) -> None:
        """Go to a step, a slice, a rank or an instant; say why if that is not possible."""
        app = self._app
        if not text.strip():
            return
        try:
            wanted = read_goto(text)
            if isinstance(wanted, SliceNumber):
                self._go_to_slice(wanted.slice_id)
                return
            focus = found_focus(wanted, app.place, app.run_facts)
        except UsageError as error:
            app.say(clean(str(error)), serious=True)
            return
        if focus.window is None:
            app.move(focus)
        else:
            self._show("timeline", focus)

    def ask_bookmark(self) -> None:
        """Ask for the name of this place and keep it."""
        app = self._app
        spot = app.spot
        name = " ".join((place_text(spot.view)[0].lower(), self._place_text(spot.focus)))
        app.ask_text(say("keep_place"), lambda text: self._keep(text, spot), text=name)

    def bookmarks(self) -> None:
        """List the places that are kept, to go to one of them."""
        app, kept = self._app, self._app.kept

        def put(old: Bookmark, new: Bookmark | None) -> None:
            kept.replace_bookmark(old, new)
            self._save()

        dialog = Bookmarks(app.look, kept.bookmarks, self._bookmark_place, put, app.config.keymap)
        app.ask_dialog(dialog, self._go_to_bookmark)

    def _commands(self) -> Iterator[Command]:
        app = self._app
        yield from action_commands(app, self._where())
        if self._where() != FIRST_VIEW:
            yield from (Command(say(text), "", self._opens(view)) for view, text in OPENED.items())
        for title, ask in preset_commands(app):
            yield Command(say("ask_command", title=title), "", ask)
        for one in app.kept.bookmarks:
            name = say("bookmark_command", name=clean(one.name))
            yield Command(name, "", self._goes_to(one))
        yield from place_commands(app.run_facts, app.place.rank, self.go_to)

    def _opens(self, view: str) -> Callable[[], None]:
        return lambda: self._app.open_view(view)

    def _goes_to(self, bookmark: Bookmark) -> Callable[[], None]:
        return lambda: self._go_to_bookmark(bookmark)

    def _where(self) -> str:
        """Return the place of what has the focus: its own, or that of what it is in."""
        focused = self._app.focused
        for widget in () if focused is None else focused.ancestors_with_self:
            where = getattr(widget, "WHERE", None)
            if isinstance(where, str) and where in PLACES:
                return where
        return self._app.view.WHERE

    def _write(self, order: Order) -> None:
        self.exporter.write(order.choice, order.target, self._app.answers)

    def _exported(self, said: str, wrong: bool) -> None:  # noqa: FBT001 a callback
        self._app.say(said if wrong else self._fitted(said), serious=wrong)

    def _go_to_slice(self, slice_id: int) -> None:
        def work(answers: Answers) -> SliceRow | None:
            return answers.first("slice", SliceRow, slice_id=slice_id)

        def show(row: SliceRow | None) -> None:
            if row is None:
                self._app.say(say("no_such_slice", slice=slice_id), serious=True)
                return
            window = Window(row.ts, row.end_ts)
            selection = Selection(window, row.name, slice_id=row.slice_id)
            around = window.around(AROUND_SELECTION)
            self._show("timeline", Focus(row.rank, row.step, around, selection))

        self._slices.ask(work, show, lambda error: self._app.say(clean(str(error)), serious=True))

    def _go_to_bookmark(self, bookmark: Bookmark) -> None:
        app = self._app
        spot = app.kept.spot(bookmark, app.run_facts)
        if spot is None:
            app.say(say("rank_not_open", rank=bookmark.rank), serious=True)
        else:
            self._show(spot.view if app.has_view(spot.view) else "timeline", spot.focus)

    def _show(self, view: str, focus: Focus) -> None:
        """Look at a place in a view, which is a level of its own unless it is shown."""
        if view == self._app.view.WHERE:
            self._app.move(focus)
        else:
            self._app.open_view(view, focus=focus)

    def _keep(self, text: str, spot: Spot) -> None:
        name = text.strip()
        if name:
            self._app.kept.add_bookmark(name, spot, self._app.run_facts)
            self._app.say(say("place_kept", name=clean(name)))
            self._save()

    def _save(self) -> None:
        said = self._app.kept.save()
        if said is not None:
            self._app.say(clean(said), serious=True)

    def _bookmark_place(self, bookmark: Bookmark) -> str:
        spot = self._app.kept.spot(bookmark, self._app.run_facts)
        if spot is None:
            return say("bookmark_not_open", rank=bookmark.rank)
        return self._place_text(spot.focus)

    def _place_text(self, focus: Focus) -> str:
        run = self._app.run_facts
        parts = [f"rank {focus.rank}"] if len(run.ranks) > 1 else []
        if focus.step is not None:
            parts.append(say("step", step=focus.step))
        if focus.window is not None:
            begin = focus.window.from_ts - run.origin(focus)
            parts += [place(begin, PLACE_CELL_NS, MILLISECONDS), f"({time(focus.window.dur)})"]
        return " ".join(parts) or say("all_steps")

    def _fitted(self, text: str) -> str:
        """Return a sentence that ends in a path, which stays readable on a narrow screen."""
        return cut_middle(clean(text), self._app.size.width - 2)
