"""How the time of some steps splits: the strip and its boxes, as lines of text."""

from dataclasses import dataclass

from ..draw import bars, numbers
from ..draw.lines import wrapped
from ..draw.safe_text import cell_len, pad
from ..words.spoken import spoken
from .terminal import Terminal

NORMAL = 100
"""Cells from which there is room for longer bars."""

BAR_CELLS = 20
NARROW_BAR_CELLS = 8
LABEL_CELLS = 11

IDLE_COLOR = "red"
STRIP_COLOR = "cyan"
WAITING_COLOR = "yellow"


@dataclass(frozen=True, slots=True)
class Split:
    """The parts of a period, ns; together they are the whole of it.

    None is what was not collected. ``unsplit`` is time in collectives of which is not
    known whether data moved or a peer was waited for.
    """

    period: int
    computing: int
    moving: int | None
    waiting: int | None
    idle: int
    unsplit: int = 0

    def named_parts(self) -> tuple[tuple[str, int, bars.Ink], ...]:
        """Return the parts with their names and ink, in the order of every stacked bar."""
        named = spoken().parts
        return (
            (named["computing"], self.computing, bars.COMPUTING),
            (named["moving"], self.moving or 0, bars.MOVING),
            (named["collective"], self.unsplit, bars.UNSPLIT),
            (named["waiting"], self.waiting or 0, bars.WAITING),
            (named["idle"], self.idle, bars.IDLE),
        )

    def parts(self) -> list[tuple[int, bars.Ink]]:
        """Return the parts with their ink alone."""
        return [(ns, ink) for _, ns, ink in self.named_parts()]


@dataclass(frozen=True, slots=True)
class Details:
    """What stands beside each box: its causes, or what is not known of it; clean text."""

    computing: str
    waiting: str
    idle: str
    moving: str
    unsplit: str = ""


def strip(split: Split, terminal: Terminal, width: int) -> str:
    """Draw a period as one stacked bar over the whole width."""
    drawn = bars.stacked(split.parts(), width, ascii_level=terminal.ascii_level)
    return terminal.paint(drawn, STRIP_COLOR)


def legend(split: Split, terminal: Terminal) -> list[str]:
    """Name the ink of every part that there may be."""
    return [
        f"{ink.ascii if terminal.ascii_level else ink.unicode} {name}"
        for name, ns, ink in split.named_parts()
        if ns or ink is not bars.UNSPLIT
    ]


def boxes(split: Split, details: Details, terminal: Terminal, width: int) -> list[str]:
    """Draw COMPUTE, WAIT, IDLE and MOVE: time, share of the period, bar and causes.

    COLLECTIVE follows where there is such time. Causes for which there is no room
    beside the bar stand below it.
    """
    rows: list[tuple[str, int | None, str, str | None]] = [
        ("computing", split.computing, details.computing, None),
        ("waiting", split.waiting, details.waiting, WAITING_COLOR),
        ("idle", split.idle, details.idle, IDLE_COLOR),
        ("moving", split.moving, details.moving, None),
    ]
    if split.unsplit:
        rows.append(("collective", split.unsplit, details.unsplit, None))
    cells = BAR_CELLS if width >= NORMAL else NARROW_BAR_CELLS
    lines: list[str] = []
    for box, ns, detail, color in rows:
        label = pad(spoken().text_boxes[box], LABEL_CELLS)
        time = numbers.time_field(ns)
        share = numbers.share_field(numbers.share(ns, split.period))
        bar = bars.bar(ns, split.period, cells, ascii_level=terminal.ascii_level)
        head = f"{label}{time}  {share}  {pad(bar, cells)}"
        beside = cell_len(head) + 2 + cell_len(detail) <= width
        line = terminal.text(f"{head}  {detail}" if beside else head).rstrip()
        number = terminal.text(time)
        lines.append(line.replace(number, terminal.paint(number, color, bold=True), 1))
        if not beside:
            below = wrapped(terminal.text(detail), width - LABEL_CELLS)
            lines += [f"{'':{LABEL_CELLS}}{part}" for part in below]
    return lines
