"""The steps of a rank in time: how long each took, and which part made it longer."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ..draw import numbers
from ..draw.safe_text import cell_len
from ..keyboard.keys import bindings
from ..overview.legend import legend_at_right
from ..overview.step_columns import StepColumns
from ..overview.step_lines import StepLine, StepLines, step_lines, step_status, step_text
from ..widgets.canvas import Line
from ..widgets.panel import Panel
from ..widgets.row_list import Column, RowList
from ..words.spoken import counted, say, shown
from .view import Desk, View


class Steps(View):
    """All steps of the shared rank."""

    WHERE = "steps"
    # The layout follows classes of the screen, which is outside.
    SCOPED_CSS = False
    BINDINGS: ClassVar[list[BindingType]] = bindings("steps")
    DEFAULT_CSS = """
    #steps_head { height: 1; }
    #steps_table { height: 1fr; }
    .-normal #steps_head, .-wide #steps_head { margin-bottom: 1; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._head = Panel(self.look, id="steps_head")
        self._table: RowList[StepLine] = RowList(
            self.look, "Steps", self._columns, id="steps_table"
        )
        self._table.searched = lambda line: line.name
        self._lines = StepLines((), None, None)
        self._rank: int | None = None

    @property
    def table(self) -> RowList[StepLine]:
        """Return the table of steps."""
        return self._table

    def compose(self) -> ComposeResult:
        """Put the summary over the table."""
        yield self._head
        yield self._table

    def enter(self, item: object) -> None:  # noqa: ARG002 steps are opened on no item
        """Show the steps of the shared rank, the cursor on the shared step."""
        self.refocus()

    def refocus(self) -> None:
        """Show the shared rank's steps; what is known of them is here already."""
        focus = self.desk.place
        if focus.rank != self._rank:
            self._rank = focus.rank
            self._lines = step_lines(self.desk.run_facts, focus.rank)
            self._head.fill(self._summary)
            self._table.fill(
                self._lines.lines,
                count=f"{self._lines.count:,}",
                remark=shown("in time"),
                empty="No step and no device task: there is no time to split.",
            )
        line = self._table.row
        if line is None or line.step != focus.step:
            self._table.go_to_row(lambda one: one.step == focus.step)
        self._tell()

    def crumb(self) -> Sequence[str]:
        """Return the name of the view."""
        return (shown("steps"),)

    def copied(self) -> str:
        """Return the selected step as one line."""
        line = self._table.row
        return "" if line is None else step_text(line)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        """Let all views look at the step under the cursor."""
        message.stop()
        line = self._table.row
        if line is not None and self.display:
            if line.step != self.desk.place.step:
                self.desk.move(self.desk.place.at_step(line.step))
            self._tell()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Open the step that was clicked twice."""
        message.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show the step in the timeline."""
        line = self._table.row
        if line is not None:
            self.desk.open_view("timeline", focus=self.desk.place.at_step(line.step))

    def action_next_outlier(self) -> None:
        """Go to the next step that took unusually long."""
        self._go_to_outlier(1)

    def action_previous_outlier(self) -> None:
        """Go to the outlier before."""
        self._go_to_outlier(-1)

    def _go_to_outlier(self, away: int) -> None:
        rows, at = self._table.rows, self._table.cursor
        ahead = range(at + 1, len(rows)) if away > 0 else range(at - 1, -1, -1)
        found = next((index for index in ahead if rows[index].outlier), None)
        if found is not None:
            self._table.go_to(found)
        elif any(row.outlier for row in rows):
            self.desk.say(say("no_outlier_further" if away > 0 else "no_outlier_before"))
        else:
            self.desk.say(say("no_outlier"))

    def _summary(self, width: int, height: int) -> Sequence[Line]:  # noqa: ARG002 one row always
        lines = self._lines
        if not lines.steps:
            return ()
        said = self._figures()
        for spared in ("min", "max", "median"):
            if cell_len("   ".join(said.values())) > width - 2:
                said.pop(spared, None)
        title = "   ".join(said.values())
        first = lines.lines[0].split or next((one.split for one in lines.steps if one.split), None)
        return [legend_at_right(title, first, width, self.look, shares=False)]

    def _figures(self) -> dict[str, str]:
        lines, unit = self._lines, self._lines.unit
        periods = [line.period for line in lines.steps if line.period is not None]
        said = {"count": counted(lines.count, "step")}
        if len(periods) == 1:
            return said | {"median": numbers.time(periods[0])}
        if periods:
            compared = {"median": lines.median, "min": min(periods), "max": max(periods)}
            said |= {
                name: f"{shown(name)} {numbers.time_in(ns, unit)}" for name, ns in compared.items()
            }
        outliers = len({line.step for line in lines.steps if line.outlier})
        return said | {"outliers": counted(outliers, "outlier")}

    def _columns(self, width: int) -> Sequence[Column[StepLine]]:
        return StepColumns(self._lines, self.look, in_full=True).for_width(width)

    def _tell(self) -> None:
        line = self._table.row
        if line is not None:
            self.tell(step_status(line, self._lines))
