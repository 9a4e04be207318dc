"""Where somebody was in a profile: kept at the end, found again at the next opening.

One small JSON file a profile. Times are ns from the start of the profile and nothing
names a slice, so a store that was built again keeps its bookmarks. Nothing in the file
is trusted: what is not as it should be is left out, and said.
"""

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, cast

from ..process.crash_log import state_directory

VERSION = 1
MOST_BYTES = 1 << 20
MOST_STATEMENTS = 200
MOST_STATEMENT_BYTES = MOST_BYTES // 2
MOST_BOOKMARKS = 1_000

LONGEST_TIME = 1 << 62
"""ns; beyond it arithmetic on int64 would not hold."""


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
            text = _read(path)
            if text is None:
                return Loaded(cls())
            return Loaded(_state(_decoded(text)))
        except _Unusable as reason:
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
        elif _is_newer(path):
            reason = "the file was written by a newer npuview"
        else:
            try:
                _write(path, text)
            except OSError as error:
                reason = error.strerror or str(error)
        return f"{path}: where you were cannot be kept: {reason}" if reason else None


class Loaded(NamedTuple):
    """A state, and a sentence if a file was there and could not be used."""

    state: State
    said: str | None = None


def state_path(store: Path) -> Path | None:
    """Return where the state of a profile lies, by its store; None without a home."""
    try:
        return state_directory() / "profiles" / f"{store.name}.json"
    except RuntimeError:
        return None


class _Unusable(Exception):
    """Why a file is left alone."""


class _Newer(_Unusable):
    """A file that a newer npuview wrote."""


def _read(path: Path) -> str | None:
    """Return the text of a file that is ours; None if there is none."""
    try:
        # Not following a link, and not waiting for the writer of a pipe.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _Unusable(f"cannot be read ({getattr(error, 'strerror', None) or error})") from error
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise _Unusable("is no file")
        if found.st_uid != os.geteuid():
            raise _Unusable("belongs to another user")
        try:
            content = file.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise _Unusable(f"is larger than {MOST_BYTES:,} bytes")
            return content.decode()
        except OSError as error:
            raise _Unusable(f"cannot be read ({error.strerror or error})") from error
        except UnicodeDecodeError as error:
            raise _Unusable("is damaged") from error


def _decoded(text: str) -> dict[str, object]:
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Unusable("is damaged") from error
    if not isinstance(read, dict):
        raise _Unusable("is damaged")
    kept = cast("dict[str, object]", read)
    version = _whole(kept.get("version"))
    if version is None or version < 1:
        raise _Unusable("is damaged")
    if version > VERSION:
        raise _Newer("was written by a newer npuview")
    return kept


def _is_newer(path: Path) -> bool:
    try:
        _decoded(_read(path) or "")
    except _Newer:
        return True
    except _Unusable:
        return False
    return False


def _state(kept: dict[str, object]) -> State:
    """Take what is as it should be; unknown fields and wrong types are left out."""
    return State(
        view=_text(kept.get("view")),
        rank=_whole(kept.get("rank")),
        step=_whole(kept.get("step")),
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
                rank, step = _whole(fields.get("rank")), _whole(fields.get("step"))
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


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) <= LONGEST_TIME else None


def _window(value: object) -> Window | None:
    ends = [_whole(one) for one in _list(value)]
    match ends:
        case [int(start), int(end)] if start < end:
            return Window(start, end)
        case _:
            return None


def _write(path: Path, text: str) -> None:
    """Replace a file in one step; it and its directory are for their owner only."""
    for folder in (path.parent.parent, path.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, built = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(built).replace(path)
    finally:
        # It is gone when all went well.
        with suppress(FileNotFoundError):
            Path(built).unlink()
