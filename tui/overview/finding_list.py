"""The list of what to look at first: findings, what is said of each, and where it leads."""

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, cut
from ..focus import Selection, Window
from ..keyboard.keys import bindings
from ..sql.parameters import GivenQuestion
from ..widgets.row_list import Column, RowList

if TYPE_CHECKING:
    # They pull in DuckDB, which takes longer to import than the frame of the screen to be drawn.
    from collections.abc import Sequence

    from ...queries.findings import Finding
    from ..text.finding_text import Reading
    from ..widgets.canvas import Line

SHARE_CELLS = 6
LONGEST_TIME = "100.0 ms"


class FindingList(RowList["Finding"]):
    """Findings, that with most at stake first, and those that cannot be told behind."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("table")

    def __init__(self, look: Look, title: str, *, id: str) -> None:  # noqa: A002 Textual's name
        super().__init__(look, title, self._columns_of, id=id)
        self._reading: Reading | None = None
        self.searched = self._name

    def show(self, findings: "Sequence[Finding]", reading: "Reading", **told: str) -> None:
        """Show findings; ``told`` is as in ``fill``."""
        self._reading = reading
        self.fill(findings, **told)

    @property
    def sentences(self) -> "list[str]":
        """Return what is said of every row."""
        reading = self._reading
        return [] if reading is None else [reading.said(one) for one in self.rows]

    @property
    def place(self) -> Selection | None:
        """Return the longest piece of what is selected; None of what is at no place."""
        one, reading = self.row, self._reading
        if one is None or reading is None or one.ts is None or one.dur is None:
            return None
        title = reading.words.rules[one.rule.name].title
        return Selection(Window(one.ts, one.ts + max(1, one.dur)), title)

    @property
    def evidence(self) -> int | None:
        """Return the slice that shows best what is selected; None if there is none."""
        return self.row.evidence[0] if self.row is not None and self.row.evidence else None

    @property
    def rows_behind(self) -> GivenQuestion | None:
        """Return the question whose rows are behind what is selected; None without a row."""
        if self.row is None:
            return None
        given = self.row.preset_params.items()
        return GivenQuestion(
            self.row.rule.preset, tuple((name, str(value)) for name, value in given)
        )

    @property
    def status(self) -> str:
        """Return what is at stake in what is selected, of what, and where; clean text."""
        one, reading = self.row, self._reading
        if one is None or reading is None:
            return ""
        said = (reading.amount(one), reading.where(one))
        return "   ".join(part for part in said if part)

    @property
    def text(self) -> str:
        """Return what is selected as one line, with all digits."""
        one, reading = self.row, self._reading
        if one is None or reading is None:
            return ""
        question = reading.words.questions[one.rule.question]
        time = "" if one.ns is None else f" {one.ns} ns"
        parts = (reading.said(one), reading.hint(one), reading.collect(one))
        return f"{question}{time}: {'   '.join(part for part in parts if part)}"

    def said(self, width: int, height: int) -> "Sequence[Line]":
        """Return the sentence of what is selected and what to try, as far as there is room."""
        if self.row is None or self._reading is None:
            return ()
        lines = list(self._reading.advice(self.row, width - 2))
        if len(lines) > height > 0:
            lines[height - 1 :] = [f"{cut(lines[height - 1], width - 4)} …"]
        return [[Run(self.look.text(f" {line}"), Role.PLAIN)] for line in lines]

    def _name(self, finding: "Finding") -> str:
        reading = self._reading
        return "" if reading is None else f"{reading.cells(finding)[0]} {reading.said(finding)}"

    def _columns_of(self, _width: int) -> "Sequence[Column[Finding]]":
        reading = self._reading
        if reading is None:
            return ()
        words = reading.words
        heads = [words.columns[name] for name in ("question", "per_step", "share", "what")]
        return (
            Column(
                heads[0],
                lambda one, _: reading.cells(one)[0],
                width=max(map(cell_len, (heads[0], *words.questions.values()))),
            ),
            Column(
                heads[1],
                lambda one, _: reading.cells(one)[1],
                width=max(map(cell_len, (heads[1], words.words["cannot_tell"], LONGEST_TIME))),
                right=True,
                order=lambda one: one.ns_per_step,
                ordered="most at stake first",
            ),
            Column(
                heads[2],
                lambda one, _: reading.cells(one)[2],
                width=SHARE_CELLS,
                right=True,
            ),
            Column(heads[3], lambda one, cells: cut(reading.said(one), cells)),
        )
