"""Runs a program in a terminal of its own, for tests and for CI. Needs nothing installed.

``python tests/terminal_program.py TEXT KEYS COMMAND …`` runs a command, waits until it
shows TEXT, presses KEYS and ends as the command does.
"""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

PATIENCE_S = 60.0
"""How long anything may take in a test before it counts as failed."""

PATIENCE_OF_CI_S = 900.0
"""The same for a command that installs what it runs."""

CLOSING_MODES = frozenset({7, 25})
"""Private modes of a terminal nobody has touched: lines wrap, the cursor is shown."""

_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios;"
    " fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execvp(sys.argv[1], sys.argv[1:])"
)
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_KEYS_OF_KITTY = re.compile(rb"\x1b\[([<>])[0-9;]*u")
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")


class TerminalProgram:
    """A program whose standard streams are a terminal; a context manager that ends it.

    ``size`` is columns and rows; ``environ`` is added to the environment of the test.
    Without ``of_session`` no signal is sent when the terminal goes.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        environ: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
        of_session: bool = True,
    ) -> None:
        self.written = b""
        self.size = size
        self._patience_s = patience_s
        self._near, self._far = os.openpty()
        columns, rows = size
        fcntl.ioctl(self._far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.attributes_before = self.attributes()
        self._process = subprocess.Popen(
            [*([sys.executable, "-c", _TAKE_TERMINAL] if of_session else []), *command],
            stdin=self._far,
            stdout=self._far,
            stderr=self._far,
            env=terminal_environment(environ or {}),
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.has_child():
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        self.hang_up()

    @property
    def pid(self) -> int:
        """The process, which also leads its session and its first group."""
        return self._process.pid

    @property
    def said(self) -> str:
        """All that was written, without what steers the terminal."""
        return _SEQUENCE.sub(b"", self.written).decode(errors="replace")

    @property
    def text(self) -> str:
        """What ``until_text`` looks at."""
        return self.said

    @property
    def modes(self) -> frozenset[int]:
        """The private modes that are on."""
        on = set(CLOSING_MODES)
        for numbers, end in _MODE.findall(self.written):
            for number in map(int, numbers.split(b";")):
                (on.add if end == b"h" else on.discard)(number)
        return frozenset(on)

    @property
    def keys_of_kitty(self) -> int:
        """How many modes of kitty's keys were begun and not ended."""
        ends = _KEYS_OF_KITTY.findall(self.written)
        return sum(1 if end == b">" else -1 for end in ends)

    def attributes(self) -> list[Any]:
        """Return the attributes of the terminal, as ``tcgetattr`` does."""
        return termios.tcgetattr(self._near)

    def has_child(self) -> bool:
        """Tell whether a process of the program's group is there."""
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def press(self, keys: str) -> None:
        """Send keys as a terminal does."""
        os.write(self._near, keys.encode())

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program alone."""
        self._process.send_signal(number)

    def hang_up(self) -> None:
        """Take the terminal away, as the end of a connection does."""
        for one in (self._near, self._far):
            if one >= 0:
                os.close(one)
        self._near = self._far = -1

    def until(self, met: Callable[[Self], bool], wanted: str) -> None:
        """Read what the program writes until ``met``; fail, showing it, if that never comes."""
        give_up = time.monotonic() + self._patience_s
        while not met(self):
            ended = self._process.poll() is not None
            if not self.read() and ended:
                raise AssertionError(f"ended with {self._process.returncode} {self._shown(wanted)}")
            if time.monotonic() > give_up:
                raise AssertionError(f"after {self._patience_s:.0f} s {self._shown(wanted)}")

    def until_text(self, text: str) -> None:
        """Read until a text was written."""
        self.until(lambda program: text in program.text, repr(text))

    def settle(self) -> None:
        """Read until nothing comes for a moment."""
        while self.read():
            pass

    def end(self) -> int:
        """Read to the end and return the status, negative for a signal that killed it."""
        give_up = time.monotonic() + self._patience_s
        while self._process.poll() is None:
            if self._near >= 0:
                self.read()
            else:
                time.sleep(0.01)
            if time.monotonic() > give_up:
                raise AssertionError(f"after {self._patience_s:.0f} s {self._shown('the end')}")
        if self._near >= 0:
            self.settle()
        return self._process.returncode

    def ends_with(self, status: int) -> None:
        """Read to the end; fail, showing what was written, for another status."""
        found = self.end()
        if found != status:
            raise AssertionError(
                f"ended with {found}, not {status}; it wrote:\n{self.said[-4_000:]}"
            )

    def read(self) -> bool:
        """Read what is there or comes within a moment; tell whether it was something."""
        if not select.select([self._near], [], [], 0.05)[0]:
            return False
        got = os.read(self._near, 1 << 16)
        self.written += got
        return bool(got)

    def _shown(self, wanted: str) -> str:
        return f"there was no {wanted}; the terminal shows:\n{self.picture()}"

    def picture(self) -> str:
        """Return what a person sees, as far as it can be told, for a message."""
        return self.said[-4_000:]


def terminal_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a terminal like most, whatever the test runs in."""
    decided = {"COLUMNS", "LINES", "COLORTERM", "NO_COLOR", "SSH_CONNECTION", "SSH_TTY"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in decided and not name.startswith(("TEXTUAL", "PYTEST"))
    }
    return kept | {"TERM": "xterm-256color"} | dict(more)


def main() -> int:
    """Run a command in a terminal, as the words on the command line say."""
    text, keys, *command = sys.argv[1:]
    with TerminalProgram(command, patience_s=PATIENCE_OF_CI_S) as program:
        program.until_text(text)
        program.press(keys)
        return program.end()


if __name__ == "__main__":
    sys.exit(main())
