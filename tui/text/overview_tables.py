"""The short lists of the overview: steps, operators and gaps, each under a titled rule."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...queries.query import AnswerColumn
from ...queries.rows import GapsRow, OverviewRow, TopRow
from ..draw import bars, numbers
from ..draw.lines import rule
from ..draw.safe_text import cell_len, cut, pad
from ..words.reasons import cause_words
from ..words.spoken import say, shown
from .boxes_text import Split
from .table_text import PLACE_CELL_NS, Style, draw
from .terminal import Terminal

MOST_STEPS = 12

RANK = AnswerColumn("rank", "INTEGER")


def split_of(steps: Sequence[OverviewRow]) -> Split:
    """Return how the periods of some steps split together; what no step knows is None."""

    def known(name: str) -> int | None:
        values = [getattr(step, name) for step in steps]
        return sum(value or 0 for value in values) if values.count(None) < len(values) else None

    def total(*names: str) -> int:
        return sum(known(name) or 0 for name in names)

    return Split(
        total("period"),
        total("computing", "mc2", "aicpu"),
        known("moving"),
        known("waiting"),
        total("idle"),
        total("collective_unsplit"),
    )


def steps_table(steps: Sequence[OverviewRow], terminal: Terminal, width: int) -> Iterator[str]:
    """List the steps, their parts drawn on one scale."""
    listed = steps[:MOST_STEPS]
    several = len({step.rank for step in steps}) > 1
    unsplit = any(step.collective_unsplit for step in steps)
    names = ["period", "computing", "waiting", "moving", "idle"]
    if unsplit:
        names.append("collective")
    columns = [AnswerColumn("step", "INTEGER"), *(AnswerColumn(name, "BIGINT") for name in names)]
    rows: list[tuple[object, ...]] = []
    for step in listed:
        split = split_of([step])
        known = step.idle is not None
        parts = [split.computing, split.waiting, split.moving, split.idle]
        if unsplit:
            parts.append(split.unsplit)
        rows.append((step.step, step.period, *(parts if known else (None,) * len(parts))))
    if several:
        columns.insert(0, RANK)
        rows = [(step.rank, *row) for step, row in zip(listed, rows, strict=True)]
    # The parts are read against the period, so they are in its unit.
    unit = numbers.column_unit(step.period for step in listed)
    table = draw(columns, rows, replace(terminal, color=False), Style(unit=unit)).lines
    room = width - max(map(cell_len, table)) - 2
    longest = max((step.period or 0 for step in listed), default=0)
    yield rule(
        f"{shown('Steps')}  {len(steps)}",
        shown("parts on one scale"),
        width,
        ascii_level=terminal.ascii_level,
    )
    yield terminal.paint(table[0], bold=True)
    for line, step in zip(table[1:], listed, strict=True):
        parts = split_of([step]).parts()
        drawn = bars.stacked(parts, room, longest, ascii_level=terminal.ascii_level)
        yield f"{pad(line, width - room)}{drawn}".rstrip()
    if len(steps) > len(listed):
        yield cut(say("more_steps", count=len(steps) - len(listed)), width)


def operators_table(
    operators: Sequence[TopRow], terminal: Terminal, width: int, *, ranks: bool
) -> Iterator[str]:
    """List operators, which collectives are not; ``ranks`` adds the rank of each."""
    columns = [
        AnswerColumn("name", "VARCHAR"),
        AnswerColumn("core", "VARCHAR"),
        AnswerColumn("count", "BIGINT"),
        AnswerColumn("total", "BIGINT"),
        AnswerColumn("period_share", "DOUBLE"),
    ]
    rows: list[tuple[object, ...]] = [
        (one.name, one.core, one.count_, one.total, one.period_share) for one in operators
    ]
    if ranks:
        columns.insert(0, RANK)
        rows = [(one.rank, *row) for one, row in zip(operators, rows, strict=True)]
    remark = shown("npuview top PATH, collectives: npuview comm PATH")
    yield rule(shown("Operators"), remark, width, ascii_level=terminal.ascii_level)
    yield from draw(columns, rows, terminal, Style(bar="total")).lines


def gaps_table(
    gaps: Sequence[GapsRow],
    steps: Sequence[OverviewRow],
    terminal: Terminal,
    width: int,
    *,
    ranks: bool,
) -> Iterator[str]:
    """List gaps with their place in the step and their cause; ``ranks`` adds the rank of each."""
    columns = [
        AnswerColumn("step", "INTEGER"),
        AnswerColumn("at", "VARCHAR"),
        AnswerColumn("dur", "BIGINT"),
        AnswerColumn("cause", "VARCHAR"),
        AnswerColumn("before", "VARCHAR"),
        AnswerColumn("after", "VARCHAR"),
    ]
    starts = {(step.rank, step.step): step.ts for step in steps}
    rows: list[tuple[object, ...]] = []
    for gap in gaps:
        start = None if gap.step is None else starts.get((gap.rank, gap.step))
        at = None
        if start is not None:
            at = numbers.place(gap.ts - start, PLACE_CELL_NS, numbers.MILLISECONDS)
        cause = None if gap.cause is None else cause_words(gap.cause)
        rows.append((gap.step, at, gap.dur, cause, gap.prev_name, gap.next_name))
    if ranks:
        columns.insert(0, RANK)
        rows = [(gap.rank, *row) for gap, row in zip(gaps, rows, strict=True)]
    remark = shown("longest first, at from the start of the step: npuview gaps PATH")
    yield rule(shown("Gaps"), remark, width, ascii_level=terminal.ascii_level)
    yield from draw(columns, rows, terminal, Style(bar="dur")).lines
