"""What the overview of a step or run is made of, asked off the screen's thread."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ...queries.rows import CollectivesRow, GapsRow, IterationsRow, PeersRow
from ...queries.rows_collection import KernelSpacingRow
from ...queries.rows_moving import CopiesRow
from ...queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from ..answers import Answers
from ..focus import Focus
from ..run import Run
from ..user.run_card import card_of
from .overview_facts import Conditions, Facts

if TYPE_CHECKING:
    from ...queries.findings import Finding
    from ...queries.rules import RuleBook
    from ...queries.session import Session

MOST_COLLECTIVES = 1000

PROVISIONAL = "provisional"
"""Variant of a finding that holds until the time of a step without a profiler is known."""


def ask_facts(answers: Answers, run: Run, focus: Focus) -> Facts:
    """Ask what the boxes tell of a focus's rank and step; raises as ``Session.run``."""
    asked = {"rank": focus.rank, "step": focus.step}
    return Facts(
        profiles=run.profiles,
        steps=run.split(focus),
        causes=answers.rows("causes", CausesRow, **asked),
        gaps=answers.rows("gaps", GapsRow, kind="device", limit=1, **asked),
        peers=answers.rows("peers", PeersRow, **asked),
        collectives=answers.rows("collectives", CollectivesRow, limit=MOST_COLLECTIVES, **asked),
        copies=answers.rows("copies", CopiesRow, **asked),
        job=run.job,
        phases=answers.rows("phases", PhasesRow, **asked),
        figures=answers.rows("reconciliation", ReconciliationRow, **asked),
        iterations=answers.rows("iterations", IterationsRow, rank=focus.rank)
        if focus.step is None
        else (),
    )


def ask_conditions(answers: Answers, rank: int) -> Conditions:
    """Ask under which conditions a rank ran; raises as ``Session.run``."""
    spacing = answers.rows("kernel_spacing", KernelSpacingRow, rank=rank)
    made = [row for row in spacing if row.profiler]
    spaced = max(made, key=lambda row: row.cluster_ns, default=None)
    return Conditions(
        None if spaced is None else spaced.median, card_of(answers.session.store.path)
    )


def ask_findings(
    session: "Session", book: "RuleBook", *, rank: int | None = None, step: int | None = None
) -> "list[Finding]":
    """Return what stands out, with what a person typed in about the run; raises as ``find``."""
    from ...queries.findings import find  # noqa: PLC0415 DuckDB takes long to import

    found = find(session, book, rank=rank, step=step)
    if card_of(session.store.path).profiler_off_ns is None:
        return found
    # What a step takes without a profiler is known: nothing waits for that.
    return [replace(one, variant=None) if one.variant == PROVISIONAL else one for one in found]
