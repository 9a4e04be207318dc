"""Two runs held against each other: their median steps, and what changed from A to B."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...ingest.errors import NpuviewError
from ..answers import Answers
from ..compare.against import OtherRun
from ..compare.change_columns import change_columns, changed
from ..compare.change_rows import Change, Changes, changes
from ..compare.compared import Compared, compared
from ..compare.figure_lines import WIDE, figure_lines
from ..compare.head_lines import head_lines
from ..compare.names_apart import names_apart
from ..compare.reading_told import ReadingTold
from ..draw import numbers
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean, cut_middle
from ..keyboard.keys import bindings
from ..user.run_card import RunCard
from ..waiting.question_head import indented
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import say
from .view import Desk, View

HEAD_ROWS = {40: 6, 0: 5}
"""Rows of the runs and conclusions, by the rows of the terminal from which on it has them."""

FIGURE_ROWS = {40: 18, 0: 7}

LEAST_NAME = 10
"""Cells of the name of a run, where the way to the view has no more room."""


class Compare(View):
    """A and B side by side, in the median step of each."""

    WHERE = "compare"
    BINDINGS: ClassVar[list[BindingType]] = bindings("compare")
    DEFAULT_CSS = """
    #compare_head { height: 5; }
    #compare_figures { height: 7; }
    #compare_table { height: 1fr; }
    #compare_small { height: 1; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="compare_head")
        self._figures = Panel(self.look, say("three_questions"), id="compare_figures")
        self._table: RowList[Change] = RowList(
            self.look, say("what_changed"), self._columns, id="compare_table"
        )
        self._table.searched = lambda row: row.name
        self._small = Panel(self.look, id="compare_small")
        self._told = ReadingTold(self, desk)
        self._shown: tuple[str, bool] | None = None
        """The other run by its name, and whether it is B."""
        self._compared: Compared | None = None
        self._changes = Changes([], [])
        self._all_shown = False

    @property
    def table(self) -> RowList[Change]:
        """Return the list of what changed."""
        return self._table

    def compose(self) -> ComposeResult:
        """Put what it comes to over the figures, and the changes under them."""
        yield self._head
        yield self._figures
        yield self._table
        yield self._small

    def on_mount(self) -> None:
        """Give the panels their rows before anything is drawn."""
        self._fit()

    def on_resize(self) -> None:
        """Give the panels more rows where there are many."""
        self._fit()

    def _fit(self) -> None:
        height = self.app.size.height
        for panel, rows in ((self._head, HEAD_ROWS), (self._figures, FIGURE_ROWS)):
            panel.styles.height = next(count for least, count in rows.items() if height >= least)

    def enter(self, item: object) -> None:  # noqa: ARG002 the view is opened on no item
        """Ask for the other run where none was named; else hold both against each other."""
        if not self.desk.against.is_named:
            # What has the focus now has it back when the question is left.
            self.call_after_refresh(self.action_other)
        else:
            self.refocus()

    def refocus(self) -> None:
        """Compare where the other run has changed; the shared place makes no difference."""
        against = self.desk.against
        if not against.is_named:
            return
        shown = (against.name, against.swapped)
        if shown == self._shown:
            self._tell()
            return
        self._shown, self._compared = shown, None
        swapped = against.swapped

        def work(answers: Answers) -> Compared:
            # DuckDB takes longer to import than the frame of the screen to be drawn.
            from ...queries.comparison import compare  # noqa: PLC0415 - see above
            from ...queries.pair import PairSession  # noqa: PLC0415 - see above

            other, store = against.opened(), answers.session.store
            own = against.own or OtherRun(store.path.name, store, RunCard())
            whole = len(answers.session.ranks) == len(store.ranks)
            ranks = None if whole else [one.rank for one in answers.session.ranks]
            a, b = (own, other) if swapped else (other, own)
            stores = (store, other.store) if swapped else (other.store, store)
            with PairSession(*stores, ranks=ranks) as session:
                names = names_apart(a.name, b.name)
                return compared(*names, compare(session), a.card, b.card)

        self._told.begin()
        self.ask(work, self._show)

    def failed(self, error: NpuviewError) -> None:
        """Say why there is nothing to compare, so that another run can be named."""
        self._told.end()
        self._shown, self._compared, self._changes = None, None, Changes([], [])
        said = clean(str(error))
        self._head.fill(lambda width, _: indented([said], width, self.look))
        self._figures.fill(_nothing)
        self._table.fill((), empty=say("nothing_compared"))
        self._small.fill(_nothing)
        super().failed(error)

    def _show(self, found: Compared) -> None:
        self._told.end()
        self._compared = found
        self._changes = changes(found)
        self._head.fill(lambda width, height: head_lines(found, width, height, self.look))
        self._figures.fill(
            lambda width, height: figure_lines(found, width, height, self.look),
            remark=say("less_is_better"),
        )
        self._list()
        self.desk.show_way()

    def _list(self) -> None:
        """List what changed, with what did so by little where that is asked for."""
        large, small = self._changes
        rows = [*large, *small] if self._all_shown else large
        self._table.fill(
            rows,
            count=say("some_of_all", some=f"{len(rows):,}", all=f"{len(large) + len(small):,}"),
            remark=say("largest_first"),
            empty=say("nothing_changed" if large or small else "no_changes_known"),
        )
        self._small.fill(self._small_line)
        self._tell()

    def _small_line(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 it is one row
        count = len(self._changes.small)
        said = say("quiet_changes" if width >= WIDE else "quiet_changes_short", count=f"{count:,}")
        if self._all_shown:
            said = say("quiet_shown")
        return [[Run(f"  {said}", Role.DIM)]] if count else []

    def crumb(self) -> Sequence[str]:
        """Return the names of both runs."""
        found = self._compared
        if found is None:
            return (say("compare_crumb"),)
        arrow = "<>" if self.look.ascii_level else "⇄"
        room = max(LEAST_NAME, self.size.width // 6)
        base, test = (cut_middle(clean(name), room) for name in (found.base, found.test))
        return (say("compare_crumb"), f"{base} {arrow} {test}")

    def copied(self) -> str:
        """Return the selected change as one line."""
        row = self._table.row
        if row is None:
            return ""
        times = f"{numbers.time(row.base_dur)} -> {numbers.time(row.test_dur)}"
        calls = say("called_in_steps" if row.is_gap else "called_in_step", calls=row.calls)
        noise = say("noise_up_to", time=row.spread) if row.spread else ""
        parts = (f"{row.name}: {times}", changed(row), row.why, row.said, calls, noise)
        return say("comma").join(part for part in parts if part)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Tell about the change under the cursor."""
        message.stop()
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Show the change that was chosen with the mouse."""
        message.stop()
        self.action_open()

    def action_other(self) -> None:
        """Ask for the run to hold this one against."""
        self.desk.ask_text(say("hold_against"), self._choose, text=self.desk.against.word or "")

    def action_swap(self) -> None:
        """Make A of B and B of A."""
        against = self.desk.against
        if self._compared is not None:
            against.swapped = not against.swapped
            self.refocus()

    def action_small(self) -> None:
        """Show small changes, or hide them."""
        if not self._changes.small:
            self.desk.say(say("quiet_none"))
            return
        self._all_shown = not self._all_shown
        self._list()

    def action_open(self) -> None:
        """Show both timelines, at the change under the cursor; a baseline has none."""
        other = self.desk.against.other
        if self._compared is None or other is None:
            return
        if other.has_timeline:
            self.desk.open_view("linked", item=self._table.row)
        else:
            self.desk.say(say("baseline_no_timeline", name=clean(other.name)))

    def _choose(self, text: str) -> None:
        word = text.strip()
        if word:
            self.desk.against.choose(word)
            self.refocus()

    def _tell(self) -> None:
        copied = self.copied()
        if copied:
            self.tell(self.look.text(clean(copied)))

    def _columns(self, width: int) -> Sequence[Column[Change]]:
        return change_columns(self._table.rows, width, self.look)


def _nothing(width: int, height: int) -> Sequence[Line]:  # noqa: ARG001 as panels ask
    return ()
