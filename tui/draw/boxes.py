"""Boxes: a time with its share of a whole, a bar, and what it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..words.spoken import say, shown
from . import bars, numbers
from .look import Look
from .names import fitted
from .role import Role
from .run import Attributes, Run, row_text
from .safe_text import cell_len, cut, pad

BOX_LINES = 4
BOX_HEIGHT = BOX_LINES + 5
"""Rows of a box: its frame, value, bar, a blank one, and four lines."""

FOLDED_HEIGHT = 2
BOX_GAP = 1

NAME_CELLS = 24
TIME_CELLS = 8
LEAST_NAME_CELLS = 16
LEAST_BEFORE_CELLS = 8

FOLDED_BAR_CELLS = 40
LABEL_CELLS = 11
SHORT_LABEL_CELLS = 5


@dataclass(frozen=True, slots=True)
class BoxLine:
    """A line of a box; ``ns`` None: only a sentence. Texts are clean.

    ``before`` is the name of the task before which that was; it gives way first.
    """

    name: str
    ns: int | None = None
    remark: str = ""
    before: str = ""

    @property
    def text(self) -> str:
        """Return it as a sentence."""
        said = say("comma").join((self.bare, self.remark)) if self.remark else self.bare
        if not self.before:
            return said
        return say("before_task", what=said, task=fitted(self.before, NAME_CELLS))

    @property
    def bare(self) -> str:
        """Return name and time alone."""
        if self.ns is None:
            return self.name
        return f"{fitted(self.name, NAME_CELLS)} {numbers.time(self.ns)}"


@dataclass(frozen=True, slots=True)
class Box:
    """One question: the ns of it, of a whole that ``of`` names, and its lines.

    ``ns`` None is not collected; ``ready`` False is not known yet.
    """

    key: str
    title: str
    short: str
    about: str
    role: Role
    ns: int | None
    whole: int | None
    of: str
    lines: Sequence[BoxLine] = ()
    ready: bool = True


def framed(box: Box, width: int, look: Look) -> list[list[Run]]:
    """Draw a box of ``width`` cells with a rounded frame, ``BOX_HEIGHT`` rows of it."""
    inside = width - 4
    corners, line, side = look.signs.corners, look.signs.rule, look.signs.frame
    about = f"  {box.about}"
    if cell_len(box.title + about) > inside - 1:
        about = ""
    head = [
        Run(f"{corners[0]}{line} ", Role.DIM),
        Run(box.title, Role.PLAIN, attributes=Attributes.BOLD),
        Run(f"{about} ", Role.DIM),
    ]
    head.append(Run(line * max(0, width - 1 - cell_len(row_text(head))) + corners[1], Role.DIM))
    opens = f" {box.key} {shown('open')} "
    foot = [
        Run(corners[2] + line * max(0, width - 3 - cell_len(opens)), Role.DIM),
        Run(f" {box.key}", Role.PLAIN, attributes=Attributes.BOLD),
        Run(f" {shown('open')} {line}{corners[3]}", Role.DIM),
    ]
    lines = list(box.lines[:BOX_LINES]) if box.ready else [BoxLine("…")]
    body = [
        _value(box, inside),
        [Run(bars.bar(box.ns, box.whole, inside, ascii_level=look.ascii_level), box.role)],
        [],
        *([Run(said, Role.PLAIN)] for said in _timed(lines, box.ns, inside)),
    ]
    body += [[] for _ in range(BOX_HEIGHT - 2 - len(body))]
    rows = [head, *(_sided(runs, inside, side, look) for runs in body), foot]
    return [[run._replace(text=look.text(run.text)) for run in row] for row in rows]


def beside(boxes: Sequence[Box], width: int, look: Look) -> list[list[Run]]:
    """Draw boxes side by side; together they are as wide as there is room."""
    if not boxes:
        return []
    room = width - BOX_GAP * (len(boxes) - 1)
    edges = [room * at // len(boxes) for at in range(len(boxes) + 1)]
    drawn = [framed(box, edges[at + 1] - edges[at], look) for at, box in enumerate(boxes)]
    gap = Run(" " * BOX_GAP, Role.PLAIN)
    rows: list[list[Run]] = []
    for alongside in zip(*drawn, strict=True):
        first, *others = alongside
        rows.append([*first, *(run for row in others for run in (gap, *row))])
    return rows


def folded(box: Box, width: int, look: Look) -> list[list[Run]]:
    """Draw a box as two rows: key, name, time, share and bar; then its first lines."""
    head = _one_row(box, f" {box.key or ' '} ", pad(box.short, SHORT_LABEL_CELLS))
    room = min(FOLDED_BAR_CELLS, width - cell_len(row_text(head)) - 1)
    head.append(Run(bars.bar(box.ns, box.whole, room, ascii_level=look.ascii_level), box.role))
    indent = 3 + SHORT_LABEL_CELLS
    said = joined_lines(box.lines, width - indent - 1) if box.ready else "…"
    rows = [head, [Run(" " * indent + said, Role.PLAIN)]]
    return [[run._replace(text=look.text(run.text)) for run in row] for row in rows]


def in_one_row(box: Box, width: int, look: Look, *, short: bool) -> list[Run]:
    """Draw a box as one row: name, time, share, bar, and the lines that fit."""
    label = (
        f"   {pad(box.short, SHORT_LABEL_CELLS)}" if short else f" {pad(box.title, LABEL_CELLS)}"
    )
    row = _one_row(box, "", label)
    room = min(FOLDED_BAR_CELLS, width - cell_len(row_text(row)) - 1)
    bar = bars.bar(box.ns, box.whole, room, ascii_level=look.ascii_level)
    row.append(Run(bar, box.role))
    said = joined_lines(box.lines, width - cell_len(row_text(row)) - 3)
    row.append(Run(f"  {said}" if said else "", Role.PLAIN))
    return [run._replace(text=look.text(run.text)) for run in row]


def _one_row(box: Box, key: str, label: str) -> list[Run]:
    return [
        Run(key, Role.PLAIN, attributes=Attributes.BOLD),
        Run(label, Role.PLAIN),
        Run(numbers.time_field(box.ns), _text_role(box.role), attributes=Attributes.BOLD),
        Run(f"  {numbers.share_field(numbers.share(box.ns, box.whole))}  ", Role.PLAIN),
    ]


def joined_lines(lines: Sequence[BoxLine], room: int) -> str:
    """Return lines in one row of ``room`` cells, as many as fit, the first one cut.

    A line that does not fit with its remark stands without.
    """
    said = ""
    for line in lines:
        texts = [f"{said} · {text}" if said else text for text in (line.text, line.bare)]
        longer = next((text for text in texts if cell_len(text) <= room), "")
        if said and not longer:
            break
        said = longer or texts[0]
    return cut(said, max(0, room))


def _value(box: Box, room: int) -> list[Run]:
    if box.ns is None:
        return [Run(say("not_collected"), Role.PLAIN, attributes=Attributes.BOLD)]
    value = Run(numbers.time(box.ns), _text_role(box.role), attributes=Attributes.BOLD)
    share = numbers.share(box.ns, box.whole)
    of = f"   {say('share_of', share=share, whole=box.of)}" if box.ns else ""
    of = cut(of or say("of_whole", whole=box.of), max(0, room - cell_len(value.text)))
    return [value, Run(of, Role.PLAIN)]


def _text_role(role: Role) -> Role:
    """Return the role of a number: green and blue have too little contrast for text."""
    return role if role in {Role.IDLE, Role.WAITING} else Role.PLAIN


def _timed(lines: Sequence[BoxLine], whole: int | None, room: int) -> list[str]:
    """Return lines as text: names, times, and shares or remarks in columns.

    Names give way to the rest down to ``LEAST_NAME_CELLS``; then remarks give way to
    shares, and shares too.
    """
    timed = [one for one in lines if one.ns is not None]
    shares = [numbers.share_field(numbers.share(one.ns, whole)) for one in timed]
    remarks = [one.remark or share for one, share in zip(timed, shares, strict=True)]
    names = max((cell_len(one.name) for one in timed), default=0)
    beside = room - TIME_CELLS - 2
    for told in (remarks, shares, [""] * len(timed)):
        remarks = told
        left = beside - 2 - max(map(cell_len, told), default=0) if any(told) else beside
        if left >= min(names, LEAST_NAME_CELLS):
            break
    names = max(0, min(names, left))
    said = {
        id(one): f"{pad(fitted(one.name, names), names)}"
        f"  {numbers.time_field(one.ns)}  {remark}".rstrip()
        for one, remark in zip(timed, remarks, strict=True)
    }
    return [cut(said.get(id(one), _sentence(one, room)), room) for one in lines]


def _sentence(line: BoxLine, room: int) -> str:
    left = room - cell_len(say("before_task", what=line.name, task=""))
    if not line.before or left < LEAST_BEFORE_CELLS:
        return line.name
    return say("before_task", what=line.name, task=fitted(line.before, left))


def _sided(runs: list[Run], inside: int, side: str, look: Look) -> list[Run]:
    used = cell_len(look.text(row_text(runs)))
    return [
        Run(f"{side} ", Role.DIM),
        *runs,
        Run(" " * max(0, inside - used) + f" {side}", Role.DIM),
    ]
