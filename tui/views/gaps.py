"""The gaps of the device, longest first, each with its cause and what proves it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import GapsRow, GapSummaryRow
from ...queries.rows_stall import CausesRow
from ..answers import Answers
from ..draw import numbers
from ..draw.safe_text import clean
from ..focus import Selection, Window, place_title
from ..keyboard.keys import bindings
from ..scope import Scope, scope_noun, scope_of
from ..timeline.found import selection_of
from ..timeline.gap_cause import copied_gap
from ..widgets.canvas import Line
from ..widgets.panel import PARTED, Panel
from ..widgets.row_list import Column, RowList
from ..words.reasons import cause_words
from ..words.spoken import counted, say, shown
from .gap_columns import gap_columns, group_columns
from .gap_evidence import evidence_lines
from .gap_head import GapHead, in_states
from .gap_picture import picture_cells
from .gap_proof import Proof, load_proof
from .gap_threshold import ask_gap_threshold
from .view import Desk, View

KINDS = ("device", "compute")
GROUPS = {
    None: "Gaps",
    "cause": "Causes",
    "operator": "Tasks after idle time",
    "line": "Lines of Python",
}
"""What is listed: single gaps, or all idle time put together by one thing."""

GROUP_TITLES = {"operator": "next task", "line": "line"}

MOST_ROWS = 100_000
UNKNOWN = "unknown"
MARGIN = 0.1
"""Around a gap and its launch, a part of their length."""

PROOF_ROWS = {44: 15, 34: 10, 0: 5}
"""Rows of the proof, by the rows of the terminal from which on it has them."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was asked for."""

    scope: Scope
    least: int
    kind: str
    by: str | None


@dataclass(frozen=True, slots=True)
class _Found:
    """The gaps of a place that are long enough, all of them by length, and their causes."""

    gaps: Sequence[GapsRow]
    summary: Sequence[GapSummaryRow]
    causes: Sequence[CausesRow]
    groups: Sequence[CausesRow]


