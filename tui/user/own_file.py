"""Small JSON files of our own about a profile: trusted by nobody, replaced in one step."""

import json
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import cast

from ..process.crash_log import state_directory

VERSION = 1
MOST_BYTES = 1 << 20

LONGEST_TIME = 1 << 62
"""ns; beyond it arithmetic on int64 would not hold."""


def profile_file(store: Path, suffix: str) -> Path | None:
    """Return a file about a profile, by its store; None without a home."""
    try:
        return state_directory() / "profiles" / f"{store.name}{suffix}"
    except RuntimeError:
        return None


class Unusable(Exception):
    """Why a file is left alone."""


class Newer(Unusable):
    """A file that a newer npuview wrote."""


def read_own(path: Path) -> str | None:
    """Return the text of a file that is ours; None if there is none.

    Raises Unusable for one that is no file, of another user, too large, or not to be read.
    """
    try:
        # Not following a link, and not waiting for the writer of a pipe.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Unusable(f"cannot be read ({getattr(error, 'strerror', None) or error})") from error
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Unusable("is no file")
        if found.st_uid != os.geteuid():
            raise Unusable("belongs to another user")
        try:
            content = file.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise Unusable(f"is larger than {MOST_BYTES:,} bytes")
            return content.decode()
        except OSError as error:
            raise Unusable(f"cannot be read ({error.strerror or error})") from error
        except UnicodeDecodeError as error:
            raise Unusable("is damaged") from error


def decoded(text: str) -> dict[str, object]:
    """Return what a file of ours holds; raise Unusable for one that is not as it should be."""
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unusable("is damaged") from error
    if not isinstance(read, dict):
        raise Unusable("is damaged")
    kept = cast("dict[str, object]", read)
    version = whole(kept.get("version"))
    if version is None or version < 1:
        raise Unusable("is damaged")
    if version > VERSION:
        raise Newer("was written by a newer npuview")
    return kept


def is_newer(path: Path) -> bool:
    """Tell whether a newer npuview wrote a file."""
    try:
        decoded(read_own(path) or "")
    except Newer:
        return True
    except Unusable:
        return False
    return False


def whole(value: object) -> int | None:
    """Return a value if it is a whole number that fits."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) <= LONGEST_TIME else None


def write_own(path: Path, text: str) -> None:
    """Replace a file in one step; it and its directory are for their owner only.

    Raises OSError.
    """
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
