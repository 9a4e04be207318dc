"""Findings as sentences, as rows for programs, and as lines for people."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...queries.findings import Finding, SymptomRow
from ...queries.query import AnswerColumn, Value
from ...queries.rows import ProfilesRow
from ..draw import numbers
from ..draw.lines import wrapped
from ..draw.names import fitted
from ..draw.safe_text import cell_len, clean, pad
from ..overview.collection import collecting
from ..words.catalogue import Variant, Words
from ..words.reasons import cause_words
from .columns import Kind, kind_of
from .terminal import Terminal

NAME_CELLS: Final = 40
"""Longest name in a sentence."""

UNLIMITED: Final = 100
"""Cells of a line where no terminal limits it."""

PLACE_CELL_NS: Final = 1_000

COLUMNS: Final = tuple(
    AnswerColumn(name, type_)
    for name, type_ in (
        ("id", "VARCHAR"),
        ("rule", "VARCHAR"),
        ("variant", "VARCHAR"),
        ("question", "VARCHAR"),
        ("status", "VARCHAR"),
        ("severity", "VARCHAR"),
        ("rank", "INTEGER"),
        ("device_id", "INTEGER"),
        ("step", "INTEGER"),
        ("steps", "BIGINT"),
        ("ns", "BIGINT"),
        ("ns_per_step", "BIGINT"),
        ("period", "BIGINT"),
        ("share", "DOUBLE"),
        ("ts", "BIGINT"),
        ("dur", "BIGINT"),
        ("evidence", "VARCHAR"),
        ("inferred", "BOOLEAN"),
        ("missing", "VARCHAR"),
        ("within", "VARCHAR"),
        ("sentence", "VARCHAR"),
        ("hint", "VARCHAR"),
        ("verify", "VARCHAR"),
        ("collect", "VARCHAR"),
        ("preset", "VARCHAR"),
        ("preset_params", "VARCHAR"),
        ("thresholds", "VARCHAR"),
        ("values", "VARCHAR"),
    )
)
"""Columns of a finding for programs; evidence lists slice_ids, the last three are JSON."""

SYMPTOM_COLUMNS: Final = tuple(
    AnswerColumn(name, type_)
    for name, type_ in (
        ("id", "VARCHAR"),
        ("symptom", "VARCHAR"),
        ("rank", "INTEGER"),
        ("verdict", "VARCHAR"),
        ("rule", "VARCHAR"),
        ("ns", "BIGINT"),
        ("share", "DOUBLE"),
        ("least_share", "DOUBLE"),
        ("missing", "VARCHAR"),
        ("sentence", "VARCHAR"),
    )
)

_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_VALUE: Final = re.compile(r"\{(\w+)\}")

_NAMES: Final = frozenset({"evidence_name", "line", "longest_name", "name", "root_name", "type"})
"""Values that are names from the profile, which may be long."""

_AMOUNTS: Final[Mapping[Kind, Callable[[int], str]]] = {
    Kind.TIME: numbers.time,
    Kind.SIZE: numbers.size,
    Kind.MEMORY: numbers.memory,
    Kind.GROWTH: numbers.memory_difference,
    Kind.RATE: lambda amount: f"{numbers.size(amount)}/s",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """For whom findings are written: their words, the profiles, and where time begins.

    ``starts`` are instants by rank and step: places in such a step count from there, all
    others from ``origin_ns``.
    """

    words: Words
    profiles: Mapping[int, ProfilesRow]
    origin_ns: int | None = None
    starts: Mapping[tuple[int, int | None], int | None] = field(
        default_factory=dict[tuple[int, int | None], int | None]
    )

    def sentence(self, finding: Finding) -> str:
        """Return what was found, with its subject; clean text."""
        if not finding.is_told and finding.rule.status == "fine":
            # It is about no subject of its own.
            return self.words.missing[finding.missing or ""]
        return self.titled(self.words.rules[finding.rule.name].title, self.untitled(finding))

    def untitled(self, finding: Finding) -> str:
        """Return what was found, below its subject; clean text."""
        if not finding.is_told:
            return self.words.missing[finding.missing or ""]
        return self._filled(self._texts(finding).sentence, finding)

    def titled(self, title: str, sentence: str) -> str:
        """Return a sentence behind what it is about."""
        return self.words.words["titled"].format(title=title, sentence=sentence)

    def hint(self, finding: Finding) -> str:
        """Return what to try; empty where it cannot be told."""
        return self._filled(self._texts(finding).hint, finding) if finding.is_told else ""

    def verify(self, finding: Finding) -> str:
        """Return how to see that it helped; empty where it cannot be told."""
        return self._filled(self._texts(finding).verify, finding) if finding.is_told else ""

    def amount(self, finding: Finding) -> str:
        """Return what is at stake, with its denominator; empty if not known."""
        if finding.ns is None or not finding.steps or finding.period is None:
            return ""
        return self.words.words["amount"].format(
            per_step=numbers.time(finding.ns_per_step),
            period=numbers.time(finding.period // finding.steps),
            share=numbers.share(finding.ns, finding.period),
        )

    def scope(self, finding: Finding) -> str:
        """Return the rank, device and steps that a finding is about."""
        key = "one_step" if finding.steps == 1 else "several_steps"
        if finding.step is None or finding.steps is None:
            key = "no_step"
        said = self.words.words[key].format(
            rank=finding.rank, step=finding.step, steps=finding.steps
        )
        if finding.device_id is not None and self._several_devices(finding):
            said += " " + self.words.words["on_device"].format(device=finding.device_id)
        return said

    def where(self, finding: Finding) -> str:
        """Return scope and place of a finding, and whether it is a conclusion."""
        parts = [self.scope(finding)]
        origin = self.starts.get((finding.rank, finding.step), self.origin_ns)
        if finding.ts is not None and origin is not None:
            at = finding.ts - origin
            parts.append(numbers.place(at, PLACE_CELL_NS, numbers.MILLISECONDS))
        if finding.rule.within:
            title = self.words.rules[finding.rule.within].title
            parts.append(self.words.words["within"].format(title=title))
        if finding.inferred:
            parts.append(self.words.words["inferred"])
        return " · ".join([*parts, finding.rule.id])

    def collect(self, finding: Finding) -> str:
        """Return the line that collects what is missing; empty if there is none."""
        profile = self.profiles.get(finding.rank)
        if finding.missing is None or profile is None:
            return ""
        line = collecting(finding.missing, profile)
        return self.words.words["collect"].format(line=line) if line else ""

    def cells(self, finding: Finding) -> tuple[str, str, str]:
        """Return question, time per step and share as cells of a table."""
        question = self.words.questions[finding.rule.question]
        if finding.ns is None:
            said = numbers.NOT_MEASURED if finding.is_told else self.words.words["cannot_tell"]
            return question, said, ""
        share = numbers.share(finding.ns, finding.period)
        return question, numbers.time_field(finding.ns_per_step), share

    def said(self, finding: Finding) -> str:
        """Return the sentence, and that it is no verdict where it is none."""
        sentence = self.sentence(finding)
        if finding.status == "unknown" and finding.ns is not None:
            return self.titled(self.words.words["cannot_tell"], sentence)
        return sentence

    def advice(self, finding: Finding, width: int) -> Iterator[str]:
        """Yield the sentence, and what to try or to collect."""
        yield from wrapped(self.said(finding), width)
        yield from self._hints(finding, width)

    def lines(self, finding: Finding, width: int, *, brief: bool = False) -> Iterator[str]:
        """Yield the sentence and its place; what to try or to collect too unless ``brief``."""
        yield from wrapped(self.said(finding), width)
        yield from wrapped(self.where(finding), width)
        if not brief:
            yield from self._hints(finding, width)

    def _hints(self, finding: Finding, width: int) -> Iterator[str]:
        if hint := self.hint(finding):
            yield from wrapped(self.words.words["try"].format(hint=hint), width)
        if collect := self.collect(finding):
            # One line, so that it can be copied.
            yield collect

    def row(self, finding: Finding) -> tuple[object, ...]:
        """Return a finding as a row of ``COLUMNS``: true names, whole ns."""
        rule = finding.rule
        return (
            *(rule.id, rule.name, finding.variant, rule.question, finding.status),
            *(finding.severity, finding.rank, finding.device_id, finding.step, finding.steps),
            *(finding.ns, finding.ns_per_step, finding.period, finding.share),
            *(finding.ts, finding.dur, " ".join(map(str, finding.evidence)), finding.inferred),
            *(finding.missing, rule.within),
            *(self.sentence(finding), self.hint(finding), self.verify(finding)),
            *(self.collect(finding), rule.preset),
            *map(_json, (finding.preset_params, finding.thresholds, finding.values)),
        )

    def symptom_row(self, row: SymptomRow) -> tuple[object, ...]:
        """Return a symptom as a row of ``SYMPTOM_COLUMNS``."""
        return (*row, self.words.symptoms[row.symptom])

    def _texts(self, finding: Finding) -> Variant:
        return self.words.rules[finding.rule.name].of(finding.variant)

    def _filled(self, text: str, finding: Finding) -> str:
        unknown = {name for name, value in finding.values.items() if value is None}

        def kept(part: re.Match[str]) -> str:
            return "" if unknown & set(_VALUE.findall(part[1])) else part[1]

        said = {name: self._said(name, one) for name, one in finding.values.items()}
        return _OPTIONAL.sub(kept, text).format_map(said)

    def _said(self, name: str, value: Value) -> str:
        """Return a value of a sentence as people read it, by the naming of the store."""
        match value:
            case int():
                kind = kind_of(AnswerColumn(name, "BIGINT"))
                return _AMOUNTS.get(kind, numbers.count)(value)
            case float():
                return numbers.ratio(value)
            case None:
                return numbers.NOT_MEASURED
            case str() if name == "cause":
                return cause_words(value, self.words)
            case _:
                text = clean(str(value))
                return fitted(text, NAME_CELLS) if name in _NAMES else text

    def _several_devices(self, finding: Finding) -> bool:
        profile = self.profiles.get(finding.rank)
        return profile is None or profile.device_id != finding.device_id


def finding_lines(
    findings: Sequence[Finding], reading: Reading, terminal: Terminal, *, brief: bool = False
) -> Iterator[str]:
    """Yield findings as a table whose sentences go on below, with place and what to try."""
    columns, width = reading.words.columns, terminal.width or UNLIMITED
    heads = (columns["question"], columns["per_step"], columns["share"])
    rows = [reading.cells(one) for one in findings]
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    margin = sum(widths) + 6

    def line(cells: Sequence[str], what: str) -> str:
        left = (
            pad(cell, room, right=at > 0)
            for at, (cell, room) in enumerate(zip(cells, widths, strict=True))
        )
        return terminal.text("  ".join((*left, what)).rstrip())

    yield terminal.paint(line(heads, columns["what"]), bold=True)
    for one, cells in zip(findings, rows, strict=True):
        for what in reading.lines(one, width - margin, brief=brief):
            yield line(cells, what)
            cells = ("", "", "")  # noqa: PLW2901 - they stand at the first line


def _json(values: Mapping[str, object]) -> str:
    return json.dumps(dict(values), ensure_ascii=False, default=str)
