"""The iterations of a server by kind, each kind as a single line."""

from collections.abc import Iterator
from typing import Final

from ..draw import numbers
from ..words.reasons import cause_words
from ..words.spoken import say, spoken
from .overview_facts import Block, Facts

SERVED: Final = ("prefill", "decode", "mixed")
"""Kinds of the iterations of a server; only of these the spread says more than the phases."""


def iteration_lines(block: Block, facts: Facts) -> Iterator[str]:
    """Yield how long the iterations of each kind take, and the gap before them; clean text.

    Time without a request is in neither; where there was some, the last line says so.
    """
    idle = 0
    for kind in SERVED:
        rows = {
            row.part: row for row in facts.iterations if (row.rank, row.kind) == (block.rank, kind)
        }
        if (whole := rows.get("iteration")) is None:
            continue
        idle += whole.no_work_ns or 0
        said = say(
            "iterations_of",
            count=f"{whole.count_:,}",
            kind=spoken().phases[kind],
            p50=numbers.time(whole.p50),
            p99=numbers.time(whole.p99),
        )
        if gap := rows.get("gap"):
            times = {"p50": numbers.time(gap.p50), "p99": numbers.time(gap.p99)}
            said += say("gap_before", cause=cause_words(gap.main_cause), **times)
        yield said
    if idle:
        yield f"{cause_words('no_work')} {numbers.time(idle)}"
