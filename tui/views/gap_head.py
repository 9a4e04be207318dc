"""What stands over the gaps: how many, how much time, and where that was lost."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...queries.rows import GapsRow, GapSummaryRow
from ...queries.rows_stall import CausesRow
from ..draw import bars, numbers
from ..draw.look import Look
from ..draw.reasons import HOST_STAGES, PLACES, STAGES
from ..draw.role import Role
from ..draw.run import Attributes, Run
from ..draw.safe_text import cut
from ..widgets.canvas import Line

STATES = {"device": ("idle", "waiting_event"), "compute": None}
"""The states in which time is lost in gaps of a kind; None is all."""


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

    def lines(self, width: int, look: Look) -> list[Line]:
        """Draw it in three rows: sums, a bar, and what its parts are."""
        total = sum(row.total for row in self.summary)
        count = sum(row.count_ for row in self.summary)
        share = numbers.share(total, self.whole)
        of_kind = "" if self.kind == "device" else " in computing"
        first = [
            Run(f" {numbers.counted(count, 'gap')}{of_kind}   ", Role.PLAIN),
            Run(numbers.time(total), Role.IDLE, attributes=Attributes.BOLD),
            Run(f"   {share} of {self.of}", Role.PLAIN),
        ]
        held = numbers.share(sum(gap.dur for gap in self.shown), total)
        said = f"threshold {numbers.time(self.least)}: {len(self.shown):,} shown hold {held} "
        used = sum(len(run.text) for run in first)
        if used + len(said) + 2 <= width:
            first.append(Run(" " * (width - used - len(said)) + said, Role.DIM))
        parts = self._parts()
        drawn = [(ns, ink) for _, ns, ink in parts]
        bar = bars.stacked(drawn, width - 2, ascii_level=look.ascii_level)
        return [
            [run._replace(text=look.text(run.text)) for run in line]
            for line in (
                first,
                [Run(f" {bar}", Role.PLAIN)],
                [Run(f" {cut(self._legend(parts, width - 2, look), width - 2)}", Role.PLAIN)],
            )
        ]

    def _parts(self) -> list[tuple[str, int, bars.Ink]]:
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
        split = ", ".join(f"{STAGES[stage]} {numbers.time(ns)}" for stage, ns in host.items() if ns)
        edges = [
            (PLACES[place], sum(row.total for row in self.causes if row.place == place))
            for place in ("lead_in", "tail")
        ]
        parts = [
            (f"host late {numbers.time(known)}: {split}", known, bars.IDLE),
            (f"after the launch {numbers.time(after)}", after, bars.UNSPLIT),
            (f"event wait {numbers.time(waits)}", waits, bars.WAITING),
            (f"peers {numbers.time(peers)}", peers, bars.WAITING),
            (f"unknown {numbers.time(unknown)}", unknown, UNKNOWN),
            *((f"{name} {numbers.time(ns)}", ns, AROUND) for name, ns in edges),
        ]
        return [part for part in parts if part[1]]

    def _legend(self, parts: Sequence[tuple[str, int, bars.Ink]], width: int, look: Look) -> str:
        """Name the parts with their ink; where there is little room those with most time."""
        told = [
            f"{ink.ascii if look.ascii_level else ink.unicode} {name}" for name, _, ink in parts
        ]
        kept = sorted(range(len(parts)), key=lambda at: -parts[at][1])
        while len("   ".join(told[at] for at in sorted(kept))) > width and len(kept) > 1:
            kept.pop()
        return "   ".join(told[at] for at in sorted(kept))


UNKNOWN = bars.Ink("?", "?")
AROUND = bars.Ink(":", ":")
"""Before the first and after the last task."""


def in_states(causes: Sequence[CausesRow], kind: str) -> list[CausesRow]:
    """Return the stalls that gaps of a kind are made of."""
    states = STATES[kind]
    return [row for row in causes if states is None or row.state in states]


def _idle(row: CausesRow) -> bool:
    return row.state == "idle"
