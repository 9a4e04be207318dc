"""Who a profile is: rank, device, host, versions, level and clock, from its side files."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from ..folder import Folder, natural_key, open_regular

PROFILER_INFO: Final = re.compile(r"profiler_info(?:_([0-9]+))?\.json")
DEVICE_FOLDER: Final = re.compile(r"device_([0-9]+)")
PROF_FOLDER: Final = re.compile(r"PROF_[0-9]+_([0-9]{17})_[0-9a-zA-Z]+.*")
FRAMEWORK_FOLDER: Final = re.compile(r".*_ascend_(pt|ms)")
_WORKER: Final = re.compile(r"(?P<worker>.+?)(?:_[0-9]+)?_(?P<stamp>[0-9]{17})_ascend_(?:pt|ms)")

_MOST_BYTES: Final = 64 << 20
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
_EPOCH_MICROSECONDS: Final = range(10**14, 10**17)
"""Where microseconds since 1970 lie (1973 to 5138)."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What side files say; None and empty where they say nothing.

    ``host_key`` tells hosts of the same name apart; ``files`` are those read.
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
    files: tuple[Path, ...] = ()


def framework_identity(folder: Folder, prof: Folder | None) -> Identity:
    """Read profiler_info, profiler_metadata and the side files of the PROF folder inside."""
    infos = [file for file in folder.files if PROFILER_INFO.fullmatch(file.name)]
    # Named for a rank before the one without.
    infos.sort(key=lambda file: (file.name == "profiler_info.json", natural_key(file)))
    metadata_file = folder.path / "profiler_metadata.json"
    info = read_object(infos[0]) if infos else {}
    metadata = read_object(metadata_file) if metadata_file in folder.files else {}
    distributed = object_of(metadata.get("distributed_args"))
    config = object_of(info.get("config"))
    experimental = object_of(config.get("experimental_config"))
    raw = msprof_identity(prof, device_folders(prof)) if prof is not None else Identity()
    name = _WORKER.fullmatch(folder.path.name)
    worker = name["worker"] if name else None
    return Identity(
        rank=_first_rank(_rank_in_name(infos), info.get("rank_id"), distributed.get("rank")),
        world_size=_world_size(metadata),
        device_id=raw.device_id,
        host=raw.host or worker,
        host_key=raw.host_key or worker or "",
        versions={**raw.versions, **_named(info, _VERSIONS)},
        level=_text(experimental.get("_profiler_level")),
        switches={**object_of(config.get("common_config")), **experimental},
        clock_start=raw.clock_start,
        files=(
            *infos[:1],
            *((metadata_file,) if metadata else ()),
            *raw.files,
        ),
    )


def msprof_identity(prof: Folder, devices: Iterable[Folder]) -> Identity:
    """Read info.json, start_info and sample.json of a PROF folder's devices and host.

    Rank and device are given only if all the devices agree on them.
    """
    ranks: set[int | None] = set()
    numbers: set[int] = set()
    info: dict[str, object] = {}
    sample: dict[str, object] = {}
    files: list[Path] = []
    clock: tuple[int, int] | None = None
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
        own = read_object(found.get("info.json"))
        if match:
            numbers.add(int(match[1]))
            ranks.add(_rank(own.get("rank_id")))
        info = {**own, **{key: value for key, value in info.items() if value not in ("", None)}}
        sample = sample or read_object(found.get("sample.json"))
        clock = clock or _clock_start(read_object(found.get("start_info")))
    hostname = _text(info.get("hostname"))
    return Identity(
        rank=ranks.pop() if len(ranks) == 1 else None,
        device_id=numbers.pop() if len(numbers) == 1 else None,
        host=hostname or _text(info.get("hostUid")),
        host_key=_text(info.get("hostUid")) or hostname or "",
        versions=_named(info, _VERSIONS),
        level=_msprof_level(sample),
        switches={
            key: value
            for key, value in sample.items()
            if value in ("on", "off") or (key in _MSPROF_SWITCHES and value)
        },
        clock_start=clock,
        files=tuple(files),
    )


def trace_identity(head: bytes) -> Identity:
    """Read rank and world size that Kineto writes before the events."""
    place = head.find(b'"distributedInfo"')
    if place < 0:
        return Identity()
    text = head[place:].decode("utf-8", "replace")
    info: dict[str, object] = {}
    with suppress(ValueError):
        value, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
        info = object_of(value)
    return Identity(rank=_rank(info.get("rank")), world_size=_count(info.get("world_size")))


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


def read_object(path: Path | None) -> dict[str, object]:
    """Return the JSON object of a small file; empty if there is none or it is damaged."""
    if path is None:
        return {}
    try:
        with open_regular(path) as file:
            return object_of(json.loads(file.read(_MOST_BYTES)))
    except (OSError, ValueError, RecursionError):
        return {}


def object_of(value: object) -> dict[str, object]:
    """Return a JSON value if it is an object, else an empty one."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _rank_in_name(infos: list[Path]) -> str | None:
    match = PROFILER_INFO.fullmatch(infos[0].name) if infos else None
    return match[1] if match else None


def _first_rank(*values: object) -> int | None:
    return next((rank for value in values if (rank := _rank(value)) is not None), None)


def _rank(value: object) -> int | None:
    """Return a rank given as a number or as text; negative ones mean unset."""
    number = _whole(value)
    return number if number is not None and 0 <= number < 1 << 31 else None


def _count(value: object) -> int | None:
    number = _rank(value)
    return number or None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value.strip()):
        return int(value)
    return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _world_size(metadata: dict[str, object]) -> int | None:
    """Return world_size, else how many ranks the group of all ranks has."""
    size = _count(object_of(metadata.get("distributed_args")).get("world_size"))
    if size is not None:
        return size
    for group in object_of(metadata.get("parallel_group_info")).values():
        ranks = object_of(group).get("global_ranks")
        if object_of(group).get("group_name") == _WORLD_GROUP and isinstance(ranks, list):
            return len(cast("list[object]", ranks)) or None
    return None


def _named(values: dict[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: values[name] for name in names if values.get(name) not in (None, "")}


def _msprof_level(sample: dict[str, object]) -> str | None:
    level = _text(sample.get("prof_level"))
    return None if level == "off" else level


def _clock_start(info: dict[str, object]) -> tuple[int, int] | None:
    """Return start_info's instant as (monotonic ns, epoch ns).

    The file has clockMonotonicRaw in ns and collectionTimeBegin in µs.
    """
    monotonic = _whole(info.get("clockMonotonicRaw"))
    epoch = _whole(info.get("collectionTimeBegin"))
    if monotonic is None or epoch is None or monotonic <= 0 or epoch not in _EPOCH_MICROSECONDS:
        return None
    return monotonic, epoch * 1000
