"""What is kept of a profile from one opening to the next: places, statements, the last place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from ..dialogs.goto import step_at
from ..focus import Focus, Window
from ..run import Run
from .state import Bookmark, State
from .state import Window as FromStart

PATIENCE_S = 1.0
"""How long the end waits for a disk that does not answer."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A view, and the place that it showed."""

    view: str
    focus: Focus


class Kept:
    """What is kept; without a ``path`` it lasts as long as the app.

    ``said`` is a sentence if a file was there and could not be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.state, self.said = State.load(path) if path is not None else (State(), None)

    @property
    def bookmarks(self) -> Sequence[Bookmark]:
        """Return the bookmarks, the oldest first."""
        return self.state.bookmarks

    @property
    def history(self) -> Sequence[str]:
        """Return the statements that were run, the newest last."""
        return self.state.history

    def add_statement(self, text: str) -> None:
        """Keep a statement as the newest one; the same text is kept once."""
        others = tuple(one for one in self.state.history if one != text)
        self.state = replace(self.state, history=(*others, text))

    def add_bookmark(self, name: str, spot: Spot, run: Run) -> None:
        """Keep a place under a name."""
        focus = spot.focus
        window = _from_start(focus, run)
        bookmark = Bookmark(name, spot.view, window, rank=focus.rank, step=focus.step)
        self.state = replace(self.state, bookmarks=(*self.state.bookmarks, bookmark))

    def replace_bookmark(self, old: Bookmark, new: Bookmark | None) -> None:
        """Put a bookmark in the place of another one, or nothing: it is deleted."""
        kept = [new if one is old else one for one in self.state.bookmarks]
        self.state = replace(self.state, bookmarks=tuple(one for one in kept if one is not None))

    def last(self, run: Run) -> Spot | None:
        """Return where somebody was last, as far as it is still there."""
        state = self.state
        if state.view is None or state.rank not in run.ranks:
            return None
        return Spot(state.view, _focus(state.rank, state.step, state.window, run))

    def spot(self, bookmark: Bookmark, run: Run) -> Spot | None:
        """Return where a bookmark leads; None if its rank is not open."""
        rank = run.ranks[0] if bookmark.rank is None else bookmark.rank
        if rank not in run.ranks:
            return None
        return Spot(bookmark.view, _focus(rank, bookmark.step, bookmark.window, run))

    def leave(self, spot: Spot, run: Run) -> None:
        """Keep a place as the last one."""
        focus = spot.focus
        self.state = replace(
            self.state,
            view=spot.view,
            rank=focus.rank,
            step=focus.step,
            window=None if focus.window is None else _from_start(focus, run),
        )

    def save(self) -> str | None:
        """Write what is kept; return why if that fails. Never raises, and waits 1 s at most."""
        if self._path is None:
            return None
        path, state, said = self._path, self.state, [f"{self._path}: the disk does not answer"]

        def write() -> None:
            reason = state.save(path)
            said[:] = [reason] if reason else []

        writer = Thread(target=write, daemon=True)
        writer.start()
        writer.join(PATIENCE_S)
        return said[0] if said else None


def _from_start(focus: Focus, run: Run) -> FromStart | None:
    """Return the window of a focus from the start of the profile; None without a timeline."""
    window, extent = run.window(focus), run.extent(focus.rank)
    if window is None or extent is None:
        return None
    return FromStart(window.from_ts - extent.from_ts, window.to_ts - extent.from_ts)


def _focus(rank: int, step: int | None, kept: FromStart | None, run: Run) -> Focus:
    """Return a kept place as far as it is there; a step that went is looked for by its time."""
    extent = run.extent(rank)
    window = None
    if kept is not None and extent is not None:
        window = Window(kept.start + extent.from_ts, kept.end + extent.from_ts)
        window = window if window.meets(extent) else None
    if step is not None and all(row.step != step for row in run.steps_of(rank)):
        step = step_at(window.from_ts, rank, run) if window is not None else None
    return Focus(rank, step, None if window == run.period(rank, step) else window)