class Gaps(View):
    """Intervals between two device tasks in which nothing ran."""

    WHERE = "gaps"
    SCOPED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("gaps")
    DEFAULT_CSS = """
    #gaps_head { height: 3; }
    #gaps_table, #gaps_groups { height: 1fr; }
    #gaps_groups { display: none; }
    #gaps_proof { height: 5; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="gaps_head")
        self._gaps: RowList[GapsRow] = RowList(self.look, "Gaps", self._columns, id="gaps_table")
        self._gaps.searched = _text
        self._groups: RowList[CausesRow] = RowList(
            self.look, "Causes", self._group_columns, id="gaps_groups"
        )
        self._groups.searched = lambda one: f"{cause_words(one.cause)} {one.cause} {one.name}"
        self._why = Panel(self.look, "Why", id="gaps_proof")
        self._proof: Proof | None = None
        self._kind, self._by = KINDS[0], None
        self._shown: _Shown | None = None
        self._found = _Found((), (), (), ())
        self._cause: str | None = None

    @property
    def table(self) -> "RowList[Any]":
        """Return the list that is shown: of gaps, or of what they are put together by."""
        return self._gaps if self._by is None else self._groups

    def compose(self) -> ComposeResult:
        """Put the summary over the table and the proof under it."""
        yield self._head
        yield self._gaps
        yield self._groups
        yield self._why

    def on_mount(self) -> None:
        """Give the proof its rows before anything is drawn."""
        self._fit()

    def on_resize(self) -> None:
        """Give the proof more rows where there are many."""
        self._fit()

    def _fit(self) -> None:
        height = self.app.size.height
        rows = (rows for least, rows in PROOF_ROWS.items() if height >= least)
        self._why.styles.height = next(rows)

    def enter(self, item: object) -> None:  # noqa: ARG002 gaps are opened on no item
        """Show the gaps of the shared step or range, or of the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where rank, step, range, threshold, kind or grouping have changed."""
        least = self.desk.settings.gap_threshold_ns
        shown = _Shown(scope_of(self.desk.place), least, self._kind, self._by)
        if shown == self._shown:
            self._tell()
            return
        self._shown = shown

        def work(answers: Answers) -> _Found:
            place = shown.scope.asked
            asked = place | {"kind": shown.kind}
            causes = answers.rows("causes", CausesRow, **place)
            groups = causes if shown.by == "cause" else []
            if shown.by not in {None, "cause"}:
                groups = answers.rows("causes", CausesRow, by=shown.by, **place)
            return _Found(
                answers.rows("gaps", GapsRow, min_dur=shown.least, limit=MOST_ROWS, **asked),
                answers.rows("gap_summary", GapSummaryRow, **asked),
                in_states(causes, shown.kind),
                in_states(groups, shown.kind),
            )

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("gaps"),)

    def copied(self) -> str:
        """Return the selected gap as one line, with its place in ns and why it is there."""
        if self._by is not None:
            group = self._groups.row
            return (
                ""
                if group is None
                else f"{group.state} {group.cause} {group.name or group.place or ''}"
                f" count={group.count_} total={group.total} ns"
            )
        gap = self._gaps.row
        if gap is None:
            return ""
        proof = self._proof_of(gap)
        return copied_gap(gap, None if proof is None else proof.pieces)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let the other views look at the gap under the cursor, and ask what proves it."""
        message.stop()
        if message.table is not self.table:
            return
        gap = self._gaps.row
        if self._by is None:
            self._why_of()
        if self._by is None and gap is not None and self.display:
            self.desk.move(self.desk.place.on(selection_of(gap)))
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show in the timeline the gap, or the longest stretch of a group."""
        group, gap = self._groups.row, self._gaps.row
        if self._by is None and gap is not None:
            self._go(selection_of(gap))
        elif self._by is not None and group is not None:
            window = Window(group.longest_ts, group.longest_ts + group.longest)
            self._go(Selection(window, f"{cause_words(group.cause)} {numbers.time(window.dur)}"))

    def action_evidence(self) -> None:
        """Show the slice that shows the cause."""
        row = self._groups.row if self._by else self._gaps.row
        slice_id = None if row is None else row.evidence_slice_id
        self.open_slice(slice_id, say("no_slice_shows_cause"))

    def action_line(self) -> None:
        """Show the line of Python that asked for what came next."""
        gap = self._gaps.row
        proof = None if gap is None or self._by else self._proof_of(gap)
        pieces = proof.pieces if proof else ()
        lines = (one.line_slice_id for one in pieces if one.line_slice_id is not None)
        self.open_slice(next(lines, None), say("no_line_known"))

    def action_host(self) -> None:
        """Show the thread that launched what ended the gap, while the gap was."""
        gap = self._gaps.row
        proof = None if gap is None or self._by else self._proof_of(gap)
        call = (proof.enqueue or proof.launch) if proof else None
        if gap is None or call is None:
            self.desk.say(say("no_launch_of_next"))
            return
        begin = min(call.ts, gap.ts)
        end = max(call.ts + max(1, call.dur), gap.ts + gap.dur)
        window = Window(begin, end).around(MARGIN)
        on = Window(call.ts, call.ts + max(1, call.dur))
        selection = Selection(on, call.name, slice_id=call.slice_id)
        place = self.desk.place
        self.desk.open_view("timeline", focus=replace(place, selection=selection, window=window))

    def action_group(self) -> None:
        """List single gaps, or put the time together by the next thing."""
        order = list(GROUPS)
        self._by = order[(order.index(self._by) + 1) % len(order)]
        self._gaps.display = self._by is None
        self._groups.display = self._by is not None
        self._why.display = self._by is None
        self._groups.forget()
        self.table.focus()
        self.refocus()

    def action_kind(self) -> None:
        """Change between gaps of the device and gaps in computing."""
        self._kind = KINDS[(KINDS.index(self._kind) + 1) % len(KINDS)]
        self._cause = None
        self.refocus()

    def action_next_by_cost(self) -> None:
        """Go to the gap that costs next less than the one under the cursor."""
        self._by_cost(1)

    def action_previous_by_cost(self) -> None:
        """Go to the gap that costs next more."""
        self._by_cost(-1)

    def _by_cost(self, away: int) -> None:
        here, rows = self._gaps.row, self._gaps.rows
        if self._by is not None or here is None:
            self.desk.say(say("no_order_by_cost"))
            return
        ranked = sorted(rows, key=lambda gap: (-gap.dur, gap.gap_id))
        at = ranked.index(here) + away
        if 0 <= at < len(ranked):
            self._gaps.go_to_row(lambda gap: gap.gap_id == ranked[at].gap_id)
        else:
            self.desk.say(say("no_listed_gap_less" if away > 0 else "no_listed_gap_more"))

    def action_threshold(self) -> None:
        """Ask from which length on a gap is listed."""
        ask_gap_threshold(self.desk, self.refocus)

    def action_cause(self) -> None:
        """Show only the gaps of the next cause, after the last one all again."""
        if not any(gap.cause is not None for gap in self._found.gaps):
            self.desk.say(say("no_cause_known"))
            return
        causes = sorted({gap.cause or UNKNOWN for gap in self._found.gaps})
        at = causes.index(self._cause) + 1 if self._cause in causes else 0
        self._cause = causes[at] if at < len(causes) else None
        self._fill()

    def _go(self, selection: Selection) -> None:
        self.desk.open_view("timeline", focus=self.desk.place.around(selection))

    def _show(self, found: _Found) -> None:
        self._found = found
        self._head.fill(self._summary)
        self._fill()

    def _fill(self) -> None:
        found = self._found
        if self._by is not None:
            self._groups.title = shown(GROUPS[self._by])
            scope = scope_noun(self.desk.place)
            self._groups.fill(
                found.groups,
                count=f"{counted(len(found.groups), 'row')}{PARTED}{self.scope_title()}",
                remark=shown("most time first, before and after the tasks of a step too"),
                empty=say("never_idle", scope=scope),
            )
            return
        rows = [
            gap
            for gap in found.gaps
            if self._cause is None or (gap.cause or UNKNOWN) == self._cause
        ]
        least = numbers.time(self.desk.settings.gap_threshold_ns)
        longest = max((row.longest for row in found.summary), default=0)
        empty = (
            say("no_gap_so_long", least=least, longest=numbers.time(longest))
            if longest
            else say("no_gap_at_all")
        )
        total = sum(row.count_ for row in found.summary)
        count = say("some_of", some=f"{len(rows):,}", all=f"{total:,}")
        count = f"{count}{PARTED}{self.scope_title()}"
        self._gaps.title = shown("Gaps" if self._kind == "device" else "Gaps in computing")
        cause = say("cause_is", cause=cause_words(self._cause)) + PARTED if self._cause else ""
        self._gaps.fill(rows, count=count, remark=cause + shown("longest first"), empty=empty)
        self._why_of()

    def _summary(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 three rows always
        place = self.desk.place
        whole = place.marked or self.desk.run_facts.whole(place)
        head = GapHead(
            self._kind,
            self._found.summary,
            self._found.gaps,
            self._found.causes,
            self.desk.settings.gap_threshold_ns,
            whole.dur if whole else None,
            scope_noun(place),
            place.marked,
        )
        return head.lines(width, self.look)

    def _columns(self, width: int) -> Sequence[Column[GapsRow]]:
        place = self.desk.place
        origin = self.desk.run_facts.origin(place)
        return gap_columns(self._found.gaps, place_title(place), origin, self.look, width)

    def _group_columns(self, width: int) -> Sequence[Column[CausesRow]]:
        title = GROUP_TITLES.get(self._by or "", "")
        return group_columns(self._found.groups, title, self.look, width)

    # What proves the gap under the cursor.

    def _why_of(self) -> None:
        gap = self._gaps.row
        if gap is None:
            self._why.fill(lambda *_: ())
            return
        self._why.fill(
            self._evidence,
            count=f"{numbers.time(gap.dur)} {cause_words(gap.cause)}",
            remark=shown("v evidence   p line   h host lane"),
        )
        if self._proof_of(gap) is None:
            self._ask_proof(gap, self._why.size.width)

    def _proof_of(self, gap: GapsRow) -> Proof | None:
        proof = self._proof
        return proof if proof is not None and proof.gap.gap_id == gap.gap_id else None

    def _ask_proof(self, gap: GapsRow, width: int) -> None:
        def show(proof: Proof) -> None:
            self._proof = proof
            self._why.fill(self._evidence, count=self._why.count, remark=self._why.remark)

        cells = picture_cells(width)
        self.ask(lambda answers: load_proof(answers, gap, cells), show, channel="proof")

    def _evidence(self, width: int, height: int) -> Sequence[Line]:
        gap = self._gaps.row
        if gap is None:
            return ()
        proof = self._proof_of(gap)
        if proof is not None and proof.view.cells != picture_cells(width):
            # It was asked for at another width, or before there was one.
            self.call_later(self._ask_proof, gap, width)
        origin = self.desk.run_facts.origin(self.desk.place)
        return evidence_lines(gap, proof, origin, self.look, width, height)

    def _tell(self) -> None:
        gap, group = self._gaps.row, self._groups.row
        if self._by is not None and group is not None:
            longest = say("longest", time=numbers.time(group.longest))
            said = (cause_words(group.cause), numbers.time(group.total), longest)
            self.tell(PARTED.join([*said, clean(group.name)] if group.name else said))
        elif self._by is None and gap is not None:
            at, of = f"{self._gaps.cursor + 1:,}", f"{len(self._gaps.rows):,}"
            after = clean(gap.next_name or say("nothing"))
            said = (
                say("gap_at", at=at, count=of),
                f"{numbers.time(gap.dur)} {cause_words(gap.cause)}",
                say("ends_before", task=after),
            )
            self.tell(PARTED.join(said))


def _text(gap: GapsRow) -> str:
    return f"{gap.prev_name} {gap.next_name} {gap.cause} {cause_words(gap.cause)}"
