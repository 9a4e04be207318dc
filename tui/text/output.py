"""Where answers go and in which format: table, csv, json or parquet.

Tables are for people: readable times, clean text, the width of the terminal. The
other formats are for programs: true text, whole ns, every row, streamed.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import IO

from ...ingest.errors import NpuviewError, UsageError
from ..draw.safe_text import clean, encodable
from .columns import Answer
from .destination import STANDARD_OUTPUT, Destination
from .narration import note
from .table_text import Style, draw


def write_answer(answer: Answer, destination: Destination, style: Style | None = None) -> None:
    """Write an answer; say on standard error which columns had no room in a table.

    Raises UsageError when a binary format would go to a terminal, NpuviewError
    when the destination cannot be written, BrokenPipeError when its reader is gone.
    """
    if destination.format == "table":
        drawing = draw(answer.columns, answer.rows, destination.terminal, style)
        write_lines(drawing.lines, destination)
        if drawing.left_out:
            note(f"no room for {', '.join(drawing.left_out)}; --format csv has every column")
        return
    if destination.format == "parquet" and destination.file == STANDARD_OUTPUT:
        _refuse_binary_on_a_terminal()
    # Imported when asked for: reading pyarrow takes as long as most answers.
    write_rows: Callable[[Answer, IO[bytes]], None] = import_module(
        f".output_{destination.format}", __package__
    ).write_rows
    with _opened(destination.file) as file:
        write_rows(answer, file)


def write_lines(lines: Iterable[str], destination: Destination) -> None:
    """Write drawn lines, in which only our own colours steer; raises as ``write_answer`` does."""
    encoding = "utf-8"
    if destination.file == STANDARD_OUTPUT:
        encoding = getattr(sys.stdout, "encoding", None) or encoding
    terminal = destination.terminal
    with _opened(destination.file) as file:
        for line in lines:
            file.write(terminal.line(line).encode(encoding, errors="replace") + b"\n")


def write_text(text: str, destination: Destination) -> None:
    """Write a text that can be used again as it is; on a terminal its lines are cleaned.

    Raises as ``write_answer`` does.
    """
    if destination.file == STANDARD_OUTPUT and sys.stdout.isatty():
        write_lines((clean(line.expandtabs()) for line in text.splitlines()), destination)
        return
    with _opened(destination.file) as file:
        file.write(encodable(text).encode())


@contextmanager
def _opened(path: Path) -> Generator[IO[bytes]]:
    """Open a destination; a file appears only when it is whole.

    A file that is there keeps its mode, and a link to it stays a link.
    """
    if path == STANDARD_OUTPUT:
        with _refusals_named("standard output"):
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    with _refusals_named(str(path)):
        target = Path(os.path.realpath(path))
        there = target.stat().st_mode if os.path.lexists(target) else None
        if there is not None and not stat.S_ISREG(there):
            # A pipe or a device is written, never replaced.
            with path.open("wb") as file:
                yield file
            return
        if there is not None and not os.access(target, os.W_OK):
            # Its folder would let us replace it, but it was protected on purpose.
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        # Named before it is made: a signal may come at any time.
        built = target.with_name(f".npuview-{token_hex(8)}.part")
        try:
            with built.open("xb") as file:
                built.chmod(stat.S_IRUSR | stat.S_IWUSR)
                yield file
            built.chmod(_mode_of_new_files() if there is None else stat.S_IMODE(there))
            built.replace(target)
        finally:
            built.unlink(missing_ok=True)


@contextmanager
def _refusals_named(name: str) -> Generator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NpuviewError(f"{name}: cannot be written: {error.strerror or error}") from error


def _mode_of_new_files() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _refuse_binary_on_a_terminal() -> None:
    if sys.stdout.isatty():
        raise UsageError("parquet is binary and this is a terminal: give a file with -o FILE")
