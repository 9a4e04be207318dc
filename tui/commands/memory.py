"""``npuview memory``: who holds device memory, when most, and what grows."""

from typing import Final

import click

from ...ingest.errors import UsageError
from ...queries.catalog import shipped_queries
from ...queries.rows import HealthRow, ProfilesRow
from ...queries.session import Session
from ..overview.collection import collecting
from ..places import parse_place
from ..text.narration import note
from .opening import damage_status, session_on, start_of
from .options import Presentation, Source, presentation_options, source_options
from .profile_command import ProfileCommand
from .questions import ROWS_OF_A_LIST, Listing, answer

COMPONENT: Final = "component"
OPERATOR: Final = "operator"

_HOLDERS = Listing(
    "memory_holders",
    (
        *("rank", "device_id", "component", "at_ts", "level_bytes", "name", "count", "held_bytes"),
        *("share", "largest_bytes", "ts", "release_ts", "step"),
    ),
    bar="held_bytes",
    rows=ROWS_OF_A_LIST,
    remark="a row without a name is what was taken before the profile began, or is not told",
)

LISTINGS: Final = {
    COMPONENT: Listing(
        "memory_peaks",
        (
            *("rank", "device_id", "source", "component", "key", "peak_bytes", "ts", "step"),
            *("phase", "reserved_bytes", "unused_bytes", "unused_share", "last_bytes"),
        ),
        rows=ROWS_OF_A_LIST,
    ),
    OPERATOR: _HOLDERS,
    "allocation": _HOLDERS,
    "step": Listing(
        "memory_steps",
        (
            *("rank", "device_id", "component", "step", "end_ts", "level_bytes", "growth_bytes"),
            *("peak_bytes", "kept_count", "kept_bytes", "kept_name", "slope_bytes"),
        ),
        bar="level_bytes",
    ),
    "kept": Listing(
        "memory_unreleased",
        (
            *("rank", "device_id", "component", "name", "count", "held_bytes", "share"),
            *("largest_bytes", "ts", "steps", "first_step", "last_step"),
        ),
        bar="held_bytes",
        rows=ROWS_OF_A_LIST,
        remark="these are held when the profile ends; what lives on, such as the optimizer's"
        " state, is among them",
    ),
    "call": Listing(
        "memory_stalls",
        (
            *("rank", "device_id", "name", "count", "total", "per_step", "period_share"),
            *("longest", "ts", "step", "calls", "calls_ns"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
    ),
    "time": Listing(
        "memory",
        ("rank", "source", "component", "key", "ts", "held_bytes", "samples"),
        rows=ROWS_OF_A_LIST,
    ),
}
"""What is asked for each value of --by."""

_HOLDING: Final = frozenset({OPERATOR, "allocation"})


@click.command("memory", cls=ProfileCommand)
@source_options
@click.option(
    "--by",
    type=click.Choice(tuple(LISTINGS)),
    help="component: peaks, the default; operator or allocation: who holds it at the peak or at"
    " --at; step: growth; kept: never given back; call: calls that the device waits for; time:"
    " the curve.",
)
@click.option(
    "--at",
    metavar="T",
    help="Who holds it at this instant: absolute ns, or 1.2ms from the start.",
)
@click.option("--component", metavar="NAME", help="Only this one: PTA, GE, APP, …")
@presentation_options
def memory_command(
    source: Source,
    presentation: Presentation,
    by: str | None,
    at: str | None,
    component: str | None,
) -> int:
    """Tell who holds the device's memory, when most is held, and what grows.

    The same questions as npuview sql PATH --preset memory_peaks, memory_holders,
    memory_steps, memory_unreleased, memory_stalls and memory. A table shows the main
    columns, the other formats all of them.
    """
    by = by or (COMPONENT if at is None else OPERATOR)
    if at is not None and by not in _HOLDING:
        raise UsageError(f"--at asks who holds memory then: --by {OPERATOR} or allocation")
    with session_on(source) as session:
        given: dict[str, object] = {}
        if by in _HOLDING:
            given["by"] = by
        if by != "call":
            given["component"] = component
        if at is not None:
            place = parse_place(at)
            given["at_ts"] = place.absolute(start_of(session) if place.relative else 0)
        answer(session, LISTINGS[by], presentation, given)
        _tell_uncollected(session)
        return damage_status(session, allow_damaged=source.allow_damaged)


def _tell_uncollected(session: Session) -> None:
    """Say of ranks without memory samples what would collect them."""
    rows = session.run(shipped_queries()["health"]).as_(HealthRow)
    without = [row.rank for row in rows if (row.kind, row.name) == ("missing", "memory")]
    profiles = session.run(shipped_queries()["profiles"]).as_(ProfilesRow)
    for profile in profiles:
        if profile.rank in without:
            line = collecting("memory", profile)
            how = f"; collect with: {line}" if line else ""
            note(f"rank {profile.rank}: memory was not collected{how}")
