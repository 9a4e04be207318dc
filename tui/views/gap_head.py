"""What stands over the gaps: how many, how much time, and where that was lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...queries.rows import GapsRow, GapSummaryRow
from ...queries.rows_stall import CausesRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cell_len, cut
from ..focus import Window
from ..widgets.canvas import Line
from ..words.reasons import HOST_STAGES, cause_words, stage_name, stage_words
from ..words.spoken import counted, listed, say, spoken

STATES = {"device": ("idle", "waiting_event"), "compute": None}
"""The states in which time is lost in gaps of a kind; None is all."""


BETWEEN = "   "

UNKNOWN = bars.Ink("?", "?")
AROUND = bars.Ink(":", ":")


class Part(NamedTuple):
    """Time lost in one part of the way to the device, ns; ``split`` says of what it is made."""

    name: str
    split: str
    ns: int
    ink: bars.Ink

    def text(self, *, split: bool, ascii_level: bool) -> str:
        """Return it with its ink, as an entry of the legend."""
        ink = self.ink.ascii if ascii_level else self.ink.unicode
        of = f" ({self.split})" if split and self.split else ""
        return f"{ink} {self.name} {numbers.time(self.ns)}{of}"


@dataclass(frozen=True, slots=True)
class GapHead:
    """The gaps of a place, and the idle and waiting time there; times in ns."""

    kind: str
    summary: Sequence[GapSummaryRow]
    shown: Sequence[GapsRow]
    """Those from the threshold on."""
    causes: Sequence[CausesRow]
    least: int
    whole: int | None
    of: str
    window: Window | None = None
    """The range in time that sums and shares are of; None is all of the step or run."""

    def lines(self, width: int, look: Look) -> list[Line]:
        """Draw it in three rows: sums, a bar, and what its parts are."""
        total = sum(row.inside_ns for row in self.summary)
        count = sum(row.count_ for row in self.summary)
        share = numbers.share(total, self.whole)
        gaps = counted(count, "gap" if self.kind == "device" else "gap in computing")
        first = [
            Run(f" {gaps}   ", Role.PLAIN),
            Run(numbers.time(total), Role.IDLE, attributes=Attributes.BOLD),
            Run(f"   {say('share_of', share=share, whole=self.of)}", Role.PLAIN),
        ]
        held = numbers.share(sum(map(self._inside, self.shown)), total)
        least, shown = numbers.time(self.least), f"{len(self.shown):,}"
        said = say("shown_hold", least=least, shown=shown, share=held)
        between = width - sum(cell_len(run.text) for run in first) - cell_len(said) - 1
        if between >= 1:
            first.append(Run(f"{' ' * between}{said} ", Role.DIM))
        parts = self._parts()
        drawn = [(part.ns, part.ink) for part in parts]
        bar = bars.stacked(drawn, width - 2, ascii_level=look.ascii_level)
        return [
            [run._replace(text=look.text(run.text)) for run in line]
            for line in (
                first,
                [Run(f" {bar}", Role.PLAIN)],
                [Run(f" {cut(self._legend(parts, width - 2, look), width - 2)}", Role.PLAIN)],
            )
        ]

    def _inside(self, gap: GapsRow) -> int:
        if self.window is None:
            return gap.dur
        return Window(gap.ts, gap.ts + gap.dur).within(self.window).dur

    def _parts(self) -> list[Part]:
        """Return where time was lost, in the order of the way from Python to the device."""
        between = [row for row in self.causes if row.place in {"between", None}]
        host = {
            stage: sum(row.total for row in between if row.stage == stage and _idle(row))
            for stage in HOST_STAGES
        }
        known = sum(host.values())
        after = sum(row.total for row in between if row.stage == "device" and _idle(row))
        unknown = sum(row.total for row in between if row.stage is None and _idle(row))
        waits = sum(row.total for row in between if row.state == "waiting_event")
        peers = sum(row.total for row in between if row.state.startswith("waiting_p"))
        peers += sum(row.total for row in between if row.state == "waiting_stage")
        edges = sum(row.total for row in self.causes if row.place in {"lead_in", "tail"})
        split = listed(
            [f"{numbers.time(ns)} {stage_name(stage)}" for stage, ns in host.items() if ns]
        )
        parts = [
            Part(say("host_is_late"), split, known, bars.IDLE),
            Part(stage_words("device"), "", after, bars.UNSPLIT),
            Part(cause_words("wait_event"), "", waits, bars.WAITING),
            Part(spoken().states["waiting_peer"], "", peers, bars.WAITING),
            Part(cause_words("unknown"), "", unknown, UNKNOWN),
            Part(say("step_edges"), "", edges, AROUND),
        ]
        return [part for part in parts if part.ns]

    def _legend(self, parts: Sequence[Part], width: int, look: Look) -> str:
        """Name the parts with their ink; where there is little room those with most time."""
        full, bare = (
            [part.text(split=split, ascii_level=look.ascii_level) for part in parts]
            for split in (True, False)
        )
        told = full if cell_len(BETWEEN.join(full)) <= width else bare
        kept = sorted(range(len(parts)), key=lambda at: -parts[at].ns)
        while cell_len(BETWEEN.join(told[at] for at in sorted(kept))) > width and len(kept) > 1:
            kept.pop()
        return BETWEEN.join(told[at] for at in sorted(kept))


def in_states(causes: Sequence[CausesRow], kind: str) -> list[CausesRow]:
    """Return the stalls that gaps of a kind are made of."""
    states = STATES[kind]
    return [row for row in causes if states is None or row.state in states]


def _idle(row: CausesRow) -> bool:
    return row.state == "idle"
