"""Textual's driver for a terminal: ends all that it began, and bears a terminal that goes away."""

import io
import os
import select
import signal
import termios
from contextlib import suppress
from threading import Event
from typing import IO, Any, NoReturn

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from ...ingest.errors import NpuviewError
from ..draw.safe_text import ascii_text

_MODES_OFF = (
    b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?2048l"
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l"
    # Kitty keeps the modes of keys for each screen, so they end before the screen does.
    b"\x1b[<u\x1b[?1049l\x1b[?25h\x1b[m"
)
"""What ends every mode that an app may have begun."""


class TerminalDriver(LinuxDriver):
    """Draws in a terminal and reads its keys."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = _Drawing(self._file)
        self.exit_event = ReadingEnd(self.fileno)
        self._has_terminal = False
        self._may_come_back = False

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self._has_terminal = True
        super().start_application_mode()

    def stop_application_mode(self) -> None:
        """Give the terminal back as it was, if the app has it."""
        if self._has_terminal:
            super().stop_application_mode()
            self._has_terminal = False

    def disable_input(self) -> None:
        """Stop reading keys; who touches a terminal without having it is stopped himself."""
        if self._has_terminal:
            super().disable_input()

    def suspend_application_mode(self) -> None:
        """Give the terminal back for a while."""
        self._may_come_back = self._has_terminal
        if self._has_terminal:
            super().suspend_application_mode()

    def resume_application_mode(self) -> None:
        """Take the terminal again, and not after the end of the app.

        Where something else than the app itself had stopped it, others may have changed
        the terminal meanwhile.
        """
        if self._has_terminal:
            self.suspend_application_mode()
            self._must_signal_resume = True
        if self._may_come_back:
            self._may_come_back = False
            super().resume_application_mode()

    def stay_away(self) -> None:
        """Never take the terminal again: the app is about to end."""
        self._may_come_back = False

    def restore(self) -> None:
        """Give the terminal back from another thread, because the app hangs and still has it."""
        if not self._has_terminal:
            return
        with suppress(OSError):
            os.write(self._file.fileno(), _MODES_OFF)
        if self.attrs_before is not None:
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)

    def _disable_mouse_support(self) -> None:
        super()._disable_mouse_support()
        if self._mouse_pixels:
            self.write("\x1b[?1016l")
            self._mouse_pixels = False

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except OSError as error:
            reason = NpuviewError(f"standard input: cannot be read any more: {error.strerror}")
            self._app.call_later(_raise, reason)
        except Exception as error:  # noqa: BLE001 the app decides, in its own thread
            self._app.call_later(_raise, error)


class AsciiDriver(TerminalDriver):
    """Draws in a terminal that has only the characters of ASCII.

    What npuview draws is made of them already; this is for the rest: borders, scrollbars
    and fields of Textual, and what somebody types.
    """

    def write(self, data: str) -> None:
        """Write text, and what steers the terminal, in characters that it has."""
        super().write(ascii_text(data))


class _Drawing(io.TextIOBase):
    """The stream on which Textual draws; after the terminal is gone it draws nothing.

    The thread that writes would end at an error, and the app would wait for it for ever.
    """

    def __init__(self, stream: IO[str] | io.TextIOBase) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()


class ReadingEnd(Event):
    """What ends the reading of keys, also once the terminal is gone.

    Such a terminal can always be read, and gives nothing: a reader would turn round at
    once, for ever. Who has it as the terminal of his session is sent a signal; in a
    container or below a program that made the terminal nobody is, so it is sent here.
    """

    def __init__(self, fileno: int) -> None:
        super().__init__()
        self._fileno = fileno

    def is_set(self) -> bool:
        """Tell whether keys are to be read no more."""
        if not super().is_set() and self._terminal_is_gone():
            self.set()
            os.kill(os.getpid(), signal.SIGHUP)
        return super().is_set()

    def _terminal_is_gone(self) -> bool:
        # Of the thread that reads and the one that ends it each needs a poll of its own:
        # one that two share raises, and then nothing would end the reading.
        poll = select.poll()
        poll.register(self._fileno, 0)
        return any(one & select.POLLHUP for _, one in poll.poll(0))


def _raise(error: Exception) -> NoReturn:
    raise error
