"""File names of exports, and which of several exports in one folder is the newest.

An export writes ``<name>[_<device>][_<model>][_<iteration>][_slice_<k>][_<stamp>]``
and removes nothing: exporting again adds files with a later stamp.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

_NAME: Final = re.compile(
    r"(?P<base>[A-Za-z].*?)(?P<tail>(?:_slice_[0-9]{1,4}|_[0-9]+)*)\.(?P<type>json|csv|db)(?:\.gz)?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"_(slice_)?([0-9]+)")
_STAMP_DIGITS: Final = 14


class FileName(NamedTuple):
    """The parts of an exported file's name.

    ``numbers`` are device, model and iteration as far as the name has them; ``part``
    counts slices from 0 and is 0 without a slice tag; ``stamp`` is empty if missing.
    More than four digits are no slice: they are a date that a person put there.
    """

    base: str
    type: str
    numbers: tuple[int, ...]
    part: int
    stamp: str


class Export(NamedTuple):
    """The newest export of one file: its parts in order, and what became of the others.

    ``missing`` are slices that must have existed; ``older`` are files of earlier
    exports.
    """

    name: FileName
    paths: tuple[Path, ...]
    missing: tuple[int, ...]
    older: tuple[Path, ...]


def parse_name(path: Path) -> FileName | None:
    """Take an export's file name apart by the whole name, or return None."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    part = 0
    stamp = ""
    numbers: list[int] = []
    for tag, digits in _TAIL.findall(match["tail"]):
        if tag:
            part = int(digits)
        elif len(digits) == _STAMP_DIGITS:
            stamp = digits
        else:
            numbers.append(int(digits))
    return FileName(match["base"], match["type"].lower(), tuple(numbers), part, stamp)


def newest_exports(paths: Iterable[Path]) -> list[Export]:
    """Keep the newest export of each file, all its slices merged.

    Slices of one export may carry different stamps (the Python writer stamps each part
    with its own clock) or one (the C++ writer), so stamps alone cannot tell two exports
    apart: in the order of (stamp, slice) a new export begins where the slice number
    does not grow. Sorted by name and numbers.
    """
    groups: defaultdict[tuple[str, str, tuple[int, ...]], list[tuple[FileName, Path]]]
    groups = defaultdict(list)
    for path in paths:
        name = parse_name(path)
        if name is not None:
            groups[name.base, name.type, name.numbers].append((name, path))
    return [_newest(groups[key]) for key in sorted(groups)]


def _newest(group: list[tuple[FileName, Path]]) -> Export:
    """Return the last export of files that differ in stamp and slice only."""
    # A packed copy beside the plain file is the same slice: the plain one comes last.
    group.sort(key=lambda one: (one[0].stamp, one[0].part, one[1].suffix.lower() != ".gz"))
    last: list[tuple[FileName, Path]] = []
    older: list[Path] = []
    for name, path in group:
        if last and name.part <= last[-1][0].part:
            older += [path for _, path in last]
            last = []
        last.append((name, path))
    parts = [name.part for name, _ in last]
    missing = tuple(sorted(set(range(parts[-1] + 1)) - set(parts)))
    return Export(last[0][0], tuple(path for _, path in last), missing, tuple(older))
