"""The head of the overview on the screen: which run it is, and how its time splits."""

from ..draw import bars
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, clean, cut
from ..run import Run as Opened
from ..text.boxes_text import Split
from ..text.overview_text import ranks_of_job, title_of_steps
from ..words.spoken import say
from .collection import overhead
from .legend import legend_at_right
from .overview_facts import Block


def about_rank(run: Opened, rank: int, width: int, *, roomy: bool) -> list[str]:
    """Say what was collected and what distorts it, in a row of ``width`` cells.

    Where it is ``roomy`` there are two if one does not hold it.
    """
    profile = run.profile(rank)
    slowed = overhead(profile.switches, profile.level).sentence
    ranks = ranks_of_job([profile], run.job)
    if others := len(run.ranks) - 1:
        ranks = say("ranks_more", ranks=ranks, more=others)
    parts = (ranks, clean(profile.producer or ""), clean(profile.level or ""))
    said = "   ".join(part for part in parts if part)
    together = f"{said}   {slowed}".rstrip()
    rows = [together] if cell_len(together) <= width or not roomy else [said, slowed]
    return [cut(row, width) for row in rows]


def split_rows(block: Block, split: Split | None, width: int, look: Look) -> list[list[Run]]:
    """Draw the time of a block with its legend, and under it the strip of its parts."""
    title = title_of_steps(block.steps) if block.steps else say("no_steps")
    devices = len({step.device_id for step in block.steps})
    if devices > 1:
        title = f"{title}   {say('on_devices', devices=devices)}"
    if split is None:
        return [[Run(look.text(cut(f" {title}   {say('no_device')}", width)), Role.PLAIN)], []]
    drawn = bars.stacked(split.parts(), width - 2, ascii_level=look.ascii_level)
    return [legend_at_right(title, split, width, look), [Run(f" {drawn}", Role.VECTOR)]]
