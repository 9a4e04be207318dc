"""What a profile is and holds, and what it does not, as text."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ...ingest.schema import SUMMARY_PREFIX
from ...queries.rows import HealthRow, ProfilesRow, StepsRow
from ...queries.rows_collection import CollectionRow, KernelSpacingRow
from ..draw import numbers
from ..draw.lines import rule, wrapped
from ..draw.safe_text import clean, cut, pad
from ..overview.collection import cut_off_timelines, overhead, remedy, switches_on
from ..overview.job import Job, ranges
from ..user.run_card import TEXT_FIELDS, RunCard, overhead_share
from ..words.spoken import counted, say, spoken, untold_words
from .terminal import Terminal

USUAL_WIDTH = 100
MOST_RANKS = 8
"""Ranks that are described one by one."""

LABEL_CELLS = 11


class Collected(NamedTuple):
    """How the profiles were collected, by the questions of these names."""

    collection: Sequence[CollectionRow]
    kernel_spacing: Sequence[KernelSpacingRow]
    job: Job | None
    steps: Sequence[StepsRow]
    card: RunCard


class Holding(NamedTuple):
    """What is stored of a rank: rows of each table, and bytes of the store."""

    tables: Mapping[str, int]
    bytes: int


def info_lines(
    profiles: Sequence[ProfilesRow],
    holdings: Mapping[int, Holding],
    findings: Sequence[HealthRow],
    collected: Collected,
    terminal: Terminal,
) -> list[str]:
    """Return what is known of each rank, then what the reader noticed and what is missing."""
    width = terminal.width or USUAL_WIDTH
    lines: list[str] = []
    for profile in profiles[:MOST_RANKS]:
        title = f"Rank {profile.rank}"
        lines += [rule(title, "", width, ascii_level=terminal.ascii_level)]
        facts = _facts(profile, holdings[profile.rank], collected)
        lines += _labelled(facts, terminal, width)
        lines.append("")
    if len(profiles) > MOST_RANKS:
        more = counted(len(profiles) - MOST_RANKS, "rank")
        lines += [say("more_ranks_of_all", ranks=more), ""]
    lines += _absent_ranks(collected.job, width)
    noticed = [finding for finding in findings if finding.kind != "missing"]
    missing = [finding for finding in findings if finding.kind == "missing"]
    by_rank, cut_off = {one.rank: one for one in profiles}, cut_off_timelines(noticed)
    lines += _noticed(noticed, terminal, width)
    remedies = [
        (finding, remedy(finding.name, by_rank[finding.rank], cut_off)) for finding in missing
    ]
    lines += _missing(remedies, len(profiles), terminal, width)
    return lines


def _facts(
    profile: ProfilesRow, holding: Holding, collected: Collected
) -> Iterator[tuple[str, str]]:
    yield "profile", f"{profile.name}, {profile.path}"
    yield "rank", _rank(profile)
    yield "device", say("fact_unknown") if profile.device_id is None else str(profile.device_id)
    yield "host", profile.host or say("fact_unknown")
    yield "producer", ", ".join((profile.producer, *_versions(profile.versions)))
    yield "level", profile.level or say("level_unnamed")
    on = switches_on(profile.switches)
    said = (name if value == "True" else f"{name}={value}" for name, value in on.items())
    yield "switches", ", ".join(said) or say("switches_unnamed")
    if sentence := overhead(profile.switches, profile.level).sentence:
        yield "overhead", sentence
    yield from _collected(profile.rank, collected)
    yield "time", _time(profile)
    counts = (
        f"{word} {numbers.count(holding.tables.get(name, 0))}"
        for name, word in spoken().held.items()
    )
    yield "holds", ", ".join(counts)
    tables = [
        f"{name.removeprefix(SUMMARY_PREFIX)} {numbers.count(rows)}"
        for name, rows in holding.tables.items()
        if name.startswith(SUMMARY_PREFIX)
    ]
    yield "csv", ", ".join(tables) or say("csv_none")
    yield "store", numbers.size(holding.bytes)


def _rank(profile: ProfilesRow) -> str:
    rank = f"{profile.rank}"
    if profile.world_size is not None:
        rank = say("rank_of_world", rank=rank, size=profile.world_size)
    return rank if profile.rank_known else say("rank_numbered", rank=rank)


def _versions(text: str | None) -> list[str]:
    versions = json.loads(text or "{}")
    return [f"{name} {value}" for name, value in versions.items()]


def _time(profile: ProfilesRow) -> str:
    if profile.ts is None:
        return say("no_timeline")
    time = say("from_instant", time=numbers.time(profile.dur), ts=profile.ts)
    if profile.clock_offset is None:
        return say("other_clock", time=time, clock=profile.clock)
    seconds = (profile.ts + profile.clock_offset) // numbers.SECONDS.size
    wall = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"
    return say("wall_clock", time=time, wall=wall)


def _labelled(facts: Iterator[tuple[str, str]], terminal: Terminal, width: int) -> Iterator[str]:
    for name, text in facts:
        lines = wrapped(terminal.text(clean(text)), width - LABEL_CELLS)
        for at, line in enumerate(lines):
            yield f"{pad('' if at else say(f'info_{name}'), LABEL_CELLS)}{line}"


def _collected(rank: int, collected: Collected) -> Iterator[tuple[str, str]]:
    """Tell the schedule, what the profiler's own calls took, and how far kernels were spaced."""
    rows = [row for row in collected.collection if row.rank == rank]
    steps = [row for row in collected.steps if row.rank == rank and row.kind != "run"]
    if steps and steps[0].median is not None:
        yield "step", _run_card(steps[0].median, collected.card.profiler_off_ns)
    typed = {name: getattr(collected.card, name) for name in TEXT_FIELDS}
    if noted := [
        line if name == "text" else f"{name} {line}" for name, line in typed.items() if line
    ]:
        yield "noted", "; ".join(noted)
    if schedule := [f"{row.name}={row.value}" for row in rows if row.kind == "schedule"]:
        yield "schedule", ", ".join(schedule)
    calls = [
        f"{row.name} {counted(row.count_ or 0, 'call')} {numbers.time(row.dur)}"
        for row in rows
        if row.kind == "call"
    ]
    if calls:
        yield "profiler", ", ".join(calls)
    for row in collected.kernel_spacing:
        if row.rank == rank and row.profiler:
            yield (
                "spacing",
                say(
                    "spaced_by_collecting",
                    gaps=counted(row.cluster_count or 0, "gap"),
                    before=row.before,
                    least=numbers.time(row.cluster_from_ns),
                    most=numbers.time(row.cluster_to_ns),
                    total=numbers.time(row.cluster_ns),
                    switches=row.switches,
                ),
            )


