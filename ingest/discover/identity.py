"""Who a profile is: rank, device, host, versions, level and clock, from its side files."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from ..communication_group import CommunicationGroup, listed_groups
from ..folder import Folder, natural_key
from ..notice import Notice
from ..text import printable
from .side_files import INT32_MAX, NO_FILE, SideFiles, decoded, object_of, text_of

PROFILER_INFO: Final = re.compile(r"profiler_info(?:_([0-9]+))?\.json")
DEVICE_FOLDER: Final = re.compile(r"device_([0-9]+)")
PROF_FOLDER: Final = re.compile(r"PROF_[0-9]+_([0-9]{17})_[0-9a-zA-Z]+.*")
FRAMEWORK_FOLDER: Final = re.compile(r".*_ascend_(pt|ms)")
_WORKER: Final = re.compile(r"(?P<worker>.+?)(?:_[0-9]+)?_(?P<stamp>[0-9]{17})_ascend_(?:pt|ms)")

_WORLD_GROUP: Final = "default_group"
_VERSIONS: Final = (
    "torch_npu_version",
    "mindspore_version",
    "cann_version",
    "version",
    "platform_version",
    "drvVersion",
)
_MSPROF_SWITCHES: Final = ("prof_level", "ai_core_metrics", "aiv_metrics", "host_sys")
_MOST_NANOSECONDS: Final = 1 << 62
_EPOCH_MICROSECONDS: Final = range(10**14, _MOST_NANOSECONDS // 1000)
"""Where microseconds since 1970 lie (1973 to 2116)."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What side files say; None and empty where they say nothing.

    ``host_key`` tells hosts of the same name apart; ``files`` are those read, and
    ``notices`` what is wrong with them, named relative to the folder.
    """

    rank: int | None = None
    world_size: int | None = None
    device_id: int | None = None
    host: str | None = None
    host_key: str = ""
    versions: dict[str, object] = field(default_factory=dict[str, object])
    level: str | None = None
    switches: dict[str, object] = field(default_factory=dict[str, object])
    clock_start: tuple[int, int] | None = None
    cube_cores: int | None = None
    vector_cores: int | None = None
    groups: tuple[CommunicationGroup, ...] = ()
    files: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()


def framework_identity(folder: Folder, prof: Folder | None) -> Identity:
    """Read profiler_info, profiler_metadata and the side files of the PROF folder inside."""
    infos = [file for file in folder.files if PROFILER_INFO.fullmatch(file.name)]
    # Named for a rank before the one without.
    infos.sort(key=lambda file: (file.name == "profiler_info.json", natural_key(file)))
    metadata_file = folder.path / "profiler_metadata.json"
    has_metadata = metadata_file in folder.files
    side = SideFiles(folder.path)
    for place in folder.others:
        if PROFILER_INFO.fullmatch(place.name) or place == metadata_file:
            side.notice(place, "file_unreadable", NO_FILE, severity="error")
    info = side.read(infos[0]) if infos else {}
    metadata = side.read(metadata_file) if has_metadata else {}
    distributed = object_of(metadata.get("distributed_args"))
    config = object_of(info.get("config"))
    experimental = object_of(config.get("experimental_config"))
    raw = msprof_identity(prof, device_folders(prof), side) if prof is not None else Identity()
    name = _WORKER.fullmatch(folder.path.name)
    worker = printable(name["worker"]) if name else None
    rank = None
    for file in infos[:1]:
        named = PROFILER_INFO.fullmatch(file.name)
        rank = side.whole(file, "rank", named[1] if named else None, INT32_MAX)
        if rank is None:
            rank = side.whole(file, "rank_id", info.get("rank_id"), INT32_MAX)
    if rank is None:
        rank = side.whole(metadata_file, "rank", distributed.get("rank"), INT32_MAX)
    return Identity(
        rank=rank,
        world_size=_world_size(metadata, metadata_file, side),
        device_id=raw.device_id,
        host=raw.host or worker,
        host_key=raw.host_key or worker or "",
        versions={**raw.versions, **_named(info, _VERSIONS)},
        level=text_of(experimental.get("_profiler_level")),
        switches={**object_of(config.get("common_config")), **experimental},
        clock_start=raw.clock_start,
        cube_cores=raw.cube_cores,
        vector_cores=raw.vector_cores,
        groups=listed_groups(metadata),
        files=(
            *infos[:1],
            *((metadata_file,) if has_metadata else ()),
            *raw.files,
        ),
        notices=tuple(side.notices),
    )


def msprof_identity(
    prof: Folder, devices: Iterable[Folder], side: SideFiles | None = None
) -> Identity:
    """Read info.json, start_info and sample.json of a PROF folder's devices and host.

    Rank, device and cores are given only if all the devices agree on them. With ``side`` of
    the folder around it the notices are found there too.
    """
    side = side or SideFiles(prof.path)
    ranks: set[int | None] = set()
    numbers: set[int | None] = set()
    info: dict[str, object] = {}
    sample: dict[str, object] = {}
    files: list[Path] = []
    clock: tuple[int, int] | None = None
    cores: set[tuple[int | None, int | None]] = set()
    host = prof.folder("host")
    for folder in (*devices, *((host,) if host is not None else ())):
        match = DEVICE_FOLDER.fullmatch(folder.path.name)
        suffix = f".{match[1]}" if match else ""
        found = {
            name: file
            for name in ("info.json", "start_info", "sample.json")
            for file in (folder.path / (name + suffix), folder.path / name)
            if file in folder.files
        }
        files += found.values()
        own = side.read(found.get("info.json"))
        if match:
            numbers.add(side.whole(folder.path, "device", match[1], INT32_MAX))
            file = found.get("info.json", folder.path)
            ranks.add(side.whole(file, "rank_id", own.get("rank_id"), INT32_MAX))
            cores.add(_core_counts(own, file, side))
        info = {**own, **{key: value for key, value in info.items() if value not in ("", None)}}
        sample = sample or side.read(found.get("sample.json"))
        if clock is None and (started := found.get("start_info")) is not None:
            clock = _clock_start(started, side)
    cube_cores, vector_cores = cores.pop() if len(cores) == 1 else (None, None)
    hostname = text_of(info.get("hostname"))
    return Identity(
        rank=ranks.pop() if len(ranks) == 1 else None,
        device_id=numbers.pop() if len(numbers) == 1 else None,
        host=hostname or text_of(info.get("hostUid")),
        host_key=text_of(info.get("hostUid")) or hostname or "",
        versions=_named(info, _VERSIONS),
        level=_msprof_level(sample),
        switches={
            key: value
            for key, value in sample.items()
            if value in ("on", "off") or (key in _MSPROF_SWITCHES and value)
        },
        clock_start=clock,
        cube_cores=cube_cores,
        vector_cores=vector_cores,
        files=tuple(files),
        notices=tuple(side.notices),
    )


def _core_counts(
    info: dict[str, object], file: Path, side: SideFiles
) -> tuple[int | None, int | None]:
    """Return how many cube and vector cores a device has.

    No cube core is no count. No vector core is one: then a chip has one kind of core.
    """
    devices = info.get("DeviceInfo")
    listed = cast("list[object]", devices) if isinstance(devices, list) else []
    given = object_of(next(iter(listed), None))
    cube = side.whole(file, "ai_core_num", given.get("ai_core_num"), INT32_MAX)
    return cube or None, side.whole(file, "aiv_num", given.get("aiv_num"), INT32_MAX)


def trace_identity(file: Path, head: bytes, rank: int | None = None) -> Identity:
    """Read rank and world size that Kineto writes before the events.

    ``rank`` is what the file's name says, if it says one.
    """
    side = SideFiles(file.parent)
    place = head.find(b'"distributedInfo"')
    text = head[place:].decode("utf-8", "replace") if place >= 0 else ""
    info: dict[str, object] = {}
    with suppress(ValueError):
        info = object_of(decoded(text[text.index("{") :])[0])
    named = info.get("rank") if rank is None else rank
    return Identity(
        rank=side.whole(file, "rank", named, INT32_MAX),
        world_size=side.whole(file, "world_size", info.get("world_size"), INT32_MAX) or None,
        notices=tuple(side.notices),
    )


def folder_stamp(path: Path) -> str:
    """Return when a profile was begun, 17 digits from its folder's name, or nothing."""
    match = _WORKER.fullmatch(path.name)
    if match:
        return match["stamp"]
    match = PROF_FOLDER.fullmatch(path.name)
    return match[1] if match else ""


