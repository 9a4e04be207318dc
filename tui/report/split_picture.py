"""How steps split, as a picture: a bar for each step, all on one scale."""

from collections.abc import Iterator, Mapping, Sequence

from ...queries.rows import OverviewRow
from ..draw import numbers
from ..draw.look import COLORS
from ..draw.role import Role
from ..text.overview_tables import split_of
from . import canvas
from .document import Picture

MOST_BARS = 24

LABEL_PX = 90
BAR_PX = 760
TIME_PX = 110
ROW_PX = 20
KEY_PX = 26

_ROLES: Mapping[str, Role] = {
    "computing": Role.CUBE,
    "moving": Role.MOVING,
    "collective": Role.COMMUNICATION,
    "waiting": Role.WAITING,
    "idle": Role.IDLE,
}
"""In the order of ``Split.named_parts``."""


def split_picture(
    name: str, words: str, steps: Sequence[OverviewRow], parts: Mapping[str, str]
) -> Picture:
    """Draw the first steps of one device that have a split; ``parts`` names the parts.

    Steps keep their order. Of more than ``MOST_BARS`` the first are drawn.
    """
    shown = [step for step in steps if step.idle is not None][:MOST_BARS]
    longest = max((step.period or 0 for step in shown), default=0)
    height = KEY_PX + ROW_PX * len(shown) + 4
    shapes = list(_key(parts))
    for at, step in enumerate(shown):
        shapes += _bar(step, longest, KEY_PX + at * ROW_PX)
    svg = canvas.picture(LABEL_PX + BAR_PX + TIME_PX, height, words, shapes)
    return Picture(name, words, svg)


def _key(parts: Mapping[str, str]) -> Iterator[str]:
    x = float(LABEL_PX)
    for part, role in _ROLES.items():
        yield canvas.box(x, 4, 12, 12, COLORS[role])
        yield canvas.label(x + 17, 14, parts[part])
        x += 40 + canvas.width(parts[part])


def _bar(step: OverviewRow, longest: int, top: int) -> Iterator[str]:
    name = "" if step.kind == "run" else f"step {step.step}"
    yield canvas.label(LABEL_PX - 8, top + 13, name, anchor="end")
    done = 0
    for role, (_, ns, _) in zip(_ROLES.values(), split_of([step]).named_parts(), strict=True):
        # Borders are rounded, not lengths: parts that meet stay together.
        start, stop = (ends * BAR_PX // max(longest, 1) for ends in (done, done + ns))
        if stop > start:
            yield canvas.box(LABEL_PX + start, top + 2, stop - start, ROW_PX - 5, COLORS[role])
        done += ns
    yield canvas.label(LABEL_PX + BAR_PX + 8, top + 13, numbers.time(step.period))
