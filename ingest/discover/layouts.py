"""The directory layouts that hold a profile; each says what it finds in a folder.

A layout is a function from a folder to a ``Claim``, or None if the folder is not its
kind. ``discover`` lists them in the order in which they are asked.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..folder import Folder, list_folder, relative_name
from ..notice import Notice
from ..profile import Producer, Profile
from ..text import printable
from .failures import failures, obstacles
from .identity import (
    DEVICE_FOLDER,
    FRAMEWORK_FOLDER,
    PROF_FOLDER,
    PROFILER_INFO,
    Identity,
    device_folders,
    folder_stamp,
    framework_identity,
    msprof_identity,
)
from .output import MSPROF_TIMELINE, TORCH_TIMELINE, Output, OutputReader
from .table_names import named_once
from .unread import database, raw_framework, raw_msprof

TORCH_OUTPUT: Final = "ASCEND_PROFILER_OUTPUT"
MSPROF_OUTPUT: Final = "mindstudio_profiler_output"
MSPROF_FIGURES: Final = "analyze"

_TEXT_FOLDERS: Final = ("timeline", "summary")
_RAW_FOLDERS: Final = ("data", "sqlite")
_RAW_FRAMEWORK: Final = "FRAMEWORK"


@dataclass(frozen=True, slots=True)
class Found:
    """A profile before its rank is settled among others.

    ``stamp`` is when it was begun (17 digits, empty if its folder does not say);
    ``host_key`` tells hosts of the same name apart.
    """

    profile: Profile
    rank: int | None
    stamp: str = ""
    host_key: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a layout found in a folder: profiles, and data that cannot be read."""

    found: tuple[Found, ...] = ()
    notices: tuple[Notice, ...] = ()


Layout = Callable[[Folder, Path], Claim | None]
"""Looks at a folder; the path is where the search began, for messages."""


def is_profile_folder(folder: Folder) -> bool:
    """Whether a folder is one that a profiler makes, by its name or its side files."""
    return (
        FRAMEWORK_FOLDER.fullmatch(folder.path.name) is not None
        or PROF_FOLDER.fullmatch(folder.path.name) is not None
        or any(PROFILER_INFO.fullmatch(file.name) for file in folder.files)
        or bool(device_folders(folder))
    )


def framework_profile(folder: Folder, root: Path) -> Claim | None:
    """Find a profile of torch_npu or MindSpore: *_ascend_pt, *_ascend_ms or renamed."""
    name = FRAMEWORK_FOLDER.fullmatch(folder.path.name)
    output = folder.folder(TORCH_OUTPUT)
    has_info = any(PROFILER_INFO.fullmatch(file.name) for file in folder.files)
    if name is None and output is None and not has_info:
        return None
    inside = output if output is not None else folder
    files = inside.files
    prof = _newest_prof(folder)
    found = OutputReader(folder.path, TORCH_TIMELINE, fills=False).read(files, inside.others)
    if prof is not None:
        found = _filled(found, prof, folder.path)
    found = found.noticing(obstacles(folder.path, (folder, output, prof)))
    identity = framework_identity(folder, prof)
    mindspore = (
        (name is not None and name[1] == "ms")
        or "mindspore_version" in identity.versions
        or any(file.name.startswith("ascend_mindspore") for file in files)
    )
    if found.empty:
        return _unread_framework(folder, files, found, root, "ms" if mindspore else "pt")
    stamp = folder_stamp(folder.path)
    producer = "mindspore" if mindspore else "torch_npu"
    return Claim((found_profile(folder.path, producer, found, identity, stamp=stamp),))


def _unread_framework(
    folder: Folder, files: Iterable[Path], found: Output, root: Path, kind: str
) -> Claim | None:
    """Say why there is nothing to read in a framework's folder; None if it is none."""
    is_raw = (
        FRAMEWORK_FOLDER.fullmatch(folder.path.name) is not None
        or _newest_prof(folder) is not None
        or folder.folder(_RAW_FRAMEWORK) is not None
    )
    # A stray side file makes no profile of the folder above the ranks.
    if is_raw or any(one.name == TORCH_OUTPUT for one in (*folder.folders, *folder.links)):
        lost = failures(found.notices, folder.path, root)
        if lost:
            return Claim(notices=lost)
    databases = tuple(database(file, root) for file in files if file.suffix == ".db")
    if databases or is_raw:
        return Claim(notices=databases or (raw_framework(folder.path, root, kind),))
    return None


