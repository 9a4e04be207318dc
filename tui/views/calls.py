"""The calls of one operator: which of them are slow, with which shapes, and on what they wait."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...queries.rows import OperatorCallsRow
from ...queries.rows_operators import OutlierCallsRow
from ..answers import Answers
from ..draw import bars, numbers
from ..draw.core import look_of_core
from ..draw.names import fitted
from ..draw.pipe_rows import ramp_cells
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import clean, cut
from ..focus import OperatorKey, Selection, Window, place_title
from ..kernel.pipes import CUBE_PIPES, VECTOR_PIPES, Pipe
from ..kernel.tensors import shapes_text, types_text
from ..keyboard.keys import bindings
from ..scope import Scope, scope_of
from ..widgets.panel import PARTED
from ..widgets.row_list import Column, RowList
from ..words.spoken import counted, say, shown
from .view import Desk, View

MOST_ROWS = 50_000
"""Calls that are listed; of more, the longest ones."""

NARROW_BAR = 8
WIDE_BAR = 20
ROOM_FOR_SHAPES = 68
ROOM_FOR_PIPES = 90
ROOM_FOR_PLACE = 110
ROOM_FOR_REASON = 140
ROOM_FOR_ALL = 170
OUTLIER = "!"
TITLE_CELLS = 40


@dataclass(frozen=True, slots=True)
class _Found:
    """The calls of an operator, longest first, the one in the middle, and outliers by kernel."""

    calls: Sequence[OperatorCallsRow] = ()
    median: int = 0
    outliers: Mapping[int, OutlierCallsRow] = field(default_factory=dict[int, OutlierCallsRow])
    outside: bool = False
    """They lie outside the step that is shown."""

    @property
    def all_here(self) -> bool:
        """Tell whether there are no more calls than these."""
        return len(self.calls) < MOST_ROWS

    @property
    def stand_out(self) -> str:
        """Return how many outliers there are, and from which length on a call is one."""
        if not self.outliers:
            return ""
        fence = next(iter(self.outliers.values())).fence_ns
        said = counted(len(self.outliers), "outlier")
        return say("stand_out", count=said, time=numbers.time(fence)) + PARTED


class Calls(View):
    """Every call of one operator in the shared step, range or run."""

    WHERE = "calls"
    BINDINGS: ClassVar[list[BindingType]] = bindings("calls")
    DEFAULT_CSS = """
    #calls_table { height: 1fr; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._table: RowList[OperatorCallsRow] = RowList(
            self.look, "Calls", self._columns, id="calls_table"
        )
        self._table.searched = _searched
        self._key: OperatorKey | None = None
        self._shown: tuple[OperatorKey, Scope] | None = None
        self._found = _Found()

    @property
    def table(self) -> RowList[OperatorCallsRow]:
        """Return the table of calls."""
        return self._table

    def compose(self) -> ComposeResult:
        """Let the table have all the room."""
        yield self._table

    def enter(self, item: object) -> None:
        """Show the calls of an operator."""
        if isinstance(item, OperatorKey):
            if item != self._key:
                self._table.forget()
                self._shown = None
            self._key = item
            self._table.title = fitted(self._operator(), TITLE_CELLS)
        self.refocus()

    def refocus(self) -> None:
        """Ask again where operator, rank, step or range have changed."""
        key, scope = self._key, scope_of(self.desk.place)
        if key is None:
            self._table.fill((), empty="No operator is chosen: 3 lists them, enter opens one.")
            return
        shown = (key, scope)
        if shown == self._shown:
            self._tell()
            return
        self._shown = shown
        alone = scope.window is None and len(self.desk.run_facts.steps_of(scope.rank)) == 1

        def work(answers: Answers) -> _Found:
            asked = scope
            calls = _ask_calls(answers, key, asked)
            if not calls and alone:
                # They lie outside the only step, as those that led here.
                asked = Scope(scope.rank)
                calls = _ask_calls(answers, key, asked)
            outliers = _ask_outliers(answers, key, asked)
            # They come longest first: of two in the middle the shorter one counts.
            median = calls[len(calls) // 2].dur if calls else 0
            return _Found(calls, median, outliers, asked != scope)

        self.ask(work, self._show)

    def crumb(self) -> Sequence[str]:
        """Return the name of the operator, as the last part before its calls."""
        return (
            *(() if self._key is None else (fitted(self._operator(), TITLE_CELLS),)),
            say("calls"),
        )

    def copied(self) -> str:
        """Return the selected call as one line."""
        call = self._table.row
        if call is None:
            return ""
        return f"{call.name} ts={call.ts} dur={call.dur} ns slice_id={call.slice_id}"

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let the other views look at the call under the cursor."""
        message.stop()
        if not self.display:
            return
        call = self._table.row
        if call is not None:
            self.desk.move(self.desk.place.on(selection_of(call)))
        self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the call that was clicked twice."""
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show all that is known of the call."""
        call = self._table.row
        if call is not None:
            item = call if call.slice_id is None else call.slice_id
            focus = self.desk.place.on(selection_of(call))
            self.desk.open_view("details", focus=focus, item=item)

    def _operator(self) -> str:
        key = self._key
        if key is None:
            return ""
        alone = key.core or ("" if key.stream_id is None else say("stream", stream=key.stream_id))
        parts = (key.name or key.type or alone, key.input_shapes, key.input_dtypes)
        return clean(" ".join(part for part in parts if part))

    def _show(self, found: _Found) -> None:
        self._found = found
        said = [counted(len(found.calls), "call")]
        # The crumb has the run or the step, and figures need the room.
        if found.outside or self.desk.place.marked is not None:
            said.append(self.scope_title(outside=found.outside))
        if not found.all_here:
            said[0] = say("longest_calls", count=f"{len(found.calls):,}")
        elif found.calls:
            shortest, longest = found.calls[-1].dur, found.calls[0].dur
            lengths = (("min", shortest), ("median", found.median), ("max", longest))
            said += [f"{shown(name)} {numbers.time(ns)}" for name, ns in lengths]
        self._table.fill(
            found.calls,
            count=PARTED.join(said),
            remark=f"{found.stand_out}{shown('longest first')}",
            empty=say("did_not_run", name=self._operator()),
        )

    def _columns(self, width: int) -> Sequence[Column[OperatorCallsRow]]:
        origin = self.desk.run_facts.origin(self.desk.place)
        calls, median = self._found.calls, self._found.median
        longest = calls[0].dur if calls else 0
        bar = WIDE_BAR if width >= ROOM_FOR_REASON else NARROW_BAR

        def drawn(call: OperatorCallsRow, cells: int) -> Sequence[Run]:
            text = bars.bar(call.dur, longest, cells, ascii_level=self.look.ascii_level)
            return [Run(text, look_of_core(call.core).role)]

        def against_median(call: OperatorCallsRow, cells: int) -> Sequence[Run]:
            outlier = call.kernel_id in self._found.outliers
            said = numbers.times(call.dur / median if median else None)
            marked = f"{OUTLIER} {said}"
            return [
                Run(
                    marked if outlier and len(marked) <= cells else said,
                    Role.IDLE if outlier else Role.PLAIN,
                )
            ]

        return (
            Column(
                place_title(self.desk.place),
                lambda call, _: numbers.place(call.ts - origin, 1000, numbers.MILLISECONDS),
                width=14,
                right=True,
                order=lambda call: call.ts,
                descending=False,
                ordered="in time",
            ),
            Column(
                "time",
                lambda call, _: numbers.time_field(call.dur),
                width=8,
                right=True,
                order=lambda call: call.dur,
                ordered="longest first",
            ),
            Column("", drawn, width=bar),
            *(
                []
                if not self._found.all_here
                else [Column("of median", against_median, width=9, right=True)]
            ),
            Column(
                "waited",
                lambda call, _: numbers.time_field(call.wait),
                width=8,
                right=True,
                order=lambda call: call.wait,
                ordered="longest wait first",
            ),
            Column("why", self._reason, width=16, from_width=ROOM_FOR_REASON),
            *self._pipe_columns(),
            Column(
                "step",
                lambda call, _: say("none") if call.step is None else str(call.step),
                width=6,
                right=True,
                from_width=ROOM_FOR_PLACE,
            ),
            Column(
                "stream",
                lambda call, _: "?" if call.stream_id is None else str(call.stream_id),
                width=6,
                right=True,
                from_width=ROOM_FOR_PLACE,
            ),
            Column(
                "blocks",
                lambda call, _: numbers.count(call.block_num or None),
                width=6,
                right=True,
                order=lambda call: call.block_num or None,
                ordered="most blocks first",
                from_width=ROOM_FOR_PLACE,
            ),
            Column(
                "shapes in",
                lambda call, cells: shapes_text(call.input_shapes, cells),
                order=lambda call: call.input_shapes,
                descending=False,
                ordered="by shapes",
                from_width=ROOM_FOR_SHAPES,
            ),
            Column(
                "types in",
                lambda call, cells: types_text(call.input_dtypes, cells),
                width=16,
                from_width=ROOM_FOR_ALL,
            ),
        )

    def _pipe_columns(self) -> list[Column[OperatorCallsRow]]:
        """Return a column of cells for each kind of core that ran calls and was measured."""
        shown: list[Column[OperatorCallsRow]] = []
        for pipes, ran in (
            (CUBE_PIPES, any(call.aicore_time for call in self._found.calls)),
            (VECTOR_PIPES, any(call.aiv_time for call in self._found.calls)),
        ):
            if ran:
                heading = " ".join(pipe.letter for pipe in pipes)
                shown.append(
                    Column(
                        heading, self._ramp(pipes), width=len(heading), from_width=ROOM_FOR_PIPES
                    )
                )
        return shown

    def _ramp(self, pipes: Sequence[Pipe]) -> Callable[[OperatorCallsRow, int], str]:
        def drawn(call: OperatorCallsRow, cells: int) -> str:  # noqa: ARG001 as wide as its heading
            return ramp_cells([getattr(call, pipe.field) for pipe in pipes], self.look)

        return drawn

    def _reason(self, call: OperatorCallsRow, cells: int) -> str:
        outlier = self._found.outliers.get(call.kernel_id)
        if outlier is None:
            return ""
        match outlier.why:
            case "shape":
                return say("outlier_why_shapes")
            case "conversion":
                return cut(say("why_after", type=clean(outlier.before_type or "")), cells)
            case _:
                return say("why_not_explained")

    def _tell(self) -> None:
        call = self._table.row
        if call is None:
            self.tell("")
            return
        outlier = self._found.outliers.get(call.kernel_id)
        waited = "" if call.wait is None else say("waited_before", time=numbers.time(call.wait))
        at, of = f"{self._table.cursor + 1:,}", f"{len(self._table.rows):,}"
        parts = (say("call_of", at=at, count=of), numbers.time(call.dur), waited)
        self.tell(PARTED.join(part for part in (*parts, _explained(outlier)) if part))


def _ask_calls(answers: Answers, key: OperatorKey, scope: Scope) -> Sequence[OperatorCallsRow]:
    return answers.rows(
        "operator_calls",
        OperatorCallsRow,
        name=key.name,
        type=key.type,
        core=key.core,
        input_shapes=key.input_shapes,
        input_dtypes=key.input_dtypes,
        stream_id=key.stream_id,
        limit=MOST_ROWS,
        **scope.asked,
    )


def _ask_outliers(
    answers: Answers, key: OperatorKey, scope: Scope
) -> Mapping[int, OutlierCallsRow]:
    rows = answers.rows(
        "outlier_calls",
        OutlierCallsRow,
        name=key.name,
        type=key.type,
        core=key.core,
        input_shapes=key.input_shapes,
        input_dtypes=key.input_dtypes,
        stream_id=key.stream_id,
        **scope.asked,
    )
    return {row.kernel_id: row for row in rows}


def _explained(outlier: OutlierCallsRow | None) -> str:
    """Return what explains an outlier, to stand behind its lengths; clean text."""
    if outlier is None:
        return ""
    match outlier.why:
        case "shape" if outlier.shape_count == 1:
            return say("outlier_alone")
        case "shape":
            return say("outlier_by_shapes", time=numbers.time(outlier.shape_p50))
        case "conversion":
            before = f"{clean(outlier.before_type or '')} {numbers.time(outlier.before_dur)}"
            return say("outlier_after", what=before)
        case _:
            return say("outlier_not_explained")


def selection_of(call: OperatorCallsRow) -> Selection:
    """Return a call as what all views look at."""
    window = Window(call.ts, call.ts + call.dur)
    return Selection(window, clean(call.name), slice_id=call.slice_id)


def _searched(call: OperatorCallsRow) -> str:
    parts = (call.name, call.input_shapes, call.input_dtypes, call.output_shapes, call.op_state)
    return " ".join(part or "" for part in parts)
