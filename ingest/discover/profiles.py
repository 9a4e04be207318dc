"""What lies at a path: the profiles in it, each with its files and what they are for.

Nothing is parsed and nothing is written here. Directories are searched five levels
deep, without following links; a folder that a profiler made is not searched further.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..communication_group import CommunicationGroup, cluster_groups
from ..errors import UnsupportedProfile, UsageError
from ..folder import Folder, list_folder
from ..notice import Notice
from ..profile import Profile
from ..text import printable
from .content import DEEP_SEARCH_BYTES, look_into
from .failures import is_profilers_name
from .layouts import (
    MSPROF_OUTPUT,
    TORCH_OUTPUT,
    Claim,
    Layout,
    framework_profile,
    is_profile_folder,
    msprof_profiles,
)
from .loose import foreign_traces, loose_output, table_profile, timeline_profile
from .ranks import settle_ranks
from .side_files import SideFiles
from .unread import (
    CLUSTER_FOLDER,
    NOT_READ,
    cluster_results,
    describe,
    linked_folder,
    unreadable_folder,
)

PROFILE_LAYOUTS: Final[tuple[Layout, ...]] = (framework_profile, msprof_profiles)
"""Folders that the profilers themselves make; a reader of another source adds its own."""

LOOSE_LAYOUTS: Final[tuple[Layout, ...]] = (loose_output, foreign_traces)
"""Files that lie somewhere; looked for only if no profiler's folder holds a profile."""

GROUP_FILE: Final = "communication_group.json"

_DEPTH: Final = 5
_MOST_NAMED: Final = 8
_LOOKED_FOR: Final = (
    "*_ascend_pt and *_ascend_ms folders, PROF_* folders, trace_view.json, msprof*.json,"
    " kernel_details.csv, op_summary*.csv, and Chrome traces (.json, .json.gz, .zip)"
)


def find_profiles(path: Path) -> list[Profile]:
    """Find the profiles at a path, one per rank, in the order of their ranks.

    Raises UsageError if there is no such path, and UnsupportedProfile if it holds
    nothing that is read, or several profiles of one rank that cannot be told apart.
    """
    try:
        path = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path}: no such file or folder; check the path") from error
    if path.is_dir():
        return _in_folder(path)
    return [_in_file(path)]


def _in_file(path: Path) -> Profile:
    content = look_into(path, DEEP_SEARCH_BYTES)
    if content.kind == "timeline":
        return timeline_profile(path, content).profile
    if content.kind == "csv" and (found := table_profile(path, content)) is not None:
        return found.profile
    notice = describe(path, path.parent, content)
    reasons = {
        "csv": "a table without kernels; give the folder that it lies in",
        "json": "JSON without trace events: neither a list of them nor an object with traceEvents",
        "empty": "there is nothing in it",
        "utf-16": "UTF-16 text; convert it to UTF-8",
        "archive": f"the archive {content.about}; unpack it and give the folder",
        "damaged": f"cannot be unpacked ({content.about})",
        "unreadable": content.about,
    }
    reason = (notice.sample if notice else None) or reasons.get(content.kind) or "not a profile"
    raise UnsupportedProfile(
        f"{path}: {reason}.\nnpuview opens a folder of a profiler, a timeline (.json, .json.gz,"
        " .zip) or a table of kernels (kernel_details.csv, op_summary*.csv)."
    )


def _in_folder(path: Path) -> list[Profile]:
    if path.name in {TORCH_OUTPUT, MSPROF_OUTPUT} and is_profile_folder(list_folder(path.parent)):
        # The folder above names rank and device.
        path = path.parent
    search = _Search(path)
    claims = list(search.claims())
    if not any(claim.found for claim in claims):
        claims += search.loose_claims()
    groups = search.groups()
    notices = [notice for claim in claims for notice in claim.notices]
    notices = [_printable(one) for one in dict.fromkeys((*notices, *search.notices()))]
    found = [one for claim in claims for one in claim.found]
    if not found:
        raise UnsupportedProfile(_nothing_found(path, notices, search.passed))
    profiles = [
        replace(_grouped(one, groups), notices=tuple(map(_printable, one.notices)))
        for one in settle_ranks(found, path)
    ]
    # What belongs to no profile in particular is told once, with the first.
    first = profiles[0]
    profiles[0] = replace(first, notices=(*first.notices, *notices))
    return profiles


