"""The median step of two runs as rows: the three questions, their parts, and both as bars."""

from collections.abc import Iterator, Sequence

from ...queries.rows_compare import PairFiguresRow
from ..draw import bars, numbers
from ..draw.bars import Ink
from ..draw.look import Look
from ..draw.numbers import Unit
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut, pad
from ..words.spoken import say
from .compared import Compared, figure_words, verdict_words

NAME_CELLS = 18
TIME_CELLS = 11
CHANGE_CELLS = 10
WIDE_BAR = 20
NARROW_BAR = 5
WIDE = 100
LEAST_WORDS = 6
"""Cells below which a verdict is not told: the bar and the weight tell it too."""

PARTS: dict[str, tuple[str, ...]] = {
    "working": ("computing", "mc2", "aicpu"),
    "waiting": ("waiting_peer", "waiting_stage", "waiting_event"),
    "moving": ("transferring", "copying", "collective_other"),
}
"""States of the ledger that a question sums up."""

INKS: dict[str, tuple[Ink, Role]] = {
    "working": (bars.COMPUTING, Role.CUBE),
    "moving": (bars.MOVING, Role.MOVING),
    "waiting": (bars.WAITING, Role.WAITING),
    "idle": (bars.IDLE, Role.IDLE),
}

Line = Sequence[Run]


def figure_lines(compared: Compared, width: int, height: int, look: Look) -> list[Line]:
    """Return the rows: heads, step time, questions; parts and bars where there is room."""
    found = compared.found
    questions = [row for row in found.questions if row.base_dur or row.test_dur]
    shown = [(row, False) for row in questions]
    stacked = list(_stacked(questions, width, look))
    parts = _parts(questions, found.figures)
    if len(shown) + len(parts) + 1 <= height:
        shown = [
            (row, is_part)
            for question in questions
            for row, is_part in [
                (question, False),
                *((one, True) for one in parts if one.figure in PARTS.get(question.figure, ())),
            ]
        ]
    times = [ns for row in questions for ns in (row.base_dur, row.test_dur)]
    unit = numbers.column_unit(times)
    most = max((abs(row.difference or 0) for row, _ in shown), default=0)
    barred = bool(stacked) and len(shown) + len(stacked) + 2 <= height
    lines: list[Line] = [_head(width, look)]
    for row, is_part in shown:
        sign = _sign(row.figure, look) if barred and not is_part else Run(" ", Role.PLAIN)
        lines.append([sign, *_row(row, unit, most, width, look, is_part=is_part)])
    return [*lines, [], *stacked] if barred else lines


def bar_cells(width: int) -> int:
    """Return the cells of a bar of differences on one side of its mark."""
    return WIDE_BAR if width >= WIDE else NARROW_BAR


def difference_run(difference: int | None, verdict: str, most: int, width: int, look: Look) -> Run:
    """Return a bar of a difference; one that is noise has none, one for the worse is red."""
    told = 0 if verdict == "insignificant" else difference or 0
    bar = bars.difference(told, most, bar_cells(width), ascii_level=look.ascii_level)
    return Run(bar, Role.IDLE if verdict == "worse" else Role.PLAIN)


def bar_head(width: int, look: Look) -> str:
    """Return what stands over bars of differences, as wide as they are."""
    signs = {"left": look.signs.back_end, "right": look.signs.flow_end}
    cells = bar_cells(width)
    said = (
        say("less_or_more", **signs) if cells >= WIDE_BAR else f"{signs['left']} {signs['right']}"
    )
    left, gap, right = said.partition("  " if cells >= WIDE_BAR else " ")
    left_cells = max(0, cells - cell_len(left))
    return pad(f"{' ' * left_cells}{left}{gap[:1]}{right}", 2 * cells + 1)


def _head(width: int, look: Look) -> Line:
    heads = "".join(pad(one, TIME_CELLS, right=True) for one in ("A", "B", "B - A"))
    head = f"{' ' * (NAME_CELLS + 2)}{heads}{' ' * (CHANGE_CELLS + 2)}{bar_head(width, look)}"
    return [Run(cut(head, width), Role.DIM)]


def _row(
    row: PairFiguresRow, unit: Unit, most: int, width: int, look: Look, *, is_part: bool
) -> Line:
    name = say("figure_step") if row.figure == "period" else figure_words(row.figure)
    name = f"  {name}" if is_part else name
    cells = (
        numbers.time_in(row.base_dur, unit),
        numbers.time_in(row.test_dur, unit),
        numbers.time_difference(row.base_dur, row.test_dur, unit),
    )
    told = "".join(pad(one, TIME_CELLS, right=True) for one in cells)
    told += pad(numbers.change(row.base_dur, row.test_dur), CHANGE_CELLS, right=True)
    changed = row.verdict in {"better", "worse"}
    bold = Attributes.BOLD if changed and not is_part else Attributes.NONE
    runs = [
        Run(f" {pad(cut(name, NAME_CELLS), NAME_CELLS)}", Role.PLAIN),
        Run(f"{told}  ", Role.PLAIN, attributes=bold),
        difference_run(row.difference, row.verdict, most, width, look),
    ]
    room = width - sum(cell_len(run.text) for run in runs) - 4
    if room >= LEAST_WORDS:
        words = verdict_words(row)
        if cell_len(words) > room and row.verdict == "insignificant":
            words = say("verdict_noise")
        runs.append(Run(f"  {cut(words, room)}", Role.PLAIN))
    return runs


def _parts(
    questions: Sequence[PairFiguresRow], figures: Sequence[PairFiguresRow]
) -> list[PairFiguresRow]:
    """Return the states of questions that more than one state makes up."""
    known = {row.figure: row for row in figures if row.base_dur or row.test_dur}
    parts: list[PairFiguresRow] = []
    for question in questions:
        states = [known[one] for one in PARTS.get(question.figure, ()) if one in known]
        parts += states if len(states) > 1 else []
    return parts


def _stacked(rows: Sequence[PairFiguresRow], width: int, look: Look) -> Iterator[Line]:
    """Yield the steps of A and B as bars on one scale, with what each part is."""
    by_figure = {row.figure: row for row in rows}
    longest = max((sum(_durs(by_figure, side)) for side in ("base_dur", "test_dur")), default=0)
    if not longest:
        return
    room = width - 16
    for letter, side in (("A", "base_dur"), ("B", "test_dur")):
        durs = _durs(by_figure, side)
        inks = [ink for ink, _ in INKS.values()]
        bar = bars.stacked(
            list(zip(durs, inks, strict=True)), room, longest, ascii_level=look.ascii_level
        )
        runs = [Run(f"  {letter}  ", Role.PLAIN, attributes=Attributes.BOLD)]
        for figure, (_, role) in INKS.items():
            sign = _sign(figure, look).text
            runs.append(Run("".join(one for one in bar if one == sign), role))
        total = getattr(by_figure.get("period"), side, None)
        runs.append(Run(f"  {numbers.time(total)}", Role.PLAIN))
        yield runs


def _sign(figure: str, look: Look) -> Run:
    """Return with what a question is drawn in the bars; a blank for what they are all of."""
    if figure not in INKS:
        return Run(" ", Role.PLAIN)
    ink, role = INKS[figure]
    return Run(ink.ascii if look.ascii_level else ink.unicode, role)


def _durs(rows: dict[str, PairFiguresRow], side: str) -> list[int]:
    return [getattr(rows.get(figure), side, None) or 0 for figure in INKS]
