"""A program in a tmux of its own: keys as tmux sends them, and the screen as tmux draws it."""

import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from terminal_program import PATIENCE_S, terminal_environment

MOMENT_S = 0.05
STILL_S = 0.2
"""How long a screen must not have changed, and nothing worked on another one.

Longer than any view waits for a rest of the keys before it shows more.
"""


STATE, SESSION = 0, 3
"""Where ``/proc/…/stat`` has them, after the name."""


class TmuxScreen:
    """A shell command in the only window of a tmux server; a context manager that ends it.

    ``size`` is columns and rows, ``folder`` where the command runs; the server's socket,
    which nothing else knows, is there too. ``environ`` is added to the environment of the
    test.
    """

    def __init__(
        self,
        command: str,
        *,
        size: tuple[int, int],
        folder: Path,
        environ: Mapping[str, str],
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.folder = folder
        self._environ = terminal_environment(environ)
        self._patience_s = patience_s
        columns, rows = map(str, size)
        self._tmux("new-session", "-d", "-x", columns, "-y", rows, command)
        self._pid = self._tmux("display-message", "-p", "#{pane_pid}").strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A command that has ended has taken its server with it.
        if self.runs:
            self._tmux("kill-server")

    @property
    def runs(self) -> bool:
        """Tell whether the command has not ended."""
        return self._asked("has-session").returncode == 0

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without blanks at their ends."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").splitlines()]

    @property
    def text(self) -> str:
        """What the screen shows now."""
        return "\n".join(self.lines)

    def press(self, *keys: str) -> None:
        """Send keys by tmux's names (``Enter``, ``C-o``, ``Escape``), in one packet."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Send text as it is."""
        self._tmux("send-keys", "-l", "--", text)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def until(self, met: Callable[[str], bool], wanted: str) -> str:
        """Wait until the screen is still and ``met``, and return it; fail, showing it, if never."""
        give_up = time.monotonic() + self._patience_s
        seen, since = self.text, time.monotonic()
        while not (met(seen) and time.monotonic() - since >= STILL_S):
            if time.monotonic() > give_up:
                raise AssertionError(
                    f"after {self._patience_s:.0f} s there was no {wanted}; tmux shows:\n{seen}"
                )
            time.sleep(MOMENT_S)
            if (now := self.text) != seen or self._works():
                seen, since = now, time.monotonic()
        return seen

    def until_text(self, *texts: str) -> str:
        """Wait until the screen shows all of the texts and is still, and return it."""
        return self.until(lambda screen: all(text in screen for text in texts), repr(texts))

    def until_still(self) -> str:
        """Wait until the screen is still, and return it."""
        return self.until(lambda _: True, "still screen")

    def until_ended(self) -> None:
        """Wait until the command has ended; fail, showing the screen, if it does not."""
        give_up = time.monotonic() + self._patience_s
        while self.runs:
            if time.monotonic() > give_up:
                raise AssertionError(f"did not end; tmux shows:\n{self.text}")
            time.sleep(MOMENT_S)

    def _works(self) -> bool:
        """Tell whether a thread of the command runs, or waits for a processor or a disk."""
        for process in Path("/proc").glob("[0-9]*"):
            # It may end while it is looked at.
            with suppress(OSError):
                if _fields(process)[SESSION] != self._pid:
                    continue
                if any(_fields(thread)[STATE] in "RD" for thread in (process / "task").iterdir()):
                    return True
        return False

    def _tmux(self, *words: str) -> str:
        asked = self._asked(*words)
        if asked.returncode:
            raise AssertionError(f"tmux {words[0]}: {asked.stderr.strip()}")
        return asked.stdout

    def _asked(self, *words: str) -> subprocess.CompletedProcess[str]:
        # A socket is a short path, which a folder of a test is not: it is named from there.
        server = ("tmux", "-u", "-S", "tmux", "-f", "/dev/null")
        return subprocess.run(
            [*server, *words],
            cwd=self.folder,
            env=self._environ,
            capture_output=True,
            text=True,
            check=False,
        )


def _fields(task: Path) -> list[str]:
    """Return what the kernel tells of a process or of a thread, without its name."""
    return (task / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
