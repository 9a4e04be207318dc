"""``npuview note``: what a person knows of a run that no profile can hold."""

from dataclasses import replace

import click

from ...ingest.errors import NpuviewError, UsageError
from ...queries.catalog import shipped_queries
from ...queries.query import AnswerColumn
from ...queries.rows import StepsRow
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer
from ..user.run_card import (
    TEXT_FIELDS,
    RunCard,
    card_of,
    keep_card,
    line_typed,
    milliseconds_typed,
    overhead_share,
)
from .opening import damage_status, session_on
from .options import Source, destination_options, source_options
from .profile_command import ProfileCommand

COLUMNS = (
    AnswerColumn("rank", "INTEGER"),
    AnswerColumn("profiler_off_ns", "BIGINT"),
    AnswerColumn("step_ns", "BIGINT"),
    AnswerColumn("overhead_share", "DOUBLE"),
    *(AnswerColumn(name, "VARCHAR") for name in TEXT_FIELDS),
)


class Milliseconds(click.ParamType[int]):
    """A time in ms, with as many decimals as ns have, as whole ns."""

    name = "ms"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return ns; fail for what is no time above 0."""
        try:
            return milliseconds_typed(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Line(click.ParamType[str]):
    """A line of text that a person keeps."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the line, empty for none; fail for more than is kept."""
        try:
            return line_typed(str(value)) or ""
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command("note", cls=ProfileCommand)
@source_options
@click.option(
    "--profiler-off-ms",
    "profiler_off_ns",
    type=Milliseconds(),
    metavar="MS",
    help="What a step takes when no profiler is on, measured by the program itself.",
)
@click.option("--config", type=Line(), metavar="TEXT", help="How the run was set up.")
@click.option("--batch", type=Line(), metavar="TEXT", help="What a step works on: its batch.")
@click.option("--text", type=Line(), metavar="TEXT", help="Whatever else is worth knowing.")
@click.option("--clear", is_flag=True, help="Forget all that was typed in.")
@destination_options
def note_command(
    source: Source,
    profiler_off_ns: int | None,
    destination: Destination,
    *,
    clear: bool,
    **texts: str | None,
) -> int:
    """Keep what you know of a run, and show what collecting costs.

    It is kept beside the places that you were at in this profile; what is not named stays,
    and an empty TEXT forgets one field. Until it is known what a step takes without a
    profiler, a verdict that the run is bound by its host is provisional.
    """
    typed = {name: line or None for name, line in texts.items() if line is not None}
    if clear and (profiler_off_ns is not None or typed):
        raise UsageError("--clear forgets all: nothing to keep goes with it")
    with session_on(source) as session:
        store = session.store.path
        before = card_of(store)
        off = before.profiler_off_ns if profiler_off_ns is None else profiler_off_ns
        card = RunCard() if clear else replace(before, profiler_off_ns=off, **typed)
        if clear or profiler_off_ns is not None or typed:
            said = keep_card(store, card)
            if said is not None:
                raise NpuviewError(f"the note cannot be kept: {said}")
        card = card_of(store)
        off, lines = card.profiler_off_ns, tuple(getattr(card, name) for name in TEXT_FIELDS)
        steps = session.run(shipped_queries()["steps"]).as_(StepsRow)
        medians = {step.rank: step.median for step in steps if step.kind != "run"}
        ranks = (one.rank for one in session.ranks)
        rows = [
            (rank, off, medians.get(rank), overhead_share(medians.get(rank), off), *lines)
            for rank in ranks
        ]
        write_answer(Answer(COLUMNS, rows), destination)
        if off is None:
            note("not known yet: --profiler-off-ms MS; a host-bound verdict is provisional")
        return damage_status(session, allow_damaged=source.allow_damaged)