def msprof_profiles(folder: Folder, root: Path) -> Claim | None:
    """Find what msprof exported: one profile, or one per device in layouts before CANN 8."""
    devices = [device for device in device_folders(folder) if _is_device(device)]
    output = folder.folder(MSPROF_OUTPUT)
    alone = DEVICE_FOLDER.fullmatch(folder.path.name) is not None and _is_device(folder)
    if not (PROF_FOLDER.fullmatch(folder.path.name) or output or devices or alone):
        return None
    if alone:
        return _old_devices(folder, list_folder(folder.path.parent), [folder], root)
    places = [output] if output is not None else []
    found = _read(folder.path, [*places, *_analysed(folder)])
    found = found.noticing(obstacles(folder.path, (folder, *device_folders(folder))))
    if found.empty:
        texts = [device for device in devices if _text_files(device)]
        whole = _text_files(folder)
        if texts and not (whole and _only_tables(texts)):
            claim = _old_devices(folder, folder, texts, root)
            sentence = "the whole process at once; its devices' own files are read instead"
            lost = failures(found.notices, folder.path, root)
            notices = (*claim.notices, *_duplicates(whole, root, sentence), *lost)
            return replace(claim, notices=notices)
        places = [place for one in (folder, *devices) for place in _text_folders(one)]
        found = _read(folder.path, places).noticing(found.notices)
    if found.empty:
        return _unread_msprof(folder, output, found, root)
    identity = msprof_identity(folder, devices)
    stamp = folder_stamp(folder.path)
    return Claim((found_profile(folder.path, "msprof", found, identity, stamp=stamp),))


def _unread_msprof(folder: Folder, output: Folder | None, found: Output, root: Path) -> Claim:
    """Say why there is nothing to read in what msprof left."""
    if lost := failures(found.notices, folder.path, root):
        return Claim(notices=lost)
    places = (*folder.files, *(output.files if output is not None else ()))
    databases = tuple(database(file, root) for file in places if file.suffix == ".db")
    return Claim(notices=databases or (raw_msprof(folder.path, root),))


def _old_devices(folder: Folder, prof: Folder, devices: list[Folder], top: Path) -> Claim:
    """Make one profile per device_N; what the host folder holds belongs to each of them."""
    host = prof.folder("host")
    host_places = _text_folders(host) if host is not None else []
    host_files = [file for one in host_places for file in one.files]
    found: list[Found] = []
    lost: list[Notice] = []
    for device in devices:
        path = folder.path if len(devices) == 1 else device.path
        name = path.name if path == prof.path else f"{prof.path.name}/{path.name}"
        identity = msprof_identity(prof, [device])
        outside = (file for file in (*host_files, *identity.files) if not file.is_relative_to(path))
        root = prof.path if any(outside) else path
        output = _with_host(_read(root, _text_folders(device)), _read(root, host_places))
        if output.empty:
            lost += failures(output.notices, root, top)
            continue
        stamp = folder_stamp(prof.path)
        found.append(found_profile(path, "msprof", output, identity, stamp=stamp, name=name))
    ranks = [one.rank for one in found]
    # One process has one rank_id: if its devices share it, it names none of them.
    shared = {rank for rank in ranks if rank is not None and ranks.count(rank) > 1}
    return Claim(
        tuple(replace(one, rank=None) if one.rank in shared else one for one in found),
        tuple(lost),
    )


def _read(root: Path, places: list[Folder]) -> Output:
    """Read msprof's text output in some folders."""
    found = OutputReader(root, MSPROF_TIMELINE, fills=True).read(
        (file for one in places for file in one.files),
        (other for one in places for other in one.others),
    )
    return found.noticing(obstacles(root, places))