def device_folders(prof: Folder) -> list[Folder]:
    """List the device_N folders of a PROF folder."""
    names = [path.name for path in prof.folders if DEVICE_FOLDER.fullmatch(path.name)]
    return [device for name in names if (device := prof.folder(name)) is not None]


def _world_size(metadata: dict[str, object], file: Path, side: SideFiles) -> int | None:
    """Return world_size, else how many ranks the group of all ranks has."""
    given = object_of(metadata.get("distributed_args")).get("world_size")
    if size := side.whole(file, "world_size", given, INT32_MAX):
        return size
    for group in object_of(metadata.get("parallel_group_info")).values():
        ranks = object_of(group).get("global_ranks")
        if object_of(group).get("group_name") == _WORLD_GROUP and isinstance(ranks, list):
            return len(cast("list[object]", ranks)) or None
    return None


def _named(values: dict[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: values[name] for name in names if values.get(name) not in (None, "")}


def _msprof_level(sample: dict[str, object]) -> str | None:
    level = text_of(sample.get("prof_level"))
    return None if level == "off" else level


def _clock_start(file: Path, side: SideFiles) -> tuple[int, int] | None:
    """Return start_info's instant as (monotonic ns, epoch ns).

    The file has clockMonotonicRaw in ns and collectionTimeBegin in µs.
    """
    info = side.read(file)
    monotonic, epoch = (
        side.whole(file, name, info.get(name), most)
        for name, most in (
            ("clockMonotonicRaw", _MOST_NANOSECONDS),
            ("collectionTimeBegin", _EPOCH_MICROSECONDS[-1]),
        )
    )
    if not monotonic or epoch is None or epoch not in _EPOCH_MICROSECONDS:
        return None
    return monotonic, epoch * 1000
