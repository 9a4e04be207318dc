"""Where somebody was in a profile: kept at the end, found again at the next opening.

One small JSON file a profile. Times are ns from the start of the profile and nothing
names a slice, so a store that was built again keeps its bookmarks. Nothing in the file
is trusted: what is not as it should be is left out, and said.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, cast

from .own_file import (
    MOST_BYTES,
    VERSION,
    Unusable,
    decoded,
    is_newer,
    profile_file,
    read_own,
    whole,
    write_own,
)

MOST_STATEMENTS = 200
MOST_STATEMENT_BYTES = MOST_BYTES // 2
MOST_BOOKMARKS = 1_000


class Window(NamedTuple):
    """A stretch of time in ns from the start of the profile."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A place that somebody kept, with a name and a note of their own."""

    name: str
    view: str
    window: Window | None = None
    note: str = ""
    rank: int | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """Where somebody was; None where they had been nowhere yet.

    ``history`` has the statements of SQL that were run, the newest last.
    """

    view: str | None = None
    rank: int | None = None
    step: int | None = None
    window: Window | None = None
    bookmarks: tuple[Bookmark, ...] = ()
    history: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path) -> "Loaded":
        """Read a state; an empty one and a sentence if it cannot be used. Never raises."""
        try:
            text = read_own(path)
            if text is None:
                return Loaded(cls())
            return Loaded(_state(decoded(text)))
        except Unusable as reason:
            return Loaded(cls(), f"{path}: {reason}; where you were is not known")

    def save(self, path: Path) -> str | None:
        """Write the state in one step, for its owner only; return why if that fails.

        A file that a newer npuview wrote stays as it is.
        """
        kept = asdict(self)
        kept["history"] = _newest(self.history)
        kept["bookmarks"] = kept["bookmarks"][-MOST_BOOKMARKS:]
        text = json.dumps({"version": VERSION, **kept}, indent=1)
        reason: str | None = None
        if len(text) > MOST_BYTES:
            reason = f"larger than {MOST_BYTES:,} bytes; shorten the notes of bookmarks"
        elif is_newer(path):
            reason = "the file was written by a newer npuview"
        else:
            try:
                write_own(path, text)
            except OSError as error:
                reason = error.strerror or str(error)
        return f"{path}: where you were cannot be kept: {reason}" if reason else None


class Loaded(NamedTuple):
    """A state, and a sentence if a file was there and could not be used."""

    state: State
    said: str | None = None


def state_path(store: Path) -> Path | None:
    """Return where the state of a profile lies, by its store; None without a home."""
    return profile_file(store, ".json")


def _state(kept: dict[str, object]) -> State:
    """Take what is as it should be; unknown fields and wrong types are left out."""
    return State(
        view=_text(kept.get("view")),
        rank=whole(kept.get("rank")),
        step=whole(kept.get("step")),
        window=_window(kept.get("window")),
        bookmarks=tuple(_bookmarks(kept.get("bookmarks")))[-MOST_BOOKMARKS:],
        history=_newest(tuple(filter(None, map(_text, _list(kept.get("history")))))),
    )


def _bookmarks(value: object) -> Iterator[Bookmark]:
    for one in _list(value):
        if isinstance(one, dict):
            fields = cast("dict[str, object]", one)
            name, view = _text(fields.get("name")), _text(fields.get("view"))
            if name and view:
                window, note = _window(fields.get("window")), _text(fields.get("note"))
                rank, step = whole(fields.get("rank")), whole(fields.get("step"))
                yield Bookmark(name, view, window, note or "", rank, step)


def _newest(statements: tuple[str, ...]) -> tuple[str, ...]:
    """Return the last statements that leave the file small enough to be read again."""
    kept: list[str] = []
    room = MOST_STATEMENT_BYTES
    for statement in reversed(statements[-MOST_STATEMENTS:]):
        room -= len(json.dumps(statement))
        if room < 0:
            break
        kept.append(statement)
    return tuple(reversed(kept))


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _window(value: object) -> Window | None:
    ends = [whole(one) for one in _list(value)]
    match ends:
        case [int(start), int(end)] if start < end:
            return Window(start, end)
        case _:
            return None
