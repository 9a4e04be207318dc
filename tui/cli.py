"""The command line: which words mean what, and how everything ends.

This is the one place that turns an error into a message and an exit status. It
imports no command before it is asked for, so that ``npuview --version`` and wrong
usage answer at once.
"""

import os
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from traceback import walk_tb
from typing import NamedTuple, NoReturn

import click
from click.shell_completion import shell_complete

from ..ingest.errors import NpuviewError
from .process.standard_streams import finish_errors, refusal_of_output, stand_in_for_closed
from .process.stop_signals import EXIT_SIGNAL, Stopped, stop_signals
from .text.narration import note
from .words.spoken import language_of, speak

EXIT_INTERRUPTED = 130
EXIT_READER_GONE = 141
"""What a shell reports for a program that SIGPIPE ends, such as grep before head."""


class CommandPlace(NamedTuple):
    """The module of a command and the line that the list of commands shows for it."""

    module: str
    about: str


COMMANDS = {
    "demo": CommandPlace("demo", "Show npuview on a made-up profile."),
    "ingest": CommandPlace("stores", "Read a profile into its store."),
    "info": CommandPlace("info", "What a profile holds, what is missing, and how to collect it."),
    "collect-hint": CommandPlace(
        "collect_hint", "What to collect for a question that cannot be answered."
    ),
    "note": CommandPlace("note", "What a step takes without a profiler, typed in."),
    "overview": CommandPlace("overview", "The overview as text, or a row for each step."),
    "steps": CommandPlace("questions", "The steps: when each was and how long it took."),
    "iters": CommandPlace("questions", "How long iterations take by kind, and the gaps."),
    "ledger": CommandPlace("questions", "Where the time of each step goes."),
    "phases": CommandPlace("questions", "Where in each step its time goes."),
    "causes": CommandPlace("questions", "Why the device does not work."),
    "top": CommandPlace("questions", "The operators with the most time."),
    "aicore": CommandPlace("questions", "What bounds operators on the AI cores."),
    "fusion": CommandPlace("questions", "Operators that one kernel could replace."),
    "gaps": CommandPlace("questions", "The longest gaps between device tasks."),
    "waits": CommandPlace("questions", "What the device waits for."),
    "copies": CommandPlace("questions", "Copies between host and device and on the device."),
    "comm": CommandPlace("questions", "The collective operations."),
    "ranks": CommandPlace(
        "questions", "The ranks of the job, who comes late, and who is not here."
    ),
    "memory": CommandPlace("memory", "Who holds device memory, when most, and what grows."),
    "findings": CommandPlace("findings", "What stands out, with evidence and what to try."),
    "diff": CommandPlace("diff", "Two runs side by side: what changed, and what is noise."),
    "baseline": CommandPlace("baseline", "Keep runs by name, to hold later ones against."),
    "check": CommandPlace("check", "Fail when a run is worse than it may be: a gate for CI."),
    "sql": CommandPlace("presets", "Ask in SQL, or run a preset."),
    "presets": CommandPlace("presets", "List the presets, or show the SQL of one."),
    "schema": CommandPlace("presets", "The tables and columns of a store."),
    "report": CommandPlace("report", "Write what stands out, with pictures, as .md or .html."),
    "export": CommandPlace("export", "Write a selection as Perfetto JSON."),
    "cache": CommandPlace("stores", "List, clear or verify the stores."),
    "config": CommandPlace("config", "The settings, their file, and every key."),
}
COMPLETION_VARIABLE = "_NPUVIEW_COMPLETE"

OPEN = "open"
"""The command without a name: ``npuview PATH``."""

SHORT_LIST = 500
"""Names of a directory that are looked through for a similar one."""


class CommandLine(click.Group):
    """Commands that are imported when they are used, and a path as a command of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        """Return the names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        """Import a command; None for a word that is none."""
        return load(cmd_name) if cmd_name in COMMANDS or cmd_name == OPEN else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 click's signature
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.about) for name, place in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a path, and options before it, as the nameless command."""
        if args and args[0] not in COMMANDS and args[0] not in {"--version", "--help", "-h"}:
            args = self._resolved(ctx, args)
        return super().parse_args(ctx, args)

    def _resolved(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command in front: the one that stands behind options, or the nameless one."""
        # Arguments are left out, so parsing stops at the first word that is no option.
        options: list[click.Parameter] = [
            one for one in load(OPEN).params if isinstance(one, click.Option)
        ]
        only = click.Command(OPEN, params=options, add_help_option=True)
        inner = click.Context(only, parent=ctx, allow_interspersed_args=False)
        _, rest, _ = only.make_parser(inner).parse_args(list(args))
        before = args[: len(args) - len(rest)]
        if rest and before[-1:] != ["--"]:
            if rest[0] in COMMANDS:
                return [rest[0], *before, *rest[1:]]
            if not os.path.lexists(rest[0]) and not _has_store(rest[0], only, ctx, args):
                refuse_word(rest[0])
        return [OPEN, *args]


