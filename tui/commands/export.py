"""``npuview export``: a selection as JSON that Perfetto and chrome://tracing open."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from ...ingest.errors import UsageError
from ...queries.perfetto import ExportReport, export
from ...queries.selection import Scope, Selection, StepScope, SubtreeScope, TimeScope, WholeScope
from ...queries.session import Session
from ..draw import numbers
from ..places import parse_place
from ..text.destination import STANDARD_OUTPUT
from ..text.narration import note
from .opening import damage_status, session_on, start_of
from .options import Command, Source, force_option, source_options
from .profile_command import ProfileCommand


@dataclass(frozen=True, slots=True)
class ScopeWords:
    """What was typed to say how much is exported."""

    step: int | None
    from_text: str | None
    to_text: str | None
    slice_id: int | None
    everything: bool

    def scope(self, session: Session) -> Scope:
        """Return the one scope that was asked for; raise UsageError for none or several."""
        timed = self.from_text is not None or self.to_text is not None
        given = [self.step is not None, timed, self.slice_id is not None, self.everything]
        if sum(given) != 1:
            raise UsageError("choose one of --step N, --from T --to T, --slice ID and --all")
        if self.step is not None:
            return StepScope(self.step)
        if self.slice_id is not None:
            return SubtreeScope(self.slice_id)
        if self.everything:
            return WholeScope()
        return TimeScope(_instant(self.from_text, session), _instant(self.to_text, session))


def scope_options(command: Command) -> Command:
    """Add the options that say how much is exported; the command gets ``words``."""

    @click.option("--step", type=int, metavar="N", help="Everything of this step.")
    @click.option(
        "--from", "from_text", metavar="T", help="From here: absolute ns, or 1.2ms from the start."
    )
    @click.option("--to", "to_text", metavar="T", help="Up to here, likewise.")
    @click.option(
        "--slice", "slice_id", type=int, metavar="ID", help="This slice and what it launched."
    )
    @click.option("--all", "everything", is_flag=True, help="Everything.")
    @wraps(command)
    def collected(
        *,
        step: int | None,
        from_text: str | None,
        to_text: str | None,
        slice_id: int | None,
        everything: bool,
        **rest: object,
    ) -> int:
        words = ScopeWords(step, from_text, to_text, slice_id, everything)
        return command(words=words, **rest)

    return collected


@click.command("export", cls=ProfileCommand)
@source_options
@scope_options
@click.option("--lanes", metavar="REGEX", help="Only lanes whose 'process / thread' matches.")
@click.option("--clip", is_flag=True, help="Cut slices at the borders.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="OUT.json, or OUT.json.gz for a compressed file.",
)
@force_option("Replace FILE if it exists.")
def export_command(
    source: Source,
    words: ScopeWords,
    output: Path,
    *,
    lanes: str | None,
    clip: bool,
    force: bool,
) -> int:
    """Write a selection as Perfetto JSON.

    Choose one of --step, --from with --to, --slice and --all. Slices that reach over
    a border are taken whole unless --clip is given.
    """
    if output == STANDARD_OUTPUT:
        raise UsageError("an export needs a file: -o OUT.json or -o OUT.json.gz")
    with session_on(source) as session:
        selection = Selection(words.scope(session), source.rank, lanes, clip)
        note(f"{output}: {_sentence(export(session, selection, output, force=force))}")
        return damage_status(session, allow_damaged=source.allow_damaged)


def _instant(text: str | None, session: Session) -> int | None:
    return None if text is None else parse_place(text).absolute(start_of(session))


def _sentence(report: ExportReport) -> str:
    parts = [
        numbers.counted(report.slices, "slice"),
        numbers.counted(report.instants, "instant") if report.instants else "",
        numbers.counted(report.flows, "flow"),
        numbers.counted(report.counters, "counter sample") if report.counters else "",
        numbers.counted(report.tracks, "lane"),
        numbers.size(report.bytes),
        f"{numbers.counted(report.dropped_flow_ends, 'flow end')} without the other end left out"
        if report.dropped_flow_ends
        else "",
        f"add {report.offset_ns} ns to get the trace's own time",
    ]
    return ", ".join(part for part in parts if part)
