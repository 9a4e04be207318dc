"""Baselines: what is kept of a run so that later ones can be held against it.

A baseline is a store by a name, reduced to the tables that two runs are compared by. It
outlives the profile and its store: it lies among the user's data, not in a cache.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .cache import remove_store
from .errors import UsageError
from .store import is_store

NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9+-])?")
_ENDS_OF_OTHERS: Final = (".lock", ".json")
"""How names of files end that lie beside baselines."""


def baseline_root(explicit: Path | None = None) -> Path:
    """Return the directory of baselines: the given one, or one by the environment.

    ``$NPUVIEW_BASELINE_DIR``, ``$XDG_DATA_HOME/npuview/baselines``, else
    ``~/.local/share/npuview/baselines``. Raises UsageError without a home.
    """
    if explicit is not None:
        return explicit
    if named := os.environ.get("NPUVIEW_BASELINE_DIR"):
        return Path(named)
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "npuview" / "baselines"
    try:
        return Path.home() / ".local" / "share" / "npuview" / "baselines"
    except RuntimeError as error:
        raise UsageError("no home directory for baselines: name --baseline-dir") from error


def is_name(text: str) -> bool:
    """Tell whether a text can name a baseline: no path, nothing that is hidden or too long."""
    return NAME.fullmatch(text) is not None and not text.endswith(_ENDS_OF_OTHERS)


def baseline_path(root: Path, name: str) -> Path:
    """Return where a baseline lies; raise UsageError for a name that none can have."""
    if not is_name(name):
        raise UsageError(
            f"{name!r} names no baseline: up to 64 letters, digits and . _ + - are a name"
        )
    return root / name


def baselines_in(root: Path) -> Iterator[Path]:
    """Yield the baselines in a directory by name."""
    try:
        found = sorted(root.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for place in found:
        if is_name(place.name) and not place.is_symlink() and is_store(place):
            yield place


def remove_baseline(place: Path) -> int:
    """Remove a baseline and return its bytes; raise UsageError if there is none.

    Raises StoreError for one that is in use.
    """
    if place.is_symlink() or not is_store(place):
        raise UsageError(f"no baseline {place.name} in {place.parent}")
    return remove_store(place)
