"""``npuview findings``: what stands out, by what it could gain, with evidence."""

from itertools import islice

import click

from ...queries.catalog import shipped_queries
from ...queries.findings import Finding, symptoms
from ...queries.rows import ProfilesRow
from ...queries.rules import load_rules, user_rules
from ...queries.session import Session
from ..overview.overview_answers import ask_findings
from ..places import parse_order
from ..text.columns import Answer
from ..text.finding_text import COLUMNS, SYMPTOM_COLUMNS, Reading, finding_lines
from ..text.narration import note
from ..text.output import write_answer, write_lines
from ..words.spoken import spoken
from .opening import check_step, damage_status, first_instant, session_on
from .options import (
    Presentation,
    Source,
    language_option,
    presentation_options,
    source_options,
)
from .profile_command import ProfileCommand

ROWS_OF_A_LIST = 20
"""Findings of a table, unless --limit says otherwise."""


@click.command("findings", cls=ProfileCommand)
@source_options
@click.option("--step", type=int, metavar="N", help="Only this step.")
@click.option(
    "--symptoms",
    "of_symptoms",
    is_flag=True,
    help="The five symptoms instead: pass, fail, unknown.",
)
@language_option
@presentation_options
def findings_command(
    source: Source,
    presentation: Presentation,
    step: int | None,
    *,
    of_symptoms: bool,
) -> int:
    """Say what stands out: what is at stake, the evidence for it, and what to try.

    Times are upper bounds, and those of one question overlap. Without --step they are of
    all steps that are no warm-up. $XDG_CONFIG_HOME/npuview/rules.toml changes thresholds
    and switches rules off. csv, json and parquet have every field.
    """
    book = load_rules(user_rules())
    with session_on(source) as session:
        if step is not None:
            check_step(session, step)
        found = ask_findings(session, book, step=step)
        reading = reading_of(session)
        if of_symptoms:
            rows = [reading.symptom_row(row) for row in symptoms(found, book)]
            write_answer(Answer(SYMPTOM_COLUMNS, rows), presentation.destination)
        else:
            _write(found, reading, presentation)
        return damage_status(session, allow_damaged=source.allow_damaged)


def reading_of(session: Session) -> Reading:
    """Return for whom findings of a session are written; places count from its start."""
    profiles = session.run(shipped_queries()["profiles"]).as_(ProfilesRow)
    by_rank = {profile.rank: profile for profile in profiles}
    return Reading(spoken(), by_rank, first_instant(session))


def _write(found: list[Finding], reading: Reading, presentation: Presentation) -> None:
    if presentation.sort is not None:
        found = _ordered(found, reading, presentation.sort)
    is_table = presentation.destination.format == "table"
    limit = presentation.limit
    if limit is None and is_table:
        limit = ROWS_OF_A_LIST
    shown = list(islice(found, limit or None))
    if is_table:
        write_lines(
            finding_lines(shown, reading, presentation.destination.terminal),
            presentation.destination,
        )
    else:
        rows = [reading.row(one) for one in shown]
        write_answer(Answer(COLUMNS, rows), presentation.destination)
    if len(shown) < len(found):
        note(f"{len(shown)} of {len(found)} findings are shown; --limit 0 shows all")


def _ordered(found: list[Finding], reading: Reading, sort: str) -> list[Finding]:
    """Return findings in the order of a column, those without a value last."""
    names = tuple(column.name for column in COLUMNS)
    order = parse_order(sort, names)
    values = [(reading.row(one)[names.index(order.column)], one) for one in found]
    known = [(value, one) for value, one in values if value is not None]
    known.sort(
        key=lambda pair: (pair[0], "") if isinstance(pair[0], int | float) else (0, str(pair[0])),
        reverse=order.descending,
    )
    return [one for _, one in known] + [one for value, one in values if value is None]
