"""The commands that ask one question of the catalogue each, such as steps, top and gaps.

Their options are the parameters of the question, so a parameter that is added to a
question is an option here at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import click

from ...queries.catalog import load_catalog, shipped_queries, user_presets
from ...queries.query import Parameter, Query
from ...queries.session import Session
from ..output import note
from ..places import parse_place
from ..table_text import Style
from .asking import Asked, ask
from .opening import check_step, damage_status, session_on, start_of
from .options import Presentation, Source, presentation_options, source_options

ROWS_OF_A_LIST = 20
"""Rows of a table that is a ranking, unless --limit says otherwise."""

_PLACES = {"from_ts": "from", "to_ts": "to"}
"""Parameters that are instants, and the options that take them as places in time."""

_TYPES = {"BIGINT": click.INT, "INTEGER": click.INT, "DOUBLE": click.FLOAT, "BOOLEAN": click.BOOL}

_NO_OPTION = frozenset({"rank", "limit"})
"""Parameters that every command takes in its own way."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A command: the question it asks, and what a table shows of the answer.

    Other formats have every column and, without --limit, every row.
    """

    query: str
    table: tuple[str, ...]
    bar: str | None = None
    compared: bool = False
    rows: int | None = None


def answer(
    session: Session,
    listing: Listing,
    presentation: Presentation,
    given: Mapping[str, object] | None = None,
) -> None:
    """Ask a listing's question with the parameters that were given."""
    query = load_catalog(user=user_presets())[listing.query]
    if query.replaces:
        note(f"{query.name} is your own preset, in place of npuview's")
    params = {name: value for name, value in (given or {}).items() if value is not None}
    for name in params.keys() & _PLACES.keys():
        params[name] = parse_place(str(params[name])).absolute(start_of(session))
    if isinstance(step := params.get("step"), int):
        check_step(session, step)
    style = Style(compared=listing.compared, bar=listing.bar)
    ask(session, Asked(query, params, listing.table, style, listing.rows), presentation)


def _command(name: str, listing: Listing) -> click.Command:
    query = shipped_queries()[listing.query]

    @source_options
    @presentation_options
    def asked(source: Source, presentation: Presentation, **given: object) -> int:
        with session_on(source) as session:
            answer(session, listing, presentation, given)
            return damage_status(session, allow_damaged=source.allow_damaged)

    command = click.command(name, help=_help(query))(asked)
    command.params[1:1] = [_option(one) for one in query.params if one.name not in _NO_OPTION]
    return command


def _help(query: Query) -> str:
    return (
        f"{query.title}.\n\n{query.about}\n\n"
        f"The same question as npuview sql PATH --preset {query.name}. A table shows the main"
        " columns, the other formats all of them."
    )


def _option(parameter: Parameter) -> click.Option:
    word = _PLACES.get(parameter.name, parameter.name.replace("_", "-"))
    about = parameter.about[:1].upper() + parameter.about[1:]
    if parameter.name in _PLACES:
        about = f"{about.removesuffix(', ns')}: absolute ns, or 1.2ms from the start"
    if parameter.default is not None:
        about = f"{about}; default {parameter.default}"
    type_ = None if parameter.name in _PLACES else _TYPES.get(parameter.type or "VARCHAR")
    return click.Option(
        [f"--{word}", parameter.name], type=type_, metavar=word.upper(), help=f"{about}."
    )


LISTINGS = {
    "steps": Listing(
        "steps",
        (
            "rank",
            "step",
            "ts",
            "dur",
            "from_median_ns",
            "host_dur",
            "device_dur",
            "computing",
            "communication_not_overlapped",
            "free",
            "figures_source",
        ),
        bar="dur",
        compared=True,
    ),
    "ledger": Listing(
        "ledger",
        ("rank", "device_id", "step", "state", "cause", "dur", "period_share"),
        bar="dur",
    ),
    "top": Listing(
        "top",
        ("rank", "name", "count", "total", "period_share", "avg", "max", "min", "core", "type"),
        bar="total",
        rows=ROWS_OF_A_LIST,
    ),
    "gaps": Listing(
        "gaps",
        (
            *("rank", "device_id", "step", "ts", "dur", "period_share", "cause"),
            *("prev_name", "next_name"),
        ),
        bar="dur",
        rows=ROWS_OF_A_LIST,
    ),
    "waits": Listing(
        "waits",
        (
            *("rank", "device_id", "step", "kind", "name", "count", "total", "longest"),
            *("period_share", "last_peer"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
    ),
    "copies": Listing(
        "copies",
        (
            *("rank", "device_id", "step", "task_type", "name", "count", "total", "longest"),
            "period_share",
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
    ),
    "comm": Listing(
        "collectives",
        (
            *("rank", "device_id", "step", "name", "bytes", "dur", "transfer_ns", "wait_ns"),
            *("last_peer", "last_peer_wait_ns", "bytes_per_s", "ts"),
        ),
        bar="dur",
        rows=ROWS_OF_A_LIST,
    ),
}

steps_command = _command("steps", LISTINGS["steps"])
ledger_command = _command("ledger", LISTINGS["ledger"])
top_command = _command("top", LISTINGS["top"])
gaps_command = _command("gaps", LISTINGS["gaps"])
waits_command = _command("waits", LISTINGS["waits"])
copies_command = _command("copies", LISTINGS["copies"])
comm_command = _command("comm", LISTINGS["comm"])
