"""All that is known of one slice, or of one kernel that only the table of kernels has."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import OperatorCallsRow
from ...queries.rows_timeline import ChainRow
from ..draw import numbers
from ..draw.names import fitted
from ..draw.safe_text import clean
from ..focus import Selection, Window
from ..keyboard.keys import bindings
from ..overview.collection import cut_off_timelines
from ..widgets.row_list import RowList
from ..widgets.sheet import Section, Sheet
from ..words.spoken import counted, say, shown
from .details_facts import Arg, Facts, ask_facts, ask_other_call
from .details_links import (
    args_section,
    around_section,
    arrows_section,
    communication_section,
    launched_section,
    origin_section,
)
from .details_phases import phases_section
from .details_scene import Scene, told
from .details_sections import calls_section, identity, shapes_section, time_section
from .details_tables import PhaseRow, arg_columns, columns_of, phase_columns
from .view import Desk, View

Item = int | OperatorCallsRow
"""slice_id, or a kernel without a slice."""

CRUMB_CELLS = 32


class Details(View):
    """One slice: its time, its phases, its shapes, its launch."""

    WHERE = "details"
    BINDINGS: ClassVar[list[BindingType]] = bindings("details")
    DEFAULT_CSS = """
    #details_sheet { height: 1fr; }
    #details_phases { height: 1fr; display: none; }
    #details_args { height: 1fr; display: none; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._sheet = Sheet(self.look, id="details_sheet")
        self._phases: RowList[PhaseRow] = RowList(
            self.look,
            "Phases",
            lambda width: phase_columns(width, self.look),
            id="details_phases",
        )
        self._args: RowList[Arg] = RowList(self.look, "Args", arg_columns, id="details_args")
        self._args.searched = lambda arg: f"{arg.name} {arg.value}"
        self._item: Item | None = None
        self._facts: Facts | None = None
        self._asked: tuple[Item, int | None] | None = None

    @property
    def table(self) -> "RowList[Any] | None":
        """Return the table that is shown in the place of the sheet; None: the sheet is."""
        return next((one for one in (self._phases, self._args) if one.display), None)

    def compose(self) -> ComposeResult:
        """Put the tables into the place of the sheet, where one of the three is shown."""
        yield self._sheet
        yield self._phases
        yield self._args

    def enter(self, item: object) -> None:
        """Show a slice; without one the slice that is selected."""
        selection = self.desk.place.selection
        if isinstance(item, int | OperatorCallsRow):
            self._item = item
        elif selection is not None and selection.slice_id is not None:
            self._item = selection.slice_id
        else:
            self._item = None
        self._show_only(self._sheet)
        self.refocus()

    def refocus(self) -> None:
        """Ask again where the slice, or the step of its operator's calls, has changed."""
        if self._item is None:
            self._facts = self._asked = None
            self._say_nothing(say("no_slice_selected"))
            return
        asked = (self._item, self.desk.place.step)
        if asked == self._asked:
            self._tell()
            return
        self._asked = asked
        self.ask(lambda answers: ask_facts(answers, *asked), self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the operator and which of its calls this is."""
        facts = self._facts
        if facts is None:
            return (shown("details"),)
        name = fitted(facts.operator, CRUMB_CELLS)
        like = facts.kernel.rank if facts.kernel else None
        if like is None or like.count_ == 1:
            return (name,)
        return name, say("call_of", at=f"{like.earlier + 1:,}", count=f"{like.count_:,}")

    def copied(self) -> str:
        """Return the true name, place and number of the slice, or the selected arg."""
        facts, arg = self._facts, self._args.row
        if facts is None:
            return ""
        if self._args.display and arg is not None:
            return f"{arg.name}={arg.value}"
        one = facts.main
        return f"{one.name} ts={one.ts} dur={one.dur} ns slice_id={one.slice_id}"

    def leave(self) -> bool:
        """Go back from a table to the sheet."""
        if super().leave():
            return True
        if self.table is None:
            return False
        self._show_only(self._sheet)
        return True

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Keep what the status line says: it is about the slice."""
        message.stop()

    def on_resize(self) -> None:
        """Say again how much is out of sight."""
        self.call_after_refresh(self._tell)

    def action_open(self) -> None:
        """Show the slice in the timeline."""
        if self._facts is not None:
            self.desk.open_view("timeline", focus=self.desk.place.around(self._facts.selection))

    def action_row_down(self) -> None:
        """Go one row down."""
        self._sheet.scroll_rows(1)
        self._tell()

    def action_row_up(self) -> None:
        """Go one row up."""
        self._sheet.scroll_rows(-1)
        self._tell()

    def action_page_down(self) -> None:
        """Go one screen down."""
        self._sheet.scroll_pages(1)
        self._tell()

    def action_page_up(self) -> None:
        """Go one screen up."""
        self._sheet.scroll_pages(-1)
        self._tell()

    def action_next_call(self) -> None:
        """Go to the call of the operator after this one."""
        self._go_to_call(forward=True)

    def action_previous_call(self) -> None:
        """Go to the call of the operator before this one."""
        self._go_to_call(forward=False)

    def action_phases(self) -> None:
        """Change between the sheet and the phases as a table."""
        if self._phases.display:
            self._show_only(self._sheet)
        elif not self._phases.rows:
            self.desk.say(say("no_unit_figures"))
        else:
            self._show_only(self._phases)

    def action_full_args(self) -> None:
        """Change between the sheet and all args, with the measured columns of the kernel."""
        if self._args.display:
            self._show_only(self._sheet)
        elif not self._args.rows:
            self.desk.say(say("no_args"))
        else:
            self._show_only(self._args)

    def action_follow(self) -> None:
        """Go to what the slice launched, or to where its arrow points."""
        facts = self._facts
        if facts is None:
            return
        if facts.launched is not None and facts.launched.count_:
            found = facts.launched
            window = Window(found.ts, found.end_ts)
            self._go_deeper(
                Selection(window, clean(found.first_name), slice_id=found.first_slice_id)
            )
            return
        self._follow(facts.role("flow_to"), say("nothing_launched_here"))

    def action_follow_back(self) -> None:
        """Go to the host call that launched it, or to where its arrow comes from."""
        if self._facts is not None:
            launched_by = [row for row in self._facts.role("launch") if row.distance == 0]
            put_by = [row for row in self._facts.role("enqueue") if row.distance == 0]
            rows = [*launched_by, *put_by, *self._facts.role("flow_from")]
            self._follow(rows, say("no_launcher"))

    def action_parent(self) -> None:
        """Go to the slice around this one."""
        if self._facts is not None:
            around = [row for row in self._facts.role("slice") if row.distance == 1]
            self._follow(around, say("outermost"))

    def _follow(self, rows: Iterable[ChainRow], none: str) -> None:
        row = next(iter(rows), None)
        if row is None:
            self.desk.say(none)
            return
        window = Window(row.ts, row.ts + row.dur)
        self._go_deeper(Selection(window, clean(row.name), slice_id=row.slice_id))

    def _go_deeper(self, selection: Selection) -> None:
        focus = self.desk.place.on(selection)
        self.desk.open_view("details", focus=focus, item=selection.slice_id)

    def _go_to_call(self, *, forward: bool) -> None:
        facts = self._facts
        if facts is None:
            return
        if facts.kernel is None:
            self.desk.say(say("only_kernels_called"))
            return

        def show(item: Item | None) -> None:
            if item is None:
                self.desk.say(say("last_call" if forward else "first_call"))
                return
            self._item = item
            self.desk.stay_on(item)
            self.refocus()

        self.ask(
            lambda answers: ask_other_call(answers, facts, forward=forward), show, channel="call"
        )

    def _show(self, facts: Facts | None) -> None:
        self._facts = facts
        if facts is None:
            slice_id = self._item if isinstance(self._item, int) else None
            self._say_nothing(
                say("kernel_not_open")
                if slice_id is None
                else say("slice_not_open", slice=slice_id)
            )
            self.desk.show_way()
            return
        scene = self._scene(facts)
        self._sheet.fill(identity(facts, scene), list(_sections(facts, scene)))
        self._fill_tables(facts)
        if self.display:
            self.desk.move(self.desk.place.on(facts.selection))
            self.desk.show_way()
            # How much is out of sight is known when the sheet has its size.
            self.call_after_refresh(self._tell)

    def _fill_tables(self, facts: Facts) -> None:
        cores = facts.kernel.cores if facts.kernel else []
        phases = [PhaseRow(core.name, phase) for core in cores for phase in core.phases]
        self._phases.fill(
            phases,
            count=facts.operator,
            remark=shown("in parallel: they sum to more than the core's time"),
        )
        args = [*facts.args, *columns_of(facts)]
        self._args.fill(args, count=f"{len(args):,}", remark=facts.name)
        table = self.table
        if table is not None and not table.rows:
            self._show_only(self._sheet)

    def _scene(self, facts: Facts) -> Scene:
        place, run = self.desk.place, self.desk.run_facts
        since = say("since_run") if place.step is None else say("since_step", step=place.step)
        rank = facts.main.rank
        missing = {row.name for row in run.health if row.kind == "missing" and row.rank == rank}
        return Scene(
            look=self.look,
            origin=run.origin(place),
            since=since,
            profile=run.profile(rank),
            missing=missing,
            cut_off=cut_off_timelines(run.health),
        )

    def _say_nothing(self, sentence: str) -> None:
        section = Section("Details", lambda width, _: told(sentence, width, self.look))
        self._sheet.fill((), [section])
        self._phases.fill(())
        self._args.fill(())
        self.tell("")

    def _show_only(self, only: "Sheet | RowList[Any]") -> None:
        for widget in (self._sheet, self._phases, self._args):
            widget.display = widget is only
        only.focus(scroll_visible=False)
        self._tell()

    def _tell(self) -> None:
        facts = self._facts
        if facts is None or not self.display:
            return
        parts = [fitted(facts.operator, CRUMB_CELLS)]
        if facts.kernel is not None and facts.kernel.rank is not None:
            like = facts.kernel.rank
            call = say("call_of", at=f"{like.earlier + 1:,}", count=f"{like.count_:,}")
            parts[0] += f" {call}"
        parts.append(numbers.time(facts.main.dur))
        for core in facts.kernel.cores if facts.kernel else ():
            leader = core.leader
            if leader is not None and core.leads:
                led = {"unit": leader.pipe.name, "share": numbers.ratio(leader.busy)}
                parts.append(say("led_by", **led))
        below = self._sheet.hidden_below
        if below and self._sheet.display:
            parts.append(say("rows_below", rows=counted(below, "row")))
        self.tell("   ".join(parts))


def _sections(facts: Facts, scene: Scene) -> Iterable[Section]:
    kernel = facts.kernel
    yield time_section(facts, scene)
    communication = communication_section(facts, scene)
    if communication is not None:
        yield communication
    if kernel is not None:
        if not facts.communicates:
            yield phases_section(kernel, scene)
            yield shapes_section(kernel, scene)
        yield calls_section(facts, kernel, scene)
    yield around_section(facts, scene)
    if facts.on_host:
        yield launched_section(facts.launched, scene)
    yield origin_section(facts, scene)
    for section in (arrows_section(facts, scene), args_section(facts.args, scene)):
        if section is not None:
            yield section
