"""The names of the parts of a period, at the right of the title that they explain."""

from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut
from ..text.boxes_text import Split

LEAST_BETWEEN = 2
"""Blanks between title and legend."""


def legend_at_right(
    title: str, split: Split | None, width: int, look: Look, *, shares: bool = True
) -> list[Run]:
    """Draw a clean title with the legend at the right end of ``width`` cells.

    With ``shares`` each part has its share, as long as there is room for them; where
    there is none for the legend, only the title stands.
    """
    head = Run(look.text(f" {cut(title, width - 2)}"), Role.PLAIN, attributes=Attributes.BOLD)
    if split is None:
        return [head]
    names: list[str] = []
    with_shares: list[str] = []
    for name, ns, ink in split.named_parts():
        if ns or ink is not bars.UNSPLIT:
            sign = ink.ascii if look.ascii_level else ink.unicode
            names.append(f"{sign} {name}")
            with_shares.append(f"{sign} {name} {numbers.share(ns, split.period)}")
    told = ["   ".join(with_shares), "  ".join(with_shares)] if shares else []
    for legend in (*told, "   ".join(names), "  ".join(names)):
        between = width - cell_len(head.text) - cell_len(legend) - 1
        if between >= LEAST_BETWEEN:
            return [head, Run(" " * between + legend, Role.PLAIN)]
    return [head]
