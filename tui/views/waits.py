"""What the device waited for: other ranks in collectives, events, notifications."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import CollectivesRow, PeerArrivalsRow, PeersRow, WaitsRow
from ...queries.rows_stall import CausesRow
from ...queries.rows_timeline import SliceRow
from ..answers import Answers
from ..draw import bars, numbers
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean
from ..export.export_choice import ExportChoice
from ..focus import Selection, Window
from ..keyboard.keys import bindings
from ..overview.collection import remedy
from ..overview.overview_boxes import scope
from ..overview.overview_details import waiting_parts
from ..overview.overview_facts import Block
from ..scope import Scope, scope_noun, scope_of
from ..sql.answer_export import answer_choice
from ..sql.row_place import focus_on
from ..text.overview_tables import split_of
from ..waiting.arrival_lines import arrival_lines
from ..waiting.collective_columns import collective_columns, collective_sentence, peer_of
from ..waiting.question_head import HEAD_ROWS, QuestionHead, indented, unsplit_note, why_unsplit
from ..waiting.wait_columns import wait_columns
from ..waiting.wait_groups import WaitGroup, wait_groups
from ..widgets.canvas import Line
from ..widgets.panel import PARTED, Panel
from ..widgets.row_list import UNTIL_KNOWN, Column, RowList
from ..words.spoken import counted, say, shown, spoken
from .view import Desk, View

MOST_ROWS = 100_000
MOST_ARRIVALS = 100

DOCK = 5
HIGH_DOCK = 10
HIGH = 30
"""Rows of the view from which the dock is a high one."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What waited in a step or run."""

    collectives: Sequence[CollectivesRow]
    groups: Sequence[WaitGroup]
    stalls: Sequence[CausesRow] = ()
    """Of a range of time what waited in it; none of a step, whose split is known."""


