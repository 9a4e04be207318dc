"""DuckDB as questions need it: bounded, and after ``lock`` out of reach of files."""

import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

import duckdb

from ..ingest.limits import default_memory, default_threads

LEAST_ASYNC_THREADS: Final = 1
STOP_SECONDS: Final = 2.0

Answer = TypeVar("Answer")


def connect(
    *, threads: int | None = None, memory_bytes: int | None = None
) -> duckdb.DuckDBPyConnection:
    """Open an empty database in memory within the limits of ``limits``.

    Nothing spills to disk: a question that needs more memory fails and says so.
    """
    allowed = threads if threads is not None else default_threads()
    memory = memory_bytes if memory_bytes is not None else default_memory()
    return duckdb.connect(
        ":memory:",
        config={
            "threads": allowed,
            "async_threads": max(LEAST_ASYNC_THREADS, allowed // 2),
            "memory_limit": f"{memory}B",
            "temp_directory": "",
            "autoload_known_extensions": False,
            "autoinstall_known_extensions": False,
            "allow_community_extensions": False,
            # Names of Python variables are no tables.
            "python_enable_replacements": False,
        },
    )


def lock(connection: duckdb.DuckDBPyConnection) -> None:
    """Take away file access and the right to change a setting, for good."""
    connection.execute("SET enable_external_access = FALSE")
    connection.execute("SET lock_configuration = TRUE")


def interruptible(call: Callable[[], Answer], stop: Callable[[], None]) -> Answer:
    """Run a call of DuckDB in such a way that the interrupt key ends it at once.

    DuckDB may keep the main thread, which alone is told of the key, until it is done.
    So another one runs the call meanwhile; the key calls ``stop``, and then
    KeyboardInterrupt goes on.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    answers: list[Answer] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # noqa: BLE001 - it is raised again, where it was asked for
            errors.append(error)
        finally:
            done.set()

    # Not waited for when the program ends: a question may be deaf to being stopped.
    worker = threading.Thread(target=work, name="npuview-query", daemon=True)
    try:
        worker.start()
        done.wait()
    except KeyboardInterrupt:
        give_up = time.monotonic() + STOP_SECONDS
        while time.monotonic() < give_up:
            # Between two steps of a call a stop is not heard.
            stop()
            if done.wait(STOP_SECONDS / 100):
                break
        raise
    if errors:
        raise errors[0]
    return answers[0]
