"""What stands beside the boxes of the overview as text."""

from collections.abc import Sequence

from ..overview.overview_details import (
    Part,
    computing_parts,
    gaps_sentence,
    late_parts,
    moving_parts,
    unsplit_sentence,
)
from ..overview.overview_facts import Block, Facts
from ..overview.stall_parts import idle_parts, waits_by_cause
from .boxes_text import Details, Split


def details_of(block: Block, split: Split, facts: Facts) -> Details:
    """Say of each box what is in it, as clean text."""
    waits = waits_by_cause(block, split, facts, absent="name_absent")
    named = any(part.remark for part in waits)
    gaps = gaps_sentence(block, facts)
    return Details(
        computing=_joined(computing_parts(block)),
        waiting=_joined([*waits, *late_parts(block, facts, named=named)]),
        idle=_joined([*idle_parts(block, facts), *([Part(gaps)] if gaps else [])]),
        moving=_joined(moving_parts(block, split)),
        unsplit=unsplit_sentence(block, split, facts),
    )


def _joined(parts: Sequence[Part]) -> str:
    return " · ".join(part.text for part in parts)
