"""A histogram in one row: how many calls are how long, and where one of them stands."""

from collections.abc import Mapping

from .look import Look


def histogram(counts: Mapping[int, int], parts: int, cells: int, look: Look) -> str:
    """Draw counts by part (0 to ``parts`` - 1) in cells, the highest of them full.

    A cell of one call among many still has the least mark.
    """
    sums = [0] * cells
    for part, count in counts.items():
        sums[part * cells // parts] += count
    most = max(sums, default=0)
    ramp = look.signs.ramp
    steps = len(ramp) - 1
    return "".join(ramp[-(-one * steps // most) if one else 0] for one in sums)


def place_in(value: int, least: int, most: int, parts: int, cells: int) -> int:
    """Return the cell of a histogram in which a value between least and most is counted."""
    part = (value - least) * parts // (most - least + 1)
    return part * cells // parts