class Waits(View):
    """Collectives by how long they waited, and everything that was waited for."""

    WHERE = "waits"
    SCOPED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("waits")
    DEFAULT_CSS = f"""
    #waits_head {{ height: {HEAD_ROWS}; }}
    #waits_collectives {{ height: 3fr; }}
    #waits_groups {{ height: 2fr; }}
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="waits_head")
        self._collectives: RowList[CollectivesRow] = RowList(
            self.look, "Collectives", self._collective_columns, id="waits_collectives"
        )
        self._collectives.searched = lambda row: f"{row.name} {row.group} {peer_of(row)}"
        self._groups: RowList[WaitGroup] = RowList(
            self.look, "Waited for", self._group_columns, id="waits_groups"
        )
        self._groups.searched = lambda group: f"{group.kind} {group.name} {group.remark}"
        self._arrivals = Panel(self.look, "Arrivals", id="waits_arrivals")
        self._shown: Scope | None = None
        self._found = _Found((), ())
        self._told_of: CollectivesRow | None = None

    @property
    def table(self) -> "RowList[CollectivesRow] | RowList[WaitGroup]":
        """Return the table that has the keys, else that of the collectives."""
        return self._groups if self._groups.has_focus else self._collectives

    def compose(self) -> ComposeResult:
        """Put the figure over both tables, and the arrivals of peers under them."""
        yield self._head
        yield self._collectives
        yield self._groups
        yield self._arrivals

    def on_resize(self) -> None:
        """Give the arrivals more rows where there are many."""
        self._arrivals.styles.height = HIGH_DOCK if self.size.height >= HIGH else DOCK

    def enter(self, item: object) -> None:  # noqa: ARG002 waits are opened on no item
        """Show the waits of the shared step or range, or of the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where rank, step or range have changed."""
        key = scope_of(self.desk.place)
        if key == self._shown:
            self._tell()
            return
        self._shown = key
        if key.window is None:
            self._head.fill(lambda width, _: self._question().lines(width, self.look))

        def work(answers: Answers) -> _Found:
            asked = key.asked
            collectives = answers.rows("collectives", CollectivesRow, limit=MOST_ROWS, **asked)
            # Not split, they have no wait: then the longest come first.
            collectives.sort(key=lambda row: (-(row.wait_ns or 0), -row.dur, row.collective_id))
            waits = answers.rows("waits", WaitsRow, **asked)
            groups = wait_groups(waits, answers.rows("peers", PeersRow, **asked))
            stalls = answers.rows("causes", CausesRow, **asked) if key.window else []
            return _Found(collectives, groups, stalls)

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("waiting"),)

    def copied(self) -> str:
        """Return the selected row as one line, times in ns."""
        if self._groups.has_focus:
            group = self._groups.row
            return (
                "" if group is None else f"{group.name} count={group.count} total={group.total} ns"
            )
        row = self._collectives.row
        if row is None:
            return ""
        return (
            f"{row.name} ts={row.ts} dur={row.dur} ns wait={row.wait_ns} transfer={row.transfer_ns}"
        )

    def export_choices(self) -> list[ExportChoice]:
        """Offer both lists, all rows of them."""
        catalog, place = self.desk.answers.catalog, self.desk.place
        asked = scope_of(place).asked
        named = {"collectives": say("export_collectives"), "wait_calls": say("export_waits")}
        return [
            answer_choice(catalog[name], asked, label, f"rank{place.rank}_{name}.csv")
            for name, label in named.items()
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let the other views look at the collective under the cursor."""
        message.stop()
        row = self._collectives.row
        if message.table is self._collectives:
            self._ask_arrivals(row)
            if row is not None and self.display and self.table is message.table:
                self.desk.move(self.desk.place.on(_selection(row)))
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self.action_open()

    def on_descendant_focus(self) -> None:
        """Tell about the row of the table that has the keys now."""
        self._tell()

    def action_open(self) -> None:
        """Show in the timeline the collective, or the longest wait of a group."""
        group = self._groups.row
        if not self._groups.has_focus:
            row = self._collectives.row
            if row is not None:
                self._go(_selection(row), row.rank)
        elif group is not None:
            scope = scope_of(self.desk.place)

            def work(answers: Answers) -> Selection | None:
                return _longest(answers, group, scope)

            self.ask(work, lambda found: self._go(found, scope.rank), channel="open")

    def _go(self, selection: Selection | None, rank: int) -> None:
        focus = None
        if selection is not None:
            focus = focus_on(self.desk.run_facts, self.desk.place, selection, rank)
        if focus is None:
            self.desk.say(say("wait_without_place"))
        else:
            self.desk.open_view("timeline", focus=focus)

    def _show(self, found: _Found) -> None:
        self._found = found
        self._head.fill(lambda width, _: self._question().lines(width, self.look))
        split = any(row.wait_ns is not None for row in found.collectives)
        self._collectives.fill(
            found.collectives,
            count=f"{len(found.collectives):,}{PARTED}{self.scope_title()}",
            remark=shown("longest wait first" if split else "longest first"),
            empty=say("no_collective", scope=self._of()),
        )
        self._groups.fill(
            found.groups,
            remark=shown("most time first, waits overlap"),
            empty=say("no_wait", scope=self._of()),
        )
        self._ask_arrivals(self._collectives.row)
        self._tell()

    def _question(self) -> QuestionHead:
        block = self._block()
        split = split_of(block.steps)
        profile = self.desk.run_facts.profile(block.rank)
        known, period, parts = split.waiting if block.steps else None, split.period, ()
        if (marked := self.desk.place.marked) is None:
            parts = waiting_parts(block, split)
        else:
            period = marked.dur
            # Whether it can be told apart at all is known of the steps.
            known = None if known is None else self._waited()
        return QuestionHead(
            spoken().parts["waiting"],
            Role.WAITING,
            bars.WAITING,
            known,
            period,
            self._of(),
            parts,
            unsplit_note(split.unsplit, profile),
        )

    def _waited(self) -> int:
        return sum(row.total for row in self._found.stalls if row.state != "idle")

    def _block(self) -> Block:
        place = self.desk.place
        return Block("", place.rank, tuple(self.desk.run_facts.split(place)))

    def _of(self) -> str:
        place = self.desk.place
        return scope(self._block()) if place.marked is None else scope_noun(place)

    # The arrivals of the peers to a collective.

    def _ask_arrivals(self, row: CollectivesRow | None) -> None:
        if row is not None and row is self._told_of:
            return
        self._told_of = row
        title = say("arrivals_at", name=clean(row.name)) if row else shown("Arrivals")
        if row is None:
            self._arrivals.fill(lambda *_: (), title=title)
            return
        if row.wait_ns is None and row.last_number is None:
            self._arrivals.fill(lambda width, _: self._not_collected(width), title=title)
            return

        def work(answers: Answers) -> list[PeerArrivalsRow]:
            return answers.rows(
                "peer_arrivals",
                PeerArrivalsRow,
                rank=row.rank,
                collective_id=row.collective_id,
                limit=MOST_ARRIVALS,
            )

        def show(arrivals: list[PeerArrivalsRow]) -> None:
            self._arrivals.fill(
                lambda width, height: arrival_lines(arrivals, width, height, self.look),
                title=title,
                count=counted(len(arrivals), "peer"),
                remark=shown("latest first"),
            )

        self._arrivals.fill(
            lambda *_: [[Run(f"  {self.look.text(UNTIL_KNOWN)}", Role.PLAIN)]], title=title
        )
        self.ask(work, show, channel="arrivals")

    def _not_collected(self, width: int) -> Sequence[Line]:
        profile = self.desk.run_facts.profile(self.desk.place.rank)
        said = [say("last_unknown", why=why_unsplit(profile))]
        how = remedy("planes", profile)
        return indented([*said, clean(how)] if how else said, width, self.look)

    # The tables.

    def _collective_columns(self, width: int) -> Sequence[Column[CollectivesRow]]:
        origin = self.desk.run_facts.origin(self.desk.place)
        return collective_columns(self._found.collectives, origin, self.look, width)

    def _group_columns(self, width: int) -> Sequence[Column[WaitGroup]]:
        # What a range only touches counts whole, so that there is nothing to be a share of.
        ranged = self.desk.place.marked is not None
        period = 0 if ranged else split_of(self._block().steps).period
        return wait_columns(self._found.groups, period, self.look, width)

    def _tell(self) -> None:
        if not self.display or self._shown is None:
            return
        row, group = self._collectives.row, self._groups.row
        if self._groups.has_focus and group is not None:
            longest = say("longest", time=numbers.time(group.longest))
            times = (counted(group.count, "wait"), numbers.time(group.total), longest)
            self.tell("   ".join(one for one in (group.name, *times, group.remark) if one))
        elif row is not None:
            self.tell(collective_sentence(row))


def _selection(row: CollectivesRow) -> Selection:
    return Selection(Window(row.ts, row.ts + max(1, row.dur)), row.name, slice_id=row.slice_id)


def _longest(answers: Answers, group: WaitGroup, scope: Scope) -> Selection | None:
    """Return the longest wait of a group: its task, or for a peer the collective."""
    if group.number is None:
        if group.longest_slice_id is None:
            return None
        task = answers.first("slice", SliceRow, slice_id=group.longest_slice_id)
        if task is None:
            return None
        return Selection(Window(task.ts, task.end_ts), task.name, slice_id=task.slice_id)
    arrivals = answers.rows("peer_arrivals", PeerArrivalsRow, **scope.asked)
    # Longest first, as they are answered.
    ids = [
        one.collective_id
        for one in arrivals
        if (one.group, one.number) == (group.group, group.number)
    ]
    collectives = answers.rows("collectives", CollectivesRow, **scope.asked)
    found = (row for row in collectives if ids and row.collective_id == ids[0])
    row = next(found, None)
    return None if row is None else _selection(row)
