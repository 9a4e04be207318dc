"""``npuview check``: a gate for CI, which fails when a run is worse than it may be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path

import click

from ...ingest.errors import NpuviewError, UsageError
from ...ingest.read.op_statistic import OperatorSum, is_op_statistic, read_op_statistic
from ...queries.catalog import shipped_queries
from ...queries.comparison import OperatorMap, communicates, compare
from ...queries.judgement import (
    OPERATORS,
    Judgement,
    Thresholds,
    judge,
    judged,
    load_thresholds,
    metric_named,
    share_typed,
)
from ...queries.rows import TopRow
from ...queries.session import Session
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.judgement_text import COLUMNS, judgement_lines, junit
from ..text.narration import note
from ..text.output import write_answer, write_lines, write_text
from .diff import OperatorMapFile
from .options import Command, destination_options
from .pair import opened_pair, opened_side
from .sides import Sides, sides_options

EXIT_REGRESSION = 1


class Share(click.ParamType[float]):
    """A share such as 5% or 0.05."""

    name = "share"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the share; fail for anything else."""
        try:
            return share_typed(value if isinstance(value, float) else str(value))
        except ValueError:
            self.fail(f"{value}: no share such as 5% or 0.05", param, ctx)


@dataclass(frozen=True, slots=True)
class Gate:
    """What is judged and by which thresholds; ``metrics`` None where nothing names them."""

    thresholds: Thresholds
    metrics: tuple[str, ...] | None
    prefix: str | None = None
    mapped: OperatorMap | None = None


def gate_options(command: Command) -> Command:
    """Add what is judged and its thresholds; the command gets ``gate``."""

    @click.option(
        "--metric",
        "names",
        metavar="LIST",
        help="What is judged, such as period,wait_peer,idle: period, states of the ledger, gaps,"
        " longest_gap, operators. Without it what FILE.toml names, else period.",
    )
    @click.option(
        "--threshold",
        "file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE.toml",
        help='Shares by which figures may grow: max_regression = "5%", and tables [metrics] and'
        " [operators].",
    )
    @click.option(
        "--max-regression",
        "usual",
        type=Share(),
        metavar="SHARE",
        help="By which share what has no threshold of its own may grow; 5% without it.",
    )
    @click.option("--op-prefix", "prefix", metavar="TEXT", help="Only operators that begin so.")
    @click.option(
        "--map",
        "mapped",
        type=OperatorMapFile(),
        metavar="FILE.toml",
        help="Operators that one stands for, as for npuview diff.",
    )
    @wraps(command)
    def collected(
        *,
        names: str | None,
        file: Path | None,
        usual: float | None,
        prefix: str | None,
        mapped: OperatorMap | None,
        **rest: object,
    ) -> int:
        thresholds = Thresholds() if file is None else load_thresholds(file)
        if usual is not None:
            thresholds = replace(thresholds, usual=usual)
        metrics = None
        if names is not None:
            metrics = tuple(metric_named(word.strip()) for word in names.split(","))
        elif file is not None:
            metrics = thresholds.judged
        return command(gate=Gate(thresholds, metrics, prefix, mapped), **rest)

    return collected


@click.command("check")
@click.argument("path", metavar="PATH")
@click.option(
    "--against",
    required=True,
    metavar="NAME|PATH",
    help="A baseline, a profile, a store, or a plain op_statistic.csv.",
)
@gate_options
@click.option(
    "--junit",
    "junit_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT.xml",
    help="Write the judgements as JUnit XML too.",
)
@sides_options
@destination_options
def check_command(
    sides: Sides,
    gate: Gate,
    destination: Destination,
    path: str,
    against: str,
    junit_file: Path | None,
) -> int:
    """Fail when PATH is worse than what it is held against.

    A regression is a change for the worse beyond its threshold and beyond noise, by the
    spread of the steps; that takes 3 steps on each side. The metric operators judges each
    operator but collectives. One that only PATH has may stand for others: it is a
    regression where the step is worse too and it takes a larger share of the step than
    its threshold, which [operators] names; else it is listed as new and fails nothing.
    --map says what it stands for, and judges both together.

    Against an op_statistic.csv, which knows no steps, calls, total and mean time of each
    operator type are judged by threshold alone, and new ones are listed. Exits with 0
    without a regression, with 1 for one, or when nothing could be judged.
    """
    if is_op_statistic(Path(against)):
        judgements, status = _against_table(sides, gate, path, Path(against))
    else:
        judgements, status = _against_run(sides, gate, path, against)
    if destination.format == "table":
        write_lines(judgement_lines(judgements, destination.terminal), destination)
    else:
        write_answer(Answer(COLUMNS, [tuple(one) for one in judgements]), destination)
    if junit_file is not None:
        title = f"{path} against {against}"
        write_text(junit(judgements, title), Destination(file=junit_file))
    return _status(judgements, against) or status


