"""The operators with the most time, by name or grouped by what else their calls share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ..answers import Answers
from ..draw import bars, numbers
from ..draw.core import COLLECTIVE, look_of_core
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, pad
from ..focus import OperatorKey
from ..keyboard.keys import bindings
from ..overview.collection import cut_off_timelines, remedy
from ..scope import Scope, scope_noun, scope_of
from ..widgets.canvas import Line
from ..widgets.panel import PARTED, Panel
from ..widgets.row_list import UNTIL_KNOWN, Column, RowList
from ..words.spoken import counted, say, shown
from .top_operator import (
    GROUPINGS,
    Grouping,
    Lengths,
    Operator,
    ask_lengths,
    ask_operators,
)
from .view import Desk, View

ROOM_FOR_AVERAGE = 72
ROOM_FOR_SHARES = 90
ROOM_FOR_SPREAD = 100
ROOM_FOR_PERCENTILES = 116
ROOM_FOR_CORE = 140
ROOM_FOR_ALL = 180
NARROW_BAR = 8
WIDE_BAR = 20

CLASSES = (
    ("C", "cube"),
    ("V", "vector"),
    ("p", "AI CPU"),
    (" ", "other"),
)
"""Letters of the cores and their names, in the order of the legend."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Operators and the sums by core, and whether they ran ``outside`` the step shown."""

    operators: Sequence[Operator]
    cores: Sequence[Operator]
    scope: Scope
    outside: bool = False


