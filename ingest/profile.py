"""What discovery says about one profile: who wrote it, which files it has, what they are for."""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, cast

from .communication_group import CommunicationGroup
from .errors import IngestError
from .folder import open_regular
from .notice import Notice
from .read.headers import TableKind

Producer = Literal["torch_npu", "msprof", "mindspore", "chrome"]

SPACING_SWITCHES: Final = (
    "_l2_cache",
    "l2_cache",
    "_aic_metrics",
    "aic_metrics",
    "instr_profiling",
)
"""Switches that collect something at the end of every kernel."""

_OFF: Final = (None, False, "off", "", "ACL_AICORE_NONE", "AiCoreNone")
_SAMPLES: Final = 8
_SAMPLE_BYTES: Final = 64 << 10


@dataclass(frozen=True, slots=True)
class TimelineFile:
    """A file of trace events.

    ``fill`` files repeat much of the primary ones: only their lanes that the primary
    files lack count. ``member`` names the file inside a zip archive.
    """

    path: Path
    role: Literal["primary", "fill"] = "primary"
    member: str | None = None


@dataclass(frozen=True, slots=True)
class TableFile:
    """A CSV table in one or more parts, in order; each part repeats the header.

    ``name`` is the file name without device, model, iteration, slice and stamp, as
    printable text; within a profile no two are the same in SQL. ``kind`` says which
    reader of its own it has; of all tables of a profile at most one has the kind
    ``kernels``.
    """

    name: str
    kind: TableKind
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class FigureFile:
    """The vendor's own figures of collectives, or of the links that they used, as JSON."""

    kind: Literal["collectives", "links"]
    path: Path


@dataclass(frozen=True, slots=True)
class Profile:
    """One rank's profile as it lies on disk; nothing in it has been read yet.

    ``clock_start`` is one instant on two clocks, (monotonic ns, epoch ns): the
    writer's own pair for timelines that count from the start of the machine. Texts
    and values, in ``versions`` and ``switches`` too, are such that UTF-8 JSON holds
    them; numbers fit their columns.
    """

    name: str
    path: Path
    files: tuple[Path, ...]
    producer: Producer
    rank: int
    rank_known: bool
    world_size: int | None
    device_id: int | None
    host: str | None
    versions: dict[str, object]
    level: str | None
    switches: dict[str, object]
    clock_start: tuple[int, int] | None
    timelines: tuple[TimelineFile, ...]
    tables: tuple[TableFile, ...]
    notices: tuple[Notice, ...] = ()
    groups: tuple[CommunicationGroup, ...] = ()
    figures: tuple[FigureFile, ...] = ()
    cube_cores: int | None = None
    vector_cores: int | None = None

    @property
    def scheduled_warmup(self) -> int | None:
        """Steps that its schedule let the profiler run before those kept, None if unknown."""
        schedule = self.switches.get("schedule")
        given = (
            cast("dict[str, object]", schedule).get("warmup")
            if isinstance(schedule, dict)
            else None
        )
        return given if isinstance(given, int) and not isinstance(given, bool) else None

    @property
    def root(self) -> Path:
        """The folder that file names are given relative to; it contains all of them."""
        inside = all(file.is_relative_to(self.path) for file in self.files)
        return self.path if inside and self.path not in self.files else self.path.parent

    @property
    def spaces_kernels(self) -> bool:
        """Whether a switch is on that makes the device pause between kernels."""
        on = (self.switches.get(name) for name in SPACING_SWITCHES)
        return any(one not in _OFF for one in on)


def fingerprint(profile: Profile) -> str:
    """Hash name, size, time of change and eight sampled blocks of each source file.

    The blocks catch a rewrite that kept size and time; a file that may not be opened
    has none. Raises IngestError naming a file that is gone.
    """
    digest = hashlib.blake2b(digest_size=16)
    # They may be listed in a file that belongs to all ranks.
    digest.update(repr(profile.groups).encode("utf-8", "backslashreplace"))
    for file in profile.files:
        name = os.fsencode(os.path.relpath(file, profile.root))
        try:
            found = file.stat()
        except PermissionError:
            digest.update(b"%d:%b ?\n" % (len(name), name))
            continue
        except OSError as error:
            raise IngestError(f"{file}: {error.strerror or error}") from error
        digest.update(b"%d:%b %d %d\n" % (len(name), name, found.st_size, found.st_mtime_ns))
        # One rank's file that nobody may read is a finding, not the end of all ranks.
        with suppress(OSError), open_regular(file) as opened:
            for offset in _sample_offsets(found.st_size):
                opened.seek(offset)
                digest.update(opened.read(_SAMPLE_BYTES))
    return digest.hexdigest()


def _sample_offsets(size: int) -> list[int]:
    """Return where blocks begin: the first, the last, and evenly between them."""
    last = max(0, size - _SAMPLE_BYTES)
    return sorted({last * step // (_SAMPLES - 1) for step in range(_SAMPLES)})
