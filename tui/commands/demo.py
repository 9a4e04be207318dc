"""``npuview demo``: the app on a made-up profile that leaves nothing behind."""

import tempfile
from pathlib import Path

import click

from ...ingest.sample import SCENARIOS, write_sample
from ..compare.against import Against, OtherRun
from ..process.display import check_terminal
from ..start import Start
from ..user.config import load_config
from .open import no_mouse_option, options_given, show
from .options import Source, ascii_option, language_option
from .sides import Sides
from .source import open_source


@click.command("demo")
@click.option(
    "--scenario",
    type=click.Choice(list(SCENARIOS)),
    default=next(iter(SCENARIOS)),
    show_default=True,
    help="Which story the made-up profile tells.",
)
@ascii_option
@language_option
@no_mouse_option
def demo_command(scenario: str, *, ascii_level: bool, no_mouse: bool) -> int:
    """Show npuview on a made-up profile.

    The profile and its store lie in a temporary directory that is removed afterwards.
    """
    check_terminal()
    config = load_config(options_given(ascii_level=ascii_level, no_mouse=no_mouse))
    with tempfile.TemporaryDirectory(prefix="npuview-demo-") as name:
        directory = Path(name)
        source = Source(write_sample(directory, scenario), cache_dir=directory / "cache")
        opened, sides = open_source(source), Sides(source)
        own = OtherRun("demo", opened.store, sides.card(opened.store))
        against = Against(own, sides.opened)
        return show(opened, source, config, Start(), remember=False, against=against)