def _status(judgements: list[Judgement], against: str) -> int:
    worse = [one.name for one in judgements if one.outcome == "regression"]
    unknown = sum(one.outcome == "unknown" for one in judgements)
    if worse:
        note(f"{len(worse)} of {len(judgements)} worse than {against} by more than allowed")
        return EXIT_REGRESSION
    if unknown == len(judgements):
        raise NpuviewError(f"nothing could be judged against {against}")
    if unknown:
        note(f"{unknown} of {len(judgements)} could not be judged")
    return 0


def _against_run(sides: Sides, gate: Gate, path: str, against: str) -> tuple[list[Judgement], int]:
    with opened_pair(sides, against, path) as pair:
        found = compare(pair.session, prefix=gate.prefix, mapped=gate.mapped)
        metrics = gate.metrics or gate.thresholds.judged
        return list(judge(found, metrics, gate.thresholds)), pair.status


def _against_table(sides: Sides, gate: Gate, path: str, table: Path) -> tuple[list[Judgement], int]:
    if gate.metrics is not None and gate.metrics != (OPERATORS,):
        raise UsageError(f"{table}: knows operators only; --metric operators, or none")
    with opened_side(sides, path) as side:
        if len(side.session.ranks) > 1:
            raise UsageError(f"{table} is of one rank and {path} of several: name --rank")
        now = _sums(side.session)
    before = read_op_statistic(table)
    if gate.prefix is not None:
        before = [one for one in before if one.type.startswith(gate.prefix)]
        now = [one for one in now if one.type.startswith(gate.prefix)]
    if {one[:2] for one in before}.isdisjoint(one[:2] for one in now):
        raise NpuviewError(f"nothing could be judged: {path} has no operator of {table}")
    return list(_judged_sums(before, now, gate.thresholds)), side.status


def _sums(session: Session) -> list[OperatorSum]:
    sums: dict[tuple[str, str | None], tuple[int, int]] = {}
    for row in session.run(shipped_queries()["top"]).as_(TopRow):
        if row.type:
            calls, total = sums.get((row.type, row.core), (0, 0))
            sums[row.type, row.core] = calls + row.count_, total + row.total
    return [OperatorSum(*key, *value) for key, value in sums.items()]


def _judged_sums(
    before: Iterable[OperatorSum], now: Iterable[OperatorSum], thresholds: Thresholds
) -> Iterator[Judgement]:
    """Judge calls, total and mean time of each operator of a table."""
    current = {(one.type, one.core): one for one in now}
    for one in before:
        name = one.type if one.core is None else f"{one.type} ({one.core})"
        limit = thresholds.of_operator(one.type)
        other = current.pop((one.type, one.core), OperatorSum(one.type, one.core, 0, 0))
        yield judged("operator", f"{name} calls", "calls", one.calls, other.calls, limit)
        yield judged("operator", f"{name} total", "ns", one.total, other.total, limit)
        if one.calls and other.calls:
            means = (one.total // one.calls, other.total // other.calls)
            yield judged("operator", f"{name} mean", "ns", *means, limit)
    for one in current.values():
        if communicates(one.core):
            continue
        name = one.type if one.core is None else f"{one.type} ({one.core})"
        limit = thresholds.of_operator(one.type)
        new = judged("operator", f"{name} total", "ns", 0, one.total, limit)
        yield new._replace(outcome="new", reason="new")
