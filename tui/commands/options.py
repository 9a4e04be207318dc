"""The options that commands share, each group handed over as one value."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from ..text.destination import FORMATS, STANDARD_OUTPUT, Destination, Format, format_of
from ..text.narration import speak_in_ascii
from ..words.spoken import LANGUAGES, Language, language_of, speak

Command = Callable[..., int]


class FolderPath(click.Path):
    """A directory that need not be there; empty text, as of a variable not set, is none."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; fail for empty text, which would be the current directory."""
        if not os.fspath(value):
            self.fail("an empty text names no directory", param, ctx)
        return super().convert(value, param, ctx)


class ProfilePath(click.Path):
    """A path at which something lies; what is gone will do where its store is there."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; fail where there is neither a file nor a store of it."""
        if ctx is not None and not os.path.lexists(value):
            # Only who asks for what is gone needs to look for stores.
            from ...ingest.cache import has_store  # noqa: PLC0415 - see above

            # While it parses, click has a mark of its own for what is not given.
            given = ctx.params.get("cache_dir")
            if has_store(Path(value), given if isinstance(given, Path) else None):
                return Path(value)
        return super().convert(value, param, ctx)


@dataclass(frozen=True, slots=True)
class Source:
    """Which profile is asked about, which of its ranks, and where its store lies."""

    path: Path
    cache_dir: Path | None = None
    rank: int | None = None
    allow_damaged: bool = False


@dataclass(frozen=True, slots=True)
class Presentation:
    """In which order, how many rows, and where to.

    ``limit`` 0 is all rows, None what the command deems enough for its format.
    """

    destination: Destination
    limit: int | None = None
    sort: str | None = None


def existing_path(*, required: bool = True) -> Callable[[Command], Command]:
    """Add the argument PATH."""
    return click.argument(
        "path",
        type=ProfilePath(exists=True, path_type=Path),
        required=required,
        metavar="PATH" if required else "[PATH]",
    )


cache_dir_option = click.option(
    "--cache-dir",
    type=FolderPath(file_okay=False, path_type=Path),
    # What PATH may be depends on it.
    is_eager=True,
    help="Where stores lie; else $NPUVIEW_CACHE_DIR, $XDG_CACHE_HOME/npuview, ~/.cache/npuview.",
)
allow_damaged_option = click.option(
    "--allow-damaged",
    is_flag=True,
    help="Exit with 0 although reading lost data; the counts are said all the same.",
)
rank_option = click.option(
    "--rank", type=int, metavar="R", help="Only this rank; without it, all ranks."
)


def _speak(ctx: click.Context, _: click.Parameter, named: Language | None) -> None:
    if not ctx.resilient_parsing:
        speak(named or language_of())


language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    expose_value=False,
    # Characters that cannot be shown decide after it.
    is_eager=True,
    callback=_speak,
    help="Language of what is said of the run; else by LC_ALL, LC_MESSAGES or LANG.",
)


def _ascii(ctx: click.Context, _: click.Parameter, ascii_level: bool) -> bool:  # noqa: FBT001 - click's call
    if ascii_level and not ctx.resilient_parsing:
        speak_in_ascii()
    return ascii_level


ascii_option = click.option(
    "--ascii", "ascii_level", is_flag=True, callback=_ascii, help="Draw with ASCII only."
)


def force_option(about: str) -> Callable[[Command], Command]:
    """Add the flag --force with what it does here."""
    return click.option("--force", is_flag=True, help=about)


def profile_options(command: Command) -> Command:
    """Add PATH and what goes with it; the command gets ``source``, for all ranks."""

    @existing_path()
    @cache_dir_option
    @allow_damaged_option
    @wraps(command)
    def collected(
        *,
        path: Path,
        cache_dir: Path | None,
        allow_damaged: bool,
        rank: int | None = None,
        **rest: object,
    ) -> int:
        return command(source=Source(path, cache_dir, rank, allow_damaged), **rest)

    return collected


def source_options(command: Command) -> Command:
    """Add PATH, what goes with it and --rank; the command gets ``source``."""
    return rank_option(profile_options(command))


def destination_options(command: Command) -> Command:
    """Add the format and the file of an answer; the command gets ``destination``."""

    @click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        help="table for people; csv, json and parquet with whole ns and true text. Without it,"
        " what FILE ends with, else table.",
    )
    @click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
        default=STANDARD_OUTPUT,
        metavar="FILE",
        help="Write here; - is standard output, the default.",
    )
    @ascii_option
    @wraps(command)
    def collected(
        *, format_: Format | None, output: Path, ascii_level: bool, **rest: object
    ) -> int:
        destination = Destination(format_ or format_of(output), output, ascii_level)
        if destination.format == "table" and destination.terminal.ascii_level:
            speak_in_ascii()
        return command(destination=destination, **rest)

    return collected


def presentation_options(command: Command) -> Command:
    """Add order, limit, format and file; the command gets ``presentation``."""

    @click.option("--sort", metavar="COL", help="Sort by this column; -COL for the largest first.")
    @click.option(
        "--limit", type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 for all."
    )
    @destination_options
    @wraps(command)
    def collected(
        *, destination: Destination, limit: int | None, sort: str | None, **rest: object
    ) -> int:
        return command(presentation=Presentation(destination, limit, sort), **rest)

    return collected
