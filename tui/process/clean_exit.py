"""An app that gives the terminal back as it was, however it ends."""

import asyncio
import os
import signal
from asyncio import AbstractEventLoop
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Timer
from types import FrameType
from typing import ClassVar, NoReturn

from rich.console import RenderableType
from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.worker import WorkerFailed

from .display import Display
from .stop_signals import ENDING, EXIT_SIGNAL
from .terminal_driver import AsciiDriver, TerminalDriver

PATIENCE_S = 3.0
"""How long an app that was told to end may take before the process ends without it."""


class CleanExitApp(App[None]):
    """A Textual app that ends in order: at a key, at a signal, and at an error.

    Nothing of an error is drawn: Textual would print the values of all variables, and
    with them raw bytes of the profile. ``run_app`` raises it once the terminal is restored.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # They come before those of a text field, which would copy and undo.
        Binding("ctrl+c", "interrupt", show=False, system=True, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, system=True, priority=True),
    ]

    def __init__(self, display: Display) -> None:
        driver_class = AsciiDriver if display.glyphs == "ascii" else TerminalDriver
        # Textual greys its colours for NO_COLOR, and leaves them out only of an ANSI theme.
        super().__init__(driver_class=driver_class, ansi_color=None if display.color else True)
        self.display_traits = display

    @property
    def error(self) -> Exception | None:
        """What ended the app; None if it was no error."""
        error = self._exception
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            return error.error
        return error

    def stop(self, number: signal.Signals) -> None:
        """End as a signal asks for: with 128 and its number as the status."""
        self.exit(return_code=EXIT_SIGNAL + number)

    def stay_away(self) -> None:
        """Take no terminal again that was given back: the end has begun."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.stay_away()

    def restore_terminal(self) -> None:
        """Give the terminal back from another thread, if the app hangs and still has it."""
        if isinstance(self._driver, TerminalDriver):
            self._driver.restore()

    def action_interrupt(self) -> None:
        """End at the interrupt key, which a terminal in raw mode hands over as a key."""
        self.stop(signal.SIGINT)

    def action_suspend_process(self) -> None:
        """Go to the background, if there is a shell that can bring the app back."""
        # The group of the session's leader has no shell above it: it would sleep for ever.
        if os.getpgrp() == os.getsid(0):
            self.notify("no shell to come back from: npuview is what this session runs")
        else:
            super().action_suspend_process()

    @on(Driver.SignalResume)
    def redraw(self) -> None:
        """Draw everything: the terminal came back from a shell, and is empty."""
        self.refresh()

    def panic(self, *renderables: RenderableType) -> None:  # noqa: ARG002 Textual's signature
        """End because of an error, which is said after the end and not drawn."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()


def run_app(app: CleanExitApp) -> int:
    """Run an app in the terminal and return the exit status.

    0 at its own end, 130 at the interrupt key or SIGINT, 143 at SIGTERM, 129 at SIGHUP.
    Raises the error that ended the app. The terminal is as it was before in each case.
    """
    runner = asyncio.Runner()
    # The runner waits for threads at its end, where a signal must still be heard.
    with _signals_end(app, runner.get_loop()) as received, runner:
        runner.run(app.run_async(mouse=app.display_traits.mouse))
    if received:
        return EXIT_SIGNAL + received[0]
    if app.error is not None:
        raise app.error
    return app.return_code or 0


@contextmanager
def _signals_end(app: CleanExitApp, loop: AbstractEventLoop) -> Generator[list[signal.Signals]]:
    """Let the first signal end the app; an app that does not is left behind.

    A signal that the caller has ignored stays ignored, but for the hang-up: without a
    terminal there is no app.
    """
    received: list[signal.Signals] = []

    def give_up() -> NoReturn:
        app.restore_terminal()
        os._exit(EXIT_SIGNAL + received[0])

    last_resort = Timer(PATIENCE_S, give_up)
    last_resort.daemon = True

    def stop(number: int, _: FrameType | None) -> None:
        if received:
            return
        received.append(signal.Signals(number))
        last_resort.start()
        # Who ends a job that sleeps wakes it up right after.
        app.stay_away()
        # The app may be over, and only its threads still run.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(app.stop, received[0])

    before = {
        one: signal.signal(one, stop)
        for one in (signal.SIGINT, *ENDING)
        if one == signal.SIGHUP or signal.getsignal(one) is not signal.SIG_IGN
    }
    try:
        yield received
    finally:
        last_resort.cancel()
        for one, handler in before.items():
            signal.signal(one, handler)
