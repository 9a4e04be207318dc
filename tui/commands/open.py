"""``npuview PATH``: the app on a profile."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...ingest.errors import StoreError, UsageError
from ..compare.against import Against, OtherRun
from ..places import parse_place
from ..process.display import Display, check_terminal, set_up_textual
from ..start import Start
from ..text.narration import speak_in_ascii
from ..user.config import Config, Value, load_config
from .options import Source, ascii_option, language_option, source_options
from .profile_command import ProfileCommand
from .sides import Sides, baseline_dir_option
from .source import open_source

if TYPE_CHECKING:
    from ...ingest.pipeline import Opened
    from ...ingest.store import Store

_STEP = re.compile(r"step\s*(?P<number>[0-9]{1,18})")


class _Nameless(ProfileCommand):
    """A command that is not called by a name, so its usage shows none."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 click's signature
        """Write the usage without a name."""
        formatter.write_usage("npuview", "[OPTIONS] PATH")


no_mouse_option = click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")


@click.command("open", cls=_Nameless)
@source_options
@click.option(
    "--at",
    metavar="PLACE",
    help='Begin at a step ("step 12") or an instant: ns in the trace\'s clock, or a time'
    " from the start such as 1.2ms.",
)
@ascii_option
@language_option
@no_mouse_option
@click.option(
    "--against",
    metavar="NAME|PATH",
    help="Compare with this profile, store or baseline: 6 shows it, = goes there and back.",
)
@baseline_dir_option
@click.option("--no-state", is_flag=True, help="Neither go where you were last time nor keep it.")
def open_command(
    source: Source,
    *,
    at: str | None,
    against: str | None,
    baseline_dir: Path | None,
    ascii_level: bool,
    no_mouse: bool,
    no_state: bool,
) -> int:
    """Open the app: where the device is idle, where it waits and where it moves data.

    ? shows the keys, q ends it. It needs a terminal; npuview overview writes text.
    """
    check_terminal()
    config = load_config(options_given(ascii_level=ascii_level, no_mouse=no_mouse))
    start = read_start(at) if at is not None else Start()
    sides = Sides(source, baseline_dir)
    if against is not None:
        # Wrong usage is said before anything is read.
        sides.named(against)
    opened = open_source(source)
    own = OtherRun(str(source.path), opened.store, sides.card(opened.store))
    other = Against(own, sides.opened, against)
    return show(opened, source, config, start, remember=not no_state, against=other)


def options_given(*, ascii_level: bool, no_mouse: bool) -> dict[str, Value]:
    """Return what the command line says of the settings, by their names."""
    given: dict[str, Value] = {}
    if ascii_level:
        given["glyphs"] = "ascii"
    if no_mouse:
        given["mouse"] = False
    return given


def read_start(text: str) -> Start:
    """Read ``step N``, or a place in time; raise UsageError for anything else."""
    if step := _STEP.fullmatch(text.strip()):
        return Start(step=int(step["number"]))
    try:
        return Start(at=parse_place(text))
    except UsageError as error:
        raise UsageError(f'--at: {error}; or a step, such as "step 12"') from error


def show(
    opened: "Opened",
    source: Source,
    config: Config,
    start: Start,
    *,
    remember: bool,
    against: Against,
) -> int:
    """Run the app on a store and return the exit status, 3 where reading it lost data.

    ``remember`` lets the app begin where it was left, and keep where it ends. A store
    that cannot be read is made again, once. Raises UsageError for a rank or a step that is
    not there, and the error that ended the app.
    """
    try:
        return _run(opened.store, source, config, start, against, remember=remember)
    except StoreError as error:
        from .opening import mended  # noqa: PLC0415 imports DuckDB

        opened = mended(opened, source, error)
        return _run(opened.store, source, config, start, against, remember=remember)
    finally:
        opened.store.close()
        if against.other is not None:
            against.other.store.close()


def _run(
    store: "Store",
    source: Source,
    config: Config,
    start: Start,
    against: Against,
    *,
    remember: bool,
) -> int:
    ranks = None if source.rank is None else [source.rank]
    if source.rank is not None or start.step is not None:
        _check(store, ranks, start.step)
    display = Display.here(config)
    set_up_textual(display, config)
    if display.glyphs != "unicode":
        speak_in_ascii()
    from ..app import NpuviewApp  # noqa: PLC0415 reads the environment
    from ..process.clean_exit import run_app  # noqa: PLC0415 reads the environment

    first = store
    while True:
        app = NpuviewApp(
            store,
            display,
            config,
            ranks=ranks if store is first else None,
            start=start,
            remember=remember,
            against=against,
        )
        status = run_app(app)
        if status or app.switch is None:
            break
        # The two change places: what is gone to is the one that is opened now.
        start = Start(common=app.switch.place)
        store = app.switch.run.store
        against = Against(app.switch.run, against.opener, None, against.own)
    return status or _damage(store, ranks, allow_damaged=source.allow_damaged)


def _check(store: "Store", ranks: list[int] | None, step: int | None) -> None:
    """Raise UsageError for what is not there, while that can still be read."""
    from ...queries.session import Session  # noqa: PLC0415 DuckDB takes long to import
    from .opening import check_step  # noqa: PLC0415 imports DuckDB

    with Session(store, ranks=ranks) as session:
        if step is not None:
            check_step(session, step)


def _damage(store: "Store", ranks: list[int] | None, *, allow_damaged: bool) -> int:
    from ...queries.session import Session  # noqa: PLC0415 DuckDB takes long to import
    from .opening import damage_status  # noqa: PLC0415 imports DuckDB

    with Session(store, ranks=ranks) as session:
        return damage_status(session, allow_damaged=allow_damaged)
