"""``npuview report``: what stands out, with figures and pictures, in one file to hand on."""

from pathlib import Path

import click

from ...ingest.errors import UsageError
from ...queries.rules import load_rules, user_rules
from ..overview.overview_answers import ask_findings
from ..report.contents import Asked, Listed, report_of
from ..report.markdown import markdown
from ..report.web_page import web_page
from ..text.destination import STANDARD_OUTPUT, Destination
from ..text.narration import note
from ..text.output import write_text
from ..words.spoken import speaks
from .findings import reading_of
from .opening import check_step, damage_status, session_on
from .options import Source, language_option, source_options
from .overview import gather
from .profile_command import ProfileCommand
from .questions import LISTINGS

WRITERS = {".md": markdown, ".html": web_page}

TABLES = ("ledger", "phases", "causes", "steps", "top", "gaps", "waits", "comm", "copies", "ranks")
"""The commands whose tables a report has, in its order."""


@click.command("report", cls=ProfileCommand)
@source_options
@click.option("--step", type=int, metavar="N", help="Only this step.")
@language_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="OUT.md, or OUT.html for browsers; - prints Markdown.",
)
def report_command(source: Source, step: int | None, output: Path) -> int:
    """Write what stands out, with figures, tables and pictures of the timeline, in one file.

    Nothing else is needed to read it. Its figures are those of the commands that it names.
    """
    write = markdown if output == STANDARD_OUTPUT else WRITERS.get(output.suffix.lower())
    if write is None:
        raise UsageError(f"{output}: a report is OUT.md or OUT.html")
    with session_on(source) as session:
        if step is not None:
            check_step(session, step)
        asked = Asked(
            session=session,
            path=str(source.path),
            rank=source.rank,
            step=step,
            facts=gather(session, step),
            findings=ask_findings(session, load_rules(user_rules()), step=step),
            reading=reading_of(session),
            language=speaks(),
            listings=[
                Listed(name, one.query, one.table, compared=one.compared)
                for name, one in ((name, LISTINGS[name]) for name in TABLES)
            ],
        )
        write_text(write(report_of(asked)), Destination(file=output))
        if output != STANDARD_OUTPUT:
            note(f"{output}: written")
        return damage_status(session, allow_damaged=source.allow_damaged)
