"""What a report tells of a profile, in the order in which it is read.

Which run it is and what distorts it, where the time of the steps went, what stands out
with its evidence, one step as a picture, the tables behind it, and what is not known.
Every figure is the answer to a question of the catalogue, with the command that gives it.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING

from ...queries.catalog import shipped_queries
from ...queries.findings import Finding
from ...queries.rows import OverviewRow
from ..answers import Answers
from ..draw import numbers
from ..draw.safe_text import clean
from ..overview.collection import overhead
from ..overview.overview_facts import Block as StepBlock
from ..overview.overview_facts import Facts
from ..overview.phase_line import explained, figures_line
from ..text.box_details import details_of
from ..text.columns import columns_of_table
from ..text.finding_text import Reading
from ..text.overview_tables import split_of
from ..text.overview_text import MOST_BLOCKS, blocks_of, ranks_of_job, title_of_steps
from ..text.table_text import Style
from ..words.spoken import PARTED, say, untold_words
from ..words.spoken import shown as shown_words
from .answer_table import answer_table
from .document import Block, CommandLine, Document, Head, Picture, Section, Sentences, Table
from .lane_picture import LanePicture
from .split_picture import split_picture

if TYPE_CHECKING:
    from ...queries.session import Session

MOST_FINDINGS = 12
MOST_PICTURED = 5
"""Findings whose place is drawn."""

MOST_ROWS = 20
"""Of a table that is a ranking."""

MOST_OF_ALL_ROWS = 100
"""Of any other table."""

AROUND = 3
"""A picture of a place shows this many times its length."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table of a report: a command, the question behind it and what is shown of it."""

    command: str
    query: str
    columns: tuple[str, ...]
    compared: bool = False
    params: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is made of. ``path`` is the profile as it was typed."""

    session: "Session"
    path: str
    rank: int | None
    step: int | None
    facts: Facts
    findings: Sequence[Finding]
    reading: Reading
    language: str
    listings: Sequence[Listed]

    @property
    def words(self) -> Mapping[str, str]:
        """The words of a report in its language."""
        return self.reading.words.report


def report_of(asked: Asked) -> Document:
    """Return the report of a profile; raises as ``Session.run`` does."""
    facts, words = asked.facts, asked.words
    first = facts.profiles[0]
    name = clean(first.name or "") if len(facts.profiles) == 1 else ""
    title = words["title"].format(name=name or words["several"].format(n=len(facts.profiles)))
    shown = _pictured(facts.steps)
    pictures = _Pictures(asked, shown)
    sections = [
        Section(words["time"], tuple(_time(asked))),
        *_findings(asked, pictures),
        *([Section(words["timeline"], (one,))] if (one := pictures.step()) else []),
        Section(words["tables"], (), tuple(_tables(asked, shown))),
        Section(words["unknown"], tuple(_unknown(asked))),
    ]
    return Document(title, asked.language, tuple(_lead(asked)), tuple(sections))


def _lead(asked: Asked) -> Iterator[Block]:
    facts = asked.facts
    first = facts.profiles[0]
    parts = (
        ranks_of_job(facts.profiles, facts.job),
        clean(first.producer or ""),
        clean(first.level or ""),
        _titled(blocks_of(facts)[0]) if facts.steps else "",
    )
    lines = [" · ".join(part for part in parts if part)]
    if said := overhead(first.switches, first.level).sentence:
        lines.append(say("while_collecting", what=said))
    yield Sentences(tuple(lines))
    if asked.step is not None:
        yield Sentences((asked.words["one_step"].format(step=asked.step),))


def _time(asked: Asked) -> Iterator[Block]:
    facts, words = asked.facts, asked.words
    blocks = blocks_of(facts)
    for at, block in enumerate(blocks[:MOST_BLOCKS]):
        said = [one for one in (block.name, _titled(block)) if one]
        yield Sentences((" · ".join(said),))
        if all(step.idle is None for step in block.steps):
            yield Sentences((words["no_device"],))
            continue
        yield _boxes(block, asked)
        yield split_picture(f"steps-{at}", words["steps"], block.steps, words)
        official = [figures_line(block, facts), *explained(block, facts)]
        yield Sentences(tuple(one for one in official if one), listed=True)
    if len(blocks) > MOST_BLOCKS:
        yield Sentences((words["more_blocks"].format(n=len(blocks) - MOST_BLOCKS),))
    yield _command(asked, "overview")


def _titled(block: StepBlock) -> str:
    """Return which steps a block is of and how long; a page knows no run of blanks."""
    return title_of_steps(block.steps).replace(PARTED, " · ")


def _boxes(block: StepBlock, asked: Asked) -> Table:
    """Return how the periods split, in the parts of the overview's boxes."""
    split, words = split_of(block.steps), asked.words
    details = details_of(block, split, asked.facts)
    rows = [
        (words["computing"], split.computing, details.computing),
        (words["waiting"], split.waiting, details.waiting),
        (words["idle"], split.idle, details.idle),
        (words["moving"], split.moving, details.moving),
    ]
    if split.unsplit:
        rows.append((words["collective"], split.unsplit, details.unsplit))
    heads = (
        Head(words["part"]),
        Head(words["ns"], right=True),
        Head(words["share"], right=True),
        Head(words["what"]),
    )
    cells = [
        (part, numbers.time(ns), numbers.share(ns, split.period), what) for part, ns, what in rows
    ]
    return Table(heads, (*cells, (words["period"], numbers.time(split.period), "100 %", "")))


