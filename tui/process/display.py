"""What the app may use of the terminal it runs in. Imports nothing of Textual."""

import codecs
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ...ingest.errors import UsageError
from ..draw.look import Glyphs

if TYPE_CHECKING:
    from ..user.config import Config

_STREAMS = ("standard input", "standard output", "standard error")

_COLOR_SYSTEMS = {"16": "standard", "256": "256", "true": "truecolor"}
"""What Textual calls them."""

FRAMES_OF_NARROW_LINE = "15"
FRAMES = "120"
"""Drawings a second: what a key changed waits for the next one. None is made without need."""
"""Drawings in a second at most, where somebody asked for few bytes."""


@dataclass(frozen=True, slots=True)
class Display:
    """How the app draws, and whether it listens to the mouse.

    ``far`` says that what is drawn travels, so that few large steps are better than
    many small ones.
    """

    glyphs: Glyphs = "unicode"
    color: bool = True
    mouse: bool = True
    far: bool = False

    @classmethod
    def of(cls, config: "Config", environ: Mapping[str, str], encoding: str) -> Self:
        """Describe the terminal of an environment; ``encoding`` is that of its stream.

        The characters follow the encoding that Python writes in, not ``LANG``, which
        may name a locale that the machine does not have.
        """
        glyphs = _glyphs(environ, encoding) if config.glyphs == "auto" else config.glyphs
        over_ssh = any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
        return cls(
            glyphs=glyphs,
            color=not environ.get("NO_COLOR") if config.color == "auto" else config.color != "none",
            mouse=config.mouse,
            far=over_ssh if config.low_bandwidth == "auto" else config.low_bandwidth,
        )

    @classmethod
    def here(cls, config: "Config") -> Self:
        """Describe the terminal of this process, in which the app draws on standard error."""
        return cls.of(config, os.environ, sys.stderr.encoding)


def check_terminal() -> None:
    """Raise UsageError, naming what shows a profile as text, where no app can be drawn."""
    no_terminal = [name for number, name in enumerate(_STREAMS) if not os.isatty(number)]
    term = os.environ.get("TERM", "")
    if no_terminal:
        reason = f"{no_terminal[0]} is none"
    elif term in {"", "dumb"}:
        reason = f"TERM={term} cannot draw" if term else "TERM is not set"
    else:
        return
    raise UsageError(
        f"the app needs a terminal, and {reason}; as text: npuview overview PATH,"
        " npuview top PATH, npuview sql PATH …"
    )


def set_up_textual(display: Display, config: "Config") -> None:
    """Put the settings of Textual into the environment, which it reads while it is imported."""
    for name in ("COLUMNS", "LINES"):
        # They hide from Textual that the terminal gets another size.
        os.environ.pop(name, None)
    for name, value in textual_settings(display, config).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def textual_settings(display: Display, config: "Config") -> dict[str, str | None]:
    """Return the environment that Textual is to see; None: not set."""
    settings: dict[str, str | None] = {
        "TEXTUAL_ANIMATIONS": "none",
        "TEXTUAL_FPS": FRAMES_OF_NARROW_LINE if config.low_bandwidth is True else FRAMES,
        # Textual takes a NO_COLOR without a value for one as well.
        "NO_COLOR": None if display.color else "1",
    }
    if system := _COLOR_SYSTEMS.get(config.color):
        settings["TEXTUAL_COLOR_SYSTEM"] = system
    if display.far:
        settings["TEXTUAL_SMOOTH_SCROLL"] = "0"
    return settings


def _glyphs(environ: Mapping[str, str], encoding: str) -> Glyphs:
    try:
        knows_unicode = codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        knows_unicode = False
    if not knows_unicode:
        return "ascii"
    return "blocks" if environ.get("TERM") == "linux" else "unicode"
