"""``npuview info``: what a profile is, what it holds, what is missing and how to collect it."""

import click

from ...queries.catalog import shipped_queries
from ...queries.query import AnswerColumn
from ...queries.rows import HealthRow, ProfilesRow, StepsRow
from ...queries.rows_collection import CollectionRow, JobRanksRow, KernelSpacingRow
from ...queries.session import Session
from ..overview.collection import cut_off_timelines, remedy
from ..overview.job import job_of
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.info_text import Collected, Holding, info_lines
from ..text.output import write_answer, write_lines
from ..user.run_card import card_of
from .opening import damage_status, session_on
from .options import Source, destination_options, language_option, source_options
from .profile_command import ProfileCommand


@click.command("info", cls=ProfileCommand)
@source_options
@language_option
@destination_options
def info_command(source: Source, destination: Destination) -> int:
    """Tell what was found, what is missing, and which switch would collect it.

    csv, json and parquet have a row for each finding of the reader and each thing
    that is missing, with the line that would collect it.
    """
    with session_on(source) as session:
        profiles = session.run(shipped_queries()["profiles"]).as_(ProfilesRow)
        health = session.run(shipped_queries()["health"])
        findings = health.as_(HealthRow)
        if destination.format == "table":
            collected, terminal = _collected(session), destination.terminal
            lines = info_lines(profiles, _holdings(session), findings, collected, terminal)
            write_lines(lines, destination)
        else:
            columns = (*health.columns, AnswerColumn("remedy", "VARCHAR"))
            by_rank, cut_off = {one.rank: one for one in profiles}, cut_off_timelines(findings)
            rows = [
                (
                    *row,
                    remedy(finding.name, by_rank[finding.rank], cut_off)
                    if finding.kind == "missing"
                    else None,
                )
                for row, finding in zip(health.rows, findings, strict=True)
            ]
            write_answer(Answer(columns, rows), destination)
        return damage_status(session, allow_damaged=source.allow_damaged)


def _collected(session: Session) -> Collected:
    collection, spacing, ranks, steps = (
        session.run(shipped_queries()[name])
        for name in ("collection", "kernel_spacing", "job_ranks", "steps")
    )
    here = [one.rank for one in session.store.ranks]
    return Collected(
        collection.as_(CollectionRow),
        spacing.as_(KernelSpacingRow),
        job_of(ranks.as_(JobRanksRow), here),
        steps.as_(StepsRow),
        card_of(session.store.path),
    )


def _holdings(session: Session) -> dict[int, Holding]:
    return {
        rank.rank: Holding(
            rank.manifest.tables, sum(file.bytes for file in rank.manifest.files.values())
        )
        for rank in session.ranks
    }
