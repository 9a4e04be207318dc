"""``npuview demo``: everything on a made-up profile that leaves nothing behind."""

import tempfile
from pathlib import Path

import click

from ...ingest.sample import SCENARIOS, write_sample
from ..output import Destination, write_lines
from .opening import damage_status, session_on
from .options import Presentation, Source, ascii_option
from .overview import show_overview
from .questions import LISTINGS, answer

SHOWN = ("steps", "gaps", "top")
"""Commands whose answers follow the overview."""


@click.command("demo")
@click.option(
    "--scenario",
    type=click.Choice(list(SCENARIOS)),
    default=next(iter(SCENARIOS)),
    show_default=True,
    help="Which story the made-up profile tells.",
)
@ascii_option
def demo_command(scenario: str, *, ascii_level: bool) -> int:
    """Show npuview on a made-up profile.

    The profile and its store lie in a temporary directory that is removed afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="npuview-demo-") as name:
        directory = Path(name)
        source = Source(write_sample(directory, scenario), cache_dir=directory / "cache")
        destination = Destination(ascii_level=ascii_level)
        with session_on(source) as session:
            show_overview(session, destination)
            for command in SHOWN:
                write_lines(["", f"$ npuview {command} PATH"], destination)
                answer(session, LISTINGS[command], Presentation(destination))
            return damage_status(session, allow_damaged=False)
