"""The boxes of the overview on the screen: idle, waiting, moving, and the rest of the time."""

from collections.abc import Sequence

from ..draw import numbers
from ..draw.boxes import Box, BoxLine
from ..draw.role import Role
from ..draw.safe_text import clean
from ..text.boxes_text import Split
from ..words.spoken import counted, say, spoken
from .overview_details import (
    Part,
    computing_parts,
    late_peer,
    moving_parts,
    unsplit_sentence,
)
from .overview_facts import Block, Facts
from .stall_parts import idle_parts, waits_by_cause

PLACE_CELL_NS = 100_000
"""Places are told to a tenth of a ms: the view behind the box tells them exactly."""

MOST_COPIES = 2


def question_boxes(block: Block, split: Split, facts: Facts | None, origin: int) -> list[Box]:
    """Return IDLE, WAITING and MOVING; without facts what is in them is still to come.

    ``origin`` is the instant from which places are told, ns.
    """
    of, ready = scope(block), facts is not None
    idle = _idle_lines(block, facts, origin) if facts else ()
    waiting = _waiting_lines(block, split, facts) if facts else ()
    moving = _moving_lines(block, split, facts) if facts else ()
    whole = split.period
    return [
        Box("i", *_titles("idle"), Role.IDLE, split.idle, whole, of, idle, ready),
        Box("w", *_titles("waiting"), Role.WAITING, split.waiting, whole, of, waiting, ready),
        Box("m", *_titles("moving"), Role.MOVING, split.moving, whole, of, moving, ready),
    ]


def other_boxes(block: Block, split: Split, facts: Facts | None) -> list[Box]:
    """Return what is in no question: computing, and collectives that cannot be split."""
    of = scope(block)
    parts = _lines(computing_parts(block))
    title = _titles("computing")
    boxes = [Box("", *title, Role.CUBE, split.computing, split.period, of, parts)]
    if split.unsplit:
        said = [BoxLine(unsplit_sentence(block, split, facts))] if facts else []
        title, role = _titles("collective"), Role.COMMUNICATION
        boxes.append(Box("", *title, role, split.unsplit, split.period, of, said))
    return boxes


def scope(block: Block) -> str:
    """Name the whole that shares are of."""
    if all(step.kind == "run" for step in block.steps):
        return say("the_run")
    return say("the_step" if len({step.step for step in block.steps}) == 1 else "the_steps")


def _titles(box: str) -> tuple[str, str, str]:
    """Return the title of a box, in full and short, and what is behind it."""
    words = spoken()
    return words.boxes[box], words.short_boxes[box], words.boxes_about[box]


def _lines(parts: Sequence[Part]) -> list[BoxLine]:
    return [BoxLine(*part) for part in parts]


def _idle_lines(block: Block, facts: Facts, origin: int) -> list[BoxLine]:
    longest = [
        BoxLine(
            say(
                "longest_at",
                time=numbers.time(gap.dur),
                place=numbers.place(gap.ts - origin, PLACE_CELL_NS, numbers.MILLISECONDS),
            ),
            before=clean(gap.next_name or say("no_task")),
        )
        for gap in facts.gaps[:1]
    ]
    return [*_lines(idle_parts(block, facts)), *longest]


def _waiting_lines(block: Block, split: Split, facts: Facts) -> list[BoxLine]:
    lines = _lines(waits_by_cause(block, split, facts, absent="name_not_here"))
    late = late_peer(block, facts)
    if late is not None and not any(line.remark for line in lines):
        name = say("name_not_here", name=late.name) if late.absent else late.name
        name = say("name_in_all", name=name) if late.beside else name
        lines.insert(1, BoxLine(name, late.wait_ns, late.last))
    waits = [one for one in facts.collectives if one.wait_ns]
    if waits:
        one = max(waits, key=lambda row: row.wait_ns or 0)
        moved = say("moved_for", time=numbers.time(one.transfer_ns))
        lines.insert(2, BoxLine(clean(one.name), one.dur, moved))
    return lines


def _moving_lines(block: Block, split: Split, facts: Facts) -> list[BoxLine]:
    totals: dict[str, tuple[int, int]] = {}
    for copy in facts.copies:
        name = clean(copy.task_type or copy.name)
        total, count = totals.get(name, (0, 0))
        totals[name] = (total + copy.total, count + copy.count_)
    largest = sorted(totals.items(), key=lambda item: item[1], reverse=True)
    return [
        *_lines(moving_parts(block, split)),
        # Also what other work hides: not a part of the box.
        *(
            BoxLine(name, total, say("all_of", what=counted(count, "task")))
            for name, (total, count) in largest[:MOST_COPIES]
        ),
    ]
