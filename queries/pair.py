"""Two stores side by side: the tables of one in schema ``base``, of the other in ``test``.

The questions of ``sql/compare`` are asked of both at once. The fence is that of every
session: the indexes are attached read-only before access to files is taken away.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import duckdb

from ..ingest.errors import UsageError
from ..ingest.store import Store
from .catalog import SUFFIX, read_query
from .query import Query
from .session import Session, chosen_ranks, opening
from .sources import attach_indexes
from .views import macros

FOLDER: Final = Path(__file__).parent / "sql" / "compare"
BASE: Final = "base"
TEST: Final = "test"


class PairSession(Session):
    """Questions to two stores: what was before, and what is held against it.

    ``ranks`` chooses the same ranks of both. Raises as ``Session`` does, and UsageError
    where both are the same store.
    """

    def __init__(
        self,
        base: Store,
        test: Store,
        *,
        ranks: Sequence[int] | None = None,
        memory_bytes: int | None = None,
        threads: int | None = None,
    ) -> None:
        if base.path.resolve() == test.path.resolve():
            raise UsageError(f"{test.source}: both sides are the same profile")
        self.base = base
        self.base_ranks = chosen_ranks(base, ranks)
        super().__init__(test, ranks=ranks, memory_bytes=memory_bytes, threads=threads)
        of_base = {name for rank in self.base_ranks for name in rank.tables}
        self.tables = tuple(name for name in self.tables if name in of_base)

    def _attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        sides = {
            BASE: opening(self.base, self.base_ranks),
            TEST: opening(self.store, self.ranks),
        }
        attach_indexes(connection, sides)
        for statement in [macros()["communicates"], *pair_macros()]:
            connection.execute(statement)


def pair_macros() -> list[str]:
    """Return the statements that make what questions of two stores share, in their order.

    Of the macros for one store those of tables do not fit: there are two of each.
    """
    return [file.read_text("utf-8") for file in sorted((FOLDER / "macros").glob(f"*{SUFFIX}"))]


@cache
def pair_queries() -> Mapping[str, Query]:
    """Return the questions of two stores by name; tests hold the law of their headers."""
    return {
        file.stem: read_query(file.read_text("utf-8"), file, "shipped")
        for file in sorted(FOLDER.glob(f"*{SUFFIX}"))
    }