def _with_host(device: Output, host: Output) -> Output:
    """Add the host's timelines as fill and its tables, renamed where the device has the same."""
    names = {table.name for table in device.tables}
    return Output(
        (
            *device.timelines,
            *(
                replace(file, role="fill" if device.timelines else file.role)
                for file in host.timelines
            ),
        ),
        (
            *device.tables,
            *(
                replace(table, name=f"{table.name}_host") if table.name in names else table
                for table in host.tables
            ),
        ),
        (*device.notices, *host.notices),
        (*device.figures, *host.figures),
    )


def _filled(own: Output, prof: Folder, root: Path) -> Output:
    """Add from msprof's view of the same run what the framework's view lacks."""
    output = prof.folder(MSPROF_OUTPUT)
    if output is None:
        return own
    other = _read(root, [output, *_analysed(prof)])
    names = {table.name for table in own.tables}
    has_kernels = any(table.kind == "kernels" for table in own.tables)
    sentence = f"msprof's view of the same run; {TORCH_OUTPUT} is read instead"
    notices: list[Notice] = []
    timelines = list(own.timelines)
    tables = list(own.tables)
    if timelines:
        notices += _duplicates((file.path for file in other.timelines), root, sentence)
    else:
        timelines += other.timelines
    for table in other.tables:
        if table.name in names or (has_kernels and table.kind == "kernels"):
            notices += _duplicates(table.paths, root, sentence)
        else:
            tables.append(table)
    if own.figures:
        notices += _duplicates((file.path for file in other.figures), root, sentence)
    return Output(
        tuple(timelines),
        tuple(tables),
        (*own.notices, *other.notices, *notices),
        own.figures or other.figures,
    )


def _duplicates(paths: Iterable[Path], root: Path, sentence: str) -> tuple[Notice, ...]:
    return tuple(
        Notice(relative_name(path, root), "duplicate_source", "info", sample=sentence)
        for path in paths
    )


def _newest_prof(folder: Folder) -> Folder | None:
    names = [path.name for path in folder.folders if PROF_FOLDER.fullmatch(path.name)]
    if not names:
        return None
    return folder.folder(max(names, key=lambda name: (folder_stamp(Path(name)), name)))


def _is_device(folder: Folder) -> bool:
    return any(path.name in (*_TEXT_FOLDERS, *_RAW_FOLDERS) for path in folder.folders) or any(
        file.name.startswith("info.json") for file in folder.files
    )


def _analysed(prof: Folder) -> list[Folder]:
    """List the folder of what msprof --analyze=on computes."""
    figures = prof.folder(MSPROF_FIGURES)
    return [figures] if figures is not None else []


def _text_folders(folder: Folder) -> list[Folder]:
    """List timeline/ and summary/."""
    inner = (folder.folder(name) for name in _TEXT_FOLDERS)
    return [one for one in inner if one is not None]


def _text_files(folder: Folder) -> list[Path]:
    return [file for one in _text_folders(folder) for file in one.files]


def _only_tables(devices: list[Folder]) -> bool:
    return not any(file.suffix != ".csv" for device in devices for file in _text_files(device))


def found_profile(
    path: Path,
    producer: Producer,
    output: Output,
    identity: Identity,
    *,
    stamp: str = "",
    name: str = "",
) -> Found:
    """Put together what an output folder and its side files say."""
    profile = Profile(
        name=printable(name or path.name),
        path=path,
        files=tuple(sorted({*output.files, *identity.files})),
        producer=producer,
        rank=identity.rank if identity.rank is not None else 0,
        rank_known=identity.rank is not None,
        world_size=identity.world_size,
        device_id=identity.device_id,
        host=identity.host,
        versions=identity.versions,
        level=identity.level,
        switches=identity.switches,
        clock_start=identity.clock_start,
        cube_cores=identity.cube_cores,
        vector_cores=identity.vector_cores,
        groups=identity.groups,
        figures=output.figures,
        timelines=output.timelines,
        tables=tuple(named_once(output.tables)),
        notices=(*output.notices, *identity.notices),
    )
    return Found(profile, identity.rank, stamp, identity.host_key)
