"""The opened run held against another one: its steps, its ledger, and what changed."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ..answers import Answers
from ..compare.change_rows import Change, changes, quiet
from ..compare.compared import Compared, compared, figure_words, presence_words, verdict_words
from ..compare.conclusions import Conclusion, conclusions
from ..draw import bars, numbers
from ..draw.lines import wrapped
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, cut, cut_middle, pad
from ..keyboard.keys import bindings
from ..user.run_card import RunCard
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import say
from .view import Desk, View

HEAD_ROWS = {40: 8, 0: 6}
"""Rows of the conclusions, by the rows of the terminal from which on it has them."""

LEDGER_ROWS = {40: 13, 0: 7}
TIME_CELLS = 10
FIGURE_CELLS = 16
SHARE_CELLS = 9
NAME_CELLS = 24


class Compare(View):
    """Two runs side by side, in the median step of each."""

    WHERE = "compare"
    BINDINGS: ClassVar[list[BindingType]] = bindings("compare")
    DEFAULT_CSS = """
    #compare_head { height: 6; }
    #compare_ledger { height: 7; }
    #compare_table { height: 1fr; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, say("before_and_after"), id="compare_head")
        self._ledger = Panel(self.look, say("median_step"), id="compare_ledger")
        self._table: RowList[Change] = RowList(
            self.look, say("what_changed"), self._columns, id="compare_table"
        )
        self._table.searched = lambda row: row.name
        self._shown: str | None = None
        self._compared: Compared | None = None

    @property
    def table(self) -> RowList[Change]:
        """Return the list of what changed."""
        return self._table

    def compose(self) -> ComposeResult:
        """Put what it comes to over the ledger, and the changes under it."""
        yield self._head
        yield self._ledger
        yield self._table

    def on_mount(self) -> None:
        """Give the panels their rows before anything is drawn."""
        self._fit()

    def on_resize(self) -> None:
        """Give the panels more rows where there are many."""
        self._fit()

    def _fit(self) -> None:
        height = self.app.size.height
        for panel, rows in ((self._head, HEAD_ROWS), (self._ledger, LEDGER_ROWS)):
            panel.styles.height = next(count for least, count in rows.items() if height >= least)

    def enter(self, item: object) -> None:  # noqa: ARG002 the view is opened on no item
        """Ask for the other run where none was named; else hold both against each other."""
        if self.desk.against.word is None and self.desk.against.other is None:
            # What has the focus now has it back when the question is left.
            self.call_after_refresh(self.action_other)
        else:
            self.refocus()

    def refocus(self) -> None:
        """Compare where the other run has changed; the shared place makes no difference."""
        against = self.desk.against
        if against.word is None and against.other is None:
            return
        name = against.other.name if against.other else against.word
        if name == self._shown:
            self._tell()
            return
        self._shown, self._compared = name, None
        self.desk.say(say("comparing_with", name=clean(name or "")))

        def work(answers: Answers) -> Compared:
            # DuckDB takes longer to import than the frame of the screen to be drawn.
            from ...queries.comparison import compare  # noqa: PLC0415 - see above
            from ...queries.pair import PairSession  # noqa: PLC0415 - see above

            other, store = against.opened(), answers.session.store
            whole = len(answers.session.ranks) == len(store.ranks)
            ranks = None if whole else [one.rank for one in answers.session.ranks]
            with PairSession(other.store, store, ranks=ranks) as session:
                found = compare(session)
            own = against.own
            card = own.card if own is not None else RunCard()
            name = own.name if own is not None else store.path.name
            return compared(other.name, name, found, other.card, card)

        self.ask(work, self._show)

    def failed(self, error: Exception) -> None:
        """Say why there is nothing to compare, so that another run can be named."""
        self._shown = None
        self.desk.say(clean(str(error)), serious=True)

    def _show(self, found: Compared) -> None:
        self.desk.unsay()
        self._compared = found
        told = changes(found)
        self._head.fill(self._conclusions)
        self._ledger.fill(self._figures, remark=say("less_is_better"))
        count = quiet(found, told)
        self._table.fill(
            told,
            remark=say("quiet_changes", count=f"{count:,}") if count else "",
            empty=say("nothing_changed"),
        )
        self.desk.show_way()
        self._tell()

    def crumb(self) -> Sequence[str]:
        """Return the names of both runs."""
        if self._compared is None:
            return (say("compare_crumb"),)
        return (say("compare_crumb"), clean(self._compared.base))

    def copied(self) -> str:
        """Return the selected change as one line."""
        row = self._table.row
        if row is None:
            return ""
        times = f"{numbers.time(row.base_dur)} -> {numbers.time(row.test_dur)}"
        return f"{row.name}: {times}, {_changed(row)}: {row.said}"

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Tell about the change under the cursor."""
        message.stop()
        self._tell()

    def action_other(self) -> None:
        """Ask for the run to hold this one against."""
        self.desk.ask_text(say("hold_against"), self._choose, text=self.desk.against.word or "")

    def action_open(self) -> None:
        """Show the shared place in the timeline; = goes to it in the other run."""
        self.desk.open_view("timeline")

    def _choose(self, text: str) -> None:
        word = text.strip()
        if word:
            self.desk.against.choose(word)
            self.refocus()

    def _tell(self) -> None:
        copied = self.copied()
        if copied:
            self.tell(self.look.text(clean(copied)))

    def _conclusions(self, width: int, height: int) -> Sequence[Line]:
        found = self._compared
        if found is None:
            return ()
        room = max(0, (width - 17) // 2)
        base, test = (cut_middle(clean(name), room) for name in (found.base, found.test))
        lines: list[Line] = [[Run(self.look.text(f" base {base}   test {test}"), Role.PLAIN)]]
        # After the step, what warns has a place where there is little room.
        step, *rest = conclusions(found)
        told = [step, *sorted(rest, key=lambda one: not one.warns)]
        for one in told:
            lines += self._sentence(one, width)
        return lines[:height]

    def _sentence(self, one: Conclusion, width: int) -> list[Line]:
        said = f"{self.look.text('!')} {one.text}" if one.warns else one.text
        role = Role.IDLE if one.warns else Role.PLAIN
        return [[Run(f" {self.look.text(line)}", role)] for line in wrapped(clean(said), width - 2)]

    def _figures(self, width: int, height: int) -> Sequence[Line]:
        found = self._compared
        if found is None:
            return ()
        shown = [row for row in found.found.figures if row.base_dur or row.test_dur]
        longest = max((row.test_dur or 0 for row in shown), default=0)
        longest = max(longest, *(row.base_dur or 0 for row in shown), 1)
        unit = numbers.column_unit([longest])
        heads = ("base", "test", "test - base")
        head = pad("", FIGURE_CELLS + 1) + "".join(
            pad(one, TIME_CELLS + 2, right=True) for one in heads
        )
        lines: list[Line] = [[Run(cut(head, width), Role.DIM)]]
        # The period stays; of the others those with the largest change.
        kept = sorted(shown[1:], key=lambda row: -abs(row.difference or 0))[: max(0, height - 2)]
        for row in [*shown[:1], *(row for row in shown[1:] if row in kept)]:
            times = (
                numbers.time_in(row.base_dur, unit),
                numbers.time_in(row.test_dur, unit),
                numbers.time_difference(row.base_dur, row.test_dur, unit),
            )
            said = f" {pad(cut(figure_words(row.figure), FIGURE_CELLS), FIGURE_CELLS)}"
            said += "".join(pad(one, TIME_CELLS + 2, right=True) for one in times)
            said += pad(numbers.change(row.base_dur, row.test_dur), SHARE_CELLS + 2, right=True)
            room = width - cell_len(said) - 3
            bold = Attributes.BOLD if row.verdict in {"better", "worse"} else Attributes.NONE
            words = verdict_words(row)
            if cell_len(words) > room:
                words = cut(
                    say("verdict_noise") if row.verdict == "insignificant" else words, max(0, room)
                )
            runs = [
                Run(self.look.text(said), Role.PLAIN),
                Run(f"  {words}", Role.PLAIN, attributes=bold),
            ]
            rest = room - 24
            if rest > 8:
                bar = bars.bar(row.test_dur, longest, rest, ascii_level=self.look.ascii_level)
                runs.append(Run(f"{' ' * (24 - cell_len(words))} {bar}", Role.VECTOR))
            lines.append(runs)
        return lines

    def _columns(self, width: int) -> Sequence[Column[Change]]:  # noqa: ARG002 the same at any width
        return (
            Column("what", lambda row, cells: cut(clean(row.name), cells), descending=False,
                   order=lambda row: row.name, ordered="by name"),
            Column("base", lambda row, _: numbers.time(row.base_dur), width=TIME_CELLS, right=True,
                   order=lambda row: row.base_dur or 0, ordered="longest before first"),
            Column("test", lambda row, _: numbers.time(row.test_dur), width=TIME_CELLS, right=True,
                   order=lambda row: row.test_dur or 0, ordered="longest after first"),
            Column("test - base", lambda row, _: _signed(row), width=TIME_CELLS + 1, right=True,
                   order=lambda row: abs(row.difference or 0), ordered="largest change first"),
            Column("change", lambda row, _: _changed(row), width=SHARE_CELLS, right=True),
            Column("verdict", lambda row, cells: cut(row.said, cells), width=NAME_CELLS,
                   from_width=100),
        )  # fmt: skip


def _changed(row: Change) -> str:
    if row.presence in {"new", "gone"}:
        return presence_words(row.presence)
    return numbers.change(row.base_dur, row.test_dur)


def _signed(row: Change) -> str:
    if row.difference is None:
        return numbers.NOT_MEASURED
    sign = "+" if row.difference > 0 else ""
    return f"{sign}{numbers.time(row.difference)}"
