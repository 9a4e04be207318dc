"""What the overview of a step or run is made of, asked off the screen's thread."""

from ...queries.rows import (
    CollectivesRow,
    GapsRow,
    GapSummaryRow,
    OperatorCallsRow,
    PeersRow,
    TopRow,
    WaitCallsRow,
)
from ...queries.rows_moving import CopiesRow, CopyCallsRow
from ...queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from ..answers import Answers
from ..focus import Focus
from ..run import Run
from .overview_facts import Facts, Places

MOST_COLLECTIVES = 1000
MOST_OPERATORS = 50
"""Rows of ``top`` among which the first operator is looked for: collectives may lead."""

AI_CPU = "AI_CPU"


def ask_facts(answers: Answers, run: Run, focus: Focus, gap_threshold: int) -> Facts:
    """Ask what the overview tells of a focus's rank and step; raises as ``Session.run``."""
    asked = {"rank": focus.rank, "step": focus.step}
    operators = [
        one
        for one in answers.rows("top", TopRow, limit=MOST_OPERATORS, **asked)
        if one.kernel_share is not None
    ]
    calls = [
        call
        for one in operators[:1]
        for call in answers.rows(
            "operator_calls",
            OperatorCallsRow,
            name=one.name,
            type=one.type,
            core=one.core,
            limit=1,
            **asked,
        )
    ]
    summary, long = (
        answers.rows("gap_summary", GapSummaryRow, min_dur=least, **asked)
        for least in (None, gap_threshold)
    )
    places = Places(
        gap_threshold,
        long,
        answers.rows("wait_calls", WaitCallsRow, kind="peer", limit=1, **asked),
        answers.rows("collectives", CollectivesRow, limit=MOST_COLLECTIVES, **asked),
        answers.rows("copies", CopiesRow, **asked),
        answers.rows("copy_calls", CopyCallsRow, limit=1, **asked),
        calls,
        answers.rows("operator_calls", OperatorCallsRow, core=AI_CPU, limit=1, **asked),
    )
    return Facts(
        profiles=run.profiles,
        steps=run.split(focus),
        # Of all steps: where one begins depends on the one before.
        times=run.steps,
        causes=answers.rows("causes", CausesRow, **asked),
        operators=operators,
        gaps=answers.rows("gaps", GapsRow, kind="device", limit=1, **asked),
        gap_summary=summary,
        peers=answers.rows("peers", PeersRow, **asked),
        missing=[row for row in run.health if row.kind == "missing"],
        places=places,
        job=run.job,
        phases=answers.rows("phases", PhasesRow, **asked),
        figures=answers.rows("reconciliation", ReconciliationRow, **asked),
    )
