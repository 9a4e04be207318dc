"""The gaps of the device, longest first, and what is known of the one under the cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import GapsRow, GapSummaryRow
from ...queries.rows_timeline import ChainRow
from ..answers import Answers
from ..draw import bars, numbers
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import clean
from ..focus import Focus, place_title
from ..keyboard.keys import bindings
from ..timeline.found import selection_of
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from .gap_evidence import evidence_lines, load_launch
from .gap_threshold import ask_gap_threshold
from .view import Desk, View

KIND = "device"
MOST_ROWS = 100_000
NARROW_BAR = 8
WIDE_BAR = 20
WIDE = 100
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class _Found:
    """The gaps of a place that are long enough, and all of them by order of magnitude."""

    gaps: Sequence[GapsRow]
    summary: Sequence[GapSummaryRow]


class Gaps(View):
    """Intervals between two device tasks in which nothing ran."""

    WHERE = "gaps"
    BINDINGS: ClassVar[list[BindingType]] = bindings("gaps")
    DEFAULT_CSS = """
    #gaps_head { height: 3; }
    #gaps_table { height: 1fr; }
    #gaps_around { height: 5; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="gaps_head")
        self._table: RowList[GapsRow] = RowList(self.look, "Gaps", self._columns, id="gaps_table")
        self._around = Panel(self.look, "Around it", id="gaps_around")
        self._launch: ChainRow | None = None
        self._launch_of: int | None = None
        """The gap that ``_launch`` is of."""
        self._table.searched = _text
        self._shown: tuple[Focus, int] | None = None
        self._found = _Found((), ())
        self._cause: str | None = None

    @property
    def table(self) -> RowList[GapsRow]:
        """Return the table of gaps."""
        return self._table

    def compose(self) -> ComposeResult:
        """Put the summary over the table and the evidence under it."""
        yield self._head
        yield self._table
        yield self._around

    def enter(self, item: object) -> None:  # noqa: ARG002 gaps are opened on no item
        """Show the gaps of the shared step, or of the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where step, rank or threshold have changed."""
        focus = self.desk.place
        key = (Focus(focus.rank, focus.step), self.desk.settings.gap_threshold_ns)
        if key == self._shown:
            self._tell()
            return
        self._shown = key
        rank, step, least = focus.rank, focus.step, key[1]

        def work(answers: Answers) -> _Found:
            asked = {"rank": rank, "step": step, "kind": KIND}
            gaps = answers.rows("gaps", GapsRow, min_dur=least, limit=MOST_ROWS, **asked)
            return _Found(gaps, answers.rows("gap_summary", GapSummaryRow, **asked))

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return ("gaps",)

    def copied(self) -> str:
        """Return the selected gap as one line."""
        gap = self._table.row
        return "" if gap is None else f"gap {gap.gap_id} ts={gap.ts} dur={gap.dur} ns"

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let the other views look at the gap under the cursor."""
        message.stop()
        gap = self._table.row
        self._around.fill(self._evidence)
        if gap is not None and self._launch_of != gap.gap_id:
            self._ask_launch(gap)
        if gap is not None and self.display:
            self.desk.move(self.desk.place.on(selection_of(gap)))
            self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the gap that was clicked twice."""
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show the gap in the timeline."""
        gap = self._table.row
        if gap is not None:
            self.desk.open_view("timeline", focus=self.desk.place.around(selection_of(gap)))

    def action_threshold(self) -> None:
        """Ask from which length on a gap is listed."""
        ask_gap_threshold(self.desk, self.refocus)

    def action_cause(self) -> None:
        """Show only the gaps of the next cause, after the last one all again."""
        if not self._has_causes:
            self.desk.say("no cause of a gap is known here")
            return
        causes = sorted({gap.cause or UNKNOWN for gap in self._found.gaps})
        at = causes.index(self._cause) + 1 if self._cause in causes else 0
        self._cause = causes[at] if at < len(causes) else None
        self._fill()

    @property
    def _has_causes(self) -> bool:
        return any(gap.cause is not None for gap in self._found.gaps)

    def _show(self, found: _Found) -> None:
        self._found = found
        self._head.fill(self._summary)
        self._fill()

    def _fill(self) -> None:
        found, least = self._found, numbers.time(self.desk.settings.gap_threshold_ns)
        rows = [
            gap
            for gap in found.gaps
            if self._cause is None or (gap.cause or UNKNOWN) == self._cause
        ]
        longest = max((row.longest for row in found.summary), default=0)
        empty = (
            f"No gap over {least} here; the longest is {numbers.time(longest)}."
            " t lowers the threshold."
            if longest
            else "No gap here: no device tasks, or none with time between them."
        )
        count = f"{len(rows):,} of {_count(found.summary):,}"
        cause = f"cause {clean(self._cause)}   " if self._cause else ""
        self._table.fill(rows, count=count, remark=f"{cause}longest first", empty=empty)
        self._around.fill(self._evidence)

    def _summary(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 two rows always
        found = self._found
        total = sum(row.total for row in found.summary)
        whole = self.desk.run_facts.whole(self.desk.place)
        share = numbers.share(total, whole.dur if whole else None)
        shown = sum(gap.dur for gap in found.gaps)
        least = numbers.time(self.desk.settings.gap_threshold_ns)
        bold = Attributes.BOLD
        first = [
            Run(f" {_count(found.summary):,} gaps   ", Role.PLAIN),
            Run(numbers.time(total), Role.IDLE, attributes=bold),
            Run(f"   {share} of {_scope(self.desk.place)}", Role.PLAIN),
        ]
        said = f"threshold {least}: {len(found.gaps):,} shown hold {numbers.share(shown, total)} "
        used = sum(len(run.text) for run in first)
        if used + len(said) + 2 <= width:
            first.append(Run(" " * (width - used - len(said)) + said, Role.DIM))
        waits = sum(row.wait_ns for row in found.summary)
        parts = [(waits, bars.WAITING), (total - waits, bars.IDLE)]
        bar = bars.stacked(parts, width - 2, ascii_level=self.look.ascii_level)
        second = [Run(f" {bar}", Role.PLAIN)]
        inks = [ink.ascii if self.look.ascii_level else ink.unicode for _, ink in parts]
        third = [
            Run(f"   {inks[0]} an event wait runs {numbers.time(waits)}", Role.PLAIN),
            Run(f"   {inks[1]} nothing runs {numbers.time(total - waits)}", Role.PLAIN),
        ]
        return [[self._text(run) for run in line] for line in (first, second, third)]

    def _text(self, run: Run) -> Run:
        return run._replace(text=self.look.text(run.text))

    def _columns(self, width: int) -> Sequence[Column[GapsRow]]:
        bar = WIDE_BAR if width >= WIDE else NARROW_BAR
        origin = self.desk.run_facts.origin(self.desk.place)
        longest = max((gap.dur for gap in self._found.gaps), default=0)
        at_level = self.look.ascii_level

        def length(gap: GapsRow, cells: int) -> Sequence[Run]:
            drawn = bars.bar(gap.dur, longest, cells, ascii_level=at_level)
            return [Run(drawn, Role.IDLE)]

        cause: Column[GapsRow] = Column(
            "cause", lambda gap, cells: fitted(clean(gap.cause or UNKNOWN), cells), width=12
        )
        causes = [cause] if self._has_causes else []
        return (
            Column(
                place_title(self.desk.place),
                lambda gap, _: numbers.place(gap.ts - origin, 1000, numbers.MILLISECONDS),
                width=14,
                right=True,
                order=lambda gap: gap.ts,
                descending=False,
                ordered="in time",
            ),
            Column(
                "gap",
                lambda gap, _: numbers.time_field(gap.dur),
                width=8,
                right=True,
                order=lambda gap: gap.dur,
                ordered="longest first",
            ),
            Column("length", length, width=bar),
            Column(
                "event wait",
                lambda gap, _: numbers.time_field(gap.wait_ns),
                width=10,
                right=True,
                order=lambda gap: gap.wait_ns,
                ordered="longest wait first",
                from_width=WIDE,
            ),
            *causes,
            Column(
                "before",
                lambda gap, cells: fitted(clean(gap.prev_name or "-"), cells),
                from_width=WIDE,
            ),
            Column("after", lambda gap, cells: fitted(clean(gap.next_name or "-"), cells)),
        )

    def _evidence(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 as many rows as there are
        gap = self._table.row
        if gap is None:
            return ()
        origin = self.desk.run_facts.origin(self.desk.place)
        known = self._launch_of == gap.gap_id
        return evidence_lines(gap, self._launch, origin, self.look, known=known)

    def _ask_launch(self, gap: GapsRow) -> None:
        def show(launch: ChainRow | None) -> None:
            self._launch, self._launch_of = launch, gap.gap_id
            self._around.fill(self._evidence)

        self.ask(lambda answers: load_launch(answers, gap), show, channel="launch")

    def _tell(self) -> None:
        gap = self._table.row
        if gap is not None:
            place = f"gap {self._table.cursor + 1:,} of {len(self._table.rows):,}"
            after = clean(gap.next_name or "nothing")
            self.tell(f"{place}   {numbers.time(gap.dur)}   before {after}")


def _count(summary: Sequence[GapSummaryRow]) -> int:
    return sum(row.count_ for row in summary)


def _scope(focus: Focus) -> str:
    return "the run" if focus.step is None else "the step"


def _text(gap: GapsRow) -> str:
    return f"{gap.prev_name} {gap.next_name} {gap.cause}"