def load(name: str) -> click.Command:
    """Import a command: ``<name>_command`` of its module in ``commands``."""
    module = OPEN if name == OPEN else COMMANDS[name].module
    found = getattr(
        import_module(f".commands.{module}", __package__), f"{name.replace('-', '_')}_command"
    )
    if not isinstance(found, click.Command):
        raise TypeError(f"{module}.{name}_command is not a command")
    return found


def _has_store(word: str, only: click.Command, ctx: click.Context, args: list[str]) -> bool:
    """Tell whether a store was made of what lay at a path that is gone."""
    # Only who asks for what is gone needs to look for stores.
    from ..ingest.cache import has_store  # noqa: PLC0415 - see above

    options: dict[str, object] = {}
    # What is wrong with other words is said where they are used.
    with suppress(click.UsageError):
        options, _, _ = only.make_parser(click.Context(only, parent=ctx)).parse_args(list(args))
    cache_dir = options.get("cache_dir")
    return has_store(Path(word), Path(cache_dir) if isinstance(cache_dir, str) else None)


def refuse_word(word: str) -> NoReturn:
    """Raise click's UsageError for a word that is neither a command nor a path."""
    path = Path(word)
    near = get_close_matches(word, COMMANDS, n=1)
    if not near and path.parent.is_dir():
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(SHORT_LIST), strict=False)]
        near = [str(path.parent / name) for name in get_close_matches(path.name, names, n=1)]
    hint = f"; did you mean {near[0]}?" if near else ""
    raise click.UsageError(f"{word}: neither a command nor a file or directory{hint}")


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 click's signature
    if not wanted or ctx.resilient_parsing:
        return
    # Reading metadata takes as long to import as all else that this module needs.
    from importlib.metadata import version  # noqa: PLC0415 see above

    from ..ingest.compiled import reader_name  # noqa: PLC0415 see above

    # From the packages' metadata: importing them takes half a second.
    others = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "pyarrow", "textual"))
    python = f"Python {platform.python_version()}"
    click.echo(f"npuview {version('npuview')} ({reader_name()}, {python}, {others})")
    ctx.exit()


@click.group(
    cls=CommandLine,
    invoke_without_command=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="",
    subcommand_metavar="PATH | COMMAND …",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the versions and exit.",
)
def command_line() -> None:
    """Read Ascend NPU profiles in the terminal.

    npuview PATH opens the app: where the device is idle, where it waits and where it
    moves data. PATH is a profile directory, a parent of several ranks, one file, or a
    store; npuview PATH --help lists the options.
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0 done; 1 it cannot be done; 2 wrong usage; 3 done, but reading lost data;
    130 interrupted; 129 and 143 ended by SIGHUP and SIGTERM; 141 the reader of the
    output went away.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    stand_in_for_closed()
    speak(language_of())
    status = 0
    # A signal may also come while the reason of the end is being said.
    with stop_signals() as received, suppress(Stopped):
        try:
            status = _invoke(arguments)
        except BrokenPipeError:
            status = EXIT_READER_GONE
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 the last place to say something
            status = _status_of(error)
    refusal = refusal_of_output()
    if received:
        status = EXIT_SIGNAL + received[0]
    elif isinstance(refusal, BrokenPipeError):
        status = EXIT_READER_GONE
    elif refusal is not None and status != 1:
        status = _say_refusal(refusal)
    finish_errors()
    return status


def _invoke(arguments: list[str]) -> int:
    if instruction := os.environ.get(COMPLETION_VARIABLE):
        return shell_complete(command_line, {}, "npuview", COMPLETION_VARIABLE, instruction)
    with command_line.make_context("npuview", arguments) as context:
        return command_line.invoke(context) or 0


def _status_of(error: BaseException) -> int:
    """Say what ended the program and return the exit status for it."""
    match error:
        case click.exceptions.Exit():
            status = error.exit_code
        case click.exceptions.NoArgsIsHelpError():
            # The message is our own help. Who closed standard error does not want to hear it.
            with suppress(OSError, ValueError):
                click.echo(error.format_message(), err=True)
            status = error.exit_code
        case click.ClickException():
            _say_usage(error)
            status = error.exit_code
        case NpuviewError():
            note(str(error))
            status = error.exit_code
        case Stopped():
            note("stopped by a signal")
            status = EXIT_INTERRUPTED
        case KeyboardInterrupt() | click.Abort():
            note("interrupted")
            status = EXIT_INTERRUPTED
        case OSError() if _is_from_click(error):
            status = _say_refusal(error)
        case _:
            # Only a program that ends for it pays for what it imports.
            from .process.crash_log import write_crash  # noqa: PLC0415

            report = write_crash(error)
            where = f"the report is in {report}" if report else "the report could not be saved"
            note(f"internal error ({type(error).__name__}: {error}); {where}")
            status = 1
    return status


def _say_usage(error: click.ClickException) -> None:
    note(error.format_message())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        named = [word for word in context.command_path.split() if word != OPEN]
        note(f"try: {' '.join(named)} --help")


def _is_from_click(error: OSError) -> bool:
    """Tell whether click could not print: the help and the version, to standard output."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__")).startswith("click.")


def _say_refusal(refusal: OSError) -> int:
    if isinstance(refusal, BrokenPipeError):
        return EXIT_READER_GONE
    note(f"standard output: cannot be written: {refusal.strerror}")
    return 1
