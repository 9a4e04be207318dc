"""``npuview baseline``: runs that are kept by name, to hold later ones against."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from statistics import median_low

import click

from ...ingest.baseline import (
    baseline_path,
    baseline_root,
    baselines_in,
    remove_baseline,
)
from ...ingest.cache import bytes_of
from ...ingest.errors import NpuviewError, StoreError
from ...ingest.reduced_store import save_baseline
from ...ingest.store import Store
from ...queries.catalog import shipped_queries
from ...queries.query import AnswerColumn
from ...queries.rows import StepsRow
from ...queries.session import Session
from ..draw import numbers
from ..draw.safe_text import clean
from ..report.markdown import escaped
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer, write_text
from ..user.run_card import RunCard
from .opening import damage_status, opened_session
from .options import Source, destination_options, force_option, source_options
from .pair import opened_side
from .sides import Sides, baseline_dir_option, card_beside, sides_options

COLUMNS = (
    AnswerColumn("name", "VARCHAR"),
    AnswerColumn("ranks", "INTEGER"),
    AnswerColumn("bytes", "BIGINT"),
    AnswerColumn("saved", "VARCHAR"),
    AnswerColumn("state", "VARCHAR"),
    AnswerColumn("source", "VARCHAR"),
)

TABLE_HEAD = ("config", "step ms", "change %", "remark")


@click.group("baseline")
def baseline_command() -> None:
    """Keep runs by name, to hold later ones against.

    A baseline holds what is compared of a run (steps, ledger, operators, sums of gaps,
    run card) and not its timeline. It stays when the profile and its store are gone.
    """


@baseline_command.command("save")
@click.argument("name")
@source_options
@baseline_dir_option
@force_option("Replace the baseline of that name.")
def save_command(source: Source, name: str, baseline_dir: Path | None, *, force: bool) -> int:
    """Keep the profile at PATH as the baseline NAME, with its run card."""
    place = baseline_path(baseline_root(baseline_dir), name)
    sides = Sides(source, baseline_dir)
    with opened_session(source) as (opened, session):
        save_baseline(opened.store, place, ranks=session.ranks, force=force)
        said = sides.card(opened.store).save(card_beside(place))
        if said is not None:
            raise NpuviewError(f"the run card cannot be kept: {said}")
        note(f"kept as {name}: {place} ({bytes_of(place):,} bytes)")
        return damage_status(session, allow_damaged=source.allow_damaged)


@baseline_command.command("list")
@baseline_dir_option
@destination_options
def list_command(baseline_dir: Path | None, destination: Destination) -> int:
    """List the baselines: ranks, size, when each was saved and of what."""
    root = baseline_root(baseline_dir)
    rows = [_described(place) for place in baselines_in(root)]
    write_answer(Answer(COLUMNS, rows), destination)
    if not rows:
        note(f"no baselines in {root}")
    return 0


@baseline_command.command("remove")
@click.argument("name")
@baseline_dir_option
def remove_command(name: str, baseline_dir: Path | None) -> int:
    """Remove the baseline NAME."""
    place = baseline_path(baseline_root(baseline_dir), name)
    size = remove_baseline(place)
    with suppress(FileNotFoundError):
        card_beside(place).unlink()
    note(f"removed {name} ({size:,} bytes)")
    return 0


@baseline_command.command("table")
@click.argument("words", nargs=-1, required=True, metavar="NAME|PATH…")
@sides_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=Destination().file,
    metavar="FILE",
    help="Write here; - is standard output, the default.",
)
def table_command(sides: Sides, words: Sequence[str], output: Path) -> int:
    """Print runs as a table in Markdown: config, step ms, change %, remark.

    A step is the median one without warm-up; its change is against the first run. config
    and remark are what npuview note keeps of a run.
    """
    rows: list[tuple[str, ...]] = []
    first: int | None = None
    status = 0
    for word in words:
        with opened_side(sides, word) as side:
            step = median_step(side.session)
            status = max(status, side.status)
        if not rows:
            first = step
        change = numbers.NOT_MEASURED if not rows else numbers.change(first, step)
        rows.append(
            (
                side.card.config or Path(word).name,
                numbers.NOT_MEASURED if step is None else _milliseconds(step),
                change.removesuffix(" %"),
                _remark(side.card),
            )
        )
    head, *lines = (f"| {' | '.join(map(_cell, line))} |" for line in (TABLE_HEAD, *rows))
    text = "\n".join([head, "| --- | ---: | ---: | --- |", *lines, ""])
    write_text(text, Destination(file=output))
    return status


def median_step(session: Session) -> int | None:
    """Return the period of the median step, ns: of several ranks the mean of each step.

    Warm-up does not count, unless there is nothing else. None without steps.
    """
    rows = session.run(shipped_queries()["steps"]).as_(StepsRow)
    timed = [row for row in rows if row.dur]
    working = [row for row in timed if row.warmup is not True]
    by_step: dict[int, list[int]] = {}
    for row in working or timed:
        by_step.setdefault(row.step, []).append(row.dur or 0)
    means = [sum(durs) // len(durs) for durs in by_step.values()]
    return median_low(means) if means else None


def _milliseconds(ns: int) -> str:
    return numbers.time_in(ns, numbers.MILLISECONDS).removesuffix(f" {numbers.MILLISECONDS.sign}")


def _remark(card: RunCard) -> str:
    off = card.profiler_off_ns
    without = None if off is None else f"{_milliseconds(off)} ms without a profiler"
    return "; ".join(part for part in (card.text, without) if part)


def _cell(text: str) -> str:
    return escaped(clean(text))


def _described(place: Path) -> tuple[object, ...]:
    saved = f"{datetime.fromtimestamp(place.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
    try:
        store = Store.open(place, touch=False)
    except StoreError as error:
        return place.name, None, bytes_of(place), saved, str(error), None
    ranks, source = len(store.ranks), store.source
    store.close()
    return place.name, ranks, bytes_of(place), saved, "ready", source
