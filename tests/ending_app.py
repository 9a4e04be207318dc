"""``npuview`` with a small app in the place of its own, whose keys make it end in every way.

Run as a program, with the words of the command line.
"""

import sys
import time
from types import ModuleType
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, Static

from npuview.ingest.errors import IngestError
from npuview.tui.cli import main
from npuview.tui.process.clean_exit import CleanExitApp
from npuview.tui.process.display import Display
from npuview.tui.user.config import Config

HOSTILE = "\x1b[31mred\x9b\u202e"
LONGER_THAN_ANY_TEST = 300


class EndingApp(CleanExitApp):
    """Ends as its keys say."""

    AUTO_FOCUS = None
    switch = None
    BINDINGS: ClassVar[list[BindingType]] = [
        ("q", "quit", "quit"),
        ("i", "write", "type into the field"),
        ("x", "fail", "raise in a handler"),
        ("w", "fail_in_a_thread", "raise in a thread"),
        ("r", "refuse", "raise an error that has a sentence"),
        ("h", "hang", "never come back from a handler"),
        ("t", "wait_in_a_thread", "have a thread that does not end"),
    ]

    def __init__(self, store: object, display: Display, config: Config, **_: object) -> None:  # noqa: ARG002 the app's own parameters
        super().__init__(display)

    def compose(self) -> ComposeResult:
        """Show a word in a colour, and a field."""
        yield Static("[red]Overview[/red]")
        yield Input(placeholder="type here")

    def action_write(self) -> None:
        """Let the field take the keys."""
        self.query_one(Input).focus()
        self.notify("writing")

    def action_fail(self) -> None:
        """Raise an error that quotes a hostile name."""
        private = "a value of a variable"
        raise ValueError(HOSTILE, len(private))

    def action_fail_in_a_thread(self) -> None:
        """Raise the same in a worker."""
        self.run_worker(self.action_fail, thread=True)

    def action_refuse(self) -> None:
        """Raise what npuview itself would."""
        raise IngestError(f"{HOSTILE}: is damaged")

    def action_hang(self) -> None:
        """Say so, then keep the thread of the screen."""
        time.sleep(LONGER_THAN_ANY_TEST)

    def action_wait_in_a_thread(self) -> None:
        """Keep a thread, which the end of the app waits for."""
        self.run_worker(lambda: time.sleep(LONGER_THAN_ANY_TEST), thread=True)
        self.notify("waiting")


class _AppModule(ModuleType):
    """Takes the place of the module of the app."""

    NpuviewApp = EndingApp


if __name__ == "__main__":
    sys.modules["npuview.tui.app"] = _AppModule("npuview.tui.app")
    sys.exit(main())
