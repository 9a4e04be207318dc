"""What discovery says about one profile: who wrote it, which files it has, what they are for."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from .errors import IngestError
from .folder import open_regular
from .notice import Notice
from .read.headers import TableKind

Producer = Literal["torch_npu", "msprof", "mindspore", "chrome"]

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

    ``name`` is the file name without device, model, iteration, slice and stamp.
    ``kind`` says which reader of its own it has; of all tables of a profile at most
    one has the kind ``kernels``.
    """

    name: str
    kind: TableKind
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """One rank's profile as it lies on disk; nothing in it has been read yet.

    ``clock_start`` is one instant on two clocks, (monotonic ns, epoch ns): the
    writer's own pair for timelines that count from the start of the machine.
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

    @property
    def root(self) -> Path:
        """The folder that file names are given relative to; it contains all of them."""
        inside = all(file.is_relative_to(self.path) for file in self.files)
        return self.path if inside and self.path not in self.files else self.path.parent


def fingerprint(profile: Profile) -> str:
    """Hash name, size, time of change and eight sampled blocks of each source file.

    The blocks catch a rewrite that kept size and time. Raises IngestError naming
    the file that cannot be read.
    """
    digest = hashlib.blake2b(digest_size=16)
    for file in profile.files:
        name = os.fsencode(os.path.relpath(file, profile.root))
        try:
            with open_regular(file) as opened:
                found = os.fstat(opened.fileno())
                digest.update(
                    b"%d:%b %d %d\n" % (len(name), name, found.st_size, found.st_mtime_ns)
                )
                for offset in _sample_offsets(found.st_size):
                    opened.seek(offset)
                    digest.update(opened.read(_SAMPLE_BYTES))
        except OSError as error:
            raise IngestError(f"{file}: {error.strerror or error}") from error
    return digest.hexdigest()


def _sample_offsets(size: int) -> list[int]:
    """Return where blocks begin: the first, the last, and evenly between them."""
    last = max(0, size - _SAMPLE_BYTES)
    return sorted({last * step // (_SAMPLES - 1) for step in range(_SAMPLES)})
