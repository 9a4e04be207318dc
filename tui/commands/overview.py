"""``npuview overview``: the overview of a profile as text."""

from collections.abc import Callable
from itertools import chain, islice, starmap
from typing import TypeVar

import click

from ...queries.catalog import shipped_queries
from ...queries.rows import (
    GapsRow,
    GapSummaryRow,
    HealthRow,
    IterationsRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    TopRow,
)
from ...queries.rows_collection import JobRanksRow
from ...queries.rows_stall import CausesRow, PhasesRow, ReconciliationRow
from ...queries.rules import load_rules, user_rules
from ...queries.session import Session
from ..overview.job import job_of
from ..overview.overview_answers import ask_findings
from ..overview.overview_facts import Facts
from ..text.destination import Destination
from ..text.output import write_lines
from ..text.overview_text import Found, overview_lines
from .asking import Asked, ask
from .findings import reading_of
from .opening import check_step, damage_status, session_on
from .options import (
    Presentation,
    Source,
    destination_options,
    language_option,
    source_options,
)
from .profile_command import ProfileCommand

RowType = TypeVar("RowType")

MOST_OPERATORS = 5
MOST_GAPS = 5


@click.command("overview", cls=ProfileCommand)
@source_options
@click.option("--step", type=int, metavar="N", help="Only this step.")
@language_option
@destination_options
def overview_command(source: Source, step: int | None, destination: Destination) -> int:
    """Show where the device is idle, where it waits and where it moves data.

    csv, json and parquet have a row for each step and device: the question overview.
    """
    with session_on(source) as session:
        if destination.format == "table":
            facts = gather(session, step)
            found = ask_findings(session, load_rules(user_rules()), step=step)
            told = Found(found, reading_of(session))
            write_lines(overview_lines(facts, destination.terminal, told), destination)
        else:
            if step is not None:
                check_step(session, step)
            asked = Asked(shipped_queries()["overview"], {"step": step})
            ask(session, asked, Presentation(destination))
        return damage_status(session, allow_damaged=source.allow_damaged)


def gather(session: Session, step: int | None = None) -> Facts:
    """Ask everything that the overview tells; raise UsageError for a step that is not there."""

    def answered(name: str, row_type: Callable[..., RowType], **params: object) -> list[RowType]:
        query = shipped_queries()[name]
        if any(parameter.name == "step" for parameter in query.params):
            params.setdefault("step", step)
        return session.run(query, params).as_(row_type)

    if step is not None:
        check_step(session, step)
    return Facts(
        profiles=answered("profiles", ProfilesRow),
        steps=answered("overview", OverviewRow),
        causes=answered("causes", CausesRow),
        operators=_operators(session, step),
        gaps=answered("gaps", GapsRow, limit=MOST_GAPS),
        gap_summary=answered("gap_summary", GapSummaryRow),
        peers=answered("peers", PeersRow),
        missing=[row for row in answered("health", HealthRow) if row.kind == "missing"],
        job=job_of(answered("job_ranks", JobRanksRow), (one.rank for one in session.store.ranks)),
        phases=answered("phases", PhasesRow),
        figures=answered("reconciliation", ReconciliationRow),
        iterations=answered("iterations", IterationsRow) if step is None else (),
    )


def _operators(session: Session, step: int | None) -> list[TopRow]:
    """Return the operators with the most time; collectives, which have no kernel_share, are none.

    The time of a collective is mostly that of waiting for others.
    """
    make: Callable[..., TopRow] = TopRow
    rows = chain.from_iterable(session.stream(shipped_queries()["top"], {"step": step}))
    operators = (one for one in starmap(make, rows) if one.kernel_share is not None)
    return list(islice(operators, MOST_OPERATORS))
