"""How much room stores may take together: the ones not used for longest go first."""

import os
from pathlib import Path
from typing import Final

from .cache import bytes_of, last_use, remove_store, stores_in
from .errors import StoreError

MOST_BYTES: Final = 20 * 10**9
SHARE_DIVISOR: Final = 10


def default_budget(root: Path) -> int:
    """Return a tenth of the file system that holds a directory, at most 20 GB.

    Raises OSError when its size cannot be told.
    """
    found = os.statvfs(root)
    return min(MOST_BYTES, found.f_blocks * found.f_frsize // SHARE_DIVISOR)


def keep_within(root: Path, budget: int, kept: Path) -> list[tuple[Path, int]]:
    """Remove stores until those in a directory take at most ``budget`` bytes.

    What somebody uses stays, and so does ``kept``. Returns what was removed, with the
    bytes of each.
    """
    sizes = {store: bytes_of(store) for store in stores_in(root)}
    total = sum(sizes.values())
    removed: list[tuple[Path, int]] = []
    for store in sorted(sizes, key=last_use):
        if total <= budget:
            break
        if store == kept:
            continue
        try:
            removed.append((store, remove_store(store, patient=True)))
        except (StoreError, OSError):
            continue
        total -= sizes[store]
    return removed
