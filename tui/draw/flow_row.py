"""The arrows from where the host launched work to where the device began it."""

from collections.abc import Sequence
from typing import NamedTuple

from .look import Look
from .role import Role
from .run import Attributes, Run, drawn
from .viewport import Viewport


class Arrow(NamedTuple):
    """From a launch to the start of what was launched, ns."""

    from_ts: int
    to_ts: int
    attributes: Attributes = Attributes.NONE


def flow_row(view: Viewport, arrows: Sequence[Arrow], look: Look) -> list[Run]:
    """Draw arrows in exactly ``view.cells`` cells, the last one on top.

    An arrow whose end lies outside the view runs to the edge. One that points back in
    time is drawn so: clocks of host and device differ.
    """
    characters = [" "] * view.cells
    looks = [(Role.PLAIN, Attributes.NONE)] * view.cells
    for arrow in arrows:
        start, end = view.cell_of(arrow.from_ts), view.cell_of(arrow.to_ts)
        left, right = max(min(start, end), 0), min(max(start, end), view.cells - 1)
        for cell in range(left, right + 1):
            characters[cell] = _sign(cell, start, end, look)
            looks[cell] = (Role.PLAIN, arrow.attributes)
    return drawn(characters, looks)


def _sign(cell: int, start: int, end: int, look: Look) -> str:
    signs = look.signs
    if cell == end:
        return signs.flow_end if start <= end else signs.back_end
    if cell == start:
        return signs.flow_start if start < end else signs.back_start
    return signs.flow_line
