"""What a directory holds, looked at without following links and without waiting on pipes."""

import os
import re
import stat
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final, Literal

from .text import printable

_Kind = Literal["file", "folder", "link", "other"]

_DIGITS: Final = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory: its regular files and its folders, in natural order.

    ``links`` are symbolic links to folders, which nothing follows; ``others`` are
    neither files nor folders: pipes, sockets, devices, links to nothing; ``error``
    says why the directory could not be listed.
    """

    path: Path
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    links: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    error: str | None = None

    def folder(self, name: str) -> "Folder | None":
        """List the folder of that name, if there is one."""
        return list_folder(self.path / name) if self.path / name in self.folders else None


def list_folder(path: Path) -> Folder:
    """List a directory without opening anything in it."""
    found: dict[_Kind, list[Path]] = {"file": [], "folder": [], "link": [], "other": []}
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                found[_kind(entry)].append(path / entry.name)
    except OSError as error:
        return Folder(path, error=error.strerror or str(error))
    for places in found.values():
        places.sort(key=natural_key)
    return Folder(
        path,
        tuple(found["file"]),
        tuple(found["folder"]),
        tuple(found["link"]),
        tuple(found["other"]),
    )


def _kind(entry: "os.DirEntry[str]") -> _Kind:
    try:
        if entry.is_dir():
            return "link" if entry.is_symlink() else "folder"
        return "file" if entry.is_file() else "other"
    except OSError:
        # A link to a place that may not even be looked at.
        return "other"


def natural_key(path: Path) -> tuple[tuple[str | int, ...], ...]:
    """Order paths so that 2 comes before 10."""
    return tuple(
        tuple(int(part) if place % 2 else part for place, part in enumerate(_DIGITS.split(name)))
        for name in path.parts
    )


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading bytes.

    Raises OSError as ``open`` does, and for anything that is no regular file: a named
    pipe called trace_view.json would block for ever.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "not a regular file", str(path))
    return os.fdopen(handle, "rb")


def relative_name(path: Path, root: Path) -> str:
    r"""Return a path relative to a folder that contains it, else whole, as printable text.

    Bytes of a name that are no UTF-8 are shown as ``\xNN``.
    """
    return printable(str(path.relative_to(root) if path.is_relative_to(root) else path))
