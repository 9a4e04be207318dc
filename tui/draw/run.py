"""Runs: stretches of one row of the canvas that look alike."""

from collections.abc import Iterable, Sequence
from enum import Flag
from itertools import groupby
from typing import NamedTuple

from .role import Role


class Attributes(Flag):
    """What a terminal can do to a run beside colouring it."""

    NONE = 0
    BOLD = 1
    UNDERLINE = 2
    REVERSE = 4


SELECTED = Attributes.REVERSE
SAME_NAME = Attributes.UNDERLINE
FOUND = Attributes.BOLD | Attributes.UNDERLINE


class Run(NamedTuple):
    """Characters of one look. ``filled`` lays the ground in the role's colour."""

    text: str
    role: Role
    filled: bool = False
    attributes: Attributes = Attributes.NONE


def row_text(runs: Iterable[Run]) -> str:
    """Return the characters of a row without their look."""
    return "".join(run.text for run in runs)


def joined(runs: Iterable[Run]) -> list[Run]:
    """Return the runs with neighbours of one look as one, and without empty ones."""
    merged: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        if merged and merged[-1][1:] == run[1:]:
            merged[-1] = merged[-1]._replace(text=merged[-1].text + run.text)
        else:
            merged.append(run)
    return merged


def drawn(characters: Sequence[str], looks: Sequence[tuple[Role, Attributes]]) -> list[Run]:
    """Return a row given cell by cell: its characters, and how each of them looks.

    Both are of the same length.
    """
    runs: list[Run] = []
    start = 0
    for (role, attributes), alike in groupby(looks):
        stop = start + len(list(alike))
        text = "".join(characters[start:stop])
        runs.append(Run(text, role, filled=False, attributes=attributes))
        start = stop
    return runs