class Top(View):
    """Operators by the time that they take in the shared step or run."""

    WHERE = "top"
    SCOPED = True
    BINDINGS: ClassVar[list[BindingType]] = bindings("top")
    DEFAULT_CSS = """
    #top_head { height: 2; }
    #top_table { height: 1fr; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="top_head")
        self._table: RowList[Operator] = RowList(
            self.look, "Operators", self._columns, id="top_table"
        )
        self._table.searched = _searched
        self._grouping: Grouping = "name"
        self._shown: tuple[Scope, Grouping] | None = None
        self._all: Sequence[Operator] = ()
        self._cores: Sequence[Operator] = ()
        self._lengths: Mapping[OperatorKey, Lengths] | None = None

    @property
    def table(self) -> RowList[Operator]:
        """Return the table of operators."""
        return self._table

    def compose(self) -> ComposeResult:
        """Put the sums over the table."""
        yield self._head
        yield self._table

    def enter(self, item: object) -> None:  # noqa: ARG002 the operators are opened on no item
        """Show the operators of the shared step or range, or of the run."""
        self.refocus()

    def refocus(self) -> None:
        """Ask again where rank, step, range or grouping have changed."""
        scope, grouping = scope_of(self.desk.place), self._grouping
        shown = (scope, grouping)
        if shown == self._shown:
            self._tell()
            return
        self._shown = shown
        self._lengths = None

        alone = len(self.desk.run_facts.steps_of(scope.rank)) == 1

        def work(answers: Answers) -> _Found:
            operators = ask_operators(answers, scope, grouping)
            # All there may be lie outside the only step, to which there is no other way.
            outside = alone and scope.step is not None and not operators
            within = Scope(scope.rank) if outside else scope
            if outside:
                operators = ask_operators(answers, within, grouping)
            # Not every grouping tells kernels from collectives, but the head always does.
            cores = ask_operators(answers, within, "core")
            return _Found(operators, cores, within, outside)

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("top"),)

    def copied(self) -> str:
        """Return the selected operator as one line."""
        row = self._table.row
        if row is None:
            return ""
        sums = f"calls={row.calls} total={row.total} ns avg={row.avg} ns"
        return f"{row.title} core={row.key.core} {sums}"

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Say what is under the cursor."""
        message.stop()
        if self.display:
            self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the operator that was clicked twice."""
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show the calls of the operator."""
        row = self._table.row
        if row is None:
            return
        if row.grouping == "type" and row.key.type is None:
            self.desk.say(say("types_missing"))
            return
        self.desk.open_view("calls", item=row.key)

    def action_group(self) -> None:
        """Group by the next of what calls can be grouped by."""
        groupings = list(GROUPINGS)
        self._grouping = groupings[(groupings.index(self._grouping) + 1) % len(groupings)]
        self._table.forget()
        self.refocus()

    def _show(self, found: _Found) -> None:
        operators = self._all = found.operators
        self._cores = found.cores
        self._head.fill(self._sums)
        noun, title = GROUPINGS[self._grouping]
        self._table.title = shown(title)
        where = (
            say("outside_step", step=self.desk.place.step) + PARTED
            if found.outside and operators
            else ""
        )
        said = counted(len(operators), noun)
        self._table.fill(
            operators,
            count=PARTED.join((said, self.scope_title(outside=found.outside))),
            remark=f"{where}{shown('most time first')}",
            empty=self._empty(),
        )
        if operators:
            scope, grouping = found.scope, self._grouping
            self.ask(
                lambda answers: ask_lengths(answers, scope, grouping),
                self._measured,
                channel="lengths",
            )

    def _measured(self, lengths: Mapping[OperatorKey, Lengths]) -> None:
        self._lengths = lengths
        self._table.refresh()

    def _p95(self, row: Operator, cells: int) -> str:  # noqa: ARG002 it always fits
        if self._lengths is None:
            return UNTIL_KNOWN
        known = self._lengths.get(row.key)
        return numbers.time_field(known.p95 if known else None)

    def _empty(self) -> str:
        focus, run = self.desk.place, self.desk.run_facts
        if focus.marked is not None:
            return say("no_operator_in_range")
        if focus.step is not None and len(run.steps_of(focus.rank)) > 1:
            return say("no_operator_in_step", step=focus.step)
        said = remedy("kernels", run.profile(focus.rank), cut_off_timelines(run.health))
        return say("no_operator_because", said=said) if said else say("no_operator")

    def _sums(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 two rows always
        kernels = [row for row in self._cores if not row.collective]
        collectives = [row for row in self._cores if row.collective]
        calls = counted(sum(row.calls for row in kernels), "kernel")
        # A call that begins in a range may go on after it: whole calls are not its time.
        marked = self.desk.place.marked is not None
        said = say("begin_in_range", what=calls) if marked else calls
        inside = numbers.time(sum(row.inside for row in kernels))
        first = [
            Run(f" {said}   ", Role.PLAIN),
            Run(self.look.text(inside), Role.PLAIN, attributes=Attributes.BOLD),
            Run(f" {say('kernel_time_in_range' if marked else 'kernel_time')}", Role.PLAIN),
        ]
        stepped = _sum_of_shares(kernels)
        if stepped is not None:
            first.append(
                Run(
                    f"   {say('share_of', share=numbers.ratio(stepped), whole=self._of())}",
                    Role.PLAIN,
                )
            )
        second: list[Run] = []
        for letter, name in CLASSES:
            ran = [row for row in kernels if look_of_core(row.key.core).letter == letter]
            if ran:
                second += self._part(letter, say("other_cores") if name == "other" else name, ran)
        if collectives:
            second += self._part(COLLECTIVE, say("collectives"), collectives)
        return [first, second]

    def _part(self, letter: str, name: str, rows: Sequence[Operator]) -> list[Run]:
        role = look_of_core(rows[0].key.core).role
        said = numbers.time(sum(row.inside for row in rows))
        mark = f"{letter} " if letter.strip() else ""
        return [
            Run(f" {mark}", role, attributes=Attributes.BOLD),
            Run(self.look.text(f"{name} {said}  "), Role.PLAIN),
        ]

    def _columns(self, width: int) -> Sequence[Column[Operator]]:
        longest = max((row.total for row in self._all), default=0)
        bar = WIDE_BAR if width >= ROOM_FOR_CORE else NARROW_BAR
        typed = [_TYPE] if self._grouping == "name" else []
        cored = [_CORE] if self._grouping not in {"core", "stream"} else []

        def drawn(row: Operator, cells: int) -> Sequence[Run]:
            text = bars.bar(row.total, longest, cells, ascii_level=self.look.ascii_level)
            return [Run(text, look_of_core(row.key.core).role)]

        return (
            Column("", _letter, width=1),
            Column(
                GROUPINGS[self._grouping][0],
                self._titled,
                order=lambda row: row.title.casefold(),
                descending=False,
                ordered="by name",
            ),
            *typed,
            *cored,
            Column(
                "calls",
                lambda row, _: numbers.count(row.calls),
                width=7,
                right=True,
                order=lambda row: row.calls,
                ordered="most calls first",
            ),
            Column(
                "total",
                lambda row, _: numbers.time_field(row.total),
                width=8,
                right=True,
                order=lambda row: row.total,
                ordered="most time first",
            ),
            Column("", drawn, width=bar),
            Column(
                "avg",
                lambda row, _: numbers.time_field(row.avg),
                width=8,
                right=True,
                order=lambda row: row.avg,
                ordered="longest on average first",
                from_width=ROOM_FOR_AVERAGE,
            ),
            Column("p95", self._p95, width=8, right=True, from_width=ROOM_FOR_PERCENTILES),
            Column(
                "max",
                lambda row, _: numbers.time_field(row.max),
                width=8,
                right=True,
                order=lambda row: row.max,
                ordered="longest call first",
                from_width=ROOM_FOR_SHARES,
            ),
            Column(
                "min",
                lambda row, _: numbers.time_field(row.min),
                width=8,
                right=True,
                from_width=ROOM_FOR_ALL,
            ),
            Column(
                "max/min",
                lambda row, _: numbers.times(row.spread),
                width=8,
                right=True,
                order=lambda row: row.spread,
                ordered="widest spread first",
                from_width=ROOM_FOR_SPREAD,
            ),
            Column(
                self._share_title(),
                lambda row, _: numbers.share_field(numbers.ratio(row.period_share)),
                width=8,
                right=True,
            ),
            Column(
                "kernels",
                lambda row, _: numbers.share_field(numbers.ratio(row.kernel_share)),
                width=7,
                right=True,
                from_width=ROOM_FOR_SHARES,
            ),
        )

    def _of(self) -> str:
        """Return what shares are of: the periods of the steps, also where all are shown."""
        place = self.desk.place
        whole_run = place.marked is None and place.step is None
        return say("the_steps") if whole_run else scope_noun(place)

    def _share_title(self) -> str:
        place = self.desk.place
        if place.marked is not None:
            return "of range"
        return "of steps" if place.step is None else "of step"

    def _titled(self, row: Operator, cells: int) -> str:
        name = clean(row.title)
        if row.names is None or row.names == 1:
            return fitted(name, cells)
        names = f"  {counted(row.names, 'name')}"
        if cell_len(name) + cell_len(names) <= cells:
            return pad(name, cells - cell_len(names)) + names
        return fitted(name, cells)

    def _tell(self) -> None:
        row = self._table.row
        if row is None:
            self.tell("")
            return
        share = (
            say("a_collective")
            if row.collective
            else say("of_kernels", share=numbers.ratio(row.kernel_share))
        )
        parts = [
            f"{fitted(clean(row.title), 40)}   {numbers.time(row.total)}",
            say("share_of", share=numbers.ratio(row.period_share), whole=self._of()),
            say("per_call", time=numbers.time(row.avg)),
            share,
        ]
        self.tell("   ".join(parts))


_TYPE: Column[Operator] = Column(
    "type",
    lambda row, cells: fitted(clean(row.key.type or say("not_collected")), cells),
    width=18,
    from_width=ROOM_FOR_ALL,
)
_CORE: Column[Operator] = Column(
    "core",
    lambda row, cells: clean(row.key.core or say("not_collected"), cells),
    width=14,
    from_width=ROOM_FOR_CORE,
)


def _letter(row: Operator, cells: int) -> Sequence[Run]:  # noqa: ARG001 one cell always
    look = look_of_core(row.key.core)
    return [Run(look.letter, look.role)]


def _searched(row: Operator) -> str:
    return f"{row.title} {row.key.name} {row.key.type} {row.key.core}"


def _sum_of_shares(rows: Sequence[Operator]) -> float | None:
    shares = [row.period_share for row in rows if row.period_share is not None]
    return sum(shares) if shares else None
