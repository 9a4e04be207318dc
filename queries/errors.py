"""What can go wrong with a question; every DuckDB error becomes one of these."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from ..ingest.errors import Interrupted, NpuviewError, StoreError

REMAKE: Final = "it is damaged; npuview ingest --force PATH makes it again"

_UNREADABLE: Final = (duckdb.IOException, duckdb.SerializationException, duckdb.FatalException)
_DAMAGE: Final = ("Corrupt database file", "reading the stream registered as")
"""What DuckDB says of a damaged block, and of a Parquet file that Arrow cannot read."""

_BY_ITSELF: Final = "Invalid Input Error: "
"""What stands before a sentence that SQL raises with ``error``."""


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
def engine_errors(name: str, place: Path | str = "the store") -> Generator[None]:
    """Turn DuckDB's errors into ours; ``name`` is the question being answered.

    A read error can only be of the store's own files, which lie at ``place``: all
    others are out of reach.
    """
    try:
        yield
    except duckdb.InterruptException as error:
        raise QueryCancelled(f"{name}: stopped") from error
    except duckdb.Error as error:
        if isinstance(error, _UNREADABLE) or any(sign in str(error) for sign in _DAMAGE):
            raise StoreError(f"{name}: {place} cannot be read ({error}): {REMAKE}") from error
        raise QueryError(_said(error), name) from error
    except MemoryError as error:
        raise QueryError(
            "the answer needs more memory than there is; ask for fewer rows or columns", name
        ) from error
    except RuntimeError as error:
        # DuckDB reports the interrupt key this way, and swallows the key itself.
        if str(error) == "Query interrupted":
            raise QueryCancelled(f"{name}: stopped") from error
        raise


def _said(error: duckdb.Error) -> str:
    """Return what an error says; of one that a view raises by itself, only its sentence."""
    text = str(error)
    return (
        text.removeprefix(_BY_ITSELF) if isinstance(error, duckdb.InvalidInputException) else text
    )
