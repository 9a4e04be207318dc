"""The way to what is shown: one level deeper at each step, and back the same way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .focus import Focus


@dataclass(frozen=True, slots=True)
class Level:
    """A view, the item it was opened on, and the place that was shown when it was left."""

    view: str
    item: object = None
    focus: Focus | None = None


class Way:
    """Levels, of which the last one is shown; the first one stays."""

    def __init__(self, first: str) -> None:
        self._levels = [Level(first)]

    @property
    def here(self) -> Level:
        """Return the level that is shown."""
        return self._levels[-1]

    @property
    def at_start(self) -> bool:
        """Tell whether there is no level to go back to."""
        return len(self._levels) == 1

    @property
    def views(self) -> Iterator[str]:
        """Yield the views of the way, from the one that is shown to the first."""
        return (level.view for level in reversed(self._levels))

    @property
    def nearest_view(self) -> str:
        """Return the nearest view on the way back that needs no item to be opened."""
        return next(level.view for level in reversed(self._levels) if level.item is None)

    def deeper(self, view: str, item: object, leaving: Focus | None) -> None:
        """Go to a view; the place that is left comes back with the level."""
        self._levels[-1] = replace(self.here, focus=leaving)
        self._levels.append(Level(view, item))

    def stay_on(self, item: object) -> None:
        """Note that the view that is shown shows another item."""
        self._levels[-1] = replace(self.here, item=item)

    def back(self) -> Level:
        """Go back one level, and return it; at the start there is none to leave."""
        if not self.at_start:
            self._levels.pop()
        return self.here

    def restart(self, views: Sequence[str] = ()) -> None:
        """Go to the start, and from there to views one after another."""
        first = self._levels[0].view
        self._levels = [Level(first), *(Level(view) for view in views if view != first)]
