"""The overview: where the time of a step or run went, and where to look first."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from ...ingest.errors import NpuviewError
from ..answers import Answers
from ..dialogs.run_card import RunCardDialog
from ..draw.safe_text import clean
from ..focus import Focus
from ..keyboard.keys import bindings
from ..overview.finding_list import FindingList
from ..overview.overview_answers import ask_conditions, ask_facts, ask_findings
from ..overview.overview_boxes import other_boxes, question_boxes, scope
from ..overview.overview_facts import Block, Conditions, Facts
from ..overview.phase_line import phase_rows
from ..overview.step_columns import StepColumns
from ..overview.step_lines import StepLine, StepLines, step_lines, step_status, step_text
from ..text.overview_tables import split_of
from ..user.run_card import RunCard, keep_card
from ..widgets.box_row import BoxRow
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import counted, say, shown, spoken
from .head_panel import HeadPanel
from .lane_strip import LaneStrip
from .view import Desk, View

if TYPE_CHECKING:
    # They pull in DuckDB, which takes longer than the frame of the screen to be drawn.
    from ...queries.findings import Finding
    from ..text.finding_text import Reading

WHERE_FROM_WIDTH = 100
WHERE_FROM_HEIGHT = 36
"""Size of the terminal from which there is room for the lanes."""

STEPS_FROM_HEIGHT = 20
"""Rows of the terminal from which there is room for the steps too; S shows them always."""

MOST_PHASE_ROWS = 3
"""Of the phases and the official figures, where there is room for the lanes too."""

NO_PROFILE = "No Ascend profile: the timeline (2) and SQL (5) work on it."
NOTHING_FOUND = "No rule found anything here: npuview findings PATH lists them."


class Overview(View):
    """Where the device is idle, waiting, moving data; its steps; where to look first."""

    WHERE = "overview"
    BINDINGS: ClassVar[list[BindingType]] = bindings("overview")
    # The layout follows classes of the screen, which is outside.
    SCOPED_CSS = False
    DEFAULT_CSS = """
    #overview_head { height: 3; }
    #overview_boxes { height: auto; }
    #overview_lists { height: 1fr; layout: vertical; }
    #overview_steps { height: 1fr; min-height: 3; }
    #overview_look { height: 2fr; min-height: 3; }
    .-normal #overview_head, .-wide #overview_head { margin-bottom: 1; }
    #overview_phases { height: 1; }
    .-normal #overview_phases, .-wide #overview_phases { margin-bottom: 1; }
    .-normal #overview_lists, .-wide #overview_lists { layout: horizontal; }
    .-normal #overview_steps { width: 1fr; height: 100%; margin-right: 2; }
    .-normal #overview_look { width: 2fr; height: 100%; }
    .-wide #overview_steps { width: 2fr; height: 100%; margin-right: 2; }
    .-wide #overview_look { width: 3fr; height: 100%; }
    .-short #overview_head, .-short #overview_phases { margin-bottom: 0; }
    .-short #overview_steps { display: none; }
    #overview_finding { height: 6; display: none; }
    .-reading #overview_finding { display: block; }
    .-normal .-reading #overview_finding, .-wide .-reading #overview_finding { margin-top: 1; }
    .-normal .-reading #overview_finding { height: 7; }
    .-narrow .-reading #overview_boxes { display: none; }
    .-narrow .-reading #overview_steps { height: 1; min-height: 1; }
    .-narrow .-reading #overview_finding { height: 8; }
    .-reading.-short #overview_boxes { display: block; }
    .-reading.-short #overview_finding { display: none; }
    #overview_where { height: 1fr; margin-top: 1; }
    .-wide #overview_where { height: 1.6fr; }
    .-reading #overview_where { height: 1fr; }
    .-reading #overview_lists { height: 1.5fr; }
    #overview_where_title { height: 1; }
    #lane_strip { height: 1fr; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = HeadPanel(desk, id="overview_head")
        self._boxes = BoxRow(self.look, id="overview_boxes")
        self._phases = Panel(self.look, id="overview_phases")
        self._steps: RowList[StepLine] = RowList(
            self.look, "Steps", self._step_columns, id="overview_steps"
        )
        self._look_first = FindingList(self.look, say("look_first"), id="overview_look")
        self._finding = Panel(self.look, "Finding", id="overview_finding")
        self._where = Vertical(id="overview_where")
        self._where_title = Panel(self.look, "Where in time", id="overview_where_title")
        self._strip = LaneStrip(desk)
        self._steps.searched = lambda line: line.name
        self._lines = StepLines((), None, None)
        self._rank: int | None = None
        self._shown: Focus | None = None

    @property
    def table(self) -> "RowList[Any] | None":
        """Return the list that has the keys."""
        return next((one for one in (self._steps, self._look_first) if one.has_focus), None)

    def compose(self) -> ComposeResult:
        """Put the answer at the top, the lists below it."""
        yield self._head
        yield self._boxes
        yield self._phases
        with Container(id="overview_lists"):
            yield self._steps
            yield self._look_first
        yield self._finding
        with self._where:
            yield self._where_title
            yield self._strip

    def on_mount(self) -> None:
        """Show the frame of what is to come."""
        self._head.wait()

    def enter(self, item: object) -> None:  # noqa: ARG002 the overview is opened on no item
        """Show the shared step, or the run."""
        self.refocus()

    def refocus(self) -> None:
        """Show the shared step at once, and ask what is in its boxes."""
        focus, run = self.desk.place, self.desk.run_facts
        if focus.rank != self._rank:
            self._rank = focus.rank
            self._lines = step_lines(run, focus.rank)
            unknown = sum(step.ts is None for step in run.steps_of(focus.rank))
            remark = say("steps_untimed", count=unknown) if unknown else ""
            self._steps.fill(
                self._lines.lines,
                count=f"{self._lines.count:,}",
                remark=remark,
                empty="No step and no device task: there is no time to split.",
            )
            self._ask_conditions()
        line = self._steps.row
        if line is None or line.step != focus.step:
            self._steps.go_to_row(lambda one: one.step == focus.step)
        asked = Focus(focus.rank, focus.step)
        if asked == self._shown:
            self._tell()
            return
        self._shown = asked
        self.stop_asking(FINDINGS)
        self._look_first.forget()
        self._show(None)
        self._fit_where()
        self.ask(lambda answers: ask_facts(answers, run, asked), self._show)

    def copied(self) -> str:
        """Return what is selected as one line."""
        if self._look_first.has_focus:
            return self._look_first.text
        line = self._steps.row
        return "" if line is None else step_text(line)

    def on_resize(self) -> None:
        """Give the head the rows that it needs at another size, and the rest what is left."""
        self.set_class(self.app.size.height < STEPS_FROM_HEIGHT, "-short")
        if self._rank is not None:
            self._head.fit()
            self._fit_where()

    def _fit_where(self) -> None:
        """Show the lanes where there is room for them, and a timeline."""
        width, height = self.app.size
        roomy = width >= WHERE_FROM_WIDTH and height >= WHERE_FROM_HEIGHT
        self._phases.styles.height = MOST_PHASE_ROWS if roomy else 1
        self._where.display = roomy and self.desk.run_facts.extent(self.desk.place.rank) is not None
        if self._where.display:
            step = self.desk.place.step
            self._where_title.fill(
                lambda _width, _height: (),
                count=say("whole_run") if step is None else say("step", step=step),
                remark=shown("2 opens the timeline"),
            )
            self._strip.refocus()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let all views look at the step or finding under the cursor."""
        message.stop()
        if not self.display:
            return
        if message.table is self._steps and self._steps.has_focus:
            line = self._steps.row
            if line is not None and line.step != self.desk.place.step:
                self.desk.move(self.desk.place.at_step(line.step))
        elif self._look_first.has_focus:
            place = self._look_first.place
            if place is not None:
                self.desk.move(self.desk.place.on(place))
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open what was clicked twice."""
        message.stop()
        self.action_open()

    def on_descendant_focus(self) -> None:
        """Say what is selected in the list that has the keys now."""
        self.set_class(self._look_first.has_focus, "-reading")
        if self._rank is not None:
            self._tell()

    def on_box_row_opened(self, message: BoxRow.Opened) -> None:
        """Open the question whose box was clicked."""
        message.stop()
        self._open_question(message.key)

    def action_idle(self) -> None:
        """Open the gaps."""
        self._open_question("i")

    def action_waits(self) -> None:
        """Open the waits."""
        self._open_question("w")

    def action_moves(self) -> None:
        """Open the transfers and copies."""
        self._open_question("m")

    def action_cursor_down(self) -> None:
        """Go one row down in the list that has the keys, else give them to the first one."""
        (self.table or self._steps).focus().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go one row up."""
        (self.table or self._steps).focus().action_cursor_up()

    def action_open(self) -> None:
        """Go to the step or finding under the cursor."""
        if self._rank is None:
            return
        place = self.desk.place
        if not self._look_first.has_focus:
            line = self._steps.row
            if line is not None:
                self.desk.open_view("timeline", focus=place.at_step(line.step))
            return
        at = self._look_first.place
        if at is not None:
            self.desk.open_view("timeline", focus=place.around(at))
        elif self._look_first.row is not None:
            self.desk.say(say("no_place_in_time"))

    def action_rows(self) -> None:
        """Ask for the rows behind the finding."""
        asked = self._look_first.rows_behind
        if asked is None:
            self.desk.say(say("no_rows_behind"))
        else:
            self.desk.open_view("sql", item=asked)

    def action_evidence(self) -> None:
        """Show the longest slice that shows the finding."""
        self.open_slice(self._look_first.evidence, say("no_slice_shows"))

    def action_card(self) -> None:
        """Ask what a person knows of the run, and keep it."""
        if self._rank is None:
            return
        store = self.desk.answers.session.store.path
        card = RunCardDialog(self.look, self._head.conditions.card)
        self.desk.ask_dialog(card, lambda typed: self._keep(store, typed))

    def _keep(self, store: Path, card: RunCard) -> None:
        said = keep_card(store, card)
        if said is not None:
            self.desk.say(say("card_not_kept", reason=clean(said)), serious=True)
            return
        self._head.conditions = replace(self._head.conditions, card=card)
        self._head.show(self._block())
        self._look_closer()

    def _ask_conditions(self) -> None:
        rank = self.desk.place.rank

        def show(conditions: Conditions) -> None:
            self._head.conditions = conditions
            self._head.show(self._block())

        self._head.conditions = Conditions()
        self.ask(lambda answers: ask_conditions(answers, rank), show, channel="conditions")

    def failed(self, error: NpuviewError) -> None:
        """Say that a question could not be answered, also where its answer would be."""
        super().failed(error)
        if not self._look_first.rows:
            self._look_first.fill((), count="", empty=clean(str(error)))

    def _open_question(self, key: str) -> None:
        if self._rank is not None:
            self.desk.open_view(QUESTIONS[key], focus=self.desk.place)

    def _block(self) -> Block:
        focus = self.desk.place
        return Block("", focus.rank, tuple(self.desk.run_facts.split(focus)))

    def _show(self, facts: Facts | None) -> None:
        """Show the split, which is known, and what is in it once there are facts."""
        block, run = self._block(), self.desk.run_facts
        known = [step for step in block.steps if step.idle is not None]
        split = split_of(known) if known else None
        self._head.show(block)
        if split is None:
            self._boxes.fill((), ())
        else:
            block = Block("", block.rank, tuple(known))
            self._boxes.fill(
                question_boxes(block, split, facts, run.origin(self.desk.place)),
                other_boxes(block, split, facts),
            )
        if facts is None:
            return
        self._phases.fill(lambda width, height: phase_rows(block, facts, width, self.look)[:height])
        self._phases.display = bool(facts.phases or facts.figures)
        self._tell()
        # Behind the boxes, which need not wait for them.
        self._look_closer()

    def _look_closer(self) -> None:
        if self._shown is None:
            return
        if self.desk.run_facts.profile(self._shown.rank).producer == "chrome":
            # Nothing is missing in what is no Ascend profile.
            self._look_first.fill((), count="", empty=NO_PROFILE)
        else:
            self._ask_findings(self._shown)

    def _ask_findings(self, focus: Focus) -> None:
        run = self.desk.run_facts
        profiles = {profile.rank: profile for profile in run.profiles}
        origin = run.origin(focus)

        def work(answers: Answers) -> "tuple[list[Finding], Reading]":
            # See above.
            from ...queries.rules import load_rules, user_rules  # noqa: PLC0415
            from ..text.finding_text import Reading  # noqa: PLC0415

            found = ask_findings(
                answers.session, load_rules(user_rules()), rank=focus.rank, step=focus.step
            )
            return found, Reading(spoken(), profiles, origin)

        self.ask(work, self._show_findings, channel=FINDINGS)

    def _show_findings(self, told: "tuple[list[Finding], Reading]") -> None:
        findings, reading = told
        count = sum(one.status == "found" for one in findings)
        self._look_first.show(
            findings,
            reading,
            count=counted(count, "finding"),
            remark=say("in_overlap", whole=scope(self._block())),
            empty=NOTHING_FOUND,
        )
        self._tell()

    def _step_columns(self, width: int) -> Sequence[Column[StepLine]]:
        return StepColumns(self._lines, self.look, in_full=False).for_width(width)

    def _tell(self) -> None:
        if self._look_first.has_focus:
            self._finding.fill(self._look_first.said, remark=shown(FINDING_KEYS))
            if told := self._look_first.status:
                self.tell(told)
            return
        line = self._steps.row
        if line is not None:
            self.tell(step_status(line, self._lines))


FINDINGS = "findings"
"""The channel on which findings are asked for."""

FINDING_KEYS = "enter place   v evidence   r rows"

QUESTIONS = {"i": "gaps", "w": "waits", "m": "moves"}
"""The views behind the boxes, by their keys."""