def _findings(asked: Asked, pictures: "_Pictures") -> Iterator[Section]:
    told = [one for one in asked.findings if one.is_told]
    open_ones = [one for one in asked.findings if not one.is_told]
    words, reading = asked.words, asked.reading
    parts: list[Section] = []
    for at, one in enumerate(islice(told, MOST_FINDINGS)):
        lines = [reading.untitled(one), reading.where(one)]
        if one.status == "unknown":
            lines.insert(0, reading.words.words["cannot_tell"])
        hints = [reading.hint(one), reading.verify(one), reading.collect(one)]
        blocks: list[Block] = [Sentences(tuple(line for line in lines if line))]
        if any(hints):
            blocks.append(Sentences(tuple(line for line in hints if line), listed=True))
        if at < MOST_PICTURED and (picture := pictures.finding(at, one)):
            blocks.append(picture)
        if one.evidence:
            slices = " ".join(map(str, one.evidence))
            blocks.append(Sentences((reading.words.words["evidence"].format(slices=slices),)))
        title = reading.words.rules[one.rule.name].title
        parts.append(Section(say("titled", title=title, said=reading.amount(one)), tuple(blocks)))
    blocks = [_command(asked, "findings")]
    if len(told) > MOST_FINDINGS:
        blocks.insert(0, Sentences((words["more_findings"].format(n=len(told) - MOST_FINDINGS),)))
    if not told:
        blocks.insert(0, Sentences((words["nothing"],)))
    yield Section(words["findings"], tuple(blocks), tuple(parts))
    if open_ones:
        lines = tuple(dict.fromkeys(reading.said(one) for one in open_ones))
        yield Section(words["cannot_tell"], (Sentences(lines, listed=True),))


def _tables(asked: Asked, shown: OverviewRow | None) -> Iterator[Section]:
    for listed in asked.listings:
        query = shipped_queries()[listed.query]
        params = dict(listed.params)
        names = {parameter.name for parameter in query.params}
        options: list[str] = []
        most = MOST_ROWS if "limit" in names else MOST_OF_ALL_ROWS
        # The ledger and the phases of many steps would fill pages: one step stands for them.
        step = asked.step
        if step is None and listed.command in {"ledger", "phases"} and shown is not None:
            step = shown.step
        if step is not None and "step" in names:
            params["step"] = step
            options = ["--step", str(step)]
        if "limit" in names:
            params["limit"] = MOST_ROWS + 1
            options += ["--limit", str(MOST_ROWS)]
        stream = asked.session.stream(query, params)
        rows = list(islice(chain.from_iterable(stream), most + 1))
        if not rows:
            continue
        several = len(asked.session.ranks) > 1
        answer = columns_of_table(
            stream.columns, rows[:most], listed.columns, several_ranks=several
        )
        style = Style(origin_ns=asked.reading.origin_ns, compared=listed.compared)
        table = answer_table(answer, style)
        more = [Sentences((asked.words["more_rows"],))] if len(rows) > most else []
        blocks = (table, *more, _command(asked, listed.command, *options))
        yield Section(shown_words(query.title), blocks)


def _unknown(asked: Asked) -> Iterator[Block]:
    told = dict.fromkeys(untold_words(row.name, row.sample) for row in asked.facts.missing)
    yield Sentences(tuple(told) or (asked.words["all_known"],), listed=True)
    yield _command(asked, "info")


def _command(asked: Asked, *words: str) -> CommandLine:
    typed = ["npuview", words[0], asked.path, *words[1:]]
    if asked.rank is not None:
        typed += ["--rank", str(asked.rank)]
    return CommandLine(clean(shlex.join(typed)))


def _pictured(steps: Sequence[OverviewRow]) -> OverviewRow | None:
    """Return the step that stands for the others: the longest one that is no warm-up."""
    timed = [one for one in steps if one.ts is not None and one.period and one.idle is not None]
    usual = [one for one in timed if not one.warmup] or timed
    return max(usual, key=lambda one: one.period or 0, default=None)


class _Pictures:
    """Draws windows of the step that is shown, and of the places of findings."""

    def __init__(self, asked: Asked, shown: OverviewRow | None) -> None:
        self._answers = Answers(asked.session, shipped_queries())
        self._shown = shown
        self._asked = asked
        self._by_rank: dict[int, LanePicture] = {}

    def step(self) -> Picture | None:
        """Draw the whole of the shown step."""
        if self._shown is None or self._shown.ts is None:
            return None
        ts, period = self._shown.ts, self._shown.period or 0
        words = self._asked.words["step_picture"].format(
            rank=self._shown.rank, step=self._shown.step, period=numbers.time(period)
        )
        return self._of(self._shown.rank).draw("timeline", words, (ts, ts + period), ts)

    def finding(self, at: int, finding: Finding) -> Picture | None:
        """Draw the longest piece of what a finding is about, and what lies around it."""
        if finding.ts is None or not finding.dur:
            return None
        profile = self._asked.reading.profiles[finding.rank]
        end = finding.ts + finding.dur
        margin = finding.dur * (AROUND - 1) // 2
        span = finding.ts - margin, end + margin
        if profile.ts is not None and profile.dur is not None:
            # Where the run begins and ends there is nothing around it.
            span = max(span[0], profile.ts), min(span[1], profile.ts + profile.dur)
        words = self._asked.words["finding_picture"].format(dur=numbers.time(finding.dur))
        origin = self._asked.reading.origin_ns
        return self._of(finding.rank).draw(
            f"finding-{at + 1}",
            words,
            span,
            finding.ts if origin is None else origin,
            (finding.ts, end),
        )

    def _of(self, rank: int) -> LanePicture:
        if rank not in self._by_rank:
            self._by_rank[rank] = LanePicture(self._answers, rank)
        return self._by_rank[rank]
