"""Judgements of a gate: as lines for people, and as JUnit XML for CI."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ...queries.judgement import Judgement
from ...queries.query import AnswerColumn
from ..draw import numbers
from ..draw.safe_text import clean
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
)
OUTCOME_CELLS = len("REGRESSION")
COLORS = {"regression": "red", "unknown": "yellow", "new": "yellow"}


def judgement_lines(judgements: Sequence[Judgement], terminal: Terminal) -> list[str]:
    """Return a line for each judgement: its outcome, what of, by how much, and the limit."""
    lines: list[str] = []
    for one in judgements:
        outcome = one.outcome.upper() if one.outcome == "regression" else one.outcome
        line = f"{outcome:<{OUTCOME_CELLS}}  {told(one)}"
        lines.append(terminal.paint(terminal.text(line), COLORS.get(one.outcome)))
    return lines


def told(one: Judgement) -> str:
    """Return a judgement as a sentence: what, by how much, and what was allowed."""
    said = f"{one.name}: {_amount(one.base, one.unit)} -> {_amount(one.test, one.unit)}"
    if one.base is not None and one.test is not None:
        said += f", {numbers.change(one.base, one.test)}"
    said += f"; at most +{numbers.ratio(one.threshold)}"
    if one.noise is not None:
        said += f", noise up to {_amount(one.noise, one.unit)}"
    return f"{said}; {one.reason}" if one.reason else said


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
