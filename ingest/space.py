"""Room on a file system: what a store will need, what is free, and how a full disk shows."""

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from .profile import Profile

PACKED: Final = frozenset({".gz", ".zip"})
PACKED_RATIO: Final = 10
"""Bytes of a timeline in one byte of an archive of it, roughly."""

STORED_DIVISOR: Final = 4
"""Bytes of a profile for which a store has one, roughly."""

SPILLED_QUARTERS: Final = 3
"""Quarters of a byte that DuckDB spills at most for one of a profile, roughly."""

FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
CLOSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_SAYS_FULL: Final = (
    *map(os.strerror, sorted(FULL)),
    # What DuckDB spills may take what is free; beyond it this setting is what it names.
    "max_temp_directory_size",
)


def room_needed(profiles: Iterable[Profile]) -> int:
    """Return about how many bytes it takes to build the ranks of some profiles.

    They are built one by one, so what is spilled meanwhile counts once.
    """
    sizes = [sum(map(_text_bytes, profile.files)) for profile in profiles]
    return sum(sizes) // STORED_DIVISOR + max(sizes, default=0) * SPILLED_QUARTERS // 4


def _text_bytes(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size * (PACKED_RATIO if file.suffix in PACKED else 1)
    return 0


def room_at(place: Path) -> int:
    """Return how many bytes this user may still write at a place, which need not be there.

    Raises OSError when that cannot be told.
    """
    while not place.exists() and place != place.parent:
        place = place.parent
    found = os.statvfs(place)
    return found.f_bavail * found.f_frsize


def says_full(error: BaseException) -> bool:
    """Tell whether an error, or what caused it, is that of a full disk or quota."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in FULL:
            return True
        if any(sign in str(seen) for sign in _SAYS_FULL):
            return True
        seen = seen.__cause__
    return False
