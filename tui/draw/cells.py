"""Coverage: how full each cell of a lane is.

Nothing that happened is blank, nothing but a cell that is busy all the time is full,
and what lies between is within one step of the ramp. Only integers are used: a single
missing nanosecond shows.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from .look import Look
from .role import Role
from .run import Attributes, Run
from .viewport import Viewport


class Cell(NamedTuple):
    """What a lane does in ``[bucket << level, (bucket + 1) << level)``."""

    bucket: int
    busy: int
    """Time in which at least one slice runs, ns."""
    count_: int
    """Slices that start here; an instant has no time, but counts."""
    role: Role


def coverage_step(busy: int, count: int, level: int, steps: int) -> int:
    """Return which of the ``steps`` steps above nothing stands for a cell of 2^level ns."""
    if busy <= 0:
        return 1 if count > 0 else 0
    if busy >> level:
        return steps
    nearest = (2 * busy * steps + (1 << level)) >> (level + 1)
    return min(max(nearest, 1), steps - 1)


class _Stretch(NamedTuple):
    """Cells of one role, up to ``stop`` of the window."""

    stop: int
    role: Role


_stop = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Coverage:
    """A lane in a window, ready to be cut: made once per answer, used for every frame."""

    window: Viewport
    glyphs: str
    """One character per cell of the window."""
    stretches: tuple[_Stretch, ...]

    @classmethod
    def of(cls, cells: Iterable[Cell], window: Viewport, look: Look) -> "Coverage":
        """Draw the cells of one lane, at the level of the window and in any order.

        Cells outside the window are left out; where there is none, nothing happened.
        """
        ramp = look.signs.ramp
        steps = len(ramp) - 1
        glyphs = [ramp[0]] * window.cells
        roles: list[Role | None] = [None] * window.cells
        for bucket, busy, count, role in cells:
            at = bucket - window.first
            step = coverage_step(busy, count, window.level, steps)
            if step and 0 <= at < window.cells:
                glyphs[at] = ramp[step]
                roles[at] = role
        return cls(window, "".join(glyphs), tuple(_stretches(roles)))

    def runs(self, view: Viewport, start: int = 0, stop: int | None = None) -> list[Run]:
        """Return the cells ``start`` to ``stop`` of a view that the window covers."""
        offset = view.first - self.window.first
        at = offset + start
        end = offset + (view.cells if stop is None else stop)
        glyphs = self.glyphs
        runs: list[Run] = []
        first = bisect_right(self.stretches, at, key=_stop)
        for until, role in self.stretches[first:]:
            if until >= end:
                runs.append(Run(glyphs[at:end], role))
                break
            runs.append(Run(glyphs[at:until], role))
            at = until
        return runs

    def marked(self, view: Viewport, cell: int, attributes: Attributes, look: Look) -> Run:
        """Return one cell of a view, pointed out. A full one in reverse would look empty."""
        (run,) = self.runs(view, cell, cell + 1)
        if run.text == look.signs.full and Attributes.REVERSE in attributes:
            return Run(" ", run.role, filled=True, attributes=attributes)
        return Run(run.text, run.role, filled=False, attributes=attributes)


def _stretches(roles: Sequence[Role | None]) -> Iterable[_Stretch]:
    """Divide a row by role; blank cells go with the one before them, the first with the next.

    A run costs some forty bytes on a terminal, a blank one.
    """
    current: Role | None = None
    for at, role in enumerate(roles):
        if role is None or role is current:
            continue
        if current is not None:
            yield _Stretch(at, current)
        current = role
    yield _Stretch(len(roles), current or Role.PLAIN)
