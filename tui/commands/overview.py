"""``npuview PATH``: the overview of a profile as text."""

from collections.abc import Callable
from typing import TypeVar

import click

from ...queries.catalog import shipped_queries
from ...queries.rows import (
    GapsRow,
    GapSummaryRow,
    HealthRow,
    LedgerRow,
    OverviewRow,
    PeersRow,
    ProfilesRow,
    TopRow,
)
from ...queries.session import Session
from ..output import Destination, note, write_lines
from ..overview_text import Facts, overview_lines
from .opening import check_step, damage_status, session_on
from .options import Source, ascii_option, source_options

RowType = TypeVar("RowType")

MOST_OPERATORS = 5
MOST_GAPS = 5


class _Nameless(click.Command):
    """A command that is not called by a name, so its usage shows none."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 click's signature
        """Write the usage without a name."""
        formatter.write_usage("npuview", "[OPTIONS] PATH")


@click.command("open", cls=_Nameless)
@source_options
@click.option("--step", type=int, metavar="N", help="Only this step.")
@ascii_option
def open_command(source: Source, step: int | None, *, ascii_level: bool) -> int:
    """Show where the device is idle, where it waits and where it moves data."""
    with session_on(source) as session:
        show_overview(session, Destination(ascii_level=ascii_level), step)
        note("this is the overview as text; the app is not in this version")
        return damage_status(session, allow_damaged=source.allow_damaged)


def show_overview(session: Session, destination: Destination, step: int | None = None) -> None:
    """Write the overview of the opened ranks, or of one of their steps."""
    write_lines(overview_lines(gather(session, step), destination.terminal), destination)


def gather(session: Session, step: int | None = None) -> Facts:
    """Ask everything that the overview tells; raise UsageError for a step that is not there."""

    def ask(name: str, row_type: Callable[..., RowType], **params: object) -> list[RowType]:
        query = shipped_queries()[name]
        if any(parameter.name == "step" for parameter in query.params):
            params["step"] = step
        return session.run(query, params).as_(row_type)

    if step is not None:
        check_step(session, step)
    return Facts(
        profiles=ask("profiles", ProfilesRow),
        ranks_here=len(session.store.ranks),
        steps=ask("overview", OverviewRow),
        ledger=ask("ledger", LedgerRow),
        operators=ask("top", TopRow, limit=MOST_OPERATORS),
        gaps=ask("gaps", GapsRow, limit=MOST_GAPS),
        gap_summary=ask("gap_summary", GapSummaryRow),
        peers=ask("peers", PeersRow),
        missing=[row for row in ask("health", HealthRow) if row.kind == "missing"],
    )
