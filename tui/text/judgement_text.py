"""Judgements of a gate: as lines for people, and as JUnit XML for CI."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ...queries.judgement import Judgement, Outcome, Reason
from ...queries.query import AnswerColumn
from ..draw import numbers
from ..draw.safe_text import clean, pad
from ..words.spoken import say
from .terminal import Terminal

COLUMNS = (
    AnswerColumn("kind", "VARCHAR"),
    AnswerColumn("name", "VARCHAR"),
    AnswerColumn("unit", "VARCHAR"),
    AnswerColumn("base", "BIGINT"),
    AnswerColumn("test", "BIGINT"),
    AnswerColumn("change_share", "DOUBLE"),
    AnswerColumn("threshold_share", "DOUBLE"),
    AnswerColumn("noise", "BIGINT"),
    AnswerColumn("outcome", "VARCHAR"),
    AnswerColumn("reason", "VARCHAR"),
    AnswerColumn("base_steps", "BIGINT"),
    AnswerColumn("test_steps", "BIGINT"),
)
OUTCOME_CELLS = 10
OUTCOMES: dict[Outcome, str] = {
    "ok": "outcome_ok",
    "regression": "outcome_regression",
    "unknown": "outcome_unknown",
    "new": "outcome_new",
}
REASONS: dict[Reason, str] = {
    "neither_run": "in_neither_run",
    "one_run": "in_one_run",
    "new": "in_later_run",
    "new_in_worse_step": "in_later_worse",
    "few_steps": "few_steps",
}
COLORS = {"regression": "red", "unknown": "yellow", "new": "yellow"}


def judgement_lines(judgements: Sequence[Judgement], terminal: Terminal) -> list[str]:
    """Return a line for each judgement: its outcome, what of, by how much, and the limit."""
    lines: list[str] = []
    for one in judgements:
        line = f"{pad(say(OUTCOMES[one.outcome]), OUTCOME_CELLS)}  {told(one)}"
        lines.append(terminal.paint(terminal.text(line), COLORS.get(one.outcome)))
    return lines


def told(one: Judgement) -> str:
    """Return a judgement as a sentence: what, by how much, and what was allowed."""
    sides = {"base": _amount(one.base, one.unit), "test": _amount(one.test, one.unit)}
    said = say("judged", name=one.name, **sides)
    if one.base is not None and one.test is not None:
        said = say("judged_change", what=said, change=numbers.change(one.base, one.test))
    said = say("judged_limit", what=said, share=numbers.ratio(one.threshold))
    if one.noise is not None:
        said = say("judged_noise", what=said, amount=_amount(one.noise, one.unit))
    if one.reason is None:
        return said
    reason = say(REASONS[one.reason], base=one.base_steps, test=one.test_steps)
    return say("judged_reason", what=said, reason=reason)


def junit(judgements: Sequence[Judgement], title: str) -> str:
    """Return judgements as JUnit XML: a test case each, failed, skipped or passed."""
    failed = sum(one.outcome == "regression" for one in judgements)
    skipped = sum(one.outcome in {"unknown", "new"} for one in judgements)
    counts = {"tests": str(len(judgements)), "failures": str(failed), "skipped": str(skipped)}
    whole = ET.Element("testsuites", {"name": "npuview check", **counts, "errors": "0"})
    suite = ET.SubElement(whole, "testsuite", {"name": clean(title), **counts, "errors": "0"})
    for one in judgements:
        about = {"classname": f"npuview.{one.kind}", "name": clean(one.name), "time": "0"}
        case = ET.SubElement(suite, "testcase", about)
        text = clean(told(one))
        if one.outcome == "regression":
            ET.SubElement(case, "failure", {"type": "regression", "message": text}).text = text
        elif one.outcome != "ok":
            ET.SubElement(case, "skipped", {"message": text})
    ET.indent(whole)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(whole, encoding="unicode")}\n'


def _amount(value: int | None, unit: str) -> str:
    return numbers.time(value) if unit == "ns" else numbers.count(value)
