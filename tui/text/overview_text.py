"""The overview as text: where the time of the steps went, before any detail.

It answers, in this order: which run is it and what distorts it, how do the steps
split into computing, waiting, idle and moving, what stands out, which operators and
gaps are the largest, and what is not known. Every share names its whole.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from statistics import median_low
from typing import NamedTuple

from ...queries.findings import Finding
from ...queries.rows import OverviewRow, ProfilesRow
from ..draw import numbers
from ..draw.lines import rule, wrapped
from ..draw.safe_text import cell_len, clean, cut, pad
from ..overview.collection import overhead
from ..overview.iteration_line import iteration_lines
from ..overview.job import Job
from ..overview.overview_facts import Block, Facts
from ..overview.phase_line import explained, figures_line, phases_line
from ..overview.step_lines import periods_without_warmup
from ..words.spoken import counted, say, untold_words
from .box_details import details_of
from .boxes_text import LABEL_CELLS, boxes, legend, strip
from .finding_text import Reading, finding_lines
from .overview_tables import gaps_table, operators_table, split_of, steps_table
from .terminal import Terminal

USUAL_WIDTH = 100
"""Cells where nothing says how wide the output may be."""

MOST_BLOCKS = 4
"""Ranks and devices whose boxes are shown; the steps of all are listed."""

MOST_RANKS_NAMED = 8

MOST_FINDINGS = 3


class Found(NamedTuple):
    """What stands out, that with most at stake first, and for whom it is written."""

    findings: Sequence[Finding]
    reading: Reading


def overview_lines(facts: Facts, terminal: Terminal, found: Found | None = None) -> list[str]:
    """Return the overview; no line is wider than the terminal."""
    width = terminal.width or USUAL_WIDTH
    terminal = replace(terminal, width=width)
    lines = list(_header(facts, terminal, width))
    blocks = blocks_of(facts)
    for block in blocks[:MOST_BLOCKS]:
        lines += ["", *_block_lines(block, facts, terminal, width)]
    if len(blocks) > MOST_BLOCKS:
        lines += ["", say("more_boxes", count=len(blocks) - MOST_BLOCKS)]
    if found is not None:
        lines += _look_first(found, facts.steps, terminal, width)
    if len(facts.steps) > len(blocks):
        lines += ["", *steps_table(facts.steps, terminal, width)]
    several_ranks = len(facts.profiles) > 1
    if facts.operators:
        lines += ["", *operators_table(facts.operators, terminal, width, ranks=several_ranks)]
    if facts.gaps:
        lines += ["", *gaps_table(facts.gaps, facts.steps, terminal, width, ranks=several_ranks)]
    lines += _unknown(facts, terminal, width)
    return lines


def _header(facts: Facts, terminal: Terminal, width: int) -> Iterator[str]:
    first = facts.profiles[0]
    several = len(facts.profiles) > 1
    parts = (
        counted(len(facts.profiles), "profile") if several else clean(first.name or say("profile")),
        ranks_of_job(facts.profiles, facts.job),
        clean(first.producer or ""),
        clean(first.level or ""),
    )
    title = "   ".join(part for part in parts if part)
    yield terminal.paint(terminal.text(cut(title, width)), bold=True)
    if said := overhead(first.switches, first.level).sentence:
        yield from wrapped(terminal.text(say("while_collecting", what=said)), width)


def ranks_of_job(profiles: Sequence[ProfilesRow], job: Job | None) -> str:
    """Say which ranks of how many these are, and how many are not in the data."""
    listed = ", ".join(str(one.rank) for one in profiles[:MOST_RANKS_NAMED])
    more = ", …" if len(profiles) > MOST_RANKS_NAMED else ""
    word = "this_rank" if len(profiles) == 1 else "these_ranks"
    ranks = say(word, ranks=f"{listed}{more}")
    if job is None:
        return ranks
    of = say("of_ranks", ranks=ranks, size=job.size)
    return say("of_which_absent", ranks=of, count=len(job.missing)) if job.missing else of


def blocks_of(facts: Facts) -> list[Block]:
    """Return the steps by rank and device, each group with its name."""

    def place(step: OverviewRow) -> tuple[int, int]:
        return step.rank, -1 if step.device_id is None else step.device_id

    groups = [(key, tuple(steps)) for key, steps in groupby(sorted(facts.steps, key=place), place)]
    devices = Counter(rank for (rank, _), _ in groups)
    blocks: list[Block] = []
    for (rank, device), steps in groups:
        names = [f"rank {rank}"] if len(devices) > 1 else []
        names += [f"device {device}"] if devices[rank] > 1 else []
        blocks.append(Block(" ".join(names), rank, steps))
    return blocks


def _block_lines(block: Block, facts: Facts, terminal: Terminal, width: int) -> Iterator[str]:
    split = split_of(block.steps)
    title = "   ".join(part for part in (block.name, title_of_steps(block.steps)) if part)
    if all(step.idle is None for step in block.steps):
        yield terminal.text(cut(title, width))
        yield from wrapped(say("no_device"), width)
        return
    yield from _titled(title, legend(split, terminal), terminal, width)
    yield strip(split, terminal, width)
    yield from boxes(split, details_of(block, split, facts), terminal, width)
    room = width - LABEL_CELLS
    for label, sentences in (
        (say("phases"), [phases_line(block, facts, room)]),
        (say("iterations"), [*iteration_lines(block, facts)]),
        (say("official"), [figures_line(block, facts), *explained(block, facts)]),
    ):
        told = [line for one in sentences if one for line in wrapped(terminal.text(one), room)]
        for at, line in enumerate(told):
            yield f"{pad('' if at else label, LABEL_CELLS)}{line}"


def _titled(title: str, key: Sequence[str], terminal: Terminal, width: int) -> Iterator[str]:
    """Draw a clean title with the legend at its right, or below it where there is no room."""
    beside = "  ".join(key)
    if cell_len(title) + 2 + cell_len(beside) <= width:
        title = pad(title, width - cell_len(beside))
        yield terminal.paint(terminal.text(title), bold=True) + beside
        return
    yield terminal.paint(terminal.text(cut(title, width)), bold=True)
    line = ""
    for entry in key:
        longer = f"{line}  {entry}" if line else entry
        if cell_len(longer) > width:
            yield line
            longer = entry
        line = longer
    yield line


def _look_first(
    found: Found, steps: Sequence[OverviewRow], terminal: Terminal, width: int
) -> Iterator[str]:
    """Say what stands out most, in short; what cannot be told has its own place."""
    known = (one for one in found.findings if one.ns is not None)
    first = list(islice(known, MOST_FINDINGS))
    if first:
        remark = say("shows_all", command="npuview findings PATH")
        yield ""
        yield rule(say("look_first"), remark, width, ascii_level=terminal.ascii_level)
        # As the gaps below: everything in the overview counts from the start of its step.
        starts = {(step.rank, step.step): step.ts for step in steps}
        reading = replace(found.reading, starts=starts)
        yield from finding_lines(first, reading, terminal, brief=True)


def title_of_steps(steps: Sequence[OverviewRow]) -> str:
    """Name some steps of one device, or the run, with their time."""
    if len(steps) == 1:
        [step] = steps
        name = say("whole_run") if step.kind == "run" else say("step", step=step.step)
        return f"{name}   {numbers.time(step.period)}"
    periods = [step.period or 0 for step in steps]
    usual = periods_without_warmup(steps)
    unit = numbers.column_unit(periods)
    middle = f"   {say('median', time=numbers.time_in(median_low(usual), unit))}" if usual else ""
    return f"{counted(len(steps), 'step')}   {numbers.time_in(sum(periods), unit)}{middle}"


def _unknown(facts: Facts, terminal: Terminal, width: int) -> Iterator[str]:
    """Say what the data cannot tell, and who can say how to collect it."""
    told = dict.fromkeys(untold_words(row.name, row.sample) for row in facts.missing)
    yield ""
    if all(profile.producer == "chrome" for profile in facts.profiles):
        yield from wrapped(say("no_ascend"), width)
        return
    if not told:
        yield from wrapped(say("nothing_missing"), width)
        return
    remark = say("how_to_collect", command="npuview info PATH")
    yield rule(say("not_known"), remark, width, ascii_level=terminal.ascii_level)
    for sentence in told:
        yield from wrapped(terminal.text(sentence), width)
