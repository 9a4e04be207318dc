"""The signals that end npuview from outside, taken as the interrupt key is.

What is half done is removed on the way out: temporary files, and stores under
construction.
"""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)

EXIT_SIGNAL = 128
"""Added to the number of the signal that ended the program, as shells do."""


class Stopped(KeyboardInterrupt):
    """A signal asked for the end: everything unwinds as for the interrupt key."""


@contextmanager
def stop_signals() -> Generator[list[signal.Signals]]:
    """Raise Stopped in the main thread at the first signal, which is then in the list.

    Further ones are not heard, so that what unwinds comes to its end. A signal that the
    caller has ignored, as ``nohup`` does, stays ignored.
    """
    received: list[signal.Signals] = []

    def stop(number: int, _: FrameType | None) -> None:
        if not received:
            received.append(signal.Signals(number))
            raise Stopped

    heard = [
        one
        for one in ENDING
        if current_thread() is main_thread() and signal.getsignal(one) is signal.SIG_DFL
    ]
    for one in heard:
        signal.signal(one, stop)
    try:
        yield received
    finally:
        for one in heard:
            signal.signal(one, signal.SIG_DFL)
