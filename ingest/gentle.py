"""Work that leaves the processors to whoever else wants them: a training job, say."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

NICENESS: Final = 10
OUT_OF_MEMORY_SCORE: Final = Path("/proc/self/oom_score_adj")
FIRST_TO_GO: Final = "500"
STOP_SECONDS: Final = 0.1

T = TypeVar("T")


def gently(work: Callable[[], T], stop: threading.Event) -> T:
    """Do work in a thread that gives way to others, as do the threads that it begins.

    Only the main thread is told of Ctrl-C: whatever ends the waiting sets ``stop``, and
    is raised again when the work has seen it.
    """
    with ThreadPoolExecutor(1, "ingest", initializer=_give_way) as pool:
        done = pool.submit(work)
        try:
            while not wait([done], timeout=STOP_SECONDS).done:
                pass
        except BaseException:
            stop.set()
            raise
        return done.result()


def _give_way() -> None:
    """Lower the thread's priority, and offer this process first where memory runs out."""
    with suppress(OSError):
        # On Linux a thread has a priority of its own, and its threads begin with it.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    with suppress(OSError):
        OUT_OF_MEMORY_SCORE.write_text(FIRST_TO_GO, encoding="ascii")
