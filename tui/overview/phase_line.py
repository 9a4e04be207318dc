"""The phases of a step, and its official figures beside our own, as single lines."""

from collections.abc import Iterator
from typing import NamedTuple

from ..draw import numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Run
from ..draw.safe_text import cell_len, clean, cut, pad
from ..words.spoken import say, spoken
from .iteration_line import iteration_lines
from .overview_facts import Block, Facts

TOLD_FROM_NS = 1000
LABEL_CELLS = 10


class Phase(NamedTuple):
    """A phase over some steps, ns."""

    name: str
    dur: int
    computing: int


class Figure(NamedTuple):
    """An official figure over some steps, ns; ``difference`` is own less official."""

    name: str
    official: int
    difference: int
    about: str
    """What is counted, and why the two may differ; clean text."""


def phases_of(block: Block, facts: Facts) -> list[Phase]:
    """Return the phases of a block's steps together, in their order in a step."""
    phases: dict[str, Phase] = {}
    for row in facts.phases:
        if block.holds(row.rank, row.device_id) and row.phase is not None:
            _, dur, computing = phases.get(row.phase, (row.phase, 0, 0))
            phases[row.phase] = Phase(row.phase, dur + row.dur, computing + row.computing)
    return [phases[name] for name in spoken().phases if name in phases]


def phases_line(block: Block, facts: Facts, width: int) -> str:
    """Return the phases with their time and how busy the device was in each; empty: unknown.

    Where ``width`` cells do not hold the full names, they are short and the unit is said
    once; where they do not hold that, how busy it was goes.
    """
    phases = phases_of(block, facts)
    if not phases:
        return ""
    words = spoken()
    full = " · ".join(
        f"{words.phases[one.name]} {numbers.time(one.dur)}{_busy(one, 'busy')}" for one in phases
    )
    if cell_len(full) <= width:
        return full
    unit = numbers.column_unit(one.dur for one in phases)
    times = (numbers.time_in(one.dur, unit).removesuffix(f" {unit.sign}") for one in phases)
    told = [
        (f"{words.short_phases[one.name]} {time}", _busy(one, "busy_share"))
        for one, time in zip(phases, times, strict=True)
    ]
    listed = " · ".join(name + busy for name, busy in told)
    short = f"{say('busy_in', unit=unit.sign)}: {listed}"
    if cell_len(short) <= width:
        return short
    return f"{unit.sign}: {' · '.join(name for name, _ in told)}"


def figures_of(block: Block, facts: Facts) -> list[Figure]:
    """Return the official figures of a block's steps together, as far as all steps have them."""
    told: dict[str, Figure] = {}
    gone: set[str] = set()
    for row in facts.figures:
        if row.rank != block.rank or row.step not in {step.step for step in block.steps}:
            continue
        if row.official is None or row.difference is None:
            gone.add(row.figure)
            continue
        before = told.get(row.figure)
        official = row.official + (before.official if before else 0)
        difference = row.difference + (before.difference if before else 0)
        told[row.figure] = Figure(row.figure, official, difference, clean(row.about))
    return [told[name] for name in spoken().figures if name in told and name not in gone]


def figures_line(block: Block, facts: Facts) -> str:
    """Return how far our own figures are from the official ones; empty if there are none."""
    return " · ".join(
        f"{spoken().figures[one.name]} {numbers.time(one.official)} {apart(one)}"
        for one in figures_of(block, facts)
    )


def apart(figure: Figure) -> str:
    """Return a difference with its sign, such as ``(+25.7 µs)``; ``=`` for none."""
    if not figure.difference:
        return "="
    sign = "+" if figure.difference > 0 else ""
    return f"({sign}{numbers.time(figure.difference)})"


def explained(block: Block, facts: Facts) -> Iterator[str]:
    """Yield why own and official figures differ, the largest difference first.

    Less than ``TOLD_FROM_NS`` is rounding of the vendor's file, 1 ns an interval.
    """
    figures = sorted(figures_of(block, facts), key=lambda one: -abs(one.difference))
    for one in figures:
        if abs(one.difference) >= TOLD_FROM_NS:
            about = spoken().figures_about.get(one.name) or one.about
            yield f"{spoken().figures[one.name]} {apart(one)}: {about}"


def _busy(phase: Phase, text: str) -> str:
    if not phase.computing:
        return ""
    return f" ({say(text, share=numbers.share(phase.computing, phase.dur))})"


def phase_rows(block: Block, facts: Facts, width: int, look: Look) -> list[list[Run]]:
    """Return the phases as rows of the screen, and the official figures with what differs."""
    room = width - LABEL_CELLS - 1
    told = [
        (say("phases"), phases_line(block, facts, room)),
        *(("", one) for one in iteration_lines(block, facts)),
        (say("official"), figures_line(block, facts)),
        *(("", one) for one in explained(block, facts)),
    ]
    return [
        [
            Run(look.text(f" {pad(name, LABEL_CELLS)}"), Role.DIM),
            Run(look.text(cut(said, room)), Role.PLAIN),
        ]
        for name, said in told
        if said
    ]
