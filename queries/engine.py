"""DuckDB as questions need it: bounded, and after ``lock`` out of reach of files."""

from typing import Final

import duckdb

from .limits import default_memory, default_threads

LEAST_ASYNC_THREADS: Final = 1


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