class _Search:
    """A walk through folders; ``passed`` are those in which no profiler's folder began."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.passed: list[Folder] = []
        self._clusters: list[Path] = []
        self._of_groups: list[Notice] = []
        self._described: set[Path] = set()

    def claims(self) -> Iterator[Claim]:
        """Yield what the profilers' own folders hold."""
        yield from self._claims(list_folder(self._root), 0)

    def _claims(self, folder: Folder, depth: int) -> Iterator[Claim]:
        for layout in PROFILE_LAYOUTS:
            claim = layout(folder, self._root)
            if claim is not None:
                yield claim
                return
        self.passed.append(folder)
        if depth == _DEPTH:
            return
        for place in folder.folders:
            if place.name == CLUSTER_FOLDER:
                self._clusters.append(place)
            elif not place.name.startswith("."):
                yield from self._claims(list_folder(place), depth + 1)

    def loose_claims(self) -> Iterator[Claim]:
        """Yield what lies loose in the folders passed."""
        for folder in self.passed:
            for layout in LOOSE_LAYOUTS:
                claim = layout(folder, self._root)
                if claim is None:
                    continue
                yield claim
                if claim.found:
                    if layout is loose_output:
                        # It has described the folder's other files itself.
                        self._described.add(folder.path)
                    break

    def groups(self) -> tuple[CommunicationGroup, ...]:
        """Return the communication groups that msprof-analyze listed for all ranks."""
        side = SideFiles(self._root)
        found: list[CommunicationGroup] = []
        for folder in (*self.passed, *map(list_folder, self._clusters)):
            file = folder.path / GROUP_FILE
            if file not in folder.files:
                continue
            document = side.read(file)
            listed = cluster_groups(document)
            found += listed
            if document and not listed:
                sentence = "groups without names: which of them a collective is of is not told"
                side.notice(file, NOT_READ, sentence, severity="info")
        self._of_groups = side.notices
        return tuple(found)

    def notices(self) -> Iterator[Notice]:
        """Yield what is recognised on the way and not read."""
        yield from self._of_groups
        for place in self._clusters:
            yield cluster_results(place, self._root)
        for folder in self.passed:
            if folder.error is not None:
                yield unreadable_folder(folder, self._root)
            for place in folder.links:
                severity = "error" if is_profilers_name(place) else "info"
                yield linked_folder(place, self._root, severity=severity)
            if folder.path not in self._described:
                yield from _described(folder, self._root)


def _grouped(profile: Profile, groups: Iterable[CommunicationGroup]) -> Profile:
    """Return a profile with the groups of its rank that it does not list itself."""
    own = {name for group in profile.groups for name in (group.name, group.hash)}
    more = [
        group
        for group in groups
        if profile.rank_known and profile.rank in group.ranks and group.name not in own
    ]
    return replace(profile, groups=(*profile.groups, *more)) if more else profile


def _printable(notice: Notice) -> Notice:
    """Return a finding whose sentence, which may name files, UTF-8 can hold."""
    return replace(notice, sample=printable(notice.sample)) if notice.sample else notice


def _described(folder: Folder, root: Path) -> Iterator[Notice]:
    """Describe what a folder has of known files; logs of a kind come by the hundred, once."""
    first_log: dict[str | None, Notice] = {}
    for file in folder.files:
        notice = describe(file, root)
        if notice is None:
            continue
        if file.suffix == ".log":
            known = first_log.get(notice.sample)
            first_log[notice.sample] = replace(known, count=known.count + 1) if known else notice
        else:
            yield notice
    yield from first_log.values()


def _nothing_found(path: Path, notices: list[Notice], passed: list[Folder]) -> str:
    lines = [
        f"{path}: no profile that npuview reads.",
        f"Looked for: {_LOOKED_FOR}, {_DEPTH} levels deep.",
    ]
    if notices:
        lines.append("Found:")
        lines += [f"  {one.file}: {one.sample}" for one in notices[:_MOST_NAMED]]
        if len(notices) > _MOST_NAMED:
            lines.append(f"  and {len(notices) - _MOST_NAMED} more")
    else:
        files = sum(len(folder.files) for folder in passed)
        lines.append(f"Found: {files} other files in {len(passed)} folders.")
    lines.append(
        "Try: the folder that msprof or torch_npu.profiler wrote, or the folder above the ranks."
    )
    return "\n".join(lines)
