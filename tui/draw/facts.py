"""Labelled facts: one under the other, or one after another where rows are few."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..words.spoken import shown
from .look import Look
from .role import Role
from .run import Attributes, Run
from .safe_text import cell_len, cut, pad

LABEL_CELLS = 14
INDENT = 2
BETWEEN = 3


class Fact(NamedTuple):
    """A clean label and what is said under it, clean too; ``strong`` is bold."""

    label: str
    said: str
    strong: bool = False
    role: Role = Role.PLAIN


def fact_lines(
    facts: Iterable[Fact], width: int, look: Look, *, compact: bool = False
) -> list[Sequence[Run]]:
    """Draw facts in rows of a width; ``compact`` puts as many into a row as it holds."""
    if compact:
        return _flowing(facts, width, look)
    return [_line(fact, width, look) for fact in facts]


def _line(fact: Fact, width: int, look: Look) -> Sequence[Run]:
    label = " " * INDENT + pad(cut(shown(fact.label), LABEL_CELLS), LABEL_CELLS) + " "
    return [
        Run(look.text(label), Role.DIM),
        _said(fact, cut(fact.said, max(0, width - cell_len(label))), look),
    ]


def _flowing(facts: Iterable[Fact], width: int, look: Look) -> list[Sequence[Run]]:
    lines: list[Sequence[Run]] = []
    line: list[Run] = []
    used = 0
    for fact in facts:
        label = f"{shown(fact.label)} " if fact.label else ""
        room = width - INDENT - cell_len(label)
        cells = cell_len(label) + min(room, cell_len(fact.said))
        if line and used + BETWEEN + cells > width:
            lines.append(line)
            line = []
        blanks = BETWEEN if line else INDENT
        line += [
            Run(" " * blanks, Role.PLAIN),
            Run(look.text(label), Role.DIM),
            _said(fact, cut(fact.said, room), look),
        ]
        used = blanks + cells if blanks == INDENT else used + blanks + cells
    return [*lines, line] if line else lines


def _said(fact: Fact, text: str, look: Look) -> Run:
    bold = Attributes.BOLD if fact.strong else Attributes.NONE
    return Run(look.text(text), fact.role, attributes=bold)
