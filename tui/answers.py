"""The questions of the catalogue, asked of an opened session, as typed rows."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ..ingest.store import Store
    from ..queries.lane_cells import CounterCells, LaneCells
    from ..queries.query import Query
    from ..queries.session import Session
    from .draw.viewport import Viewport

RowType = TypeVar("RowType")


class Answers:
    """Answers of one session; branches of it are stopped apart from each other."""

    def __init__(self, session: "Session", catalog: "Mapping[str, Query]") -> None:
        self.session = session
        self.catalog = catalog

    def rows(
        self, name: str, row_type: Callable[..., RowType], /, **params: object
    ) -> list[RowType]:
        """Answer a question of the catalogue; raises as ``Session.run`` does."""
        return self.session.run(self.catalog[name], params).as_(row_type)

    def first(
        self, name: str, row_type: Callable[..., RowType], /, **params: object
    ) -> RowType | None:
        """Return the first row of an answer, None if there is none."""
        return next(iter(self.rows(name, row_type, **params)), None)

    def lane_cells(
        self, level: int, window: "Viewport", tracks: str, finest: int | None
    ) -> "list[LaneCells]":
        """Return the cells of lanes in a window; ``finest`` is the finest stored level."""
        # It pulls in DuckDB, as open_answers does.
        from ..queries.lane_cells import lane_cells  # noqa: PLC0415

        stored = finest is not None and level >= finest
        return lane_cells(self.session, level, window.from_ts, window.to_ts, tracks, stored=stored)

    def counter_cells(self, window: "Viewport", series: str) -> "list[CounterCells]":
        """Return the samples of counter series in the cells of a window."""
        from ..queries.lane_cells import counter_cells  # noqa: PLC0415 - as above

        return counter_cells(self.session, window.level, window.from_ts, window.to_ts, series)

    def has(self, *tables: str) -> bool:
        """Tell whether the opened ranks have all of these tables."""
        return set(tables) <= set(self.session.tables)

    def branch(self) -> "Answers":
        """Return the same answers, to be interrupted apart from these."""
        return Answers(self.session.branch(), self.catalog)

    def interrupt(self) -> None:
        """Stop what is being answered here; its asker gets QueryCancelled."""
        self.session.interrupt()

    def close(self) -> None:
        """Stop everything and close the session."""
        self.session.close()


def open_answers(store: "Store", ranks: Iterable[int] | None = None) -> Answers:
    """Open a session over a store; raises UsageError and StoreError as Session does."""
    # DuckDB takes longer to import than the frame of the screen to be drawn.
    from ..queries.catalog import shipped_queries  # noqa: PLC0415
    from ..queries.session import Session  # noqa: PLC0415

    chosen = None if ranks is None else list(ranks)
    return Answers(Session(store, ranks=chosen), shipped_queries())
