"""The proof of a gap in words: its pieces, its launch, and the sentence that follows from them."""

from collections import Counter
from collections.abc import Callable, Sequence

from ...queries.rows import GapsRow
from ...queries.rows_stall import StallsRow
from ...queries.rows_timeline import ChainRow
from ..draw import numbers
from ..draw.look import Look
from ..draw.names import fitted
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, clean, cut, pad
from ..timeline.gap_cause import cause_of
from ..widgets.canvas import Line
from ..words.reasons import cause_words, stage_name, stage_words
from ..words.spoken import counted, say
from .gap_picture import ROWS, picture_lines
from .gap_proof import Proof

LABEL_CELLS = 12
PLACE_NS = 1000
"""Places are told to the microsecond."""

FACTS = 4
"""Rows of what is known at a glance."""

PLACE_CELLS = 14
CAUSE_CELLS = 18
STAGE_CELLS = 23


def evidence_lines(
    gap: GapsRow, proof: Proof | None, origin: int, look: Look, width: int, height: int
) -> Sequence[Line]:
    """Return what proves a gap in rows of a panel; ``proof`` None is still to come.

    The facts are always there. Where there is room the pieces follow one by one, and
    above all of it the picture. Places are told from ``origin``, ns.
    """

    def place(ts: int) -> str:
        return numbers.place(ts - origin, PLACE_NS, numbers.MILLISECONDS)

    before, after = (clean(name or say("no_task")) for name in (gap.prev_name, gap.next_name))
    begin, end = place(gap.ts), place(gap.ts + gap.dur)
    room = width - LABEL_CELLS - 3
    bare = say("free_between", begin=begin, end=end, before="", after="")
    names = max(8, (room - cell_len(bare)) // 2)
    free = say(
        "free_between",
        begin=begin,
        end=end,
        before=fitted(before, names),
        after=fitted(after, names),
    )
    rows = [
        ("free", free),
        ("launched", "…" if proof is None else _launched(gap, proof.launch, place)),
        ("causes", "…" if proof is None else say("comma").join(_totals(proof)) or say("no_piece")),
        ("so", "…" if proof is None else cause_of(gap, proof.pieces).sentence),
    ]
    facts = [_fact(name, said, look, room) for name, said in rows]
    if height < ROWS + FACTS:
        return facts
    # Blank until it is known, so that the words under it keep their rows.
    drawn = [] if proof is None else picture_lines(proof, origin, look)
    drawn += [()] * (ROWS - len(drawn))
    pieces = [] if proof is None else _piece_lines(proof, place, look, width, height - ROWS - FACTS)
    return [*drawn, *facts, *pieces]


def _fact(name: str, said: str, look: Look, room: int) -> Line:
    strong = Attributes.BOLD if name == "so" else Attributes.NONE
    label = look.text(pad(say(f"fact_{name}"), LABEL_CELLS))
    return [
        Run(f"  {label}", Role.DIM),
        Run(look.text(cut(said, max(0, room))), Role.PLAIN, attributes=strong),
    ]


def _launched(gap: GapsRow, launch: ChainRow | None, place: Callable[[int], str]) -> str:
    if launch is None:
        return say("no_launch")
    # A launch that returns later than its task begins had done its work before.
    end = min(launch.ts + launch.dur, gap.ts + gap.dur)
    by = say("launched_by", place=place(launch.ts), name=clean(launch.name))
    by = say("by_inference", what=by) if launch.inferred else by
    late = end - gap.ts
    how = "launched_before_free" if late <= 0 else "launched_after_free"
    return say(how, time=numbers.time(abs(late)), by=by)


def _totals(proof: Proof) -> list[str]:
    """Return the time in each cause and stage, most first, and what was no waiting at all."""
    totals: Counter[tuple[str, str | None]] = Counter()
    for one in proof.pieces:
        totals[one.cause, one.stage] += one.dur
    said = [
        f"{cause_words(cause)} {numbers.time(ns)}{f' ({stage_name(stage)})' if stage else ''}"
        for (cause, stage), ns in totals.most_common()
    ]
    if rest := proof.gap.dur - sum(totals.values()):
        said.append(say("data_moves", time=numbers.time(rest)))
    return said


def _piece_lines(
    proof: Proof, place: Callable[[int], str], look: Look, width: int, room: int
) -> list[Line]:
    """List the longest pieces in time; the last row says how many there are besides."""
    pieces = proof.pieces
    if room <= 1 or len(pieces) < 2:
        return []
    shown = pieces if len(pieces) <= room else pieces[: room - 1]
    lines = [_piece_line(one, place, look, width) for one in sorted(shown, key=lambda one: one.ts)]
    if left := pieces[len(shown) :]:
        rest = numbers.time(sum(one.dur for one in left))
        said = say("of_together", what=counted(len(left), "shorter piece"), time=rest)
        lines.append([Run(look.text(f"  {said}"), Role.DIM)])
    return lines


def _piece_line(one: StallsRow, place: Callable[[int], str], look: Look, width: int) -> Line:
    stage = stage_words(one.stage) if one.stage else ""
    names = [clean(name) for name in (one.evidence_name, one.line) if name]
    sure = [say("inferred")] if one.inferred else []
    head = (
        f"  {place(one.ts):>{PLACE_CELLS}}  {numbers.time_field(one.dur)}"
        f"  {pad(cut(cause_words(one.cause), CAUSE_CELLS), CAUSE_CELLS)}"
        f"  {pad(cut(stage, STAGE_CELLS), STAGE_CELLS)}  "
    )
    room = max(0, width - cell_len(head))
    each = max(8, room // max(1, len(names) + len(sure)) - 3)
    said = "   ".join([*(fitted(name, each) for name in names), *sure])
    return [Run(look.text(cut(head, width)), Role.PLAIN), Run(look.text(cut(said, room)), Role.DIM)]
