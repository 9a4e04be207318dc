"""Standard output and error where they are closed, full, or nobody reads them any more."""

import os
import sys
from contextlib import suppress
from typing import IO

_HOW_TO_STAND_IN = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
"""By descriptor: to write answers to nowhere is an error, to say something there is none."""


def stand_in_for_closed() -> None:
    """Put something in the place of standard streams that the caller closed.

    Python has None for them. Their descriptors would go to the next files that are
    opened, and then to write to one of them could damage a store.
    """
    for descriptor, flags in enumerate(_HOW_TO_STAND_IN):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free descriptor is given out, which is this one.
            os.open(os.devnull, flags)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def refusal_of_output() -> OSError | None:
    """Write what is left to standard output; return why it cannot be, None if it could."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _forget(sys.stdout)
        return error
    return None


def finish_errors() -> None:
    """Write what is left to standard error; who closed it does not want to hear it."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)


def _forget(stream: IO[str]) -> None:
    """Let what cannot be written go nowhere: the interpreter tries once more at its end."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()
