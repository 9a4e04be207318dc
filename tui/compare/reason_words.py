"""Why an operator, or the gaps of a cause, changed: what of it is proven, in words."""

from collections.abc import Iterable

from ...queries.comparison import Comparison, communicates
from ...queries.rows_compare import PairGapsRow, PairOperatorsRow, PairReasonsRow
from ..draw import numbers
from ..words.spoken import say
from .compared import step_calls

LEAST_CLOCK_CHANGE = 0.05
"""Share of a frequency from which on a change of it is told (FORMATS 6.4)."""

MOST_NAMED = 3


def reason_words(row: PairOperatorsRow | PairGapsRow, found: Comparison) -> str:
    """Return why a row changed; empty where it did not, or where nothing is known of it."""
    if isinstance(row, PairGapsRow):
        reason = found.reason("gap", row.cause, None) if row.scope == "cause" else None
        return "" if reason is None else _gaps(reason, row)
    if row.presence == "mapped":
        return say("why_mapped", parts=row.parts or "")
    reason = found.reason("operator", row.name, row.core)
    return "" if reason is None else _operator(reason, row, found)


def _operator(reason: PairReasonsRow, row: PairOperatorsRow, found: Comparison) -> str:
    match reason.why:
        case "core":
            return say(
                "why_other_core" if row.presence == "new" else "why_gone_core",
                core=reason.other_core or "",
            )
        case "new":
            parts = found.stand_ins.get(row.name, ())
            return say("why_new_for", parts=_names(parts)) if parts else say("why_new")
        case "gone":
            wholes = [whole for whole, parts in found.stand_ins.items() if row.name in parts]
            return say("why_gone_for", names=_names(wholes)) if wholes else say("why_gone")
        case _:
            return _split(reason, row.difference, collective=communicates(row.core))


def _gaps(reason: PairReasonsRow, row: PairGapsRow) -> str:
    if reason.why in {"new", "gone"}:
        return say(f"why_{reason.why}_gaps")
    return _split(reason, row.difference, gaps=True)


def _split(
    reason: PairReasonsRow, difference: int | None, *, collective: bool = False, gaps: bool = False
) -> str:
    """Say which part of a change is the most of it; ``difference`` is that of median steps."""
    if (difference or 0) * (reason.difference or 0) < 0:
        return say("why_mean")
    unit = "gaps" if gaps else "calls"
    lengths = {"base": numbers.time(reason.base_avg_ns), "test": numbers.time(reason.test_avg_ns)}
    longer = (reason.length_ns or 0) > 0
    said = ""
    if reason.why == "calls":
        calls = {"base": step_calls(reason.base_calls), "test": step_calls(reason.test_calls)}
        more = (reason.calls_ns or 0) > 0
        said = say(f"why_more_{unit}" if more else f"why_fewer_{unit}", **calls)
    elif reason.why == "shapes":
        said = say("why_shapes", **lengths)
    elif reason.why in {"length", "call"}:
        said = say(f"why_longer_{unit}" if longer else f"why_shorter_{unit}", **lengths)
        if collective:
            said = say("why_with_waits", what=said)
        elif reason.why == "call":
            said = say("why_shapes_untold", what=said)
        elif not gaps:
            said = say("why_same_shapes", what=_clocked(said, reason, longer=longer))
    elif reason.why == "several":
        parts = (
            (f"why_part_{unit}", reason.calls_ns),
            ("why_part_shapes", reason.shapes_ns),
            ("why_part_length", reason.length_ns),
        )
        said = say("comma").join(say(name, time=_signed(ns)) for name, ns in parts if ns)
    return said


def _clocked(said: str, reason: PairReasonsRow, *, longer: bool) -> str:
    """Add the frequency of the cores where it changed the way that the length would."""
    before, now = reason.base_mhz, reason.test_mhz
    if before is None or now is None:
        return said
    change = (before - now) / before
    if abs(change) < LEAST_CLOCK_CHANGE or (change > 0) != longer:
        return said
    return say("why_clock", what=said, base=f"{before:,.0f}", test=f"{now:,.0f}")


def _signed(ns: int) -> str:
    return f"{'+' if ns > 0 else ''}{numbers.time(ns)}"


def _names(names: Iterable[str]) -> str:
    listed = list(names)
    said = say("comma").join(listed[:MOST_NAMED])
    more = len(listed) - MOST_NAMED
    return say("names_and_more", names=said, count=more) if more > 0 else said
