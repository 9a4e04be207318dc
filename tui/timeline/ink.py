"""The slabs that were loaded: the one that serves a view, and what may be needed next."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..draw.viewport import Viewport
from .lanes import Lane
from .slab import Slab

if TYPE_CHECKING:
    from ..draw.cells import Coverage

MOST_SLABS = 8


class Ink:
    """Slabs, the newest first, and the strips of the whole by rank and window."""

    def __init__(self) -> None:
        self._slabs: list[Slab] = []
        self.strips: dict[tuple[int, Viewport], Coverage] = {}

    def add(self, slab: Slab) -> None:
        """Keep a slab; the oldest of too many goes."""
        self._slabs.insert(0, slab)
        del self._slabs[MOST_SLABS:]

    def slab(self, rank: int, view: Viewport, lanes: Sequence[Lane]) -> Slab | None:
        """Return a slab from which a view of lanes can be drawn; None without."""
        return next((one for one in self._slabs if one.serves(rank, view, lanes)), None)

    def missing(
        self, rank: int, likely: Iterable[Viewport], lanes: Sequence[Lane]
    ) -> Viewport | None:
        """Return the first of some views that no slab serves; None without."""
        return next((view for view in likely if self.slab(rank, view, lanes) is None), None)