def _run_card(traced_ns: int, off_ns: int | None) -> str:
    traced = say("traced", time=numbers.time(traced_ns))
    share = overhead_share(traced_ns, off_ns)
    if off_ns is None or share is None:
        return say("traced_alone", traced=traced)
    return say("traced_beside", traced=traced, off=numbers.time(off_ns), share=numbers.ratio(share))


def _absent_ranks(job: Job | None, width: int) -> list[str]:
    if job is None or not job.missing:
        return []
    missing = ranges(job.missing)
    if job.least:
        missing = say("ranks_told", ranks=missing)
    here = job.ranks - len(job.missing)
    sentence = say("ranks_absent", here=here, size=job.size, missing=missing)
    return [*wrapped(sentence, width), ""]


def _noticed(findings: Sequence[HealthRow], terminal: Terminal, width: int) -> Iterator[str]:
    """List what the reader noticed, one line for each kind."""
    yield rule(
        say("noticed"),
        say("noticed_all"),
        width,
        ascii_level=terminal.ascii_level,
    )
    kinds: defaultdict[tuple[str, str], list[HealthRow]] = defaultdict(list)
    for finding in findings:
        kinds[finding.severity, finding.name].append(finding)
    if not kinds:
        yield say("noticed_nothing")
    for (severity, name), group in kinds.items():
        # Lines are cut by cells, so what is cut has to be clean already.
        count = sum(finding.count_ or 1 for finding in group)
        first = group[0]
        files = len({(finding.rank, finding.file) for finding in group})
        where = clean(first.file or "") if files == 1 else say("in_files", count=files)
        if files == 1 and first.first_offset:
            where = say("from_byte", where=where, at=f"{first.first_offset:,}")
        line = f"{clean(severity):<9}  {numbers.count(count):>7}  {clean(name)}  {where}"
        yield terminal.text(cut(line, width))
        if first.sample:
            yield terminal.text(cut(f"{'':20}{clean(first.sample)}", width))
    yield ""


def _missing(
    remedies: Sequence[tuple[HealthRow, str | None]],
    all_ranks: int,
    terminal: Terminal,
    width: int,
) -> Iterator[str]:
    """List what is missing, with the line that would collect it."""
    yield rule(say("missing_here"), "", width, ascii_level=terminal.ascii_level)
    ranks: defaultdict[tuple[str, str, str | None], list[int]] = defaultdict(list)
    for finding, line in remedies:
        sentence = untold_words(finding.name, finding.sample)
        ranks[finding.name, sentence, line].append(finding.rank)
    if not ranks:
        yield say("missing_nothing")
    for (_, what, line), where in ranks.items():
        numbers_of = ", ".join(map(str, where))
        every = len(where) == all_ranks
        sentence = what if every else say("of_some_ranks", what=what, ranks=numbers_of)
        yield from wrapped(terminal.text(sentence), width)
        if line is not None:
            # The line is to be copied: never broken, never cut.
            yield f"  {line}"
