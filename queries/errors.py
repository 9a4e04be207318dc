"""What can go wrong with a question; every DuckDB error becomes one of these."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ..ingest.errors import Interrupted, NpuviewError, StoreError

REMAKE = "it is damaged; npuview ingest --force makes it again"


class QueryError(NpuviewError):
    """A question that cannot be answered; ``name`` says which one."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


class QueryCancelled(Interrupted):
    """A question was stopped before its answer was complete."""


class PresetError(NpuviewError):
    """A file of a question breaks the rules of the catalogue."""

    def __init__(self, message: str, file: Path | str, line: int = 1) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.file = file
        self.line = line


@contextmanager
def engine_errors(name: str) -> Generator[None]:
    """Turn DuckDB's errors into ours; ``name`` is the question being answered.

    A read error can only be the store's own files: all others are out of reach.
    """
    try:
        yield
    except duckdb.InterruptException as error:
        raise QueryCancelled(f"{name}: stopped") from error
    except duckdb.IOException as error:
        raise StoreError(f"{name}: the store cannot be read ({error}): {REMAKE}") from error
    except duckdb.Error as error:
        # Arrow reports a page that fails its checksum through DuckDB's error.
        if "CRC checksum verification failed" in str(error):
            raise StoreError(f"{name}: slice_arg cannot be read: {REMAKE}") from error
        raise QueryError(str(error), name) from error
    except RuntimeError as error:
        # DuckDB reports the interrupt key this way, and swallows the key itself.
        if str(error) == "Query interrupted":
            raise QueryCancelled(f"{name}: stopped") from error
        raise
