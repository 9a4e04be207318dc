"""Two runs side by side as text: what it comes to, then figures, operators and gaps."""

from collections.abc import Iterable, Iterator

from ...queries.query import AnswerColumn
from ...queries.rows_compare import PairGapsRow, PairOperatorsRow
from ..compare.compared import (
    Compared,
    JudgedRow,
    presence_words,
    step_calls,
    verdict_words,
)
from ..compare.conclusions import Conclusion, conclusions
from ..compare.reason_words import reason_words
from ..draw import numbers
from ..draw.lines import wrapped
from ..draw.safe_text import clean
from ..words.spoken import counted, say
from .table_text import Style, draw
from .terminal import Terminal

USUAL_WIDTH = 100
MOST_OPERATORS = 12
MOST_CAUSES = 12

_TIMES = (
    AnswerColumn("base_dur", "BIGINT"),
    AnswerColumn("test_dur", "BIGINT"),
    AnswerColumn("difference", "BIGINT"),
    AnswerColumn("change_share", "DOUBLE"),
)
_NOISE = (AnswerColumn("noise_ns", "BIGINT"), AnswerColumn("verdict", "VARCHAR"))
_FIGURE = (AnswerColumn("figure", "VARCHAR"),)
_GAP = (
    AnswerColumn("cause", "VARCHAR"),
    AnswerColumn("base_longest_ns", "BIGINT"),
    AnswerColumn("test_longest_ns", "BIGINT"),
)
_OPERATOR = (AnswerColumn("name", "VARCHAR"), AnswerColumn("core", "VARCHAR"))
_CALLS = (AnswerColumn("step_calls", "VARCHAR"),)


def diff_lines(
    compared: Compared, terminal: Terminal, more: Iterable[Conclusion] = ()
) -> list[str]:
    """Return what two runs differ in, with ``more`` that it comes to.

    No line is wider than the terminal.
    """
    width = terminal.width or USUAL_WIDTH
    lines = [terminal.text(f"base  {compared.base}"), terminal.text(f"test  {compared.test}"), ""]
    for one in (*conclusions(compared), *more):
        said = terminal.text(say("warned", what=one.text) if one.warns else one.text)
        color = "yellow" if one.warns else None
        lines += [terminal.paint(line, color) for line in wrapped(said, width)]
    lines += ["", *_titled(say("median_step"), _figures(compared, terminal), terminal)]
    lines += ["", *_titled(say("operators_changed"), _operators(compared, terminal), terminal)]
    if compared.found.gaps:
        lines += ["", *_titled(say("gaps_changed"), _gaps(compared, terminal), terminal)]
    return lines


def _titled(title: str, lines: Iterable[str], terminal: Terminal) -> Iterator[str]:
    yield terminal.paint(terminal.text(title), bold=True)
    yield from lines


def _figures(compared: Compared, terminal: Terminal) -> list[str]:
    shown = [row for row in compared.found.figures if row.base_dur or row.test_dur]
    unit = numbers.column_unit(dur for row in shown for dur in (row.base_dur, row.test_dur))
    rows = [(row.figure, *_times(row), row.noise_ns, verdict_words(row)) for row in shown]
    return draw((*_FIGURE, *_TIMES, *_NOISE), rows, terminal, Style(unit=unit)).lines


def _operators(compared: Compared, terminal: Terminal) -> list[str]:
    every = compared.found.operators
    told = [row for row in every if row.verdict in {"better", "worse", "unknown"}]
    shown = told[:MOST_OPERATORS]
    rows = [
        (row.name, row.core, *_times(row), _calls(row),
         presence_words(row.presence) if row.presence != "both" else verdict_words(row))
        for row in shown
    ]  # fmt: skip
    columns = (*_OPERATOR, *_TIMES, *_CALLS, _NOISE[1])
    lines = draw(columns, rows, terminal).lines if rows else []
    lines += _reasons(compared, [(row.name, row) for row in shown], terminal)
    quiet = len(every) - len(told)
    if len(told) > len(shown):
        lines.append(terminal.text(say("more_operators", count=len(told) - len(shown))))
    if quiet:
        operators = counted(quiet, "other operator" if rows else "operator")
        lines.append(terminal.text(say("quiet_operators", operators=operators)))
    return lines or [terminal.text(say("no_operators"))]


def _gaps(compared: Compared, terminal: Terminal) -> list[str]:
    rows = [
        ("all" if row.scope == "all" else row.cause, row.base_longest_ns, row.test_longest_ns,
         *_times(row), verdict_words(row))
        for row in compared.found.gaps[: MOST_CAUSES + 1]
    ]  # fmt: skip
    lines = draw((*_GAP, *_TIMES, _NOISE[1]), rows, terminal).lines
    named = [(row.cause or "", row) for row in compared.found.gaps[: MOST_CAUSES + 1]]
    return [*lines, *_reasons(compared, named, terminal)]


def _reasons(
    compared: Compared,
    named: Iterable[tuple[str, PairOperatorsRow | PairGapsRow]],
    terminal: Terminal,
) -> list[str]:
    """Say why what changed beyond noise did so, a sentence each."""
    width = terminal.width or USUAL_WIDTH
    lines: list[str] = []
    for name, row in named:
        said = reason_words(row, compared.found) if row.verdict in {"better", "worse"} else ""
        if said:
            text = terminal.text(clean(say("why_of", name=name, why=said)))
            lines += wrapped(text, width, indent="    ")
    return lines


def _times(row: JudgedRow) -> tuple[int | float | None, ...]:
    return row.base_dur, row.test_dur, row.difference, row.change_share


def _calls(row: PairOperatorsRow) -> str:
    return f"{step_calls(row.base_calls)} -> {step_calls(row.test_calls)}"
