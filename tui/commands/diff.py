"""``npuview diff``: two runs side by side."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from ...ingest.errors import UsageError
from ...ingest.toml_file import read_toml
from ...queries.comparison import OperatorMap, compare
from ...queries.pair import PairSession, pair_queries
from ...queries.rows_compare import PairFiguresRow, PairSettingsRow
from ...queries.rules import load_rules, user_rules
from ..compare.compared import compared, with_noted
from ..compare.conclusions import Conclusion
from ..compare.finding_changes import finding_changes
from ..draw.safe_text import clean
from ..overview.overview_answers import ask_findings
from ..text.columns import Answer
from ..text.diff_text import diff_lines
from ..text.output import write_answer, write_lines
from .asking import Asked, ask
from .options import Presentation, presentation_options
from .pair import Pair, opened_pair
from .sides import Sides, sides_options

BY: dict[str, tuple[str, dict[str, str]]] = {
    "state": ("figures", {"by": "state"}),
    "state,cause": ("figures", {"by": "cause"}),
    "operator": ("operators", {"by": "type"}),
    "operator,name": ("operators", {"by": "name"}),
    "gap": ("gaps", {}),
    "reason": ("reasons", {"by": "type"}),
    "fusion": ("fusions", {}),
    "setting": ("settings", {}),
}
"""What --by asks: a question of two stores and its parameters."""

TABLES: dict[str, tuple[str, ...]] = {
    "figures": (
        *("figure", "cause", "base_dur", "test_dur", "difference", "change_share", "noise_ns"),
        *("verdict", "base_steps", "test_steps"),
    ),
    "operators": (
        *("name", "core", "base_dur", "test_dur", "difference", "change_share", "presence"),
        *("verdict", "parts", "base_count", "test_count", "base_avg_ns", "test_avg_ns"),
    ),
    "gaps": (
        *("scope", "cause", "base_longest_ns", "test_longest_ns", "base_dur", "test_dur"),
        *("difference", "change_share", "verdict", "base_count", "test_count"),
    ),
    "reasons": (
        *("what", "name", "core", "why", "difference", "calls_ns", "shapes_ns", "length_ns"),
        *("base_calls", "test_calls", "base_avg_ns", "test_avg_ns", "base_mhz", "test_mhz"),
    ),
}
"""Columns of a table; the other formats have all."""


class OperatorMapFile(click.ParamType[OperatorMap]):
    """A file that says which operators one stands for."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> OperatorMap:
        """Return what the file says; fail for one that is no map."""
        try:
            return read_map(Path(str(value)))
        except UsageError as error:
            self.fail(str(error), param, ctx)


def read_map(path: Path) -> OperatorMap:
    """Read a map of operators: a table [operators] of names, each with a name or a list.

    Raises UsageError, naming file and key, for anything else.
    """
    file = read_toml(path)
    if file is None:
        raise UsageError(f"{path}: no such file")
    read = file.table
    given = read.get("operators")
    if not isinstance(given, dict) or len(read) != 1:
        raise UsageError(f'{path}: write one table, [operators], such as Fused = ["Mul", "Add"]')
    mapped: dict[str, list[str]] = {}
    for name, parts in given.items():
        listed = [parts] if isinstance(parts, str) else parts
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise UsageError(f"{path}: operators.{clean(name)}: is no name and no list of names")
        mapped[name] = [str(one) for one in listed]
    return mapped


@click.command("diff")
@click.argument("words", nargs=2, metavar="A B")
@click.option(
    "--by",
    type=click.Choice(tuple(BY)),
    help="Rows of one kind instead of the whole; csv, json and parquet have state without it.",
)
@click.option("--op-prefix", "prefix", metavar="TEXT", help="Only operators that begin like this.")
@click.option("--step", type=int, metavar="N", help="Only this step of both, not their medians.")
@click.option(
    "--map",
    "mapped",
    type=OperatorMapFile(),
    metavar="FILE.toml",
    help='Operators that one stands for, as [operators] Fused = ["Mul", "Add"].',
)
@sides_options
@presentation_options
def diff_command(
    sides: Sides,
    presentation: Presentation,
    words: tuple[str, str],
    by: str | None,
    prefix: str | None,
    step: int | None,
    mapped: OperatorMap | None,
) -> int:
    """Show what changed from A to B, and whether it is more than noise.

    A and B are profiles, stores or names of baselines. Figures are those of the median
    step without warm-up. A difference counts where it passes three standard errors by the
    steps' own spread, and 1 % of the figure; that takes 3 steps on each side.
    """
    with opened_pair(sides, *words) as pair:
        if by is None and presentation.destination.format != "table":
            by = "state"
        if step is not None:
            check_steps(pair.session, step)
        if by is None:
            found = compare(pair.session, step=step, prefix=prefix, mapped=mapped)
            told = compared(*words, found, pair.base_card, pair.test_card)
            more = tuple(_finding_changes(pair, step))
            lines = diff_lines(told, presentation.destination.terminal, more)
            write_lines(lines, presentation.destination)
        elif by == "setting":
            query = pair_queries()["settings"]
            rows = pair.session.run(query).as_(PairSettingsRow)
            every = with_noted(rows, pair.base_card, pair.test_card)
            write_answer(Answer(query.columns, every), presentation.destination)
        else:
            name, given = BY[by]
            query = pair_queries()[name]
            values = given | {"step": step, "prefix": prefix, "map": json.dumps(mapped or {})}
            known = {one.name: values[one.name] for one in query.params if one.name in values}
            ask(pair.session, Asked(query, known, TABLES.get(name, ())), presentation)
        return pair.status


def _finding_changes(pair: Pair, step: int | None) -> Iterator[Conclusion]:
    """Yield which findings only one run has; none where one is a baseline, which has none."""
    if all(side.has_timeline for side in pair.sides):
        book = load_rules(user_rules())
        before, now = (ask_findings(side.session, book, step=step) for side in pair.sides)
        yield from finding_changes(before, now)


def check_steps(session: PairSession, step: int) -> None:
    """Raise UsageError for a step that one of two runs does not have."""
    rows = session.run(pair_queries()["figures"], {"step": step}).as_(PairFiguresRow)
    period = next(iter(rows), None)
    if period is None or not period.base_steps:
        raise UsageError(f"no step {step} in {session.base.source}")
    if not period.test_steps:
        raise UsageError(f"no step {step} in {session.store.source}")
