"""Why a gap is there: its pieces, and one sentence about what most of it is for."""

from collections.abc import Sequence
from typing import NamedTuple

from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ..answers import Answers
from ..draw import numbers
from ..draw.names import fitted
from ..draw.safe_text import clean
from ..words.reasons import HOST_STAGES, cause_words, stage_name, stage_words
from ..words.spoken import listed, say

MOST_PIECES = 1000
NAME_CELLS = 34


def load_pieces(answers: Answers, gap: GapsRow) -> list[StallsRow]:
    """Ask for the idle and waiting time in a gap by cause, cut to it, longest first."""
    end = gap.ts + gap.dur
    found = answers.rows(
        "stalls", StallsRow, rank=gap.rank, from_ts=gap.ts, to_ts=end, limit=MOST_PIECES
    )
    pieces: list[StallsRow] = []
    for one in found:
        if one.device_id == gap.device_id:
            ts = max(one.ts, gap.ts)
            pieces.append(one._replace(ts=ts, dur=min(one.ts + one.dur, end) - ts))
    return sorted(pieces, key=lambda one: (-one.dur, one.stall_id))


class GapCause(NamedTuple):
    """What most of a gap is for; texts are clean."""

    cause: str
    """With its part of the gap, and whether it is a conclusion."""
    stage: str = ""
    """Where that was lost on the way from Python to the device."""
    evidence: str | None = None
    """Name of the slice that shows it."""
    line: str | None = None
    """The line of Python that asked for the next task."""

    @property
    def sentence(self) -> str:
        """Return it as one sentence."""
        told = (("at_line", self.line), ("shown_by", self.evidence))
        named = (
            say(text, name=fitted(name, NAME_CELLS)) for text, name in told if name is not None
        )
        return say("comma").join(part for part in (self.cause, *named, self.stage) if part)


def copied_gap(gap: GapsRow, pieces: Sequence[StallsRow] | None) -> str:
    """Return a gap as one line, its place in ns and why it is there once that is known."""
    why = "" if pieces is None else f": {cause_of(gap, pieces).sentence}"
    return f"rank {gap.rank} step {gap.step} gap {gap.gap_id} ts={gap.ts} dur={gap.dur} ns{why}"


def cause_of(gap: GapsRow, pieces: Sequence[StallsRow]) -> GapCause:
    """Return what most of a gap is for, by the pieces of ``load_pieces``."""
    main = [one for one in pieces if one.cause == gap.cause]
    length = numbers.time(gap.dur)
    if gap.cause is None:
        return GapCause(say("no_cause_of", length=length))
    if not main:
        return GapCause(say("most_of", cause=cause_words(gap.cause), length=length))
    stages = dict.fromkeys(one.stage for one in main if one.stage)
    late = [stage_name(one) for one in stages if one in HOST_STAGES]
    time = numbers.time(sum(one.dur for one in main))
    said = [say("time_of", cause=cause_words(gap.cause), time=time, length=length)]
    said += [say("inferred")] if all(one.inferred for one in main) else []
    stages_said = say("comma").join(map(stage_words, stages))
    stage = say("host_late_in", stages=listed(late)) if late else stages_said
    names = (main[0].evidence_name, main[0].line)
    return GapCause(
        say("comma").join(said), stage, *(None if name is None else clean(name) for name in names)
    )
