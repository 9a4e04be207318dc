"""Where in a run a change is seen best: the longest gap of the cause, or call of the operator."""

from typing import NamedTuple

from ...queries.rows import GapsRow, OperatorCallsRow
from ..answers import Answers
from ..focus import Selection, Window
from ..run import Run
from ..timeline.found import Found
from ..timeline.selected import load_slice
from .change_rows import Change

LOOKED_AT = 64
"""The longest, among which one outside warm-up is looked for."""


class Placed(NamedTuple):
    """Something in a run, with its rank and step, and when it is."""

    found: Found
    rank: int
    step: int | None
    window: Window


def load_place(answers: Answers, run: Run, change: Change) -> Placed | None:
    """Ask for the place of a change in a run; None if there is none with a time.

    Raises as ``Session.run`` does.
    """
    row = _gap(answers, run, change) if change.is_gap else _call(answers, run, change)
    if row is None:
        return None
    window = Window(row.ts, row.ts + max(1, row.dur))
    found: Found = Selection(window, change.name)
    if isinstance(row, GapsRow):
        found = row
    elif row.slice_id is not None:
        found = load_slice(answers, row.slice_id) or found
    return Placed(found, row.rank, row.step, window)


def _gap(answers: Answers, run: Run, change: Change) -> GapsRow | None:
    if not answers.has("gap"):
        return None
    rows = answers.rows("gaps", GapsRow, cause=change.cause, limit=LOOKED_AT)
    rows = [row for row in rows if row.cause == change.cause]
    return next((row for row in rows if _counts(run, row)), rows[0] if rows else None)


def _call(answers: Answers, run: Run, change: Change) -> OperatorCallsRow | None:
    if not answers.has("kernel"):
        return None
    for field in ("type", "name"):
        asked = {field: change.operator, "core": change.core, "limit": LOOKED_AT}
        rows = answers.rows("operator_calls", OperatorCallsRow, **asked)
        if rows:
            return next((row for row in rows if _counts(run, row)), rows[0])
    return None


def _counts(run: Run, row: GapsRow | OperatorCallsRow) -> bool:
    """Tell whether something lies in a step that is compared: warm-up is not."""
    return any(
        (step.rank, step.step) == (row.rank, row.step) and step.warmup is not True
        for step in run.steps
    )
