"""What of a profile cannot be looked into, so that a rank never goes missing in silence.

A profile that opens says itself what failed in it. Of a rank of which nothing is left
the job has to say it: its findings are errors then, named from where the search began.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..folder import Folder, relative_name
from ..notice import Notice
from .identity import DEVICE_FOLDER, FRAMEWORK_FOLDER, PROF_FOLDER
from .unread import linked_folder, unreadable_folder

OUTPUT_FOLDERS: Final = (
    "ASCEND_PROFILER_OUTPUT",
    "mindstudio_profiler_output",
    "timeline",
    "summary",
)

_PATTERNS: Final = (DEVICE_FOLDER, FRAMEWORK_FOLDER, PROF_FOLDER)


def is_profilers_name(path: Path) -> bool:
    """Whether a folder of that name is one that would be looked into."""
    return path.name in OUTPUT_FOLDERS or any(one.fullmatch(path.name) for one in _PATTERNS)


def obstacles(root: Path, folders: Iterable[Folder | None]) -> tuple[Notice, ...]:
    """Name the folders that cannot be listed and the links in place of a folder."""
    found: list[Notice] = []
    for folder in folders:
        if folder is None:
            continue
        if folder.error is not None:
            found.append(unreadable_folder(folder, root))
        found += [
            linked_folder(place, root, severity="error")
            for place in folder.links
            if is_profilers_name(place)
        ]
    return tuple(found)


def failures(notices: Iterable[Notice], path: Path, root: Path) -> tuple[Notice, ...]:
    """Return as errors of the job why there is nothing left of the profile at ``path``.

    Empty if nothing failed: then it holds nothing that is read.
    """
    found = tuple(notices)
    worst = [one for one in found if one.severity != "info"]
    reasons = worst or [one for one in found if one.name == "empty_file"]
    place = "" if path == root else relative_name(path, root)
    return tuple(replace(one, file=_joined(place, one.file), severity="error") for one in reasons)


def _joined(place: str, file: str) -> str:
    if not place or file.startswith("/"):
        return file
    return place if file == "." else f"{place}/{file}"
