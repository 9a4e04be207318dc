"""The views of the app by name, imported and made when they are first shown."""

from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from .views.view import Desk, View

DIGITS = ("overview", "timeline", "top", "gaps", "sql", "compare")
"""The views that a digit opens, in its order."""


class ViewPlace(NamedTuple):
    """The module and class of a view, imported when it is first shown."""

    module: str
    name: str


VIEWS = {
    "overview": ViewPlace("overview", "Overview"),
    "steps": ViewPlace("steps", "Steps"),
    "timeline": ViewPlace("timeline", "Timeline"),
    "top": ViewPlace("top", "Top"),
    "calls": ViewPlace("calls", "Calls"),
    "gaps": ViewPlace("gaps", "Gaps"),
    "waits": ViewPlace("waits", "Waits"),
    "moves": ViewPlace("moves", "Moves"),
    "memory": ViewPlace("memory", "Memory"),
    "details": ViewPlace("details", "Details"),
    "sql": ViewPlace("sql", "Sql"),
    "compare": ViewPlace("compare", "Compare"),
    "linked": ViewPlace("linked", "Linked"),
}


class ViewsMade:
    """The views that were shown so far."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._made: dict[str, View] = {}

    def __getitem__(self, name: str) -> View:
        """Return a view, made when it is needed first; KeyError for a name that is none."""
        view = self._made.get(name)
        if view is None:
            place = VIEWS[name]
            module = import_module(f".views.{place.module}", __package__)
            view = self._made[name] = getattr(module, place.name)(self._desk)
        return view

    def __iter__(self) -> Iterator[View]:
        """Yield what was made."""
        return iter(self._made.values())
