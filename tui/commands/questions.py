"""The commands that ask one question of the catalogue each, such as steps, top and gaps.

Their options are the parameters of the question, so a parameter that is added to a
question is an option here at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import click

from ...ingest.errors import UsageError
from ...queries.catalog import load_catalog, shipped_queries, user_presets
from ...queries.query import Parameter, Query, is_instant
from ...queries.rules import load_rules, user_rules
from ...queries.session import Session
from ..places import is_length
from ..text.narration import note
from ..text.table_text import Style
from .asking import Asked, ask
from .opening import check_step, damage_status, session_on
from .options import Presentation, Source, presentation_options, source_options
from .profile_command import ProfileCommand

ROWS_OF_A_LIST = 20
"""Rows of a table that is a ranking, unless --limit says otherwise."""

_WORDS = {"from_ts": "from", "to_ts": "to"}
"""Parameters that have another name as an option."""

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
    where_known: frozenset[str] = frozenset()
    """Columns that a table shows only where a row has a value in them."""
    tables_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Other columns that a table shows, by the value of the parameter ``by``."""
    stats: tuple[str, ...] = ()
    """Columns of the table of which --stat shows only some."""
    threshold_of: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameters that are, unless given, the threshold of their name of a rule in force."""
    remark: str = ""
    """What a reader of the table has to know, said on standard error."""


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
    if isinstance(step := params.get("step"), int):
        check_step(session, step)
    if wanted := listing.threshold_of.keys() - params.keys():
        book = load_rules(user_rules())
        rules = {rule.name: rule for rule in book.rules}
        params |= {name: book.value(rules[listing.threshold_of[name]], name) for name in wanted}
    style = Style(compared=listing.compared, bar=listing.bar)
    table = listing.tables_by.get(str(params.get("by")), listing.table)
    asked = Asked(query, params, table, style, listing.rows, listing.where_known)
    ask(session, asked, presentation)
    if listing.remark and presentation.destination.format == "table":
        note(listing.remark)


def _command(name: str, listing: Listing) -> click.Command:
    query = shipped_queries()[listing.query]

    @source_options
    @presentation_options
    def asked(source: Source, presentation: Presentation, **given: object) -> int:
        shown = _with_stats(listing, given.pop("stat", None))
        with session_on(source) as session:
            answer(session, shown, presentation, given)
            return damage_status(session, allow_damaged=source.allow_damaged)

    command = click.command(name, cls=ProfileCommand, help=_help(query))(asked)
    options = [_option(one) for one in query.params if one.name not in _NO_OPTION]
    if listing.stats:
        listed = ",".join(listing.stats)
        about = f"Only these columns of {listed} in a table, separated by commas."
        options.append(click.Option(["--stat"], metavar="STAT,…", help=about))
    command.params[1:1] = options
    return command


def _with_stats(listing: Listing, given: object) -> Listing:
    """Return the listing with those of its statistics that were asked for, in their order."""
    if given is None:
        return listing
    wanted = str(given).split(",")
    for name in wanted:
        if name not in listing.stats:
            raise UsageError(f"no statistic {name!r}; there are {', '.join(listing.stats)}")
    first = listing.table.index(listing.stats[0])
    others = [name for name in listing.table if name not in listing.stats]
    table = (*others[:first], *wanted, *others[first:])
    return replace(listing, table=table, bar=listing.bar if listing.bar in table else None)


def _help(query: Query) -> str:
    return (
        f"{query.title}.\n\n{query.about}\n\n"
        f"The same question as npuview sql PATH --preset {query.name}. A table shows the main"
        " columns, the other formats all of them."
    )


def _option(parameter: Parameter) -> click.Option:
    name = parameter.name
    word = _WORDS.get(name, name.replace("_", "-"))
    about = parameter.about[:1].upper() + parameter.about[1:]
    metavar: str | None = word.upper()
    type_: click.ParamType[Any] | None = _TYPES.get(parameter.type or "VARCHAR")
    if is_instant(name) or is_length(name):
        type_, metavar = None, "T"
        sizes = "absolute ns, or 1.2ms from the start" if is_instant(name) else "ns, or 1.2ms"
        about = f"{about.removesuffix(', ns')}: {sizes}"
    elif parameter.words:
        type_, metavar = click.Choice(parameter.words), None
    if parameter.default not in {None, False}:
        about = f"{about}; default {parameter.default}"
    if parameter.default is False:
        return click.Option([f"--{word}", name], is_flag=True, default=None, help=f"{about}.")
    return click.Option([f"--{word}", name], type=type_, metavar=metavar, help=f"{about}.")


_SUMS = (
    *("count", "total", "period_share", "kernel_share", "avg", "p50", "p95", "max", "min"),
    *("spread", "cumulative_share"),
)
"""What a table tells of operators, whatever they are grouped by."""

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
            "warmup_by",
        ),
        bar="dur",
        compared=True,
        where_known=frozenset({"warmup_by"}),
    ),
    "iters": Listing(
        "iterations",
        (
            *("rank", "kind", "part", "count", "outliers", "p50", "p90", "p99", "max", "total"),
            *("tokens", "tokens_per_s", "main_cause", "no_work_ns", "slowest_step"),
        ),
        bar="p50",
        stats=("p50", "p90", "p99", "max", "total"),
        remark="a gap is from the last task of an iteration to the first of the next; time without"
        " a request is no part of it",
    ),
    "ledger": Listing(
        "ledger",
        ("rank", "device_id", "step", "state", "cause", "dur", "period_share"),
        bar="dur",
    ),
    "phases": Listing(
        "phases",
        (
            *("rank", "device_id", "step", "phase", "dur", "period_share"),
            *("computing", "waiting", "moving", "idle", "main_cause"),
        ),
        bar="dur",
    ),
    "causes": Listing(
        "causes",
        (
            *("rank", "device_id", "state", "place", "cause", "stage", "name", "count"),
            *("total", "period_share", "p50", "p95", "longest"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
        where_known=frozenset({"place", "stage", "name"}),
    ),
    "top": Listing(
        "top",
        ("rank", "name", *_SUMS, "core", "type"),
        tables_by={
            "type": ("rank", "type", "core", *_SUMS, "names"),
            "core": ("rank", "core", *_SUMS, "names"),
            "shape": ("rank", "type", "input_shapes", *_SUMS, "core"),
            "dtype": ("rank", "type", "input_dtypes", *_SUMS, "core"),
            "stream": ("rank", "stream_id", *_SUMS, "names"),
        },
        bar="total",
        rows=ROWS_OF_A_LIST,
        where_known=frozenset({"p50", "p95"}),
    ),
    "aicore": Listing(
        "aicore",
        (
            *("rank", "type", "core", "count", "total", "kernel_share", "bound", "busiest_ratio"),
            *("mac_ratio", "vec_ratio", "mte1_ratio", "mte2_ratio", "mte3_ratio", "fixpipe_ratio"),
            *("scalar_ratio", "memory_bound", "memory_bound_ns", "side"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
        remark="bound is the busiest unit from --least-ratio of the core's time on, 80 % unless"
        " given; what has no shares was not measured: npuview collect-hint units",
    ),
    "fusion": Listing(
        "fusion_candidates",
        (
            *("rank", "pattern", "types", "count", "total", "gap_ns", "least_ns", "most_ns"),
            *("bytes", "fp32", "unaligned", "beside", "graph", "longest_ts", "fused"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
        threshold_of={"bytes_per_s": "unfused"},
        remark="one kernel saves about least_ns, the gaps, up to most_ns with the traffic of bytes;"
        " most_ns needs shapes and the chip in rules.toml or --bytes-per-s. fp32, unaligned and"
        " beside count the runs in which that may be in the way; graph is what fusion_op.csv says;"
        " whether the kernel is registered for the framework cannot be told",
    ),
    "gaps": Listing(
        "gaps",
        (
            *("rank", "device_id", "step", "ts", "dur", "period_share"),
            *("cause", "prev_name", "next_name"),
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
        remark="waits run beside other work; the ledger counts only what nothing else covers",
    ),
    "copies": Listing(
        "copies",
        (
            *("rank", "step", "direction", "task_type", "name", "count", "total", "longest"),
            *("period_share", "exposed_ns", "bytes", "bytes_per_s", "blocking", "staging_ns"),
        ),
        bar="total",
        rows=ROWS_OF_A_LIST,
    ),
    "comm": Listing(
        "collectives",
        (
            *("rank", "device_id", "step", "name", "bytes", "dur", "transfer_ns", "wait_ns"),
            *("last_peer", "bytes_per_s", "last_peer_wait_ns", "ts", "last_number"),
        ),
        bar="dur",
        rows=ROWS_OF_A_LIST,
        remark="wait_ns is all of a collective in which its planes only wait, also while kernels"
        " compute; findings and the ledger count only stretches that nothing else covers",
    ),
    "ranks": Listing(
        "ranks",
        (
            *("rank", "collected", "step_ns", "late_ns", "times_last", "waiting", "waiting_share"),
            *("idle", "idle_share", "collective_unsplit", "least_wait_ns", "source"),
            *("group", "number"),
        ),
        bar="late_ns",
        remark="late_ns is how much later than the first a rank came to collectives in all, of one"
        " that is not collected by what others waited; least_wait_ns is what even the last one here"
        " waited for ranks that are not",
    ),
}

steps_command = _command("steps", LISTINGS["steps"])
iters_command = _command("iters", LISTINGS["iters"])
ledger_command = _command("ledger", LISTINGS["ledger"])
phases_command = _command("phases", LISTINGS["phases"])
causes_command = _command("causes", LISTINGS["causes"])
top_command = _command("top", LISTINGS["top"])
aicore_command = _command("aicore", LISTINGS["aicore"])
fusion_command = _command("fusion", LISTINGS["fusion"])
gaps_command = _command("gaps", LISTINGS["gaps"])
waits_command = _command("waits", LISTINGS["waits"])
copies_command = _command("copies", LISTINGS["copies"])
comm_command = _command("comm", LISTINGS["comm"])
ranks_command = _command("ranks", LISTINGS["ranks"])
